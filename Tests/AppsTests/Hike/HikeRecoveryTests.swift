import AppEngines
import HikeSamples
import Testing
import TraceModel

@testable import HikeApp

/// What the server gives back, and how often a phone sends.
@Suite struct HikeRecoveryTests {
  private func checkIn(_ location: String, route: String = "7") -> HikeCheckIn {
    HikeCheckIn(location: location, route: route, timestamp: WallTime(seconds: 5))
  }

  // MARK: What the server has

  @Test func whatTheServerHasCounts() throws {
    var trial = try HikeTrial()
    try trial.visit(0)
    let stamp = try #require(trial.uploads.last).stamp
    trial.effects = []
    // One of another content counts for nothing.
    let all = ["101", "102", "102", "103", "999"].map { checkIn($0) } + [checkIn("5", route: "99")]
    try trial.give(.allStored(stamp, all))
    #expect(trial.visited == ["101", "102", "103", "999"])
    #expect(trial.engine.records[0].timestamp == WallTime(seconds: 5), "the earlier time")
    #expect(trial.effects.contains(.save) && trial.engine.target?.location == "104")
    #expect(trial.engine.records.allSatisfy { $0.isUploaded } && trial.uploads == [])
    try trial.visit(3)
    #expect(trial.engine.rewarded == [HikeSample.long])
  }

  @Test func theLastVisitOfTheServerGivesTheReward() throws {
    var trial = try HikeTrial()
    try trial.visit(0)
    let stamp = try #require(trial.uploads.last).stamp
    try trial.give(.allStored(stamp, ["102", "103", "104"].map { checkIn($0) }))
    #expect(trial.effects.count { $0 == .reward(HikeSample.long) } == 1)
  }

  // MARK: What the server does not take

  private static let oddIDs = ["", String(repeating: "x", count: 257)]

  /// A record that the server never takes keeps no other one from it, and is kept.
  @Test(arguments: oddIDs, [true, false])
  func aBadRecordBlocksNoOther(id: String, isRoute: Bool) throws {
    let key = HikeRouteKey(profile: "x", route: isRoute ? id : "9")
    let bad = HikeRecord(key: key, location: isRoute ? "5" : id, timestamp: WallTime(seconds: 9))
    var trial = try HikeTrial()
    trial.engine.records = [bad]
    try trial.give(.deactivate)
    try trial.give(.activate)
    #expect(trial.uploads == [], "there is nothing that the server takes")
    try trial.visit(0)
    var server = HikeServer(content: HikeSample.content())
    var answers: [HikeServer.Effect] = []
    let sent = try #require(trial.uploads.last)
    try server.handle(.checkIns(sent), at: .zero, into: &answers)
    #expect(answers == [.answer(to: "phone", .stored(sent.stamp))])
    trial.effects = []
    try trial.give(.uploadStored(sent.stamp))
    #expect(trial.engine.records.map(\.isUploaded) == [false, true])
    #expect(trial.engine.deadline == nil && trial.uploads == [])
    try trial.give(.deactivate)
    try trial.give(.activate)
    #expect(trial.uploads == [] && trial.engine.records.count == 2, "it is kept")
  }

  /// More records than the server takes at a time go in several requests, one after the other.
  @Test func manyRecordsGoInSeveralRequests() throws {
    let key = HikeRouteKey(profile: "x", route: "99")
    let records = (0..<25_000).map {
      HikeRecord(key: key, location: "\($0)", timestamp: WallTime(seconds: 9))
    }
    var trial = try HikeTrial(connectivity: .offline)
    trial.engine.records = records
    var server = HikeServer(content: HikeSample.content())
    var sizes: [Int] = []
    try trial.engine.handle(.connectivity(.cellular), at: trial.now, into: &trial.effects)
    while let upload = trial.uploads.last {
      sizes.append(upload.checkIns.count)
      var answers: [HikeServer.Effect] = []
      try server.handle(.checkIns(upload), at: .zero, into: &answers)
      trial.effects = []
      try trial.engine.handle(.uploadStored(upload.stamp), at: trial.now, into: &trial.effects)
    }
    #expect(sizes == [10_000, 10_000, 5000] && server.checkIns.count == 25_000)
    #expect(trial.engine.records.allSatisfy { $0.isUploaded })
  }

  // MARK: Downloads

  /// Coming to the front during a download keeps it.
  @Test(arguments: [HikeRules.goHike, HikeSample.plain])
  func comingToTheFrontKeepsADownload(rules: HikeRules) throws {
    var trial = try HikeTrial(rules)
    try trial.give(.connectivity(.wifi))
    try trial.give(.pingAnswered(number: 1, isCurrent: false))
    trial.effects = []
    for _ in 0..<3 {
      try trial.give(.deactivate)
      try trial.give(.activate)
    }
    #expect(trial.engine.update == .downloading(number: 2))
    #expect(!trial.effects.contains { if case .ping = $0 { true } else { false } })
    let new = HikeSample.content("v2")
    try trial.give(.downloaded(number: 2, HikeDownload(content: new, checksum: "v2")))
    #expect(trial.engine.content.version == "v2")
  }

  /// A download of which nothing is heard for ten minutes is given up.
  @Test func aDeadDownloadIsGivenUpAtTheFront() throws {
    var trial = try HikeTrial()
    try trial.give(.connectivity(.wifi))
    try trial.give(.pingAnswered(number: 1, isCurrent: false))
    trial.effects = []
    trial.wait(601)
    try trial.give(.activate)
    #expect(trial.effects == [.cancelDownload(number: 2), .ping(number: 3, version: "v1")])
  }

  // MARK: How often a phone sends

  /// For an hour the phone comes to the front every second, or loses the network every other one,
  /// and no answer arrives.
  @Test(arguments: [true, false]) func anHourWithoutAnswersIsFewMessages(isFront: Bool) throws {
    for rules in [HikeRules.goHike, HikeSample.plain] {
      var trial = try HikeTrial(rules, connectivity: .wifi)
      try trial.visit(0)
      trial.effects = []
      for _ in 0..<1800 {
        try trial.give(isFront ? .deactivate : .connectivity(.offline))
        try trial.give(isFront ? .activate : .connectivity(.wifi))
      }
      let pings = trial.effects.count { if case .ping = $0 { true } else { false } }
      if rules == .goHike {
        // It sends at each activation, and never by itself.
        #expect(trial.uploads.count == (isFront ? 1800 : 0) && pings == 1800)
      } else {
        #expect((6...30).contains(trial.uploads.count), "\(trial.uploads.count) uploads")
        #expect((6...18).contains(pings), "\(pings) searches")
      }
    }
  }

  /// A visit made offline waits for its turn where the budget is used up when the network is back,
  /// and is then sent without any other input.
  @Test(arguments: [true, false]) func aVisitBeyondTheBudgetIsSentLater(isStored: Bool) throws {
    var trial = try HikeTrial()
    try trial.visit(0)
    for _ in 0..<10 {
      try trial.give(.deactivate)
      try trial.give(.activate)
    }
    if isStored { try trial.give(.uploadStored(try #require(trial.uploads.last).stamp)) }
    try trial.give(.connectivity(.offline))
    try trial.visit(1)
    trial.effects = []
    try trial.give(.connectivity(.cellular))
    // What comes back again and again does not put it off.
    for _ in 0..<10 {
      try trial.give(.connectivity(.offline))
      try trial.give(.connectivity(.cellular))
    }
    #expect(trial.uploads == [])
    trial.wait(10)
    let sent = try #require(trial.uploads.last)
    #expect(sent.checkIns.map(\.location) == (isStored ? ["102"] : ["101", "102"]))
    try trial.give(.uploadStored(sent.stamp))
    #expect(trial.engine.records.allSatisfy { $0.isUploaded })
  }

  /// A server that accepts no number is not asked without a wait, and the waits grow.
  @Test func aServerThatAcceptsNoNumberIsAskedRarely() throws {
    var trial = try HikeTrial()
    try trial.visit(0)
    var counts = [0, 0, 0]
    for second in 0..<(3 * 3600) {
      let sent = trial.uploads.last
      trial.effects = []
      if let sent {
        counts[second / 3600] += 1
        try trial.give(.uploadOutOfStep(sent.stamp, StampPosition(epoch: 9, next: second + 1)))
      } else {
        trial.wait(1)
      }
    }
    #expect(trial.engine.records.map(\.isUploaded) == [false])
    #expect(counts.allSatisfy { (6...30).contains($0) }, "\(counts)")
  }
}
