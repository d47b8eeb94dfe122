import Detectors
public import TraceModel

/// Two people fight with the punches of their traces.
///
/// Both sign in and dismiss the registration cards by hand. The first searches for an opponent,
/// finds the second, compares and challenges. From then on a punch is a detection while the button
/// is held: by the trace's actions, by the script if the trace has none, otherwise always. Phones
/// and authority communicate over the simulated network.
///
/// Stats that a trace does not contain (height, weight, …) are drawn from the setup's seed by
/// ``FightModel``. The log states that the profiles are simulated ("made-up").
public struct SimulatedFight: AppSimulation {
  public static let name = "fight"
  public static let summary = "two people fight by punching with their phones"
  public static let presets = [
    AppPreset("default", summary: "enforced turns; the authority counts stamina in whole units"),
    AppPreset("hitThat", summary: "the original app, including its faults"),
  ]
  public static let peopleCount = 2...2
  public static let channel = Channel.userAcceleration
  public static let furtherChannels = [Channel.location]
  public static let task = ReferenceTask.punch

  /// A message between a phone and the authority.
  enum Letter: Sendable, Codable {
    case request(FightRequest, from: Int)
    case reply(FightReply, to: Int)
    case notice(FightNotice, to: Int)
  }

  let setup: AppSetup
  let rules: FightRules
  var authority: FightAuthority
  var phones: [FightClient]
  var players: [Player]
  private var network: SimulatedNetwork<Letter>
  var events: [AppEvent] = []
  public private(set) var detections: [DetectionRecord] = []
  /// The arm and disarm actions of each person.
  private var arming: [ActionColumns]
  /// The fight of the two, once there is one.
  var fight: FightID?
  var began: TraceInstant?
  var ended: TraceInstant?

  public init(_ setup: AppSetup) throws(TraceError) {
    self.setup = setup
    let rules = FightRules.preset(named: setup.preset) ?? .default
    self.rules = rules
    authority = FightAuthority(rules: rules, seed: setup.seed)
    network = SimulatedNetwork(NetworkSetup(setup.network))
    var random = SeededGenerator(seed: setup.seed)
    phones = []
    players = []
    arming = setup.people.map { _ in ActionColumns() }
    for (index, person) in setup.people.enumerated() {
      var phone = FightClient(
        rules: rules, installation: SimulatedFight.installation(index), for: person.header)
      let isScripted = setup.script != nil && !phone.waitsForArming
      if isScripted {
        phone = FightClient(
          rules: rules, installation: SimulatedFight.installation(index),
          for: person.header.withArming)
      }
      phones.append(phone)
      let stats = FightModel.fighter(index, random: &random).profile.profile
      players.append(
        Player(person, number: index, stats: stats, script: isScripted ? setup.script : nil))
    }
  }

  static func installation(_ person: Int) -> String { "phone-\(person)" }

  public func armingActions(of person: DeviceID) -> ActionColumns? {
    phones.indices.contains(person.index) && phones[person.index].waitsForArming
      ? arming[person.index] : nil
  }

  // MARK: What comes

  public mutating func take(_ reading: Reading) {
    let person = reading.device.index
    guard phones.indices.contains(person) else { return }
    let now = reading.arrived
    switch reading.value {
    case .vector(let sample) where reading.channel == .userAcceleration:
      give(.sample(sample, measured: reading.measured), to: person, at: now)
    case .action(.arm) where !players[person].isScripted: give(.arm, to: person, at: now)
    case .action(.disarm) where !players[person].isScripted: give(.disarm, to: person, at: now)
    case .fix(let fix): notePlace(fix, of: person, at: now)
    default: break
    }
    settle(at: now)
  }

  public var deadline: TraceInstant? {
    var due = earlier(network.next, authority.deadline)
    for person in phones.indices {
      due = earlier(due, earlier(phones[person].deadline, players[person].deadline))
    }
    return due
  }

  public mutating func advance(to now: TraceInstant) {
    while let due = deadline, due <= now {
      settle(at: now)
      for person in phones.indices {
        if let due = phones[person].deadline, due <= now {
          var effects: [FightClient.Effect] = []
          phones[person].advance(to: now, into: &effects)
          for effect in effects { follow(effect, of: person, at: now) }
        }
        act(person, at: now)
      }
      if let due = authority.deadline, due <= now {
        var effects: [FightAuthority.Effect] = []
        authority.advance(to: now, into: &effects)
        carry(effects, at: now)
      }
    }
  }

  public mutating func finish(device person: DeviceID, at end: TraceInstant) {
    guard phones.indices.contains(person.index) else { return }
    give(.sensorStopped, to: person.index, at: end)
    settle(at: end)
  }

  public mutating func close(at end: TraceInstant) {
    settle(at: end)
    guard let fight else {
      return log("no-fight", "no fight: the two people did not meet", of: 0, at: end)
    }
    guard ended == nil else { return }
    let bout = authority.fights[fight].bout
    log(
      "undecided",
      "no winner: \(players[0].name) has \(percent(bout.origin.percent)) left, "
        + "\(players[1].name) \(percent(bout.recipient.percent))", of: 0, at: end)
  }

  public mutating func takeEvents() -> [AppEvent] {
    defer { events = [] }
    return events
  }

  public var violations: [String] {
    authority.violations.map { "authority: \($0)" }
      + phones.indices.flatMap { person in
        phones[person].violations.map { "\(players[person].name)'s phone: \($0)" }
      }
  }

  // MARK: Between the engines

  /// Passes an input to a phone. Refused inputs (late answers, notices for others) have no effect.
  mutating func give(_ input: FightClient.Input, to person: Int, at now: TraceInstant) {
    var effects: [FightClient.Effect] = []
    switch input {
    case .arm: arming[person].append(.arm, measured: now.nanoseconds, arrived: now.nanoseconds)
    case .disarm:
      arming[person].append(.disarm, measured: now.nanoseconds, arrived: now.nanoseconds)
    default: break
    }
    try? phones[person].handle(input, at: now, into: &effects)
    for effect in effects { follow(effect, of: person, at: now) }
  }

  /// Delivers arrived messages and their immediate consequences.
  private mutating func settle(at now: TraceInstant) {
    while let arrival = network.receive(by: now) {
      switch arrival.message {
      case .request(let request, let person): answer(request, of: person, at: now)
      case .reply(let reply, let person): give(.reply(reply), to: person, at: now)
      case .notice(let notice, let person): give(.notice(notice), to: person, at: now)
      }
    }
  }

  private mutating func answer(_ request: FightRequest, of person: Int, at now: TraceInstant) {
    var effects: [FightAuthority.Effect] = []
    let before = fight.map { authority.fights[$0].bout }
    let winsBefore = authority.wins.count
    do throws(Refusal) {
      try authority.handle(request, at: now, into: &effects)
    } catch {
      let reply = FightReply(number: request.number, result: .refusal(error))
      return network.send(.reply(reply, to: person), on: back(to: person), at: now)
    }
    noteProgress(of: request.call, by: person, before: before, wins: winsBefore, at: now)
    carry(effects, at: now)
  }

  private mutating func carry(_ effects: [FightAuthority.Effect], at now: TraceInstant) {
    for effect in effects {
      switch effect {
      case .reply(let reply, let installation):
        guard let person = person(of: installation) else { continue }
        network.send(.reply(reply, to: person), on: back(to: person), at: now)
      case .notify(let notice, let installation):
        guard let person = person(of: installation) else { continue }
        network.send(.notice(notice, to: person), on: back(to: person), at: now)
      }
    }
  }

  private func back(to person: Int) -> NetworkLink {
    NetworkLink(from: .server, to: .phone(person))
  }

  private func person(of installation: String) -> Int? {
    phones.indices.first { SimulatedFight.installation($0) == installation }
  }

  private mutating func follow(
    _ effect: FightClient.Effect, of person: Int, at now: TraceInstant
  ) {
    switch effect {
    case .send(let request):
      let link = NetworkLink(from: .phone(person), to: .server)
      network.send(.request(request, from: person), on: link, at: now)
    case .detected(var record):
      record.device = DeviceID(person)
      detections.append(record)
      noteSwing(record, of: person)
    case .thrown(let punch, _): noteThrow(punch, of: person, at: now)
    case .ignored(let refusal): noteIgnored(refusal, of: person, at: now)
    case .refused(let refusal, let call): noteRefused(refusal, call, of: person, at: now)
    case .answer(let answer, _): react(to: answer, person, at: now)
    case .notification(let notice): react(to: notice, person, at: now)
    case .viewChanged(let view): react(to: view, person, at: now)
    case .signedOut(let reason):
      log("signed-out", "is signed out: “\(reason)”", of: person, at: now)
    case .cardDismissed: break
    }
  }
}

extension FightClient {
  /// Whether the fight's detector listens only while the button is held.
  var waitsForArming: Bool { fightDetector.parameters.arming == .actions }
}

extension TraceHeader {
  /// The header with arm actions, for a script.
  fileprivate var withArming: TraceHeader {
    var header = self
    header.channels.removeAll { $0.channel == .action }
    header.channels.append(
      ChannelInfo(channel: .action, count: 0, attributes: ["kinds": "arm disarm"]))
    return header
  }
}
