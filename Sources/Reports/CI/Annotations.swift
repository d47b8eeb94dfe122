import Diagnostics
package import Evaluation

/// A service that runs jobs, by its environment.
package enum CIService: String, CaseIterable, Sendable {
  /// Shows lines of a special form as annotations.
  case gitHub = "GITHUB_ACTIONS"
  /// Has no annotations: it reads JUnit XML and OpenMetrics.
  case gitLab = "GITLAB_CI"

  package init?(environment: [String: String]) {
    guard let service = Self.allCases.first(where: { environment[$0.rawValue] == "true" }) else {
      return nil
    }
    self = service
  }
}

/// A line that GitHub shows with a job.
package struct Annotation: Sendable, Equatable {
  package enum Level: String, CaseIterable, Sendable {
    case error, warning, notice
  }

  package var level: Level
  package var title: String
  package var message: String

  /// The most annotations of a level that GitHub shows for a step.
  package static let limit = 10

  /// The workflow command, escaped as by `@actions/core`. Other control characters become `\u{b}`,
  /// because terminals show logs.
  package var line: String {
    "::\(level.rawValue) title=\(Self.property(title))::\(Self.data(message))"
  }

  private static func data(_ text: String) -> String {
    PrintedText.text(text.replacing(["%": "%25", "\r": "%0D", "\n": "%0A"]))
  }

  private static func property(_ text: String) -> String {
    data(text).replacing([":": "%3A", ",": "%2C"])
  }
}

extension GateReport {
  /// The checks that do not pass, at most 10 per level; the last one counts the rest. A gate that
  /// passes has a single notice.
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
