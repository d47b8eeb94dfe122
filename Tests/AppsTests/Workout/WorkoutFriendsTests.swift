import AppEngines
@testable import WorkoutApp
import Testing
import TraceModel

@Suite struct WorkoutFriendsTests {
  @Test(arguments: [
    ("+1 (202) 555-0101", PhoneNumber.Region.unitedStates, "+12025550101"),
    ("202.555.0101", .unitedStates, "+12025550101"),
    ("1-202-555-0101", .unitedStates, "+12025550101"),
    ("011 49 30 901820", .unitedStates, "+4930901820"),
    ("0049 30/901820", .germany, "+4930901820"),
    ("+49 (0)30 90 18 20", .germany, "+4930901820"),
    ("0049 (0)30 901820", .germany, "+4930901820"),
    ("011 49 (0)30 901820", .unitedStates, "+4930901820"),
    ("\u{202D}+49 30 90\u{2212}1820\u{202C}", .germany, "+4930901820"),
    ("030\u{200E} 901820", .germany, "+4930901820"),
    ("030 901820", .germany, "+4930901820"),
    ("(030) 90\u{2011}18\u{2013}20", .germany, "+4930901820"),
    ("+49\u{A0}30 901820", .unitedStates, "+4930901820"),
    ("06 6982", .italy, "+39066982"),
    ("\u{FF0B}٤٩٣٠٩٠١٨٢٠", .germany, "+4930901820"),
  ])
  func numbersAreNormalised(text: String, region: PhoneNumber.Region, number: String) {
    #expect(PhoneNumber(text, in: region)?.rawValue == number)
  }

  @Test(arguments: [
    "", "112", "+", "call me", "+49 30 901820 ext 5", "++49 30 901820", "030+901820",
    "+12345678901234567", "+0123456789", "12", String(repeating: "1", count: 100_000), "½3456789",
    "00", "\u{202D}\u{202C}", "(0)",
  ])
  func whatIsNoNumberIsNone(text: String) {
    #expect(PhoneNumber(text, in: .germany) == nil)
  }

  @Test func rawValueIsInternational() {
    #expect(PhoneNumber(rawValue: "+12025550101")?.description == "+12025550101")
    for text in ["12025550101", "+1 2025550101", "+123456", "+02025550101", "", "+"] {
      #expect(PhoneNumber(rawValue: text) == nil)
    }
  }

  private func match(_ user: String, _ number: String) throws -> Workout.Match {
    Workout.Match(
      user: Workout.UserID(rawValue: user), name: user.uppercased(),
      number: try #require(PhoneNumber(rawValue: number)))
  }

  @Test func contactsWhoHaveTheAppBecomeFriendsAndAreCounted() throws {
    var bench = WorkoutBench()
    let book = [
      Workout.Contact(name: "Bea", numbers: ["(202) 555-0101"]),
      Workout.Contact(name: "Bea at work", numbers: ["+1 202 555 0101", "202 555 0199"]),
      Workout.Contact(name: "Cyd", numbers: ["soon", "1 202 555 0102"]),
      Workout.Contact(name: "Dee", numbers: []),
      Workout.Contact(name: "me", numbers: ["202 555 0100"]),
      Workout.Contact(name: "", numbers: ["202 555 0104"]),
    ]
    bench.act(.contacts(book))
    guard case .contacts(_, let numbers) = try #require(bench.sent.first?.request) else {
      Issue.record("expected the address book")
      return
    }
    #expect(
      numbers.map { $0.rawValue.suffix(3) } == ["101", "102", "104", "199"], "self is not asked for"
    )
    let matches = [
      try match("cyd", "+12025550102"), try match("bea", "+12025550101"),
      try match("bea", "+12025550101"), try match("ann", "+12025550100"),
      try match("eve", "+12025550166"), try match("dan", "+12025550104"),
    ]
    let letters = bench.sent
    bench.answer(letters) { _ in .contacts(matches) }
    #expect(bench.engine.friends.map(\.name) == ["Bea", "Cyd", "DAN"])
    #expect(bench.engine.friendCount == 3)
    #expect(bench.effects.count == 3)
    // A second answer to the same letter is passed over.
    bench.answer(letters) { _ in .contacts([]) }
    #expect(bench.engine.friends.count == 3)
    // Who is taken out of the address book is no friend any more.
    bench.act(.contacts([book[2]]), 1)
    #expect(bench.engine.friends.map(\.name) == ["Cyd"])
    #expect(bench.engine.violations == [])
  }

  /// The address book is uploaded once; who signs up later is a friend at the next look.
  @Test func friendsWhoComeLaterAreFound() throws {
    var desk = WorkoutDesk()
    try desk.signUp("ann", "+12025550100")
    let numbers = try ["+12025550100", "+12025550101"].map {
      try #require(PhoneNumber(rawValue: $0))
    }
    #expect(try desk.ask(.contacts(revision: 1, numbers), from: "ann") == .contacts([]))
    try desk.signUp("bea", "+12025550101")
    _ = try desk.ask(.contacts(revision: 1, numbers), from: "bea")
    guard case .feed(_, let matches) = try desk.ask(.feed(.mine), from: "ann") else {
      Issue.record("expected a feed")
      return
    }
    #expect(matches.map(\.user.rawValue) == ["bea"])
  }

  @Test func tooManyContactsAreRefused() {
    var bench = WorkoutBench()
    func contact(_ number: Int) -> Workout.Contact {
      Workout.Contact(name: "x", numbers: ["+1202\(5_550_000 + number)", "(202) 555-0199"])
    }
    let most = WorkoutServer.mostNumbers - 1
    #expect(bench.act(.contacts((0..<most).map { contact(1000 + $0) })) == nil)
    #expect(
      bench.act(.contacts((0...most).map { contact(1000 + $0) })) == "too-many-contacts")
    #expect(bench.act(.contacts([])) == nil)
  }
}
