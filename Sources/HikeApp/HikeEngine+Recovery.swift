import AppEngines
import TraceModel

extension HikeEngine {
  /// Adds the check-ins that the server has of this phone. A visit that is recorded already stays one.
  mutating func restore(
    _ checkIns: [HikeCheckIn], at now: TraceInstant, into effects: inout [Effect]
  ) {
    var known: [Visit: Int] = [:]
    for (index, record) in records.enumerated() where record.gone == nil {
      known[Visit(route: record.key.route, location: record.location)] = index
    }
    let gone = Set(records.lazy.filter { $0.gone != nil }.map(\.checkIn))
    let count = records.count
    for checkIn in checkIns.prefix(HikeEngine.mostRecovered) where !gone.contains(checkIn) {
      let visit = Visit(route: checkIn.route, location: checkIn.location)
      if let index = known[visit] {
        records[index].timestamp = min(records[index].timestamp, checkIn.timestamp)
      } else if let record = record(of: checkIn) {
        known[visit] = records.count
        records.append(record)
      }
    }
    guard records.count > count else { return }
    if let key = walk?.key { reopenWalk(as: key, into: &effects) }
    giveLateReward(into: &effects)
    effects += [.save, .next(location: target?.location)]
  }

  private struct Visit: Hashable {
    var route: String
    var location: String
  }

  /// Returns nil if the content has not the route. Without its waypoint it counts for no other one.
  private func record(of checkIn: HikeCheckIn) -> HikeRecord? {
    let profile = content.profiles.first { $0.routes.contains { $0.id == checkIn.route } }
    guard let profile else { return nil }
    var record = HikeRecord(
      key: HikeRouteKey(profile: profile.id, route: checkIn.route), location: checkIn.location,
      timestamp: checkIn.timestamp, isUploaded: true)
    if content.waypoint(record.location, of: record.key) == nil { record.sentAs = checkIn }
    return record
  }
}
