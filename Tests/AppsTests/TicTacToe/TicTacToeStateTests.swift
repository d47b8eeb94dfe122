import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import TicTacToeApp

/// Random inputs, legal and illegal, for both engines.
struct TicTacToeInputs {
  var random: SeededGenerator
  var now = TraceInstant.zero
  private var numbers: [PhoneAddress: Int] = [:]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int(random.unit() * Double(values.count))]
  }
  mutating func chance(_ probability: Double) -> Bool { random.unit() < probability }

  mutating func step(_ longest: Double) {
    now = now.advanced(bySeconds: random.unit() * longest)
    if chance(0.003) { now = now.advanced(bySeconds: -50) }
  }

  mutating func id() -> Int { pick([0, 1, 2, 3, 0, 1, 2, 3, -1, 9, .max, .min]) }
  mutating func time() -> TraceInstant {
    chance(0.9)
      ? now : pick([.zero, TraceInstant(nanoseconds: .max), TraceInstant(nanoseconds: .min)])
  }
  mutating func text() -> String {
    chance(0.8)
      ? pick(["Ann", "Bea", "Cy", "Dot"]) : pick(["", "\0\n", String(repeating: "é", count: 400)])
  }
  mutating func move() -> Move { Move(pick(Mark.allCases), pick(Square.allCases)) }
  mutating func verifier() -> PasswordVerifier {
    chance(0.9)
      ? PasswordVerifier([UInt8](repeating: pick([1, 1, 1, 2]), count: 16))
      : PasswordVerifier([UInt8](repeating: 1, count: pick([0, 1, 65])))
  }

  mutating func content() -> GameRecord.Content {
    switch Int(random.unit() * 4) {
    case 0: .presence
    case 1: .attempt(to: id(), isHeard: chance(0.5))
    case 2: .move(turn: id(), move(), game: chance(0.5) ? id() : nil)
    default: .chat(text(), to: chance(0.5) ? id() : nil)
    }
  }

  mutating func call() -> TicTacToeCall {
    switch Int(random.unit() * 24) {
    case 0: .register(name: text(), verifier(), salt: [3], picture: chance(0.5) ? text() : nil)
    case 1: .salt(of: text())
    case 2: .logIn(name: text(), verifier())
    case 3: chance(0.1) ? .logOut : .menu
    case 4: .setPicture(text())
    case 5: .contacts
    case 6, 7: .ask(id())
    case 8, 9: .hear(id())
    case 10: .look
    case 11: .move(id(), turn: id(), move())
    case 12: chance(0.2) ? .leave(id()) : .leaders
    case 13: .say(id(), text())
    case 14: .thread(id())
    case 15: .befriend(id())
    case 16: .unfriend(id())
    case 17: .friends
    case 18, 19, 20: .post(content())
    case 21: .query(pick(GameRecord.Table.allCases))
    case 22: .delete([id(), id()])
    default: .report(pick([true, false, nil]))
    }
  }

  mutating func input(for server: TicTacToeServer) -> TicTacToeServer.Input {
    var call = call()
    var phone = chance(0.98) ? Int(random.unit() * 4) : id()
    var session = server.accounts.first { $0.phone == phone }?.session
    if session == nil, chance(0.5) {
      let name = ["Ann", "Bea", "Cy", "Dot"][min(max(phone, 0), 3)]
      let password = PasswordVerifier([UInt8](repeating: 1, count: 16))
      call =
        server.accounts.contains { $0.name == name }
        ? .logIn(name: name, password)
        : .register(name: name, password, salt: [], picture: nil)
    } else if chance(0.5), let game = server.games.last(where: { $0.result == nil }) {
      // Mostly a legal move.
      let mark = Mark.onTurn(game.moves.count)
      let free = Board(game.moves).freeSquares
      if !free.isEmpty {
        call = .move(game.id, turn: game.moves.count, Move(mark, pick(free)))
        let account = server.accounts[game.user(mark)]
        if let other = account.phone { (phone, session) = (other, account.session) }
      }
    } else if chance(0.3), let attempt = server.attempts.last {
      call = .hear(attempt.id)
      let account = server.accounts[attempt.to]
      if let other = account.phone { (phone, session) = (other, account.session) }
    }
    if chance(0.02) { session = SessionToken(high: random.next(), low: 1) }
    var number = numbers[phone, default: 0]
    if chance(0.97) { number += 1 }
    numbers[phone] = number
    if chance(0.01) { number = pick([.min, 0, -1, .max]) }
    let stamp = RequestStamp(epoch: chance(0.99) ? 1 : 2, number: number, mark: random.next())
    return TicTacToeServer.Input(
      from: phone, TicTacToeRequest(stamp: stamp, session: session, call: call),
      token: chance(0.98)
        ? SessionToken(high: random.next(), low: 1) : SessionToken(high: 0, low: 0))
  }

  // MARK: The phone

  private mutating func view() -> GameView {
    var moves: [Move] = []
    for turn in 0..<Int(random.unit() * 11) {
      moves.append(
        chance(0.95) ? Move(Mark.onTurn(turn), Square.allCases[turn % 9]) : move())
    }
    return GameView(
      game: id(), begun: time(), revision: id(), opponent: id(), opponentName: text(),
      mark: pick(Mark.allCases), moves: moves,
      result: chance(0.6)
        ? nil : pick([.won(by: .x), .draw, .forfeited(to: .o, .stayedAway), .closed]),
      chat: chance(0.5) ? [] : [ChatLine(number: id(), author: id(), text: text())])
  }

  /// The game after another move.
  private mutating func next(of game: GameView) -> GameView {
    var next = game
    next.revision = game.revision.addingReportingOverflow(1).partialValue
    if let square = game.board.freeSquares.first {
      next.moves.append(Move(Mark.onTurn(game.turn), square))
    }
    return next
  }

  private mutating func attempt() -> Attempt {
    Attempt(id: id(), from: id(), to: chance(0.7) ? 0 : id(), made: time())
  }

  private mutating func contact() -> Contact {
    Contact(user: id(), name: text(), phone: id(), signedIn: id())
  }

  private mutating func answer() -> TicTacToeAnswer {
    switch Int(random.unit() * 9) {
    case 0 where chance(0.1):
      return .session(SessionToken(high: random.next(), low: 2), user: id(), name: text())
    case 1: return .contacts((0..<Int(random.unit() * 300)).map { _ in contact() })
    case 2: return .asked(id())
    case 3: return .game(view())
    case 4: return .look(LookView(game: chance(0.7) ? view() : nil, asking: attempt()))
    case 5: return .posted(id())
    case 6:
      return .records(
        (0..<Int(random.unit() * 9)).map { _ in
          GameRecord(
            id: id(), author: id(), authorName: text(), created: time(),
            age: pick([0, 1, .max, .min, -1]), content: content())
        })
    default: return .done
    }
  }

  /// Fitting records of other people.
  private mutating func records(of table: GameRecord.Table) -> [GameRecord] {
    (0..<Int(random.unit() * 4)).map { _ in
      let content: GameRecord.Content =
        switch table {
        case .presence: .presence
        case .attempts: .attempt(to: 0, isHeard: chance(0.6))
        case .moves: .move(turn: Int(random.unit() * 9), move(), game: nil)
        case .chat: .chat(text(), to: nil)
        }
      return GameRecord(
        id: id(), author: pick([1, 2]), authorName: text(), created: time(), content: content)
    }
  }

  mutating func input(for phone: TicTacToeClient) -> TicTacToeClient.Input {
    let login = phone.outbox.items.first {
      if case .logIn = $0.request { true } else { false }
    }
    if phone.user == nil, chance(0.5), let stamp = login?.stamp {
      let session = TicTacToeAnswer.session(SessionToken(high: 5, low: 2), user: 0, name: "Ann")
      return .reply(TicTacToeReply(stamp: stamp, result: .answer(session)))
    }
    switch Int(random.unit() * 24) {
    case 0: return .register(name: text(), verifier(), salt: [], picture: nil)
    case 1: return .logIn(name: text(), verifier())
    case 2: return .ask(call())
    case 3: return .invite(id())
    case 4: return .inviteAnyone(draw: random.next())
    case 5, 6: return .tap(pick(Square.allCases))
    case 7: return .say(text())
    case 8: return .rematch
    case 9: return chance(0.1) ? .leave : .foreground
    case 10: return chance(0.2) ? .background : .foreground
    case 11: return .foreground
    case 12:
      return .emitBeat(counter: Int64(id()), sent: time(), to: id())
    case 13, 14:
      return .beat(Beat(user: id(), counter: Int64(id()), sent: time()), from: id())
    case 15:
      return .wallClock(ahead: chance(0.8) ? 0 : pick([.max, .min, 5_000_000_000, -1]))
    case 16...20: return reply(for: phone)
    default: return notice(for: phone)
    }
  }

  private mutating func reply(for phone: TicTacToeClient) -> TicTacToeClient.Input {
    let other = RequestStamp(epoch: random.next(), number: id())
    let queries = phone.outbox.items.filter {
      if case .query = $0.request { true } else { false }
    }
    let item = chance(0.6) ? queries.one(&random) : phone.outbox.items.one(&random)
    let stamp = chance(0.9) ? item?.stamp ?? other : other
    if case .query(let table)? = item?.request, chance(0.8) {
      return .reply(
        TicTacToeReply(stamp: stamp, result: .answer(.records(records(of: table)))))
    }
    if chance(0.05) {
      let next = StampPosition(epoch: random.next() % 2, next: id())
      return .reply(TicTacToeReply(stamp: stamp, result: .outOfStep(next)))
    }
    if chance(0.2) {
      let code = chance(0.1) ? "signed-out" : pick(["not-your-game", "busy", "x"])
      return .reply(TicTacToeReply(stamp: stamp, result: .refusal(Refusal(code, "y"))))
    }
    return .reply(TicTacToeReply(stamp: stamp, result: .answer(answer())))
  }

  private mutating func notice(for phone: TicTacToeClient) -> TicTacToeClient.Input {
    if let game = phone.game, chance(0.4) {
      return .notice(TicTacToeNotice(user: phone.user ?? 0, content: .game(next(of: game))))
    }
    let contents: [TicTacToeNotice.Content] = [
      .asked(attempt()), .game(view()), .arrived(contact()), .game(view()),
      .friendRequest(from: id(), name: text()),
      chance(0.2) ? .signedOut("z") : .game(view()),
    ]
    return .notice(
      TicTacToeNotice(user: chance(0.9) ? phone.user ?? 0 : id(), content: pick(contents)))
  }
}

extension [Outbox<TicTacToeCall>.Item] {
  fileprivate func one(_ random: inout SeededGenerator) -> Element? {
    isEmpty ? nil : self[Int(random.unit() * Double(count))]
  }
}

@Suite struct TicTacToeStateTests {
  static let presets = [TicTacToeRules.default, .ticChatToe]

  /// Returns the numbers of steps of a short script, which is saved at every step, and of a long one.
  private static func scripts(_ short: Int) -> [(seed: UInt64, steps: Int, interval: Int)] {
    [(21, short, 1), (11, LongTests.count(quick: 4_000, long: 100_000), 97)]
  }

  @Test(.longer, arguments: presets) func theServerTakesAnything(rules: TicTacToeRules) throws {
    for (seed, steps, interval) in Self.scripts(250) {
      var inputs = TicTacToeInputs(seed: seed)
      var trial = ContractTrial()
      var refusals: Set<String> = []
      let server = try trial.play(
        TicTacToeServer(rules: rules), steps: steps, restoredEvery: interval
      ) { server in
        inputs.step(3)
        return (inputs.input(for: server), inputs.now)
      } note: { _, _, effects in
        for case .reply(let reply, _) in effects {
          if case .refusal(let refusal) = reply.result { refusals.insert(refusal.code) }
        }
      }
      guard interval > 1 else { continue }
      // There was something to refuse, and something to play.
      #expect(refusals.count > (rules.keepsGames ? 15 : 10), "\(refusals.sorted())")
      if rules.keepsGames {
        #expect(server.decidedGames > 20 && server.drawnGames > 0)
      } else {
        #expect(server.records.count > 100)
      }
    }
  }

  @Test(.longer, arguments: presets) func thePhoneTakesAnything(rules: TicTacToeRules) throws {
    var kinds: Set<String> = []
    for (seed, steps, interval) in Self.scripts(400) {
      var inputs = TicTacToeInputs(seed: seed)
      var trial = ContractTrial()
      try trial.play(
        TicTacToeClient(rules: rules, address: 0, installation: 4), steps: steps,
        restoredEvery: interval
      ) { phone in
        inputs.step(0.6)
        return (inputs.input(for: phone), inputs.now)
      } note: { _, _, effects in
        for effect in effects { kinds.insert("\("\(effect)".prefix { $0 != "(" })") }
      }
    }
    #expect(kinds.isSuperset(of: ["send", "opened", "board", "signedOut", "moved"]), "\(kinds)")
  }
}
