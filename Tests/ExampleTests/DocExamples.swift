// swift-format-ignore-file
// Written by Tests/Python/check_examples.py --update.

import TraceModel
import Detectors
import Replay
import Scoring
import Evaluation
import Testing

/// The examples of doc comments.
@Suite struct DocExamples {
  @Test func tracemodel_Channel_1() throws {
    expect(Channel(name: Channel.location.name) == .location, "true")
  }

  @Test func tracemodel_Columns_1() throws {
    var columns = VectorColumns()
    columns.append(Acceleration(x: 3, y: 4, z: 0), measured: 0, arrived: 20_000_000)
    expect(columns[0].magnitude, "5.0")
    expect(columns.arrived(at: 0).seconds, "0.02")
  }

  @Test func tracemodel_Columns_2() throws {
    var fixes = FixColumns()
    fixes.append(Fix(latitude: 47.4, longitude: 8.5), measured: 0, arrived: 300_000_000)
    expect(fixes.firstPosition(arrivedAfter: .zero), "0")
    expect(fixes[0].latitude, "47.4")
  }

  @Test func tracemodel_Columns_3() throws {
    expect(ChannelBlock(emptyFor: .location) == .fix(FixColumns()), "true")
  }

  @Test func tracemodel_Detection_1() throws {
    let instant = TraceInstant(nanoseconds: 5)
    let detection = Detection(
      onset: .zero, emitted: instant, newestMeasured: .zero, event: PlainEvent("punch", value: 42))
    let record = DetectionRecord(detection, device: DeviceID(0))
    expect(record.kind, "punch")
    expect(record.deliveryWait, "5")
  }

  @Test func tracemodel_EpochTime_1() throws {
    expect(EpochTime.text(of: 86_400_000_000_000), "1970-01-02T00:00:00Z")
    expect(EpochTime.nanoseconds(of: "1970-01-02T00:00:00Z"), "86400000000000")
  }

  @Test func tracemodel_Reading_1() throws {
    expect(Vector3(x: 3, y: 4, z: 0).magnitude, "5.0")
  }

  @Test func tracemodel_Reading_2() throws {
    expect(Fix(latitude: 47.4, longitude: 8.5).altitude, "nan")
  }

  @Test func tracemodel_Reading_3() throws {
    expect(Action(name: "arm") == .arm, "true")
  }

  @Test func tracemodel_Reference_1() throws {
    let punch = ReferenceEvent(onset: .zero, label: "jab")
    expect(punch.offset == punch.onset, "true")
  }

  @Test func tracemodel_Reference_2() throws {
    let punches = ReferenceSet(task: .punch, events: [ReferenceEvent(onset: .zero)])
    expect(punches.events.count, "1")
    expect(punches.isOfDevice, "false")
  }

  @Test func tracemodel_SeededGenerator_1() throws {
    var (first, second) = (SeededGenerator(seed: 7), SeededGenerator(seed: 7))
    expect(first.next() == second.next(), "true")
  }

  @Test func tracemodel_TraceHeader_1() throws {
    var header = TraceHeader(id: "punch-1", origin: .recorded)
    header.end = TraceInstant(nanoseconds: 2_000_000_000)
    expect(header.duration, "2.0 seconds")
    expect(header.reference(.punch) == nil, "true")
  }

  @Test func tracemodel_TraceInstant_1() throws {
    let punch = TraceInstant.zero.advanced(bySeconds: 1.5)
    expect(punch.nanoseconds, "1500000000")
    expect(punch.duration(to: .zero), "-1.5 seconds")
  }

  @Test func tracemodel_TraceSource_1() throws {
    var columns = VectorColumns()
    columns.append(Acceleration(x: 0, y: 0, z: 9.8), measured: 0, arrived: 0)
    var trace = Trace(header: TraceHeader(id: "punch-1", origin: .recorded))
    trace.set(.vector(columns), for: .acceleration)
    expect(trace[.acceleration]?.count, "1")
    expect(trace[.location] == nil, "true")
  }

  @Test func tracemodel_TraceSource_2() throws {
    var columns = ActionColumns()
    for time: Int64 in [0, 5, 9] { columns.append(.arm, measured: time, arrived: time) }
    var trace = Trace(header: TraceHeader(id: "armed", origin: .synthetic))
    trace.set(.action(columns), for: .action)
    expect(try MemorySource(trace).nextBlock(of: .action, limit: 2)?.count, "2")
  }

  @Test func replay_DeliveryPreset_1() throws {
    expect(Delivery.preset(named: "ideal")?.delivery == Delivery(), "true")
  }

  @Test func replay_DeliveryReport_1() throws {
    let report = DeliveryReport(channels: [ChannelDelivery(channel: .location)])
    expect(report[.location]?.lost, "0")
    expect(report[.touch] == nil, "true")
  }

  @Test func replay_PacedRun_1() throws {
    let step = StreamStep(
      kind: .wake, device: DeviceID(0), channel: .location, time: .zero, following: nil)
    let timing = StepTiming(step: step, due: 10, began: 13, ended: 17, isMissed: false)
    expect(timing.lateness, "3")
    expect(timing.response, "7")
  }

  @Test func replay_PlaybackClock_1() throws {
    let clock = PlaybackClock(rate: 2, instant: .zero, at: 1_000_000_000)
    expect(clock.due(TraceInstant(nanoseconds: 4_000_000_000)), "3000000000")
    expect(clock.instant(at: 1_500_000_000).seconds, "1.0")
  }

  @Test func replay_VirtualRun_1() throws {
    var columns = VectorColumns()
    columns.append(Acceleration(x: 0, y: 0, z: 0), measured: 0, arrived: 0)
    var trace = Trace(header: TraceHeader(id: "still", origin: .synthetic))
    trace.set(.vector(columns), for: .userAcceleration)
    let parameters = PunchDetector.presets[0].parameters(for: trace.header)
    let result = try VirtualRun<PunchDetector>.run(parameters, on: MemorySource(trace))
    expect(result.readings, "1")
    expect(result.detections.isEmpty, "true")
  }

  @Test func scoring_Distributions_1() throws {
    expect(Distributions.normalQuantile(0.975), "1.959963984540054")
  }

  @Test func scoring_Distributions_2() throws {
    expect(Distributions.studentQuantile(0.975, degreesOfFreedom: 1), "12.7062047361747")
  }

  @Test func scoring_Distributions_3() throws {
    expect(Distributions.betaQuantile(0.025, 1, 10), "0.00252857854446178")
  }

  @Test func scoring_Distributions_4() throws {
    expect(Distributions.quantileRanks(of: 10, fraction: 0.5, level: 0.95), "2...9")
  }

  @Test func scoring_Sample_1() throws {
    expect(Sample.quantile(0.5, ofSorted: [1, 2, 4, 8]), "3.0")
  }

  @Test func scoring_Intervals_1() throws {
    expect(Proportion(successes: 5, trials: 10).interval, "0.2366 ... 0.7634")
  }

  @Test func scoring_Intervals_2() throws {
    expect(Proportion(successes: 5, trials: 10).exactInterval, "0.1871 ... 0.8129")
  }

  @Test func scoring_Intervals_3() throws {
    expect(PoissonRate(count: 0, hours: 1).interval, "0 ... 3.6889")
  }

  @Test func scoring_Percentiles_1() throws {
    expect(nearestRank(50, ofSorted: [1, 2, 4, 8]), "2")
  }

  @Test func scoring_RepeatedTime_1() throws {
    expect(RepeatedTime([5, 1, 4, 2, 3])?.median, "3.0, without an interval")
  }
}
