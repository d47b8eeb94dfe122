import Detectors
import Diagnostics
import Evaluation
import ExternalDetectors
import Foundation
import Replay
import Tuning

func wrongUse(_ message: String) -> Failure { Failure(.wrongUse, message) }
func badData(_ message: String) -> Failure { Failure(.badData, message) }
func fileError(_ message: String) -> Failure { Failure(.fileError, message) }
func childFailed(_ message: String) -> Failure { Failure(.childFailed, message) }

/// Reports wrong use of a command or an option, unless `isRight`.
func requireUse(_ isRight: Bool, _ message: @autoclosure () -> String) throws {
  if !isRight { throw wrongUse(message()) }
}

/// Reports data that cannot be used, unless `isRight`.
func requireData(_ isRight: Bool, _ message: @autoclosure () -> String) throws {
  if !isRight { throw badData(message()) }
}

/// Refuses an option that has no effect without another one.
func refuse(
  _ option: String, _ isGiven: Bool, without other: String, _ isOtherGiven: Bool = false
) throws {
  try requireUse(!isGiven || isOtherGiven, "\(option) has no effect without \(other); add it")
}

/// Checks the number of an option, if it is given.
func require<Value>(_ value: Value?, _ option: String, in range: ClosedRange<Value>) throws {
  guard let value, !range.contains(value) else { return }
  throw wrongUse("\(option) \(value): expected \(range.lowerBound) to \(range.upperBound)")
}

/// Checks that the number of an option is 1 or more, if it is given.
func requirePositive(_ value: Int?, _ option: String) throws {
  try requireUse(value ?? 1 > 0, "\(option): expected 1 or more")
}

/// Turns any error into wrong use: bad data in a file is a wrong argument of a command.
func asWrongUse<Value>(_ body: () throws -> Value) throws -> Value {
  do {
    return try body()
  } catch {
    throw wrongUse("\(error)")
  }
}

/// Returns the value of an option's text.
/// - Throws: wrong use, if `parse` returns nil.
func parsed<Value>(
  _ text: String, of option: String, _ expected: String, by parse: (String) throws -> Value?
) throws -> Value {
  guard let value = try parse(text) else {
    throw wrongUse("\(option) \(text): expected \(expected)")
  }
  return value
}

func time(_ text: String, of option: String, isAboveZero: Bool = false) throws -> Duration {
  let expected = "a time\(isAboveZero ? " above 0" : "") such as 10s or 500ms"
  return try parsed(text, of: option, expected) { text in
    Quantity.duration(of: text).flatMap { isAboveZero && $0 <= .zero ? nil : $0 }
  }
}

/// Returns the time in the text of an option; nil = the option is not given.
func time(_ text: String?, of option: String, isAboveZero: Bool = false) throws -> Duration? {
  try text.map { try time($0, of: option, isAboveZero: isAboveZero) }
}

/// Returns the time in the text of an option, which may be negative, e.g. `-0.5s`; nil = the option is
/// not given.
func signedTime(_ text: String?, of option: String) throws -> Duration? {
  guard let text, text.hasPrefix("-") else { return try time(text, of: option) }
  return try parsed(text, of: option, "a time such as 10s or -500ms") { text in
    Quantity.duration(of: String(text.dropFirst())).map { .zero - $0 }
  }
}

/// Returns the number in an option's text, in the internal unit.
func quantity(
  _ text: String, _ unit: ParameterUnit, of option: String, _ expected: String,
  where isValid: (Double) -> Bool = { $0 > 0 }
) throws -> Double {
  try parsed(text, of: option, expected) { text in
    Quantity.value(of: text, unit: unit).flatMap { isValid($0) ? $0 : nil }
  }
}

/// Returns the case of an enumeration with that name.
/// - Throws: wrong use with the known names.
func named<Choice: CaseIterable & RawRepresentable<String>>(
  _ name: String, _ what: String, place: String = ""
) throws -> Choice {
  guard let choice = Choice(rawValue: name) else {
    throw Failure.unknown(what, name, known: Choice.allCases.map(\.rawValue), place: place)
  }
  return choice
}

/// Returns the stall of a text such as `100ms@5s`.
func parseStall(_ text: String) throws -> Stall {
  try parsed(text, of: "--stall", "a length and a start, e.g. 100ms@5s", by: Stall.init(text:))
}

/// Returns the choice of a detector's text, on the command line and in suites: `punch`,
/// `punch/hitThat`, or `exec:` with a command line.
/// - Parameter stated: the preset that is named separately; nil = none.
/// - Returns: the choice, by default of preset `default`, and whether a preset is named.
/// - Throws: wrong use, if two presets are named.
func detectorChoice(
  _ text: String, statedPreset stated: String? = nil
) throws -> (choice: DetectorChoice, hasPreset: Bool) {
  let isProgram = ExecCommandLine.isOne(text)
  let parts = text.split(
    separator: "/", maxSplits: isProgram ? 0 : 1, omittingEmptySubsequences: false
  ).map(String.init)
  let named = parts.count > 1 ? parts[1] : nil
  if let named, let stated, named != stated {
    throw wrongUse("expected one preset, found \(text) and preset \(stated)")
  }
  let preset = named ?? stated
  return (DetectorChoice(detector: parts[0], preset: preset ?? "default"), preset != nil)
}

/// Parameters as text, on the command line and in suites: `threshold=2g,refractory=300ms`.
enum ParameterText {
  /// - Throws: wrong use, if a parameter is unknown, has a wrong value, or is given twice.
  static func add(
    _ text: String, of detector: AnyDetector, to settings: inout ParameterSettings,
    relativeTo folder: String = ".", place: String
  ) throws {
    for part in text.split(separator: ",").map(String.init) {
      guard let equals = part.firstIndex(of: "=") else {
        throw wrongUse("\(place) \(part): expected name=value")
      }
      let name = String(part[..<equals]).trimmingCharacters(in: .whitespaces)
      try requireUse(settings[name] == nil, "\(place): \(name) is given twice")
      settings[name] = try detector.setting(
        name, part[part.index(after: equals)...].trimmingCharacters(in: .whitespaces),
        relativeTo: folder, place: place)
    }
  }

  /// Whether `text` names a parameter file.
  static func isFile(_ text: String) -> Bool { text.hasSuffix(".json") && !text.contains("=") }
}
