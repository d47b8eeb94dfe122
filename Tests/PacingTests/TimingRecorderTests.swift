import Histogram
import Pacing
import Replay
import Testing
import TraceModel

func timing(
  due: Int64, began: Int64, ended: Int64? = nil, readings: Int = 1,
  kind: StreamStep.Kind? = nil, time: TraceInstant? = nil, device: Int = 0,
  channel: Channel = .userAcceleration
) -> StepTiming {
  StepTiming(
    step: StreamStep(
      kind: kind ?? .readings(readings), device: DeviceID(device), channel: channel,
      time: time ?? TraceInstant(nanoseconds: due), following: nil),
    due: due, began: began, ended: ended ?? began, isMissed: false)
}

@Suite struct TimingRecorderTests {
  @Test func holdsEverythingAgainstTheSchedule() {
    var recorder = TimingRecorder(TimingTerms(periods: [.userAcceleration: 500]))
    recorder.record(timing(due: 100, began: 150, ended: 175))
    recorder.record(timing(due: 200, began: 1200, ended: 1201, readings: 3))
    recorder.record(timing(due: 900, began: 1300, kind: .wake))
    recorder.record(timing(due: 950, began: 1400, kind: .action))
    // The trace's end is no delivery.
    recorder.record(timing(due: 950, began: 1400, kind: .end))
    #expect(recorder.deliveries == 5 && recorder.missed == 3)
    #expect(recorder.deadlines.count == 1 && recorder.instants == 4)
    #expect(recorder.lateness.totalCount == 5)
    #expect(recorder.lateness.maxRecorded == 1000 && recorder.lateness.min == 50)
    #expect(recorder.service.maxRecorded == 25)
    #expect(recorder.response.maxRecorded == 1001)
    #expect(recorder.wakeLateness.maxRecorded == 400)
    // From 100 to 950 of the trace, in 150 to 1400 of the clock.
    #expect(recorder.achievedRate == 850.0 / 1250)
  }

  // HdrHistogram keeps three digits: nearest-rank percentiles within a thousandth.
  @Test func percentilesAgreeWithSortedValues() {
    var random = SeededGenerator(seed: 9)
    var recorder = TimingRecorder()
    var values: [Int64] = []
    for index in 0..<20_000 {
      let late = Int64(Math.exp(random.uniform(0...18)))
      values.append(late)
      recorder.record(timing(due: Int64(index), began: Int64(index) + late))
    }
    values.sort()
    for percentile in [50.0, 90, 99, 99.9] {
      let rank = Int((percentile / 100 * 20_000).rounded(.up)) - 1
      let found = Double(recorder.lateness.supported(percentile: percentile) ?? 0)
      #expect(abs(found - Double(values[rank])) <= 0.001 * Double(values[rank]) + 1)
    }
    #expect(recorder.lateness.supported(percentile: 99.99) == nil)
  }

  /// What is counted in flat buckets is what the library itself records.
  @Test func theCountsAreThoseOfTheLibrary() {
    var random = SeededGenerator(seed: 4)
    let edges: [Int64] = [
      -5, 0, 1, 1023, 1024, 2047, 2048, 2049, 4095, 4096, .max, 3_600_000_000_000,
    ]
    for values in [edges, [0], [7], [5000, 5001], []]
      + [100, 3000].map({ count in
        (0..<count).map { _ in Int64(Math.exp(random.uniform(0...30))) }
      })
    {
      var recorder = TimingRecorder()
      var library = Histogram<UInt64>(
        lowestDiscernibleValue: 1, highestTrackableValue: 3_600_000_000_000,
        numberOfSignificantValueDigits: .three)
      for value in values {
        recorder.record(timing(due: 0, began: 0, ended: value))
        library.record(min(UInt64(clamping: value), 3_600_000_000_000))
      }
      var (own, expected) = ("", "")
      recorder.service.outputPercentileDistribution(to: &own, outputValueUnitScalingRatio: 1)
      library.outputPercentileDistribution(to: &expected, outputValueUnitScalingRatio: 1)
      #expect(own == expected)
      guard !values.isEmpty else { continue }
      #expect(recorder.service.maxRecorded == library.maxRecorded)
      #expect(recorder.service.min == library.min)
      #expect(recorder.service.minNonZero == library.minNonZero)
    }
  }

  @Test func percentilesNeedTenCountsAbove() {
    func supported(_ count: Int, _ percentile: Double) -> Bool {
      var recorder = TimingRecorder()
      for index in 0..<count {
        recorder.record(timing(due: Int64(index), began: Int64(index)))
      }
      return recorder.lateness.supported(percentile: percentile) != nil
    }
    #expect(!supported(19, 50) && supported(20, 50))
    #expect(!supported(999, 99) && supported(1000, 99))
    #expect(!supported(9999, 99.9) && supported(10_000, 99.9))
  }

  @Test func longTimesCountAsTheLongest() {
    var recorder = TimingRecorder()
    recorder.record(timing(due: 0, began: .max))
    #expect(recorder.lateness.totalCount == 1)
    #expect(recorder.lateness.maxRecorded >= 3_590_000_000_000)
  }

  // Two passes over the same second, each in half a second, with a pause of ten between.
  @Test func theRateAchievedIsOfWhatWasPlayed() {
    var recorder = TimingRecorder()
    #expect(recorder.achievedRate == nil)
    for start: Int64 in [0, 10_500_000_000] {
      recorder.beginStretch()
      for half: Int64 in 0...2 {
        recorder.record(
          timing(
            due: start, began: start + half * 250_000_000,
            time: TraceInstant(nanoseconds: half * 500_000_000)))
      }
    }
    #expect(recorder.achievedRate == 2)
  }
}
