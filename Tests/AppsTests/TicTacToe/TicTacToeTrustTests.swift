import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import TicTacToeApp

/// What one phone, or many people, can make the server do.
@Suite struct TicTacToeTrustTests {
  /// Asks the server as any phone.
  private func ask(
    _ server: inout TicTacToeServer, _ call: TicTacToeCall, from phone: PhoneAddress, number: Int,
    at now: TraceInstant, decoy: [UInt8] = []
  ) throws -> TicTacToeReply.Result {
    var effects: [TicTacToeServer.Effect] = []
    try server.handle(
      .init(
        from: phone,
        TicTacToeRequest(
          stamp: RequestStamp(epoch: UInt64(phone), number: number, mark: UInt64(number)),
          session: nil, call: call),
        token: SessionToken(high: UInt64(phone) + 1, low: UInt64(number)), decoySalt: decoy),
      at: now, into: &effects)
    for case .reply(let reply, _) in effects { return reply.result }
    throw Refusal("no-reply", "the server has not answered")
  }

  private func code(_ result: TicTacToeReply.Result) -> String? {
    if case .refusal(let refusal) = result { refusal.code } else { nil }
  }

  private func registration(_ name: String) -> TicTacToeCall {
    .register(name: name, TicTacToeWorld.verifier("pw"), salt: [1], picture: nil)
  }

  @Test func aPhoneRegistersFivePeopleAndThenOneAnHour() throws {
    var server = TicTacToeServer()
    var codes: [String?] = []
    for number in 1...7 {
      let answer = try ask(
        &server, registration("person \(number)"), from: 3, number: number, at: .zero)
      codes.append(code(answer))
    }
    #expect(codes == [nil, nil, nil, nil, nil, "many-accounts", "many-accounts"])
    // Another phone can, and so can this one later.
    #expect(try code(ask(&server, registration("other"), from: 4, number: 1, at: .zero)) == nil)
    let later = TraceInstant.zero.advanced(bySeconds: 3600)
    #expect(try code(ask(&server, registration("late"), from: 3, number: 8, at: later)) == nil)
    #expect(
      try code(ask(&server, registration("later"), from: 3, number: 9, at: later))
        == "many-accounts")
    #expect(server.accounts.count == 7 && server.violations == [])
  }

  @Test func aPhoneLogsInTwentyTimesAndThenTwiceAMinute() throws {
    var server = TicTacToeServer()
    _ = try ask(&server, registration("Ann"), from: 0, number: 1, at: .zero)
    let login = TicTacToeCall.logIn(name: "Ann", TicTacToeWorld.verifier("pw"))
    var codes: [String?] = []
    for number in 1...22 {
      codes.append(try code(ask(&server, login, from: 1, number: number, at: .zero)))
    }
    #expect(codes.count { $0 == nil } == 20 && codes.suffix(2) == ["many-logins", "many-logins"])
    #expect(try code(ask(&server, login, from: 0, number: 2, at: .zero)) == nil)
    let later = TraceInstant.zero.advanced(bySeconds: 30)
    #expect(try code(ask(&server, login, from: 1, number: 23, at: later)) == nil)
  }

  /// The wrong passwords of a phone count for that phone, and are bounded.
  @Test func wrongPasswordsAreCountedForEachNameAndPhone() throws {
    var server = TicTacToeServer()
    let names = (0..<20).map { "person \($0)" }
    for (phone, name) in names.enumerated() {
      _ = try ask(&server, registration(name), from: 100 + phone, number: 1, at: .zero)
    }
    func logIn(_ name: String, _ password: String, _ phone: Int, _ number: Int) throws -> String? {
      // One login after each half minute is always allowed.
      let now = TraceInstant.zero.advanced(bySeconds: Double(number) * 8)
      return try code(
        ask(
          &server, .logIn(name: name, TicTacToeWorld.verifier(password)), from: phone,
          number: number, at: now))
    }
    for number in 1...5 { #expect(try logIn(names[0], "x", 7, number) == "wrong-password") }
    #expect(try logIn(names[0], "pw", 7, 6) == "blocked")
    #expect(try logIn(names[1], "pw", 7, 7) == nil, "another name")
    #expect(try logIn(names[0], "pw", 8, 7) == nil, "another phone")
    for number in 8..<24 { _ = try logIn(names[number - 4], "x", 7, number) }
    #expect(server.violations == [])
    let phone = try #require(server.phoneIndex(7).map { server.phones[$0] })
    #expect(phone.failures.count == TicTacToeLimits.failures)
  }

  /// If the transport hides which names have accounts, no answer tells it.
  @Test func anUnknownNameAnswersLikeAWrongPassword() throws {
    var server = TicTacToeServer()
    _ = try ask(&server, registration("Ann"), from: 0, number: 1, at: .zero)
    let decoy: [UInt8] = [9, 9]
    var results: [[TicTacToeReply.Result]] = []
    for (phone, name) in ["Ann", "Nobody"].enumerated() {
      results.append([
        try ask(
          &server, .salt(of: name), from: 5 + phone, number: 1, at: .zero, decoy: decoy),
        try ask(
          &server, .logIn(name: name, TicTacToeWorld.verifier("x")), from: 5 + phone, number: 2,
          at: .zero, decoy: decoy),
      ])
    }
    #expect(results[0][0] == .answer(.salt([1])) && results[1][0] == .answer(.salt(decoy)))
    #expect(results[0][1] == results[1][1] && code(results[0][1]) == "wrong-password")
  }

  @Test func phonesThatAreSilentForLongAreForgotten() throws {
    var server = TicTacToeServer()
    _ = try ask(&server, registration("Ann"), from: 0, number: 1, at: .zero)
    for phone in 1..<TicTacToeLimits.phones {
      let now = TraceInstant.zero.advanced(bySeconds: phone == 1 ? 0 : 1)
      _ = try ask(&server, .look, from: phone, number: 1, at: now)
    }
    let early = TraceInstant.zero.advanced(bySeconds: 3599)
    #expect(throws: Refusal.self) {
      _ = try ask(&server, .look, from: 20_000, number: 1, at: early)
    }
    let late = TraceInstant.zero.advanced(bySeconds: 3600)
    _ = try ask(&server, .look, from: 20_000, number: 1, at: late)
    #expect(server.phones.count == TicTacToeLimits.phones && server.violations == [])
    // The phone that asked last longest ago; the one that is signed in stays.
    #expect(server.phoneIndex(1) == nil && server.phoneIndex(0) != nil)
    #expect(server.phoneIndex(2) != nil && server.phoneIndex(20_000) != nil)
  }

  // MARK: The list of people

  /// Everybody sees everybody; each person more costs a message to all.
  @Test(.longer) func manyPeopleAreAllListed() throws {
    let count = LongTests.count(quick: 120, long: 300)
    let world = try TicTacToeWorld(names: (0..<count).map { "person \($0)" })
    #expect(world.phones[0].online.count == count - 1)
    #expect(world.phones[count - 1].online.count == count - 1)
  }

  /// The people who are there push out those who are not, in whatever order they logged in.
  @Test func whoIsSilentGivesRoomOnTheList() throws {
    var server = TicTacToeServer()
    let count = TicTacToeLimits.contacts + 100
    for phone in 0..<count {
      _ = try ask(&server, registration("person \(phone)"), from: phone, number: 1, at: .zero)
    }
    // The first hundred go on asking, the others do not.
    let token = { (phone: Int) in SessionToken(high: UInt64(phone) + 1, low: 1) }
    func look(_ phone: Int, _ number: Int, at seconds: Double) throws -> [TicTacToeServer.Effect] {
      var effects: [TicTacToeServer.Effect] = []
      try server.handle(
        .init(
          from: phone,
          TicTacToeRequest(
            stamp: RequestStamp(epoch: UInt64(phone), number: number, mark: UInt64(number)),
            session: token(phone), call: .look), token: token(phone)),
        at: .zero.advanced(bySeconds: seconds), into: &effects)
      return effects
    }
    for phone in 0..<100 { _ = try look(phone, 2, at: 10) }
    let listed = server.contacts(for: 0).map(\.user)
    #expect(listed.count == TicTacToeLimits.contacts)
    #expect(Set(listed).isSuperset(of: 1..<100), "those who logged in first are there")
    // After half an hour of silence nobody else is listed.
    for phone in 0..<100 { _ = try look(phone, 3, at: 1805) }
    #expect(Set(server.contacts(for: 0).map(\.user)) == Set(1..<100))
    // Whoever comes back is announced.
    let effects = try look(400, 2, at: 1806)
    let told = effects.count {
      if case .notify(let notice, _) = $0, case .arrived(let contact) = notice.content {
        contact.user == 400
      } else {
        false
      }
    }
    #expect(told == 100)
  }
}
