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
    expect(TimeColumns(measured: [0, 10_000_000]).arrived == nil, "true")
  }

  @Test func tracemodel_Columns_2() throws {
    var columns = VectorColumns()
    columns.append(Acceleration(x: 3, y: 4, z: 0), measured: 0, arrived: 20_000_000)
    expect(columns[0].magnitude, "5.0")
    expect(columns.arrived(at: 0).seconds, "0.02")
  }

  @Test func tracemodel_Columns_3() throws {
    var fixes = FixColumns()
    fixes.append(Fix(latitude: 47.4, longitude: 8.5), measured: 0, arrived: 300_000_000)
    expect(fixes.firstPosition(arrivedAfter: .zero), "0")
    expect(fixes[0].latitude, "47.4")
  }

  @Test func tracemodel_Columns_4() throws {
    expect(ChannelBlock(emptyFor: .location) == .fix(FixColumns()), "true")
  }

  @Test func tracemodel_Detection_1() throws {
    expect(PlainEvent("swing").value, "nan")
    expect(PlainEvent("swing") == PlainEvent("swing"), "true")
  }

  @Test func tracemodel_Detection_2() throws {
    let deadline = TraceInstant(nanoseconds: 10_000_000_000)
    let absence = Detection(onset: .zero, emitted: deadline, event: PlainEvent("absent"))
    expect(absence.newestMeasured.seconds, "10.0")
  }

  @Test func tracemodel_Detection_3() throws {
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

  @Test func tracemodel_Finding_1() throws {
    let pause = Finding("hidden-pause", .warning, place: "walk.gpx:112", message: "no fix for 73 s")
    expect(pause.severity < .error, "true")
    expect(pause.repair == nil, "true")
  }

  @Test func tracemodel_LabelRow_1() throws {
    var row = LabelRow(line: 2)
    row.onset = 1_500_000_000
    expect(row.value.isNaN, "true")
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
    expect(Scalar(value: 101_325).accuracy, "nan")
  }

  @Test func tracemodel_Reading_4() throws {
    expect(Heartbeat(peer: 3).sequence, "-1")
  }

  @Test func tracemodel_Reading_5() throws {
    expect(Action(name: "arm") == .arm, "true")
  }

  @Test func tracemodel_Reference_1() throws {
    expect(ReferenceTask(rawValue: "moving_time")?.isCountable, "false")
  }

  @Test func tracemodel_Reference_2() throws {
    let punch = ReferenceEvent(onset: .zero, label: "jab")
    expect(punch.offset == punch.onset, "true")
  }

  @Test func tracemodel_Reference_3() throws {
    let punches = ReferenceSet(task: .punch, events: [ReferenceEvent(onset: .zero)])
    expect(punches.isOfDevice, "false")
  }

  @Test func tracemodel_Reference_4() throws {
    let fix = Fix(latitude: 47.4, longitude: 8.5)
    let fixes = FixColumns(times: TimeColumns(measured: [0, 20, 10]), values: [fix, fix, fix])
    expect(ReferenceTrack(fixes).times, "[0, 20]")
  }

  @Test func tracemodel_Reference_5() throws {
    let end = TraceInstant(nanoseconds: 9)
    let zones = [IgnoreZone(onset: .zero, offset: end)]
    let punch = DetectionRecord(onset: end, emitted: end, kind: "punch")
    let stated = ReferenceCount(task: .punch, count: 0)
    expect(CountScore(stated, detections: [punch], ignoreZones: zones).detected, "0")
  }

  @Test func tracemodel_ReferenceCount_1() throws {
    var header = TraceHeader(id: "bag", origin: .recorded)
    header.counts = [ReferenceCount(task: .punch, count: 61, definition: "counted by the boxer")]
    expect(header.count(.punch)?.count, "61")
    expect(header.reference(.punch) == nil, "true")
  }

  @Test func tracemodel_Sample_1() throws {
    expect(Sample.quantile(0.5, ofSorted: [1, 2, 4, 8]), "3.0")
  }

  @Test func tracemodel_Sample_2() throws {
    expect(nearestRank(50, ofSorted: [1, 2, 4, 8]), "2")
  }

  @Test func tracemodel_SeededGenerator_1() throws {
    var (first, second) = (SeededGenerator(seed: 7), SeededGenerator(seed: 7))
    expect(first.next() == second.next(), "true")
  }

  @Test func tracemodel_TileLayout_1() throws {
    let screen = ScreenSize(width: 320, height: 568)
    let layout = screen.map { TileLayout(.fitted, screen: $0, letters: 5) }
    expect(layout?.slots.count, "5")
    expect(layout?.side, "43.0")
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
    let fix = Fix(latitude: 47.4, longitude: 8.5)
    let late = TimeColumns(measured: [0], arrived: [9])
    var trace = Trace(header: TraceHeader(id: "walk", origin: .recorded))
    trace.set(.fix(FixColumns(times: late, values: [fix])), for: .location)
    expect(trace.header.info(.location)?.hasArrivalTimes, "true")
  }

  @Test func tracemodel_TraceHeader_2() throws {
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
    expect(TrackDetector(.init()).measurements.first?.unit, "m")
  }

  @Test func detectors_Detector_2() throws {
    expect(PresenceDetector.presets.map(\.name), "[\"default\", \"ticChatToe\", \"phi\"]")
    expect(PresenceDetector.preset(named: "fast") == nil, "true")
  }

  @Test func detectors_KindModel_1() throws {
    let model = KindModel(
      fitting: [("hook", [4]), ("hook", [5]), ("jab", [1]), ("jab", [2])], shrinkage: 0.5)
    expect(model?.kinds, "[\"hook\", \"jab\"]")
    expect(model?.probabilities([3]), "[0.5, 0.5]")
  }

  @Test func detectors_PersonProfile_1() throws {
    let model = KindModel(kinds: ["hook", "jab"], offsets: [0, 0], weights: [[1], [-1]])
    let models = ["acceleration": model].compactMapValues { $0 }
    let profile = PersonProfile(models: models, examples: ["hook": 5, "jab": 5])
    expect(PunchDetector.kind(of: ["acceleration": [9]], by: profile), "hook")
  }

  @Test func detectors_PersonProfile_2() throws {
    let profile = PersonProfile(models: [:], examples: ["hook": 5])
    let gym = ProfileSet(source: "gym.json", people: ["Ana": profile, "Ben": profile])
    expect(gym.person == nil, "true")
    expect(gym.only("Ana")?.person == profile, "true")
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
    expect(ParameterValue.number(30).description, "30")
    expect(ParameterValue.flag(true).double == nil, "true")
  }

  @Test func detectors_ParameterField_2() throws {
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

  @Test func detectors_PunchDetector_1() throws {
    let parameters = PunchParameters(
      threshold: 30, rule: .magnitude, retrigger: .onceBelowAgain, arming: .always,
      peakWindow: 0.08, refractory: 0.4)
    var (detector, punches) = (PunchDetector(parameters), [Detection<PunchEvent>]())
    for (x, time): (Float, Int64) in [(5, 0), (35, 10_000_000), (42, 20_000_000), (4, 99_000_000)] {
      let (sample, now) = (Acceleration(x: x, y: 0, z: 0), TraceInstant(nanoseconds: time))
      detector.ingest(sample, measured: now, arrived: now, into: &punches)
    }
    expect(punches.map(\.event.magnitude), "[42.0]")
  }

  @Test func detectors_PunchEvent_1() throws {
    expect(PunchKind.thrust.scoredLabel, "straight")
  }

  @Test func detectors_PunchEvent_2() throws {
    let jab = PunchEvent(punch: .jab, target: .high, magnitude: 5 * standardGravity)
    expect(jab.label, "straight")
    expect(jab.damage, "0.2")
  }

  @Test func detectors_PunchParameters_1() throws {
    let header = TraceHeader(id: "bag", origin: .recorded)
    let fast = PunchDetector.preset(named: "fast")?.parameters(for: header)
    expect(fast?.refractory, "0.4")
    expect(fast?.arming, "always")
  }

  @Test func detectors_ScoredDetector_3() throws {
    let header = TraceHeader(id: "bag", origin: .recorded)
    let peaks = PunchDetector.preset(named: "peaks")?.parameters(for: header)
    expect(peaks.flatMap(PunchDetector.thresholdRule) == .nested, "true")
  }

  @Test func detectors_ScoredDetector_4() throws {
    let card = PunchDetector.preset(named: "hitThatCards")
    let parameters = card?.parameters(for: TraceHeader(id: "bag", origin: .recorded))
    let none = Lockout(peakWindow: 0, refractory: 0, rearming: .none, listensWhenArmed: false)
    expect(parameters.flatMap(PunchDetector.thresholdRule) == .lockout(none), "true")
  }

  @Test func detectors_ScoredDetector_5() throws {
    var samples = ScoredSamples()
    samples.append(3, score: 961)
    expect(samples.resting == nil, "true")
  }

  @Test func detectors_TileDragDetector_1() throws {
    var (detector, events) = (TileDragDetector(.init(), places: []), [Detection<TileDragEvent>]())
    let (tile, slot) = (detector.layout.tiles[0], detector.layout.slots[2])
    let grab = Touch(x: tile.x + 5, y: tile.y, phase: .began)
    for touch in [grab, Touch(x: slot.x + 5, y: slot.y, phase: .ended)] {
      detector.ingest(touch, measured: .zero, arrived: .zero, into: &events)
    }
    expect(events.map(\.event.kind), "[\"drop\"]")
    expect(detector.board, "[nil, nil, Optional(1), nil, nil, nil]")
  }

  @Test func detectors_Pace_1() throws {
    expect(Pace(seconds: 456, meters: 1609.344)?.description, "7:36")
    expect(Pace(minutesPerMile: 7.6, rule: .tri)?.description, "8:36")
  }

  @Test func detectors_TrackDetector_1() throws {
    var (detector, splits) = (TrackDetector(.raw), [Detection<TrackEvent>]())
    for (minute, latitude) in [47.0, 47.005, 47.01].enumerated() {
      let fix = Fix(latitude: latitude, longitude: 8.5)
      let time = TraceInstant.zero.advanced(bySeconds: 60 * Double(minute))
      detector.ingest(fix, measured: time, arrived: time, into: &splits)
    }
    expect(detector.distance, "1111.71")
    expect(detector.duration, "120.0")
  }

  @Test func replay_ActionPolicy_1() throws {
    expect(ScriptedPolicy(seed: 7).summary, "confirms after 3.0 s, continues 5.0 s later, ...")
  }

  @Test func replay_Delivery_1() throws {
    let beat = HeartbeatColumns(times: TimeColumns(measured: [5]), values: [Heartbeat(peer: 3)])
    var trace = Trace(header: TraceHeader(id: "phone", origin: .recorded))
    trace.set(.heartbeat(beat), for: .heartbeat)
    trace.header.end = TraceInstant(nanoseconds: 1_000_000_000)
    var delivery = Delivery()
    delivery.delay = 0.5
    expect(delivery.apply(to: trace).trace[.heartbeat]?.arrivedTimes, "[500000005]")
  }

  @Test func replay_DeliveryPreset_1() throws {
    expect(Delivery.preset(named: "ideal")?.delivery == Delivery(), "true")
  }

  @Test func replay_DeliveryReport_1() throws {
    let report = DeliveryReport(channels: [ChannelDelivery(channel: .location)])
    expect(report[.location]?.lost, "0")
    expect(report[.touch] == nil, "true")
  }

  @Test func replay_DetectionLog_1() throws {
    let punch = DetectionRecord(onset: .zero, emitted: .zero, kind: "punch", value: 31.5)
    expect(DetectionLog.line(punch).split(separator: "\t").last, "-")
  }

  @Test func replay_PacedRun_1() throws {
    let step = StreamStep(
      kind: .wake, device: DeviceID(0), channel: .location, time: .zero, following: nil)
    let timing = StepTiming(step: step, due: 10, began: 13, ended: 17, isMissed: false)
    expect(timing.lateness, "3")
    expect(timing.response, "7")
  }

  @Test func replay_PacedRun_2() throws {
    expect(PacingOptions.rates.contains(0), "false")
    expect(PacingOptions().rate, "1.0")
  }

  @Test func replay_PlaybackClock_1() throws {
    let clock = PlaybackClock(rate: 2, instant: .zero, at: 1_000_000_000)
    expect(clock.due(TraceInstant(nanoseconds: 4_000_000_000)), "3000000000")
    expect(clock.instant(at: 1_500_000_000).seconds, "1.0")
  }

  @Test func replay_Timeline_1() throws {
    let beat = HeartbeatColumns(times: TimeColumns(measured: [5]), values: [Heartbeat(peer: 3)])
    var trace = Trace(header: TraceHeader(id: "phone", origin: .recorded))
    trace.set(.heartbeat(beat), for: .heartbeat)
    let stream = try DeviceStream(PresenceDetector.self, .init(), on: MemorySource(trace))
    var (timeline, records) = (Timeline([stream]), [DetectionRecord]())
    expect(try timeline.step(into: &records)?.kind, "readings(1)")
    expect(records.map(\.kind), "[\"present\"]")
  }

  @Test func replay_VirtualRun_1() throws {
    let punch = DetectionRecord(onset: .zero, emitted: .zero, kind: "punch")
    let withdrawal = DetectionRecord(onset: .zero, emitted: .zero, kind: DetectionRecord.withdrawal)
    expect(RunResult(detections: [punch, withdrawal]).settled.detections.isEmpty, "true")
  }

  @Test func replay_VirtualRun_2() throws {
    let beat = HeartbeatColumns(times: TimeColumns(measured: [5]), values: [Heartbeat(peer: 3)])
    var trace = Trace(header: TraceHeader(id: "phone", origin: .recorded))
    trace.set(.heartbeat(beat), for: .heartbeat)
    let start = TraceInstant(nanoseconds: 60)
    let phone = ReplayDevice(DeviceID(0), source: MemorySource(trace), start: start)
    let result = try VirtualRun<PresenceDetector>.run([.init()], on: [phone])
    expect(result.detections.first?.onset.nanoseconds, "65")
  }

  @Test func replay_VirtualRun_3() throws {
    var columns = VectorColumns()
    columns.append(Acceleration(x: 0, y: 0, z: 0), measured: 0, arrived: 0)
    var trace = Trace(header: TraceHeader(id: "still", origin: .synthetic))
    trace.set(.vector(columns), for: .userAcceleration)
    let parameters = PunchDetector.presets[0].parameters(for: trace.header)
    let result = try VirtualRun<PunchDetector>.run(parameters, on: MemorySource(trace))
    expect(result.readings, "1")
    expect(result.detections.isEmpty, "true")
  }

  @Test func scoring_ChanceLevel_1() throws {
    let onsets = [61, 150, 340, 505].map { TraceInstant(nanoseconds: $0 * 1_000_000_000) }
    let hits = ShiftedHits(
      references: onsets.map { ReferenceEvent(onset: $0) }, detections: onsets,
      tolerance: .standard, movement: nil, duration: .seconds(600), seed: 1)
    expect(ChanceLevel([hits])?.hits, "4")
    expect(ChanceLevel([hits])?.isAboveChance, "true")
  }

  @Test func scoring_PairedRatio_1() throws {
    let recall = PairedRatio(means: [(0.9, 1), (0.8, 0.9), (0.7, 0.9)])
    expect(recall.difference, "0.1333")
    expect(recall.exchangeProbability(), "0.25")
  }

  @Test func scoring_PairedRatio_2() throws {
    let recall = PairedRatio(means: [(0.9, 1), (0.8, 0.9), (0.7, 0.9)])
    expect(recall.contrast()?.interval, "-0.1560 ... 0.4226")
  }

  @Test func scoring_Confusion_1() throws {
    let matrix = ConfusionMatrix([("hook", "hook"), ("hook", "straight")])
    expect(matrix.count(reference: "hook", detection: "straight"), "1")
  }

  @Test func scoring_CountScore_1() throws {
    expect(CountScore(stated: 50, detected: 48).percentError, "-4.0")
    expect(CountScore(stated: 0, detected: 2).percentError == nil, "true")
  }

  @Test func scoring_CountScore_2() throws {
    let scores = [CountScore(stated: 50, detected: 48), CountScore(stated: 50, detected: 52)]
    expect(CountSummary(of: scores).total.error, "0")
    expect(CountSummary(of: scores).absoluteError, "4")
  }

  @Test func scoring_DayProfile_1() throws {
    let parts = [DayProfile.Part(activity: "walk", hours: 2), .init(activity: "sit", hours: 9)]
    expect(DayProfile(name: "office", parts: parts).hours, "11.0")
  }

  @Test func scoring_DayRate_1() throws {
    let day = DayProfile(name: "office", parts: [.init(activity: "walk", hours: 2)])
    let walk = (subject: "Ana", activity: "walk", rate: PoissonRate(count: 3, hours: 6))
    expect(DayRate(day, of: [walk]).estimate.value, "1.0")
    expect(DayRate(day, of: [walk]).unknownHours, "22.0")
  }

  @Test func scoring_Distributions_1() throws {
    expect(Distributions.normalQuantile(0.975), "1.959963984540054")
    expect(Distributions.studentQuantile(0.975, degreesOfFreedom: 1), "12.7062047361747")
    expect(Distributions.betaQuantile(0.025, 1, 10), "0.00252857854446178")
    expect(Distributions.quantileRanks(of: 10, fraction: 0.5, level: 0.95), "2...9")
  }

  @Test func scoring_DropQuality_1() throws {
    let drag = ReferenceEvent(onset: .zero, place: 2)
    let miss = DetectionRecord(onset: .zero, emitted: .zero, kind: "miss", value: 22, place: 2)
    expect(DropQuality(references: [drag], detections: [miss], tolerance: .standard).nearMisses, "1")
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

  @Test func scoring_EventMatching_1() throws {
    let hook = ReferenceEvent(onset: .zero, label: "hook")
    let jab = DetectionRecord(onset: .zero, emitted: .zero, kind: "punch", label: "straight")
    let matching = EventMatching(
      references: [hook], detections: [jab], tolerance: .standard, rule: .sameLabel)
    expect(matching.pairs.count, "0")
  }

  @Test func scoring_EventMatching_2() throws {
    let onsets = [150_000_000, 150_000_001].map { TraceInstant(nanoseconds: $0) }
    let matching = EventMatching(
      references: [ReferenceEvent(onset: .zero), ReferenceEvent(onset: .zero)],
      detections: onsets.map { DetectionRecord(onset: $0, emitted: $0, kind: "punch") },
      tolerance: EventTolerance(either: .milliseconds(150)))
    expect(matching.pairs.map(\.detection), "[0]")
  }

  @Test func scoring_EventScore_1() throws {
    let counts = EventCounts(truePositives: 9, falsePositives: 3, falseNegatives: 1)
    expect(counts.precision.estimate, "0.75")
    expect(counts.recall.estimate, "0.9")
  }

  @Test func scoring_EventScore_2() throws {
    var quiet = EventScore()
    quiet.scoredNanoseconds = 7_200_000_000_000
    expect(quiet.falseAlarms.interval, "0 ... 1.8444")
    expect(quiet.recall.estimate == nil, "true")
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

  @Test func scoring_Exposure_2() throws {
    expect(ExposureTimes(length: 1000, recorded: 990, fed: 990, armed: 990).differ, "false")
  }

  @Test func scoring_Clustered_1() throws {
    let runs = [("Ana", 9), ("Ana", 8), ("Ben", 6), ("", 7)].map {
      (subject: $0, score: EventCounts(truePositives: $1, falseNegatives: 10 - $1))
    }
    let clustered = Clustered(runs) { $0.reduce(EventCounts(), +) }
    expect(clustered.parts.count, "3")
    expect(clustered.proportion(\.recall).value, "0.75")
  }

  @Test func scoring_Estimate_1() throws {
    expect(IntervalMethod.woodruff.population, "newPeople")
  }

  @Test func scoring_Estimate_2() throws {
    expect(Estimate(Proportion(successes: 5, trials: 10)).method, "wilson")
    expect(Estimate(PoissonRate(count: 0, hours: 0)).value == nil, "true")
  }

  @Test func scoring_FigureCatalogue_1() throws {
    expect(FigureCatalogue.ofClasses.map(\.name), "[\"precision\", \"recall\", \"f1\"]")
  }

  @Test func scoring_FigureDefinition_1() throws {
    expect(FigureDefinition.latency.p50.name, "latency_p50")
    expect(FigureDefinition.recall.denominator, "[\"true_positives\", \"false_negatives\"]")
  }

  @Test func scoring_GroupScore_1() throws {
    let ana = (subject: "Ana", score: TaskScore.count(CountScore(stated: 50, detected: 48)))
    let group = GroupScore([ana, (subject: "Ben", score: .unscored)])
    expect(group.unscored, "1")
    expect(group.counts?.total.error, "-2")
  }

  @Test func scoring_DelayCurve_1() throws {
    let curve = DelayCurve([Delays(reached: [100, 200, 300], missed: [400])])
    expect(curve.time(by: 0.5), "200")
    expect(curve.time(by: 0.9) == nil, "true")
  }

  @Test func scoring_Intervals_1() throws {
    expect(PoissonRate(count: 5, hours: 1).interval, "1.6235 ... 11.6683")
  }

  @Test func scoring_Intervals_2() throws {
    expect(Proportion(successes: 5, trials: 10).interval, "0.2366 ... 0.7634")
    expect(Proportion(successes: 5, trials: 10).exactInterval, "0.1871 ... 0.8129")
    expect(Proportion(successes: 0, trials: 0).estimate == nil, "true")
  }

  @Test func scoring_Intervals_3() throws {
    expect(F1Score(truePositives: 8, falsePositives: 2, falseNegatives: 2).estimate, "0.8")
  }

  @Test func scoring_Intervals_4() throws {
    expect(PoissonRate(count: 0, hours: 1).interval, "0 ... 3.6889")
    expect(PoissonRate(count: 0, hours: 1).oneSidedUpperBoundOfNone, "2.9957")
  }

  @Test func scoring_MeanEstimate_1() throws {
    expect(MeanEstimate(of: [0.8, 0.9, 1], in: 0...1)?.interval, "0.6668 ... 0.9759")
  }

  @Test func scoring_PersonalRate_1() throws {
    let rates = (1...30).map { PoissonRate(count: $0 % 3, hours: 2) }
    expect(PersonalRate(rates, confidence: 0.9)?.people, "9")
    expect(PersonalRate(rates, confidence: 0.9)?.bound, "2.6612")
  }

  @Test func scoring_LatencyHistogram_1() throws {
    expect(LatencyHistogram([12_000_000, 14_000_000, 31_000_000]).counts, "[2, 0, 1]")
  }

  @Test func scoring_ResultClaim_1() throws {
    let quiet = PoissonRate(count: 0, hours: 3)
    let claim = ResultClaim([quiet], assumed: Dispersion(.variation, assumed: 1))
    expect(claim.boundIfNone, "0.9986")
    expect(claim.new == nil, "true")
  }

  @Test func scoring_Study_1() throws {
    expect(StudyGoal.recall(above: 0.9).isRate, "false")
  }

  @Test func scoring_StudyPlan_1() throws {
    let alike = Dispersion(.correlation, assumed: 0.05)
    let study = Study(.recall(above: 0.9), expected: 0.97, dispersion: alike, each: 50)
    expect(StudyPlan(study, studies: 200, factorsOfEach: []).design.people, "12")
  }

  @Test func scoring_PresenceQuality_1() throws {
    let stay = ReferenceEvent(onset: .zero, offset: TraceInstant(nanoseconds: 60), place: 3)
    let present = DetectionRecord(onset: .zero, emitted: .zero, kind: "present", place: 3)
    let time = Exposure(duration: .nanoseconds(90))
    let quality = PresenceQuality(references: [stay], detections: [present], exposure: time)
    expect(quality.found.estimate, "0.0")
    expect(quality.queryAccuracy, "1.0")
  }

  @Test func scoring_RepeatedTime_1() throws {
    expect(RepeatedTime([5, 1, 4, 2, 3])?.median, "3.0, without an interval")
  }

  @Test func scoring_TrackScore_1() throws {
    var header = TraceHeader(id: "run", origin: .recorded)
    let course = ReferenceEvent(onset: .zero, value: 5000)
    header.references = [ReferenceSet(task: .distance, events: [course], valueUnits: "m")]
    let score = TrackScore(header: header, measured: TrackMeasurement(distance: 5100)) {
      Geodesy.distance(latitude: $0, longitude: $1, toLatitude: $2, longitude: $3)
    }
    expect(score.distanceError, "2.0")
  }

  @Test func scoring_VisitJudgement_1() throws {
    let late = TraceInstant(nanoseconds: 30_000_000_000)
    let visit = DetectionRecord(onset: late, emitted: late, kind: "visit", place: 7)
    let judged = VisitJudgement(
      references: [ReferenceEvent(onset: .zero, place: 7)], detections: [visit],
      exposure: Exposure(duration: .seconds(60)))
    expect(judged.score.found.estimate, "1.0")
  }

  @Test func evaluation_AnyDetector_Evaluation_2() throws {
    let traces = MemoryTraces([Trace(header: TraceHeader(id: "bag", origin: .recorded))])
    expect(try traces.load("bag").sha256.isEmpty, "true")
    expect((try? traces.load("walk")) == nil, "true")
  }

  @Test func evaluation_DeltaDebugging_1() throws {
    expect(DeltaDebugging.reduced([1, 2, 3, 4, 5, 6]) { $0.contains(2) && $0.contains(5) }, "[2, 5]")
  }

  @Test func evaluation_FlipList_1() throws {
    var base = MeasuredRun(
      entry: "punch", trace: "bag", traceSHA256: "", origin: "recorded", subject: "", activity: "",
      task: "punch", facts: [:], tolerance: nil, threshold: nil, thresholdUnit: "", detections: [],
      references: [], figures: [:], measurements: [:])
    let head = base
    let punch = DetectionRecord(onset: .zero, emitted: .zero, kind: "punch")
    base.detections = [MeasuredDetection(punch, outcome: "true_positive")]
    expect(FlipList(from: base, to: head).flips.map(\.kind.rawValue), "[\"lost\"]")
  }

  @Test func evaluation_Gate_1() throws {
    expect(GateVerdict.mostSevere([.pass, .inconclusive, .fail]), "fail")
  }

  @Test func evaluation_Gate_2() throws {
    let nothing = MeasuredResults(
      path: "", schema: "", toolVersion: "", toolchain: "", suite: "gym", suiteSHA256: "",
      commit: "", runs: [])
    expect(AccuracyGate(ResultComparison(from: nothing, to: nothing), .standard).verdict, "error")
  }

  @Test func evaluation_GateRules_1() throws {
    var rules = GateRules(bounds: [])
    rules.time = 0.05
    expect(rules.isAboutTimingAlone, "true")
  }

  @Test func evaluation_GateRules_2() throws {
    expect(try GateBound("recall", "-0.01", place: "gym.yaml:9").limit.text, "-0.01")
    expect((try? GateBound("recall", "+0.01", place: "gym.yaml:9")) == nil, "true")
  }

  @Test func evaluation_ResultComparison_1() throws {
    let base = MeasuredResults(
      path: "", schema: "", toolVersion: "", toolchain: "", suite: "gym", suiteSHA256: "",
      commit: "", runs: [])
    var head = base
    head.toolVersion = "0.2.0"
    expect(ResultComparison(from: base, to: head).changes.map(\.name), "[\"version\"]")
    expect(ResultComparison(from: base, to: head).isIdentical, "true")
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

  @Test func evaluation_BoundDetector_1() throws {
    let overrides: [String: ParameterValue] = ["threshold": .number(50)]
    let choice = DetectorChoice(detector: "punch", preset: "default", overrides: overrides)
    let header = TraceHeader(id: "bag", origin: .recorded)
    let bound = try AnyDetector(PunchDetector.self).bound(choice, for: header)
    expect(bound.parameters.first?.value, "50")
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

  @Test func evaluation_LabelPairing_1() throws {
    var (truth, found) = (LabelSide(.reference), LabelSide(.detections))
    for name in ["day1/bag.csv", "day1/walk.csv"] {
      try truth.add(.init(name: name, rows: [LabelRow(line: 2)], path: name))
    }
    try found.add(.init(name: "bag.csv", rows: [LabelRow(line: 2)], path: "bag.csv"))
    let pairing = try LabelPairing(reference: truth, detections: found)
    expect(pairing.recordings.map(\.name), "[\"bag\", \"walk\"]")
    expect(pairing.notes, "[\"no detections, so all references are missed: walk\"]")
  }

  @Test func evaluation_LabelScore_1() throws {
    expect(ScoreTask.track.needs.map(\.rawValue), "[\"quantity\", \"value\"]")
  }

  @Test func evaluation_LabelSide_1() throws {
    var truth = LabelSide(.reference)
    for day in ["mon", "tue"] { try truth.add(.init(path: "\(day)/walk.csv")) }
    expect(truth.entries.map(\.name), "[\"mon/walk.csv\", \"tue/walk.csv\"]")
  }

  @Test func evaluation_PlayedTraces_1() throws {
    var walk = Trace(header: TraceHeader(id: "walk", origin: .recorded))
    walk.header.end = TraceInstant(nanoseconds: 60_000_000_000)
    let device = PlayedTraces.Device(trace: walk, start: .zero)
    let window = (start: TraceInstant(nanoseconds: 45_000_000_000), end: TraceInstant?.none)
    expect(try PlayedTraces([device], window: window).playedSeconds, "15.0")
  }

  @Test func evaluation_NamedDelivery_1() throws {
    let late = try NamedDelivery(spelling: "ideal:delay=500ms", place: "--deliver")
    expect(late.delivery.delay, "0.5")
    expect(late.summary, "ideal:delay=0.5s")
  }

  @Test func evaluation_NamedDelivery_2() throws {
    var location = ChannelDelivery(channel: .location)
    (location.recorded, location.delivered, location.lost) = (10, 8, 2)
    expect(DeliveryText.counts([location.figures]), "8 of 10 readings delivered, 2 lost")
  }

  @Test func evaluation_SignalPath_1() throws {
    var trace = Trace(header: TraceHeader(id: "bag", origin: .recorded))
    trace.set(.vector(VectorColumns()), for: .acceleration)
    let signal = SignalPath(gravity: .init()).apply(to: trace, for: .userAcceleration)
    expect(signal.gravityRemoval, "lowpass(0.7 s, frozen beyond 3.92266 m s-2)")
  }

  @Test func evaluation_EntrySummary_1() async throws {
    var trace = Trace(header: TraceHeader(id: "bag", origin: .recorded))
    trace.set(.vector(VectorColumns()), for: .userAcceleration)
    let missed = ReferenceEvent(onset: .zero, label: "hook")
    trace.header.references = [ReferenceSet(task: .punch, events: [missed])]
    let summary = try await AnyDetector(PunchDetector.self).evaluate(on: [trace])
    expect(summary["recall"]?.value, "0.0")
    expect(summary["precision"]?.value == nil, "true")
  }

  @Test func evaluation_Suite_1() throws {
    let (bag, gym) = (["a.h5", "b.h5"], ["b.h5", "c.h5"])
    let sets = [Suite.TraceSet(name: "bag", files: bag), .init(name: "gym", files: gym)]
    let suite = Suite(name: "boxing", path: "suites/boxing.yaml", traceSets: sets, entries: [])
    expect(suite.files(of: ["bag", "gym"]), "[\"a.h5\", \"b.h5\", \"c.h5\"]")
  }

  @Test func evaluation_SuiteRunner_1() async throws {
    var trace = Trace(header: TraceHeader(id: "bag", origin: .recorded))
    trace.set(.vector(VectorColumns()), for: .userAcceleration)
    let choice = DetectorChoice(detector: "punch", preset: "default")
    let entry = Suite.Entry(name: "punch", choice: choice, traces: ["all"], place: "")
    let sets = [Suite.TraceSet(name: "all", files: ["bag"])]
    let suite = Suite(name: "boxing", path: "", traceSets: sets, entries: [entry])
    let runner = SuiteRunner(
      suite: suite, registry: .builtIn, loader: MemoryTraces([trace]), threads: 1)
    expect(try await runner.run().runs.map(\.traceID), "[\"bag\"]")
  }
}
