import Testing

@testable import AppEngines
@testable import FightApp

@Suite struct ProfileTests {
  /// Whatever the order of the traces: by the name and the seed alone.
  @Test func aSimulatedProfileIsThePersons() throws {
    let names = (0..<200).map { "person \($0)" }
    let profiles = names.map { Profile(simulating: $0, seed: 1) }
    for profile in profiles { try profile.validate() }
    #expect(Set(profiles).count == 200)
    #expect(names.reversed().map { Profile(simulating: $0, seed: 1) } == profiles.reversed())
    #expect(Profile(simulating: "person 0", seed: 2) != profiles[0])
  }

  struct Case: Sendable {
    var code: String?
    var change: @Sendable (inout Profile) -> Void
  }

  @Test(arguments: [
    Case(code: nil) { _ in },
    Case(code: "no-alias") { $0.alias = "" },
    Case(code: nil) { $0.alias = String(repeating: "ß", count: 32) },
    Case(code: "too-long") { $0.alias = String(repeating: "a", count: 33) },
    Case(code: "too-long") { $0.bio = String(repeating: "a", count: 301) },
    Case(code: "too-long") { $0.bestMove = String(repeating: "a", count: 1_000_000) },
    Case(code: nil) { $0.height = 36 },
    Case(code: "out-of-range") { $0.height = 35 },
    Case(code: nil) { $0.height = 96 },
    Case(code: "out-of-range") { $0.height = 97 },
    Case(code: "out-of-range") { $0.weight = 49 },
    Case(code: "out-of-range") { $0.weight = .max },
    Case(code: "out-of-range") { $0.reach = 109 },
    Case(code: "out-of-range") { $0.jailTime = -1 },
    Case(code: nil) { $0.gpa = 400 },
    Case(code: "out-of-range") { $0.gpa = 401 },
    Case(code: "out-of-range") { $0.tattoos = .min },
  ])
  func statsAreWithinTheirRanges(_ test: Case) {
    var profile = Profile(alias: "Ann")
    test.change(&profile)
    var code: String?
    do throws(Refusal) { try profile.validate() } catch { code = error.code }
    #expect(code == test.code)
  }
}

@Suite struct VersusTests {
  private func person(
    _ change: (inout Profile) -> Void, wins: Int = 2, losses: Int = 2
  )
    -> BasicProfile
  {
    var profile = Profile(alias: "x")
    (profile.gender, profile.bodyType) = (.female, .average)
    (profile.height, profile.weight, profile.reach) = (66, 150, 66)
    (profile.jailTime, profile.gpa, profile.tattoos) = (1, 305, 1)
    change(&profile)
    return BasicProfile(user: 0, profile: profile, wins: wins, losses: losses)
  }

  private func advantages(_ one: BasicProfile, _ other: BasicProfile) -> [Versus.Row] {
    let versus = Versus(one, against: other, rules: .default)
    // The other way round it is the other's.
    let reverse = Versus(other, against: one, rules: .default)
    for (line, back) in zip(versus.lines, reverse.lines) {
      #expect((line.advantage == .mine) == (back.advantage == .theirs))
      #expect(line.mine == back.theirs)
    }
    // 60 % with one row ahead; the other side has the rest.
    let chance = versus.chance ?? .nan
    if versus.lines.count(where: { $0.advantage == .mine }) == 1 {
      #expect(abs(chance - 0.6) < 1e-9)
    }
    #expect(abs(chance + (reverse.chance ?? .nan) - 1) < 1e-9)
    return versus.lines.filter { $0.advantage == .mine }.map(\.row)
  }

  @Test func eachRowHasItsAdvantage() {
    let equal = person { _ in }
    #expect(advantages(equal, equal) == [])
    #expect(advantages(person { $0.gender = .male }, equal) == [])
    #expect(advantages(person { $0.bodyType = .muscular }, equal) == [.bodyType])
    #expect(advantages(person { $0.height = 67 }, equal) == [.height])
    #expect(advantages(person { $0.weight = 151 }, equal) == [.weight])
    #expect(advantages(person { $0.reach = 67 }, equal) == [.reach])
    #expect(advantages(person({ _ in }, wins: 3), equal) == [.wins])
    #expect(advantages(person({ _ in }, losses: 1), equal) == [.losses])
    #expect(advantages(person { $0.jailTime = 2 }, equal) == [.jailTime])
    #expect(advantages(person { $0.gpa = 306 }, equal) == [.gpa])
    #expect(advantages(person { $0.tattoos = 2 }, equal) == [.tattoos])
  }

  @Test func tenRowsInOrderAndInWords() {
    let lines = Versus(person { _ in }, against: person { $0.height = nil }, rules: .default).lines
    #expect(
      lines.map(\.row.title) == [
        "gender", "body type", "height", "weight", "reach", "wins", "losses", "jail time", "GPA",
        "tattoos",
      ])
    #expect(
      lines.map(\.mine) == [
        "female", "average", "5 ft 6 in", "150 lb", "5 ft 6 in", "2", "2", "1 month", "3.05", "1",
      ])
    #expect(lines[2].theirs == "-" && lines[2].advantage == .none)
    #expect(lines[0].advantage == .none && lines[3].advantage == .even)
  }
}
