import Reports
import Detectors
import Foundation
import Replay
@testable import Evaluation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

@testable import Harness

/// Violates determinism: the detector reports the time of its call.
struct WallClockDetector: Detector {
  struct Event: DetectionEvent {
    var kind: String { "punch" }
    var value: Double
  }
  struct Parameters: Sendable, Equatable, Codable {}
  static let name = "wallclock"
  static let channel = Channel.userAcceleration
  static let task = ReferenceTask.punch
  static var parameterFields: [ParameterField<Parameters>] { [] }
  static var presets: [DetectorPreset<Parameters>] {
    [DetectorPreset("default", summary: "", Parameters())]
  }
  private let start = ContinuousClock.now
  private var count = 0

  init(_ parameters: Parameters, places: [Place]) {}

  mutating func ingest(
    _ input: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<Event>]
  ) {
    count += 1
    guard count == 1000 else { return }
    let elapsed = Double((ContinuousClock.now - start).nanoseconds)
    detections.append(Detection(onset: measured, emitted: arrived, event: Event(value: elapsed)))
  }
}

@Suite struct DeterminismTests {
  private let scratch: Scratch
  private let registry: DetectorRegistry

  init() throws {
    scratch = try Scratch()
    var registry = DetectorRegistry.builtIn
    registry.register(WallClockDetector.self)
    self.registry = registry
    try Self.made.copy(to: scratch)
  }

  private static let made = MadeFiles([
    "synth punches --duration 60s -o punch-1.h5",
    "synth punches --subject 4 --hand left --duration 60s --hold-to-arm -o punch-4.h5",
    "synth route --subject 2 -o route-2.h5", "synth track-run -o track-1.h5",
    "synth presence --duration 600s -o presence-1.h5",
  ])

  private func suite(_ entries: [String]) throws -> Suite {
    let text = """
      schema: shadowbox-suite/1
      traces:
        punches: ["punch-*.h5"]
        route: ["route-*.h5"]
        runs: ["track-*.h5"]
        groups: ["presence-*.h5"]
      entries:
      \(entries.map { "  - \($0)" }.joined(separator: "\n"))
      """
    try scratch.write(text, to: "suite.yml")
    return try SuiteParser.read(scratch.path("suite.yml"), registry: registry)
  }

  private func runner(
    of suite: Suite, threads: Int = 1, batchSize: Int = 4096
  ) -> SuiteRunner {
    SuiteRunner(
      suite: suite, registry: registry, loader: NativeTraceLoader(), threads: threads,
      batchSize: batchSize)
  }

  @Test(.longer) func theLogIsTheSameForEveryBatchSizeAndThreadCountAndTwiceInARow() async throws {
    let suite = try suite(
      ["default", "hitThat", "hitThatCards"].map {
        "{detector: punch, preset: \($0), traces: punches}"
      } + ["default", "tri", "raw"].map { "{detector: track, preset: \($0), traces: runs}" }
        + ["default", "goHike"].map {
          "{detector: checkin, preset: \($0), traces: route, policy: {cancel: 0.3, spread: 0.5}}"
        }
        + ["default", "ticChatToe", "phi"].map {
          "{detector: presence, preset: \($0), traces: groups}"
        })
    var hashes: Set<String> = []
    // In the quick run each size, each number of threads, and one twice.
    let batches = [(1, 2), (7, 1), (4096, 1), (4096, 1)]
    let others = [(1, 1), (7, 2), (4096, 2), (4096, 2)]
    for (batchSize, threads) in batches + (LongTests.areWanted ? others : []) {
      let runs = try await runner(of: suite, threads: threads, batchSize: batchSize).run()
      #expect(runs.runs.count == 14)
      #expect(runs.runs.contains { !$0.detections.isEmpty })
      hashes.insert(SuiteLog.sha256(runs))
    }
    #expect(hashes.count == 1)
  }

  @Test func aDetectorThatReadsTheClockIsFoundOut() async throws {
    let suite = try suite(["{detector: wallclock, traces: punches}"])
    let runner = runner(of: suite)
    let difference = try await runner.firstDifference(from: runner.run())
    #expect(difference?.contains("not deterministic") == true, "\(difference ?? "nothing")")
    #expect(difference?.contains("wallclock/default") == true)
  }

  @Test func theBuiltInDetectorsPassTheSameCheck() async throws {
    let suite = try suite(["{detector: punch, traces: punches}"])
    let runner = runner(of: suite)
    #expect(try await runner.firstDifference(from: runner.run()) == nil)
  }
}
