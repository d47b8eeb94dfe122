import AppEngines
import TestSupport
import Testing
import TraceModel

@testable import WorkoutApp

/// Random scripts of what can happen to a phone with the workout app, legal and illegal.
private struct WorkoutChaos {
  var random: SeededGenerator
  private var seconds = 0.0
  private var east = 0.0
  /// Whether a run is recorded, mostly of good fixes and in good time.
  private let isCalm: Bool
  /// What the phone has sent last.
  private var sent: [Workout.Letter] = []
  private static let epoch = WallTime(seconds: 1_700_000_000)
  private static let oddities: [Double] = [
    .nan, .infinity, -.infinity, -1, 0, 1e300, -1e300, 90, 180, 400, 1e-300, 20,
  ]

  init(seed: UInt64, isCalm: Bool) {
    random = SeededGenerator(seed: seed)
    self.isCalm = isCalm
  }

  static func engine(_ rules: WorkoutRules) throws -> WorkoutEngine {
    WorkoutEngine(
      rules: rules, user: Workout.UserID(rawValue: "ann"), name: "ann",
      number: try #require(PhoneNumber(rawValue: "+12025550100")), region: .unitedStates,
      installation: 7, epoch: epoch)
  }

  mutating func note(_ effects: [WorkoutEngine.Effect]) {
    for case .send(let letter) in effects { sent = sent.suffix(11) + [letter] }
  }

  mutating func next(for engine: WorkoutEngine) -> (WorkoutEngine.Input, TraceInstant) {
    let isFix = isCalm ? random.unit() < 0.9 : random.unit() < 0.4
    return (isFix ? fix() : input(to: engine), time())
  }

  private mutating func pick<T>(_ values: [T]) -> T {
    values[Int(random.uniform(0...Double(values.count))) % values.count]
  }

  /// Mostly a second on, now and then an hour, back, or to the ends of time.
  private mutating func time() -> TraceInstant {
    let draw = random.unit()
    if draw < 0.98 { seconds += 1 } else if draw < 0.995 { seconds += random.uniform(0...3600) }
    let now = TraceInstant.zero.advanced(bySeconds: seconds)
    guard !isCalm, draw > 0.9995 else { return draw > 0.995 ? .zero : now }
    return TraceInstant(nanoseconds: pick([.min, -1, 0, .max / 2]))
  }

  private mutating func fix() -> WorkoutEngine.Input {
    if random.unit() < 0.8 { east += random.uniform(0...6) }
    var fix = Fix(
      latitude: 46.5 + random.uniform(-1e-5...1e-5), longitude: 14.25 + east * 1.3e-5,
      altitude: 400, horizontalAccuracy: random.uniform(2...25),
      speed: random.unit() < 0.5 ? .nan : random.uniform(0...5))
    var measured = TraceInstant.zero.advanced(bySeconds: seconds + 1)
    if random.unit() < 0.05 { measured = TraceInstant.zero.advanced(bySeconds: seconds - 5) }
    if !isCalm, random.unit() < 0.05 {
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

  private mutating func input(to engine: WorkoutEngine) -> WorkoutEngine.Input {
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
    default: return answer()
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
  private mutating func answer() -> WorkoutEngine.Input {
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
  @Test(.longer, arguments: [WorkoutRules.tri, .default])
  func thePhoneTakesAnything(rules: WorkoutRules) throws {
    let phones = LongTests.count(quick: 30, long: 150)
    var trial = ContractTrial()
    for seed in 1...phones {
      var engine = try WorkoutChaos.engine(rules)
      let isCalm = seed % 5 == 1
      if isCalm {
        var none: [WorkoutEngine.Effect] = []
        for input in [WorkoutEngine.Input.permission(.granted), .start(.run)] {
          try engine.handle(input, at: .zero, into: &none)
        }
      }
      var chaos = WorkoutChaos(seed: UInt64(seed), isCalm: isCalm)
      try trial.play(engine, steps: seed <= 2 ? 150 : 400, restoredEvery: seed <= 2 ? 1 : 97) {
        chaos.next(for: $0)
      } note: { _, _, effects in
        chaos.note(effects)
      }
    }
    #expect(trial.taken > 120 * phones && trial.codes.count >= 15, "\(trial)")
  }

  @Test(.longer) func theServerTakesAnything() throws {
    var random = SeededGenerator(seed: 21)
    func pick<T>(_ values: [T]) -> T { values[Int(random.unit() * Double(values.count))] }
    let steps = LongTests.count(quick: 8_000, long: 100_000)
    var trial = ContractTrial()
    var step = 0
    let users = ["ann", "bea", "cyd", "", "eve"].map(Workout.UserID.init(rawValue:))
    let numbers = try (0..<6).map {
      try #require(PhoneNumber(rawValue: "+1202555010\($0)"))
    }
    let server = try trial.play(
      WorkoutServer(epoch: WallTime(nanoseconds: 0)), steps: steps, restoredEvery: 1000
    ) { _ in
      step += 1
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
            epoch: 1, number: random.unit() < 0.1 ? pick([0, .min, .max, 1]) : step,
            mark: random.next()), request: request), from: user)
      if random.unit() < 0.01 { input = .availability(random.unit() < 0.7) }
      if random.unit() < 0.05 {
        input = .codeSent(pick(["123456", "", "9"]), to: pick(numbers), for: user)
      }
      if random.unit() < 0.1 {
        input = .codeSent(pick(["1234", "5678", "", "zzzz"]), to: pick(numbers), for: user)
      }
      return (input, TraceInstant(nanoseconds: pick([0, 0, 0, .min, .max, Int64(step)])))
    }
    #expect(trial.taken > steps / 5 && trial.taken < steps * 4 / 5, "\(trial.taken)")
    #expect(server.activityCount > 12)
  }

  /// The server is down for a week: the run is sent all the while, and is there once in the end.
  @Test func aSaveOutlivesALongOutage() throws {
    var phone = try WorkoutChaos.engine(.default)
    var ignored: [WorkoutEngine.Effect] = []
    for input in [
      WorkoutEngine.Input.signUp, .permission(.granted), .start(.run), .stop, .save,
    ] { try phone.handle(input, at: .zero, into: &ignored) }
    let id = try #require(phone.unsaved.first)
    var server = WorkoutServer(epoch: WallTime(seconds: 1_700_000_000))
    var none: [WorkoutServer.Effect] = []
    try server.handle(.availability(false), at: .zero, into: &none)
    var (tries, now) = (0, TraceInstant.zero)
    while let deadline = phone.deadline {
      #expect(deadline > now && deadline <= now.advanced(bySeconds: 321))
      now = deadline
      if now.seconds > 7 * 86_400 {
        try server.handle(.availability(true), at: now, into: &none)
      }
      var effects: [WorkoutEngine.Effect] = []
      phone.advance(to: now, into: &effects)
      for case .send(let letter) in effects {
        tries += 1
        var answers: [WorkoutServer.Effect] = []
        do throws(Refusal) {
          try server.handle(.request(letter, from: phone.user), at: now, into: &answers)
        } catch {
          try? phone.handle(.answer(.refused(error), letter.stamp), at: now, into: &ignored)
        }
        for case .answer(let answer, let stamp, _) in answers {
          try? phone.handle(.answer(answer, stamp), at: now, into: &ignored)
        }
      }
      #expect(phone.activities.map(\.summary.id) == [id])
    }
    #expect(tries > 3000 && phone.unsaved.isEmpty)
    #expect(server.activityCount == 1 && server.contains(id))
  }
}
