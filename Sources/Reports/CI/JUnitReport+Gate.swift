import Diagnostics
package import Evaluation

extension GateReport {
  /// JUnit XML with a case per check, and per entry and trace. The case of a trace fails only if a check
  /// of its entry fails: lost references within the bounds are only printed.
  package var junit: String {
    let checks = checks.inGroups(by: \.entry).map { checks in
      JUnitReport.Suite(
        name: checks[0].entry.isEmpty ? "gate" : checks[0].entry, cases: checks.map(\.junitCase))
    }
    let failing = Set(self.checks.filter { $0.verdict == .fail }.map { [$0.entry, $0.origin] })
    // Where a missing comparison is an error, a check reports it.
    let traces = comparison.junitSuites(obstacle: { .skipped(message: $0) }) {
      failing.contains([$0.name, $0.origin])
    }
    let suites = JUnitReport.Suite.merged(checks + traces)
    return JUnitReport(
      name: "shadowbox gate", suites: suites.isEmpty ? [.nothingMeasured(named: "gate")] : suites,
      properties: [
        ("verdict", verdict.rawValue), ("suite", suite), ("base", base.title),
        ("base_commit", base.commit), ("base_tool_version", base.toolVersion), ("head", head.title),
        ("head_commit", head.commit), ("head_tool_version", head.toolVersion),
      ], seconds: seconds
    ).xml
  }
}

extension GateCheck {
  fileprivate var junitCase: JUnitReport.Case {
    let people = population == .newPeople ? " (new people)" : ""
    let message = "\(reason): \(sentence)"
    let outcome: JUnitReport.Outcome =
      switch verdict {
      case .pass, .improved: .passed
      case .fail: .failed(message: message, details: "")
      case .error: .error(message: message, details: "")
      case .inconclusive: .skipped(message: "INCONCLUSIVE: \(message)")
      }
    return JUnitReport.Case(
      className: entry.isEmpty ? "gate" : CIText.place(entry, origin), name: name + people,
      outcome: outcome, output: "\(verdict.rawValue): \(message)")
  }
}
