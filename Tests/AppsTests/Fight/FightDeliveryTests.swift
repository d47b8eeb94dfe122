import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

/// Phones that ask random things over a network that loses, repeats, delays and reorders.
private struct Delivery {
  enum Letter: Sendable, Codable {
    case request(FightRequest)
    case reply(FightReply, to: Int)
    case notice(FightNotice, to: Int)
  }

  var authority: FightAuthority
  var phones: [FightClient]
  var network: SimulatedNetwork<Letter>
  var random: SeededGenerator
  var now = TraceInstant.zero
  /// Every request as it came first, and when.
  var firsts: [(time: TraceInstant, request: FightRequest)] = []
  /// What the authority said to each, with every reply to the same number.
  var replies: [FightRequest: Set<FightReply>] = [:]
  /// The answered punches of the phones, and whether they counted.
  var answered: [(user: UserID, fight: FightID, punch: PunchReport, isTaken: Bool)] = []

  init(_ rules: FightRules, seed: UInt64) {
    var conditions = NetworkConditions()
    (conditions.delay, conditions.jitter) = (0.05, 0.8)
    (conditions.loss, conditions.duplication, conditions.seed) = (0.2, 0.5, seed)
    network = SimulatedNetwork(NetworkSetup(conditions))
    authority = FightAuthority(rules: rules)
    random = SeededGenerator(seed: seed)
    phones = (0..<3).map {
      FightClient(
        rules: rules, installation: "\($0)", for: TraceHeader(id: "\($0)", origin: .synthetic))
    }
  }

  mutating func run(until end: TraceInstant) {
    while now < end {
      now = now.advanced(bySeconds: random.uniform(0...0.4))
      while let due = network.next, due <= now, let arrival = network.receive(by: due) {
        deliver(arrival.message, at: due)
      }
      for phone in phones.indices {
        var effects: [FightClient.Effect] = []
        if let due = phones[phone].deadline, due <= now {
          phones[phone].advance(to: now, into: &effects)
        }
        if phones[phone].outbox.isEmpty { act(phone, into: &effects) }
        follow(effects, of: phone, at: now)
      }
    }
  }

  private mutating func send(_ letter: Letter, at time: TraceInstant) {
    let link =
      switch letter {
      case .request(let request):
        NetworkLink(from: .phone(Int(request.installation) ?? 0), to: .server)
      case .reply(_, let phone), .notice(_, let phone):
        NetworkLink(from: .server, to: .phone(phone))
      }
    network.send(letter, on: link, at: time)
  }

  private mutating func deliver(_ letter: Letter, at time: TraceInstant) {
    switch letter {
    case .request(let request): answer(request, at: time)
    case .reply(let reply, let phone): give(.reply(reply), to: phone, at: time)
    case .notice(let notice, let phone): give(.notice(notice), to: phone, at: time)
    }
  }

  /// A copy of a login has the token of the first one, so that both runs have the same sessions.
  static func arrival(_ request: FightRequest) -> FightArrival {
    let mark = request.stamp.mark
    return FightArrival(request, token: SessionToken(high: mark, low: ~mark))
  }

  private mutating func answer(_ request: FightRequest, at time: TraceInstant) {
    if replies[request] == nil {
      firsts.append((time, request))
      replies[request] = []
    }
    var effects: [FightAuthority.Effect] = []
    do throws(Refusal) {
      try authority.handle(Delivery.arrival(request), at: time, into: &effects)
    } catch {
      // Said of a copy that came late: no news to the phone, which went on long ago.
      let reply = FightReply(stamp: request.stamp, result: .refusal(error))
      send(.reply(reply, to: Int(request.installation) ?? 0), at: time)
    }
    let violations = authority.violations
    if !violations.isEmpty { Issue.record("\(violations)") }
    for effect in effects {
      switch effect {
      case .reply(let reply, let phone):
        // A late copy of a request that was refused before is out of step and not executed.
        if case .outOfStep = reply.result {
        } else {
          replies[request, default: []].insert(reply)
        }
        send(.reply(reply, to: Int(phone) ?? 0), at: time)
      case .notify(let notice, let phone):
        send(.notice(notice, to: Int(phone) ?? 0), at: time)
      }
    }
  }

  private mutating func give(_ input: FightClient.Input, to phone: Int, at time: TraceInstant) {
    var effects: [FightClient.Effect] = []
    try? phones[phone].handle(input, at: time, into: &effects)
    follow(effects, of: phone, at: time)
  }

  private mutating func follow(
    _ effects: [FightClient.Effect], of phone: Int, at time: TraceInstant
  ) {
    let violations = phones[phone].violations
    if !violations.isEmpty { Issue.record("\(violations)") }
    for effect in effects {
      switch effect {
      case .send(let request): send(.request(request), at: time)
      case .answer(_, .punch(let fight, let punch)):
        answered.append((phones[phone].user ?? -1, fight, punch, true))
      case .refused(_, .punch(let fight, let punch)):
        answered.append((phones[phone].user ?? -1, fight, punch, false))
      default: break
      }
    }
  }

  private mutating func act(_ phone: Int, into effects: inout [FightClient.Effect]) {
    guard phones[phone].session != nil else {
      let login = SocialLogin(subject: "\(phone)", profile: Profile(alias: "\(phone)"))
      try? phones[phone].handle(.ask(.logIn(login)), at: now, into: &effects)
      return
    }
    while phones[phone].cardsLeft > 0 {
      try? phones[phone].handle(.tapCard, at: now, into: &effects)
    }
    // Past the phone's own check of the turn, as a cheat or an old version would.
    phones[phone].enqueue(call(), at: now, into: &effects)
  }

  private mutating func call() -> FightCall {
    let other = Int(random.unit() * 3)
    switch Int(random.unit() * 12) {
    case 0: return .findOpponent
    case 1: return .hitThat
    case 2: return .challenge(other)
    case 3: return .reportPlace(Coordinate(latitude: random.uniform(50...51), longitude: 8))
    case 4: return .track(other)
    case 5: return .showPosition(other, isShown: random.unit() < 0.5)
    case 6: return .backDown
    default:
      let active = authority.fights.indices.filter { authority.fights[$0].bout.winner == nil }
      guard let fight = active.last else { return .listFights }
      let back = random.unit() < 0.3 ? -20.0 : 0
      let punch = PunchReport(
        magnitude: random.uniform(15...90), thrown: now.advanced(bySeconds: back),
        move: authority.fights[fight].bout.moves)
      return .punch(fight, punch)
    }
  }
}

@Suite struct FightDeliveryTests {
  /// What comes twice, late or in another order is done once and judged once: the authority stands
  /// as if each request had come only the first time, its answers are the same each time, and what
  /// a phone received about a punch is true. Demo mode too, where the turn stands against no copy.
  @Test(.longer, arguments: 1...LongTests.count(quick: UInt64(6), long: 12))
  func whatComesTwiceOrLateIsDoneOnce(seed: UInt64) throws {
    var rules = FightRules.default
    rules.isDemo = seed % 2 == 0
    var world = Delivery(rules, seed: seed)
    world.run(until: .zero.advanced(bySeconds: 400))

    var once = FightAuthority(rules: rules)
    for (time, request) in world.firsts {
      var effects: [FightAuthority.Effect] = []
      try? once.handle(Delivery.arrival(request), at: time, into: &effects)
    }
    #expect(once.accounts == world.authority.accounts, "seed \(seed)")
    #expect(once.fights == world.authority.fights, "seed \(seed)")
    #expect(once.wins == world.authority.wins, "seed \(seed)")
    #expect(world.replies.values.allSatisfy { $0.count <= 1 }, "seed \(seed)")
    for answered in world.answered {
      let fight = world.authority.fights[answered.fight]
      let isTaken = fight.blows.contains {
        fight.user($0.side) == answered.user && $0.thrown == answered.punch.thrown
      }
      #expect(isTaken == answered.isTaken, "seed \(seed): \(answered)")
    }
    // There was something to get wrong.
    #expect(world.network.counts.lost > 50 && world.network.counts.duplicated > 100)
    // Under seed 3 each person passes over all opponents before there is a fight.
    let hasFight = seed != 3
    #expect(world.authority.fights.isEmpty != hasFight, "seed \(seed)")
    #expect(world.answered.contains { $0.isTaken } == hasFight, "seed \(seed)")
    #expect(world.answered.contains { !$0.isTaken } == hasFight, "seed \(seed)")
    #expect(world.authority.wins.isEmpty != hasFight, "seed \(seed)")
  }
}
