import Detectors
import Evaluation
import Foundation
import Replay
import Scoring
import Synthesis
import TestSupport
import Testing
import TraceModel
import Tuning

@testable import Reports

/// What a page has where it cannot run the detector: a drawn part of the readings, and the hits and
/// false alarms by threshold.
@Suite struct PageCurveTests {
  private static func punches(seed: UInt64, duration: Double = 20) throws -> Trace {
    MadeTraces.trace(try ScenarioSpec(kind: .punches, seed: seed, duration: duration))
  }

  private static func builder(
    of traces: [Trace], limit: Int?, detector: String = "punch", preset: String = "magnitude"
  ) async throws -> PageBuilder {
    let names = traces.map(\.header.id)
    let loader = MemoryTraces(traces)
    var registry = DetectorRegistry.builtIn
    registry.register(Nudges.self)
    let suite = Suite(
      name: "large", path: "", traceSets: [Suite.TraceSet(name: "all", files: names)],
      entries: [
        Suite.Entry(
          name: "one", choice: DetectorChoice(detector: detector, preset: preset),
          traces: ["all"], place: "test")
      ])
    let output = try await SuiteRunner(
      suite: suite, registry: registry, loader: loader, threads: 2
    ).run()
    let result = SuiteResult(
      provenance: .init(suite: "large"), runs: output.runs, apps: [], intervals: .newPeople)
    var builder = try PageBuilder(
      result, of: suite, registry: registry, loader: loader, version: "1", limit: limit)
    try await builder.addCurves(threads: 2, observer: NoObserver())
    return builder
  }

  private struct Model: Decodable {
    struct Run: Decodable {
      var values: [Double?]
      var hits: Int?
      var misses: Int?
      var falseAlarms: Int?
      var curve: ThresholdCurve?
    }
    struct Entry: Decodable {
      var threshold: Int?
    }
    struct Shown: Decodable {
      var whole: Bool
      var readings: Int?
      var drawn: Int?
      var data: String?
    }
    var entries: [Entry]
    var runs: [Run]
    var traces: [Shown]
  }

  private static func model(of builder: PageBuilder) throws -> Model {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Model.self, from: Data(try builder.json(isServed: false).utf8))
  }

  /// The first trace fits, the second one does not. Its curve says what a run at each threshold gives.
  @Test func aLargeTraceIsDrawnFromAPartAndHasItsCurve() async throws {
    var traces = [try Self.punches(seed: 1), try Self.punches(seed: 2, duration: 240)]
    for index in traces.indices { traces[index].header.id = "\(index)" }
    let builder = try await Self.builder(of: traces, limit: 200_000)
    #expect(builder.decimated == ["1"] && builder.leftOut.isEmpty)
    let model = try Self.model(of: builder)
    #expect(model.traces.map(\.whole) == [true, false])
    #expect(model.traces[1].readings == traces[1][.acceleration]?.count)
    #expect((1...Decimation.limit).contains(model.traces[1].drawn ?? 0))
    #expect(model.traces[1].data != nil)
    #expect(model.runs[0].curve == nil, "the page runs the detector")
    let run = model.runs[1]
    let curve = try #require(run.curve)
    #expect(curve.isExact && curve.thresholds.count > 20)
    let field = try #require(model.entries[0].threshold)
    let threshold = try #require(run.values[field])
    func counts(at value: Double) throws -> [Int] {
      let place = try #require(curve.thresholds.lastIndex { $0 <= value })
      let counts = curve.counts(at: place)
      return [counts.truePositives, counts.falsePositives, counts.falseNegatives]
    }
    #expect(try counts(at: threshold) == [run.hits, run.falseAlarms, run.misses].map { $0 ?? -1 })
    let punch = try DetectorRegistry.builtIn.detector(named: "punch")
    for step in 0..<12 {
      let value = threshold / 4 + Double(step) * threshold / 3
      guard value <= curve.upper else { continue }
      let choice = DetectorChoice(
        detector: "punch", preset: "magnitude", overrides: ["threshold": .number(value)])
      let result = try punch.bound(choice, for: traces[1].header)
        .run(on: MemorySource(traces[1]))
      let exposure = Exposure(of: traces[1], channel: .acceleration)
      let score = try TaskScore(
        of: result, on: traces[1], task: .punch, exposure: exposure, tolerance: nil)
      let found = try #require(score.eventCounts?.counts)
      #expect(
        try counts(at: value) == [found.truePositives, found.falsePositives, found.falseNegatives],
        "at \(value)")
    }
    // With all data the page runs the detector.
    let whole = try Self.model(of: try await Self.builder(of: traces, limit: nil))
    #expect(whole.traces.map(\.whole) == [true, true] && whole.runs.allSatisfy { $0.curve == nil })
  }

  /// A detector that states no threshold has a parameter with that name.
  @Test func aDetectorOfYourOwnHasTheThresholdsThatWereRun() async throws {
    var trace = try Self.punches(seed: 3)
    trace.header.id = "0"
    let model = try Self.model(
      of: try await Self.builder(
        of: [trace], limit: nil, detector: "nudges", preset: "default"))
    let (run, curve) = (model.runs[0], try #require(model.runs[0].curve))
    #expect(model.entries[0].threshold == 1 && !curve.isExact)
    #expect(curve.thresholds.count == EntryCurves.points && curve.thresholds[10] == 30)
    #expect(curve.truePositives[10] == run.hits && curve.falsePositives[10] == run.falseAlarms)
    func found(_ place: Int) -> Int { curve.truePositives[place] + curve.falsePositives[place] }
    #expect(found(0) > found(20))
  }

  /// Each stretch keeps its least and its greatest magnitude, in the order of time.
  @Test(arguments: [(7, 100), (1000, 100), (1001, 100), (2000, 7)])
  func theOutlineStays(count: Int, limit: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    let sizes = (0..<count).map { _ in Float.random(in: 0...100, using: &random) }
    var header = TraceHeader(id: "t", origin: .recorded)
    header.end = TraceInstant(nanoseconds: Int64(count))
    var trace = Trace(header: header)
    trace.set(
      .vector(
        VectorColumns(
          times: TimeColumns(measured: (0..<count).map(Int64.init), arrived: nil), x: sizes,
          y: [Float](repeating: 0, count: count), z: [Float](repeating: 0, count: count))),
      for: .acceleration)
    let drawn = try #require(Decimation.decimated(trace, .acceleration, limit: limit))
    let block = try #require(drawn[.acceleration])
    let times = Array(block.measuredTimes[block.range])
    #expect(times.count <= limit && times == times.sorted() && Set(times).count == times.count)
    let stretch = (count + limit / 2 - 1) / (limit / 2)
    for start in stride(from: 0, to: count, by: stretch) {
      let range = start..<min(start + stretch, count)
      let kept = times.filter { range.contains(Int($0)) }.map { sizes[Int($0)] }
      #expect(kept.min() == sizes[range].min() && kept.max() == sizes[range].max())
    }
  }

  /// Fixes are kept as they are, in their order, with the first and the last.
  @Test(arguments: [(1, 100), (2, 2), (99, 100), (100, 100), (101, 100), (5000, 7)])
  func aLongPathIsDrawnFromAPart(count: Int, limit: Int) throws {
    var trace = Trace(header: TraceHeader(id: "t", origin: .recorded))
    let fixes = (0..<count).map { index in
      Fix(latitude: 48 + Double(index) * 1e-5, longitude: 11, horizontalAccuracy: 5, speed: 1)
    }
    trace.set(
      .fix(
        FixColumns(
          times: TimeColumns(measured: (0..<count).map(Int64.init), arrived: nil), values: fixes)),
      for: .location)
    let drawn = try #require(Decimation.decimated(trace, .location, limit: limit))
    guard case .fix(let columns) = drawn[.location] else { throw Absent() }
    let times = Array(columns.measuredTimes[columns.range])
    #expect(times.count == min(count, limit) && times == times.sorted())
    #expect(Set(times).count == times.count)
    #expect(times.first == 0 && times.last == Int64(count - 1))
    for (time, fix) in zip(times, columns.values[columns.range]) {
      #expect(fix.latitude == fixes[Int(time)].latitude)
    }
  }

  private struct Absent: Error {}

  @Test func notANumberIsNoOutline() throws {
    var trace = Trace(header: TraceHeader(id: "t", origin: .recorded))
    trace.set(
      .vector(
        VectorColumns(
          times: TimeColumns(measured: [0, 1, 2, 3], arrived: nil), x: [.nan, 3, .nan, 1],
          y: [0, 0, 0, 0], z: [0, 0, 0, 0])), for: .acceleration)
    let drawn = try #require(Decimation.decimated(trace, .acceleration, limit: 2))
    #expect(drawn[.acceleration]?.measuredTimes == [1, 3])
    #expect(Decimation.decimated(trace, .location) == nil, "there is none")
  }
}

/// Every reading above a threshold, with a rest after it.
private struct Nudges: Detector {
  struct Parameters: DetectorParameters {
    var rest = 0.4
    var threshold = 30.0
  }
  static let name = "nudges"
  static let channel = Channel.acceleration
  static let task = ReferenceTask.punch
  static let parameterFields: [ParameterField<Parameters>] = [
    .number("rest", \.rest, unit: .seconds, range: 0...60, "time without further detections"),
    .number("threshold", \.threshold, unit: .metersPerSecondSquared, range: 0...2000, "size"),
  ]

  let parameters: Parameters
  private var quietUntil = TraceInstant(nanoseconds: .min)

  init(_ parameters: Parameters, places: [Place]) { self.parameters = parameters }

  mutating func ingest(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PlainEvent>]
  ) {
    let size = Double(sample.magnitude)
    guard size > parameters.threshold, measured >= quietUntil else { return }
    quietUntil = measured.advanced(bySeconds: parameters.rest)
    detections.append(
      Detection(
        onset: measured, emitted: arrived, newestMeasured: measured,
        event: PlainEvent("punch", value: size)))
  }
}
