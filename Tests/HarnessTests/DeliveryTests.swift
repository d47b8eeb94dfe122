import Scoring
@testable import Reports
import Results
import Detectors
import Foundation
import HDF5
import Replay
@testable import Evaluation
import Synthesis
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

@testable import Harness

/// Tests deliveries in commands, suites and results.
@Suite struct NamedDeliveryTests {
  @Test(arguments: [
    ("ideal", "ideal"), ("location-5s", "location-5s"),
    ("location-5s:min-interval=10", "location-5s:min-interval=10s"),
    ("location-5s:min-interval=2min,lost=0.1", "location-5s:min-interval=120s,lost=0.1"),
    ("location-5s:min-interval=5000ms", "location-5s"),
    ("ideal:transport=network,delay=650ms", "ideal:delay=0.65s,transport=network"),
    ("ideal:min-distance=0.5km,clock-step=-2s", "ideal:min-distance=500m,clock-step=-2s"),
  ])
  func theSummaryIsASpellingOfTheSame(text: String, summary: String) throws {
    let delivery = try NamedDelivery(spelling: text, seed: 7, place: "--delivery")
    #expect(delivery.summary == summary)
    let again = try NamedDelivery(spelling: delivery.summary, seed: 7, place: "--delivery")
    #expect(again == delivery)
  }

  @Test func everyPresetAndFieldIsListed() throws {
    for preset in Delivery.presets {
      #expect(DeliveryText.help.contains("\n\(preset.name): ") || preset.name == "ideal")
      for source in preset.published { #expect(DeliveryText.help.contains(source)) }
    }
    for field in Delivery.fields { #expect(DeliveryText.help.contains(field.summary)) }
  }

  private func entries(_ keys: [String]) throws -> [Suite.Entry] {
    let scratch = try Scratch()
    try NativeTrace.write(
      Trace(header: TraceHeader(id: "t", origin: .synthetic)), to: scratch.path("t.h5"))
    let rows = keys.enumerated().map {
      "  - {name: e\($0.offset), detector: punch, traces: all, \($0.element)}"
    }
    try scratch.write(
      "schema: shadowbox-suite/1\ntraces: {all: [t.h5]}\nentries:\n"
        + rows.joined(separator: "\n") + "\n", to: "s.yml")
    return try SuiteParser.read(scratch.path("s.yml"), registry: .builtIn).entries
  }

  @Test func aSuiteSaysItAsTheCommandLineDoes() throws {
    let entries = try entries([
      "delivery: location-5s", "delivery: 'location-5s:lost=0.1,delay=2 s'",
      "delivery: {preset: location-5s, lost: 0.1, delay: 2 s}",
      "delivery: {preset: location-5s, lost: 0.1, delay: 2 s, seed: 9}",
      "delivery: {lost: 0.1}", "device_rate: 50 Hz", "device_rate: 0.1kHz",
    ])
    let deliveries = entries.map(\.path.delivery)
    #expect(deliveries[0] == (try NamedDelivery(spelling: "location-5s", place: "")))
    let written = try NamedDelivery(spelling: "location-5s:lost=0.1,delay=2s", place: "")
    #expect(deliveries[1] == written)
    #expect(deliveries[2] == written)
    #expect(deliveries[3]?.seed == 9)
    #expect(deliveries[3]?.delivery == written.delivery)
    #expect(deliveries[4]?.summary == "ideal:lost=0.1")
    #expect(entries.map(\.path.deviceRate).suffix(3) == [nil, 50, 100])
  }

  @Test func theCommandLineOverridesEveryEntry() throws {
    var suite = Suite(
      name: "", path: "", traceSets: [],
      entries: try entries(["delivery: location-5s", "tolerance: 1 s"]))
    func options(_ delivery: String?, seed: UInt64? = nil) -> DeliveryOptions {
      var options = DeliveryOptions()
      (options.delivery, options.deliverySeed) = (delivery, seed)
      return options
    }
    try options(nil).override(&suite)
    #expect(suite.entries.map { $0.path.delivery?.summary } == ["location-5s", nil])
    try options(nil, seed: 4).override(&suite)
    #expect(suite.entries.map { $0.path.delivery?.seed } == [4, nil])
    try options("harsh", seed: 5).override(&suite)
    #expect(suite.entries.map { $0.path.delivery?.summary } == ["harsh", "harsh"])
    #expect(suite.entries.map { $0.path.delivery?.seed } == [5, 5])
    try options("ideal").override(&suite)
    #expect(suite.entries.allSatisfy { $0.path.delivery?.delivery.isIdeal == true })
  }
}

/// Tests deliveries on the traces of the repository.
@Suite struct DeliveredCorpusTests {
  private static let traces = [
    ("synthetic/punch-s01-right", "punch"), ("synthetic/punch-s03-right-hold", "punch"),
    ("recorded/watch-55", "punch"), ("synthetic/route-s01", "checkin"),
    ("synthetic/track-run-s01", "track"), ("recorded/korita-zbevnica", "track"),
  ]

  private func signal(
    _ name: String, _ detector: String, delivery: String?
  ) throws -> (trace: Trace, detector: AnyDetector) {
    let trace = try NativeTrace.read(Fixtures.traces.appending(path: name + ".h5").path)
    let registered = try #require(DetectorRegistry.builtIn[detector])
    let path = SignalPath(
      gravity: GravityFilter.Parameters(),
      delivery: try delivery.map { try NamedDelivery(spelling: $0, seed: 3, place: "") })
    return (path.apply(to: trace, for: registered.channel).trace, registered)
  }

  private func run(
    _ signal: (trace: Trace, detector: AnyDetector), blockSize: Int = 4096
  ) throws -> [DetectionRecord] {
    try signal.detector.bound(
      DetectorChoice(detector: signal.detector.name, preset: "default"),
      for: signal.trace.header
    ).run(
      on: MemorySource(signal.trace),
      options: RunOptions(
        blockSize: blockSize,
        policy: signal.detector.task == .visit ? ScriptedPolicy(spread: 0.5) : nil)
    ).detections
  }

  /// In the quick run on one trace of each detector's.
  @Test(.longer, arguments: LongTests.firstOfEachKind(traces, \.1))
  func theLogIsTheSameForEveryBatchSize(name: String, detector: String) throws {
    for preset in Delivery.presets {
      let signal = try signal(name, detector, delivery: preset.name)
      let logs = try [1, 7, 4096].map { DetectionLog.text(try run(signal, blockSize: $0)) }
      #expect(Set(logs).count == 1, "\(preset.name)")
    }
  }

  /// On a recording, each detection is emitted at the arrival of the sample that triggers it, and its
  /// onset does not change.
  @Test func batchingMovesEmissionsAlone() throws {
    let name = "synthetic/punch-s01-right"
    let ideal = try run(signal(name, "punch", delivery: nil))
    let delivered = try signal(name, "punch", delivery: "android-batched")
    let batched = try run(delivered)
    let block = try #require(delivered.trace[.userAcceleration])
    let arrivals = Dictionary(
      uniqueKeysWithValues: zip(block.measuredTimes, try #require(block.arrivedTimes)))
    // Detections that end with a sample before the last batch; the last batch never arrives.
    let inTime = ideal.filter { arrivals[$0.newestMeasured.nanoseconds] != nil }
    #expect(inTime.count > 60)
    #expect((0...1).contains(batched.count - inTime.count))
    for (one, other) in zip(inTime, batched) {
      #expect(one.onset == other.onset)
      #expect(one.value == other.value && one.label == other.label)
      #expect(one.deliveryWait == 0 && one.newestMeasured == other.newestMeasured)
      #expect(other.emitted.nanoseconds == arrivals[one.newestMeasured.nanoseconds])
    }
    // A sample waits for at most 10 s, on average for half of it.
    let waits = batched.prefix(inTime.count).map(\.deliveryWait)
    #expect(waits.allSatisfy { (0...10_000_000_000).contains($0) })
    let mean = waits.map { Double($0) / 1e9 }.reduce(0, +) / Double(waits.count)
    #expect(abs(mean - 5) < 1)
  }

  @Test func aSlowerSensorIsAsSlowAsItWasAsked() throws {
    let trace = try NativeTrace.read(
      Fixtures.traces.appending(path: "synthetic/punch-s01-right.h5").path)
    let slow = SignalPath(deviceRate: 50).apply(to: trace, for: .userAcceleration)
    let block = try #require(slow.trace[.userAcceleration])
    let rate = Double(block.count) / trace.header.end.seconds
    #expect(abs(rate - 50) < 0.5)
    #expect(slow.sampling?.taken == block.count)
    // If gravity is removed, the acceleration with gravity is decimated.
    let watch = try NativeTrace.read(
      Fixtures.traces.appending(path: "recorded/watch-55.h5").path)
    let path = SignalPath(deviceRate: 20, gravity: GravityFilter.Parameters())
    let removed = path.apply(to: watch, for: .userAcceleration)
    let sampling = try #require(removed.sampling)
    #expect(sampling.taken < sampling.recorded)
    #expect(removed.trace[.acceleration]?.count == sampling.taken)
    #expect(removed.trace[.userAcceleration]?.count == sampling.taken)
  }
}

/// Tests the deliveries in the results of a suite.
@Suite struct DeliveredRunTests {
  private func result(_ keys: String) async throws -> SuiteResult {
    let scratch = try Scratch()
    try NativeTrace.write(
      MadeTraces.trace(try ScenarioSpec(kind: .punches, subject: 1, duration: 60)),
      to: scratch.path("p.h5"))
    try NativeTrace.write(
      MadeTraces.trace(try ScenarioSpec(kind: .route, subject: 2)), to: scratch.path("r.h5"))
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {punches: [p.h5], route: [r.h5]}
      entries:
        - {detector: punch, traces: punches\(keys)}
        - {detector: checkin, traces: route, policy: {spread: 0.5}\(keys)}
      """, to: "s.yml")
    let suite = try SuiteParser.read(scratch.path("s.yml"), registry: .builtIn)
    let runs = try await SuiteRunner(
      suite: suite, registry: .builtIn, loader: NativeTraceLoader(), threads: 1
    ).run().runs
    return SuiteResult(provenance: .init(suite: "s"), runs: runs)
  }

  private func figure(_ run: RunRecord, _ name: String) throws -> Double {
    try #require(run.score.figures.first { $0.name == name }?.value)
  }

  @Test func figuresAndTablesTellTheWaitApart() async throws {
    let ideal = try await result("")
    // With ideal delivery, only fixes wait, and the tables do not mention delivery.
    for run in ideal.runs {
      #expect(run.isDeliveryIdeal && run.deliverySeed == nil && run.deliveryFigures.isEmpty)
    }
    #expect(try figure(ideal.runs[0], "delivery_wait_p50") == 0)
    #expect(try figure(ideal.runs[0], "delivery_wait_p90") == 0)
    #expect(!SuiteTables(result: ideal).render().contains("delivery"))
    #expect(DeliveryText.lines(ideal.runs).isEmpty)

    let late = try await result(", delivery: {delay: 300 ms, seed: 5}, device_rate: 400 Hz")
    let tables = SuiteTables(result: late, screen: Screen(width: 250)).render()
    for (before, run) in zip(ideal.runs, late.runs) {
      #expect(run.delivery == "ideal:delay=0.3s" && run.deliverySeed == 5)
      #expect(run.sampling?.rate == 400)
      #expect(run.sampling?.taken == run.sampling?.recorded)
      for name in ["delivery_wait_p50", "delivery_wait_p90"] {
        #expect(abs(try figure(run, name) - figure(before, name) - 0.3) < 1e-9, "\(name)")
      }
      #expect(tables.contains("\(run.entry): delivery ideal:delay=0.3s, seed 5"))
      let readings = run.deliveryFigures.first { $0.name == "delivered" }?.value
      #expect(readings == Double(run.readings))
    }
    let punches = (ideal.runs[0], late.runs[0])
    #expect(
      abs(try figure(punches.1, "latency_p50") - figure(punches.0, "latency_p50") - 0.3) < 1e-9)
    #expect(tables.contains("delivery part"))
    #expect(tables.contains("delivery delay"))
    let lines = DeliveryText.lines(late.runs)
    #expect(lines.contains { $0.hasPrefix("punch/default: device rate 400 Hz: all readings") })
    #expect(lines.contains { $0.contains("longest wait 0.300 s") })
    let json = try late.json()
    for key in ["\"delivery_seed\" : 5", "\"device_rate_hz\" : 400", "\"delivery_wait_p50\""] {
      #expect(json.contains(key), "\(key)")
    }
  }

  @Test func theResultsFileHasThem() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "d-\(UUID()).h5").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let result = try await result(", delivery: 'harsh:lost=0', device_rate: 50 Hz")
    try ResultsFile.write(result, to: path)
    let root = try HDF5File.open(path).root()
    let settings = try root.openGroup("settings")
    let first = try #require(try settings.openDataset("entry").readTexts(most: 9).first)
    #expect(first == "punch/default")
    #expect(try settings.openDataset("delivery").readTexts(most: 9).first == "harsh:lost=0")
    #expect(try settings.openDataset("delivery_seed").readTexts(most: 9).first == "1")
    let runs = try root.openGroup("runs")
    #expect(try runs.openDataset("device_rate").read(Double.self).first == 50)
    let taken = try runs.openDataset("device_rate_taken").read(Int64.self)[0]
    let recorded = try runs.openDataset("device_rate_recorded").read(Int64.self)[0]
    #expect(Double(taken) / Double(recorded) < 0.6)
    let delivered = try runs.openDataset("readings_delivered").read(Double.self)
    #expect(delivered.first == Double(result.runs[0].readings))
    #expect(try runs.openDataset("readings_lost").read(Double.self).first == 0)
    let events = try root.openGroup("events").openGroup("punch%2Fdefault")
    let own = result.runs.filter { $0.entry == "punch/default" }.flatMap(\.detections)
    #expect(
      try events.openGroup("detections").openDataset("newest_measured").read(Int64.self)
        == own.map(\.newestMeasured.nanoseconds))
  }
}
