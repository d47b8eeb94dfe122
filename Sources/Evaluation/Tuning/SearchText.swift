import Diagnostics
package import Detectors
package import Tuning

extension SearchDimension {
  /// Parses a `--search` option, such as `refractory=0.2s..0.8s`, `peak-window=50ms..1s:log:6` or
  /// `retrigger=once-below-again,every-sample`.
  package init(_ text: String, of detector: AnyDetector) throws {
    let option = "--search \(text)"
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw Failure(
        .wrongUse,
        "\(option): expected name=LOW..HIGH for a number, name=a,b for a choice, or "
          + "name=true,false")
    }
    let info = try detector.parameter(parts[0], place: option)
    switch info.kind {
    case .number(let unit, let range):
      self = try Self.number(info.name, parts[1], unit, within: range, option)
    case .choice(let choices):
      let names = parts[1].split(separator: ",").map(String.init)
      if let wrong = names.first(where: { !choices.contains($0) }) {
        throw Failure.unknown(
          "value of \(info.name)", wrong, known: choices, place: option)
      }
      guard !names.isEmpty, Set(names).count == names.count else {
        throw Failure(.wrongUse, "\(option): expected at least one value, each once")
      }
      self.init(info.name, .choice(names))
    case .profiles:
      throw Failure(
        .wrongUse, "\(option): a profile cannot be searched; state it with --parameters")
    case .flag:
      guard Set(parts[1].split(separator: ",")) == ["true", "false"] else {
        throw Failure(.wrongUse, "\(option): expected true,false")
      }
      self.init(info.name, .flag)
    }
  }

  private static func number(
    _ name: String, _ text: String, _ unit: ParameterUnit, within whole: ClosedRange<Double>,
    _ option: String
  ) throws -> SearchDimension {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let isLogarithmic = parts.dropFirst().first == "log"
    let rest = parts.dropFirst(isLogarithmic ? 2 : 1)
    guard let found = Quantity.range(of: parts[0], unit: unit), rest.count <= 1,
      let values = Int(rest.first ?? "\(gridValues)"),
      (1...mostGridValues).contains(values)
    else {
      throw Failure(
        .wrongUse,
        "\(option): expected LOW..HIGH, then optionally :log for logarithmic steps and :N for N grid "
          + "values, e.g. \(name)=0.1..0.5:log:6")
    }
    guard whole.contains(found), !isLogarithmic || found.lowerBound > 0 else {
      throw Failure(
        .wrongUse,
        "\(option): expected \(unit.values(in: whole))"
          + (isLogarithmic ? ", above zero for logarithmic steps" : ""))
    }
    return SearchDimension(
      name, .number(range: found, isLogarithmic: isLogarithmic, values: values))
  }

  /// The default number of grid values of a number.
  private static let gridValues = 5
  private static let mostGridValues = 1000

  /// The text of the dimension, as ``init(_:of:)`` parses it.
  package var summary: String {
    switch kind {
    case .number(let range, let isLogarithmic, let values):
      "\(name)=\(ParameterValue.number(range.lowerBound))..\(ParameterValue.number(range.upperBound))"
        + (isLogarithmic ? ":log" : "") + ":\(values)"
    case .choice(let choices): "\(name)=\(choices.joined(separator: ","))"
    case .flag: "\(name)=true,false"
    }
  }

  /// Returns whether a value lies at an end of the range, so that a better one may lie beyond.
  package func isAtEdge(_ value: ParameterValue) -> Bool {
    guard case .number(let range, _, _) = kind, case .number(let number) = value else {
      return false
    }
    let margin = (range.upperBound - range.lowerBound) / 100
    return number <= range.lowerBound + margin || number >= range.upperBound - margin
  }
}
