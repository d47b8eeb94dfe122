internal import Diagnostics
internal import Scoring

/// How the flips of an entry cancel: what changed for the worse against what changed for the better.
package struct FlipBalance: Sendable {
  package struct Pair: Sendable {
    /// E.g. `reference`.
    var noun: String
    /// The word for a change for the worse, and for the better.
    var words: (worse: String, better: String)
    package var worse = 0
    package var better = 0

    /// All changes.
    var count: Int { worse + better }

    /// What is left for the worse.
    package var net: Int { max(0, worse - better) }

    /// The probability that a fair coin, thrown for each of the changes, gives as many for the worse; nil
    /// if there are no more for the worse than for the better.
    package var chance: Double? {
      guard worse > better else { return nil }
      return Distributions.binomialProbability(ofAtLeast: worse, in: worse + better, 0.5)
    }

    /// E.g. `5 references lost, 3 gained, 3 cancel out (chance alone does as much here in 36 % of cases)`; nil if
    /// none cancel.
    package var text: String? { min(worse, better) > 0 ? counts : nil }

    /// The same where a check fails, also if none cancel: whether it may be chance.
    var failure: String? { worse > 0 ? counts : nil }

    private var counts: String {
      let cancelled = min(worse, better)
      let counts =
        "\(worse) \(noun)\(worse == 1 ? "" : "s") \(words.worse), "
        + "\(better == 0 ? "none" : "\(better)") \(words.better)"
        + (cancelled > 0 ? ", \(cancelled) cancel out" : "")
      guard let chance else { return counts }
      let percent = chance < 0.001 ? "under 0.1" : fixed(chance * 100, chance < 0.1 ? 1 : 0)
      return counts + " (chance alone does as much here in \(percent) % of cases)"
    }
  }

  /// The largest chance with which what is left after cancelling fails, where it is judged net.
  static let level = 0.05

  package var references = Pair(noun: "reference", words: ("lost", "gained"))
  package var falseAlarms = Pair(noun: "false alarm", words: ("gained", "gone"))
  private var correct = Pair(noun: "detection", words: ("lost", "gained"))
  /// Detections that are not judged, and measurements: nothing cancels them.
  private var unjudged = 0
  /// All detections and measurements that differ.
  package private(set) var flips = 0

  /// What is left for the worse: correct detections that are lost, false ones that are gained, each less
  /// the opposite.
  package var net: Int { correct.net + falseAlarms.net + unjudged }

  /// Whether a hit or a false alarm differs.
  var isChanged: Bool { references.count + falseAlarms.count > 0 }

  init(_ entry: ResultComparison.Entry, _ traces: [ResultComparison.TraceFlips]) {
    (references.worse, references.better) = (
      entry.lostReferences.count, entry.foundReferences.count
    )
    for trace in traces {
      flips += trace.list.flips.count + trace.measurements.count
      unjudged += trace.measurements.count
      for flip in trace.list.flips { add(flip) }
    }
  }

  private mutating func add(_ flip: Flip) {
    let sides = [flip.base, flip.head].map { $0?.outcome }
    guard !sides.contains("not_scored") else {
      unjudged += 1
      return
    }
    let isCorrect = sides.map { $0 == DetectionOutcome.truePositive.rawValue }
    // Duplicates count as false alarms in the figures.
    let wrong = [DetectionOutcome.falsePositive.rawValue, DetectionOutcome.duplicate.rawValue]
    let isFalse = sides.map { $0.map { wrong.contains($0) } ?? false }
    if isCorrect[0], !isCorrect[1] { correct.worse += 1 }
    if isCorrect[1], !isCorrect[0] { correct.better += 1 }
    if isFalse[1], !isFalse[0] { falseAlarms.worse += 1 }
    if isFalse[0], !isFalse[1] { falseAlarms.better += 1 }
  }
}

extension ResultComparison {
  package func balance(of entry: Entry) -> FlipBalance {
    FlipBalance(entry, traces.filter { $0.entry == entry.name && $0.origin == entry.origin })
  }

  /// E.g. `References: 5 lost, 3 gained, 3 cancel out.`; nil if none cancel.
  package var cancelText: String? {
    let lost = entries.reduce(0) { $0 + $1.lostReferences.count }
    let found = entries.reduce(0) { $0 + $1.foundReferences.count }
    return min(lost, found) > 0
      ? "References: \(lost) lost, \(found) gained, \(min(lost, found)) cancel out." : nil
  }
}
