import AppEngines
import TraceModel

/// The workouts of a saved ``WorkoutEngine`` that wait for the server, from any version whose requests
/// can be read. Unreadable requests are left out.
private struct WaitingWorkouts: Decodable {
  var outbox: Outbox

  struct Outbox: Decodable { var items: [Item] }
  struct Item: Decodable {
    private enum CodingKeys: CodingKey { case request }
    var record: Workout.Record?

    init(from decoder: any Decoder) throws {
      let values = try? decoder.container(keyedBy: CodingKeys.self)
      let request = try? values?.decode(Workout.Request.self, forKey: .request)
      if case .save(let record)? = request { self.record = record }
    }
  }
}

extension WorkoutEngine {
  /// Takes over the user's workouts that the server has not confirmed. They are sent with the first
  /// repetition after the start.
  public mutating func rescue(from state: any Decoder) throws {
    var sent: [Effect] = []
    for record in try WaitingWorkouts(from: state).outbox.items.compactMap(\.record) {
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
