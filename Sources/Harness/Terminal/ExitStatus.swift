import Diagnostics
internal import ArgumentParser

/// How a command ended.
enum ExitStatus: Int32, CaseIterable {
  case done = 0
  case regression = 2
  case timingInvalid = 3
  case improvement = 4
  case dataLost = 5
  case wrongUse = 64
  case badData = 65
  case childFailed = 70
  case fileError = 74
  case interrupted = 130

  /// Where several apply, the first of these is returned.
  private static let precedence: [ExitStatus] = [
    .fileError, .badData, .wrongUse, .childFailed, .regression, .dataLost,
    .timingInvalid,
  ]

  /// Of several that apply the one that is returned.
  static func gravest(_ several: [ExitStatus]) -> ExitStatus {
    precedence.first(where: several.contains) ?? .done
  }

  var meaning: String {
    switch self {
    case .done: "done, nothing worse"
    case .regression: "regression"
    case .timingInvalid: "timing invalid"
    case .improvement: "improvement, only with --fail-on-improvement"
    case .dataLost: "finished, but data were lost on the way (each loss is listed)"
    case .wrongUse: "wrong use"
    case .badData: "bad data, or too little for what was asked (validate: errors found)"
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
      + precedence.map { "\($0.rawValue)" }
      .joined(separator: ", ") + "."
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
