import AppEngines
@testable import WorkoutApp
import Detectors
import TraceModel

/// A phone with the app, on a table: inputs at seconds, effects collected.
struct WorkoutBench {
  static let epoch = WallTime(seconds: 1_700_000_000)
  static let frame = LocalFrame(latitude: 46.5, longitude: 14.25)

  var engine: WorkoutEngine
  /// Of the last input.
  private(set) var effects: [WorkoutEngine.Effect] = []
  private(set) var all: [WorkoutEngine.Effect] = []

  init(_ rules: WorkoutRules = .default, user: String = "ann", number: String = "+12025550100") {
    guard let phone = PhoneNumber(rawValue: number) else { preconditionFailure(number) }
    engine = WorkoutEngine(
      rules: rules, user: Workout.UserID(rawValue: user), name: user, number: phone,
      region: .unitedStates, installation: 7, epoch: Self.epoch)
  }

  static func instant(_ seconds: Double) -> TraceInstant {
    TraceInstant.zero.advanced(bySeconds: seconds)
  }

  /// - Returns: the refusal's code; nil = taken.
  @discardableResult
  mutating func act(_ input: WorkoutEngine.Input, _ seconds: Double = 0) -> String? {
    effects = []
    do throws(Refusal) {
      try engine.handle(input, at: Self.instant(seconds), into: &effects)
      all += effects
      return nil
    } catch {
      return error.reason.isEmpty ? "no reason" : error.code
    }
  }

  mutating func advance(_ seconds: Double) {
    effects = []
    engine.advance(to: Self.instant(seconds), into: &effects)
    all += effects
  }

  mutating func start(_ sport: Workout.Sport = .run, at seconds: Double = 0) {
    act(.permission(.granted), seconds)
    act(.start(sport), seconds)
  }

  /// A fix so many metres east of the anchor.
  mutating func fix(
    _ seconds: Double, east: Double, accuracy: Double = 5, speed: Double = .nan,
    altitude: Double = .nan
  ) {
    let position = Self.frame.position(of: PlanarVector(east: east, north: 0))
    let fix = Fix(
      latitude: position.latitude, longitude: position.longitude, altitude: altitude,
      horizontalAccuracy: accuracy, speed: speed)
    act(.fix(fix, measured: Self.instant(seconds)), seconds)
  }

  /// Straight on at a constant speed, a fix a second.
  mutating func move(_ seconds: ClosedRange<Int>, from start: Double, speed: Double) {
    for second in seconds {
      let east = start + speed * Double(second - seconds.lowerBound)
      fix(Double(second), east: east, speed: speed)
    }
  }

  /// A run of 200 m in 100 s, stopped and saved.
  mutating func run(at start: Int = 0) {
    self.start(at: Double(start))
    move(start...(start + 100), from: 0, speed: 2)
    act(.stop, Double(start + 100))
    act(.save, Double(start + 100))
  }

  mutating func swim(_ form: Workout.SwimForm, at seconds: Double = 0) {
    act(.logSwim(form), seconds)
  }

  /// The requests of the last input.
  var sent: [Workout.Letter] {
    effects.compactMap { if case .send(let letter) = $0 { letter } else { nil } }
  }

  /// Answers the newest request that `answer` has an answer to.
  @discardableResult
  mutating func answer(
    _ letters: [Workout.Letter], _ seconds: Double = 0,
    by answer: (Workout.Request) -> Workout.Answer?
  ) -> String? {
    var code: String?
    for letter in letters {
      guard let answer = answer(letter.request) else { continue }
      code = act(.answer(answer, letter.stamp), seconds)
    }
    return code
  }

  /// The server's word for every save.
  mutating func confirmSaves(_ letters: [Workout.Letter], _ seconds: Double = 0) {
    answer(letters, seconds) {
      if case .save(let record) = $0 { .saved(record.id) } else { nil }
    }
  }

  static func form(
    _ date: WallTime = epoch, laps: Int = 40, length: Double = 25, seconds: Int = 1200
  ) -> Workout.SwimForm {
    Workout.SwimForm(
      date: date, lapLength: length, laps: laps, hours: seconds / 3600,
      minutes: seconds / 60 % 60, seconds: seconds % 60)
  }
}
