import Diagnostics
package import Evaluation
import Scoring

extension GateReport {
  /// The Markdown summary of a job: the verdict, the deciding checks, the flips, and folded details.
  package func markdown(limit: Int) -> String {
    MarkdownDocument(
      head: [OutputKind.summaryMark] + headLines,
      parts: [checksToLookAt, noteLines].compactMap(\.self) + comparison.countParts
        + comparison.changeParts + [otherChecks].compactMap(\.self) + comparison.detailParts,
      remedy: "`gate -o` writes all of it to a file."
    ).text(limit: limit)
  }

  private var headLines: [String] {
    let deciding = deciding.count
    let what = "\(deciding) of \(counted(checks.count, "check"))"
    let sentence =
      switch verdict {
      case .pass: "\(counted(checks.count, "check")), all within the bounds"
      case .improved: "\(what) better by more than the bound"
      case .inconclusive: "\(what) undecided: too few data"
      case .fail: "\(what) beyond the bounds"
      case .error: checks.isEmpty ? "nothing was checked" : "\(what) without a result"
      }
    return [
      "## \(verdict.rawValue): \(sentence)", "",
      "- \(suite.isEmpty ? "Measured" : "Suite: \(MarkdownText.escaped(suite)), measured") in \(fixed(seconds, 1)) s",
      "- Base: \(Self.text(base))", "- Head: \(Self.text(head))", "",
    ]
  }

  private static func text(_ side: Side) -> String {
    CIText.source(side.title, commit: side.commit, version: side.toolVersion)
  }

  private static let columns = [
    "verdict", "entry", "figure", "base>", "head>", "change>", "bound>", "why",
  ]

  /// The checks that do not pass or that improve, the most severe first.
  private var checksToLookAt: MarkdownDocument.Part? {
    let order: [GateVerdict] = [.error, .fail, .inconclusive, .improved]
    let rows = order.flatMap { verdict in checks.filter { $0.verdict == verdict } }
    guard !rows.isEmpty else { return nil }
    return .table("Checks to look at", Self.columns, rows.map(\.markdownRow), "checks to look at")
  }

  private var otherChecks: MarkdownDocument.Part? {
    let rows = checks.filter { $0.verdict == .pass }
    guard !rows.isEmpty else { return nil }
    return .folded(
      "Checks that pass (\(rows.count))", Self.columns, rows.map(\.markdownRow), "checks that pass")
  }

  private var noteLines: MarkdownDocument.Part? {
    var lines = notes.map { "- " + MarkdownText.escaped($0) }
    if let alarms = timingAlarms, let bound = alarms.upperBound {
      lines.append(
        "- False alarms of the timing checks between equal sides: \(alarms.alarms) of "
          + "\(counted(alarms.runs, "run")), at most \(fixed(100 * bound, 1)) % (95 %).")
    }
    lines += [chanceOfFlips, chanceOfNothing].compactMap { $0.map { "- " + $0 } }
    // Timing checks state their effect in the reason.
    lines += checks.filter { $0.population == .newPeople }.compactMap { check in
      check.detectableEffect.map { effect in
        "- " + MarkdownText.escaped(check.title)
          + ": fails with a probability of 0.8 where the truth is "
          + "\(CIText.value(effect, check.unit)) beyond the bound."
      }
    }
    guard !lines.isEmpty else { return nil }
    return MarkdownDocument.Part(head: ["### Notes", ""], rows: lines, tail: [""], noun: "notes")
  }
}

extension GateCheck {
  fileprivate var markdownRow: String {
    let people = population == .newPeople ? " (new people)" : ""
    let values =
      shown.map { (MarkdownText.escaped($0.base), MarkdownText.escaped($0.head)) }
      ?? CIText.pair(base, head, unit)
    return MarkdownText.row([
      verdict == .pass ? "PASS" : "**\(verdict.rawValue)**",
      MarkdownText.escaped(entry.isEmpty ? "gate" : CIText.place(entry, origin)),
      MarkdownText.escaped(name + people), MarkdownText.unbroken(values.0),
      MarkdownText.unbroken(values.1),
      MarkdownText.unbroken(CIText.signed(difference?.value, unit)) + CIText.bounds(difference),
      MarkdownText.unbroken(
        MarkdownText.escaped(bound + (passBound.map { " (a PASS leaves \($0) possible)" } ?? ""))),
      MarkdownText.escaped(reason),
    ])
  }
}
