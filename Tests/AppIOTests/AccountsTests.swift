import AppEngines
import Foundation
import Secrets
import Testing
import TraceModel

@testable import AppIO
@testable import TicTacToeApp

extension Secrets.PasswordVerifier.Cost {
  /// So quick that tests can derive often.
  fileprivate static var cheap: Self { Self(logN: 10, r: 8, p: 1) ?? .standard }
}

/// Accounts over the engines of the phone and the server.
@Suite struct AccountsTests {
  /// A server and phones with a network that delivers at once.
  private struct World {
    let accounts = AccountPhone(cost: .cheap)
    let transport: AccountServer
    var server = TicTacToeServer()
    var phones: [TicTacToeClient]
    var effects: [TicTacToeClient.Effect] = []

    init(phones count: Int = 1) throws {
      transport = try AccountServer(
        decoySecret: AccountServer.newDecoySecret(), cost: .cheap)
      phones = (0..<count).map { TicTacToeClient(address: $0, installation: UInt64($0) + 1) }
    }

    mutating func give(_ input: TicTacToeClient.Input, to phone: Int = 0) throws {
      var inputs = [input]
      effects = []
      while !inputs.isEmpty {
        var new: [TicTacToeClient.Effect] = []
        try phones[phone].handle(inputs.removeFirst(), at: .zero, into: &new)
        effects += new
        for case .send(let request) in new {
          var answers: [TicTacToeServer.Effect] = []
          try server.handle(
            transport.input(from: phone, request), at: .zero, into: &answers)
          for case .reply(let reply, phone) in answers { inputs.append(.reply(reply)) }
        }
      }
    }

    mutating func logIn(_ name: String, _ password: String, on phone: Int) throws {
      let salt = try #require(try salt(of: name, on: phone))
      try give(accounts.login(name: name, password: password, salt: salt), to: phone)
    }

    mutating func salt(of name: String, on phone: Int) throws -> [UInt8]? {
      try give(accounts.saltRequest(for: name), to: phone)
      for case .answer(.salt(let salt), _) in effects { return salt }
      return nil
    }

    var refusals: [String] {
      effects.compactMap { if case .refused(let refusal, _) = $0 { refusal.code } else { nil } }
    }
  }

  @Test func whoRegistersCanLogInOnAnotherPhone() throws {
    var world = try World(phones: 2)
    try world.give(world.accounts.registration(name: "Ann", password: "correct horse"))
    #expect(world.phones[0].user == 0)
    let first = world.phones[0].session
    try world.logIn("ann", "correct horse", on: 1)
    #expect(world.phones[1].user == 0 && world.phones[1].session != first)
  }

  @Test(arguments: ["", "correct hors", "Correct horse", "correct horse "])
  func aWrongPasswordIsRefused(password: String) throws {
    var world = try World(phones: 2)
    try world.give(world.accounts.registration(name: "Ann", password: "correct horse"))
    try world.logIn("Ann", password, on: 1)
    #expect(world.phones[1].user == nil)
    #expect(world.refusals == [password.isEmpty ? "empty-password" : "wrong-password"])
  }

  /// The same letters by different keyboards: composed, and with a combining accent.
  @Test func equalLooksAreTheSamePassword() throws {
    var world = try World(phones: 2)
    try world.give(world.accounts.registration(name: "Ann", password: "caf\u{E9}"))
    try world.logIn("Ann", "cafe\u{301}", on: 1)
    #expect(world.phones[1].user == 0)
  }

  @Test func anEmptyPasswordDoesNotRegister() throws {
    var world = try World()
    try world.give(world.accounts.registration(name: "Ann", password: ""))
    #expect(world.phones[0].user == nil && world.refusals == ["empty-password"])
    #expect(throws: Refusal.self) {
      try world.accounts.registration(
        name: "Ann", password: String(repeating: "x", count: 1025))
    }
  }

  /// Equal passwords have different salts and verifiers, and neither a message nor the server's state
  /// contains a password.
  @Test func nothingShowsThePassword() throws {
    var world = try World(phones: 2)
    let inputs = try ["Ann", "Bea"].map {
      try world.accounts.registration(name: $0, password: "correct horse")
    }
    var sent: [[UInt8]] = []
    for (phone, input) in inputs.enumerated() {
      guard case .register(_, let verifier, let salt, _) = input else {
        Issue.record("no registration")
        return
      }
      sent += [verifier.bytes, salt]
      try world.give(input, to: phone)
    }
    #expect(Set(sent).count == 4)
    let state = String(decoding: try JSONEncoder().encode(world.server), as: UTF8.self)
    #expect(state.contains("Ann") && !state.contains("horse") && !"\(inputs)".contains("horse"))
  }

  /// Who steals the server's state can send what it stores, and is not logged in.
  @Test func aStolenStateDoesNotLogIn() throws {
    var world = try World(phones: 2)
    let registration = try world.accounts.registration(name: "Ann", password: "correct horse")
    try world.give(registration)
    guard case .register(let name, let verifier, let salt, let picture) = registration else {
      return
    }
    // What the engine was given, and stores.
    let request = TicTacToeRequest(
      stamp: RequestStamp(epoch: 1, number: 1), session: nil,
      call: .register(name: name, verifier, salt: salt, picture: picture))
    guard
      case .register(_, let stored, _, _) = try world.transport.input(from: 0, request).request.call
    else {
      Issue.record("another call")
      return
    }
    #expect(stored != verifier && stored.bytes.count == 32)
    let state = try JSONEncoder().encode(world.server)
    #expect(contains(state, stored.bytes) && !contains(state, verifier.bytes))
    try world.give(.logIn(name: "Ann", stored), to: 1)
    #expect(world.refusals == ["wrong-password"] && world.phones[1].user == nil)
    // The verifier itself does.
    try world.give(.logIn(name: "Ann", verifier), to: 1)
    #expect(world.phones[1].user == 0)
  }

  /// Whether a state contains an array of bytes, as numbers.
  private func contains(_ state: Data, _ bytes: [UInt8]) -> Bool {
    let text = String(decoding: state, as: UTF8.self).filter { !$0.isWhitespace }
    return text.contains("[" + bytes.map(String.init).joined(separator: ",") + "]")
  }

  @Test func namesWithoutAnAccountHaveASaltToo() throws {
    var world = try World()
    let known = try world.accounts.registration(name: "Ann", password: "x")
    try world.give(known)
    try world.give(.ask(.logOut))
    let salts = try ["Ann", "Bob", "BOB", "Cy"].map { try world.salt(of: $0, on: 0) ?? [] }
    #expect(salts[1] == salts[2] && Set(salts).count == 3)
    #expect(Set(salts.map { [$0.count] + $0.prefix(3).map(Int.init) }).count == 1)
    try world.logIn("Bob", "x", on: 0)
    #expect(world.refusals == ["wrong-password"])
  }

  /// A server cannot make a phone derive a verifier that is easier to guess, or use all its memory.
  @Test(
    arguments: [
      [], [10, 8, 1], [9, 8, 1] + [UInt8](0..<16), [10, 4, 1] + [UInt8](0..<16),
      [30, 32, 16] + [UInt8](0..<16), [10, 8, 0] + [UInt8](0..<16), [10, 8, 1] + [UInt8](0..<17),
    ] as [[UInt8]])
  func unusableSaltsAreRefused(salt: [UInt8]) throws {
    #expect(throws: Refusal.self) {
      try AccountPhone(cost: .cheap).login(name: "Ann", password: "x", salt: salt)
    }
  }

  /// What phones use: 32 MiB and three passes.
  @Test func theStandardCostIsInTheSalt() throws {
    let input = try AccountPhone().registration(name: "Ann", password: "x")
    guard case .register(_, let verifier, let salt, _) = input else { return }
    #expect(Array(salt.prefix(3)) == [15, 8, 3] && salt.count == 19 && verifier.bytes.count == 32)
    #expect(throws: Refusal.self) {
      try AccountPhone().login(name: "Ann", password: "x", salt: [14, 8, 3] + salt.dropFirst(3))
    }
  }

  @Test func tokensAreRandom() throws {
    let transport = try AccountServer(decoySecret: AccountServer.newDecoySecret())
    let request = TicTacToeRequest(
      stamp: RequestStamp(epoch: 1, number: 1), session: nil, call: .menu)
    let tokens = try (0..<50).map { _ in try transport.input(from: 0, request).token }
    #expect(Set(tokens).count == 50 && Set(tokens.map(\.high)).count == 50)
    #expect(Set(tokens.map(\.low)).count == 50)
    #expect(throws: Refusal.self) { try AccountServer(decoySecret: [1, 2, 3]) }
  }
}
