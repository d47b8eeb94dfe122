import Testing
import TraceModel

@testable import AppEngines
@testable import TicTacToeApp

/// A server and phones with a network that delivers at once, or when the test says.
struct TicTacToeWorld {
  /// A message in transit.
  enum Mail {
    case request(TicTacToeRequest, from: Int)
    case toPhone(TicTacToeClient.Input, Int)
  }

  var server: TicTacToeServer
  var phones: [TicTacToeClient]
  var now = TraceInstant.zero
  /// The messages that were not delivered yet, in the order of sending.
  var mail: [Mail] = []
  /// Whether messages wait until the test delivers them.
  var holdsMail = false
  /// The phones whose messages, to and from them, are lost.
  var cut: Set<Int> = []
  var effects: [[TicTacToeClient.Effect]]
  private var tokens: UInt64 = 1

  /// - Parameter names: the people, who register; empty = nobody does.
  init(
    _ rules: TicTacToeRules = .default, names: [String] = ["Ann", "Bea"], phones count: Int? = nil
  )
    throws
  {
    server = TicTacToeServer(rules: rules)
    let count = count ?? names.count
    phones = (0..<count).map {
      TicTacToeClient(rules: rules, address: $0, installation: UInt64($0) + 100)
    }
    effects = phones.map { _ in [] }
    for (index, name) in names.enumerated() {
      try give(TicTacToeWorld.registration(name), to: index)
    }
    // Everybody sees everybody.
    if !names.isEmpty { wait(7) }
    effects = phones.map { _ in [] }
  }

  static func verifier(_ password: String) -> PasswordVerifier {
    PasswordVerifier([UInt8](password.utf8) + [UInt8](repeating: 7, count: 16))
  }

  static func registration(_ name: String, _ password: String = "pw") -> TicTacToeClient.Input {
    .register(name: name, verifier(password), salt: [1, 2], picture: nil)
  }

  mutating func give(_ input: TicTacToeClient.Input, to phone: Int) throws(Refusal) {
    var new: [TicTacToeClient.Effect] = []
    try phones[phone].handle(input, at: now, into: &new)
    follow(new, phone)
    if !holdsMail { deliverAll() }
  }

  /// The code with which a phone refuses an input, nothing having changed.
  mutating func refusal(of input: TicTacToeClient.Input, by phone: Int) -> Refusal? {
    do throws(Refusal) {
      try give(input, to: phone)
      return nil
    } catch {
      #expect(!error.reason.isEmpty)
      return error
    }
  }

  private mutating func follow(_ new: [TicTacToeClient.Effect], _ phone: Int) {
    let violations = phones[phone].violations
    if !violations.isEmpty { Issue.record("phone \(phone): \(violations)") }
    effects[phone] += new
    for effect in new {
      switch effect {
      case .send(let request): mail.append(.request(request, from: phone))
      case .beat(let beat, let other):
        guard phones.indices.contains(other), !cut.contains(phone), !cut.contains(other) else {
          continue
        }
        // Heartbeats never wait.
        var seen: [TicTacToeClient.Effect] = []
        try? phones[other].handle(.beat(beat, from: phone), at: now, into: &seen)
        effects[other] += seen
      default: break
      }
    }
  }

  mutating func deliverAll() {
    while !mail.isEmpty { deliver(0) }
  }

  /// Delivers the message at that position.
  mutating func deliver(_ position: Int) {
    switch mail.remove(at: position) {
    case .request(let request, let phone):
      guard !cut.contains(phone) else { return }
      serve(request, from: phone)
    case .toPhone(let input, let phone):
      guard phones.indices.contains(phone), !cut.contains(phone) else { return }
      var new: [TicTacToeClient.Effect] = []
      try? phones[phone].handle(input, at: now, into: &new)
      follow(new, phone)
    }
  }

  private mutating func serve(_ request: TicTacToeRequest, from phone: Int) {
    tokens += 1
    var answers: [TicTacToeServer.Effect] = []
    do throws(Refusal) {
      try server.handle(
        TicTacToeServer.Input(
          from: phone, request, token: SessionToken(high: tokens, low: 99)), at: now,
        into: &answers)
    } catch {
      answers = [.reply(TicTacToeReply(stamp: request.stamp, result: .refusal(error)), to: phone)]
    }
    checkServer()
    post(answers)
  }

  private func checkServer() {
    let violations = server.violations
    if !violations.isEmpty { Issue.record("server: \(violations)") }
  }

  private mutating func post(_ answers: [TicTacToeServer.Effect]) {
    for answer in answers {
      switch answer {
      case .reply(let reply, let phone): mail.append(.toPhone(.reply(reply), phone))
      case .notify(let notice, let phone): mail.append(.toPhone(.notice(notice), phone))
      }
    }
  }

  /// Lets time pass.
  mutating func wait(_ seconds: Double) {
    let end = now.advanced(bySeconds: seconds)
    while true {
      var due = server.deadline
      for phone in phones { due = [due, phone.deadline].compactMap(\.self).min() }
      guard let due, due <= end else { break }
      now = max(now, due)
      for index in phones.indices where phones[index].deadline.map({ $0 <= now }) ?? false {
        var new: [TicTacToeClient.Effect] = []
        phones[index].advance(to: now, into: &new)
        follow(new, index)
      }
      if server.deadline.map({ $0 <= now }) ?? false {
        var answers: [TicTacToeServer.Effect] = []
        server.advance(to: now, into: &answers)
        checkServer()
        post(answers)
      }
      if !holdsMail { deliverAll() }
    }
    now = end
  }

  /// Asks the server directly, as a phone with other software would.
  mutating func ask(_ call: TicTacToeCall, as phone: Int) -> TicTacToeReply.Result? {
    var answers: [TicTacToeServer.Effect] = []
    tokens += 1
    // The numbers of the phone's own requests are lower: it continues from there.
    let stamp = RequestStamp(epoch: UInt64(phone) + 100, number: Int(tokens) + 5000)
    try? server.handle(
      TicTacToeServer.Input(
        from: phone,
        TicTacToeRequest(stamp: stamp, session: phones[phone].session, call: call),
        token: SessionToken(high: tokens, low: 98)), at: now, into: &answers)
    checkServer()
    for case .reply(let reply, _) in answers { return reply.result }
    return nil
  }

  /// The code of the refusal of such a call; nil = it was done.
  mutating func refusal(of call: TicTacToeCall, as phone: Int) -> String? {
    if case .refusal(let refusal)? = ask(call, as: phone) { refusal.code } else { nil }
  }

  func user(_ phone: Int) -> UserID { phones[phone].user ?? -1 }
  func view(_ phone: Int) -> GameView? { phones[phone].game }

  /// Two people in a game; the first asks and plays X.
  static func playing(
    _ rules: TicTacToeRules = .default, names: [String] = ["Ann", "Bea"]
  ) throws
    -> TicTacToeWorld
  {
    var world = try TicTacToeWorld(rules, names: names)
    try world.give(.invite(world.user(1)), to: 0)
    world.wait(3)
    #expect(world.view(0)?.mark == .x && world.view(1)?.mark == .o)
    return world
  }

  /// Plays squares in turns, the first by X, who is phone 0.
  mutating func play(_ squares: [Square], wait seconds: Double = 3) throws {
    for square in squares {
      try give(.tap(square), to: view(0)?.isMyTurn == true ? 0 : 1)
      wait(seconds)
    }
  }
}
