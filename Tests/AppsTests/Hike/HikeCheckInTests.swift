import AppEngines
import HikeApp
import Detectors
import HikeSamples
import Testing
import TraceModel

/// Prompts, visits and the reward.
@Suite struct HikeCheckInTests {
  @Test(arguments: [(HikeRules.goHike, 60.0), (HikeSample.plain, 60.0)])
  func promptsStrictlyWithinTheRadius(rules: HikeRules, radius: Double) throws {
    // Away from the second waypoint, at the first's side.
    for (distance, isPrompted) in [(radius - 0.01, true), (radius + 0.01, false)] {
      var trial = try HikeTrial(rules)
      try trial.walk(toNorth: -distance)
      #expect((trial.engine.screen == .prompt(location: "101")) == isPrompted, "\(distance) m")
      #expect(trial.prompts.isEmpty != isPrompted)
    }
  }

  /// At exactly the radius there is no prompt.
  @Test(arguments: [HikeRules.goHike, HikeSample.plain])
  func radiusItselfIsOutside(rules: HikeRules) throws {
    let place = HikeSample.waypoint(0)
    let fix = HikeSample.fix(north: -60)
    let distance = Geodesy.distance(
      latitude: place.latitude, longitude: place.longitude, toLatitude: fix.latitude,
      longitude: fix.longitude)
    for (radius, isPrompted) in [(distance, false), (distance.nextUp, true)] {
      var rules = rules
      rules.checkIn.radius = radius
      var trial = try HikeTrial(rules)
      try trial.walk(toNorth: -60)
      #expect(trial.prompts.isEmpty != isPrompted, "\(radius) m")
    }
    #expect(rules.checkIn.radius == 60)
  }

  /// The original compares the absolute age; in the default no time from the future is left.
  @Test(arguments: [HikeRules.goHike, HikeSample.plain])
  func fixOf15SecondsIsTooOld(rules: HikeRules) throws {
    let isOriginal = rules == .goHike
    for (age, isPrompted) in [
      (14.999, true), (15, false), (-14.999, true), (-15, !isOriginal), (-3600, !isOriginal),
    ] {
      var trial = try HikeTrial(rules)
      let fix = HikeSample.fix(north: 0)
      let now = trial.now.advanced(bySeconds: 20)
      try trial.give(.fix(fix, measured: now.advanced(bySeconds: -age)), after: 20)
      #expect(trial.prompts.isEmpty != isPrompted, "\(age) s")
    }
  }

  /// Fault: accuracy not looked at.
  @Test func fixOf500MetresChecksInOnlyInTheOriginal() throws {
    for (rules, isPrompted) in [(HikeRules.goHike, true), (HikeRules.default, false)] {
      var trial = try HikeTrial(rules)
      for _ in 0..<5 { try trial.walk(toNorth: 0, accuracy: 500) }
      #expect(trial.prompts == (isPrompted ? ["101"] : []))
    }
  }

  /// The filter of a later version: a fix only after 40 m of movement, so prompts come late.
  @Test func filterOf40MetresDelaysThePrompt() throws {
    for (rules, expected) in [
      (HikeRules.goHikeSeptember2013, 35.0), (.goHike, 59), (HikeSample.plain, 59),
    ] {
      var trial = try HikeTrial(rules)
      for north in stride(from: -75.0, through: -30, by: 1) where trial.prompts.isEmpty {
        try trial.walk(toNorth: north)
      }
      let prompt = trial.effects.compactMap { effect -> Double? in
        if case .prompt(_, let distance) = effect { distance } else { nil }
      }
      #expect(prompt.count == 1 && abs(prompt[0] - expected) < 1.01, "\(prompt)")
    }
  }

  /// A movement of exactly the filter's distance is enough.
  @Test func filterDeliversAtItsDistance() throws {
    let (away, near) = (HikeSample.fix(north: -70), HikeSample.fix(north: -30))
    let moved = Geodesy.distance(
      latitude: away.latitude, longitude: away.longitude, toLatitude: near.latitude,
      longitude: near.longitude)
    for (filter, isPrompted) in [(moved, true), (moved.nextUp, false)] {
      var rules = HikeRules.goHikeSeptember2013
      rules.checkIn.distanceFilter = filter
      var trial = try HikeTrial(rules)
      try trial.walk(toNorth: -70)
      try trial.walk(toNorth: -30)
      #expect(trial.prompts.isEmpty != isPrompted, "\(filter) m")
    }
  }

  @Test func everyFixIsDeliveredExceptInSeptember2013() {
    for (rules, meters) in [
      (HikeRules.default, 0.0), (.goHike, 0), (.goHikeSeptember2013, 40),
    ] {
      #expect(rules.checkIn.distanceFilter == meters)
    }
  }

  @Test func confirmRevealsAndContinueRecords() throws {
    var trial = try HikeTrial()
    try trial.walk(toNorth: 0)
    #expect(trial.engine.screen == .prompt(location: "101"))
    try trial.give(.confirm)
    #expect(trial.effects.contains(.reveal(location: "101")))
    #expect(trial.engine.screen == .details(location: "101"))
    #expect(trial.engine.records == [])
    try trial.give(.proceed)
    let seconds = Int64(1_600_000_000) + trial.now.nanoseconds / 1_000_000_000
    #expect(
      trial.engine.records == [
        HikeRecord(key: HikeSample.long, location: "101", timestamp: WallTime(seconds: seconds))
      ])
    #expect(trial.effects.contains(.visited(location: "101", count: 1, total: 4)))
    #expect(trial.effects.contains(.next(location: "102")))
    #expect(trial.effects.contains(.save))
    #expect(trial.engine.screen == .route(HikeSample.long))
  }

  /// The next fix that is delivered prompts again, unless the host wants a pause.
  @Test(arguments: [(HikeRules.goHike, nil), (.default, nil), (HikeSample.plain, 60.0)])
  func cancelReArms(rules: HikeRules, pause: Double?) throws {
    var rules = rules
    if let pause { rules.checkIn.cancelPause = pause }
    var trial = try HikeTrial(rules)
    while trial.prompts.isEmpty { try trial.walk(toNorth: -20) }
    try trial.give(.cancel)
    #expect(trial.effects.contains(.declined(location: "101")))
    #expect(trial.engine.records == [] && trial.engine.screen == .route(HikeSample.long))
    trial.effects = []
    try trial.walk(toNorth: -20)
    #expect(trial.prompts.contains("101") == (pause == nil))
    guard let pause else { return }
    trial.wait(pause)
    try trial.walk(toNorth: -20)
    #expect(trial.prompts.contains("101"))
  }

  /// At each waypoint the walker cancels first, and is there for a short time only.
  @Test(arguments: [HikeRules.goHike, .default])
  func aHikeEndsAlsoAfterCancellations(rules: HikeRules) throws {
    var trial = try HikeTrial(rules)
    for rank in 0..<4 {
      for _ in 0..<4 { try trial.walk(toNorth: Double(rank) * HikeSample.spacing) }
      try trial.give(.cancel)
      try trial.visit(rank)
    }
    #expect(trial.engine.rewarded == [HikeSample.long])
  }

  @Test func confirmedPromptCanStillBeCancelled() throws {
    var trial = try HikeTrial()
    try trial.walk(toNorth: 0)
    try trial.give(.confirm)
    try trial.give(.cancel)
    #expect(trial.engine.records == [])
    #expect(trial.refusal(of: .proceed) == "no-prompt")
  }

  @Test(arguments: [HikeRules.goHike, HikeSample.plain])
  func visitsAreByRank(rules: HikeRules) throws {
    var trial = try HikeTrial(rules)
    // At the third waypoint nothing happens: the first is next.
    try trial.walk(toNorth: 2 * HikeSample.spacing)
    #expect(trial.prompts == [])
    #expect(trial.engine.target?.location == "101")
    for rank in 0..<4 { try trial.visit(rank) }
    #expect(trial.visited == ["101", "102", "103", "104"])
  }

  @Test func orderIsByRankAndNotByPlaceInTheFile() throws {
    let shuffled = [2, 0, 3, 1].map { HikeSample.waypoint(Int32($0)) }
    var trial = try HikeTrial(.goHike, content: HikeSample.content(waypoints: shuffled))
    for rank in 0..<4 {
      #expect(trial.engine.target?.rank == Int32(rank))
      try trial.visit(rank)
    }
  }

  @Test func walkerChoosesAndThenItWraps() throws {
    #expect(HikeRules.chosenNext.order == .chosen && HikeRules.freeOrder.order == .free)
    var trial = try HikeTrial(HikeSample.chosen)
    try trial.give(.choose("103"))
    #expect(trial.effects.contains(.next(location: "103")))
    for rank in [2, 3, 0, 1] {
      #expect(trial.engine.target?.rank == Int32(rank))
      try trial.visit(rank)
    }
    #expect(trial.effects.contains(.reward(HikeSample.long)))
    #expect(trial.refusal(of: .choose("101")) == "already-visited")
  }

  @Test func freeOrderPromptsWhateverIsNearest() throws {
    var trial = try HikeTrial(HikeSample.free)
    for rank in [2, 0, 3, 1] { try trial.visit(rank) }
    #expect(trial.visited == ["103", "101", "104", "102"])
    #expect(trial.engine.rewarded == [HikeSample.long])
  }

  @Test func chosenWaypointIsOnlyTheCompassGoalInFreeOrder() throws {
    var trial = try HikeTrial(HikeSample.free)
    try trial.give(.choose("104"))
    #expect(trial.engine.target?.location == "104")
    try trial.visit(0)
    #expect(trial.visited == ["101"] && trial.engine.target?.location == "104")
  }

  @Test(arguments: [HikeRules.goHike, .default]) func fixedOrderCannotBeChosen(
    rules: HikeRules
  ) throws {
    var trial = try HikeTrial(rules)
    #expect(trial.refusal(of: .choose("103")) == "order-is-fixed")
  }

  /// Between two waypoints 52 m apart both circles hold.
  @Test func overlappingCirclesPromptOneAfterTheOther() throws {
    for (rules, first) in [
      (HikeRules.goHike, "101"), (HikeSample.plain, "101"), (HikeSample.free, "102"),
    ] {
      var trial = try HikeTrial(rules)
      try trial.walk(toNorth: 45)
      #expect(trial.prompts == [first], "by rank the first, in free order the nearest")
      // While a prompt is open there is no other.
      try trial.walk(toNorth: 5)
      #expect(trial.prompts == [first])
      try trial.give(.confirm)
      try trial.give(.proceed)
      trial.effects = []
      try trial.walk(toNorth: 45)
      #expect(trial.prompts == [first == "101" ? "102" : "101"])
    }
  }

  @Test func rewardComesOnceWhenAllDistinctWaypointsAreVisited() throws {
    // The first location closes the round: it counts once.
    let round =
      (0..<3).map { HikeSample.waypoint(Int32($0)) } + [
        HikeSample.waypoint(3, location: "101", north: 0)
      ]
    for rules in [HikeRules.goHike, HikeSample.plain] {
      var trial = try HikeTrial(rules, content: HikeSample.content(waypoints: round))
      for rank in 0..<3 {
        #expect(trial.engine.rewarded == [])
        try trial.visit(rank)
      }
      #expect(trial.engine.rewarded == [HikeSample.long])
      #expect(trial.engine.screen == .reward(HikeSample.long))
      try trial.give(.closeReward)
      for north in [0.0, 52, 104] { try trial.walk(toNorth: north) }
      try trial.give(.closeRoute)
      try trial.give(.openRoute(HikeSample.long))
      #expect(trial.effects.count { $0 == .reward(HikeSample.long) } == 1)
      #expect(trial.prompts.count == 3 && trial.engine.records.count == 3)
      #expect(trial.engine.target == nil)
    }
  }

  @Test func checkInsStayWithTheRoute() throws {
    var trial = try HikeTrial()
    try trial.visit(0)
    try trial.visit(1)
    try trial.give(.openRoute(HikeSample.short))
    #expect(trial.engine.visitedLocations(of: HikeSample.short) == [])
    try trial.visit(0)
    #expect(trial.engine.rewarded == [HikeSample.short])
    try trial.give(.openRoute(HikeSample.long))
    #expect(trial.engine.target?.location == "103")
    trial.effects = []
    try trial.walk(toNorth: 0)
    #expect(trial.prompts == [])
  }

  @Test func everythingWorksOffline() throws {
    for rules in [HikeRules.goHike, HikeSample.plain] {
      var trial = try HikeTrial(rules, connectivity: .offline)
      for rank in 0..<4 { try trial.visit(rank) }
      #expect(trial.engine.rewarded == [HikeSample.long])
      #expect(trial.uploads == [])
      #expect(trial.engine.records.allSatisfy { !$0.isUploaded })
    }
  }

  @Test func whatIsNotDueIsRefused() throws {
    var trial = try HikeTrial()
    #expect(trial.refusal(of: .confirm) == "no-prompt")
    #expect(trial.refusal(of: .proceed) == "no-prompt")
    #expect(trial.refusal(of: .cancel) == "no-prompt")
    try trial.walk(toNorth: 0)
    #expect(trial.refusal(of: .proceed) == "not-confirmed")
    try trial.give(.confirm)
    #expect(trial.refusal(of: .confirm) == "already-confirmed")
    #expect(trial.refusal(of: .choose("nowhere")) == "order-is-fixed")
    #expect(
      trial.refusal(of: .openRoute(HikeRouteKey(profile: "families", route: "9")))
        == "unknown-route")
    #expect(trial.refusal(of: .openProfile("nobody")) == "unknown-profile")
    #expect(trial.refusal(of: .closeReward) == "no-reward")
  }
}
