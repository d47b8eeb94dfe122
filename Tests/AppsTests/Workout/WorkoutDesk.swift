import AppEngines
@testable import WorkoutApp
import Testing
import TraceModel

/// A server with people who ask it, at a time.
struct WorkoutDesk {
  var server: WorkoutServer
  var now = TraceInstant.zero
  private(set) var number = 0
  /// The numbers to which the server wants a code sent.
  private(set) var codeRequests: [PhoneNumber] = []

  init(_ rules: WorkoutRules = .default) {
    server = WorkoutServer(rules: rules, epoch: WorkoutBench.epoch)
  }

  mutating func ask(
    _ request: Workout.Request, from user: String, installation: UInt64 = 1
  ) throws(Refusal) -> Workout.Answer? {
    number += 1
    var effects: [WorkoutServer.Effect] = []
    try server.handle(
      .request(
        Workout.Letter(
          installation: installation,
          stamp: RequestStamp(epoch: installation, number: number, mark: UInt64(number)),
          request: request), from: Workout.UserID(rawValue: user)),
      at: now, into: &effects)
    for case .sendCode(let number, _) in effects { codeRequests.append(number) }
    guard case .answer(let answer, let stamp, Workout.UserID(rawValue: user)) = effects.first,
      stamp.number == number
    else { return nil }
    return answer
  }

  mutating func code(_ request: Workout.Request, from user: String) -> String? {
    do throws(Refusal) {
      _ = try ask(request, from: user)
      return nil
    } catch {
      return error.reason.isEmpty ? "no reason" : error.code
    }
  }

  /// Reports a code that the outside world has sent.
  mutating func send(_ code: String, to number: PhoneNumber, for user: String) throws {
    var none: [WorkoutServer.Effect] = []
    try server.handle(
      .codeSent(code, to: number, for: Workout.UserID(rawValue: user)), at: now, into: &none)
  }

  /// Signs up, and verifies the number if that is necessary.
  mutating func signUp(_ user: String, _ text: String) throws {
    let number = try #require(PhoneNumber(rawValue: text))
    let before = codeRequests.count
    _ = try ask(.signUp(name: user, number: number), from: user)
    guard codeRequests.count > before else { return }
    try send("code \(user)", to: number, for: user)
    let answer = try ask(.verify(number, code: "code \(user)"), from: user)
    #expect(answer == .verified)
  }
}
