import AppEngines
@testable import HikeApp
import HikeSamples
import Testing
import TraceModel

/// Check-ins on their way to the server.
@Suite struct HikeUploadTests {
  private func server() -> HikeServer { HikeServer(content: HikeSample.content()) }

  @Test func uploadsOnEachCheckInAndOnBecomingActive() throws {
    for rules in [HikeRules.goHike, HikeSample.plain] {
      var trial = try HikeTrial(rules)
      try trial.visit(0)
      let first = try #require(trial.uploads.first)
      #expect(trial.uploads.count == 1)
      #expect(first.device == "phone" && first.checkIns.map(\.location) == ["101"])
      #expect(first.checkIns.map(\.route) == ["7"])
      try trial.visit(1)
      // Whatever the server is not known to have goes along.
      #expect(trial.uploads.count == 2 && trial.uploads[1].checkIns.count == 2)
      trial.effects = []
      try trial.give(.deactivate)
      try trial.give(.activate)
      #expect(trial.uploads.map(\.checkIns.count) == [2])
      try trial.give(.uploadStored(trial.uploads[0].stamp))
      trial.effects = []
      try trial.give(.deactivate)
      try trial.give(.activate)
      #expect(trial.uploads == [])
    }
  }

  /// Fault: all marked as uploaded, also what was made after the upload.
  @Test func onlyWhatWasSentIsMarked() throws {
    for (rules, areAllMarked) in [(HikeRules.goHike, true), (HikeSample.plain, false)] {
      var trial = try HikeTrial(rules)
      try trial.visit(0)
      let sent = trial.uploads[0]
      try trial.give(.connectivity(.offline))
      try trial.visit(1)
      try trial.give(.uploadStored(sent.stamp))
      #expect(trial.engine.records.map(\.isUploaded) == [true, areAllMarked])
      // What is marked is never sent: the server misses it for good.
      trial.effects = []
      try trial.give(.connectivity(.cellular))
      try trial.give(.deactivate)
      try trial.give(.activate)
      var server = server()
      var effects: [HikeServer.Effect] = []
      for upload in [sent] + trial.uploads {
        try server.handle(.checkIns(upload), at: .zero, into: &effects)
      }
      #expect(server.checkIns.map(\.location) == (areAllMarked ? ["101"] : ["101", "102"]))
    }
  }

  @Test func unansweredUploadIsSentAgainLaterAndLater() throws {
    var trial = try HikeTrial()
    try trial.visit(0)
    trial.effects = []
    // Each wait is at most a quarter shorter.
    trial.wait(22)
    #expect(trial.uploads.isEmpty)
    trial.wait(9)
    #expect(trial.uploads.count == 1)
    trial.wait(3600)
    // After 30, 60, 120, 240, 480, then every 600 s.
    #expect((9...12).contains(trial.uploads.count))
    #expect(Set(trial.uploads).count == 1, "the same request each time")
    try trial.give(.uploadStored(try #require(trial.uploads.last).stamp))
    #expect(trial.engine.deadline == nil)
    // The original waits for the next check-in or activation.
    var original = try HikeTrial(.goHike)
    try original.visit(0)
    #expect(original.engine.deadline == nil)
  }

  @Test func comesBackOnlineWithWhatWaited() throws {
    var trial = try HikeTrial(connectivity: .offline)
    try trial.visit(0)
    #expect(trial.uploads == [])
    try trial.give(.connectivity(.cellular))
    #expect(trial.uploads.map(\.checkIns.count) == [1])
  }

  @Test func answersThatNobodyWaitsForAreRefused() throws {
    var trial = try HikeTrial()
    try trial.visit(0)
    let stamp = trial.uploads[0].stamp
    var other = stamp
    other.number += 1
    #expect(trial.refusal(of: .uploadStored(other)) == "unknown-request")
    #expect(trial.refusal(of: .uploadFailed(other)) == "unknown-request")
    try trial.give(.uploadFailed(stamp))
    #expect(trial.engine.records.map(\.isUploaded) == [false])
    try trial.give(.uploadStored(stamp))
    #expect(trial.engine.records.map(\.isUploaded) == [true])
    #expect(trial.refusal(of: .uploadStored(stamp)) == "unknown-request")
  }

  /// A phone that is restored from an older state, or newly installed with the same id, uses numbers
  /// again: the server says which are free, and the check-ins get there.
  @Test func aPhoneOutOfStepGoesOnWithTheServersNumbers() throws {
    var trial = try HikeTrial()
    try trial.visit(0)
    try trial.visit(1)
    var server = server()
    var effects: [HikeServer.Effect] = []
    for upload in trial.uploads { try server.handle(.checkIns(upload), at: .zero, into: &effects) }
    var again = try HikeTrial(HikeSample.free)
    again.wait(60)
    try again.visit(2)
    let upload = try #require(again.uploads.last)
    effects = []
    try server.handle(.checkIns(upload), at: .zero, into: &effects)
    let position = StampPosition(epoch: upload.stamp.epoch, next: 3)
    #expect(effects == [.answer(to: "phone", .outOfStep(upload.stamp, position))])
    #expect(server.checkIns.count == 2)
    again.effects = []
    try again.give(.uploadOutOfStep(upload.stamp, position))
    let next = try #require(again.uploads.first)
    #expect(next.stamp.number == 3 && next.checkIns == upload.checkIns)
    #expect(
      again.refusal(of: .uploadOutOfStep(upload.stamp, position)) == "unknown-request")
    try server.handle(.checkIns(next), at: .zero, into: &effects)
    #expect(effects.last == .answer(to: "phone", .stored(next.stamp)))
    #expect(server.checkIns.map(\.location) == ["101", "102", "103"])
  }

  // MARK: The server

  @Test func serverUpsertsByLocationRouteAndDevice() throws {
    var server = server()
    var effects: [HikeServer.Effect] = []
    func upload(
      _ device: String, _ number: Int, _ checkIns: [(String, String, Int64)]
    ) -> HikeServer.Input {
      .checkIns(
        HikeUpload(
          stamp: RequestStamp(epoch: 1, number: number, mark: UInt64(number)), device: device,
          checkIns: checkIns.map {
            HikeCheckIn(location: $0.0, route: $0.1, timestamp: WallTime(seconds: $0.2))
          }))
    }
    let inputs = [
      upload("b", 3, [("1", "7", 50), ("2", "7", 60)]), upload("a", 3, [("1", "7", 70)]),
      upload("b", 4, [("1", "7", 40)]), upload("b", 5, [("1", "8", 80)]),
    ]
    // In any order, and doubled.
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 0, 3, 1, 2]] {
      server = self.server()
      for index in order { try server.handle(inputs[index], at: .zero, into: &effects) }
      #expect(server.violations == [])
      #expect(
        server.checkIns.map {
          "\($0.device) \($0.route) \($0.location) \($0.timestamp.nanoseconds / 1_000_000_000)"
        }
          == ["a 7 1 70", "b 7 1 40", "b 7 2 60", "b 8 1 80"])
    }
    #expect(
      effects.first
        == .answer(to: "b", .stored(RequestStamp(epoch: 1, number: 3, mark: 3))))
  }

  @Test func serverAnswersPingAndContent() throws {
    var server = server()
    var effects: [HikeServer.Effect] = []
    try server.handle(.ping(device: "a", number: 1, version: "v1"), at: .zero, into: &effects)
    try server.handle(.publish(HikeSample.content("v2")), at: .zero, into: &effects)
    try server.handle(.ping(device: "a", number: 2, version: "v1"), at: .zero, into: &effects)
    try server.handle(.content(device: "a", number: 3), at: .zero, into: &effects)
    #expect(
      effects == [
        .answer(to: "a", .current(number: 1)), .answer(to: "a", .update(number: 2)),
        .answer(
          to: "a",
          .content(
            number: 3, HikeDownload(content: HikeSample.content("v2"), checksum: "v2"))),
      ])
  }

  @Test func serverRefusesWhatItCannotKeep() throws {
    var server = server()
    var effects: [HikeServer.Effect] = []
    let checkIn = HikeCheckIn(location: "1", route: "7", timestamp: WallTime(seconds: 1))
    let stamp = RequestStamp(epoch: 1, number: 1)
    var anonymous = HikeUpload(stamp: stamp, device: "", checkIns: [checkIn])
    #expect(throws: Refusal.self) {
      try server.handle(.checkIns(anonymous), at: .zero, into: &effects)
    }
    anonymous.device = String(repeating: "x", count: 257)
    #expect(throws: Refusal.self) {
      try server.handle(.checkIns(anonymous), at: .zero, into: &effects)
    }
    let flood = HikeUpload(
      stamp: stamp, device: "a", checkIns: Array(repeating: checkIn, count: 10_001))
    #expect(throws: Refusal.self) { try server.handle(.checkIns(flood), at: .zero, into: &effects) }
    // Nothing of a request is kept where a part is refused.
    let half = HikeUpload(
      stamp: stamp, device: "a",
      checkIns: [checkIn, HikeCheckIn(location: "", route: "7", timestamp: checkIn.timestamp)])
    #expect(throws: Refusal.self) { try server.handle(.checkIns(half), at: .zero, into: &effects) }
    #expect(server.checkIns == [] && effects == [])
  }
}
