import AppEngines
@testable import WorkoutApp
import Detectors
import Testing
import TraceModel

@Suite struct WorkoutRecordingTests {
  // MARK: Permission

  @Test func permissionHasAStateAndOneStep() {
    var bench = WorkoutBench()
    #expect(bench.engine.permissionStep == .ask)
    #expect(bench.act(.start(.run)) == "location-not-asked")
    bench.act(.allowLocation)
    #expect(bench.effects == [.askForLocation])
    bench.act(.permission(.denied))
    #expect(bench.engine.permissionStep == .openSettings)
    #expect(bench.act(.start(.run)) == "location-denied")
    bench.act(.allowLocation)
    #expect(bench.effects == [.openSettings])
    bench.act(.permission(.granted))
    #expect(bench.engine.permissionStep == nil)
    #expect(bench.act(.start(.run)) == nil)
    #expect(bench.act(.allowLocation) == "already-granted")
  }

  @Test(arguments: [Workout.LocationPermission.notAsked, .denied])
  func withoutLocationAllElseWorks(permission: Workout.LocationPermission) {
    var bench = WorkoutBench()
    bench.act(.permission(permission))
    #expect(bench.act(.logSwim(WorkoutBench.form())) == nil)
    #expect(bench.act(.signUp) == nil)
    #expect(bench.act(.contacts([Workout.Contact(name: "Bea", numbers: ["202 555 0101"])])) == nil)
    #expect(bench.act(.showFeed(.mineAndFriends)) == nil)
    #expect(bench.engine.feed.map(\.distance) == [1000])
    #expect(bench.engine.violations == [])
  }

  @Test func permissionWithdrawnInARunStopsUpdatesAndNothingElse() {
    var bench = WorkoutBench()
    bench.start()
    bench.move(0...50, from: 0, speed: 2)
    bench.act(.permission(.denied), 51)
    #expect(bench.effects == [.stopUpdates])
    #expect(bench.engine.phase == .recording)
    bench.fix(52, east: 104)
    #expect(bench.effects.isEmpty)
    bench.act(.permission(.granted), 60)
    #expect(bench.effects == [.startUpdates(distanceFilter: 0)])
    bench.move(61...100, from: 122, speed: 2)
    #expect(abs((bench.engine.recording?.distance ?? 0) - 200) < 5)
  }

  /// In a pause the updates go on, so that its permission matters too.
  @Test func permissionInAPauseStopsAndStartsUpdates() {
    var bench = WorkoutBench()
    bench.start()
    bench.act(.pause, 10)
    bench.act(.permission(.denied), 11)
    #expect(bench.effects == [.stopUpdates])
    bench.act(.permission(.granted), 12)
    #expect(bench.effects == [.startUpdates(distanceFilter: 0)])
    bench.act(.stop, 13)
    bench.act(.permission(.denied), 14)
    #expect(bench.effects.isEmpty, "nothing is updated any more")
  }

  // MARK: The tracker's rules, faulty and right

  @Test(arguments: [(WorkoutRules.tri, 5.0), (.default, 0)])
  func locationFilter(rules: WorkoutRules, meters: Double) {
    var bench = WorkoutBench(rules)
    bench.start()
    #expect(bench.effects.contains(.startUpdates(distanceFilter: meters)))
    for second in 0...4 { bench.fix(Double(second), east: Double(second)) }
    #expect(bench.engine.recording?.tracker.acceptedCount == (meters > 0 ? 1 : 5))
  }

  /// 20 m are not better than 20 m; -1 is, and says that there is no position.
  @Test(arguments: [
    (WorkoutRules.tri, -1.0, true), (.default, -1, false), (.tri, 19.99, true), (.tri, 20, false),
    (.default, 20, true), (.default, 50.01, false),
  ])
  func accuracy(rules: WorkoutRules, accuracy: Double, isAccepted: Bool) {
    var bench = WorkoutBench(rules)
    bench.start()
    bench.fix(0, east: 0, accuracy: accuracy)
    #expect(bench.engine.recording?.tracker.acceptedCount == (isAccepted ? 1 : 0))
    #expect(bench.engine.recording?.segments.flatMap(\.self).count == (isAccepted ? 1 : 0))
  }

  @Test func distanceIsTheSumOfStraightLines() {
    var bench = WorkoutBench(.tri)
    bench.start()
    for (second, east) in [0.0, 10, 30, 20].enumerated() { bench.fix(Double(second), east: east) }
    #expect(abs((bench.engine.recording?.distance ?? 0) - 40) < 0.01)
  }

  /// 100 m, a pause in which 300 m are moved, 100 m.
  @Test(arguments: [(WorkoutRules.tri, 500.0), (.default, 200)])
  func movementInAPause(rules: WorkoutRules, meters: Double) throws {
    var bench = WorkoutBench(rules)
    bench.start()
    bench.move(0...50, from: 0, speed: 2)
    bench.act(.pause, 50.5)
    bench.move(51...109, from: 105, speed: 5)
    bench.act(.resume, 109.5)
    bench.move(110...160, from: 400, speed: 2)
    let recording = try #require(bench.engine.recording)
    #expect(abs(recording.distance - meters) < 5)
    #expect(abs(recording.duration - 100) <= 2)
    bench.act(.stop, 161)
    bench.act(.save, 161)
    let record = try #require(savedRecord(bench))
    #expect(record.segments.count == 2, "a pause ends a segment")
    #expect(
      record.segments.last?.first?.time
        == WorkoutBench.epoch.advanced(byNanoseconds: 110_000_000_000))
  }

  /// A minute in which the app is suspended, and its fixes come late.
  @Test(arguments: [(WorkoutRules.tri, 60.0), (.default, 120)])
  func clockWhileSuspended(rules: WorkoutRules, seconds: Double) throws {
    var bench = WorkoutBench(rules)
    bench.start()
    bench.move(0...30, from: 0, speed: 6)
    bench.act(.suspended(true), 30)
    #expect(bench.act(.suspended(true), 31) == "no-change")
    bench.act(.suspended(false), 90)
    for second in 31...120 {
      let position = WorkoutBench.frame.position(
        of: PlanarVector(east: 6 * Double(second), north: 0))
      let fix = Fix(
        latitude: position.latitude, longitude: position.longitude, horizontalAccuracy: 5, speed: 6)
      bench.act(
        .fix(fix, measured: WorkoutBench.instant(Double(second))), Double(max(90, second)))
    }
    bench.act(.stop, 120)
    #expect(bench.engine.recording?.duration == seconds)
  }

  /// Ticks are whole: each pause throws the rest of a second away.
  @Test(arguments: [(WorkoutRules.tri, 27.0), (.default, 29.7)])
  func pausesAndTicks(rules: WorkoutRules, seconds: Double) {
    var bench = WorkoutBench(rules)
    bench.start()
    for leg in 0..<3 {
      let start = Double(leg) * 20
      if leg > 0 { bench.act(.resume, start) }
      for step in 0...33 {
        bench.fix(start + Double(step) * 0.3, east: Double(leg) * 100 + Double(step) * 3, speed: 10)
      }
      bench.act(.pause, start + 9.9)
    }
    #expect(abs((bench.engine.recording?.duration ?? 0) - seconds) < 1e-6)
  }

  // MARK: Auto-pause

  @Test func standingForTenSecondsPausesByItself() {
    var bench = WorkoutBench()
    bench.start()
    bench.move(0...60, from: 0, speed: 3)
    for second in 61...69 { bench.fix(Double(second), east: 180, speed: 0) }
    #expect(!bench.all.contains(.autoPaused))
    for second in 70...90 { bench.fix(Double(second), east: 180, speed: 0) }
    #expect(bench.all.filter { $0 == .autoPaused }.count == 1)
    #expect(bench.engine.recording?.isAutoPaused == true)
    #expect(bench.engine.phase == .recording, "the tracker goes on")
    bench.move(91...120, from: 180, speed: 3)
    #expect(bench.all.filter { $0 == .autoResumed }.count == 1)
    let moving = bench.engine.recording?.movingTime ?? 0
    #expect(abs(moving - 90) <= 2)
    #expect(bench.engine.recording?.duration == 120)
  }

  @Test func aGapIsNotStandingAndTriNeverPausesByItself() {
    var bench = WorkoutBench()
    bench.start()
    bench.move(0...60, from: 0, speed: 3)
    bench.move(100...104, from: 300, speed: 3)
    #expect(!bench.all.contains(.autoPaused))
    var tri = WorkoutBench(.tri)
    tri.start()
    for second in 0...60 { tri.fix(Double(second), east: second % 2 == 0 ? 0 : 6) }
    for second in 61...120 { tri.fix(Double(second), east: 0) }
    #expect(!tri.all.contains(.autoPaused))
  }

  /// After a gap nothing is known yet: who stood before it has not moved.
  @Test func aGapDoesNotEndAnAutoPause() {
    var bench = WorkoutBench()
    bench.start()
    bench.move(0...60, from: 0, speed: 3)
    for second in 61...80 { bench.fix(Double(second), east: 180, speed: 0) }
    #expect(bench.engine.recording?.isAutoPaused == true)
    for second in 200...205 { bench.fix(Double(second), east: 180, speed: 0) }
    #expect(bench.engine.recording?.isAutoPaused == true)
    #expect(!bench.all.contains(.autoResumed))
    bench.move(206...220, from: 180, speed: 3)
    #expect(bench.all.filter { $0 == .autoResumed }.count == 1)
  }

  // MARK: Splits

  @Test func splitsOfKilometersAndMiles() throws {
    var bench = WorkoutBench()
    bench.start()
    bench.move(0...820, from: 0, speed: 4)
    bench.act(.stop, 820)
    let splits = try #require(bench.engine.recording?.splits)
    #expect(
      splits.map { "\($0.unit) \($0.number)" } == ["km 1", "mile 1", "km 2", "km 3", "mile 2"])
    let expected = [250.0, 402.336, 250, 250, 402.336]
    for (split, seconds) in zip(splits, expected) {
      #expect(abs(split.seconds - seconds) < 1.5, "\(split)")
    }
    #expect(splits[2].pace().map { abs($0.totalSeconds - 402) <= 2 } == true)
    let time = WorkoutBench.epoch.nanoseconds.distance(to: splits[0].time.nanoseconds)
    #expect(abs(Double(time) / 1e9 - 250) < 1.5)
  }

  @Test func splitsLeavePausesOut() throws {
    var bench = WorkoutBench()
    bench.start()
    bench.move(0...125, from: 0, speed: 4)
    bench.act(.pause, 125)
    bench.act(.resume, 425)
    bench.move(426...560, from: 500, speed: 4)
    let split = try #require(bench.engine.recording?.splits.first)
    #expect(abs(split.seconds - 250) < 3)
  }

  /// 400 m in 100 s, ten minutes without a fix in which 2400 m are covered, 400 m in 100 s: the
  /// kilometres in the gap took their time, instead of a run at four times the speed.
  @Test(arguments: [WorkoutRules.tri, .default])
  func aGapTakesItsTime(rules: WorkoutRules) throws {
    var bench = WorkoutBench(rules)
    bench.start()
    bench.move(0...100, from: 0, speed: 4)
    bench.move(700...800, from: 2800, speed: 4)
    bench.act(.stop, 800)
    let recording = try #require(bench.engine.recording)
    let kilometers = recording.splits.filter { $0.unit == "km" }
    #expect(kilometers.map(\.number) == [1, 2, 3])
    if rules == .default {
      #expect(abs(recording.movingTime - 200) < 1)
      for split in kilometers { #expect(abs(split.seconds - 250) < 2, "\(split)") }
      #expect(abs(kilometers.reduce(0) { $0 + $1.seconds } - 750) < 3)
    }
    #expect(abs(recording.paceTime - 800) < 1)
    bench.act(.save, 801)
    let record = try #require(savedRecord(bench))
    let pace = try #require(record.summary.pace(.exact))
    #expect(abs(pace.totalSeconds - 402) <= 2)
  }

  /// A gap in which nothing was covered is standing, or sleep: it is no time of the way.
  @Test func aGapWithoutMovementIsNoTimeOfTheWay() throws {
    var bench = WorkoutBench()
    bench.start()
    bench.move(0...100, from: 0, speed: 4)
    for second in 700...705 { bench.fix(Double(second), east: 400, speed: 0) }
    bench.move(706...800, from: 400, speed: 4)
    let recording = try #require(bench.engine.recording)
    #expect(abs(recording.paceTime - 194) < 3)
    #expect(recording.paceTime == recording.movingTime)
  }

  // MARK: Pace

  /// 7.6 minutes to the mile are 7:36; Tri rounded the minutes.
  @Test(arguments: [(WorkoutRules.tri, "8:36"), (.default, "7:36")])
  func paceOfSevenPointSix(rules: WorkoutRules, text: String) {
    let summary = summary(seconds: 456, meters: 1609.344)
    #expect(summary.pace(rules.tracker.paceRule)?.description == text)
    #expect(self.summary(seconds: 456, meters: 0).pace(rules.tracker.paceRule) == nil)
  }

  /// A hundred thousand miles show the difference: 0.25 s.
  @Test(arguments: [(WorkoutRules.tri, 1609.34), (.default, 1609.344)])
  func lengthOfAMile(rules: WorkoutRules, meters: Double) {
    #expect(rules.tracker.paceRule.metersPerMile == meters)
  }

  private func summary(seconds: Double, meters: Double) -> Workout.Summary {
    Workout.Summary(
      id: Workout.ActivityID(creator: Workout.UserID(rawValue: "a"), installation: 1, number: 1),
      creatorName: "a", sport: .run, start: WorkoutBench.epoch, duration: seconds,
      movingTime: seconds, distance: meters)
  }

  // MARK: Flow

  @Test func recordHasEverything() throws {
    var bench = WorkoutBench()
    bench.start(.bike, at: 10)
    for second in 10...60 {
      bench.fix(Double(second), east: 8 * Double(second), speed: 8, altitude: 400)
    }
    bench.act(.stop, 61)
    bench.act(.save, 61)
    let record = try #require(savedRecord(bench))
    #expect(record.summary.sport == .bike)
    #expect(record.summary.creatorName == "ann")
    #expect(record.id.creator == Workout.UserID(rawValue: "ann"))
    #expect(record.summary.start == WorkoutBench.epoch.advanced(byNanoseconds: 10_000_000_000))
    #expect(record.summary.duration == 50)
    #expect(abs(record.summary.distance - 400) < 5)
    #expect(record.locations.count == 51)
    #expect(record.locations.first?.altitude == 400)
    #expect(record.locations.first?.time == record.summary.start)
  }

  @Test func illegalStepsAreRefused() {
    var bench = WorkoutBench()
    for input in [WorkoutEngine.Input.pause, .resume, .stop, .save, .discard] {
      #expect(bench.act(input) == "not-now")
    }
    bench.start()
    #expect(bench.act(.start(.bike)) == "workout-open")
    #expect(bench.act(.resume) == "not-now")
    #expect(bench.act(.save) == "not-now")
    bench.act(.pause, 1)
    #expect(bench.act(.pause, 1) == "not-now")
    bench.act(.stop, 2)
    #expect(bench.act(.start(.run), 2) == "workout-open")
    bench.act(.save, 3)
    #expect(bench.act(.start(.swim), 3) == "not-tracked")
    #expect(bench.act(.start(.run), 3) == nil)
  }

  @Test(arguments: [0, 1, 2]) func discardClears(stage: Int) {
    var bench = WorkoutBench()
    bench.start()
    bench.move(0...10, from: 0, speed: 3)
    if stage > 0 { bench.act(.pause, 11) }
    if stage > 1 { bench.act(.stop, 12) }
    bench.act(.discard, 13)
    #expect(bench.effects == (stage < 2 ? [.stopUpdates, .discarded] : [.discarded]))
    #expect(bench.engine.recording == nil && bench.engine.activities.isEmpty)
    #expect(bench.act(.start(.run), 14) == nil)
  }

  // MARK: Swim form

  @Test func swimCountsOnThePickedDate() throws {
    var bench = WorkoutBench()
    let picked = WorkoutBench.epoch.advanced(byNanoseconds: -86_400_000_000_000 * 3)
    bench.act(.logSwim(WorkoutBench.form(picked, laps: 60, length: 33.5, seconds: 3723)), 5)
    let record = try #require(savedRecord(bench))
    #expect(record.summary.start == picked)
    #expect(record.summary.distance == 2010)
    #expect(record.summary.duration == 3723)
    #expect(record.summary.sport == .swim)
    #expect(record.segments.isEmpty && record.bounds == nil)
  }

  @Test(arguments: [
    ("lap-length", 10, 0.0, 60), ("lap-length", 10, -1, 60), ("lap-length", 10, .nan, 60),
    ("lap-length", 10, .infinity, 60), ("laps", 0, 25, 60), ("laps", .max, 25, 60),
    ("laps", -3, 25, 60), ("time", 10, 25, 0), ("time", 10, 25, 400_000),
  ])
  func swimFormIsValidated(code: String, laps: Int, length: Double, seconds: Int) {
    var bench = WorkoutBench()
    let form = WorkoutBench.form(laps: laps, length: length, seconds: seconds)
    #expect(bench.act(.logSwim(form), 1) == code)
    #expect(bench.engine.activities.isEmpty)
  }

  @Test func swimFormRefusesOddTimesAndTheFuture() {
    var bench = WorkoutBench()
    var form = WorkoutBench.form()
    form.minutes = 60
    #expect(bench.act(.logSwim(form)) == "time")
    form = WorkoutBench.form(WorkoutBench.epoch.advanced(byNanoseconds: 2_000_000_000))
    #expect(bench.act(.logSwim(form), 1) == "future-date")
    #expect(bench.act(.logSwim(form), 2) == nil)
  }

  private func savedRecord(_ bench: WorkoutBench) -> Workout.Record? {
    for letter in bench.sent { if case .save(let record) = letter.request { return record } }
    return nil
  }
}
