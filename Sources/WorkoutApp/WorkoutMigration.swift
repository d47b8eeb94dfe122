public import AppEngines
import TraceModel

/// States of version 2 know no verified numbers: whoever had signed up keeps the number.
extension WorkoutEngine {
  public static func migrated(_ state: StateTree, from version: Int) -> StateTree? {
    guard version == 2 else { return nil }
    var state = state
    let rules = WorkoutRules.migrated(state["rules"])
    state["rules"] = rules
    var recording = state["recording"]
    if recording?["rules"] != nil { recording?["rules"] = rules }
    state["recording"] = recording
    state["weekRefreshes"] = nil
    state.complete("isVerified", with: state["isSignedUp"] ?? .boolean(false))
    state.complete("isIgnoringFixes", with: .boolean(false))
    state.complete("weekTally", with: .object(["listed": .number(0), "shown": .number(0)]))
    for name in ["tapBudget", "retryBudget"] {
      if let budget = rules?[name] { state.complete(name, with: budget) }
    }
    if rules?["clockPatience"] != nil {
      state.complete("fixTimes", with: .object(["stamps": .stampClock(patience: 4_000_000_000)]))
    }
    return state
  }
}

/// The workouts of a saved ``WorkoutEngine`` that wait for the server, of any version that can be read
/// without the rest of its state. What is unreadable is left out.
private struct WaitingWorkouts: Decodable {
  var records: [Workout.Record]

  private enum CodingKeys: CodingKey { case outbox }
  private struct Outbox: Decodable { var items: [Item] }
  private struct Item: Decodable {
    private enum CodingKeys: CodingKey { case request }
    var record: Workout.Record?

    init(from decoder: any Decoder) throws {
      let values = try? decoder.container(keyedBy: CodingKeys.self)
      let request = try? values?.decode(Workout.Request.self, forKey: .request)
      if case .save(let record)? = request { self.record = record }
    }
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    records = try values.decode(Outbox.self, forKey: .outbox).items.compactMap(\.record)
  }
}

extension WorkoutEngine {
  /// Takes over the user's workouts that the server has not confirmed. They are sent with the first
  /// repetition after the start.
  public mutating func rescue(from state: any Decoder) throws {
    var sent: [Effect] = []
    for record in try WaitingWorkouts(from: state).records {
      let isKnown = activities.contains { $0.summary.id == record.id }
      guard record.id.creator == user, record.fault == nil, !isKnown else { continue }
      // The same installation may go on, and must not use the number again.
      if record.id.installation == installation {
        lastActivityNumber = max(lastActivityNumber, min(record.id.number, Int.max - 1))
      }
      keep(record, at: .zero, into: &sent)
    }
  }
}

extension WorkoutServer {
  public static func migrated(_ state: StateTree, from version: Int) -> StateTree? {
    guard version == 2 else { return nil }
    var state = state
    if case .object(let users)? = state["users"] {
      state["users"] = .object(
        users.mapValues { user in
          var user = user
          user.complete("isVerified", with: .boolean(true))
          user.complete("codes", with: .sendBudget(capacity: 5, refill: 3600))
          return user
        })
    }
    state.complete("lookUps", with: .object([:]))
    // Its own time is not known, so it cannot tell a record of the future.
    state.complete("epoch", with: .object(["nanoseconds": .whole(.max)]))
    return state
  }
}

extension WorkoutRules {
  /// Converts the rules of version 2; those that clear a run that could not be saved are the
  /// original's.
  fileprivate static func migrated(_ old: StateTree?) -> StateTree? {
    guard var rules = old else { return nil }
    let preset = rules["failedSave"] == .text("is-cleared") ? WorkoutRules.tri : .default
    if rules["weekRefresh"] == .text("repeats-runs") { rules["weekRefresh"] = .text("adds-again") }
    rules.complete("friendship", with: .text(preset.friendship.rawValue))
    rules.complete("verifiesNumbers", with: .boolean(preset.verifiesNumbers))
    rules.complete("checksRecords", with: .boolean(preset.checksRecords))
    if let patience = preset.clockPatience {
      rules.complete("clockPatience", with: .number(patience))
      rules.complete("tapBudget", with: .sendBudget(capacity: 20, refill: 60))
      rules.complete("retryBudget", with: .sendBudget(capacity: 30, refill: 20))
    }
    return rules
  }
}
