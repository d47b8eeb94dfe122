import Detectors
import Histogram
import Pacing
import Replay
import TestSupport
import Testing
import TraceModel

/// 100 Hz, of which 10 % is 1 ms, and heartbeats every 1.5 s.
private let terms = TimingTerms(periods: [.userAcceleration: 1e7, .heartbeat: 1.5e9])

private let millisecond: Int64 = 1_000_000

private func verdict(
  _ lateness: [Int64], missed: Int = 0, readings: Int = 1, terms: TimingTerms = terms,
  deadlines: [Int64] = [], ofChannel channel: Channel = .heartbeat
) -> TimingVerdict {
  var recorder = TimingRecorder(terms)
  for (index, late) in lateness.enumerated() {
    // Missed is what comes later than a period.
    let began = index < missed ? 10 * millisecond + 1 : late
    recorder.record(timing(due: 0, began: began, readings: readings))
  }
  for late in deadlines {
    recorder.record(timing(due: 0, began: late, kind: .wake, channel: channel))
  }
  return TimingVerdict(recorder)
}

private func times(_ count: Int, _ lateness: Int64 = 0) -> [Int64] {
  Array(repeating: lateness, count: count)
}

@Suite struct TimingVerdictTests {
  struct Case: Sendable {
    var lateness: [Int64]
    var missed = 0
    var faults: [TimingVerdict.Fault] = []
    var outcome: TimingVerdict.Outcome?
  }

  // Of 1,000 deliveries ten may be late. With 0.1 % missed ones, 3 or more are missed with 8 %, and 4 with
  // 1.9 %; of 462, one with 37 %.
  static let cases: [Case] = [
    Case(lateness: times(1000, 1_000_000)),
    Case(lateness: times(1000, 1_000_001), faults: [.late]),
    Case(lateness: times(990) + times(10, 9_000_000)),
    Case(lateness: times(989) + times(11, 9_000_000), faults: [.late]),
    Case(lateness: times(1000), missed: 1),
    Case(lateness: times(1000), missed: 3),
    Case(lateness: times(1000), missed: 4, faults: [.missed]),
    Case(lateness: times(462), missed: 1),
    Case(lateness: times(462), missed: 3, faults: [.missed]),
    // 0.99^299 < 5 % < 0.99^298.
    Case(lateness: times(299), outcome: .valid),
    Case(lateness: times(298), outcome: .insufficient),
    Case(lateness: times(1), outcome: .insufficient),
    // With 1 % late ones, 6 or more of 298 are late with 8.1 %, and 7 with 3.2 %.
    Case(lateness: times(292) + times(6, 2_000_000), outcome: .insufficient),
    Case(lateness: times(291) + times(7, 2_000_000), faults: [.late]),
    // One of 6 is late with 5.9 %, one of 5 with 4.9 %.
    Case(lateness: times(5) + [2_000_000], outcome: .insufficient),
    Case(lateness: times(4) + [2_000_000], faults: [.late]),
    // With 0.1 % missed ones, one of 52 is missed with 5.1 %, one of 51 with 4.97 %.
    Case(lateness: times(52), missed: 1, outcome: .insufficient),
    Case(lateness: times(51), missed: 1, faults: [.missed]),
  ]

  @Test(arguments: cases.indices)
  func verdictsKeepTheirLimits(index: Int) {
    let row = TimingVerdictTests.cases[index]
    let verdict = verdict(row.lateness, missed: row.missed)
    #expect(verdict.faults == row.faults)
    #expect(verdict.outcome == row.outcome ?? (row.faults.isEmpty ? .valid : .invalid))
    #expect((verdict.lateness == nil) == (row.lateness.count < 299))
  }

  @Test func saysWhatItRestsOn() {
    #expect(
      verdict(times(100), missed: 1, deadlines: [0]).text() == """
        timing INSUFFICIENT: 1 of 101 late at 101 instants, 1000.0 us allowed (10.0 % of the period \
        of 10.00 ms); a verdict needs 299 instants
        1 of 101 missed, 0.10 % allowed; no more than chance explains
        deadlines alone: 0 of 1 late, 0 missed
        """)
    #expect(
      verdict(times(1000, 2_000_000)).text() == """
        timing INVALID: p99 lateness 2000.0 us of 1000, 1000.0 us allowed (10.0 % of the period of \
        10.00 ms)
        0 of 1000 missed, 0.10 % allowed
        """)
    // A table has no p99 of fewer than 1,000, so neither has the text.
    #expect(
      verdict(times(598, 2_000_000)).text().hasPrefix(
        "timing INVALID: 598 of 598 late at 598 instants, 1000.0 us allowed"))
    var recorder = TimingRecorder(TimingTerms(periods: [.userAcceleration: 1e7], devices: 2))
    for index in 0..<400 {
      recorder.record(
        timing(due: 0, began: index < 4 ? 2_000_000 : 0, device: index % 2))
    }
    #expect(
      TimingVerdict(recorder).text(names: ["left", "right"]).hasSuffix(
        "\nworst of 2 devices: 0 (left), 2 of 200 late, at most 2000.0 us, 0 missed; no more than "
          + "chance explains"))
    let changed = TimingVerdict(recorder, hasOnePeriod: false)
    #expect(changed.text() == "timing NOT JUDGED: the rate was changed")
  }

  /// The readings of a batch are late together.
  @Test func aBatchIsOneInstant() {
    let few = verdict(times(10), readings: 100)
    #expect(few.instants == 10 && few.all.count == 1000 && few.outcome == .insufficient)
    #expect(few.lateness == nil)
    let late = verdict(times(9) + [2_000_000], readings: 100)
    #expect(late.all.late == 100 && late.outcome == .insufficient)
    #expect(verdict(times(4) + [2_000_000], readings: 100).faults == [.late])
    #expect(verdict(times(299), readings: 100).outcome == .valid)
  }

  @Test func whatHasNothingToBeComparedWithIsNotJudged() {
    let nothing = verdict([])
    #expect(nothing.outcome == .notJudged && nothing.faults.isEmpty)
    #expect(nothing.lateness == nil && nothing.all.missedShare == nil)
    #expect(verdict([1_000_000_000], terms: TimingTerms()).outcome == .notJudged)
    var recorder = TimingRecorder(terms)
    for _ in 0..<1000 { recorder.record(timing(due: 0, began: 1_000_000_000)) }
    #expect(TimingVerdict(recorder, hasOnePeriod: false).outcome == .notJudged)
    #expect(TimingVerdict(recorder).outcome == .invalid)
  }

  // MARK: Deadlines

  @Test func deadlinesAreDeliveries() {
    // In the number that is needed, in the 99th percentile, and in what was missed.
    #expect(verdict(times(200), deadlines: times(99)).outcome == .valid)
    #expect(verdict([], deadlines: times(299)).outcome == .valid)
    #expect(verdict([], deadlines: times(298)).outcome == .insufficient)
    #expect(verdict(times(995), deadlines: times(5) + times(5, 2_000_000)).lateness == 0)
    #expect(
      verdict(times(600), deadlines: times(400) + times(11, 2_000_000)).faults
        == [.late, .lateDeadlines])
    #expect(verdict(times(99), deadlines: times(3, 1_500_000_001)).faults.contains(.missed))
  }

  /// A deadline is missed from one period of its own channel on.
  @Test func aDeadlineIsMissedAfterAPeriodOfItsChannel() {
    func missed(_ lateness: Int64, _ channel: Channel) -> Int {
      verdict([], deadlines: [lateness], ofChannel: channel).deadlines.missed
    }
    #expect(missed(1_500_000_000, .heartbeat) == 0 && missed(1_500_000_001, .heartbeat) == 1)
    #expect(missed(10_000_000, .userAcceleration) == 0)
    #expect(missed(10_000_001, .userAcceleration) == 1)
    // A channel without a period: the shortest.
    #expect(missed(10_000_000, .action) == 0 && missed(10_000_001, .action) == 1)
  }

  @Test func readingsDoNotHideDeadlines() {
    let many = times(5000)
    #expect(verdict(many, deadlines: times(100)).outcome == .valid)
    #expect(verdict(many, deadlines: times(100) + [7_100_000_000]).faults == [.missedDeadlines])
    #expect(verdict(many, deadlines: times(5) + [2_000_000]).outcome == .valid)
    #expect(verdict(many, deadlines: times(4) + [2_000_000]).faults == [.lateDeadlines])
    #expect(verdict(many, deadlines: times(300) + times(3, 2_000_000)).outcome == .valid)
    #expect(
      verdict(many, deadlines: times(300) + times(4, 2_000_000)).faults == [.lateDeadlines])
  }
}

// MARK: Irregular channels

extension TimingVerdictTests {
  /// 20 runs of 90 s at random instants, 5 to 15 a second, on an idle machine: most steps are late by up to
  /// 0.4 ms, one in 500 by up to 5 ms. The next instant is often nearer than that. With a stall of 2 s
  /// each of them is invalid.
  @Test(arguments: [false, true]) func irregularRunsAreValidWithoutAStall(isStalled: Bool) {
    var random = SeededGenerator(seed: 46)
    for _ in 0..<20 {
      let rate = random.uniform(5...15)
      var times: [Int64] = []
      while times.last ?? 0 < 90_000 * millisecond {
        let wait = -1e9 * Math.log(1 - random.unit()) / rate
        times.append((times.last ?? 0) + max(1, Int64(wait)))
      }
      let gaps = zip(times, times.dropFirst()).map { Double($1 - $0) }.sorted()
      let period = gaps[gaps.count / 2]
      var recorder = TimingRecorder(TimingTerms(periods: [.heartbeat: period]))
      let end = 46_000 * millisecond
      for due in times {
        let worst = random.unit() < 0.002 ? 5.0 : 0.4
        var began = due + Int64(random.uniform(0...worst) * 1e6)
        if isStalled, due > end - 2_000 * millisecond, due < end { began = end }
        recorder.record(timing(due: due, began: began, channel: .heartbeat))
      }
      let verdict = TimingVerdict(recorder)
      #expect(verdict.outcome == (isStalled ? .invalid : .valid), "\(verdict.text())")
    }
  }
}

// MARK: A stall

/// Shows the time for which it was waited.
private final class WaitingClock: PacingClock, @unchecked Sendable {
  private var time: Int64 = 0

  func now() -> Int64 { time }
  func wait(until instant: Int64) { time = max(time, instant) }
}

private struct VerdictObserver: PacingObserver {
  var timing: TimingRecorder
  var suspicions: [Int64] = []

  mutating func stepped(_ timing: StepTiming) {
    self.timing.record(timing)
    if timing.step.kind == .wake { suspicions.append(timing.lateness) }
  }
}

extension TimingVerdictTests {
  /// Ten minutes of heartbeats every 1.5 s, then silence. The detector suspects the peer 6 s after the
  /// last heartbeat; the player stands still for 12 s from 1.1 s after it on.
  private func stalled(_ stalls: [Stall]) throws -> VerdictObserver {
    var beats = HeartbeatColumns()
    for beat in 0..<400 {
      let time = Int64(beat) * 1_500 * millisecond
      beats.append(
        Heartbeat(peer: 1, sequence: Int64(beat)), measured: time, arrived: time)
    }
    var trace = Trace(header: TraceHeader(id: "presence", origin: .synthetic))
    trace.header.end = TraceInstant(nanoseconds: 640_000 * millisecond)
    trace.set(.heartbeat(beats), for: .heartbeat)
    let made = trace
    let observer = VerdictObserver(
      timing: TimingRecorder(TimingTerms(periods: [.heartbeat: 1.5e9])))
    var run = PacedRun(
      PacingOptions(stalls: stalls), window: .zero..<made.header.end, clock: WaitingClock(),
      observer: observer
    ) { _ in
      Timeline([
        try DeviceStream(
          PresenceDetector.self, PresenceDetector.presets[0].parameters(for: made.header),
          on: MemorySource(made), options: RunOptions(blockSize: .max))
      ])
    }
    _ = try run.play()
    return run.observer
  }

  @Test func aSuspicionThatAStallDelaysIsMissed() throws {
    let calm = try stalled([])
    #expect(calm.suspicions == [0])
    #expect(TimingVerdict(calm.timing).outcome == .valid)

    let last = Duration.milliseconds(399 * 1500)
    let stall = Stall(at: last + .milliseconds(1100), length: .seconds(12))
    let played = try stalled([stall])
    #expect(played.suspicions == [7_100 * millisecond])
    // No reading is late or missed, so deliveries alone are valid.
    #expect(played.timing.lateness.maxRecorded == 0 && played.timing.missed == 0)
    #expect(played.timing.deliveries == 400)
    let verdict = TimingVerdict(played.timing)
    #expect(verdict.outcome == .invalid)
    #expect(verdict.faults == [.lateDeadlines, .missedDeadlines])
    #expect(verdict.deadlines.longest == 7_100 * millisecond)
  }
}
