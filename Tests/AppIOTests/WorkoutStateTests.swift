import AppIO
import AppEngines
@testable import WorkoutApp
import Foundation
import TestSupport
import Testing
import TraceModel

/// Random scripts of what can happen to a phone with the workout app, legal and illegal.
private struct WorkoutChaos {
  var random: SeededGenerator
  private(set) var seconds = 0.0
  private var east = 0.0
  private static let epoch = WallTime(seconds: 1_700_000_000)
  private static let oddities: [Double] = [
    .nan, .infinity, -.infinity, -1, 0, 1e300, -1e300, 90, 180, 400, 1e-300, 20,
  ]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  static func engine(_ rules: WorkoutRules) throws -> WorkoutEngine {
    WorkoutEngine(
      rules: rules, user: Workout.UserID(rawValue: "ann"), name: "ann",
      number: try #require(PhoneNumber(rawValue: "+12025550100")), region: .unitedStates,
      installation: 7, epoch: epoch)
  }

  mutating func pick<T>(_ values: [T]) -> T {
    values[Int(random.uniform(0...Double(values.count))) % values.count]
  }

  /// Mostly a second on, now and then an hour, back, or to the ends of time.
  mutating func time(isWild: Bool) -> TraceInstant {
    let draw = random.unit()
    if draw < 0.98 { seconds += 1 } else if draw < 0.995 { seconds += random.uniform(0...3600) }
    let now = TraceInstant.zero.advanced(bySeconds: seconds)
    guard isWild, draw > 0.9995 else { return draw > 0.995 ? .zero : now }
    return TraceInstant(nanoseconds: pick([.min, -1, 0, .max / 2]))
  }

  mutating func fix(isWild: Bool) -> WorkoutEngine.Input {
    if random.unit() < 0.8 { east += random.uniform(0...6) }
    var fix = Fix(
      latitude: 46.5 + random.uniform(-1e-5...1e-5), longitude: 14.25 + east * 1.3e-5,
      altitude: 400, horizontalAccuracy: random.uniform(2...25),
      speed: random.unit() < 0.5 ? .nan : random.uniform(0...5))
    var measured = TraceInstant.zero.advanced(bySeconds: seconds + 1)
    if random.unit() < 0.05 { measured = TraceInstant.zero.advanced(bySeconds: seconds - 5) }
    if isWild, random.unit() < 0.05 {
      fix.latitude = pick(Self.oddities)
      fix.longitude = pick(Self.oddities)
      fix.altitude = pick(Self.oddities)
      fix.horizontalAccuracy = pick(Self.oddities)
      fix.speed = pick(Self.oddities)
      fix.speedAccuracy = pick(Self.oddities)
      if random.unit() < 0.2 {
        measured = TraceInstant(nanoseconds: pick([.min, .max, 0, -5]))
      }
    }
    return .fix(fix, measured: measured)
  }

  mutating func input(
    to engine: WorkoutEngine, sent: [Workout.Letter], isWild: Bool
  )
    -> WorkoutEngine.Input
  {
    if random.unit() < 0.4 { return fix(isWild: isWild) }
    switch Int(random.uniform(0...23)) {
    case 0: return .signUp
    case 1, 2: return .permission(pick([.granted, .granted, .granted, .denied, .notAsked]))
    case 3: return .allowLocation
    case 4, 5: return .start(pick(Workout.Sport.allCases))
    case 6: return .pause
    case 7: return .resume
    case 8: return pick([.stop, .discard, .pause, .resume])
    case 9: return .save
    case 10: return .suspended(random.unit() < 0.5)
    case 11: return .logSwim(form())
    case 12: return .contacts(contacts())
    case 13: return .showFeed(pick(Workout.FeedScope.allCases))
    case 14: return .tap(id(engine))
    case 15: return pick([.open(id(engine)), .closeDetail])
    case 16: return .showWeek(week())
    case 17: return .toggle(pick(Workout.Sport.allCases))
    case 18: return .retry(id(engine))
    case 19: return .enterCode(pick(["1234", "", String(repeating: "ü", count: 100)]))
    default: return answer(sent)
    }
  }

  private mutating func form() -> Workout.SwimForm {
    Workout.SwimForm(
      date: WallTime(nanoseconds: pick([.min, .max, 0, Self.epoch.nanoseconds, -1])),
      lapLength: pick([25, 50, 33.3] + Self.oddities), laps: pick([10, 40, 0, -1, .max, .min]),
      hours: pick([0, 1, .max, -1]), minutes: pick([0, 30, 60, .min]),
      seconds: pick([0, 1, 59, .max]))
  }

  private mutating func contacts() -> [Workout.Contact] {
    let numbers = [
      "2025550101", "+1 202 555 0102", "", "soon", String(repeating: "9", count: 5000),
    ]
    return (0..<Int(random.uniform(0...4))).map { _ in
      Workout.Contact(
        name: pick(["Bea", "", String(repeating: "é", count: 3000)]),
        numbers: [pick(numbers), pick(numbers)])
    }
  }

  private mutating func id(_ engine: WorkoutEngine) -> Workout.ActivityID {
    if random.unit() < 0.7, let id = engine.activities.first?.summary.id { return id }
    return Workout.ActivityID(
      creator: Workout.UserID(rawValue: pick(["", "ann", "bea"])), installation: .max,
      number: pick([0, .min, .max, 1]))
  }

  private mutating func week() -> Workout.CalendarWeek {
    let time = WallTime(
      nanoseconds: pick([Self.epoch.nanoseconds, 0, Self.epoch.nanoseconds + 604_800_000_000_000]))
    var week =
      FixedCalendar().week(containing: time, start: .sunday) ?? Workout.CalendarWeek(days: [])
    if random.unit() < 0.1 { week.days.removeLast() }
    return week
  }

  /// The right answer to something that was sent, a refusal, or something else.
  private mutating func answer(_ sent: [Workout.Letter]) -> WorkoutEngine.Input {
    guard !sent.isEmpty, random.unit() < 0.95 else {
      return .answer(
        pick([.signedUp, .feed([], []), .contacts([])]),
        RequestStamp(epoch: 0, number: pick([.min, 0, 1, .max])))
    }
    let letter = pick(sent)
    let refusal = Workout.Answer.refused(
      Refusal(
        pick(["unavailable", "not-signed-up", "not-verified", "id-taken", ""]), "because"))
    if random.unit() < 0.3 { return .answer(refusal, letter.stamp) }
    if random.unit() < 0.1 {
      let position = StampPosition(epoch: 5, next: pick([.min, 0, 1, 1000, .max]))
      return .answer(.outOfStep(position), letter.stamp)
    }
    let matches = PhoneNumber(rawValue: "+12025550101").map {
      [Workout.Match(user: Workout.UserID(rawValue: pick(["bea", "ann"])), name: "b", number: $0)]
    }
    switch letter.request {
    case .signUp: return .answer(pick([.signedUp, .signedUp, .verified]), letter.stamp)
    case .verify:
      return .answer(
        pick([.verified, .codeRejected(Refusal("wrong-code", "because"))]), letter.stamp)
    case .contacts: return .answer(.contacts(matches ?? []), letter.stamp)
    case .save(let record): return .answer(.saved(record.id), letter.stamp)
    case .feed: return .answer(.feed([summary()], matches ?? []), letter.stamp)
    case .open: return .answer(.activity(Workout.Record(summary: summary())), letter.stamp)
    }
  }

  private mutating func summary() -> Workout.Summary {
    Workout.Summary(
      id: Workout.ActivityID(
        creator: Workout.UserID(rawValue: pick(["ann", "bea"])), installation: 2,
        number: pick([1, 2, .max])),
      creatorName: "b", sport: pick(Workout.Sport.allCases),
      start: WallTime(nanoseconds: pick([.min, .max, Self.epoch.nanoseconds])), duration: 60,
      movingTime: 60, distance: pick([1000, 0, .nan, -1, 1e300, 1e14]))
  }
}

@Suite struct WorkoutStateTests {
  /// An engine under random inputs, with what it sent.
  private struct Phone {
    var engine: WorkoutEngine
    var sent: [Workout.Letter] = []

    /// Through the deadlines before `now`, but not through all of a century's.
    mutating func advance(to now: TraceInstant) {
      var effects: [WorkoutEngine.Effect] = []
      for _ in 0..<20 {
        guard let deadline = engine.deadline, deadline < now else { return }
        engine.advance(to: deadline, into: &effects)
      }
    }

    /// - Returns: the effects, or the refusal.
    mutating func take(
      _ input: WorkoutEngine.Input, at now: TraceInstant
    ) -> Result<[WorkoutEngine.Effect], Refusal> {
      var effects: [WorkoutEngine.Effect] = []
      do throws(Refusal) {
        try engine.handle(input, at: now, into: &effects)
      } catch {
        return .failure(error)
      }
      for case .send(let letter) in effects {
        sent.append(letter)
        if sent.count > 12 { sent.removeFirst() }
      }
      return .success(effects)
    }
  }

  /// 125 phones of 400 inputs, for two presets; in the quick run 25.
  @Test(.longer, arguments: [(WorkoutRules.tri, 11 as UInt64), (.default, 12)])
  func hundredThousandInputsKeepTheInvariants(rules: WorkoutRules, seed: UInt64) throws {
    var chaos = WorkoutChaos(seed: seed)
    let phones = LongTests.count(quick: 25, long: 125)
    var (taken, refused, compared) = (0, 0, 0)
    var codes: Set<String> = []
    for _ in 0..<phones {
      var phone = Phone(engine: try WorkoutChaos.engine(rules))
      for step in 0..<400 {
        let input = chaos.input(to: phone.engine, sent: phone.sent, isWild: true)
        let now = chaos.time(isWild: true)
        phone.advance(to: now)
        let before = step % 50 == 0 ? try SavedState.bytes(of: phone.engine) : nil
        switch phone.take(input, at: now) {
        case .success: taken += 1
        case .failure(let refusal):
          refused += 1
          codes.insert(refusal.code)
          #expect(!refusal.code.isEmpty && !refusal.reason.isEmpty)
          if let before {
            compared += 1
            #expect(try SavedState.bytes(of: phone.engine) == before, "seed \(seed): \(input)")
          }
        }
        let violations = phone.engine.violations
        if !violations.isEmpty { Issue.record("seed \(seed): \(violations) after \(input)") }
      }
    }
    #expect(
      taken > 120 * phones && refused > 80 * phones && compared > phones * 8 / 5,
      "\(taken), \(refused), \(compared)")
    #expect(codes.count >= 15, "\(codes.sorted())")
  }

  /// At every step of short scripts; the tracker is in the middle of a run.
  @Test(arguments: [1, 2, 3, 4] as [UInt64], [WorkoutRules.tri, .default])
  func restoredEngineGoesOnAlike(seed: UInt64, rules: WorkoutRules) throws {
    var chaos = WorkoutChaos(seed: seed)
    var original = Phone(engine: try WorkoutChaos.engine(rules))
    var restored = original
    _ = original.take(.permission(.granted), at: .zero)
    _ = restored.take(.permission(.granted), at: .zero)
    for step in 0..<120 {
      let input = chaos.input(to: original.engine, sent: original.sent, isWild: false)
      let now = chaos.time(isWild: false)
      original.advance(to: now)
      restored.advance(to: now)
      #expect(original.take(input, at: now) == restored.take(input, at: now))
      let bytes = try SavedState.bytes(of: original.engine)
      #expect(try SavedState.bytes(of: restored.engine) == bytes, "seed \(seed), step \(step)")
      restored.engine = try SavedState.engine(from: bytes)
    }
  }

  /// At a few random steps of long scripts, gone on with to the end.
  @Test(arguments: [5, 6] as [UInt64], [WorkoutRules.tri, .default])
  func restoredInALongRun(seed: UInt64, rules: WorkoutRules) throws {
    var chaos = WorkoutChaos(seed: seed)
    var original = Phone(engine: try WorkoutChaos.engine(rules))
    var copies: [Phone] = []
    for input in [WorkoutEngine.Input.permission(.granted), .start(.run)] {
      _ = original.take(input, at: .zero)
    }
    for step in 0..<1500 {
      let input =
        step % 10 == 9
        ? chaos.input(to: original.engine, sent: original.sent, isWild: false)
        : chaos.fix(isWild: false)
      let now = chaos.time(isWild: false)
      original.advance(to: now)
      let outcome = original.take(input, at: now)
      for index in copies.indices {
        copies[index].advance(to: now)
        #expect(copies[index].take(input, at: now) == outcome, "seed \(seed), step \(step)")
      }
      if copies.count < 6, chaos.random.unit() < 0.01 {
        var copy = original
        copy.engine = try SavedState.engine(from: try SavedState.bytes(of: original.engine))
        copies.append(copy)
      }
    }
    #expect(copies.count > 2)
    let bytes = try SavedState.bytes(of: original.engine)
    for copy in copies { #expect(try SavedState.bytes(of: copy.engine) == bytes) }
  }

  @Test(.longer) func serverKeepsItsInvariantsAndRestores() throws {
    var random = SeededGenerator(seed: 21)
    func pick<T>(_ values: [T]) -> T { values[Int(random.unit() * Double(values.count))] }
    var server = WorkoutServer(epoch: WallTime(nanoseconds: 0))
    // Is never restored, and does the same.
    var twin = server
    let steps = LongTests.count(quick: 8_000, long: 100_000)
    var (taken, refused) = (0, 0)
    let users = ["ann", "bea", "cyd", "", "eve"].map(Workout.UserID.init(rawValue:))
    let numbers = try (0..<6).map {
      try #require(PhoneNumber(rawValue: "+1202555010\($0)"))
    }
    for step in 0..<steps {
      let user = pick(users)
      let id = Workout.ActivityID(
        creator: random.unit() < 0.8 ? user : pick(users), installation: .max,
        number: pick([1, 2, 3, .min, .max]))
      let record = Workout.Record(
        summary: Workout.Summary(
          id: id, creatorName: pick([user.rawValue, "x"]), sport: .run,
          start: WallTime(nanoseconds: pick([.min, 0, .max])), duration: pick([1, 1, 1, .nan]),
          movingTime: 1, distance: pick([1000, 1000, 1000, -1, .infinity])))
      let request: Workout.Request =
        switch Int(random.unit() * 7) {
        case 6: .verify(pick(numbers), code: pick(["1234", "5678", "", "zzzz"]))
        case 0: .signUp(name: pick([user.rawValue, user.rawValue, "x"]), number: pick(numbers))
        case 1: .contacts(revision: pick([.min, 0, 5, .max]), [pick(numbers), pick(numbers)])
        case 2: .feed(pick(Workout.FeedScope.allCases))
        case 3: .open(id)
        default: .save(record)
        }
      var input = WorkoutServer.Input.request(
        Workout.Letter(
          installation: 1,
          stamp: RequestStamp(
            epoch: 1, number: random.unit() < 0.1 ? pick([0, .min, .max, 1]) : step + 1,
            mark: random.next()), request: request), from: user)
      if random.unit() < 0.01 { input = .availability(random.unit() < 0.7) }
      if random.unit() < 0.05 {
        input = .codeSent(pick(["123456", "", "9"]), to: pick(numbers), for: user)
      }
      if random.unit() < 0.1 {
        input = .codeSent(pick(["1234", "5678", "", "zzzz"]), to: pick(numbers), for: user)
      }
      let before = step % 500 == 0 ? try SavedState.bytes(of: server) : nil
      var effects: [WorkoutServer.Effect] = []
      let now = TraceInstant(nanoseconds: pick([0, 0, 0, .min, .max, Int64(step)]))
      var expected: [WorkoutServer.Effect] = []
      try? twin.handle(input, at: now, into: &expected)
      defer { if effects != expected { Issue.record("step \(step): the twin does otherwise") } }
      do throws(Refusal) {
        try server.handle(input, at: now, into: &effects)
        taken += 1
      } catch {
        refused += 1
        #expect(!error.code.isEmpty && !error.reason.isEmpty && effects.isEmpty)
        if let before { #expect(try SavedState.bytes(of: server) == before) }
      }
      if step % 1000 == 0 { server = try SavedState.engine(from: try SavedState.bytes(of: server)) }
      if !server.violations.isEmpty { Issue.record("step \(step): \(server.violations)") }
    }
    #expect(taken > steps / 5 && refused > steps / 5, "\(taken), \(refused)")
    #expect(server.activityCount > 12)
    #expect(try SavedState.bytes(of: server) == SavedState.bytes(of: twin))
  }

  /// The server is down for a week, and the phone is restarted now and then: the run is sent all the
  /// while, and is there once in the end.
  @Test func aSaveOutlivesRestartsAndALongOutage() throws {
    var phone = Phone(engine: try WorkoutChaos.engine(.default))
    for input in [
      WorkoutEngine.Input.signUp, .permission(.granted), .start(.run), .stop, .save,
    ] { _ = phone.take(input, at: .zero) }
    let id = try #require(phone.engine.unsaved.first)
    var server = WorkoutServer(epoch: WallTime(seconds: 1_700_000_000))
    var none: [WorkoutServer.Effect] = []
    try server.handle(.availability(false), at: .zero, into: &none)
    var (tries, now) = (0, TraceInstant.zero)
    while let deadline = phone.engine.deadline {
      #expect(deadline > now && deadline <= now.advanced(bySeconds: 321))
      now = deadline
      if now.seconds > 7 * 86_400 {
        try server.handle(.availability(true), at: now, into: &none)
      }
      var effects: [WorkoutEngine.Effect] = []
      phone.engine.advance(to: now, into: &effects)
      for case .send(let letter) in effects {
        tries += 1
        var answers: [WorkoutServer.Effect] = []
        do throws(Refusal) {
          try server.handle(.request(letter, from: phone.engine.user), at: now, into: &answers)
        } catch {
          _ = phone.take(.answer(.refused(error), letter.stamp), at: now)
        }
        for case .answer(let answer, let stamp, _) in answers {
          _ = phone.take(.answer(answer, stamp), at: now)
        }
      }
      if tries % 100 == 0 || phone.engine.unsaved.isEmpty {
        phone.engine = try SavedState.engine(from: try SavedState.bytes(of: phone.engine))
      }
      #expect(phone.engine.activities.map(\.summary.id) == [id])
    }
    #expect(tries > 3000 && phone.engine.unsaved.isEmpty)
    #expect(server.activityCount == 1 && server.contains(id))
  }

  @Test func otherVersionsAreRefusedAndDamageLosesNothing() throws {
    let folder = try TestFolder()
    let path = folder.path("workout.json")
    let file = StateFile<WorkoutEngine>(path: path)
    var phone = Phone(engine: try WorkoutChaos.engine(.default))
    _ = phone.take(.permission(.granted), at: .zero)
    _ = phone.take(.start(.run), at: .zero)
    try file.save(phone.engine)
    _ = phone.take(.pause, at: .zero)
    try file.save(phone.engine)
    #expect(try file.open()?.engine.phase == .paused)
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    data[data.count / 3] ^= 4
    try data.write(to: URL(fileURLWithPath: path))
    let opened = try #require(try file.open())
    #expect(opened.engine.phase == .recording && opened.notice != nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".damaged")) == data)
    // A server's state is not a phone's.
    let other = folder.url.appending(path: "server.json").path
    try StateFile<WorkoutServer>(path: other).save(
      WorkoutServer(epoch: WallTime(nanoseconds: 0)))
    let error = try #require(throws: TraceError.self) {
      try StateFile<WorkoutEngine>(path: other).open()
    }
    #expect(error.expected == "the state of workout, version \(WorkoutEngine.stateVersion)")
    #expect(error.found == "workout-server, version \(WorkoutServer.stateVersion)")
  }
}
