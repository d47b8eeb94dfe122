import Pacing
import Replay
import TestSupport
import Testing
import TraceModel

private func terms(_ devices: Int) -> TimingTerms {
  TimingTerms(periods: [.userAcceleration: 1e7], devices: devices)
}

private func record(
  _ recorder: inout TimingRecorder, _ device: Int, count: Int, late: Int,
  by lateness: Int64 = 2_000_000, missed: Int = 0
) {
  for index in 0..<count {
    recorder.record(
      timing(
        due: 0, began: index < missed ? 10_000_001 : index < late ? lateness : 0, device: device))
  }
}

@Suite struct WorstDeviceTests {
  @Test func aDeviceThatIsAlwaysLateIsFound() throws {
    var recorder = TimingRecorder(terms(50))
    for device in 0..<50 {
      record(&recorder, device, count: 200, late: device == 32 ? 20 : device % 2)
    }
    let verdict = TimingVerdict(recorder)
    // 45 of 10,000 are late: together they are valid.
    #expect(verdict.all.count == 10_000 && verdict.all.late == 45 && verdict.lateness == 0)
    #expect(verdict.faults == [.device] && verdict.outcome == .invalid)
    let worst = try #require(verdict.worstDevice)
    #expect(worst.device == 32 && worst.devices == 50 && worst.isShown)
    #expect(worst.counts.late == 20 && worst.counts.count == 200)
    #expect(worst.counts.longest == 2_000_000)
  }

  @Test func aDeviceThatMissesIsFound() throws {
    var recorder = TimingRecorder(terms(20))
    for device in 0..<20 {
      record(&recorder, device, count: 500, late: 0, missed: device == 7 ? 8 : 0)
    }
    let verdict = TimingVerdict(recorder)
    #expect(verdict.faults == [.device])
    #expect(verdict.worstDevice?.device == 7 && verdict.worstDevice?.counts.missed == 8)
  }

  /// 20 deliveries of a device cannot show a share of 1 % unless four are late.
  @Test func fewDeliveriesOfADeviceShowLittle() {
    for (late, isShown) in [(1, false), (3, false), (4, true)] {
      var recorder = TimingRecorder(terms(100))
      for device in 0..<100 {
        record(&recorder, device, count: 20, late: device == 0 ? late : 0)
      }
      let verdict = TimingVerdict(recorder)
      #expect(verdict.worstDevice?.device == 0 && verdict.worstDevice?.isShown == isShown)
      #expect(verdict.outcome == (isShown ? .invalid : .valid), "\(late)")
    }
  }

  @Test func theWorstIsTheLeastProbableThenTheLatest() {
    var recorder = TimingRecorder(terms(4))
    record(&recorder, 0, count: 1, late: 1)  // 100 %, but one
    record(&recorder, 1, count: 1000, late: 40)
    record(&recorder, 2, count: 1000, late: 40, by: 3_000_000)
    record(&recorder, 3, count: 1000, late: 40, by: 3_000_000)
    #expect(TimingVerdict(recorder).worstDevice?.device == 2)
  }

  @Test func thereIsNoWorstOfOneOrOfNoneLate() {
    var one = TimingRecorder(terms(1))
    record(&one, 0, count: 1000, late: 500)
    #expect(TimingVerdict(one).worstDevice == nil)
    var calm = TimingRecorder(terms(2))
    for device in 0..<2 { record(&calm, device, count: 1000, late: 0) }
    #expect(TimingVerdict(calm).worstDevice == nil)
  }

  @Test func countsAreThoseOfEachDevice() {
    var random = SeededGenerator(seed: 4)
    // More devices than were announced.
    var recorder = TimingRecorder(terms(3))
    var expected = Array(repeating: TimingCounts(), count: 7)
    for _ in 0..<1000 {
      let device = Int(random.next() % 7)
      let readings = 1 + Int(random.next() % 3)
      let isMissed = random.next() % 5 == 0
      let late = Int64(random.next() % 3_000_000) + (isMissed ? 10_000_001 : 0)
      let isDeadline = random.next() % 4 == 0
      recorder.record(
        timing(
          due: 0, began: late, readings: readings, kind: isDeadline ? .wake : nil, device: device))
      let count = isDeadline ? 1 : readings
      expected[device].count += count
      if late > 1_000_000 {
        expected[device].late += count
        expected[device].longest = max(expected[device].longest, late)
      }
      if isMissed { expected[device].missed += count }
    }
    #expect(recorder.devices == expected)
  }

  /// The worst of many equal devices does not make a valid run invalid: with every delivery late with
  /// the same probability, just below the limit, at most 5 % of runs have a device beyond chance.
  @Test(.longer) func equalDevicesRaiseNoAlarm() {
    let runs = LongTests.count(quick: 20, long: 2000)
    var random = SeededGenerator(seed: 12)
    var alarms = 0
    var naive = 0
    for _ in 0..<runs {
      var recorder = TimingRecorder(terms(20))
      for device in 0..<20 {
        let late = (0..<200).count { _ in random.unit() < 0.01 }
        record(&recorder, device, count: 200, late: late)
      }
      let verdict = TimingVerdict(recorder)
      if verdict.worstDevice?.isShown == true { alarms += 1 }
      if verdict.worstDevice.map({ $0.counts.late > 2 }) == true { naive += 1 }
    }
    // Two standard errors above 5 %.
    let limit = 0.05 + 2 * (0.05 * 0.95 / Double(runs)).squareRoot()
    #expect(Double(alarms) <= limit * Double(runs), "\(alarms) of \(runs)")
    // Each device's own 99th percentile would have raised an alarm nearly every time.
    #expect(Double(naive) >= 0.9 * Double(runs), "\(naive) of \(runs)")
  }
}
