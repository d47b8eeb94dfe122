import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

/// What HitThat did wrong: under its preset it happens, under the default it does not.
@Suite struct FightFaultTests {
  static let presets = ["hitThat", "default"]

  private func rules(_ preset: String) throws -> FightRules {
    try #require(FightRules.preset(named: preset))
  }

  @Test(arguments: presets) func aStaleWriteRestoresStamina(preset: String) throws {
    var world = try FightWorld.fighting(try rules(preset))
    if preset == "default" {
      try world.punch(0, gravities: 10)
      #expect(world.refusal(of: .writeStamina(0, left: 1), by: 1) == "not-yours-to-write")
      #expect(world.authority.fights[0].bout.recipient.units == 6000)
      return
    }
    _ = try world.ask(0, .writeStamina(0, left: 0.6))
    #expect(world.authority.fights[0].bout.recipient.units == 6000)
    // Ann's poll was answered before her write came, so that her next punch counts from 1.
    _ = try world.ask(0, .writeStamina(0, left: 0.8))
    #expect(world.authority.fights[0].bout.recipient.units == 8000)
    // A phone never writes its own stamina.
    #expect(world.authority.fights[0].bout.origin.units == 10_000)
  }

  @Test(arguments: presets) func thePhoneDecidesWhatIsLeft(preset: String) throws {
    var world = try FightWorld.fighting(try rules(preset))
    let code = world.refusal(of: .writeStamina(0, left: 0), by: 0)
    let isWon = world.authority.fights[0].bout.winner == .origin
    #expect((code == nil) == (preset == "hitThat"))
    #expect(isWon == (preset == "hitThat"))
  }

  /// One report of 25 g or more, made up or not.
  @Test(arguments: [("unlimited", 1), ("default", 3)])
  func oneReportWinsNoFight(preset: String, hits: Int) throws {
    var rules = FightRules.default
    rules.limitsHits = preset == "default"
    var world = try FightWorld.fighting(rules)
    var count = 0
    while world.authority.fights[0].bout.winner == nil {
      try world.punch(0, gravities: 27.7)
      count += 1
      if world.authority.fights[0].bout.winner == nil { try world.punch(1, gravities: 2.5) }
    }
    #expect(count == hits)
  }

  @Test(arguments: presets) func whoeverPunchesHits(preset: String) throws {
    var world = try FightWorld.fighting(try rules(preset))
    if preset == "hitThat" {
      for left in [0.8, 0.6, 0.4] { _ = try world.ask(0, .writeStamina(0, left: left)) }
      #expect(world.authority.fights[0].bout.recipient.units == 4000)
    } else {
      try world.punch(0)
      let refusal = #expect(throws: Refusal.self) { try world.punch(0) }
      #expect(refusal?.code == "not-your-turn")
      #expect(refusal?.reason.hasPrefix("wait your turn") == true)
    }
  }

  @Test(arguments: presets) func bothReportTheWin(preset: String) throws {
    var world = try FightWorld.fighting(try rules(preset))
    if preset == "hitThat" {
      _ = try world.ask(0, .writeStamina(0, left: -0.1))
    } else {
      try world.knockOut(by: 0)
    }
    let codes = [0, 1].map { world.refusal(of: .reportWin(0), by: $0) }
    #expect(
      codes == (preset == "hitThat" ? [nil, nil] : ["not-yours-to-say", "not-yours-to-say"]))
    #expect(world.authority.wins.count == (preset == "hitThat" ? 2 : 1))
    #expect(world.authority.accounts[0].wins == (preset == "hitThat" ? 2 : 1))
  }

  @Test(arguments: presets) func activeFightsAreInTheWrongOrder(preset: String) throws {
    var world = FightWorld(try rules(preset))
    for name in ["Ann", "Bob", "Cy"] { try world.signIn(name) }
    for other in 1...2 {
      world.wait(1)
      try world.meet(0, other)
    }
    guard case .fights(let lists) = try world.ask(0, .listFights) else { return }
    #expect(lists.active.map(\.fight) == (preset == "hitThat" ? [0, 1] : [1, 0]))
  }

  @Test(arguments: presets) func theQueueOffersTheSamePersonAgain(preset: String) throws {
    var world = FightWorld(try rules(preset))
    for name in ["Ann", "Bob", "Cy"] { try world.signIn(name) }
    for (user, latitude) in [(0, 50.0), (1, 51), (2, 50.1)] {
      _ = try world.ask(user, .reportPlace(Coordinate(latitude: latitude, longitude: 8)))
    }
    _ = try world.ask(0, .findOpponent)
    var offered: [UserID?] = []
    for _ in 0..<4 {
      offered.append(world.authority.accounts[0].candidate)
      _ = try? world.ask(0, .backDown)
    }
    #expect(offered == (preset == "hitThat" ? [1, 2, 1, 2] : [2, 1, nil, nil]))
  }

  @Test(arguments: presets) func severalFightsWithOnePerson(preset: String) throws {
    var world = try FightWorld.fighting(try rules(preset))
    let code = world.refusal(of: .challenge(0), by: 1)
    #expect(code == (preset == "hitThat" ? nil : "already-fighting"))
  }

  /// Of height and reach the original compares the first character, and equal ones count as ahead;
  /// of the other rows it compares numbers, and equal ones count as behind.
  @Test(arguments: presets) func equalRowsCountAsAheadOrBehind(preset: String) throws {
    var (one, other) = (Profile(alias: "one"), Profile(alias: "other"))
    (one.height, other.height) = (60, 71)
    (one.reach, other.reach) = (71, 72)
    (one.weight, other.weight) = (151, 150)
    (one.gpa, other.gpa) = (300, 300)
    (one.tattoos, other.tattoos) = (2, 2)
    (one.jailTime, other.jailTime) = (1, 2)
    (one.bodyType, other.bodyType) = (.muscular, .slim)
    let versus = Versus(
      BasicProfile(user: 0, profile: one, wins: 3, losses: 0),
      against: BasicProfile(user: 1, profile: other, wins: 3, losses: 2), rules: try rules(preset))
    let isOriginal = preset == "hitThat"
    func advantage(_ row: Versus.Row) -> Versus.Advantage? {
      versus.lines.first { $0.row == row }?.advantage
    }
    // 5 ft 0 in against 5 ft 11 in: both begin with 5.
    #expect(advantage(.height) == (isOriginal ? .mine : .theirs))
    #expect(advantage(.reach) == .theirs)
    #expect(advantage(.weight) == .mine)
    for row in [Versus.Row.wins, .gpa, .tattoos] {
      #expect(advantage(row) == (isOriginal ? .theirs : .even), "\(row)")
    }
    #expect(advantage(.jailTime) == .theirs)
    #expect(advantage(.losses) == (isOriginal ? .theirs : .mine))
    #expect(advantage(.bodyType) == (isOriginal ? Versus.Advantage.none : .mine))
    #expect((versus.chance == nil) == isOriginal)
  }
}
