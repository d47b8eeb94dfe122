import Diagnostics
package import Evaluation

/// A service that runs jobs, as its environment states it.
package enum CIService: Sendable {
  /// Shows lines of a special form as annotations.
  case gitHub
  /// Has no annotations: it reads JUnit XML and OpenMetrics.
  case gitLab

  package init?(environment: [String: String]) {
    if environment["GITHUB_ACTIONS"] == "true" {
      self = .gitHub
    } else if environment["GITLAB_CI"] == "true" {
      self = .gitLab
    } else {
      return nil
    }
  }
}

/// A line that GitHub shows beside a job.
package struct Annotation: Sendable, Equatable {
  package enum Level: String, CaseIterable, Sendable {
    case error, warning, notice
  }

  package var level: Level
  package var title: String
  package var message: String

  /// The most that GitHub shows of a level and step.
  package static let limit = 10

  /// The workflow command. The escapes are those of `@actions/core`; all other control characters are
  /// written as `\u{b}`, because a log is shown in a terminal.
  package var line: String {
    "::\(level.rawValue) title=\(Self.property(title))::\(Self.data(message))"
  }

  private static func data(_ text: String) -> String {
    let escaped = text.replacing("%", with: "%25").unicodeScalars.reduce(into: "") {
      result, scalar in
      switch scalar {
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return escapingControls(escaped)
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

extension GateReport {
  /// The checks that do not pass, at most 10 of a level; the last one counts the rest. A gate that
  /// passes has one notice.
  package var annotations: [Annotation] {
    let all = checks.compactMap { check -> Annotation? in
      let level: Annotation.Level? =
        switch check.verdict {
        case .fail, .error: .error
        case .inconclusive: .warning
        case .improved: .notice
        case .pass: nil
        }
      return level.map {
        Annotation(
          level: $0, title: "\(check.verdict.rawValue): \(check.title)",
          message: "\(check.reason): \(check.sentence)")
      }
    }
    guard !all.isEmpty else {
      return [
        Annotation(
          level: checks.isEmpty ? .error : .notice, title: "Shadowbox gate: \(verdict.rawValue)",
          message: checks.isEmpty
            ? "nothing was checked" : "\(counted(checks.count, "check")) within the bounds")
      ]
    }
    return Annotation.Level.allCases.flatMap { level in
      let own = all.filter { $0.level == level }
      guard own.count > Annotation.limit else { return own }
      let kept = own.prefix(Annotation.limit - 1)
      return kept + [
        Annotation(
          level: level, title: "Shadowbox gate: \(verdict.rawValue)",
          message: "and \(own.count - kept.count) more; the job summary has all")
      ]
    }
  }
}
