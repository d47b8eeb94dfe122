import Detectors
import Scoring
import TestSupport
import Testing
import TraceModel

@testable import Tuning

/// The example detectors from the doc comment of ``ScoredDetector``.
@Suite struct OwnDetectorTests {
  @Test(.longer, arguments: 0..<LongTests.count(quick: 20, long: 60)) func aLockout(
    seed: UInt64
  ) throws {
    try check(FirstOver.self, parameters: FirstOver.parameterFields, seed)
  }

  @Test(.longer, arguments: 0..<LongTests.count(quick: 20, long: 60)) func nested(
    seed: UInt64
  ) throws {
    try check(LocalMaximum.self, parameters: LocalMaximum.parameterFields, seed)
  }

  /// At each score and just below it, the exact curve counts what a run counts.
  private func check<D: ScoredDetector>(
    _ detector: D.Type, parameters fields: [ParameterField<OwnParameters>], _ seed: UInt64
  ) throws where D.Parameters == OwnParameters {
    var generator = SeededGenerator(seed: seed)
    let trace = randomTrace(&generator)
    var parameters = OwnParameters()
    parameters.rest = [0, 0.1, 0.29, 1.003].randomElement(using: &generator) ?? 0
    let exact = try #require(
      try ThresholdSweep.curve(D.self, parameters, on: trace, range: 0...100))
    let scores = Set((1...20).map { Double($0) })
    let points = scores.flatMap { [$0.nextDown, $0] }.sorted()
    let plain = try plainSweep(D.self, parameters, threshold: fields[0], on: trace, at: points)
    for index in points.indices {
      let step = try #require(exact.index(of: points[index]))
      #expect(
        exact.counts(at: step) == plain.counts(at: index), "seed \(seed), \(points[index])")
    }
    #expect(exact.count > 1 && exact.truePositives.max() ?? 0 > 0, "seed \(seed)")
  }

  /// Integer magnitudes, so that many are equal, on a grid of 10 ms, so that many lie at the end of
  /// a rest.
  private func randomTrace(_ generator: inout SeededGenerator) -> Trace {
    var columns = VectorColumns()
    for index in Int64(0)..<400 {
      let isMissing = Int.random(in: 0..<30, using: &generator) == 0
      let height = isMissing ? .nan : Float(Int.random(in: 0...20, using: &generator))
      let time = index * 10_000_000
      columns.append(Vector3(x: 0, y: height, z: 0), measured: time, arrived: time)
    }
    var trace = Trace(header: TraceHeader(id: "t", origin: .synthetic))
    trace.set(.vector(columns), for: .userAcceleration)
    trace.header.end = TraceInstant(nanoseconds: 4_000_000_000)
    trace.header.references = [
      ReferenceSet(
        task: .punch,
        events: (1...4).map {
          ReferenceEvent(onset: TraceInstant(nanoseconds: $0 * 900_000_000))
        })
    ]
    return trace
  }
}

struct OwnParameters: DetectorParameters {
  var threshold = 30.0
  var rest = 0.4

  static let fields: [ParameterField<OwnParameters>] = [
    .number("threshold", \.threshold, unit: .metersPerSecondSquared, range: 0...2000, "magnitude"),
    .number("rest", \.rest, unit: .seconds, range: 0...60, "time without further detections"),
  ]
}

private func magnitude(_ sample: Acceleration) -> Double {
  let (x, y, z) = (Double(sample.x), Double(sample.y), Double(sample.z))
  return (x * x + y * y + z * z).squareRoot()
}

/// The first sample over the threshold, then a rest.
private struct FirstOver: ScoredDetector {
  static let name = "first-over"
  static let channel = Channel.userAcceleration
  static let task = ReferenceTask.punch
  static let parameterFields = OwnParameters.fields

  let parameters: OwnParameters
  var quietUntil: TraceInstant?

  init(_ parameters: OwnParameters, places: [Place]) { self.parameters = parameters }

  mutating func ingest(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PlainEvent>]
  ) {
    guard magnitude(sample) > parameters.threshold, measured >= quietUntil ?? measured else {
      return
    }
    quietUntil = measured.advanced(bySeconds: parameters.rest)
    detections.append(
      Detection(
        onset: measured, emitted: arrived, newestMeasured: measured,
        event: PlainEvent("punch", value: magnitude(sample))))
  }

  static let thresholdParameter = "threshold"

  static func thresholdRule(of parameters: OwnParameters) -> ThresholdRule? {
    let rest = Int64(nanosecondsFromSeconds: parameters.rest) ?? .max
    return .lockout(
      Lockout(peakWindow: 0, refractory: rest, rearming: .none, listensWhenArmed: false))
  }

  static func score(ofThreshold threshold: Double, _: OwnParameters) -> Double { threshold }
  static func threshold(ofScore score: Double, _: OwnParameters) -> Double { score }

  static func appendScores(
    of columns: VectorColumns, above limit: Double, _: OwnParameters,
    into samples: inout ScoredSamples
  ) {
    for position in columns.range {
      let score = magnitude(columns[position])
      if !(score <= limit) { samples.append(position, score: score) }
    }
  }
}

/// Each sample that neither neighbour reaches.
private struct LocalMaximum: ScoredDetector {
  static let name = "local-maximum"
  static let channel = Channel.userAcceleration
  static let task = ReferenceTask.punch
  static let parameterFields = OwnParameters.fields

  let parameters: OwnParameters
  var before = Double.infinity
  var last: (time: TraceInstant, height: Double)?

  init(_ parameters: OwnParameters, places: [Place]) { self.parameters = parameters }

  mutating func ingest(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PlainEvent>]
  ) {
    let height = magnitude(sample)
    if let last, last.height > before, last.height > height, last.height > parameters.threshold {
      detections.append(
        Detection(
          onset: last.time, emitted: arrived, newestMeasured: measured,
          event: PlainEvent("punch", value: last.height)))
    }
    before = last?.height ?? .infinity
    last = (measured, height)
  }

  static let thresholdParameter = "threshold"
  static func thresholdRule(of parameters: OwnParameters) -> ThresholdRule? { .nested }
  static func score(ofThreshold threshold: Double, _: OwnParameters) -> Double { threshold }
  static func threshold(ofScore score: Double, _: OwnParameters) -> Double { score }
  static func score(of detection: DetectionRecord, _: OwnParameters) -> Double { detection.value }
}
