import Testing
import TraceModel

@testable import Apps

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
      // Bob's phone has not heard of the hit and says what it knows.
      #expect(
        world.refusal(of: .writeStamina(0, origin: 0.8, recipient: 1), by: 1)
          == "not-yours-to-write")
      #expect(world.authority.fights[0].bout.recipient.units == 6000)
      return
    }
    _ = try world.ask(0, .writeStamina(0, origin: 1, recipient: 0.6))
    #expect(world.authority.fights[0].bout.recipient.units == 6000)
    _ = try world.ask(1, .writeStamina(0, origin: 0.8, recipient: 1))
    #expect(world.authority.fights[0].bout.recipient.units == 10_000)
  }

  @Test(arguments: presets) func thePhoneDecidesWhatIsLeft(preset: String) throws {
    var world = try FightWorld.fighting(try rules(preset))
    let code = world.refusal(of: .writeStamina(0, origin: 1, recipient: 0), by: 0)
    let isWon = world.authority.fights[0].bout.winner == .origin
    #expect((code == nil) == (preset == "hitThat"))
    #expect(isWon == (preset == "hitThat"))
  }

  @Test(arguments: presets) func whoeverPunchesHits(preset: String) throws {
    var world = try FightWorld.fighting(try rules(preset))
    if preset == "hitThat" {
      for left in [0.8, 0.6, 0.4] {
        _ = try world.ask(0, .writeStamina(0, origin: 1, recipient: left))
      }
      #expect(world.authority.fights[0].bout.recipient.units == 4000)
    } else {
      try world.punch(0)
      let refusal = #expect(throws: Refusal.self) { try world.punch(0) }
      #expect(refusal?.code == "not-your-turn")
    }
  }

  @Test(arguments: presets) func bothReportTheWin(preset: String) throws {
    var world = try FightWorld.fighting(try rules(preset))
    if preset == "hitThat" {
      _ = try world.ask(0, .writeStamina(0, origin: 1, recipient: -0.1))
    } else {
      try world.punch(0, gravities: 25)
    }
    let codes = [0, 1].map { world.refusal(of: .reportWin(0), by: $0) }
    #expect(codes == (preset == "hitThat" ? [nil, nil] : ["not-yours-to-say", "not-yours-to-say"]))
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

  @Test(arguments: presets) func nobodyIsReminded(preset: String) throws {
    let world = try FightWorld.fighting(try rules(preset))
    #expect((world.authority.deadline == nil) == (preset == "hitThat"))
  }

  @Test(arguments: presets) func onlyTheFeetAreCompared(preset: String) throws {
    var (tall, short) = (Profile(alias: "tall"), Profile(alias: "short"))
    (tall.height, short.height) = (71, 60)
    (tall.reach, short.reach) = (72, 71)
    (tall.weight, short.weight) = (200, 150)
    let versus = Versus(
      BasicProfile(user: 0, profile: tall, wins: 3, losses: 0),
      against: BasicProfile(user: 1, profile: short, wins: 1, losses: 0), rules: try rules(preset))
    func advantage(_ row: Versus.Row) -> Versus.Advantage? {
      versus.lines.first { $0.row == row }?.advantage
    }
    // 5 ft 11 in and 5 ft 0 in are both five feet.
    #expect(advantage(.height) == (preset == "hitThat" ? .even : .mine))
    #expect(advantage(.reach) == .mine)
    #expect(advantage(.weight) == (preset == "hitThat" ? Versus.Advantage.none : .mine))
    #expect(advantage(.wins) == (preset == "hitThat" ? Versus.Advantage.none : .mine))
    #expect((versus.chance == nil) == (preset == "hitThat"))
  }
}
