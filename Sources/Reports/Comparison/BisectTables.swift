import Diagnostics
import Evaluation
import Foundation
import Scoring
import TraceModel

package struct BisectTables {
  private let report: BisectReport
  private let screen: Screen
  /// Further changes are counted.
  private static let mostChanges = 10

  package init(_ report: BisectReport, screen: Screen = Screen()) {
    (self.report, self.screen) = (report, screen)
  }

  /// - Parameter full: whether to list each detection that differs.
  package func render(full: Bool = false) -> String {
    verdict + skipped + changes + flips + measurements + sample + (full ? details : rest)
  }

  // MARK: Commits

  private var verdict: String {
    let suspects = report.suspects
    let title =
      suspects.count == 1
      ? "First bad commit: \(Self.line(report.after))"
      : "First bad commit: one of these \(suspects.count); some cannot be measured"
    let list =
      suspects.count == 1
      ? "" : suspects.map { screen.wrapped("  \(Self.line($0))\n", indent: 2) }.joined()
    return screen.heading(screen.wrapped(title, indent: 2)) + "\n" + list
      + screen.wrapped(
        "Compared with \(Self.short(report.good)): \(report.decision).\n"
          + "Before it, good: \(Self.line(report.before))\n", indent: 2)
  }

  private var skipped: String {
    let skipped = report.skipped
    let tried = counted(report.steps.count, "commit")
    guard !skipped.isEmpty else { return "Tried: \(tried).\n" }
    return "Tried: \(tried); skipped \(skipped.count):\n"
      + skipped.map { step in
        screen.wrapped("  \(Self.short(step.commit)): \(inLine(step.reason))\n", indent: 2)
      }.joined()
  }

  private static func short(_ commit: BisectReport.Commit) -> String {
    String(commit.hash.prefix(12))
  }

  private static func line(_ commit: BisectReport.Commit) -> String {
    let subject = inLine(commit.subject)
    return "\(short(commit)) \(commit.authorDate.prefix(10)) "
      + (subject.count > 100 ? subject.prefix(97) + "..." : subject)
  }

  // MARK: What it changes

  /// The changed inputs, without the commit and the suite's digest.
  private var changes: String {
    let lines = report.comparison.changes
      .filter { $0.name != "commit" && $0.name != "suite digest" }
      .flatMap { change in
        let entry = change.entry.map { "\(inLine($0)): " } ?? ""
        return Self.parts(of: change).map { name, base, head in
          "  \(entry)\(inLine(name)) \(Self.value(base)) -> \(Self.value(head))\n"
        }
      }
    return list(
      lines, "Changed from \(Self.short(report.before)) to \(Self.short(report.after)):")
  }

  private func list(_ lines: [String], _ title: String) -> String {
    let more = lines.count - Self.mostChanges
    return lines.isEmpty
      ? ""
      : "\n\(title)\n" + screen.wrapped(lines.prefix(Self.mostChanges).joined(), indent: 2)
        + (more > 0 ? "  and \(more) more: --format json\n" : "")
  }

  /// The changed files of an external detector, with the first digits of their digests.
  private static func parts(
    of change: ResultComparison.Change
  ) -> [(name: String, base: String, head: String)] {
    func files(_ text: String) -> [ProgramRecord.File]? {
      text.isEmpty
        ? [] : try? JSONDecoder().decode([ProgramRecord.File].self, from: Data(text.utf8))
    }
    guard change.name == "program_files", let base = files(change.base),
      let head = files(change.head)
    else { return [(change.name, change.base, change.head)] }
    return (base + head).map(\.name).uniqued().compactMap { name in
      func digest(_ files: [ProgramRecord.File]) -> String {
        files.first { $0.name == name }.map { "SHA-256 " + $0.sha256.prefix(12) } ?? ""
      }
      let (old, new) = (digest(base), digest(head))
      return old == new ? nil : ("file \(name)", old, new)
    }
  }

  private static func value(_ text: String) -> String {
    guard !text.isEmpty else { return "none" }
    let text = inLine(text)
    return text.count > 60 ? "..." + text.suffix(57) : text
  }

  private var flips: String {
    let groups = report.comparison.traces.filter { !$0.list.flips.isEmpty }
      .inGroups { [$0.entry, $0.origin] }
    guard !groups.isEmpty else { return "\nNo detection differs between the two.\n" }
    func count(_ kind: Flip.Kind, _ traces: [ResultComparison.TraceFlips]) -> String {
      "\(traces.reduce(0) { $0 + $1.list.flips.count { $0.kind == kind } })"
    }
    return "\n"
      + TextTable(
        "Detections that differ", groups,
        [
          .init("entry", .left) { inLine($0[0].entry) }, .init("origin", .left) { $0[0].origin },
          .init("lost") { count(.lost, $0) }, .init("gained") { count(.gained, $0) },
          .init("moved") { count(.moved, $0) }, .init("traces") { "\($0.count)" },
        ]
      ).render(screen)
  }

  private var measurements: String {
    let lines = report.comparison.traces.flatMap { trace in
      trace.measurements.map { measurement in
        let values = CIText.pair(measurement.base, measurement.head, "1")
        return "  \(inLine(trace.entry)) on \(inLine(trace.trace)): \(measurement.name) "
          + "\(values.0) -> \(values.1)\n"
      }
    }
    return list(lines, "Measurements that differ: \(lines.count)")
  }

  private var sample: String {
    guard let sample = report.sample else { return "" }
    let reading =
      sample.number.map { "reading \($0)" + (sample.channel.map { " of \($0.name)" } ?? "") + ", " }
      ?? ""
    // A common unit is printed once.
    let units = sample.values.map(\.unit).uniqued()
    let values = sample.values.enumerated().map { index, value in
      let isShown = units.count > 1 || index == sample.values.count - 1
      return "\(value.name) \(number(rounded(value.value)))"
        + (isShown && !value.unit.isEmpty ? " \(value.unit)" : "")
    }
    func side(_ name: String, _ detection: MeasuredDetection?) -> String {
      guard let detection else { return "  \(name): no detection\n" }
      let record = detection.record
      let label = record.label.isEmpty ? "" : " \(inLine(record.label))"
      let score = detection.score.map { ", score \(number(rounded($0)))" } ?? ""
      return "  \(name): \(inLine(record.kind))\(label) at \(fixed(record.onset.seconds, 3)) s, "
        + "\(detection.outcome.replacing("_", with: " "))\(score)\n"
    }
    let margin = sample.flip.margin.map {
      "  margin to the threshold of the other side: \(number(rounded($0)))\n"
    }
    return screen.wrapped(
      "\nFirst differing sample: \(inLine(sample.trace)), \(reading)"
        + "\(fixed(sample.time.seconds, 3)) s\n"
        + (values.isEmpty ? "" : "  \(values.joined(separator: ", "))\n")
        + side("before", sample.flip.base) + side("after", sample.flip.head)
        + (sample.flip.kind == .moved ? "" : margin ?? ""), indent: 2)
  }

  private var rest: String {
    report.comparison.flipCount > 1 ? "\nEach detection: --full, or --format json\n" : ""
  }

  private var details: String {
    let rows = report.comparison.traces.flatMap { trace in
      trace.list.flips.map { (trace: trace, flip: $0) }
    }
    guard !rows.isEmpty else { return "" }
    return "\n"
      + TextTable(
        "Each detection that differs", rows,
        [
          .init("entry", .left, rank: 2) { inLine($0.trace.entry) },
          .init("trace", .left) { inLine($0.trace.trace) },
          .init("change", .left) { inLine($0.flip.text) },
          .init("onset s") { fixed($0.flip.onset.seconds, 3) },
          .init("first s", rank: 3) { fixed($0.flip.firstTime.seconds, 3) },
          .init("reading", rank: 1) { $0.flip.newestReading.map(String.init) ?? "-" },
          .init("outcome", .left, rank: 4) { $0.flip.outcome.replacing("_", with: " ") },
          .init("margin", rank: 1) { $0.flip.margin.map { number(rounded($0)) } ?? "-" },
        ], remedy: "a wider terminal or --format json shows them"
      ).render(screen)
  }
}
