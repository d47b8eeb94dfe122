import Scoring
import Testing
import TraceModel

@Suite struct ExposureTests {
  private static let second: Int64 = 1_000_000_000

  /// Readings every 100 ms in some stretches, in seconds.
  private func trace(
    _ stretches: [Range<Int>], end: Int, channel: Channel = .userAcceleration,
    actions: [(Int, Action)] = []
  ) -> Trace {
    var header = TraceHeader(id: "t", origin: .recorded)
    header.end = TraceInstant(nanoseconds: Int64(end) * Self.second)
    var trace = Trace(header: header)
    var columns = VectorColumns()
    for stretch in stretches {
      for index in stretch.lowerBound * 10..<stretch.upperBound * 10 {
        let time = Int64(index) * 100_000_000
        columns.append(Vector3(x: 1, y: 0, z: 0), measured: time, arrived: time)
      }
    }
    trace.set(.vector(columns), for: channel)
    var performed = ActionColumns()
    for (time, action) in actions {
      let time = Int64(time) * Self.second
      performed.append(action, measured: time, arrived: time)
    }
    trace.set(.action(performed), for: .action)
    return trace
  }

  private func score(_ exposure: Exposure, zones: [ClosedRange<Int>] = []) -> EventScore {
    let second = TraceInstant(nanoseconds: Self.second)
    let detections = (1...3).map { index in
      DetectionRecord(
        onset: TraceInstant(nanoseconds: Int64(index) * Self.second), emitted: second, kind: "punch"
      )
    }
    return EventJudgement(
      references: [], detections: detections,
      ignoreZones: zones.map {
        IgnoreZone(
          onset: TraceInstant(nanoseconds: Int64($0.lowerBound) * Self.second),
          offset: TraceInstant(nanoseconds: Int64($0.upperBound) * Self.second))
      }, tolerance: .standard, exposure: exposure
    ).score
  }

  private func seconds(_ times: ExposureTimes) -> [Int64] {
    [times.length, times.recorded, times.fed, times.armed].map { $0 / Self.second }
  }

  /// The same minutes have the same rate, to the nanosecond, with the sensor off in between or after.
  @Test func sixMinutesInAnHour() {
    let contiguous = score(Exposure(of: trace([0..<360], end: 360), channel: .userAcceleration))
    #expect(contiguous.falseAlarms.estimate == 30)
    for stretches in [[0..<180, 3420..<3600], [0..<360], [3240..<3600], [100..<200, 300..<560]] {
      let exposure = Exposure(of: trace(stretches, end: 3600), channel: .userAcceleration)
      #expect(score(exposure).scoredNanoseconds == contiguous.scoredNanoseconds)
      #expect(score(exposure).falseAlarms == contiguous.falseAlarms)
      #expect(seconds(exposure.times) == [3600, 360, 360, 360])
      #expect(exposure.times.differ)
    }
    #expect(!contiguous.exposure.differ && contiguous.exposure.note == nil)
  }

  /// The parts overlap, and ignore zones overlap with them: no nanosecond is left out twice.
  @Test func allReasonsTogether() {
    let recorded = trace(
      [0..<100, 200..<400], end: 500,
      actions: [(50, .arm), (150, .disarm), (210, .arm), (220, .arm), (320, .disarm), (390, .arm)])
    let exposure = Exposure(
      of: recorded, channel: .userAcceleration,
      unfed: [90 * Self.second...230 * Self.second, 350 * Self.second...360 * Self.second]
    ).armed(by: recorded[.action].flatMap { ActionColumns($0) })
    // Recorded: 0-100, 200-400. Fed: 0-90, 230-350, 360-400. Armed: 50-90, 230-320, 390-400.
    #expect(seconds(exposure.times) == [500, 300, 250, 140])
    #expect(
      exposure.times.note == "0.083 of 0.139 recorded, 0.069 delivered, 0.039 while listening")
    // Without 60-70, 310-330 and what does not count anyway.
    let score = score(exposure, zones: [60...70, 100...150, 310...330])
    #expect(score.scoredNanoseconds == 120 * Self.second)
    #expect(score.counts.falsePositives == 3, "events outside the exposure count as ever")
  }

  @Test func arming() {
    let hour = trace([0..<3600], end: 3600)
    let exposure = Exposure(of: hour, channel: .userAcceleration)
    #expect(seconds(exposure.armed(by: nil).times)[3] == 3600)
    #expect(seconds(exposure.armed(by: ActionColumns()).times)[3] == 0)
    let actions = trace(
      [], end: 0, actions: [(-5, .arm), (10, .disarm), (20, .disarm), (3590, .arm)])
    let columns = actions[.action].flatMap { ActionColumns($0) }
    #expect(seconds(exposure.armed(by: columns).times)[3] == 20)
    // On an axis that begins 100 s before the recording.
    let zero = TraceInstant(nanoseconds: 100 * Self.second)
    #expect(seconds(exposure.armed(by: columns, zero: zero).times)[3] == 110)
  }

  /// Messages come when something happens, so their silence is no time without a sensor.
  @Test func heartbeatsAreRecordedAlways() {
    var header = TraceHeader(id: "t", origin: .recorded)
    header.end = TraceInstant(nanoseconds: 100 * Self.second)
    var trace = Trace(header: header)
    var beats = HeartbeatColumns()
    for time in [0, 1, 2, 60] {
      beats.append(
        Heartbeat(peer: 1), measured: Int64(time) * Self.second, arrived: Int64(time) * Self.second)
    }
    trace.set(.heartbeat(beats), for: .heartbeat)
    let slept = Exposure(
      of: trace, channel: .heartbeat, unfed: [30 * Self.second...80 * Self.second])
    #expect(seconds(slept.times) == [100, 100, 50, 50])

    let present = ReferenceEvent(
      onset: TraceInstant(nanoseconds: 20 * Self.second),
      offset: TraceInstant(nanoseconds: 60 * Self.second), place: 1)
    let quality = PresenceQuality(references: [present], detections: [], exposure: slept)
    #expect(quality.presentNanoseconds == 40 * Self.second)
    #expect(quality.scoredNanoseconds == 10 * Self.second)
    #expect(seconds(quality.exposure) == [40, 40, 10, 10])
    #expect(quality.queryAccuracy == 0, "a share of all presence")
  }

  @Test func withoutReadings() {
    let none = Exposure(of: trace([], end: 3600), channel: .userAcceleration)
    #expect(seconds(none.times) == [3600, 0, 0, 0])
    #expect(score(none).falseAlarms.estimate == nil)
    let missing = Exposure(of: trace([], end: 3600), channel: .location)
    #expect(missing.times.recorded == 0)
    let negative = Exposure(of: trace([0..<1], end: -5), channel: .userAcceleration)
    #expect(seconds(negative.times) == [0, 0, 0, 0])
  }
}
