package import Evaluation
import Results
import Scoring
import TraceModel

/// The base of a comparison, as a page shows it next to the head.
struct PageBase {
  private struct Key: Hashable {
    var entry: String
    var trace: String
  }

  let files: JSONObject
  private var runs: [Key: MeasuredRun] = [:]
  private var heads: [Key: MeasuredRun] = [:]
  private var entries: [ResultComparison.Entry] = []
  private let outcomes: [OutcomeComparison]

  /// - Parameter names: of both files, as the user stated them.
  init(_ comparison: ResultComparison, names: (base: String, head: String)) {
    files = ["base": names.base, "head": names.head]
    (entries, outcomes) = (comparison.entries, comparison.outcomes)
    // An obstacle without a trace is about all runs of its entry, one without an entry about all runs.
    func isLeftOut(_ run: MeasuredRun) -> Bool {
      comparison.obstacles.contains { obstacle in
        (obstacle.entry ?? run.entry) == run.entry && (obstacle.trace ?? run.trace) == run.trace
      }
    }
    for run in comparison.base.runs where !isLeftOut(run) {
      runs[Key(entry: run.entry, trace: run.trace)] = run
    }
    for run in comparison.head.runs { heads[Key(entry: run.entry, trace: run.trace)] = run }
  }

  /// Whether this program detects something else than the file has for a run of the head.
  func isUnlike(_ run: RunRecord) -> Bool {
    guard let head = heads[Key(entry: run.entry, trace: run.traceID)] else { return false }
    return !head.isAlike(run.detections)
  }

  /// Adds the results of a run from both files, also if this program detects something else.
  func add(to shown: inout PageModel.Run, of run: RunRecord) {
    let key = Key(entry: run.entry, trace: run.traceID)
    // A file has only found and missed references. Which of them are ignored depends on the trace.
    let outcomes = run.score.eventOutcomes?.references
    shown.before = runs[key].map { PageModel.Stored($0, ignoring: outcomes) }
    guard let head = heads[key] else { return }
    shown.stored = outcomes == nil ? nil : PageModel.Stored(head, ignoring: outcomes)
    guard isUnlike(run) else { return }
    func count(_ name: String) -> Int? { head.figures[name]?.value.flatMap { Int(exactly: $0) } }
    (shown.hits, shown.misses) = (count("true_positives"), count("false_negatives"))
    (shown.falseAlarms, shown.duplicates) = (count("false_positives"), count("duplicates"))
  }

  private func entry(_ name: String, _ origin: TraceOrigin) -> ResultComparison.Entry? {
    entries.first { $0.name == name && $0.origin == origin.rawValue }
  }

  /// The figures of an entry in the head's file; nil = it has none. Sums have no interval.
  func figures(of summary: EntrySummary) -> [Figure]? {
    guard let known = entry(summary.entry, summary.origin)?.figures, !known.isEmpty else {
      return nil
    }
    let sums = summary.runs.reduce(into: [String: Double]()) { sums, run in
      let figures = heads[Key(entry: run.entry, trace: run.traceID)]?.figures
      for name in ["true_positives", "false_negatives"] {
        if let value = figures?[name]?.value { sums[name, default: 0] += value }
      }
    }
    return summary.figures.map { figure in
      var shown = figure
      let found = known.first { $0.name == figure.name && finite($0.head) != nil }
      shown.estimate = found?.headEstimate ?? Estimate(sums[figure.name])
      return shown
    }
  }

  /// The outcomes of an app on both sides.
  func outcomes(of entry: String) -> [OutcomeComparison] { outcomes.filter { $0.entry == entry } }

  /// The figures of an entry on both sides, without undefined members. `p` is the probability of so
  /// large a difference if nothing had changed, adjusted for all figures.
  func differences(entry name: String, origin: TraceOrigin) -> [JSONObject] {
    guard let found = entry(name, origin) else { return [] }
    return zip(found.figures, found.probabilities).map { figure, p in
      let (document, interval): (JSONObject, _) = (
        ["name": figure.name], figure.difference.interval
      )
      return document.adding("base", finite(figure.base)).adding("head", finite(figure.head))
        .adding("lower", finite(interval?.lower)).adding("upper", finite(interval?.upper))
        .adding("p", finite(p.adjusted))
    }
  }
}

extension PageModel.Stored {
  /// - Parameter others: the outcomes of another run on the same trace, for the ignored references.
  fileprivate init(_ run: MeasuredRun, ignoring others: [ReferenceOutcome]?) {
    let scored = run.detections.filter { $0.record.kind == run.task }
    onsets = scored.map(\.record.onset.seconds)
    emitted = scored.map(\.record.emitted.seconds)
    peaks = scored.map { $0.record.value.isFinite ? $0.record.value : nil }
    places = Self.places(of: scored.map(\.record))
    outcomes = scored.map { detection in
      DetectionOutcome.allCases.firstIndex { $0.rawValue == detection.outcome } ?? 0
    }
    let all = ReferenceOutcome.allCases
    references = run.references.enumerated().map { place, reference in
      let isIgnored = others.map { $0.indices.contains(place) && $0[place] == .ignored } ?? false
      return all.firstIndex(of: isIgnored ? .ignored : reference.isFound ? .hit : .missed) ?? 0
    }
    (distance, movingTime) = (run.measurements["distance"], run.measurements["moving_time"])
  }
}

extension MeasuredRun {
  /// Whether the file has these detections, apart from their scores: the file's column also has scores
  /// that are derived from a value.
  fileprivate func isAlike(_ repeated: [DetectionRecord]) -> Bool {
    detections.count == repeated.count
      && zip(detections, repeated).allSatisfy { measured, detection in
        var detection = detection
        detection.score = measured.record.score
        return measured.record == detection
      }
  }
}

extension ResultComparison {
  /// The number of runs of the head for which this program detects something else than the file has.
  package func countOfUnlike(_ repeated: [RunRecord]) -> Int {
    let known = Dictionary(
      head.runs.map { ([$0.entry, $0.trace], $0) }, uniquingKeysWith: { first, _ in first })
    return repeated.count { run in
      known[[run.entry, run.traceID]].map { !$0.isAlike(run.detections) } ?? false
    }
  }
}
