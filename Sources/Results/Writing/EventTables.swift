import Detectors
import Evaluation
import HDF5
import Scoring
import TraceModel

/// The events of all runs of an entry: one table of detections, one of references and one of
/// latencies, whose column `run` is the row of `/runs`. A table without rows is left out.
struct EventTables {
  private let runs: [RunRecord]
  /// The row of each run in `/runs`.
  private let rows: [Int32]
  private let vocabulary: Vocabulary

  /// - Parameter runs: of one entry, with their rows in `/runs`, in ascending order.
  init(_ runs: [(row: Int, run: RunRecord)], _ vocabulary: Vocabulary) {
    self.runs = runs.map(\.run)
    rows = runs.map { Int32(clamping: $0.row) }
    self.vocabulary = vocabulary
  }

  var groups: [(String, HDF5Contents)] {
    let histograms = runs.map(\.latencies)
    return [
      runs.contains { !$0.detections.isEmpty } ? ("detections", detections) : nil,
      runs.contains { !$0.referenceEvents.isEmpty } ? ("references", references) : nil,
      histograms.contains { !$0.counts.isEmpty } ? ("latency", latency(histograms)) : nil,
    ].compactMap(\.self)
  }

  // MARK: Detections

  private var detections: HDF5Contents {
    // Column by column: all records together would take the memory of the run again.
    func all<Value>(_ value: (DetectionRecord) -> Value) -> [Value] {
      runs.flatMap { $0.detections.map(value) }
    }
    // The value of a presence event is a silence, whatever unit the reference has.
    let unit = commonUnit(
      runs.filter { !$0.detections.isEmpty }.map {
        $0.task == .presence ? "s" : $0.references?.valueUnits ?? ""
      })
    return .table(
      "event",
      [
        runColumn { $0.detections.count }, .onsets(all(\.onset.nanoseconds)),
        .times("emitted", all(\.emitted.nanoseconds)),
        .times("newest_measured", all(\.newestMeasured.nanoseconds)),
        .codes("kind", all(\.kind), in: vocabulary.kinds),
        .codes("label", all(\.label), in: vocabulary.labels),
        .codes("original_label", all(\.originalLabel), in: vocabulary.originalLabels),
        .floats("value", all(\.value), unit: unit), .places(all(\.place)),
      ] + readingColumns + outcomeColumns)
  }

  /// The score of each detection, the reading at which it was reported, and whether it is clipped.
  private var readingColumns: [HDF5Column] {
    var columns: [HDF5Column] = []
    if runs.contains(where: { !$0.detectionScores.isEmpty || $0.thresholdParameter != nil }) {
      let scores = runs.flatMap { $0.padded($0.detectionScores, nil) }
      columns.append(.floats("score", scores, unit: commonUnit(runs.map(\.thresholdUnit))))
    }
    if runs.contains(where: { !$0.newestReadings.isEmpty }) {
      let readings = runs.flatMap { $0.padded($0.newestReadings, -1) }
      columns.append(
        .integers(
          "newest_reading", readings.map { Int32(clamping: $0) },
          note: "position of the newest reading in the detector's channel; -1 = none", missing: -1))
    }
    if runs.contains(where: { !$0.clippedDetections.isEmpty }) {
      let clipped = runs.flatMap { $0.padded($0.clippedDetections.map { $0 ? 1 : 0 }, -1) }
      columns.append(
        .integers(
          "clipped", clipped.map { Int32(clamping: $0) },
          note: "1 = at the end of the sensor's range: the value is a lower bound", missing: -1))
    }
    return columns
  }

  /// The outcomes of the detections; empty for a task that is not scored by events.
  private var outcomeColumns: [HDF5Column] {
    guard runs.contains(where: { $0.score.eventOutcomes != nil }) else { return [] }
    let words = HDF5Vocabulary(["not_scored"] + DetectionOutcome.allCases.map(\.rawValue))
    return [
      .codes("outcome", runs.flatMap(\.detectionOutcomes), in: words),
      matchColumn(
        runs.map { run in (run.detections.count, run.matches.map { ($0.detection, $0.reference) })
        }, partners: runs.map(\.referenceEvents.count), "row of its partner in references"),
    ]
  }

  private var references: HDF5Contents {
    let all = runs.flatMap(\.referenceEvents)
    var columns: [HDF5Column] = [
      runColumn { $0.referenceEvents.count }, .onsets(all.map(\.onset.nanoseconds)),
      .times("offset", all.map(\.offset.nanoseconds)),
      .codes("label", all.map(\.label), in: vocabulary.labels),
      .codes("original_label", all.map(\.originalLabel), in: vocabulary.originalLabels),
      .codes("hand", all.map(\.hand.name), in: HDF5Vocabulary(Hand.allCases.map(\.name))),
      .floats(
        "value", all.map(\.value), unit: commonUnit(runs.compactMap { $0.references?.valueUnits })),
      .places(all.map(\.place)),
    ]
    if runs.contains(where: { $0.score.eventOutcomes != nil }) {
      let words = HDF5Vocabulary(["not_scored"] + ReferenceOutcome.allCases.map(\.rawValue))
      columns += [
        .codes("outcome", runs.flatMap(\.referenceOutcomes), in: words),
        matchColumn(
          runs.map { run in
            (run.referenceEvents.count, run.matches.map { ($0.reference, $0.detection) })
          }, partners: runs.map(\.detections.count), "row of its partner in detections"),
      ]
    }
    return .table("reference", columns)
  }

  private func latency(_ histograms: [LatencyHistogram]) -> HDF5Contents {
    let edges = histograms.flatMap(\.lowerEdges)
    let own = zip(rows, histograms).flatMap { row, histogram in
      [Int32](repeating: row, count: histogram.counts.count)
    }
    return .table(
      "bin",
      [
        .integers("run", own, note: Self.runNote), .times("lower_edge", edges),
        .times("upper_edge", edges.map { $0.addingClamped(LatencyHistogram.width) }),
        .integers("count", histograms.flatMap(\.counts), note: "matched events"),
      ])
  }

  // MARK: Columns

  private static let runNote = "row of /runs"

  private func runColumn(_ count: (RunRecord) -> Int) -> HDF5Column {
    let own = zip(rows, runs).flatMap { row, run in [Int32](repeating: row, count: count(run)) }
    return .integers("run", own, note: Self.runNote)
  }

  /// The rows of the partners; -1 = none. The pairs have positions within the run.
  /// - Parameter partners: the number of rows of each run in the other table.
  private func matchColumn(
    _ runs: [(count: Int, pairs: [(own: Int, partner: Int)])], partners: [Int], _ note: String
  ) -> HDF5Column {
    var matches: [Int32] = []
    var first = 0
    for ((count, pairs), others) in zip(runs, partners) {
      var own = [Int32](repeating: -1, count: count)
      for pair in pairs where own.indices.contains(pair.own) {
        own[pair.own] = Int32(clamping: first + pair.partner)
      }
      matches += own
      first += others
    }
    return .integers("match_index", matches, note: note + "; -1 = unmatched", missing: -1)
  }

  /// The unit of all values; empty without a unit, or if they differ.
  private func commonUnit(_ units: [String]) -> String {
    let named = Set(units).subtracting([""])
    return named.count == 1 ? named.first ?? "" : ""
  }
}

extension RunRecord {
  var referenceEvents: [ReferenceEvent] { references?.events ?? [] }

  fileprivate var latencies: LatencyHistogram {
    guard case .events(let judgement) = score else { return LatencyHistogram([]) }
    return LatencyHistogram(judgement.score.latencies)
  }

  fileprivate var thresholdUnit: String {
    parameters.first { $0.name == thresholdParameter }?.unit ?? ""
  }

  func padded<Value>(_ values: [Value], _ missing: Value) -> [Value] {
    values.count == detections.count ? values : [Value](repeating: missing, count: detections.count)
  }

  /// The positions of the scored detections: those of the task's kind.
  private var judgedPositions: [Int] {
    detections.indices.filter { detections[$0].kind == task.rawValue }
  }

  var detectionOutcomes: [String] {
    var outcomes = [String](repeating: "not_scored", count: detections.count)
    for (position, outcome) in zip(judgedPositions, score.eventOutcomes?.detections ?? []) {
      outcomes[position] = outcome.rawValue
    }
    return outcomes
  }

  var referenceOutcomes: [String] {
    var outcomes = [String](repeating: "not_scored", count: referenceEvents.count)
    for (position, outcome) in (score.eventOutcomes?.references ?? []).enumerated()
    where outcomes.indices.contains(position) { outcomes[position] = outcome.rawValue }
    return outcomes
  }

  /// The matching pairs of detections and references, by their positions in the run.
  var matches: [(detection: Int, reference: Int)] {
    guard let judged = score.eventOutcomes else { return [] }
    let positions = judgedPositions
    return judged.pairs.filter { positions.indices.contains($0.detection) }
      .map { (positions[$0.detection], $0.reference) }
  }
}
