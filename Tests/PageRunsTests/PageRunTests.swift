import Detectors
import Evaluation
import PageRuns
import Replay
import Scoring
import Synthesis
import TestSupport
import Testing
import TraceModel

/// A page's run of a packed trace against the program's own on the whole one.
@Suite struct PageRunTests {
  private static let registry = DetectorRegistry.builtIn

  /// Every detector with every preset, on a trace of its task.
  static let cases: [(detector: PageDetector, preset: String)] = PageDetector.allCases.flatMap {
    detector in
    ((try? registry.detector(named: detector.name, place: ""))?.presets ?? []).map {
      (detector, $0.name)
    }
  }

  /// Each made once.
  private static let traces = Result {
    let kinds: [PageDetector: ScenarioKind] = [
      .checkIn: .route, .track: .trackRun, .presence: .presence, .tileDrag: .drags,
    ]
    var traces = try kinds.mapValues { try CorpusFile.trace($0) }
    // A part is enough for the many presets.
    traces[.punch] = MadeTraces.trace(try ScenarioSpec(kind: .punches, duration: 80))
    return traces
  }

  /// The same, packed and unpacked.
  private static let packed = Result {
    try traces.get().mapValues { whole in
      try PackedTrace.trace(
        from: PackedTrace.bytes(of: whole, channels: whole.header.channels.map(\.channel)))
    }
  }

  @Test func everyDetectorOfTheLibraryIsThere() {
    #expect(
      Set(PageDetector.allCases.map(\.name)) == Set(Self.registry.names))
    #expect(Self.cases.count > 15)
    for detector in PageDetector.allCases {
      #expect(PageDetector(name: detector.name) == detector)
    }
    #expect(PageDetector(name: "exec:./mine") == nil)
  }

  @Test(arguments: cases)
  func equalsTheProgram(detector: PageDetector, preset: String) throws {
    let whole = try #require(Self.traces.get()[detector])
    let any = try Self.registry.detector(named: detector.name, place: "")
    let choice = DetectorChoice(detector: detector.name, preset: preset)
    let expected = try any.bound(choice, for: whole.header).run(on: MemorySource(whole))
    #expect(!expected.detections.isEmpty || preset == "light" || detector == .track)

    let values = try any.pageValues(of: choice, for: whole.header)
    let packed = try #require(Self.packed.get()[detector])
    let run = try detector.run(values, on: packed)
    #expect(run.detections == expected.detections)
    #expect(run.measurements == expected.measurements[DeviceID(0)] ?? [])
    #expect(run.settled == expected.settled.detections)
  }

  @Test func wrongValuesAreAnError() throws {
    let trace = try #require(Self.traces.get()[.punch])
    let any = try Self.registry.detector(named: "punch", place: "")
    var values = try any.pageValues(
      of: DetectorChoice(detector: "punch", preset: "default"), for: trace.header)
    #expect(throws: TraceError.self) { try PageDetector.punch.run([], on: trace) }
    values[0] = -1
    #expect(throws: TraceError.self) { try PageDetector.punch.run(values, on: trace) }
    values[0] = .nan
    #expect(throws: TraceError.self) { try PageDetector.punch.run(values, on: trace) }
    values[0] = 30
    values[1] = 17
    #expect(throws: TraceError.self) { try PageDetector.punch.run(values, on: trace) }
    values[1] = 0
    var deaf = trace
    deaf.remove(.userAcceleration)
    #expect(throws: TraceError.self) { try PageDetector.punch.run(values, on: deaf) }
  }
}
