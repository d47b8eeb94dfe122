import AppEngines
import HikeApp
import HikeSamples
import Testing
import TraceModel

/// New content, and what becomes of what was done.
@Suite struct HikeUpdateTests {
  private func download(_ content: HikeContent, checksum: String? = nil) -> HikeDownload {
    HikeDownload(content: content, checksum: checksum ?? content.version)
  }

  /// The same walk with other ids throughout.
  private func renamed() -> HikeContent {
    var content = HikeSample.content(
      "v2",
      waypoints: (0..<4).map {
        HikeSample.waypoint(Int32($0), location: "new-\($0)")
      })
    content.profiles[0].id = "f2"
    content.profiles[0].routes[0].id = "70"
    return content
  }

  private func update(_ trial: inout HikeTrial, to content: HikeContent) throws {
    try trial.give(.connectivity(.cellular))
    try trial.give(.connectivity(.wifi))
    let pings = trial.effects.compactMap { effect -> Int? in
      if case .ping(let number, _) = effect { number } else { nil }
    }
    try trial.give(.pingAnswered(number: try #require(pings.last), isCurrent: false))
    let downloads = trial.effects.compactMap { effect -> Int? in
      if case .download(let number) = effect { number } else { nil }
    }
    try trial.give(.downloaded(number: try #require(downloads.last), download(content)))
  }

  @Test func looksForUpdatesOnlyOverWiFi() throws {
    func isPing(_ effect: HikeEngine.Effect) -> Bool {
      if case .ping = effect { true } else { false }
    }
    for rules in [HikeRules.goHike, HikeSample.plain] {
      var trial = try HikeTrial(rules, connectivity: .cellular)
      try trial.give(.deactivate)
      try trial.give(.activate)
      #expect(!trial.effects.contains(where: isPing) && trial.engine.updateWaitsForWiFi)
      try trial.give(.connectivity(.offline))
      try trial.give(.connectivity(.wifi))
      #expect(trial.effects.contains { $0 == .ping(number: 1, version: "v1") })
      try trial.give(.pingAnswered(number: 1, isCurrent: true))
      #expect(trial.engine.update == .idle)
      // In the background nothing is looked for.
      trial.effects = []
      try trial.give(.deactivate)
      try trial.give(.connectivity(.cellular))
      try trial.give(.connectivity(.wifi))
      #expect(!trial.effects.contains(where: isPing))
      try trial.give(.activate)
      #expect(trial.effects.contains(where: isPing))
    }
  }

  @Test func downloadWaitsWhereTheWiFiIsGone() throws {
    var trial = try HikeTrial()
    try trial.give(.connectivity(.wifi))
    try trial.give(.connectivity(.cellular))
    trial.effects = []
    try trial.give(.pingAnswered(number: 1, isCurrent: false))
    #expect(trial.effects == [] && trial.engine.update == .idle)
    try trial.give(.connectivity(.wifi))
    #expect(trial.effects == [.ping(number: 2, version: "v1")])
  }

  @Test func downloadEndsWhereTheWiFiGoes() throws {
    for left in [HikeEngine.Connectivity.cellular, .offline] {
      var trial = try HikeTrial()
      try trial.give(.connectivity(.wifi))
      try trial.give(.pingAnswered(number: 1, isCurrent: false))
      #expect(trial.engine.update == .downloading(number: 2))
      trial.effects = []
      try trial.give(.connectivity(left))
      #expect(trial.engine.update == .idle && trial.engine.content.version == "v1")
      let late = HikeEngine.Input.downloaded(number: 2, download(HikeSample.content("v2")))
      #expect(trial.refusal(of: late) == "unknown-request")
      trial.effects = []
      try trial.give(.connectivity(.wifi))
      #expect(trial.effects == [.ping(number: 3, version: "v1")])
    }
  }

  @Test func contentIsLiveAtOnceAndReplacesTheSavedOne() throws {
    var trial = try HikeTrial(route: nil)
    try update(&trial, to: HikeSample.content("v2", waypoints: [HikeSample.waypoint(0)]))
    #expect(trial.engine.content.version == "v2")
    #expect(trial.effects.contains(.contentReplaced(version: "v2")))
    try trial.give(.openRoute(HikeSample.long))
    try trial.visit(0)
    #expect(trial.engine.rewarded == [HikeSample.long])
  }

  @Test func failedUpdateLeavesEverythingAndIsTriedAgain() throws {
    var trial = try HikeTrial()
    try trial.give(.connectivity(.wifi))
    try trial.give(.updateFailed(number: 1))
    #expect(trial.engine.update == .idle && trial.engine.content.version == "v1")
    #expect(trial.refusal(of: .pingAnswered(number: 1, isCurrent: false)) == "unknown-request")
    trial.effects = []
    try trial.give(.deactivate)
    try trial.give(.activate)
    #expect(trial.effects.contains(.ping(number: 2, version: "v1")))
  }

  /// Fault: the version is not verified.
  @Test func contentWithoutItsChecksumIsTakenOnlyByTheOriginal() throws {
    for (rules, version) in [(HikeRules.goHike, "v2"), (HikeSample.plain, "v1")] {
      var trial = try HikeTrial(rules)
      try trial.give(.connectivity(.wifi))
      try trial.give(.pingAnswered(number: 1, isCurrent: false))
      trial.effects = []
      try trial.give(
        .downloaded(number: 2, download(HikeSample.content("v2"), checksum: "other")))
      #expect(trial.engine.content.version == version)
      let isRefused = trial.effects.contains {
        if case .contentRefused(let reason) = $0 { reason.contains("other") } else { false }
      }
      #expect(isRefused == (version == "v1"))
      #expect(trial.engine.update == .idle)
    }
  }

  /// Fault: location ids change under a saved state. The original crashed.
  @Test func progressSurvivesChangedIDsExceptInTheOriginal() throws {
    for (rules, survives) in [(HikeRules.goHike, false), (HikeSample.plain, true)] {
      var trial = try HikeTrial(rules)
      for rank in 0..<2 { try trial.visit(rank) }
      try update(&trial, to: renamed())
      let key = HikeRouteKey(profile: "f2", route: "70")
      #expect(trial.engine.activeRoute == (survives ? key : nil))
      #expect(trial.visited == (survives ? ["new-0", "new-1"] : []))
      #expect(trial.effects.contains(.progressLost(count: 2)) != survives)
      #expect(trial.effects.contains(.routeClosed(HikeSample.long)) != survives)
      guard survives else { continue }
      #expect(trial.engine.target?.location == "new-2")
      for rank in 2..<4 { try trial.visit(rank) }
      #expect(trial.engine.rewarded == [key])
    }
  }

  @Test func idsThatWereDealtAnewAreFollowedByWhatTheyName() throws {
    var trial = try HikeTrial(HikeSample.free)
    try trial.visit(0)
    try trial.visit(3)
    // 101 is now the last, 104 the first.
    let dealt = (0..<4).map { HikeSample.waypoint(Int32($0), location: "\(104 - $0)") }
    try update(&trial, to: HikeSample.content("v2", waypoints: dealt))
    #expect(Set(trial.visited) == ["104", "101"])
    let left = trial.engine.content.profiles[0].routes[0].waypoints.map(\.location)
      .filter { !trial.visited.contains($0) }
    #expect(left == ["103", "102"])
  }

  /// Without names, or with the same name for all, only the place distinguishes waypoints.
  @Test(arguments: ["", "Stop"]) func idsThatWereDealtAnewAreFollowedByPlace(name: String) throws {
    func content(_ version: String, _ ids: [Int]) -> HikeContent {
      HikeSample.content(
        version,
        waypoints: ids.enumerated().map { rank, id in
          var waypoint = HikeSample.waypoint(Int32(rank), location: "\(id)")
          waypoint.name = HikeText(en: name)
          return waypoint
        })
    }
    var trial = try HikeTrial(HikeSample.free, content: content("v1", [101, 102, 103, 104]))
    try trial.visit(0)
    try trial.visit(3)
    try update(&trial, to: content("v2", [104, 103, 102, 101]))
    #expect(trial.visited == ["104", "101"])
    #expect(trial.engine.visitedLocations(of: HikeSample.long) == ["101", "104"])
    try update(&trial, to: content("v3", [102, 101, 104, 103]))
    #expect(trial.visited == ["102", "103"])
  }

  /// The id of what was visited goes to a waypoint where the walker never was.
  @Test func visitIsNotTakenOverByAnotherWaypointOfTheSameID() throws {
    var trial = try HikeTrial(HikeSample.free, connectivity: .offline)
    try trial.visit(0)
    var waypoints = (0..<4).map { HikeSample.waypoint(Int32($0)) }
    waypoints[0] = HikeSample.waypoint(0, location: "101", north: -900)
    waypoints[0].name = HikeText(en: "Elsewhere")
    try update(&trial, to: HikeSample.content("v2", waypoints: waypoints))
    #expect(trial.engine.visitedLocations(of: HikeSample.long) == [])
    #expect(trial.engine.target?.location == "102" && trial.engine.records.count == 1)
    try trial.walk(toNorth: -900)
    try trial.give(.confirm)
    try trial.give(.proceed)
    #expect(trial.engine.visitedLocations(of: HikeSample.long) == ["101"])
    // The first one comes back, under another id: it is known again, and both are visited.
    waypoints.append(HikeSample.waypoint(4, location: "105", north: 0))
    waypoints[4].name = HikeSample.waypoint(0).name
    try update(&trial, to: HikeSample.content("v3", waypoints: waypoints))
    #expect(trial.engine.visitedLocations(of: HikeSample.long) == ["101", "105"])
  }

  /// What never was sent before its waypoint went is sent with the ids that it was made with.
  @Test func visitOfAWaypointThatIsGoneIsUploadedAsItWasMade() throws {
    var trial = try HikeTrial(connectivity: .offline)
    try trial.visit(0)
    var content = HikeSample.content("v2", waypoints: [HikeSample.waypoint(3, location: "101")])
    content.profiles[0].routes[0].id = "70"
    try trial.give(.contentOpened(download(content)))
    #expect(trial.engine.target?.location == "101" && trial.engine.records.count == 1)
    try trial.give(.connectivity(.cellular))
    #expect(trial.uploads.map { $0.checkIns.map { [$0.route, $0.location] } } == [[["7", "101"]]])
  }

  @Test func waypointsAlikeInNameAndPlaceKeepTheirOwnVisits() throws {
    func content(_ version: String, _ ids: [String]) -> HikeContent {
      HikeSample.content(
        version,
        waypoints: ids.enumerated().map { rank, id in
          var waypoint = HikeSample.waypoint(Int32(rank), location: id, north: 0)
          waypoint.name = HikeText(en: "Twin")
          return waypoint
        })
    }
    var trial = try HikeTrial(HikeSample.free, content: content("v1", ["101", "102", "103"]))
    try trial.visit(0)
    #expect(trial.visited == ["101"])
    // Ids changed: by rank. Ids kept: by id, with any rank.
    try update(&trial, to: content("v2", ["a", "b", "c"]))
    #expect(trial.visited == ["a"])
    try update(&trial, to: content("v3", ["c", "b", "a"]))
    #expect(trial.visited == ["a"] && trial.engine.target?.location == "b")
  }

  /// A visit goes to the server under one id, whatever the content calls the place by then: else
  /// it would be stored twice where an answer was lost.
  @Test func uploadsKeepTheIDsThatTheyWereFirstSentWith() throws {
    var trial = try HikeTrial()
    try trial.visit(0)
    let sent = try #require(trial.uploads.first)
    try update(&trial, to: renamed())
    #expect(trial.visited == ["new-0"])
    trial.effects = []
    try trial.give(.deactivate)
    try trial.give(.activate)
    #expect(trial.uploads.map(\.checkIns) == [sent.checkIns])
    try trial.give(.uploadStored(sent.stamp))
    #expect(trial.engine.records.map(\.isUploaded) == [true])
    // What was not sent yet goes with the new ids.
    trial.effects = []
    try trial.visit(1)
    #expect(trial.uploads.last?.checkIns.map(\.location) == ["new-1"])
    #expect(trial.uploads.last?.checkIns.map(\.route) == ["70"])
  }

  @Test func movedOrRenamedWaypointKeepsItsVisitByID() throws {
    var trial = try HikeTrial()
    try trial.visit(0)
    try trial.visit(1)
    var waypoints = (0..<4).map { HikeSample.waypoint(Int32($0)) }
    waypoints[0].latitude += 0.0001
    waypoints[1].name = HikeText(en: "Another name")
    try update(&trial, to: HikeSample.content("v2", waypoints: waypoints))
    #expect(trial.visited == ["101", "102"] && trial.engine.target?.location == "103")
  }

  @Test func whatIsGoneFromTheContentIsKeptAndStillUploaded() throws {
    var trial = try HikeTrial(connectivity: .offline)
    try trial.visit(0)
    trial.effects = []
    try update(
      &trial,
      to: HikeSample.content("v2", waypoints: (1..<4).map { HikeSample.waypoint(Int32($0)) }))
    #expect(trial.visited == ["101"])
    #expect(trial.uploads.contains { $0.checkIns.map(\.location) == ["101"] })
    // A later version has it again.
    try trial.give(.connectivity(.cellular))
    try update(&trial, to: HikeSample.content("v3"))
    #expect(trial.engine.target?.location == "102")
  }

  @Test func rewardWhereTheLastMissingWaypointIsTakenAway() throws {
    var trial = try HikeTrial()
    for rank in 0..<3 { try trial.visit(rank) }
    try update(
      &trial,
      to: HikeSample.content("v2", waypoints: (0..<3).map { HikeSample.waypoint(Int32($0)) }))
    #expect(trial.effects.count { $0 == .reward(HikeSample.long) } == 1)
  }

  /// Two routes become one: a visit of both is one, and uploaded only where both were.
  @Test(arguments: [true, false]) func visitsOfRoutesThatBecomeOneAreOne(areBoth: Bool) throws {
    var before = HikeSample.content()
    before.profiles[0].routes[1] = before.profiles[0].routes[0]
    before.profiles[0].routes[1].id = "8"
    var trial = try HikeTrial(content: before)
    try trial.visit(0)
    try trial.give(.uploadStored(try #require(trial.uploads.last).stamp))
    let first = trial.engine.records[0].timestamp
    try trial.give(.openRoute(HikeSample.short))
    try trial.visit(0)
    #expect(trial.engine.records.map(\.key) == [HikeSample.long, HikeSample.short])
    if areBoth {
      try trial.give(.uploadStored(try #require(trial.uploads.last).stamp))
    }
    var after = HikeSample.content("v2")
    after.profiles[0].routes.removeLast()
    try update(&trial, to: after)
    #expect(trial.engine.records.map(\.key) == [HikeSample.long])
    #expect(trial.engine.records.map(\.isUploaded) == [areBoth])
    #expect(trial.engine.records[0].timestamp == first)
  }

  @Test func rewardIsGivenOnceAlsoAfterNewContentAndIDs() throws {
    var trial = try HikeTrial()
    for rank in 0..<4 { try trial.visit(rank) }
    try update(&trial, to: renamed())
    try update(&trial, to: HikeSample.content("v3", waypoints: [HikeSample.waypoint(1)]))
    try update(
      &trial, to: HikeSample.content("v4", waypoints: (0..<5).map { HikeSample.waypoint($0) }))
    #expect(trial.engine.target?.location == "105")
    try trial.visit(4)
    let rewards = trial.effects.count { if case .reward = $0 { true } else { false } }
    #expect(rewards == 1 && trial.engine.rewarded == [HikeSample.long])
  }

  @Test func openPromptGoesOnWhereItsRouteIsTheSame() throws {
    var trial = try HikeTrial()
    try trial.walk(toNorth: 0)
    var content = HikeSample.content("v2")
    content.profiles[0].routes[0].waypoints[0].details.en = "A better text"
    try update(&trial, to: content)
    #expect(trial.engine.screen == .prompt(location: "101"))
    // Where the place has another id the prompt goes, and the next fix brings it again.
    try trial.give(.connectivity(.cellular))
    trial.effects = []
    try update(&trial, to: renamed())
    #expect(trial.effects.contains(.promptClosed(location: "101")))
    try trial.walk(toNorth: 0)
    #expect(trial.prompts == ["new-0"])
  }

  @Test func contentWithAWaypointOffTheEarthIsRefused() throws {
    var trial = try HikeTrial()
    var waypoint = HikeSample.waypoint(0)
    waypoint.latitude = .nan
    try update(&trial, to: HikeSample.content("v2", waypoints: [waypoint]))
    #expect(trial.engine.content.version == "v1" && trial.engine.update == .idle)
  }
}
