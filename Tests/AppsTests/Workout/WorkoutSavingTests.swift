import AppEngines
@testable import WorkoutApp
import Testing
import TraceModel

@Suite struct WorkoutSavingTests {
  // MARK: A save that fails

  /// No answer for half a minute: the original clears the workout.
  @Test(arguments: [(WorkoutRules.tri, 0), (.default, 1)])
  func saveWithoutAnAnswer(rules: WorkoutRules, kept: Int) {
    var bench = WorkoutBench(rules)
    bench.run()
    #expect(bench.engine.activities.count == 1)
    while let deadline = bench.engine.deadline, deadline.seconds <= 200 {
      bench.advance(deadline.seconds)
    }
    #expect(bench.engine.activities.count == kept)
    let losses = bench.all.filter { if case .lost = $0 { true } else { false } }
    #expect(losses.count == 1 - kept)
    #expect(bench.engine.violations == [])
    // Its request is still being sent, and takes effect.
    if kept == 1 {
      #expect(bench.engine.unsaved.count == 1)
      bench.confirmSaves(
        bench.all.compactMap { if case .send(let letter) = $0 { letter } else { nil } }, 200)
      #expect(bench.engine.unsaved.isEmpty)
      #expect(bench.engine.deadline == nil)
    }
  }

  @Test(arguments: [(WorkoutRules.tri, 0), (.default, 1)])
  func serverThatCannotSave(rules: WorkoutRules, kept: Int) {
    var bench = WorkoutBench(rules)
    bench.run()
    bench.answer(bench.sent, 101) { _ in .refused(Refusal("unavailable", "later")) }
    #expect(bench.engine.activities.count == kept)
    #expect((bench.engine.deadline != nil) == (kept == 1), "it is tried again by itself")
  }

  @Test func refusedSaveIsKeptAndRetriedOnRequest() {
    var bench = WorkoutBench()
    bench.run()
    bench.answer(bench.sent, 101) { _ in .refused(Refusal("too-fast", "too far")) }
    let id = bench.engine.unsaved[0]
    #expect(bench.effects == [.saveRefused(id, Refusal("too-fast", "too far"))])
    #expect(bench.engine.deadline == nil && bench.engine.violations == [])
    #expect(bench.act(.retry(id), 102) == nil)
    bench.confirmSaves(bench.sent, 103)
    #expect(bench.engine.unsaved.isEmpty)
    #expect(bench.act(.retry(id), 104) == "nothing-to-retry")
  }

  /// An overdue save of the original is given up when time advances, and not because something else
  /// was sent before.
  @Test func onlyTimeGivesUpASave() {
    var bench = WorkoutBench(.tri)
    bench.run()
    let id = bench.engine.unsaved[0]
    bench.act(.showFeed(.mine), 5000)
    #expect(bench.engine.unsaved == [id])
    #expect(!bench.effects.contains(.lost(id)))
    bench.advance(5000)
    #expect(bench.effects.contains(.lost(id)) && bench.engine.unsaved.isEmpty)
  }

  /// A missed deadline of the engine is due immediately.
  @Test func overdueRequestsAreSentAtTheNextChance() {
    var bench = WorkoutBench()
    bench.run()
    bench.act(.toggle(.swim), 5000)
    #expect(bench.engine.deadline == WorkoutBench.instant(5000).advanced(byNanoseconds: 1))
    bench.advance(5000.5)
    #expect(bench.sent.count == 1)
  }

  @Test func retriesComeLessAndLessOften() {
    var bench = WorkoutBench()
    bench.run()
    var times: [Double] = []
    for _ in 0..<9 {
      guard let deadline = bench.engine.deadline else { break }
      times.append(deadline.seconds)
      bench.advance(deadline.seconds)
      #expect(bench.sent.count == 1)
    }
    let waits = zip(times, times.dropFirst()).map { $1 - $0 }
    // Each is at most a quarter shorter.
    for (wait, whole) in zip(waits, [10.0, 20, 40, 80, 160, 320, 320, 320]) {
      #expect(wait > 0.75 * whole && wait <= whole)
    }
    #expect(waits.count == 8)
  }

  // MARK: The server

  private func phone(_ text: String) throws -> PhoneNumber {
    try #require(PhoneNumber(rawValue: text))
  }

  private func record(
    _ creator: String, _ number: Int, distance: Double = 1000, name: String? = nil
  ) -> Workout.Record {
    let id = Workout.ActivityID(
      creator: Workout.UserID(rawValue: creator), installation: 1, number: number)
    return Workout.Record(
      summary: Workout.Summary(
        id: id, creatorName: name ?? creator, sport: .run,
        start: WallTime(seconds: Int64(number)), duration: 300, movingTime: 290,
        distance: distance))
  }

  @Test func serverSavesOnceHoweverOften() throws {
    var desk = WorkoutDesk()
    #expect(desk.code(.save(record("ann", 1)), from: "ann") == "not-signed-up")
    try desk.signUp("ann", "+12025550100")
    try desk.signUp("ann", "+12025550100")
    for _ in 0..<3 {
      #expect(try desk.ask(.save(record("ann", 1)), from: "ann") == .saved(record("ann", 1).id))
    }
    #expect(desk.server.activityCount == 1)
    #expect(desk.code(.save(record("ann", 1, distance: 9)), from: "ann") == "id-taken")
    #expect(desk.server.violations == [])
  }

  @Test func serverRefusesWhatIsNotTheSenders() throws {
    var desk = WorkoutDesk()
    try desk.signUp("ann", "+12025550100")
    try desk.signUp("bea", "+12025550101")
    #expect(
      desk.code(.signUp(name: "ann", number: try phone("+12025550109")), from: "ann")
        == "already-signed-up")
    #expect(
      desk.code(.signUp(name: "", number: try phone("+12025550109")), from: "eve")
        == "invalid-name")
    #expect(desk.code(.save(record("ann", 1)), from: "bea") == "not-the-creator")
    #expect(desk.code(.save(record("ann", 1, name: "Ann")), from: "ann") == "not-the-creator")
    #expect(desk.code(.save(record("ann", 1, distance: .nan)), from: "ann") == "invalid-record")
    #expect(desk.code(.save(record("ann", 1)), from: "ann") == nil)
    #expect(desk.code(.open(record("ann", 1).id), from: "bea") == "not-a-friend")
    #expect(desk.code(.open(record("ann", 9).id), from: "ann") == "unknown-activity")
    let many = try (0...WorkoutServer.mostNumbers).map { try phone("+1202\(1_000_000 + $0)") }
    #expect(desk.code(.contacts(revision: 1, many), from: "ann") == "too-many-contacts")
  }

  /// One that is NaN would not equal itself, and saving it twice would be refused.
  @Test(arguments: [Double.nan, .infinity]) func recordOfNoAltitudeIsRefused(
    altitude: Double
  ) throws {
    var desk = WorkoutDesk()
    try desk.signUp("ann", "+12025550100")
    var record = record("ann", 1)
    let coordinate = Coordinate(latitude: 46, longitude: 14)
    record.segments = [
      [Workout.Location(coordinate: coordinate, altitude: altitude, time: WallTime(seconds: 0))]
    ]
    #expect(desk.code(.save(record), from: "ann") == "invalid-record")
    record.segments[0][0].altitude = nil
    #expect(desk.code(.save(record), from: "ann") == nil)
  }

  @Test func newestAddressBookHoldsWhateverArrivesLast() throws {
    var desk = WorkoutDesk()
    let numbers = [try phone("+12025550100"), try phone("+12025550101")]
    try desk.signUp("ann", "+12025550100")
    try desk.signUp("bea", "+12025550101")
    _ = try desk.ask(.contacts(revision: 1, numbers), from: "bea")
    _ = try desk.ask(.contacts(revision: 2, []), from: "ann")
    #expect(try desk.ask(.contacts(revision: 1, numbers), from: "ann") == .contacts([]))
    let match = Workout.Match(
      user: Workout.UserID(rawValue: "bea"), name: "bea", number: numbers[1])
    #expect(try desk.ask(.contacts(revision: 3, numbers), from: "ann") == .contacts([match]))
  }

  @Test func unavailableServerRefusesAndLosesNothing() throws {
    var desk = WorkoutDesk()
    try desk.signUp("ann", "+12025550100")
    var none: [WorkoutServer.Effect] = []
    try desk.server.handle(.availability(false), at: .zero, into: &none)
    #expect(desk.code(.save(record("ann", 1)), from: "ann") == "unavailable")
    try desk.server.handle(.availability(true), at: .zero, into: &none)
    #expect(desk.code(.save(record("ann", 1)), from: "ann") == nil)
  }

  // MARK: Phones and server over a bad network

  private struct Town {
    enum Message: Codable {
      case request(Workout.Letter, Int)
      case answer(Workout.Answer, RequestStamp, Int)
    }

    var phones: [WorkoutBench]
    var server: WorkoutServer
    /// The codes that came to the phones.
    var codes: [Int: String] = [:]
    var network: SimulatedNetwork<Message>
    var acknowledged: Set<Workout.ActivityID> = []

    init(_ rules: WorkoutRules, _ conditions: NetworkConditions) {
      phones = (0..<3).map {
        WorkoutBench(rules, user: "user-\($0)", number: "+1202555010\($0)")
      }
      server = WorkoutServer(rules: rules, epoch: WorkoutBench.epoch)
      network = SimulatedNetwork(NetworkSetup(conditions))
    }

    mutating func post(_ index: Int, at now: TraceInstant) {
      for effect in phones[index].effects {
        if case .send(let letter) = effect {
          network.send(
            .request(letter, index), on: NetworkLink(from: .phone(index), to: .server), at: now)
        }
        if case .saved(let id) = effect { acknowledged.insert(id) }
      }
    }

    mutating func act(_ input: WorkoutEngine.Input, _ index: Int, _ seconds: Double) {
      run(until: WorkoutBench.instant(seconds))
      phones[index].act(input, seconds)
      post(index, at: WorkoutBench.instant(seconds))
    }

    mutating func run(until end: TraceInstant) {
      while let next = ([network.next] + phones.map(\.engine.deadline)).compactMap(\.self).min(),
        next <= end
      {
        while let arrival = network.receive(by: next) { deliver(arrival.message, at: next) }
        for index in phones.indices {
          while let deadline = phones[index].engine.deadline, deadline <= next {
            phones[index].advance(deadline.seconds)
            post(index, at: next)
          }
        }
        // What was acknowledged once is there for good.
        #expect(acknowledged.allSatisfy(server.contains))
        #expect(server.violations == [] && phones.allSatisfy { $0.engine.violations == [] })
      }
    }

    func back(_ index: Int) -> NetworkLink { NetworkLink(from: .server, to: .phone(index)) }

    mutating func deliver(_ message: Message, at now: TraceInstant) {
      switch message {
      case .answer(let answer, let number, let index):
        phones[index].act(.answer(answer, number), now.seconds)
        post(index, at: now)
        guard phones[index].engine.isSignedUp, let code = codes.removeValue(forKey: index) else {
          return
        }
        phones[index].act(.enterCode(code), now.seconds)
        post(index, at: now)
      case .request(let letter, let index):
        var effects: [WorkoutServer.Effect] = []
        do throws(Refusal) {
          try server.handle(
            .request(letter, from: phones[index].engine.user), at: now, into: &effects)
        } catch {
          network.send(.answer(.refused(error), letter.stamp, index), on: back(index), at: now)
        }
        for case .sendCode(let number, let user) in effects {
          codes[index] = "code-\(index)"
          var none: [WorkoutServer.Effect] = []
          try? server.handle(
            .codeSent("code-\(index)", to: number, for: user), at: now, into: &none)
        }
        for case .answer(let answer, let number, _) in effects {
          network.send(.answer(answer, number, index), on: back(index), at: now)
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func nothingIsLostOrThereTwiceOverABadNetwork(seed: UInt64) {
    var conditions = NetworkConditions()
    (conditions.delay, conditions.jitter) = (0.2, 3)
    (conditions.loss, conditions.duplication, conditions.seed) = (0.4, 0.4, seed)
    var town = Town(.default, conditions)
    let book = (0..<3).map { Workout.Contact(name: "contact \($0)", numbers: ["202555010\($0)"]) }
    for index in 0..<3 {
      town.act(.signUp, index, 0)
      town.act(.contacts([]), index, 0)
      town.act(.contacts(book), index, 1)
    }
    for round in 0..<5 {
      for index in 0..<3 {
        let laps = 10 * (index + 1) + round
        town.act(.logSwim(WorkoutBench.form(laps: laps)), index, Double(10 * round + 5))
      }
    }
    town.run(until: WorkoutBench.instant(4000))
    #expect(town.server.activityCount == 15, "seed \(seed)")
    #expect(town.acknowledged.count == 15, "seed \(seed)")
    for index in 0..<3 { town.act(.showFeed(.mineAndFriends), index, 4001) }
    town.run(until: WorkoutBench.instant(8000))
    for phone in town.phones {
      #expect(phone.engine.friends.count == 2, "seed \(seed)")
      #expect(phone.engine.feed.count == 15 && phone.engine.feed == town.phones[0].engine.feed)
      #expect(phone.engine.deadline == nil, "nothing is left to send")
    }
  }

  @Test func triLosesWorkoutsOverABadNetwork() {
    var conditions = NetworkConditions()
    (conditions.loss, conditions.seed) = (0.4, 1)
    var town = Town(.tri, conditions)
    town.act(.signUp, 0, 0)
    town.run(until: WorkoutBench.instant(1000))
    for round in 0..<20 { town.act(.logSwim(WorkoutBench.form()), 0, 1000 + Double(round)) }
    town.run(until: WorkoutBench.instant(5000))
    let lost = town.phones[0].all.filter { if case .lost = $0 { true } else { false } }
    #expect(lost.count > 3)
    #expect(town.acknowledged.count + lost.count == 20)
  }
}
