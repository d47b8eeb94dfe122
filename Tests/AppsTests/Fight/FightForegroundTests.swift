import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

/// What a phone does with notices, clocks and places.
@Suite struct FightForegroundTests {
  private static let session = SessionToken(high: 1, low: 2)

  /// A phone that is signed in and has no fight open.
  private struct Phone {
    var client: FightClient
    var now = TraceInstant.zero
    var effects: [FightClient.Effect] = []

    init(_ rules: FightRules = .default) throws {
      client = FightClient(
        rules: rules, installation: "phone", for: TraceHeader(id: "x", origin: .synthetic))
      let profile = Profile(alias: "Ann")
      try give(.ask(.logIn(SocialLogin(subject: "ann", profile: profile))))
      try answer(.session(FightForegroundTests.session, user: 0, isNew: false, profile: profile))
    }

    mutating func give(_ input: FightClient.Input) throws(Refusal) {
      effects = []
      try client.handle(input, at: now, into: &effects)
      #expect(client.violations == [])
    }

    mutating func answer(_ answer: FightAnswer) throws(Refusal) {
      let stamp = client.outbox.first?.stamp ?? RequestStamp(epoch: 0, number: -1)
      try give(.reply(FightReply(stamp: stamp, result: .answer(answer))))
    }

    /// A fight after so many moves, seen by who is to move.
    static func view(_ fight: FightID, moves: Int) throws -> FightView {
      var bout = Bout(begun: .zero)
      let late = TraceInstant.zero.advanced(bySeconds: 100)
      for move in 0..<moves {
        let thrown = TraceInstant.zero.advanced(bySeconds: Double(move))
        _ = try bout.strike(
          by: move % 2 == 0 ? .origin : .recipient,
          PunchReport(magnitude: 25, thrown: thrown, move: move), at: late, rules: .default)
      }
      return FightView(
        fight: fight, opponent: 1, opponentAlias: "Bob",
        side: moves % 2 == 1 ? .recipient : .origin, bout: bout, lastMoved: .zero)
    }

    /// A notice of a punch on this person in a fight with so many moves.
    mutating func notice(_ fight: FightID, moves: Int = 1, hasView: Bool = true) throws {
      let view = try Phone.view(fight, moves: moves)
      try give(
        .notice(
          FightNotice(
            kind: .hit, session: FightForegroundTests.session, text: "Bob hit you: your turn.",
            fight: fight, view: hasView ? view : nil)))
    }

    var sent: [FightCall] {
      effects.compactMap { if case .send(let request) = $0 { request.call } else { nil } }
    }
  }

  @Test func aPunchTakesTheOpenAppToItsFight() throws {
    var phone = try Phone()
    #expect(phone.client.isInForeground)
    try phone.notice(3)
    #expect(phone.client.view?.fight == 3 && phone.client.view?.mine.units == 8980)
    #expect(
      phone.effects.contains { if case .viewChanged = $0 { true } else { false } })
    // Also from another fight.
    try phone.notice(5)
    #expect(phone.client.view?.fight == 5)
    // A copy that comes late does not take it back.
    try phone.notice(3)
    #expect(phone.client.view?.fight == 5)
    // The next punch of that fight does.
    try phone.notice(3, moves: 3)
    #expect(phone.client.view?.fight == 3)
  }

  /// A punch on the person takes the app to another fight in the middle of a swing.
  @Test func aSwingDoesNotLandInAnotherFight() throws {
    var phone = try Phone()
    try phone.notice(3)
    var ignored: [String] = []
    var thrown: [FightID] = []
    func swing(isInterrupted: Bool) throws {
      for step in 0..<60 {
        phone.now = phone.now.advanced(bySeconds: 0.01)
        let value = (10..<20).contains(step) ? 4 * standardGravity : 0
        let sample = Acceleration(x: Float(value), y: 0, z: 0)
        try phone.give(.sample(sample, measured: phone.now))
        for effect in phone.effects {
          if case .ignored(let refusal) = effect { ignored.append(refusal.code) }
          if case .thrown(_, let fight) = effect { thrown.append(fight) }
        }
        if isInterrupted, step == 12 { try phone.notice(5) }
      }
    }
    try swing(isInterrupted: true)
    #expect(ignored == ["other-fight"] && thrown.isEmpty)
    try swing(isInterrupted: false)
    #expect(thrown == [5])
  }

  /// Polls until the phone sends, and answers with a fight of so many moves.
  private func poll(_ phone: inout Phone, answering moves: Int) throws {
    let due = try #require(phone.client.deadline)
    phone.now = due
    phone.effects = []
    phone.client.advance(to: due, into: &phone.effects)
    #expect(phone.sent == [.viewFight(3)])
    try phone.answer(.fight(try Phone.view(3, moves: moves)))
  }

  /// The authority was restored from before the last move. Otherwise both would wait for ever.
  @Test func anAuthorityThatForgotAMoveIsFollowed() throws {
    var phone = try Phone()
    try phone.notice(3, moves: 3)
    #expect(phone.client.view?.bout.moves == 3)
    try poll(&phone, answering: 2)
    #expect(phone.client.view?.bout.moves == 2)
    #expect(phone.effects.contains { if case .viewChanged = $0 { true } else { false } })
    // A late notice of the lost move is one of a new move again.
    try phone.notice(3, moves: 3)
    #expect(phone.client.view?.bout.moves == 3)
  }

  /// The answer was on its way when the notice of a newer move came.
  @Test func aLateAnswerTakesNothingBack() throws {
    var phone = try Phone()
    try phone.notice(3, moves: 1)
    phone.now = try #require(phone.client.deadline)
    phone.effects = []
    phone.client.advance(to: phone.now, into: &phone.effects)
    #expect(phone.sent == [.viewFight(3)])
    let before = try #require(phone.client.view)
    try phone.notice(3, moves: 3)
    try phone.answer(.fight(before))
    #expect(phone.client.view?.bout.moves == 3)
  }

  @Test func aClosedAppAsksForNothing() throws {
    var phone = try Phone()
    try phone.notice(3)
    #expect(phone.client.deadline != nil)
    try phone.give(.foreground(false))
    #expect(phone.client.deadline == nil)
    phone.now = .zero.advanced(bySeconds: 3600)
    try phone.give(.foreground(true))
    #expect(phone.sent == [.viewFight(3)])
    try phone.give(.foreground(true))
    #expect(phone.sent == [])
  }

  /// A notice of the original's rules has no view, so that the app asks for it.
  @Test func withoutAViewTheFightIsAskedFor() throws {
    var phone = try Phone(.hitThat)
    try phone.notice(3, hasView: false)
    #expect(phone.sent == [.viewFight(3)])
  }

  @Test func aClosedAppWaitsForTheTap() throws {
    var phone = try Phone()
    try phone.give(.foreground(false))
    try phone.notice(3)
    #expect(phone.client.view == nil)
    guard case .notification(let notice)? = phone.effects.first, phone.effects.count == 1 else {
      Issue.record("\(phone.effects)")
      return
    }
    try phone.give(.open(try #require(notice.fight)))
    #expect(phone.sent == [.viewFight(3)] && phone.client.isInForeground)
  }

  @Test(arguments: [
    Coordinate(latitude: .nan, longitude: 8), Coordinate(latitude: 50, longitude: .infinity),
    Coordinate(latitude: -.infinity, longitude: 8), Coordinate(latitude: 91, longitude: 8),
  ]) func aPlaceThatIsNoneIsNotSent(place: Coordinate) throws {
    var phone = try Phone()
    let refusal = #expect(throws: Refusal.self) { try phone.give(.ask(.reportPlace(place))) }
    #expect(refusal?.code == "no-such-place" && phone.client.outbox.isEmpty)
    try phone.give(.ask(.reportPlace(Coordinate(latitude: 50, longitude: 8))))
    #expect(phone.sent.count == 1)
  }

  /// After a restart the monotonic clock begins anew: what waited on the old one is sent now.
  @Test func aRestartedClockGoesOn() throws {
    var phone = try Phone()
    let clock = phone.client.clockID
    phone.now = .zero.advanced(bySeconds: 5000)
    try phone.give(.ask(.listFights))
    phone.now = .zero.advanced(bySeconds: 3)
    try phone.give(.clockRestarted(7))
    #expect(phone.sent == [.listFights])
    let due = try #require(phone.client.deadline)
    #expect(due < .zero.advanced(bySeconds: 5))
    let other = FightClient(installation: "p", for: TraceHeader(id: "x", origin: .synthetic))
    #expect(phone.client.clockID != clock && other.clockID != clock)
  }

  /// Right after a step back of the wall clock the stamps are too early, and the punch is not.
  @Test func aPunchIsNotReportedBeforeTheLastOne() throws {
    var phone = try Phone()
    try phone.notice(3)
    func swing(_ phone: inout Phone, error: Double) throws -> [PunchReport] {
      var thrown: [PunchReport] = []
      for step in 0..<60 {
        phone.now = phone.now.advanced(bySeconds: 0.01)
        let sample = Acceleration(x: step == 10 ? 60 : 0, y: 0, z: 0)
        try phone.give(.sample(sample, measured: phone.now.advanced(bySeconds: error)))
        thrown += phone.effects.compactMap {
          if case .thrown(let punch, 3) = $0 { punch } else { nil }
        }
      }
      return thrown
    }
    let first = try swing(&phone, error: 0)
    #expect(first.map(\.thrown.seconds) == [0.11])
    try phone.answer(.done)
    try phone.notice(3, moves: 3)
    // 20 s back: for the first half second the stamps lag.
    let second = try swing(&phone, error: -20)
    #expect(second.count == 1)
    #expect(second.first.map { $0.thrown > first[0].thrown && $0.thrown <= phone.now } == true)
  }
}
