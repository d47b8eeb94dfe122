internal import ArgumentParser

/// How a command ended. Where several apply, the one that comes first in
/// ``ExitStatus/precedence`` is returned.
enum ExitStatus: Int32, CaseIterable {
  case done = 0
  case regression = 2
  case timingInvalid = 3
  case dataLost = 5
  case wrongUse = 64
  case badData = 65
  case childFailed = 70
  case fileError = 74
  case interrupted = 130

  static let precedence: [ExitStatus] = [
    .interrupted, .fileError, .badData, .wrongUse, .childFailed, .regression, .dataLost,
    .timingInvalid, .done,
  ]

  static func worst(_ all: [ExitStatus]) -> ExitStatus {
    precedence.first(where: all.contains) ?? .done
  }

  var meaning: String {
    switch self {
    case .done: "done, nothing worse"
    case .regression: "regression"
    case .timingInvalid: "timing invalid"
    case .dataLost: "finished, but data were lost on the way (each loss is listed)"
    case .wrongUse: "wrong use"
    case .badData: "bad data, or too little for what was asked"
    case .childFailed: "a child process failed"
    case .fileError: "file or device error"
    case .interrupted: "interrupted"
    }
  }

  /// For `--help`.
  static var help: String {
    "EXIT CODES:\n"
      + allCases.map { "  \($0.rawValue)\t\($0.meaning)" }.joined(separator: "\n")
      + "\n  Where several apply: "
      + precedence.filter { ![.done, .interrupted].contains($0) }.map { "\($0.rawValue)" }
      .joined(separator: ", ") + "."
  }

  var exitCode: ExitCode { ExitCode(rawValue) }
}
