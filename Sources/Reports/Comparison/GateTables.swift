import Diagnostics
package import Evaluation
import HDF5
import Results
import Scoring

extension GateReport {
  package func table(_ screen: Screen = Screen(), full: Bool = false) -> String {
    GateTables(report: self, screen: screen, isFull: full).render()
  }

  package func json(_ inputs: [InputFile]) throws -> String {
    try jsonDocument(document, .gate, inputs: inputs)
  }

  private var document: JSONObject {
    [
      "verdict": verdict, "suite": suite, "base": base, "head": head,
      "checks": checks.map(\.document), "notes": notes, "seconds": seconds,
      "chance_of_red": GateBound.Population.allCases.compactMap(chanceDocument),
      "timing_alarms": timingAlarms.map { alarms -> JSONObject in
        ["alarms": alarms.alarms, "runs": alarms.runs, "upper_bound": alarms.upperBound]
      }, "comparison": comparison.document,
    ]
  }

  private func chanceDocument(_ population: GateBound.Population) -> JSONObject? {
    chanceOfRed(population).map { chance in
      [
        "population": population, "share": chance.share, "flips": chance.flips,
        "per_year": ChanceOfRed.gatesPerWeek.map { gates -> JSONObject in
          ["gates_per_week": gates, "expected": chance.perYear(gates: gates)]
        },
      ]
    }
  }

  package func csv() -> String {
    csvTable(
      checks,
      [
        ("verdict", { $0.verdict.rawValue }), ("entry", { $0.entry }), ("origin", { $0.origin }),
        ("figure", { $0.name }), ("unit", { $0.unit }), ("base", { $0.base }),
        ("head", { $0.head }), ("difference", { $0.difference?.value }),
        ("lower", { $0.difference?.interval?.lower }),
        ("upper", { $0.difference?.interval?.upper }), ("bound", { $0.bound }),
        ("population", { $0.population?.rawValue }), ("p_holm", { $0.probability }),
        ("detectable_effect", { $0.detectableEffect }), ("clusters", { $0.clusters }),
        ("beyond", { $0.beyond?.value }), ("beyond_lower", { $0.beyond?.interval?.lower }),
        ("beyond_upper", { $0.beyond?.interval?.upper }), ("reason", { $0.reason }),
        ("pass_bound", { $0.passBound }), ("chance_of_red", { $0.chanceOfRed }),
      ])
  }

  var contents: HDF5Contents {
    .table(
      "check",
      [
        .codes("entry", checks.map(\.entry)), .codes("origin", checks.map(\.origin)),
        .codes("figure", checks.map(\.name)), .codes("unit", checks.map(\.unit)),
        .codes("verdict", checks.map(\.verdict)), .codes("bound", checks.map(\.bound)),
        .codes("population", checks.map { $0.population?.rawValue ?? "none" }),
        .floats("base", checks.map(\.base)), .floats("head", checks.map(\.head)),
      ] + .bounded("difference", checks.map(\.difference))
        + [
          .floats("p_holm", checks.map(\.probability)),
          .floats("detectable_effect", checks.map(\.detectableEffect)),
        ] + .bounded("beyond", checks.map(\.beyond))
        + [
          .codes("reason", checks.map(\.reason)),
          .codes("pass_bound", checks.map { $0.passBound ?? "none" }),
          .floats("chance_of_red", checks.map(\.chanceOfRed)),
        ],
      attributes: ["verdict": verdict.rawValue])
  }
}

extension GateCheck {
  fileprivate var document: JSONObject {
    [
      "verdict": verdict, "entry": entry, "origin": origin, "figure": name, "unit": unit,
      "base": base, "head": head, "difference": difference, "bound": bound,
      "population": population, "p_holm": probability, "detectable_effect": detectableEffect,
      "clusters": clusters, "beyond_bound": beyond, "reason": reason, "pass_bound": passBound,
      "chance_of_red": chanceOfRed,
    ]
  }

  /// The name of an outcome is as `--bound` takes it.
  var words: String {
    name.hasPrefix("outcome.") ? inLine(name) : ComparisonTables.words(name)
  }

  /// Whether the head is worse than the base, within the bound or not.
  fileprivate var isWorse: Bool {
    guard let base, let head,
      let better = FigureCatalogue.compared.first(where: { $0.name == name })?.better
    else { return false }
    return better == .higher ? head < base : better == .lower && head > base
  }

  /// The figures of base and head: `lost` and `flips` are counts.
  fileprivate var texts: (String, String) {
    if let shown { return shown }
    guard ["lost", "flips"].contains(name), let head else {
      return ComparisonTables.pair(base, head)
    }
    return (ComparisonTables.value(base), "\(Int(head))")
  }
}

private struct GateTables {
  let report: GateReport
  let screen: Screen
  let isFull: Bool

  /// The verdict first, then the checks that decided it.
  func render() -> String {
    let verdict = report.verdict
    let title = "Gate: \(verdict.rawValue)"
    let isBad = verdict == .fail || verdict == .error
    return (isBad ? screen.bad(title) : screen.heading(title))
      + screen.wrapped(" \(count)\n", indent: 2) + screen.wrapped(sides + changed, indent: 2)
      + paragraphs + passed + flips + screen.wrapped(notes.map { $0 + "\n" }.joined(), indent: 2)
  }

  private var count: String {
    let groups = GateVerdict.allCases.reversed().compactMap { verdict -> String? in
      let own = report.checks.filter { $0.verdict == verdict }
      let worse = verdict == .pass ? own.count(where: \.isWorse) : 0
      return own.isEmpty
        ? nil : "\(own.count) \(verdict.rawValue)" + (worse > 0 ? " (\(worse) worse)" : "")
    }
    return "(\(counted(report.checks.count, "check")): \(groups.joined(separator: ", ")))"
  }

  private var sides: String {
    [("base", report.base), ("head", report.head)].map { name, side in
      let origin = ComparisonTables.origin(version: side.toolVersion, commit: side.commit)
      return "\(name): \(inLine(side.title)) (\(origin))\n"
    }.joined()
  }

  private var changed: String {
    let own = report.comparison.changes.filter { $0.entry != nil }
    return own.prefix(5).map { change in
      "Changed: \(inLine(change.entry ?? "")): \(change.name) "
        + "\(inLine(change.base.isEmpty ? "none" : change.base)) -> "
        + "\(inLine(change.head.isEmpty ? "none" : change.head))\n"
    }.joined() + (own.count > 5 ? "\(counted(own.count - 5, "further change")): compare\n" : "")
  }

  /// A paragraph for each check that did not pass or that improved; for all with --full.
  private var paragraphs: String {
    let shown = isFull ? report.checks : report.checks.filter { $0.verdict != .pass }
    return shown.map { check in
      let title = "\(check.verdict.rawValue): "
      let isBad = check.verdict == .fail || check.verdict == .error
      let text = screen.wrapped(title + sentence(check) + "\n", indent: 2)
      return isBad ? screen.bad(title) + text.dropFirst(title.count) : text
    }.joined()
  }

  private func sentence(_ check: GateCheck) -> String {
    var place = inLine(check.entry)
    if !check.origin.isEmpty { place += " (\(inLine(check.origin)))" }
    let (base, head) = check.texts
    let values = check.base == nil ? head : "\(base) -> \(head)"
    let change = check.difference.map { difference in
      let base = check.bound.hasSuffix("%") ? check.base ?? 0 : 0
      let share = base == 0 ? nil : (difference.value ?? .nan) / abs(base)
      return "change \(ComparisonTables.difference(difference))"
        + (share.map { " (\($0 < 0 ? "" : "+")\(fixed(100 * $0, abs($0) < 0.1 ? 1 : 0)) %)" } ?? "")
    }
    let bound = check.bound.isEmpty ? nil : "allowed \(allowed(check))"
    let isShareOfNothing = isShareOfNothing(check)
    // What is asked of a PASS says nothing of the other verdicts.
    let pass =
      check.verdict == .inconclusive && !isShareOfNothing
      ? check.passBound.map { "a PASS would leave \($0) possible" } : nil
    let effect =
      isFull || check.verdict == .inconclusive
      ? check.population.flatMap { _ in check.detectableEffect }.map {
        "; with these people, 8 of 10 such gates FAIL if the truth is \(ComparisonTables.value($0)) beyond the bound"
      } : nil
    let advice =
      isShareOfNothing && check.verdict != .pass
      ? "; a share of 0 allows nothing, --bound \(check.name)=+NUMBER does" : ""
    let facts = [change, bound, pass].compactMap { $0.map { ", " + $0 } }.joined()
    return [
      place, place.isEmpty ? "" : ", ", check.words,
      check.population == .newPeople ? " for new people" : "", ComparisonTables.unit(check.unit),
      check.head == nil && check.shown == nil ? "" : " " + values,
      facts, ": ", check.reason, effect ?? "", advice,
    ].joined()
  }

  private func isShareOfNothing(_ check: GateCheck) -> Bool {
    check.base == 0 && check.shown == nil && check.bound.hasSuffix(" %")
  }

  /// A share also as a number.
  private func allowed(_ check: GateCheck) -> String {
    guard let base = check.base, check.shown == nil, check.bound.hasSuffix(" %"),
      let share = Double(check.bound.dropLast(2))
    else { return check.bound }
    return "\(check.bound) = \(ComparisonTables.difference(Estimate(share / 100 * abs(base))))"
  }

  /// The figures of one entry that passed beside others that did not.
  private var passed: String {
    let passed = report.checks.filter { $0.verdict == .pass && $0.base != nil && $0.head != nil }
    let isOneEntry = Set(report.checks.map { [$0.entry, $0.origin] }).count == 1
    guard !isFull, isOneEntry, !passed.isEmpty, passed.count < report.checks.count else {
      return ""
    }
    let figures = passed.map { check in
      let (base, head) = check.texts
      let ruledOut = check.passBound.map { ", beyond \($0) is ruled out" } ?? ""
      let allowed = check.isWorse ? " (worse; allowed \(check.bound)\(ruledOut))" : ""
      return "\(check.words)\(ComparisonTables.unit(check.unit)) \(base) -> \(head)\(allowed)"
    }
    return screen.wrapped("PASS: \(figures.joined(separator: ", "))\n", indent: 2)
  }

  private var flips: String {
    let count = report.comparison.flipCount
    guard count > 0 else {
      return report.comparison.entries.isEmpty ? "" : "No detection differs.\n"
    }
    let traces = report.comparison.traces.count { !$0.list.flips.isEmpty }
    return screen.wrapped(
      "\(counted(count, "detection")) \(count == 1 ? "differs" : "differ") on "
        + "\(counted(traces, "trace")): compare lists them, or gate with -o or --flips."
        + (report.comparison.cancelText.map { " " + $0 } ?? "") + "\n")
  }

  private var notes: [String] {
    let populations = Set(report.checks.compactMap(\.population))
    var lines = report.notes
    if report.verdict == .inconclusive {
      lines.append("INCONCLUSIVE has exit code 0, with --fail-on-inconclusive 2.")
    }
    if populations.contains(.theseRecordings) {
      lines.append(
        "The verdict holds for these recordings only; --new-people gives one of its own for other people."
      )
      // A FAIL states its own chance.
      let isGreen = report.verdict != .fail && report.verdict != .error
      if isGreen || isFull, let chance = report.chanceOfFlips { lines.append(chance) }
    }
    if populations.contains(.newPeople) {
      let level = AccuracyGate.level * 100
      // Bounds of the head alone are not part of Holm's adjustment.
      let hasAbsoluteBounds = report.checks.contains {
        $0.population == .newPeople && ($0.bound.hasPrefix(">=") || $0.bound.hasPrefix("<="))
      }
      lines.append(
        "New people: without a true difference beyond a bound, the gate fails in at most "
          + "\(fixed(level, 1)) % of cases, over all checks (t intervals, p values by Holm)"
          + (hasAbsoluteBounds ? "; each absolute bound adds as much." : ".")
          + (report.chanceOfNothing.map { " " + $0 } ?? ""))
      lines += [report.passBounds].compactMap(\.self)
    }
    if let alarms = report.timingAlarms {
      let bound = alarms.upperBound.map {
        " (at most \(fixed($0 * 100, 1)) % with 95 % confidence)"
      }
      lines.append(
        "Timing: \(counted(alarms.alarms, "false alarm")) in \(counted(alarms.runs, "run")) between "
          + "equal sides\(bound ?? "").")
    } else if report.checks.contains(where: { $0.name == "time_per_sample" }) {
      lines.append(
        "Timing: false alarms are not counted yet; gate --equal-sides 149 --history FILE does it.")
    }
    return lines
  }
}
