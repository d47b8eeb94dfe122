import Detectors
import Evaluation
import Foundation
import Replay
import Results
import Diagnostics
import TestSupport
import Testing
import TraceModel

@testable import Reports
@testable import Results
@testable import TraceFormats

/// What `replay --picture` draws.
@Suite struct ReplayPictureTests {
  private struct Document: Decodable {
    struct Signal: Decodable {
      var times: [Double]
      var low: [Double]
      var high: [Double]
    }
    struct Mark: Decodable {
      var time: Double
      var height: Double
      var outcome: String?
      var position: [Double]?
    }
    struct Panel: Decodable {
      var title: String
      var start: Double
      var end: Double
      var threshold: Double?
      var signal: Signal?
      var path: [[Double]]?
      var events: [Mark]
      var references: [Mark]
    }
    var title: String
    var leftOut: Int
    var panels: [Panel]
  }

  private static let registry = DetectorRegistry.builtIn

  /// The picture of traces that are played from 5 s on.
  private func picture(
    _ detector: String, _ preset: String, _ traces: [Trace],
    window: (start: TraceInstant, end: TraceInstant?) = (.zero, nil)
  ) throws -> Document {
    let any = try Self.registry.detector(named: detector)
    let choice = DetectorChoice(detector: detector, preset: preset)
    let start = TraceInstant.zero.advanced(bySeconds: 5)
    let played = try PlayedTraces(
      traces.map { .init(trace: $0, start: start) }, window: window)
    var result = RunResult()
    for (index, trace) in traces.enumerated() {
      let own = try any.bound(choice, for: trace.header).run(on: MemorySource(trace))
      result.detections += own.detections.map { record in
        var record = record
        record.device = DeviceID(index)
        record.onset = record.onset.advanced(bySeconds: 5)
        record.emitted = record.emitted.advanced(bySeconds: 5)
        return record
      }
    }
    let picture = try ReplayPicture(of: result, played, any, choice).picture
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Document.self, from: Data(jsonText(picture.document).utf8))
  }

  private func trace(_ name: String) throws -> Trace {
    try NativeTrace.read(Fixtures.traces.appending(path: "synthetic/\(name).h5").path)
  }

  /// The outcomes are those of `run`, and the envelope has the highest peak.
  @Test func marksAreTheOutcomesOfARun() throws {
    let scratch = try Scratch()
    let file = Fixtures.traces.appending(path: "synthetic/punch-s01-right.h5").path
    let run = try Program.run(
      ["run", file, "--detector", "punch/magnitude", "-o", "r.h5", "--errors", "e.csv"],
      in: scratch.url)
    try #require(run.status == 0, "\(run.errors)")
    let errors = try scratch.text(of: "e.csv").split(separator: "\n").dropFirst()
    let trace = try trace("punch-s01-right")
    let document = try picture("punch", "magnitude", [trace])
    let panel = try #require(document.panels.first)
    #expect(document.title == "punch/magnitude" && document.leftOut == 0)
    #expect(panel.threshold == 30 && panel.path == nil)
    let missed = panel.references.count { $0.outcome == "missed" }
    let wrong = panel.events.count { ["false_positive", "duplicate"].contains($0.outcome) }
    #expect(missed + wrong == errors.count && wrong > 0)
    let found = panel.events.count { $0.outcome == "true_positive" }
    let outcomes = "\(found) found, \(missed) missed; \(counted(wrong, "false alarm"))"
    #expect(panel.title == "\(trace.header.id): \(panel.references.count) references: \(outcomes)")
    let columns = try #require(trace[.userAcceleration].flatMap { VectorColumns($0) })
    let highest = columns.range.map { Double(columns[$0].magnitude) }.max()
    let signal = try #require(panel.signal)
    #expect(signal.high.max() == highest && signal.times.count <= 2001)
    #expect(zip(signal.low, signal.high).allSatisfy { $0 <= $1 })
    #expect(zip(signal.times, signal.times.dropFirst()).allSatisfy { $0 < $1 })
    for event in panel.events {
      let place = signal.times.firstIndex { $0 >= event.time } ?? signal.times.count - 1
      let near = signal.high[max(place - 1, 0)...min(place + 1, signal.high.count - 1)]
      #expect(event.height == (near.max() ?? 0) / (signal.high.max() ?? 0))
    }
  }

  /// A part has only what is in it, on the trace's own clock.
  @Test func aPartHasWhatIsInIt() throws {
    let trace = try trace("punch-s01-right")
    let whole = try picture("punch", "default", [trace]).panels[0]
    let window = (
      start: TraceInstant.zero.advanced(bySeconds: 25),
      end: Optional(TraceInstant.zero.advanced(bySeconds: 65))
    )
    let part = try picture("punch", "default", [trace], window: window).panels[0]
    #expect(part.start == 20 && part.end == 60)
    #expect(part.events.map(\.time) == whole.events.map(\.time).filter { (20...60).contains($0) })
    #expect(!part.references.isEmpty && part.references.count < whole.references.count)
  }

  @Test func aTrackIsAMap() throws {
    let trace = try trace("track-run-s01")
    let panel = try picture("track", "default", [trace]).panels[0]
    #expect(panel.signal == nil && panel.threshold == nil)
    let path = try #require(panel.path)
    #expect(path.count > 900 && path.allSatisfy { $0.count == 2 })
    #expect(!panel.events.isEmpty && panel.events.allSatisfy { $0.position != nil })
  }

  @Test func moreThanSixAreCounted() throws {
    let trace = try trace("fight-s01")
    let document = try picture("punch", "default", Array(repeating: trace, count: 8))
    #expect(document.panels.count == 6 && document.leftOut == 2)
  }

  @Test func whatCannotBeDrawnIsRefused() throws {
    let scratch = try Scratch()
    let trace = Fixtures.traces.appending(path: "synthetic/presence-s01.h5").path
    let outcome = try Program.run(["replay", trace, "--picture", "p.png"], in: scratch.url)
    #expect(outcome.status == 64 && outcome.errors.contains("reads heartbeat"), "\(outcome.errors)")
    #expect(scratch.names.isEmpty)
    let app = try Program.run(
      ["replay", "--app", "tictactoe", trace, "--picture", "p.png"], in: scratch.url)
    #expect(app.status == 64 && app.errors.contains("--picture"), "\(app.errors)")
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SHADOWBOX_PYTHON"] != nil))
  func isDrawn() throws {
    let scratch = try Scratch()
    for (name, detector) in [("fight-s01", "punch"), ("route-s01", "checkin")] {
      let trace = Fixtures.traces.appending(path: "synthetic/\(name).h5").path
      let outcome = try Program.run(
        ["replay", trace, "--detector", detector, "--picture", "\(name).png"], in: scratch.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let bytes = try scratch.bytes(of: "\(name).png")
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count > 20_000)
    }
  }
}
