import Diagnostics
import Detectors
public import Scoring
import TraceModel
import Tuning

/// Sweeps the threshold for each combination of the other settings.
public struct SweepRunner {
  public let measured: EvaluationDataset
  public let span: ThresholdSpan
  public let grid: SweepGrid
  /// Budgets of false alarms per hour; each gets its best threshold.
  public let budgets: [Double]
  public let threads: Int
  /// The number of thresholds with measured delays; 0 = only the operating points.
  public let latencies: Int
  public let observer: any WorkObserver
  public let intervals: IntervalMethod.Population

  public init(
    measured: EvaluationDataset, span: ThresholdSpan, grid: SweepGrid, budgets: [Double],
    threads: Int, latencies: Int, observer: any WorkObserver,
    intervals: IntervalMethod.Population = .newPeople
  ) {
    (self.measured, self.span, self.grid) = (measured, span, grid)
    (self.budgets, self.threads, self.latencies) = (budgets, threads, latencies)
    (self.observer, self.intervals) = (observer, intervals)
  }

  public func run() async throws -> SweepResult {
    try measured.requireSeparate()
    var records: [SweepRecord] = []
    let combinations = grid.combinations
    for combination in combinations {
      records.append(try await record(combination))
      observer.progress(records.count, of: combinations.count, "settings")
    }
    observer.endProgress()
    return SweepResult(
      detector: measured.choice.detector, preset: measured.choice.preset,
      title: measured.choice.title, threshold: span.parameter, unit: span.unit.rawValue,
      data: measured.name, recordings: measured.trialRecordings, inputs: measured.inputs(),
      exposure: measured.exposure, countNote: measured.countNote, records: records)
  }

  private func record(_ combination: SweepGrid.Combination) async throws -> SweepRecord {
    var measured = measured
    if let tolerance = combination.tolerance { measured.tolerance = tolerance }
    let evaluator = DetectorEvaluator(measured: measured, span: span, threads: threads)
    let curves = try await evaluator.curves(at: combination.settings)
    guard let curve = ThresholdCurve.pooled(curves) else {
      throw Failure(.badData, "expected recordings, found none")
    }
    let (chosen, absent) = try operatingPoints(of: curve)
    var points: [OperatingPoint] = []
    var tolerances: Set<EventTolerance> = []
    for point in chosen {
      let scores = try await evaluator.scores(
        at: combination.settings, threshold: point.threshold)
      let named = OperatingPoint(
        name: point.name, threshold: point.threshold, span: point.span,
        clustered(scores, measured, pool: EventScore.pooled))
      tolerances.formUnion(named.score.tolerances)
      points.append(named)
    }
    var runs: [ThresholdLatency] = []
    for threshold in latencyThresholds(of: curve) {
      let scores = try await evaluator.scores(at: combination.settings, threshold: threshold)
      runs.append(
        ThresholdLatency(
          threshold: threshold, clustered(scores, measured, pool: EventScore.pooled)))
    }
    let diagnosis =
      if let first = points.first {
        try await evaluator.diagnosis(at: combination.settings, threshold: first.threshold)
      } else {
        Diagnosis?.none
      }
    return SweepRecord(
      name: combination.name.isEmpty ? "all" : combination.name,
      parameters: try parameters(of: combination.settings).filter { $0.name != span.parameter },
      tolerance: measured.tolerance,
      tolerances: tolerances.sorted { ($0.early, $0.late) < ($1.early, $1.late) }, curve: curve,
      recordings: zip(measured.recordings, curves).map { ($0.trace.header.id, $1) },
      parts: clustered(curves, measured) { ThresholdCurve.pooled($0) ?? curve },
      points: points,
      diagnosis: diagnosis, absentPoints: absent, latencies: runs)
  }

  private func clustered<Value>(
    _ values: [Value], _ measured: EvaluationDataset, pool: ([Value]) -> Value
  ) -> Clustered<Value> {
    let runs = zip(measured.recordings, values).map {
      (subject: $0.trace.header.subject, score: $1)
    }
    return Clustered(runs, pool: pool).about(intervals)
  }

  /// Returns the parameters on the first recording.
  private func parameters(of settings: ParameterSettings) throws -> [ResolvedParameter] {
    var choice = measured.choice
    choice.overrides.merge(settings) { $1 }
    return try measured.detector.parameters(
      of: choice, for: measured.recordings.first?.trace.header)
  }

  private typealias Chosen = (name: String, threshold: Double, span: ClosedRange<Double>)

  private func operatingPoints(
    of curve: ThresholdCurve
  ) throws -> (points: [Chosen], absent: [AbsentPoint]) {
    var points: [Chosen] = []
    var absent: [AbsentPoint] = []
    func add(_ name: String, _ index: Int?, none: String) {
      guard curve.references > 0 else {
        absent.append(AbsentPoint(name: name, reason: "there are no reference events"))
        return
      }
      guard let index, curve.truePositives[index] > 0 else {
        absent.append(
          AbsentPoint(name: name, reason: index == nil ? none : "no threshold has a hit"))
        return
      }
      let widest = curve.widest(countingAs: index)
      points.append((name, curve.middle(of: widest), curve.span(of: widest)))
    }
    if let threshold = try parameters(of: [:]).number(span.parameter) {
      // Run it even if the curve does not have this threshold.
      let span = curve.index(of: threshold).map(curve.span(of:)) ?? threshold...threshold
      points.append(("preset", threshold, span))
    }
    add("best F1", curve.highestF1, none: "no threshold has a hit")
    for budget in budgets {
      add(
        "at most \(ParameterValue.number(budget))/h", curve.mostRecall(falseAlarmsPerHour: budget),
        none: curve.scoredNanoseconds > 0
          ? "all thresholds have more false alarms" : "no time is scored")
    }
    return (points, absent)
  }

  /// Returns thresholds at evenly spaced values of recall, denser near its maximum, each with the
  /// fewest false alarms. Thresholds below the one with the highest recall are left out.
  private func latencyThresholds(of curve: ThresholdCurve) -> [Double] {
    guard latencies > 0, let most = curve.truePositives.max(), most > 0 else { return [] }
    var levels = Set((1...latencies).map { max(1, most * $0 / latencies) })
    var step = most / latencies
    while step > 0 {
      step /= 2
      levels.insert(most - step)
    }
    // A parameter that is no score may have more hits at higher values, so all values count.
    let first = curve.isExact ? curve.truePositives.firstIndex(of: most) ?? 0 : 0
    var chosen: Set<Int> = []
    for level in levels {
      let best = (first..<curve.count).filter { curve.truePositives[$0] >= level }.min {
        (curve.truePositives[$0], curve.falsePositives[$0], $0)
          < (curve.truePositives[$1], curve.falsePositives[$1], $1)
      }
      if let best { chosen.insert(curve.widest(countingAs: best)) }
    }
    return Set(chosen.map(curve.middle(of:))).sorted()
  }
}
