@testable import Evaluation
import Detectors
import PageRuns
import Replay
import Diagnostics
import TestSupport
import Testing
import TraceModel
import Tuning

/// What detectors make of each fix, and that watching them changes nothing.
@Suite struct FixRunTests {
  private static let registry = DetectorRegistry.builtIn

  private static func run(
    _ name: String, _ preset: String, on trace: Trace, _ overrides: ParameterSettings = [:],
    options: RunOptions = RunOptions()
  ) throws -> (FixRun, RunResult) {
    let detector = try registry.detector(named: name)
    let choice = DetectorChoice(detector: name, preset: preset, overrides: overrides)
    return (
      try detector.fixRun(choice, on: trace, options: options),
      try detector.bound(choice, for: trace.header)
        .run(on: MemorySource(trace), options: options)
    )
  }

  /// Fixes of (second, metres north, accuracy), and the seconds of pauses.
  private static func trace(
    _ rows: [(Double, Double, Double)], pauses: [ClosedRange<Double>] = [], places: [Place] = []
  ) -> Trace {
    var fixes = FixColumns()
    var arrival = Int64.min
    for (second, north, accuracy) in rows {
      let time = Int64(second * 1e9)
      arrival = max(arrival, time)
      fixes.append(
        Fix(latitude: 46 + north / 111_160, longitude: 14, horizontalAccuracy: accuracy),
        measured: time, arrived: arrival)
    }
    var actions = ActionColumns()
    for pause in pauses {
      for (second, action) in [(pause.lowerBound, Action.pause), (pause.upperBound, .resume)] {
        actions.append(action, measured: Int64(second * 1e9), arrived: Int64(second * 1e9))
      }
    }
    var header = TraceHeader(id: "t", origin: .synthetic)
    header.end = TraceInstant(nanoseconds: 100_000_000_000)
    header.places = places
    var trace = Trace(header: header)
    trace.set(.fix(fixes), for: .location)
    if !pauses.isEmpty { trace.set(.action(actions), for: .action) }
    return trace
  }

  private static func letters(_ uses: [FixUse]?) -> String {
    (uses ?? []).map { $0.rawValue.prefix(1) }.joined()
  }

  /// Presets, fixes and uses by hand: `a`ccepted, `r`ejected, `s`kipped.
  @Test(
    arguments: [
      ("track", "default", [(0, 0, 5), (1, 2, 51), (2, 4, -1), (3, 6, .nan)], "arra"),
      // The same time again, and an earlier one.
      ("track", "default", [(0, 0, 5), (1, 2, 5), (1, 3, 5), (0.5, 1, 5), (2, 4, 5)], "aarra"),
      // Within 5 m no fix is delivered; one of 20 m is too inaccurate.
      ("track", "tri", [(0, 0, 5), (1, 3, 5), (2, 6, 5), (3, 12, 20), (4, 18, 19)], "asara"),
      ("track", "raw", [(0, 0, -1), (1, 2, 500), (0, 1, .nan)], "aaa"),
      (
        "checkin", "default", [(0, 0, 5), (1, 2, 51), (2, 4, -1), (3, 6, .nan), (4, 6, 5)], "arraa"
      ),
      // Equal fixes are distinguished.
      ("checkin", "default", [(0, 0, 5), (1, 0, 5), (2, 0, 60), (3, 0, 60), (4, 0, 5)], "aarra"),
      ("checkin", "goHike", [(0, 0, 500), (1, 0, -1)], "aa"),
      ("track", "default", [], ""), ("checkin", "default", [], ""),
    ] as [(String, String, [(Double, Double, Double)], String)])
  func usesAreThoseOfTheRules(
    name: String, preset: String, rows: [(Double, Double, Double)], expected: String
  ) throws {
    let (run, plain) = try Self.run(name, preset, on: Self.trace(rows))
    #expect(Self.letters(run.uses) == expected)
    #expect(run.measurements == plain.measurements[DeviceID(0)] ?? [])
  }

  @Test func aPauseSkipsFixes() throws {
    let rows = (0..<6).map { (Double($0), Double($0) * 3, 5.0) }
    let trace = Self.trace(rows, pauses: [1.5...3.5])
    #expect(Self.letters(try Self.run("track", "default", on: trace).0.uses) == "aassaa")
  }

  /// 40 m from fix to fix: what is within is held back, unless it is also inaccurate.
  @Test func aDistanceFilterSkipsFixes() throws {
    let trace = Self.trace([(0, 0, 5), (1, 30, 5), (2, 30, 80), (3, 41, 5)])
    let (run, _) = try Self.run(
      "checkin", "default", on: trace, ["distance-filter": .number(40)])
    #expect(Self.letters(run.uses) == "asra")
  }

  @Test func placesHaveTheRadiusOfTheDetector() throws {
    let places = [
      Place(id: 1, latitude: 46, longitude: 14, radius: 25, rank: 0),
      Place(id: 2, latitude: 46.1, longitude: 14, radius: .nan, rank: 1),
    ]
    let trace = Self.trace([(0, 0, 5)], places: places)
    #expect(try Self.run("checkin", "default", on: trace).0.places.map(\.radius) == [25, 60])
    #expect(try Self.run("checkin", "goHike", on: trace).0.places.map(\.radius) == [60, 60])
    let track = try Self.run("track", "default", on: trace).0.places.map(\.radius)
    #expect(track[0] == 25 && track[1].isNaN)
  }

  @Test func otherDetectorsDoNotReportUses() throws {
    struct Silent: Detector {
      typealias Input = Fix
      typealias Event = PlainEvent
      struct Parameters: DetectorParameters {}
      static let name = "silent"
      static let channel = Channel.location
      static let task = ReferenceTask.visit
      static var parameterFields: [ParameterField<Parameters>] { [] }
      init(_ parameters: Parameters, places: [Place]) {}
      mutating func ingest(
        _ fix: Fix, measured: TraceInstant, arrived: TraceInstant,
        into detections: inout [Detection<PlainEvent>]
      ) { detections.append(Detection(onset: measured, emitted: arrived, event: PlainEvent("x"))) }
    }
    let run = try AnyDetector(Silent.self).fixRun(
      DetectorChoice(detector: "silent", preset: "default"), on: Self.trace([(0, 0, 5)]),
      options: RunOptions())
    #expect(run.uses == nil && run.detections.map(\.kind) == ["x"])
  }

  /// Random traces with pauses, bad fixes, late ones and places, all presets, with and without a
  /// person: the detections and measurements are those of a plain run, and the counts are those
  /// that the track measures.
  @Test(.longer, arguments: 0..<LongTests.count(quick: 30, long: 600))
  func nothingElseChanges(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let trace = Self.random(&random)
    for name in ["track", "checkin"] {
      let detector = try Self.registry.detector(named: name)
      for preset in detector.presets {
        let options = RunOptions(
          blockSize: 1 + Int(random.unit() * 40),
          policy: random.unit() < 0.5 ? ScriptedPolicy(confirmAfter: .seconds(1)) : nil)
        let (run, plain) = try Self.run(name, preset.name, on: trace, options: options)
        #expect(run.detections == plain.detections, "seed \(seed), \(name)/\(preset.name)")
        #expect("\(run.measurements)" == "\(plain.measurements[DeviceID(0)] ?? [])")
        let uses = try #require(run.uses)
        #expect(uses.count == plain.readings)
        guard name == "track" else { continue }
        for (figure, use) in [("accepted", FixUse.accepted), ("refused", .rejected)] {
          let count = run.measurements.first { $0.name == figure }?.value
          #expect(count == Double(uses.count { $0 == use }), "seed \(seed), \(preset.name)")
        }
      }
    }
  }

  private static func random(_ random: inout SeededGenerator) -> Trace {
    var (rows, second, north) = ([(Double, Double, Double)](), 0.0, 0.0)
    let accuracies: [Double] = [3, 5, 15, 19, 20, 49, 50, 51, 200, -1, .nan]
    for _ in 0..<Int(random.unit() * 200) {
      second += random.unit() < 0.05 ? -2 : (random.unit() * 3).rounded()
      north += random.unit() < 0.1 ? random.normal() * 400 : random.unit() * 4
      if random.unit() < 0.03 { north = .nan }
      let index = random.unit() < 0.6 ? 1 : Int(random.unit() * Double(accuracies.count))
      rows.append((second, north, accuracies[index]))
      if north.isNaN { north = 0 }
    }
    var (pauses, start) = ([ClosedRange<Double>](), 5.0)
    while random.unit() < 0.5 {
      pauses.append(start...(start + 10 * random.unit()))
      start = pauses[pauses.count - 1].upperBound + 20 * random.unit()
    }
    let places = (0..<Int32(random.unit() * 4)).map { id in
      Place(
        id: id, latitude: 46 + Double(id) * 60 / 111_160, longitude: 14,
        radius: random.unit() < 0.2 ? .nan : 30, rank: id)
    }
    return trace(rows, pauses: pauses, places: places)
  }
}
