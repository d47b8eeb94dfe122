import Detectors
import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

/// A phone that tells another phone numbers, each until it is confirmed.
private struct Talker: AppEngine {
  enum Input: Hashable, Codable {
    case say(Int)
    case heard(RequestStamp, Int)
    case confirmed(RequestStamp)
    case outOfStep(RequestStamp, StampPosition)
  }

  enum Effect: Hashable, Codable {
    case send(RequestStamp, Int)
    case confirm(RequestStamp)
    case correct(RequestStamp, StampPosition)
  }

  static let name = "talker"
  static let stateVersion = 1

  var outbox: Outbox<Int>
  var memory = ReplyMemory<Int, Bool>(.parallel, window: 64)
  var heard: [Int] = []
  var clock = TraceInstant.zero

  init(epoch: UInt64) {
    outbox = Outbox(.parallel, backoff: Backoff(longest: 8), limit: 100, epoch: epoch)
  }

  mutating func handle(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    clock = max(clock, now)
    switch input {
    case .say(let number):
      guard let item = try outbox.send(number, at: clock) else { return }
      effects.append(.send(item.stamp, number))
    case .confirmed(let stamp): outbox.remove(stamp)
    case .outOfStep(let stamp, let position):
      guard let item = outbox.resynchronise(stamp, to: position, at: clock) else { return }
      effects.append(.send(item.stamp, item.request))
    case .heard(let stamp, let number):
      switch memory.verdict(on: stamp, from: 0) {
      case .known: break
      case .outOfStep(let position): return effects.append(.correct(stamp, position))
      case .new:
        heard.append(number)
        memory.remember(true, to: stamp, from: 0)
      }
      effects.append(.confirm(stamp))
    }
  }

  var deadline: TraceInstant? { outbox.deadline(after: clock) }

  mutating func advance(to now: TraceInstant, into effects: inout [Effect]) {
    clock = max(clock, now)
    for case .again(let item) in outbox.advance(to: clock) {
      effects.append(.send(item.stamp, item.request))
    }
  }

  var violations: [String] { outbox.violations + memory.violations }
}

/// Two people who tell each other numbers, without a server.
private struct Talk: ExchangedApp {
  struct Person: ExchangePerson {
    var engine: Talker
    let name: String
    var isWaiting: Bool { !engine.outbox.isEmpty }
  }

  enum Message: Sendable {
    case said(RequestStamp, Int)
    case confirmed(RequestStamp)
    case outOfStep(RequestStamp, StampPosition)
  }

  static let name = "talk"
  static let summary = ""
  static let legend = ""
  static let presets = [AppPreset("default", summary: "")]
  static let peopleCount = 2...2
  static let channel = Channel.location
  static let furtherChannels: [Channel] = []
  static let task = ReferenceTask.visit
  /// 40 numbers that nobody confirms are sent less often, and 80 more often.
  let lastMessageLimit = 12_500

  var people: [Person]
  var server = NoServer()
  var exchange: Exchange<Talker, NoServer, Message>
  var events: [AppEvent] = []
  var restarts: [Endpoint] = []

  init(_ setup: AppSetup) throws(TraceError) {
    people = setup.people.enumerated().map {
      Person(engine: Talker(epoch: UInt64($0.offset)), name: $0.element.name)
    }
    exchange = Exchange(setup.network, phones: people.count)
    beginExchange()
  }

  mutating func say(_ number: Int, by person: Int, at seconds: Double) {
    let now = TraceInstant.zero.advanced(bySeconds: seconds)
    while let due = deadline, due < now { advance(to: due) }
    give(.say(number), to: person, at: now)
    updateDeadline()
  }

  func posting(of effect: Talker.Effect, by phone: Int) -> Posting<Message>? {
    // Only for tests of two: the message itself says for whom it is.
    switch effect {
    case .send(let stamp, let number):
      Posting(to: .phone(number % 2 == 0 ? 1 : 0), .said(stamp, number))
    case .confirm(let stamp): Posting(to: .phone(Int(stamp.epoch)), .confirmed(stamp))
    case .correct(let stamp, let position):
      Posting(to: .phone(Int(stamp.epoch)), .outOfStep(stamp, position))
    }
  }

  func posting(of effect: Never) -> Posting<Message>? {}
  func serverInput(of message: Message, from phone: Int) -> Never? { nil }
  func answer(to message: Message, refusedWith refusal: Refusal) -> Message? { nil }

  func phoneInput(
    of message: Message, from sender: Endpoint, to phone: Int
  ) -> Talker.Input? {
    switch message {
    case .said(let stamp, let number): .heard(stamp, number)
    case .confirmed(let stamp): .confirmed(stamp)
    case .outOfStep(let stamp, let position): .outOfStep(stamp, position)
    }
  }

  mutating func note(_ effect: Talker.Effect, of person: Int, at now: TraceInstant) {}
  func newPhone(_ person: Int) -> Talker { Talker(epoch: UInt64(person)) }
  func newServer() -> NoServer { NoServer() }
  mutating func noteRestart(of endpoint: Endpoint, isNew: Bool, at now: TraceInstant) {
    restarts.append(endpoint)
  }

  mutating func take(_ reading: Reading) {}
  mutating func finish(device: DeviceID, at end: TraceInstant) {}
  mutating func close(at end: TraceInstant) { drain(from: end) }
  var detections: [DetectionRecord] { [] }
  var outcomes: [AppOutcome] { [] }
}

@Suite struct ExchangeTests {
  /// Person 0 says the even numbers and person 1 the odd ones, two a second for 20 s.
  private func talk(_ network: NetworkSetup) throws -> Talk {
    let people = ["a", "b"].map { AppSetup.Person(header: TraceHeader(id: $0, origin: .synthetic)) }
    var talk = try Talk(AppSetup(preset: "default", people: people, network: network))
    for number in 0..<40 { talk.say(number, by: number % 2, at: Double(number) / 2) }
    talk.close(at: TraceInstant.zero.advanced(bySeconds: 20))
    #expect(talk.violations == [])
    return talk
  }

  @Test func phonesExchangeWithoutAServer() throws {
    let talk = try talk(NetworkSetup())
    #expect(talk.people[1].engine.heard == (0..<20).map { 2 * $0 })
    #expect(talk.people[0].engine.heard == (0..<20).map { 2 * $0 + 1 })
    #expect(talk.exchange.network.counts == NetworkCounts(sent: 80))
    #expect(
      talk.exchange.network.linkCounts.map(\.link.description) == ["1-2", "2-1"])
  }

  /// The last ones arrive after the end: what was sent is repeated until it is there, once.
  @Test(arguments: UInt64(1)...20) func everythingArrivesOnce(seed: UInt64) throws {
    var conditions = NetworkConditions()
    (conditions.delay, conditions.jitter) = (0.1, 1)
    (conditions.loss, conditions.duplication, conditions.seed) = (0.5, 0.3, seed)
    let talk = try talk(NetworkSetup(conditions))
    #expect(talk.people[1].engine.heard.sorted() == (0..<20).map { 2 * $0 }, "seed \(seed)")
    #expect(talk.people[0].engine.heard.sorted() == (0..<20).map { 2 * $0 + 1 }, "seed \(seed)")
    #expect(!talk.people.contains(where: \.isWaiting) && talk.exchange.network.next == nil)
    #expect(talk.exchange.network.counts.lost > 10)
  }

  /// Without a network the exchange gives up after its patience, not never.
  @Test func patienceEnds() throws {
    let cut = NetworkSetup(faults: [try ExchangeFault(parsing: "cut:2:0s:1000000s")])
    let talk = try talk(cut)
    #expect(talk.people[1].engine.heard.isEmpty && talk.people[0].isWaiting)
    let sent = talk.exchange.network.counts
    // 40 numbers, each every 6 to 8 s for an hour.
    #expect(sent.lost == sent.sent && (40 * 450...40 * 610).contains(sent.sent), "\(sent)")
  }

  /// Phones that send for ever break an invariant.
  @Test func endlessMessagesAreSeen() throws {
    let cut = NetworkSetup(faults: [try ExchangeFault(parsing: "cut:2:0s:1000000s")])
    let people = ["a", "b"].map { AppSetup.Person(header: TraceHeader(id: $0, origin: .synthetic)) }
    var talk = try Talk(AppSetup(preset: "default", people: people, network: cut))
    for number in 0..<80 { talk.say(number, by: number % 2, at: Double(number) / 2) }
    let before = talk.exchange.network.counts.sent
    talk.close(at: TraceInstant.zero.advanced(bySeconds: 40))
    let more = talk.exchange.network.counts.sent - before
    #expect(
      talk.violations == ["the phones do not stop sending: \(more) messages after the end"])
  }

  /// A phone that says things, is restored and says other things: nothing is lost or heard twice.
  @Test func aRestoredSpeakerResynchronises() throws {
    let talk = try talk(NetworkSetup(faults: [try ExchangeFault(parsing: "restart:1:12.2s:6s")]))
    #expect(talk.restarts == [.phone(0)])
    #expect(talk.people[1].engine.heard.sorted() == (0..<20).map { 2 * $0 })
    #expect(talk.exchange.metFaults.map(\.description) == ["restart:1:12.2s:6s"])
  }

  @Test func statesAreThoseOfTheirTime() throws {
    for (fault, heard) in [
      // Person 1 hears the even numbers at 0, 1, 2 ... s.
      ("restart:2:10.5s:3s", Array(0..<8) + Array(11..<20)),
      ("restart:2:10.5s:new", Array(11..<20)),
      ("restart:2:10.5s:500s", Array(11..<20)), ("restart:2:10.5s:0s", Array(0..<20)),
    ] {
      let talk = try talk(NetworkSetup(faults: [try ExchangeFault(parsing: fault)]))
      #expect(talk.people[1].engine.heard == heard.map { 2 * $0 }, "\(fault)")
    }
  }

  @Test func faultsOfNobodyMeetNothing() throws {
    let faults = try ["restart:3:1s:new", "lose:1-2:99", "clock:1:1s:1s", "restart:1:99999s:new"]
      .map { try ExchangeFault(parsing: $0) }
    #expect(try talk(NetworkSetup(faults: faults)).exchange.metFaults == [])
  }

  // MARK: The apps

  /// The deadline that is kept is the one that would be computed, after every reading.
  @Test func theKeptDeadlineIsRight() throws {
    var conditions = NetworkConditions()
    (conditions.delay, conditions.jitter, conditions.loss) = (0.1, 0.5, 0.3)
    let traces = SimulatedFightTests.fight
    var fight = try SimulatedFight(
      AppSetup(
        preset: "default", people: traces.map { AppSetup.Person(header: $0.header) },
        network: NetworkSetup(conditions)))
    var wrong = 0
    for reading in AppRun<SimulatedFight>.readings(traces) {
      while let due = fight.deadline, due < reading.arrived { fight.advance(to: due) }
      fight.take(reading)
      var due = earlier(fight.exchange.network.next, fight.server.deadline)
      for person in fight.people {
        due = earlier(due, earlier(person.deadline, person.engine.deadline))
      }
      // An overdue poll is due an instant after the last input.
      if let kept = fight.deadline, let due, kept == due { continue }
      if fight.deadline != due { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(fight.networkCounts.lost > 5)
  }

  private func fight(
    _ faults: [String], _ network: NetworkConditions = NetworkConditions()
  ) throws -> SimulatedFightTests.Run {
    try SimulatedFightTests.play(
      SimulatedFightTests.fight, network: network,
      faults: faults.map { try ExchangeFault(parsing: $0) })
  }

  /// Faults of the network change no detection, and a fight that has them is still decided.
  @Test(arguments: [
    ["lose:1-server:1", "lose:server-1:3", "lose:2-server:5"],
    ["duplicate:1-server:9", "duplicate:server-2:9"], ["delay:server-1:12:3s"],
    ["cut:1:10s:14s"], ["cut:server:20s:30s"],
  ]) func networkFaultsChangeNoDetection(faults: [String]) throws {
    let plain = try SimulatedFightTests.plain()
    let faulty = try fight(faults)
    #expect(faulty.simulation.detections == plain.simulation.detections)
    #expect(faulty.simulation.metFaults.map(\.description) == faults)
    #expect(faulty.value("winner") != nil)
  }

  /// Whoever's phone or server goes back or is lost, no invariant breaks (``play`` checks them), and
  /// the fight is taken up again.
  @Test(arguments: [
    "restart:1:35s:20s", "restart:2:35s:20s", "restart:1:35s:new", "restart:2:20s:new",
    "restart:1:1.5s:1s",
  ]) func restartedPhonesGoOnFighting(fault: String) throws {
    let result = try fight([fault])
    #expect(result.kinds("restart").count == 1 && result.value("winner") != nil)
    #expect(result.simulation.server.fights.count == 1)
    #expect(result.simulation.metFaults.count == 1)
  }

  @Test(arguments: ["restart:server:35s:20s", "restart:server:35s:new", "restart:server:2s:1.8s"])
  func aRestartedServerGoesOn(fault: String) throws {
    let result = try fight([fault])
    #expect(result.kinds("restart").count == 1)
    #expect(result.simulation.server.fights.count == 1, "fought anew or continued")
    #expect(!result.kinds("hit").isEmpty)
    #expect(result.simulation.server.fights[0].bout.winner != nil, "both phones went on")
    #expect(result.value("unended_fights") == 0)
  }

  /// The first phone is installed anew while its answer with the opponent is on the way: the same
  /// opponent is offered again.
  @Test func aLostOfferIsMadeAgain() throws {
    var slow = NetworkConditions()
    slow.delay = 1
    let result = try fight(["restart:1:5s:new"], slow)
    #expect(result.simulation.server.fights.count == 1 && result.kinds("no-fight").isEmpty)
  }

  /// A detection is on the run's axis, whatever the phone's clock shows.
  @Test func clocksShiftStampsAndNotTheAxis() throws {
    let plain = try SimulatedFightTests.plain()
    let shifted = try fight(["drift:1:40ppm", "clock:1:30s:-0.4s"])
    #expect(shifted.simulation.metFaults.count == 2)
    let pairs = zip(plain.simulation.detections, shifted.simulation.detections)
    #expect(shifted.simulation.detections.count == plain.simulation.detections.count)
    for (one, other) in pairs {
      #expect(one.emitted == other.emitted)
      #expect(abs(one.onset.nanoseconds(to: other.onset)) < 10_000)
    }
    let thrown = shifted.simulation.people[0].thrown.filter { $0.punch.thrown.seconds > 31 }
    let onsets = plain.simulation.detections.map(\.onset)
    for punch in thrown.map(\.punch) {
      let nearest = onsets.map { $0.nanoseconds(to: punch.thrown) }.min { abs($0) < abs($1) }
      #expect(abs((nearest ?? 0) + 400_000_000) < 3_000_000, "0.4 s behind, and 40 ppm ahead")
    }
    #expect(!thrown.isEmpty)
  }
}
