import AppEngines
import Diagnostics
import Evaluation
import Foundation

/// The rules of an app by name, with their values in each preset: `--rules` and `rules` of a suite
/// change them one by one.
struct AppRuleTable {
  private let app: any AppSimulation.Type
  private let presets: [(name: String, values: [String: RuleValue])]
  /// Every rule that any preset states; one that a preset leaves out is off there.
  let names: [String]

  init(_ app: any AppSimulation.Type) throws {
    self.app = app
    presets = try app.presets.compactMap { preset in
      try app.rules(of: preset.name).map { (preset.name, try Self.values(of: $0)) }
    }
    names = Set(presets.flatMap(\.values.keys)).sorted()
  }

  /// Returns the rules of a preset with some values replaced.
  /// - Parameter texts: each `name=value,...`, where a value is true or false, a number, a word that a
  ///   preset has there, or the name of a preset, whose value it is then.
  /// - Throws: wrong use, with the known names, or the values that each preset has.
  func rules(
    of preset: String, changing texts: [String], place: String
  ) throws -> (any AppRules)? {
    guard let base = app.rules(of: preset), !texts.isEmpty else {
      guard texts.isEmpty else {
        throw Failure(.wrongUse, place: place, "\(app.name) has no rules")
      }
      return nil
    }
    var values = presets.first { $0.name == preset }?.values ?? [:]
    var stated: Set<String> = []
    for text in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2 else {
        throw Failure(.wrongUse, place: place, "expected name=value, found \(text)")
      }
      guard names.contains(parts[0]) else {
        throw Failure.unknown("rule of \(app.name)", parts[0], known: names, place: place)
      }
      guard stated.insert(parts[0]).inserted else {
        throw Failure(.wrongUse, place: place, "\(parts[0]) is given twice")
      }
      values[parts[0]] = try value(parts[1], of: parts[0], place: place)
    }
    return try decoded(values, like: base, place: place)
  }

  private func value(_ text: String, of name: String, place: String) throws -> RuleValue? {
    if let preset = presets.first(where: { $0.name == text }) { return preset.values[name] }
    let known = presets.compactMap { $0.values[name] }
    if let same = known.first(where: { $0.text == text }) { return same }
    let number = Double(text).flatMap { (0.01...1_000_000).contains($0) ? $0 : nil }
    switch (known.first, number) {
    case (.flag, _) where text == "true" || text == "false": return .flag(text == "true")
    case (.number, let number?): return .number(number)
    default:
      let expected =
        switch known.first {
        case .flag: "true, false"
        case .number: "a number from 0.01 to 1000000"
        default: "a value of a preset"
        }
      throw Failure(
        .wrongUse, place: place,
        "\(name): expected \(expected) or the name of a preset (\(summary(of: name))), found \(text)"
      )
    }
  }

  private func decoded<Rules: AppRules>(
    _ values: [String: RuleValue], like base: Rules, place: String
  ) throws -> any AppRules {
    do {
      return try Self.decoder.decode(Rules.self, from: JSONEncoder().encode(values))
    } catch {
      throw Failure(.wrongUse, place: place, "a count of \(app.name) must be a whole number")
    }
  }

  /// The values of a rule, e.g. `true; hitThat false`.
  private func summary(of name: String) -> String {
    let texts = presets.map { ($0.name, $0.values[name]?.text ?? "none") }
    guard let first = texts.first?.1 else { return "" }
    return ([first] + texts.dropFirst().filter { $0.1 != first }.map { "\($0.0) \($0.1)" })
      .joined(separator: "; ")
  }

  /// The list for `info --apps --full`.
  var help: String {
    names.isEmpty
      ? ""
      : "  rules (--rules name=value), by default and in the presets that differ:\n"
        + names.map { "    \($0): \(summary(of: $0))\n" }.joined()
  }

  // MARK: Coding

  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }()

  private static func values(of rules: some AppRules) throws -> [String: RuleValue] {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try JSONDecoder().decode([String: RuleValue].self, from: encoder.encode(rules))
  }
}

extension AppOptions {
  /// - Throws: wrong use, if a rule is unknown or cannot have the value.
  mutating func changeRules(_ texts: [String], of choice: AppChoice, place: String) throws {
    guard !texts.isEmpty else { return }
    ruleTexts = texts
    rules = try AppRuleTable(choice.app).rules(of: choice.preset, changing: texts, place: place)
  }
}

/// A value of a rule, as JSON has it.
private enum RuleValue: Hashable, Codable {
  case flag(Bool)
  case number(Double)
  case word(String)
  case list([RuleValue])
  case group([String: RuleValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let word = try? value.decode(String.self) {
      self = .word(word)
    } else if let list = try? value.decode([RuleValue].self) {
      self = .list(list)
    } else {
      self = .group(try value.decode([String: RuleValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .flag(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .word(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .group(let value): try container.encode(value)
    }
  }

  var text: String {
    switch self {
    case .flag(let value): "\(value)"
    case .number(let value): Diagnostics.number(value)
    case .word(let value): value
    case .list: "a list"
    case .group(let values):
      // The detector's parameters would fill a screen.
      values.count > 4
        ? "as its detector's preset"
        : values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }
          .joined(separator: ", ")
    }
  }
}
