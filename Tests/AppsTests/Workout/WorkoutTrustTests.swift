import AppEngines
@testable import WorkoutApp
import Testing
import TraceModel

/// Whose number it is, who is a friend, how many numbers can be tried, and which records are saved.
@Suite struct WorkoutTrustTests {
  private func phone(_ text: String) throws -> PhoneNumber {
    try #require(PhoneNumber(rawValue: text))
  }

  // MARK: Numbers

  @Test func aNumberBelongsToWhoeverVerifiedIt() throws {
    var desk = WorkoutDesk()
    let number = try phone("+12025550100")
    // Anybody can state it, and nobody has it yet.
    for user in ["ann", "eve"] {
      #expect(try desk.ask(.signUp(name: user, number: number), from: user) == .signedUp)
    }
    #expect(desk.codeRequests == [number, number])
    #expect(desk.code(.contacts(revision: 1, []), from: "ann") == "not-verified")
    #expect(desk.code(.feed(.mineAndFriends), from: "ann") == "not-verified")
    try desk.send("1111", to: number, for: "ann")
    #expect(try desk.ask(.verify(number, code: "1111"), from: "ann") == .verified)
    #expect(try desk.ask(.verify(number, code: "0"), from: "ann") == .verified, "it is known")
    #expect(desk.code(.contacts(revision: 1, []), from: "ann") == nil)
    // A later verification by another moves it.
    try desk.send("2222", to: number, for: "eve")
    #expect(try desk.ask(.verify(number, code: "2222"), from: "eve") == .verified)
    #expect(desk.code(.contacts(revision: 2, []), from: "ann") == "not-verified")
    #expect(desk.code(.contacts(revision: 2, []), from: "eve") == nil)
    #expect(desk.server.violations == [])
  }

  @Test func aCodeIsForOneAccountOneNumberAndAShortTime() throws {
    var desk = WorkoutDesk()
    let number = try phone("+12025550100")
    _ = try desk.ask(.signUp(name: "ann", number: number), from: "ann")
    _ = try desk.ask(.signUp(name: "eve", number: number), from: "eve")
    func rejected(_ code: String, _ user: String = "ann") throws -> String? {
      guard case .codeRejected(let refusal) = try desk.ask(.verify(number, code: code), from: user)
      else { return nil }
      return refusal.code
    }
    #expect(try rejected("1111") == "no-code")
    try desk.send("1111", to: number, for: "ann")
    #expect(try rejected("1111", "eve") == "no-code", "it was not sent for her account")
    for _ in 1...5 { #expect(try rejected("9999") == "wrong-code") }
    #expect(try rejected("1111") == "no-code", "after five attempts it is not valid any more")
    try desk.send("1111", to: number, for: "ann")
    desk.now = WorkoutBench.instant(600)
    #expect(try rejected("1111") == "no-code", "after ten minutes it is not valid any more")
    let other = try phone("+12025550109")
    #expect(
      try desk.ask(.verify(other, code: "1111"), from: "ann")
        == .codeRejected(
          Refusal("other-number", "This account has another number; sign up with it first.")))
    for (code, user) in [("123", "ann"), (String(repeating: "1", count: 33), "ann"), ("1111", "x")]
    {
      #expect(throws: Refusal.self) { try desk.send(code, to: number, for: user) }
    }
    #expect(throws: Refusal.self) { try desk.send("1111", to: other, for: "ann") }
  }

  /// Five codes at once, then one per hour, however often the account signs up.
  @Test func codesAreSentRarely() throws {
    var desk = WorkoutDesk()
    let number = try phone("+12025550100")
    for second in 0..<7200 {
      desk.now = WorkoutBench.instant(Double(second))
      _ = try desk.ask(.signUp(name: "ann", number: number), from: "ann")
    }
    #expect(desk.codeRequests.count == 6)
  }

  @Test func thePhoneEntersACodeAndFindsItsFriends() throws {
    var bench = WorkoutBench()
    #expect(bench.act(.enterCode("1111")) == "not-signed-up")
    bench.act(.signUp)
    bench.answer(bench.sent) { _ in .signedUp }
    bench.act(.contacts([Workout.Contact(name: "Bea", numbers: ["2025550101"])]), 1)
    let contacts = bench.sent
    bench.answer(contacts, 1) { _ in .refused(Refusal("not-verified", "later")) }
    #expect(bench.act(.enterCode(""), 2) == "invalid-code")
    bench.act(.enterCode("9999"), 2)
    bench.answer(bench.sent, 2) { _ in .codeRejected(Refusal("wrong-code", "no")) }
    #expect(bench.effects == [.refused(Refusal("wrong-code", "no"))] && !bench.engine.isVerified)
    bench.act(.enterCode("1111"), 3)
    guard case .verify(_, "1111") = try #require(bench.sent.first?.request) else {
      Issue.record("expected a verification")
      return
    }
    bench.answer(bench.sent, 3) { _ in .verified }
    #expect(bench.engine.isVerified && bench.effects.contains(.verified))
    #expect(bench.sent.map(\.request) == contacts.map(\.request), "the contacts go at once")
    #expect(bench.act(.enterCode("1111"), 4) == "already-verified")
    // The number is another's by now: the phone asks for another code.
    bench.act(.showFeed(.mineAndFriends), 5)
    bench.answer(bench.sent, 5) { _ in .refused(Refusal("not-verified", "later")) }
    #expect(!bench.engine.isVerified)
    #expect(bench.sent.contains { if case .signUp = $0.request { true } else { false } })
  }

  /// A code that came too late or was lost: who signs up again gets another one.
  @Test func whoWaitsForACodeCanAskForAnother() throws {
    var (bench, desk) = (WorkoutBench(), WorkoutDesk())
    let number = try phone("+12025550100")
    func signUp(_ seconds: Double) throws {
      #expect(bench.act(.signUp, seconds) == nil)
      desk.now = WorkoutBench.instant(seconds)
      let request = try #require(bench.sent.first?.request)
      let answer = try #require(try desk.ask(request, from: "ann"))
      bench.answer(bench.sent, seconds) { _ in answer }
    }
    func enter(_ code: String, _ seconds: Double) throws {
      bench.act(.enterCode(code), seconds)
      desk.now = WorkoutBench.instant(seconds)
      let answer = try #require(try desk.ask(.verify(number, code: code), from: "ann"))
      bench.answer(bench.sent, seconds) { _ in answer }
    }
    try signUp(0)
    try desk.send("1111", to: number, for: "ann")
    try enter("1111", 700)
    #expect(!bench.engine.isVerified, "it was valid for ten minutes")
    try signUp(701)
    try desk.send("2222", to: number, for: "ann")
    for second in 702...706 { try enter("9999", Double(second)) }
    try enter("2222", 707)
    #expect(!bench.engine.isVerified, "it was valid for five attempts")
    try signUp(708)
    try desk.send("3333", to: number, for: "ann")
    try enter("3333", 709)
    #expect(bench.engine.isVerified && desk.codeRequests.count == 3)
    #expect(bench.act(.signUp, 710) == "already-signed-up")
  }

  /// A revision is a time of the phone's clock. One that was a year ahead keeps nobody's next phone
  /// from changing the address book.
  @Test func aClockThatWasAheadKeepsNoAddressBook() throws {
    var desk = WorkoutDesk()
    try desk.signUp("ann", "+12025550100")
    try desk.signUp("bea", "+12025550101")
    let numbers = try ["+12025550100", "+12025550101"].map(phone)
    _ = try desk.ask(.contacts(revision: 1, [numbers[0]]), from: "bea")
    let year: Int64 = 31_536_000_000_000_000
    let ahead = WorkoutBench.epoch.nanoseconds + year
    _ = try desk.ask(.contacts(revision: ahead, []), from: "ann")
    desk.now = WorkoutBench.instant(100)
    // The same installation: an older revision comes late.
    let late = try desk.ask(.contacts(revision: ahead - 1, [numbers[1]]), from: "ann")
    #expect(late == .contacts([]))
    let new = try desk.ask(
      .contacts(revision: WorkoutBench.epoch.nanoseconds + 100_000_000_000, [numbers[1]]),
      from: "ann", installation: 2)
    guard case .contacts(let matches) = try #require(new) else {
      Issue.record("expected matches, found \(String(describing: new))")
      return
    }
    #expect(matches.map(\.user.rawValue) == ["bea"])
  }

  /// A phone that is newly installed needs no other code.
  @Test func aKnownNumberNeedsNoOtherCode() throws {
    var desk = WorkoutDesk()
    try desk.signUp("ann", "+12025550100")
    let number = try phone("+12025550100")
    #expect(try desk.ask(.signUp(name: "ann", number: number), from: "ann") == .verified)
    var bench = WorkoutBench()
    bench.act(.signUp)
    bench.answer(bench.sent) { _ in .verified }
    #expect(bench.engine.isSignedUp && bench.engine.isVerified)
    #expect(bench.effects.contains(.signedUp))
  }

  /// Without verification, whoever comes first has a number that others state too.
  @Test func thePresetTakesTheFirst() throws {
    var desk = WorkoutDesk(.tri)
    try desk.signUp("ann", "+12025550100")
    let number = try phone("+12025550100")
    #expect(desk.code(.signUp(name: "eve", number: number), from: "eve") == "number-taken")
    #expect(desk.codeRequests == [] && desk.server.violations == [])
  }

  // MARK: Friends and tracks

  /// Eve has Ann's number, and Ann does not have hers.
  @Test(arguments: [(WorkoutRules.tri, true), (.default, false)])
  func oneSidedContacts(rules: WorkoutRules, isFriend: Bool) throws {
    var desk = WorkoutDesk(rules)
    try desk.signUp("ann", "+12025550100")
    try desk.signUp("eve", "+12025550101")
    let (ann, eve) = (try phone("+12025550100"), try phone("+12025550101"))
    guard case .contacts(let found) = try desk.ask(.contacts(revision: 1, [ann]), from: "eve")
    else {
      Issue.record("expected contacts")
      return
    }
    #expect(found.map(\.user.rawValue) == (isFriend ? ["ann"] : []))
    let record = record("ann", 1)
    _ = try desk.ask(.save(record), from: "ann")
    #expect(desk.code(.open(record.id), from: "eve") == (isFriend ? nil : "not-a-friend"))
    guard case .feed(let feed, _) = try desk.ask(.feed(.mineAndFriends), from: "eve") else {
      return
    }
    #expect(feed.count == (isFriend ? 1 : 0))
    // When each has the other's number they are friends.
    _ = try desk.ask(.contacts(revision: 1, [eve]), from: "ann")
    #expect(desk.code(.open(record.id), from: "eve") == nil)
    // Ann takes Eve out of her address book again.
    _ = try desk.ask(.contacts(revision: 2, []), from: "ann")
    #expect(desk.code(.open(record.id), from: "eve") == (isFriend ? nil : "not-a-friend"))
  }

  // MARK: Look-ups

  @Test func numbersCannotBeEnumerated() throws {
    var desk = WorkoutDesk()
    try desk.signUp("eve", "+12025550100")
    var (next, tried, revision) = (2_000_000, 0, Int64(0))
    for hour in 0..<24 {
      desk.now = WorkoutBench.instant(Double(hour) * 3600)
      for _ in 0..<10 {
        let numbers = try (0..<1000).map { try phone("+1202\(next + $0)") }
        revision += 1
        let code = desk.code(.contacts(revision: revision, numbers), from: "eve")
        #expect(code == nil || code == "too-many-lookups")
        if code == nil { (tried, next) = (tried + 1000, next + 1000) }
      }
    }
    #expect(tried == WorkoutServer.mostNumbers)
    // The own address book can be sent again all day.
    let known = try (0..<1000).map { try phone("+1202\(2_000_000 + $0)") }
    #expect(desk.code(.contacts(revision: 9999, known), from: "eve") == nil)
    desk.now = WorkoutBench.instant(86_400)
    let more = try (0..<5000).map { try phone("+1202\(3_000_000 + $0)") }
    #expect(desk.code(.contacts(revision: 10_000, more), from: "eve") == nil)
    #expect(desk.server.violations == [])
  }

  // MARK: Records

  private func record(
    _ creator: String, _ number: Int, sport: Workout.Sport = .run, meters: Double = 1000,
    seconds: Double = 300, start: WallTime = WorkoutBench.epoch
  ) -> Workout.Record {
    let id = Workout.ActivityID(
      creator: Workout.UserID(rawValue: creator), installation: 1, number: number)
    return Workout.Record(
      summary: Workout.Summary(
        id: id, creatorName: creator, sport: sport, start: start, duration: seconds,
        movingTime: seconds, distance: meters))
  }

  private func code(_ record: Workout.Record, _ rules: WorkoutRules = .default) throws -> String? {
    var desk = WorkoutDesk(rules)
    try desk.signUp("ann", "+12025550100")
    return desk.code(.save(record), from: "ann")
  }

  @Test(
    arguments: [
      (Workout.Sport.run, 1e15, 1.0, "too-fast"), (.run, 100_000, 3600, "too-fast"),
      (.swim, 5000, 600, "too-fast"), (.bike, 500_000, 3600, "too-fast"),
      (.run, 1000, 864_001, "too-long"), (.run, 2500, 100, nil), (.swim, 50, 20, nil),
      // A marathon and an hour on the track in record time, and a day of each sport.
      (.run, 42_195, 7235, nil), (.bike, 56_792, 3600, nil), (.run, 319_600, 86_400, nil),
      (.bike, 1_026_000, 86_400, nil), (.swim, 150_000, 86_400, nil), (.run, 0, 0, nil),
    ] as [(Workout.Sport, Double, Double, String?)])
  func distancesMustBePossible(
    sport: Workout.Sport, meters: Double, seconds: Double, code expected: String?
  ) throws {
    let record = record("ann", 1, sport: sport, meters: meters, seconds: seconds)
    #expect(try code(record) == expected)
    #expect(try code(record, .tri) == nil, "the original saves everything")
  }

  @Test func aRecordIsNotOfTheFuture() throws {
    let day = 86_400_000_000_000 as Int64
    for (ahead, expected) in [(0, nil), (day, nil), (day + 1, "future-date")] as [(Int64, String?)]
    {
      let start = WorkoutBench.epoch.advanced(byNanoseconds: ahead)
      #expect(try code(record("ann", 1, start: start)) == expected)
    }
    let year2096 = record(
      "ann", 1, meters: 1e15, seconds: 1, start: WallTime(seconds: 3_976_214_400))
    #expect(try code(year2096) == "future-date" && code(year2096, .tri) == nil)
    #expect(try code(record("ann", 1, start: WallTime(seconds: -1_000_000_000))) == nil)
  }

  @Test func timesDistanceAndLocationsMustAgree() throws {
    var long = record("ann", 1)
    long.summary.movingTime = 302
    #expect(try code(long) == "inconsistent-record")
    let place = Coordinate(latitude: 46, longitude: 14)
    var standing = record("ann", 1, meters: 4000)
    standing.segments = [
      (0..<300).map {
        Workout.Location(
          coordinate: place, time: WorkoutBench.epoch.advanced(byNanoseconds: $0 * 1_000_000_000))
      }
    ]
    #expect(try code(standing) == "inconsistent-record", "4 km on the spot")
    standing.summary.distance = 900
    #expect(try code(standing) == nil)
    standing.segments[0][0].time = WorkoutBench.epoch.advanced(byNanoseconds: -90_000_000_000_000)
    #expect(try code(standing) == "inconsistent-record", "a location of the day before")
    var large = record("ann", 1)
    let location = Workout.Location(coordinate: place, time: WorkoutBench.epoch)
    large.segments = [Array(repeating: location, count: 1_000_001)]
    #expect(try code(large) == "too-large")
  }

  /// What the form takes, the server saves.
  @Test func theFormRefusesImpossibleSwims() {
    var bench = WorkoutBench()
    #expect(bench.act(.logSwim(WorkoutBench.form(laps: 10_000, seconds: 60)), 1) == "too-fast")
    #expect(bench.act(.logSwim(WorkoutBench.form(laps: 2, length: 50, seconds: 47)), 1) == nil)
  }
}

// MARK: How often a phone sends

extension WorkoutTrustTests {
  /// For an hour nobody answers, and the person taps everything again and again.
  @Test(arguments: [0, 1, 40]) func anHourOfflineIsFewMessages(swims: Int) {
    var counts: [Int] = []
    for rules in [WorkoutRules.tri, .default] {
      var bench = WorkoutBench(rules)
      bench.act(.signUp)
      bench.act(.contacts([Workout.Contact(name: "Bea", numbers: ["2025550101"])]))
      for _ in 0..<swims { bench.act(.logSwim(WorkoutBench.form())) }
      var sent = bench.all.count { if case .send = $0 { true } else { false } }
      for second in 1...3600 {
        while let deadline = bench.engine.deadline, deadline.seconds <= Double(second) {
          bench.advance(deadline.seconds)
          sent += bench.sent.count
        }
        for input in [
          WorkoutEngine.Input.showFeed(second % 2 == 0 ? .mine : .mineAndFriends), .signUp,
        ] {
          bench.act(input, Double(second))
          sent += bench.sent.count
        }
      }
      counts.append(sent)
      #expect(bench.engine.violations == [])
      if rules == .default { #expect(bench.engine.unsaved.count == swims) }
    }
    // Two taps per second, which the original sends.
    #expect(counts[0] >= 7200 && counts[1] <= 350 + swims, "\(counts)")
  }

  /// A server that is there but cannot save is asked as rarely.
  @Test func anHourOfRefusalsIsFewMessages() {
    for code in ["unavailable", "not-signed-up", "not-verified"] {
      var bench = WorkoutBench()
      bench.act(.signUp)
      var (letters, sent) = (bench.sent, 1)
      bench.run()
      letters += bench.sent
      for second in 101...3700 {
        while let letter = letters.popLast() {
          bench.act(.answer(.refused(Refusal(code, "later")), letter.stamp), Double(second))
          sent += bench.sent.count
          letters = bench.sent + letters
          if letters.count > 10 { break }
        }
        while let deadline = bench.engine.deadline, deadline.seconds <= Double(second) {
          bench.advance(deadline.seconds)
          letters += bench.sent
          sent += bench.sent.count
        }
      }
      #expect(sent < 100, "\(code): \(sent)")
      #expect(bench.engine.unsaved.count == 1)
    }
  }

  /// Takes the phone's requests to the server, and the answers back, until there are none.
  private func carry(
    _ bench: inout WorkoutBench, to desk: inout WorkoutDesk, at seconds: Double
  ) throws {
    var letters = bench.sent
    for _ in 0..<100 {
      guard !letters.isEmpty else { return }
      let letter = letters.removeFirst()
      var answers: [WorkoutServer.Effect] = []
      do throws(Refusal) {
        try desk.server.handle(
          .request(letter, from: bench.engine.user), at: WorkoutBench.instant(seconds),
          into: &answers)
      } catch {
        answers = [.answer(.refused(error), letter.stamp, to: bench.engine.user)]
      }
      for case .answer(let answer, let stamp, _) in answers {
        bench.act(.answer(answer, stamp), seconds)
        letters += bench.sent
      }
    }
  }

  /// A phone that was restored 20 requests back goes on with the server's numbers.
  @Test func aPhoneRestoredTwentyRequestsBackGoesOn() throws {
    var desk = WorkoutDesk()
    try desk.signUp("ann", "+12025550100")
    var bench = WorkoutBench()
    var old = bench
    for swim in 1...25 {
      if swim == 6 { old = bench }
      bench.act(.logSwim(WorkoutBench.form(laps: swim)), Double(swim))
      try carry(&bench, to: &desk, at: Double(swim))
    }
    #expect(desk.server.activityCount == 25 && bench.engine.unsaved.isEmpty)
    // The restored phone has five swims, and counts requests and ids from there.
    old.act(.logSwim(WorkoutBench.form(laps: 99)), 100)
    #expect(old.engine.unsaved.map(\.number) == [6])
    try carry(&old, to: &desk, at: 100)
    old.act(.showFeed(.mine), 101)
    try carry(&old, to: &desk, at: 101)
    for second in 102...110 where !old.engine.unsaved.isEmpty {
      if let deadline = old.engine.deadline, deadline.seconds <= Double(second) {
        old.advance(deadline.seconds)
        try carry(&old, to: &desk, at: Double(second))
      }
    }
    old.act(.showFeed(.mine), 111)
    try carry(&old, to: &desk, at: 111)
    #expect(old.engine.unsaved.isEmpty && old.engine.feed.count == 26)
    #expect(desk.server.activityCount == 26 && desk.server.violations == [])
    #expect(old.all.contains { if case .renumbered = $0 { true } else { false } })
    #expect(!old.all.contains { if case .saveRefused = $0 { true } else { false } })
  }
}
