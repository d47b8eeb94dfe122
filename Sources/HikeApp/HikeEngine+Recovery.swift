import AppEngines
import TraceModel

/// The check-ins of a saved ``HikeEngine``, from any version whose records can be read. A record that is
/// damaged or of an unknown form is left out.
struct HikeWaiting: Decodable {
  /// The records that the server has not confirmed.
  var records: [HikeRecord]

  private enum CodingKeys: CodingKey { case records }

  private struct Element: Decodable {
    var record: HikeRecord?

    init(from decoder: any Decoder) throws { record = try? HikeRecord(from: decoder) }
  }

  /// - Throws: only if the saved state is not an object with keys.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let found = (try? values.decode([Element].self, forKey: .records)) ?? []
    records = found.compactMap(\.record).filter { !$0.isUploaded }
  }
}

extension HikeEngine {
  /// Takes over the check-ins that the server has not confirmed.
  public mutating func rescue(from state: any Decoder) throws {
    let waiting = try HikeWaiting(from: state).records
    // A new engine is offline and has nothing to send yet, so these effects are not needed.
    var effects: [Effect] = []
    for start in stride(from: 0, to: waiting.count, by: HikeEngine.mostRecovered) {
      let part = waiting[start...].prefix(HikeEngine.mostRecovered)
      try handle(.recovered(Array(part)), at: .zero, into: &effects)
    }
  }

  /// Adds the check-ins that the server has of this phone.
  mutating func restore(
    _ checkIns: [HikeCheckIn], at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    let found = checkIns.prefix(HikeEngine.mostRecovered).compactMap { checkIn -> HikeRecord? in
      let profile = content.profiles.first { $0.routes.contains { $0.id == checkIn.route } }
      return profile.map {
        HikeRecord(
          key: HikeRouteKey(profile: $0.id, route: checkIn.route), location: checkIn.location,
          timestamp: checkIn.timestamp, isUploaded: true)
      }
    }
    try recover(found, at: now, into: &effects)
    if !found.isEmpty { effects.append(.next(location: target?.location)) }
  }

  /// Adds records of another state of this phone. A visit that is recorded already stays one.
  mutating func recover(
    _ recovered: [HikeRecord], at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    guard recovered.count <= HikeEngine.mostRecovered else {
      throw Refusal(
        "too-many-records",
        "At most \(HikeEngine.mostRecovered) check-ins can be recovered at a time.")
    }
    keep(recovered)
    if let key = walk?.key { reopenWalk(as: key, into: &effects) }
    giveLateReward(into: &effects)
    effects.append(.save)
    upload(at: now, into: &effects)
  }

  /// A visit that is recorded: one of these is recorded once.
  private struct Visit: Hashable {
    var key: HikeRouteKey
    var location: String
  }

  private mutating func keep(_ recovered: [HikeRecord]) {
    var known: [Visit: Int] = [:]
    var gone: Set<HikeRecord> = []
    func note(_ index: Int, in records: [HikeRecord]) {
      let record = records[index]
      if record.gone == nil {
        known[Visit(key: record.key, location: record.location)] = index
      } else {
        gone.insert(record)
      }
    }
    for index in records.indices { note(index, in: records) }
    for var record in recovered {
      let visit = Visit(key: record.key, location: record.location)
      if record.gone == nil, let index = known[visit] {
        records[index].timestamp = min(records[index].timestamp, record.timestamp)
        records[index].sentAs = records[index].sentAs ?? record.sentAs
        continue
      }
      // Without its waypoint it is sent as it was made, and counts for no other waypoint.
      if content.waypoint(record.location, of: record.key) == nil {
        record.sentAs = record.checkIn
      }
      guard !gone.contains(record) else { continue }
      records.append(record)
      note(records.count - 1, in: records)
    }
  }
}
