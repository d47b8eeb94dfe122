import AppEngines
import Diagnostics
package import Evaluation
import Scoring

extension MeasuredResults {
  /// JUnit XML with a case per trace and figure, which prints the value. Without bounds no case fails. A
  /// run that is not scored is skipped, and a file without runs is an error.
  package var junit: String {
    let suites = runs.inGroups(by: \.entry).map { runs in
      JUnitReport.Suite(name: runs[0].entry, cases: runs.flatMap(\.cases))
    }
    let outcomes = apps.map { app in
      JUnitReport.Suite(
        name: app.entry,
        cases: app.outcomes.map { outcome in
          JUnitReport.Case(
            className: CIText.place(app.entry, app.origin),
            name: outcome.title(of: app.person(of: outcome)),
            output: "\(outcome.figureName) \(CIText.value(of: outcome))")
        })
    }
    return JUnitReport(
      name: "shadowbox results",
      suites: suites.isEmpty
        ? [.nothingMeasured(named: "results")] : JUnitReport.Suite.merged(suites + outcomes),
      properties: [
        ("suite", suite), ("suite_sha256", suiteSHA256), ("commit", commit),
        ("tool_version", toolVersion), ("toolchain", toolchain), ("schema", schema),
      ], seconds: seconds
    ).xml
  }
}

extension ResultComparison {
  /// JUnit XML with a case per entry and trace, which fails if the head misses references that the base
  /// finds, and one per outcome that differs, which fails if it does not reach its goal. A part that
  /// cannot be compared is an error.
  package var junit: String {
    let suites = JUnitReport.Suite.merged(
      junitSuites(obstacle: { .error(message: $0, details: "") }, fails: { _ in true })
        + outcomes.filter(\.differs).map { pair in
          JUnitReport.Suite(name: pair.entry, cases: [pair.junitCase])
        })
    return JUnitReport(
      name: "shadowbox compare",
      suites: suites.isEmpty ? [.nothingMeasured(named: "compare")] : suites,
      properties: [
        ("base", base.path), ("base_commit", base.commit), ("base_tool_version", base.toolVersion),
        ("head", head.path), ("head_commit", head.commit), ("head_tool_version", head.toolVersion),
      ]
    ).xml
  }

  /// The cases of the traces by entry.
  /// - Parameters:
  ///   - obstacle: the outcome of a part that cannot be compared.
  ///   - fails: whether lost references of an entry are failures.
  func junitSuites(
    obstacle: (String) -> JUnitReport.Outcome, fails: (Entry) -> Bool
  ) -> [JUnitReport.Suite] {
    let compared = entries.map { entry in
      JUnitReport.Suite(name: entry.name, cases: cases(of: entry, fails: fails(entry)))
    }
    let others = obstacles.map { one in
      JUnitReport.Suite(
        one.entry ?? "comparison", one.trace.map { "trace \($0)" } ?? "comparable",
        obstacle("not compared: \(one.reason)"))
    }
    return JUnitReport.Suite.merged(compared + others)
  }

  private func cases(of entry: Entry, fails: Bool) -> [JUnitReport.Case] {
    let excluded = Set(obstacles.filter { $0.entry == entry.name }.map(\.trace))
    let lost = Dictionary(grouping: entry.lostReferences, by: \.trace)
    let flips = Dictionary(
      traces(of: entry).map { ($0.trace, $0) }, uniquingKeysWith: { first, _ in first })
    let runs = head.runs.filter {
      $0.entry == entry.name && $0.origin == entry.origin && !excluded.contains($0.trace)
    }
    return runs.map { run in
      let lost = lost[run.trace] ?? []
      let flips = flips[run.trace]
      let text = (lost.isEmpty ? [] : [Self.text(of: lost)]) + [flips?.counts].compactMap(\.self)
      let isFailure = fails && !lost.isEmpty
      return JUnitReport.Case(
        className: CIText.place(entry.name, entry.origin), name: "trace \(run.trace)",
        outcome: isFailure
          ? .failed(
            message: "the head misses \(counted(lost.count, "reference")) that the base finds",
            details: text.joined(separator: "\n")) : .passed,
        output: isFailure ? "" : text.joined(separator: "\n"))
    }
  }

  /// A longer list would hide the next case.
  private static let shownReferences = 100

  private static func text(of lost: [LostReference]) -> String {
    let lines = lost.prefix(shownReferences).map { reference in
      "lost at \(CIText.seconds(reference.onset)) s"
        + (reference.label.isEmpty ? "" : ": \(inLine(reference.label))")
    }
    let more = lost.count - lines.count
    return (lines + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "\n")
  }
}

extension OutcomeComparison {
  fileprivate var junitCase: JUnitReport.Case {
    let text = "\(one.title(of: person)): \(shown.base) -> \(shown.head)"
    return JUnitReport.Case(
      className: CIText.place(entry, origin), name: one.title(of: person),
      outcome: breach.map { .failed(message: "\(text), demanded: \($0)", details: "") } ?? .passed,
      output: breach == nil ? text : "")
  }
}

extension ResultComparison.TraceFlips {
  /// E.g. `3 detections differ: 2 lost, 1 gained`; nil if only measurements differ.
  fileprivate var counts: String? {
    guard !list.flips.isEmpty else { return nil }
    let kinds = list.flips.byWord.map { "\($0.flips.count) \($0.word)" }
    return "\(counted(list.flips.count, "detection")) that differ: " + kinds.joined(separator: ", ")
  }
}

extension JUnitReport.Suite {
  /// Merges suites with the same name, in the order of their first occurrence.
  static func merged(_ suites: [Self]) -> [Self] {
    suites.inGroups(by: \.name).map { group in
      Self(name: group[0].name, cases: group.flatMap(\.cases))
    }
  }

  /// A suite of a single case.
  fileprivate init(_ name: String, _ title: String, _ outcome: JUnitReport.Outcome) {
    self.init(name: name, cases: [.init(className: name, name: title, outcome: outcome)])
  }

  static func nothingMeasured(named name: String) -> JUnitReport.Suite {
    Self(name, "measured", .error(message: "no run: nothing is measured", details: ""))
  }
}

extension MeasuredRun {
  fileprivate var cases: [JUnitReport.Case] {
    let className = CIText.place(entry, origin)
    let defined = figures.values.filter { $0.value != nil }.sorted { $0.name < $1.name }
    guard !defined.isEmpty else {
      let reason = "the trace has no figure: it is not scored"
      return [.init(className: className, name: trace, outcome: .skipped(message: reason))]
    }
    return defined.map { figure in
      JUnitReport.Case(
        className: className, name: "\(trace): \(figure.name)",
        output: "\(figure.name) \(CIText.value(figure.value, figure.unit))"
          + (figure.interval == nil ? "" : " (95 %: \(CIText.interval(figure.estimate)))"))
    }
  }
}

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
