import Diagnostics
internal import ArgumentParser

/// How a command ended.
enum ExitStatus: Int32, CaseIterable {
  case done = 0
  case timingInvalid = 3
  case dataLost = 5
  case wrongUse = 64
  case badData = 65
  case childFailed = 70
  case fileError = 74
  case interrupted = 130

  /// From the gravest on.
  private static let precedence: [ExitStatus] = [
    .fileError, .badData, .wrongUse, .childFailed, .dataLost, .timingInvalid,
  ]

  /// Returns the gravest of several.
  static func gravest(_ several: [ExitStatus]) -> ExitStatus {
    precedence.first(where: several.contains) ?? .done
  }

  var meaning: String {
    switch self {
    case .done: "success"
    case .timingInvalid: "the timing of a paced replay or of bench is invalid"
    case .dataLost: "finished, but some data were lost; each loss is listed"
    case .wrongUse: "wrong use of a command or an option"
    case .badData: "bad or too few data; with validate: errors found"
    case .childFailed: "a child process failed"
    case .fileError: "a file or a device cannot be read or written"
    case .interrupted: "interrupted"
    }
  }

  /// The line of each command's `--help`.
  static let help = "Exit codes: shadowbox help exit-codes"

  /// The text of `shadowbox help exit-codes`.
  static var table: String {
    let rows = allCases.map { status in
      let code = "\(status.rawValue)"
      return String(repeating: " ", count: 5 - code.count) + code + "  " + status.meaning
    }
    return "EXIT CODES:\n" + rows.joined(separator: "\n")
      + "\n\nIf several apply, a command returns the first of "
      + precedence.map { "\($0.rawValue)" }.joined(separator: ", ") + ".\n"
  }

  init(_ kind: Failure.Kind) {
    self =
      switch kind {
      case .wrongUse: .wrongUse
      case .badData: .badData
      case .fileError: .fileError
      case .childFailed: .childFailed
      case .interrupted: .interrupted
      }
  }

  var exitCode: ExitCode { ExitCode(rawValue) }
}
