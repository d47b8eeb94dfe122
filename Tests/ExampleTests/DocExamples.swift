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

  @Test func tracemodel_ChannelTiming_1() throws {
    expect(ChannelTiming(measuredTimes: [0, 10_000_000, 20_000_000, 90_000_000]).gaps, "1")
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
    expect(PlainEvent("swing").value, "nan")
    expect(PlainEvent("swing") == PlainEvent("swing"), "true")
  }

  @Test func tracemodel_Detection_2() throws {
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

  @Test func tracemodel_Math_1() throws {
    expect(Math.sin(Math.radians(30)), "0.49999999999999994")
    expect(Math.log(0), "-inf")
  }

  @Test func tracemodel_PunchLabel_1() throws {
    expect(PunchLabel.classify("Lead_Hook").label, "hook")
    expect(PunchLabel.classify("left upper hook").label, "uppercut")
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
    expect(punches.isOfDevice, "false")
  }

  @Test func tracemodel_SeededGenerator_1() throws {
    var (first, second) = (SeededGenerator(seed: 7), SeededGenerator(seed: 7))
    expect(first.next() == second.next(), "true")
  }

  @Test func tracemodel_Touch_1() throws {
    expect(Touch(x: 160, y: 420, phase: .cancelled, pointer: 1).phase.isLast, "true")
  }

  @Test func tracemodel_Touch_2() throws {
    expect(ScreenSize(width: 1170 / 3, height: 2532 / 3)?.width, "390.0")
    expect(ScreenSize(width: 0, height: 568) == nil, "true")
  }

  @Test func tracemodel_TraceError_1() throws {
    let error = TraceError(
      place: "walk.gpx:112", expected: "a time", found: "none", remedy: "pass --sort to reorder")
    expect(error.description, "walk.gpx:112: expected a time, found none; pass --sort to reorder")
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

  @Test func detectors_CheckInDetector_1() throws {
    let summit = Place(id: 7, latitude: 46.55, longitude: 7.98, radius: 60, rank: 0)
    var detector = CheckInDetector(.init(), places: [summit])
    var events: [Detection<CheckInEvent>] = []
    let fix = Fix(latitude: 46.55, longitude: 7.98, horizontalAccuracy: 5)
    detector.ingest(fix, measured: .zero, arrived: .zero, into: &events)
    for action in [Action.confirm, .continue] { detector.handle(action, at: .zero, into: &events) }
    expect(events.map(\.event.kind), "[\"prompt\", \"confirm\", \"visit\", \"finished\"]")
  }

  @Test func detectors_Detector_1() throws {
    expect(PresenceDetector.presets.map(\.name), "[\"default\", \"ticChatToe\", \"phi\"]")
    expect(PresenceDetector.preset(named: "fast") == nil, "true")
  }

  @Test func detectors_Geodesy_1() throws {
    expect(Geodesy.distance(latitude: 0, longitude: 179.5, toLatitude: 0, longitude: -179.5), "111319.49")
    expect(Geodesy.distance(latitude: 91, longitude: 0, toLatitude: 0, longitude: 0), "nan")
  }

  @Test func detectors_LocalFrame_1() throws {
    let offset = LocalFrame(latitude: 47, longitude: 8).offset(latitude: 47.001, longitude: 8)
    expect(offset.north, "111.2")
  }

  @Test func detectors_GravityFilter_1() throws {
    var filter = GravityFilter()
    expect(filter.apply(Acceleration(x: 0, y: 0, z: 9.80665), measured: .zero).magnitude < 1e-3, "true")
  }

  @Test func detectors_ParameterField_1() throws {
    var parameters = PresenceDetector.Parameters()
    let expiry = PresenceDetector.parameterFields.first { $0.name == "expiry" }
    try expiry?.set(.number(8), in: &parameters)
    expect(parameters.expiry, "8.0")
    expect((try? expiry?.set(.number(-1), in: &parameters)) == nil, "true")
  }

  @Test func detectors_PresenceDetector_1() throws {
    var detector = PresenceDetector(.ticChatToe, places: [])
    var events: [Detection<PresenceEvent>] = []
    detector.ingest(Heartbeat(peer: 3), measured: .zero, arrived: .zero, into: &events)
    expect(detector.deadline?.seconds, "10.0")
    if let deadline = detector.deadline { detector.advance(to: deadline, into: &events) }
    expect(events.map(\.event.kind), "[\"present\", \"absent\"]")
  }

  @Test func detectors_PunchEvent_1() throws {
    let jab = PunchEvent(punch: .jab, target: .high, magnitude: 5 * standardGravity)
    expect(jab.label, "straight")
    expect(jab.damage, "0.2")
  }

  @Test func detectors_Pace_1() throws {
    expect(Pace(seconds: 456, meters: 1609.344)?.description, "7:36")
    expect(Pace(minutesPerMile: 7.6, rule: .tri)?.description, "8:36")
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
    let punch = DetectionRecord(onset: .zero, emitted: .zero, kind: "punch")
    let withdrawal = DetectionRecord(onset: .zero, emitted: .zero, kind: DetectionRecord.withdrawal)
    expect(RunResult(detections: [punch, withdrawal]).settled.detections.isEmpty, "true")
  }

  @Test func replay_VirtualRun_2() throws {
    var columns = VectorColumns()
    columns.append(Acceleration(x: 0, y: 0, z: 0), measured: 0, arrived: 0)
    var trace = Trace(header: TraceHeader(id: "still", origin: .synthetic))
    trace.set(.vector(columns), for: .userAcceleration)
    let parameters = PunchDetector.presets[0].parameters(for: trace.header)
    let result = try VirtualRun<PunchDetector>.run(parameters, on: MemorySource(trace))
    expect(result.readings, "1")
    expect(result.detections.isEmpty, "true")
  }

  @Test func scoring_PairedRatio_1() throws {
    let recall = PairedRatio(means: [(0.9, 1), (0.8, 0.9), (0.7, 0.9)])
    expect(recall.difference, "0.1333")
    expect(recall.exchangeProbability(), "0.25")
  }

  @Test func scoring_Confusion_1() throws {
    let matrix = ConfusionMatrix([("hook", "hook"), ("hook", "straight")])
    expect(matrix.count(reference: "hook", detection: "straight"), "1")
  }

  @Test func scoring_CountScore_1() throws {
    expect(CountScore(stated: 50, detected: 48).percentError, "-4.0")
    expect(CountScore(stated: 0, detected: 2).percentError == nil, "true")
  }

  @Test func scoring_Distributions_1() throws {
    expect(Distributions.normalQuantile(0.975), "1.959963984540054")
    expect(Distributions.studentQuantile(0.975, degreesOfFreedom: 1), "12.7062047361747")
    expect(Distributions.betaQuantile(0.025, 1, 10), "0.00252857854446178")
    expect(Distributions.quantileRanks(of: 10, fraction: 0.5, level: 0.95), "2...9")
  }

  @Test func scoring_Sample_1() throws {
    expect(Sample.quantile(0.5, ofSorted: [1, 2, 4, 8]), "3.0")
  }

  @Test func scoring_EventJudgement_1() throws {
    let punch = ReferenceEvent(onset: TraceInstant(nanoseconds: 1_000_000_000))
    let onsets = [1_040_000_000, 1_120_000_000, 5_000_000_000].map { TraceInstant(nanoseconds: $0) }
    let detections = onsets.map { DetectionRecord(onset: $0, emitted: $0, kind: "punch") }
    let judged = EventJudgement(
      references: [punch], detections: detections, tolerance: .standard, duration: .seconds(3600))
    expect(judged.detectionOutcomes.map(\.rawValue), "[\"true_positive\", \"duplicate\", \"false_positive\"]")
    expect(judged.score.falseAlarms.estimate, "2.0")
  }

  @Test func scoring_EventScore_1() throws {
    let counts = EventCounts(truePositives: 9, falsePositives: 3, falseNegatives: 1)
    expect(counts.precision.estimate, "0.75")
    expect(counts.recall.estimate, "0.9")
  }

  @Test func scoring_EventTolerance_1() throws {
    let visits = ReferenceSet(task: .visit, events: [])
    expect(EventTolerance(for: visits).late, "30.0 seconds")
    expect(EventTolerance(for: visits, stated: .standard).late, "0.15 seconds")
  }

  @Test func scoring_Exposure_1() throws {
    let times = TimeColumns(measured: [10_000_000_000, 30_000_000_000])
    let actions = ActionColumns(times: times, values: [.arm, .disarm])
    expect(Exposure(duration: .seconds(60)).armed(by: actions).times.armed, "20000000000")
  }

  @Test func scoring_Estimate_1() throws {
    expect(Estimate(Proportion(successes: 5, trials: 10)).method, "wilson")
    expect(Estimate(PoissonRate(count: 0, hours: 0)).value == nil, "true")
  }

  @Test func scoring_FigureDefinition_1() throws {
    expect(FigureDefinition.latency.p50.name, "latency_p50")
    expect(FigureDefinition.recall.denominator, "[\"true_positives\", \"false_negatives\"]")
  }

  @Test func scoring_Intervals_1() throws {
    expect(Proportion(successes: 5, trials: 10).interval, "0.2366 ... 0.7634")
    expect(Proportion(successes: 5, trials: 10).exactInterval, "0.1871 ... 0.8129")
    expect(Proportion(successes: 0, trials: 0).estimate == nil, "true")
  }

  @Test func scoring_Intervals_2() throws {
    expect(F1Score(truePositives: 8, falsePositives: 2, falseNegatives: 2).estimate, "0.8")
  }

  @Test func scoring_Intervals_3() throws {
    expect(PoissonRate(count: 0, hours: 1).interval, "0 ... 3.6889")
    expect(PoissonRate(count: 0, hours: 1).oneSidedUpperBoundOfNone, "2.9957")
  }

  @Test func scoring_Intervals_4() throws {
    expect(MeanEstimate(of: [0.8, 0.9, 1], in: 0...1)?.interval, "0.6516 ... 1")
  }

  @Test func scoring_Percentiles_1() throws {
    expect(nearestRank(50, ofSorted: [1, 2, 4, 8]), "2")
  }

  @Test func scoring_RepeatedTime_1() throws {
    expect(RepeatedTime([5, 1, 4, 2, 3])?.median, "3.0, without an interval")
  }

  @Test func evaluation_DeltaDebugging_1() throws {
    expect(DeltaDebugging.reduced([1, 2, 3, 4, 5, 6]) { $0.contains(2) && $0.contains(5) }, "[2, 5]")
  }

  @Test func evaluation_Gate_1() throws {
    expect(GateVerdict.mostSevere([.pass, .inconclusive, .fail]), "fail")
  }

  @Test func evaluation_GateRules_1() throws {
    expect(try GateBound("recall", "-0.01", place: "gym.yaml:9").limit.text, "-0.01")
    expect((try? GateBound("recall", "+0.01", place: "gym.yaml:9")) == nil, "true")
  }

  @Test func evaluation_SweepGrid_1() throws {
    let texts = ["refractory=0.2s,400ms", "tolerance=50ms,150ms"]
    let grid = try SweepGrid(texts, of: AnyDetector(PunchDetector.self), threshold: "threshold")
    expect(grid.combinations[1].name, "refractory 0.2 s, tolerance 150 ms")
  }

  @Test func evaluation_ThresholdSpan_1() throws {
    let span = try ThresholdSpan("threshold=1g..6g:3", of: AnyDetector(PunchDetector.self))
    expect(span.points, "[9.80665, 34.323275, 58.8399]")
  }

  @Test func evaluation_DetectorRegistry_1() throws {
    expect(DetectorRegistry.builtIn.names, "[\"checkin\", \"presence\", \"punch\", \"tiledrag\", \"track\"]")
    expect((try? DetectorRegistry.builtIn.detector(named: "punsh")) == nil, "true")
  }

  @Test func evaluation_DetectorRegistry_2() throws {
    expect(DetectorChoice(detector: "punch", preset: "fast").title, "punch/fast")
  }

  @Test func evaluation_DetectorRegistry_3() throws {
    let punch = AnyDetector(PunchDetector.self)
    expect(try punch.value(of: "threshold", "4g", place: "--set"), "39.2266")
    expect(punch.threshold("threshold", ofPreset: "light"), "12.0")
  }
}
