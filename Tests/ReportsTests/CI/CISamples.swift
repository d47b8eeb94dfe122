import Evaluation
import Scoring
import TraceModel

/// Results and gates with names that break careless writers.
struct CISamples {
  private var generator: SeededGenerator
  private let isHostile: Bool

  init(seed: UInt64, isHostile: Bool = true) {
    (generator, self.isHostile) = (SeededGenerator(seed: seed), isHostile)
  }

  /// Texts with a meaning somewhere: XML, Markdown, HTML, OpenMetrics, workflow commands, terminals.
  static let pieces: [String] = [
    "\"", "'", "]]>", "<![CDATA[", "<script>", "</details>", "&", "&amp;", "&#0;", "<!--", "-->",
    "\n", "\r", "\r\n", "\t", "\u{0}", "\u{8}", "\u{1B}[31m", "\u{7F}", "\u{85}", "\u{9B}",
    "\u{2028}", "\u{FFFE}", "\u{FFFF}", "\u{10FFFF}", "\u{202E}", "\u{301}", "😀", "👩‍👩‍👧", "é",
    "日本", "|", "||", "`", "``", "\\", "\\|", "\\n", "*", "**", "_", "__", "~~", "#", "# ", "- ",
    "1. ", "> ", "[a](b)", "![a](b)", "http://a.b", "www.a.b", "@all", "$x$", "{", "}", "=", ",",
    "%", "%0A", "%25", "::error::x", "::", ":", "# EOF", " ", "  ", "a", "punch/default", "/", ".",
    "..", "+", "---", "e-3", "NaN", "null", "",
  ]

  mutating func name() -> String {
    guard isHostile else { return "n\(generator.next() % 1000)" }
    if Int.random(in: 0..<40, using: &generator) == 0 { return String(repeating: "x", count: 5000) }
    let count = Int.random(in: 1...4, using: &generator)
    return (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
  }

  /// - Parameter hits: of each run, how many of its 10 references are found.
  mutating func results(_ names: [(entry: String, trace: String)], hits: Int) -> MeasuredResults {
    let runs = names.enumerated().map { index, name in
      run(name.entry, name.trace, "subject \(index % 4)", hits: hits)
    }
    return MeasuredResults(
      path: name(), schema: "shadowbox-results/5", toolVersion: "0.1.0", toolchain: "Swift 6.3",
      suite: name(), suiteSHA256: "00", commit: name(), runs: runs)
  }

  /// A run in which the first references are found.
  func run(
    _ entry: String, _ trace: String, _ subject: String, hits: Int, alarms: Int = 1
  ) -> MeasuredRun {
    let references = (0..<10).map { index in
      MeasuredReference(
        onset: TraceInstant(nanoseconds: Int64(index) * 1_000_000_000), label: "jab <\(index)>",
        isFound: index < hits)
    }
    let detections = references.prefix(hits).enumerated().map { index, reference in
      MeasuredDetection(
        DetectionRecord(
          onset: reference.onset, emitted: reference.onset, newestMeasured: reference.onset,
          kind: "punch", label: reference.label, originalLabel: "", value: 1, place: nil),
        outcome: "true_positive", reference: index, score: 20)
    }
    let figures = [
      Figure("true_positives", Double(hits)), Figure("false_positives", Double(alarms)),
      Figure("false_negatives", Double(10 - hits)), Figure("scored_hours", 0.5, unit: "h"),
      Figure("false_alarms_per_hour", Double(alarms) * 2, unit: "h-1"),
      Figure("latency_p50", 0.1, unit: "s"), Figure("distance_error", -0.7, unit: "%"),
    ]
    return MeasuredRun(
      entry: entry, trace: trace, traceSHA256: "00", origin: "synthetic", subject: subject,
      activity: "", task: "punch", facts: [:], tolerance: nil, threshold: 30,
      thresholdUnit: "m/s2", detections: detections, references: references,
      figures: Dictionary(uniqueKeysWithValues: figures.map { ($0.name, $0) }), measurements: [:])
  }

  /// A gate with checks of every verdict.
  mutating func gate() -> GateReport {
    let entries = (0..<3).map { _ in name() }
    let names = (0..<12).map { (entry: entries[$0 % 3], trace: "\(name()) \($0)") }
    let base = results(names, hits: 9)
    var head = results(names, hits: 9)
    for index in stride(from: 0, to: names.count, by: 5) {
      head.runs[index] = run(names[index].entry, names[index].trace, "subject 0", hits: 7)
    }
    let comparison = ResultComparison(from: base, to: head)
    let accuracy = AccuracyGate(comparison, .standard)
    let others = GateVerdict.allCases.map { verdict in
      GateCheck(
        entry: entries[0], origin: "synthetic", name: name(), unit: "s", base: 1, head: .nan,
        difference: Estimate(
          0.5, Interval(lower: -.infinity, upper: 1), by: .pairedStudent, clusters: 4),
        bound: name(), population: .newPeople, verdict: verdict, reason: name(),
        probability: 0.2, detectableEffect: 0.1, clusters: 4)
    }
    return GateReport(
      suite: name(), base: .init(title: name(), commit: name(), toolVersion: name()),
      head: .init(title: name(), commit: name(), toolVersion: name()), comparison: comparison,
      checks: accuracy.checks + others, notes: [name()],
      timingAlarms: .init(alarms: 1, runs: 236), seconds: 12.5)
  }

  /// A gate of one entry in which each of 20 traces loses two of its references.
  ///
  /// - Parameter bound: the margin of recall.
  static func regression(bound: Double = -0.01) -> GateReport {
    var samples = CISamples(seed: 1, isHostile: false)
    let names = (0..<20).map { (entry: "punch/default", trace: "trace-\($0)") }
    let comparison = ResultComparison(
      from: samples.results(names, hits: 9), to: samples.results(names, hits: 7))
    let rules = GateRules(bounds: [GateBound(.figure("recall"), .change(bound))])
    return GateReport(
      suite: "default",
      base: .init(title: "old build", commit: "0123456789abcdef", toolVersion: "1"),
      head: .init(title: "new build", commit: "fedcba9876543210", toolVersion: "2"),
      comparison: comparison, checks: AccuracyGate(comparison, rules).checks, seconds: 3)
  }

  /// A gate that measured nothing.
  static var empty: GateReport {
    var samples = CISamples(seed: 1, isHostile: false)
    let nothing = samples.results([], hits: 0)
    let comparison = ResultComparison(from: nothing, to: nothing)
    return GateReport(
      suite: "", base: .init(title: "", commit: "", toolVersion: ""),
      head: .init(title: "", commit: "", toolVersion: ""), comparison: comparison,
      checks: [], seconds: 0)
  }
}
