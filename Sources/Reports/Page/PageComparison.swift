package import Evaluation
import Scoring
import TraceModel

/// The base of a comparison, as a page shows it beside the head.
struct PageBase {
  private struct Key: Hashable {
    var entry: String
    var trace: String
  }

  let files: PageModel.Comparison
  private var runs: [Key: MeasuredRun] = [:]
  private var heads: [Key: MeasuredRun] = [:]
  private var entries: [ResultComparison.Entry] = []

  /// - Parameter names: of both files, as the person named them.
  init(_ comparison: ResultComparison, names: (base: String, head: String)) {
    files = PageModel.Comparison(base: names.base, head: names.head)
    entries = comparison.entries
    // What cannot be compared has no base; without a trace, no run of the entry has, or none at all.
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

  /// Whether this program repeats a run of the head with other detections than the file has.
  func isUnlike(_ run: RunRecord) -> Bool {
    guard let head = heads[Key(entry: run.entry, trace: run.traceID)] else { return false }
    return !head.isAlike(run.detections)
  }

  /// Adds what both files say of a run, also where this program detects something else.
  func add(to shown: inout PageModel.Run, of run: RunRecord) {
    let key = Key(entry: run.entry, trace: run.traceID)
    // A file tells found and not found; which references do not count depends on the trace alone.
    let outcomes = run.score.eventOutcomes?.references
    shown.before = runs[key].map { PageModel.Stored($0, ignoring: outcomes) }
    guard let head = heads[key] else { return }
    shown.stored = outcomes == nil ? nil : PageModel.Stored(head, ignoring: outcomes)
    guard isUnlike(run) else { return }
    func count(_ name: String) -> Int? { head.figures[name]?.value.flatMap { Int(exactly: $0) } }
    (shown.hits, shown.misses) = (count("true_positives"), count("false_negatives"))
    (shown.falseAlarms, shown.duplicates) = (count("false_positives"), count("duplicates"))
  }

  /// The figures of an entry as the head's file has them, without intervals; nil = it has none.
  func figures(of summary: EntrySummary) -> [PageModel.PageFigure]? {
    let known = differences(entry: summary.entry, origin: summary.origin.rawValue)
    guard !known.isEmpty else { return nil }
    let sums = summary.runs.reduce(into: [String: Double]()) { sums, run in
      let figures = heads[Key(entry: run.entry, trace: run.traceID)]?.figures
      for name in ["true_positives", "false_negatives"] {
        if let value = figures?[name]?.value { sums[name, default: 0] += value }
      }
    }
    return summary.figures.map { figure in
      var shown = PageModel.PageFigure(figure)
      (shown.lower, shown.upper) = (nil, nil)
      shown.value = known.first { $0.name == figure.name }?.head ?? sums[figure.name]
      return shown
    }
  }

  func differences(entry: String, origin: String) -> [PageModel.Difference] {
    guard let found = entries.first(where: { $0.name == entry && $0.origin == origin }) else {
      return []
    }
    func finite(_ number: Double?) -> Double? { number.flatMap { $0.isFinite ? $0 : nil } }
    return zip(found.figures, found.probabilities).map { figure, p in
      let difference = figure.difference
      return PageModel.Difference(
        name: figure.name, base: finite(figure.base), head: finite(figure.head),
        lower: finite(difference.interval?.lower), upper: finite(difference.interval?.upper),
        p: finite(p.adjusted))
    }
  }
}

extension PageModel.Stored {
  /// - Parameter others: the outcomes of another run on the same trace; nil = none are ignored.
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
  /// Whether the file has these detections. Its records have no scores: its column of scores also has
  /// those that follow from a value.
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
  /// How many runs of the head this program repeats with other detections than the file has.
  package func countOfUnlike(_ repeated: [RunRecord]) -> Int {
    let known = Dictionary(
      head.runs.map { ([$0.entry, $0.trace], $0) }, uniquingKeysWith: { first, _ in first })
    return repeated.count { run in
      known[[run.entry, run.traceID]].map { !$0.isAlike(run.detections) } ?? false
    }
  }
}
