import Detectors
import Results
import Scoring
import TraceModel
import Tuning

/// Sweeps the threshold for every combination of the other settings.
struct SweepRunner {
  let measured: MeasuredSet
  let span: ThresholdSpan
  let grid: SweepGrid
  /// False alarms an hour for which the best threshold is named.
  let budgets: [Double]
  let threads: Int
  /// At how many thresholds the delays are looked at; 0 = at the operating points alone.
  let latencies: Int
  let terminal: Terminal

  func run() async throws -> [SweepRecord] {
    var records: [SweepRecord] = []
    let combinations = grid.combinations
    for combination in combinations {
      records.append(try await record(combination))
      terminal.progress(records.count, of: combinations.count, "settings")
    }
    terminal.endProgress()
    return records
  }

  private func record(_ combination: SweepGrid.Combination) async throws -> SweepRecord {
    var measured = measured
    if let tolerance = combination.tolerance { measured.tolerance = tolerance }
    let evaluator = DetectorEvaluator(measured, span: span, threads: threads)
    let curves = try await evaluator.curves(at: combination.settings)
    guard let curve = ThresholdCurve.pooled(curves) else {
      throw CommandError(.badData, "expected recordings, found none")
    }
    var points: [OperatingPoint] = []
    var tolerances: Set<EventTolerance> = []
    for (name, threshold, span) in try operatingPoints(of: curve) {
      let scores = try await evaluator.scores(at: combination.settings, threshold: threshold)
      let score = EventScore.pooled(scores)
      tolerances.formUnion(score.tolerances)
      points.append(
        OperatingPoint(name: name, threshold: threshold, span: span, score: score))
    }
    var runs: [ThresholdLatency] = []
    for threshold in latencyThresholds(of: curve) {
      let scores = try await evaluator.scores(at: combination.settings, threshold: threshold)
      runs.append(ThresholdLatency(threshold: threshold, score: EventScore.pooled(scores)))
    }
    return SweepRecord(
      name: combination.name.isEmpty ? "all" : combination.name,
      parameters: try parameters(of: combination), tolerance: measured.tolerance,
      tolerances: tolerances.sorted { ($0.early, $0.late) < ($1.early, $1.late) }, curve: curve,
      recordings: zip(evaluator.recordings, curves).map { ($0.id, $1) }, points: points,
      latencies: runs)
  }

  private func parameters(of combination: SweepGrid.Combination) throws -> [ParameterRecord] {
    var choice = measured.choice
    for (name, value) in combination.settings { choice.overrides[name] = "\(value)" }
    let header = measured.recordings.first?.trace.header ?? TraceHeader(id: "", origin: .recorded)
    return try measured.detector.parameters(of: choice, for: header)
      .filter { $0.name != span.parameter }
      .map { ParameterRecord(name: $0.name, value: $0.value.description, unit: $0.unit) }
  }

  // MARK: Thresholds worth a run

  private func operatingPoints(
    of curve: ThresholdCurve
  ) throws -> [(name: String, threshold: Double, span: ClosedRange<Double>)] {
    var points: [(name: String, threshold: Double, span: ClosedRange<Double>)] = []
    func add(_ name: String, _ index: Int?) {
      guard let index, curve.truePositives[index] > 0 else { return }
      let span = curve.span(of: index)
      points.append((name, typical(of: span), span))
    }
    if let threshold = try presetThreshold, let index = curve.index(of: threshold) {
      points.append(("preset", threshold, curve.span(of: index)))
    }
    add("best F1", curve.highestF1)
    for budget in budgets {
      add(
        "at most \(ParameterValue.number(budget))/h",
        curve.mostRecall(falseAlarmsPerHour: budget))
    }
    return points
  }

  /// What the choice of detector and preset has.
  private var presetThreshold: Double? {
    get throws {
      let header = measured.recordings.first?.trace.header ?? TraceHeader(id: "", origin: .recorded)
      let parameters = try measured.detector.parameters(of: measured.choice, for: header)
      guard case .number(let value) = parameters.first(where: { $0.name == span.parameter })?.value
      else { return nil }
      return value
    }
  }

  /// The middle of a step, but for the last one, which may reach far beyond anything.
  private func typical(of span: ClosedRange<Double>) -> Double {
    span.upperBound == self.span.range.upperBound
      ? span.lowerBound : (span.lowerBound + span.upperBound) / 2
  }

  /// Thresholds from the most to the least that can be found, evenly by recall, each the one with the
  /// fewest false alarms.
  private func latencyThresholds(of curve: ThresholdCurve) -> [Double] {
    guard latencies > 0, let most = curve.truePositives.max(), most > 0 else { return [] }
    let levels = Set((1...latencies).map { max(1, most * $0 / latencies) })
    var best: [Int: Int] = [:]
    for index in curve.thresholds.indices where levels.contains(curve.truePositives[index]) {
      let known = best[curve.truePositives[index]]
      if known.map({ curve.falsePositives[index] < curve.falsePositives[$0] }) ?? true {
        best[curve.truePositives[index]] = index
      }
    }
    return best.values.sorted().map { typical(of: curve.span(of: $0)) }
  }
}
