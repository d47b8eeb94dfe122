import Replay
import Testing
import TraceModel

/// Shows what the test says. Each look costs `cost`, each wait comes `oversleep` late.
final class ScriptedClock: PacingClock, @unchecked Sendable {
  private(set) var time: Int64 = 1_000_000_000
  var cost: Int64 = 0
  var oversleep: Int64 = 0
  private(set) var waits: [Int64] = []

  func now() -> Int64 {
    time += cost
    return time
  }

  func wait(until instant: Int64) {
    waits.append(instant)
    time = max(time, instant + oversleep)
  }
}

private struct Recorder: PacingObserver {
  var timings: [StepTiming] = []
  var detections: [DetectionRecord] = []
  var stretches = 0
  /// What is wanted when so many steps have been made.
  var controls: [Int: [PlaybackControl]] = [:]
  var changes: [String] = []

  mutating func stretchBegan() { stretches += 1 }
  mutating func stepped(_ timing: StepTiming) { timings.append(timing) }
  mutating func detected(_ records: [DetectionRecord]) { detections += records }
  mutating func nextControl() -> PlaybackControl? {
    guard controls[timings.count]?.isEmpty == false else { return nil }
    return controls[timings.count]?.removeFirst()
  }
  mutating func changed(rate: Double, isPaused: Bool) {
    changes.append(isPaused ? "paused" : "\(rate)")
  }
}

private func milliseconds(_ value: Int64) -> TraceInstant {
  TraceInstant(nanoseconds: value * 1_000_000)
}

private func play(
  _ trace: Trace, _ options: PacingOptions = PacingOptions(), clock: ScriptedClock,
  controls: [Int: [PlaybackControl]] = [:], window: Range<TraceInstant>? = nil
) throws -> (result: PacedResult, observer: Recorder) {
  let window = window ?? .zero..<trace.header.end
  var run = PacedRun(
    options, window: window, clock: clock, observer: Recorder(controls: controls)
  ) { from in
    let part = trace.window(from: from, to: TraceInstant(nanoseconds: .max))
    return Timeline([
      try DeviceStream(
        SilenceDetector.self, .init(), on: MemorySource(part), options: .init(blockSize: .max))
    ])
  }
  let result = try run.play()
  return (result, run.observer)
}

/// Ten seconds at 100 Hz.
private let steady = trace(samples: (0..<1000).map { $0 * 10 }, end: 10_000)

@Suite struct PacedRunTests {
  @Test func findsWhatAVirtualRunFindsAtAnyRate() throws {
    let trace = trace(
      samples: [0, 500, 3000, 3000, 8000], actions: [(3000, .pause), (8500, .arm)], end: 9700)
    let expected = try VirtualRun<SilenceDetector>.run(.init(), on: MemorySource(trace))
    #expect(!expected.detections.isEmpty)
    for rate in [0.5, 1, 8, 32, 1e6] {
      let clock = ScriptedClock()
      clock.oversleep = 3_000_000
      clock.cost = 17
      let played = try play(trace, PacingOptions(rate: rate), clock: clock)
      #expect(played.result.last == expected, "rate \(rate)")
      #expect(played.observer.detections == expected.detections)
      #expect(played.result.passes == 1 && played.result.passesAgree)
    }
  }

  @Test func everyStepIsDueByTheScheduleAlone() throws {
    let clock = ScriptedClock()
    clock.oversleep = 40_000
    clock.cost = 100
    let start = clock.time + 100 + 20_000_000  // the look, and the lead
    let played = try play(steady, PacingOptions(rate: 2), clock: clock)
    let timings = played.observer.timings.filter { $0.step.kind != .end }
    #expect(timings.map(\.due) == (0..<1000).map { start + Int64($0) * 5_000_000 })
    // Late by the oversleep and the look after it; served in one look.
    #expect(timings.allSatisfy { $0.lateness == 40_100 && $0.service == 100 })
    #expect(timings.allSatisfy { $0.response == 40_200 && !$0.isMissed })
    // The trace's end, at which the dead man's switch has not fired yet, is waited for too.
    #expect(played.observer.timings.last?.step.kind == .end)
    #expect(played.observer.timings.last?.due == start + 5_000_000_000)
  }

  // A stall of 100 ms, 5 s after the start, delays the samples that were due in it: the one at
  // 5.00 s by 100 ms, at 5.01 by 90, ..., at 5.09 by 10, at 5.10 by nothing.
  @Test func aStallShowsInEveryResponseItDelayedAndInNoService() throws {
    let clock = ScriptedClock()
    let options = PacingOptions(stalls: [Stall(at: .seconds(5), length: .milliseconds(100))])
    let timings = try play(steady, options, clock: clock).observer.timings
      .filter { $0.step.kind != .end }
    let expected = (0..<1000).map { 500..<510 ~= $0 ? Int64(510 - $0) * 10_000_000 : 0 }
    #expect(timings.map(\.lateness) == expected)
    #expect(timings.map(\.response) == expected)
    #expect(timings.allSatisfy { $0.service == 0 })
    // Missed is what came later than the next sample was due: not the last one, which came when
    // the next was due.
    #expect(timings.indices.filter { timings[$0].isMissed } == Array(500..<509))
  }

  @Test func deadlinesAreWaitedFor() throws {
    let clock = ScriptedClock()
    let trace = trace(samples: [0, 100], end: 3000)
    let start = clock.time + 20_000_000
    let played = try play(trace, clock: clock)
    let gone = played.observer.timings.first { $0.step.kind == .wake }
    #expect(gone?.due == start + 1_100_000_000)
    #expect(gone?.step.time == milliseconds(1100))
    #expect(clock.time == start + 3_000_000_000)
  }

  @Test func passesFollowEachOtherOnTheSchedule() throws {
    let clock = ScriptedClock()
    clock.oversleep = 5000
    let start = clock.time + 20_000_000
    let trace = trace(samples: [200, 900], end: 2000)
    let played = try play(trace, PacingOptions(passes: 3), clock: clock)
    #expect(played.result.passes == 3 && played.result.passesAgree)
    #expect(played.observer.stretches == 3)
    let dues = played.observer.timings.filter { $0.step.kind == .readings(1) }
      .map { $0.due - start }
    // A pass plays from its first reading (0.2 s) to the trace's end: 1.8 s.
    #expect(dues == [0, 700, 1800, 2500, 3600, 4300].map { Int64($0) * 1_000_000 })
    #expect(played.result.last.detections.count == 1)
    #expect(played.observer.detections.count == 3)
  }

  @Test func pausedTimeDoesNotCountAsLateness() throws {
    let clock = ScriptedClock()
    let played = try play(
      steady, clock: clock,
      // Paused after 100 steps; the wait that the pause makes ends, and it goes on.
      controls: [100: [.togglePause, .togglePause]])
    #expect(played.observer.timings.allSatisfy { $0.lateness == 0 })
    #expect(played.observer.changes == ["paused", "1.0"])
    #expect(played.result.last.readings == 1000)
  }

  @Test func stopsAtTheTarget() throws {
    let played = try play(steady, clock: ScriptedClock(), controls: [250: [.stop]])
    #expect(played.result.wasStopped && played.result.passes == 0)
    #expect(played.result.last.readings == 250)
  }

  @Test func aJumpBeginsAnewThere() throws {
    let clock = ScriptedClock()
    let played = try play(steady, clock: clock, controls: [100: [.seek(by: .seconds(5))]])
    #expect(played.result.wasSought)
    let times = played.observer.timings.map(\.step.time)
    #expect(times[99] == milliseconds(990))
    // 0.99 s were played when it received the seek by 5 s.
    #expect(times[100] == milliseconds(5990))
    #expect(played.observer.timings.allSatisfy { $0.lateness == 0 })
    #expect(played.result.last.readings == 401)
  }

  @Test func jumpsStayWithinTheWindow() throws {
    let played = try play(
      steady, clock: ScriptedClock(),
      controls: [100: [.seek(by: .seconds(-50))], 200: [.seek(by: .seconds(500))]])
    let times = played.observer.timings.map(\.step.time)
    #expect(times[100] == .zero)
    // Nothing is left but the end.
    #expect(times[200] == steady.header.end && times.count == 201)
  }

  @Test func aNewRateShowsInTheSchedule() throws {
    let clock = ScriptedClock()
    let start = clock.time + 20_000_000
    let played = try play(steady, clock: clock, controls: [500: [.changeRate(by: 4)]])
    #expect(played.observer.changes == ["4.0"])
    #expect(played.observer.timings.allSatisfy { $0.lateness == 0 })
    // 4.99 s at 1 x, the rest of 10 s at 4 x.
    #expect(clock.time == start + 4_990_000_000 + 5_010_000_000 / 4)
  }

  @Test func windowsPlayTheirPart() throws {
    let clock = ScriptedClock()
    let window = milliseconds(2000)..<milliseconds(3000)
    var part = steady.window(from: window.lowerBound, to: window.upperBound)
    part.header.end = window.upperBound
    let played = try play(part, clock: clock, window: window)
    #expect(played.result.last.readings == 100)
    #expect(played.observer.timings.first?.step.time == milliseconds(2000))
    #expect(played.observer.timings.first?.lateness == 0)
  }
}
