import AppEngines
import Detectors

extension HikeEngine {
  /// - Parameter isNew: whether it was downloaded and is not in a file yet.
  mutating func take(_ download: HikeDownload, isNew: Bool, into effects: inout [Effect]) {
    let new = download.content
    if rules.verifiesChecksum, new.version != download.checksum {
      effects.append(
        .contentRefused(
          reason: "it states version \(new.version), and its profiles have the MD5 "
            + "\(download.checksum)"))
      return
    }
    if let waypoint = new.misplacedWaypoint {
      effects.append(
        .contentRefused(reason: "waypoint \(waypoint.location) has no position on Earth"))
      return
    }
    // This effect comes first: a state saved without its content is then restored with both.
    if isNew { effects.append(.contentReplaced(version: new.version)) }
    if rules.mapsChangedIDs {
      adoptMapping(new, into: &effects)
    } else {
      adoptDropping(new, into: &effects)
    }
    effects.append(.save)
  }

  /// Replaces the content and maps the records to the new ids.
  private mutating func adoptMapping(_ new: HikeContent, into effects: inout [Effect]) {
    let map = HikeIDMap(old: content, new: new)
    let target = walk?.target
    let oldKey = walk?.key
    moveRecords(map, to: new)
    rewarded = unique(rewarded.map { map.route($0) ?? $0 })
    shownReward = shownReward.flatMap { map.route($0) }
    profile = profile.flatMap { map.profile($0) }
    content = new
    reopenWalk(as: oldKey.flatMap { map.route($0) }, into: &effects)
    if let key = oldKey, let newKey = walk?.key, let target,
      let location = map.locations(of: key, in: newKey)[target.location],
      let place = walk?.place(location), rules.order != .byRank
    {
      _ = walk?.detector.choose(place)
    }
    giveLateReward(into: &effects)
  }

  /// Maps each record to its waypoint in the new content. Unmapped records are kept and mapped
  /// again with later contents.
  private mutating func moveRecords(_ map: HikeIDMap, to new: HikeContent) {
    let sent = Set(outbox.items.flatMap(\.request))
    var taken: [HikeRouteKey: Set<String>] = [:]
    var found: [HikeRouteKey: [String: String]] = [:]
    for key in Set(records.map(\.key)) {
      guard let newKey = map.route(key) else { continue }
      found[key] = map.locations(of: key, in: newKey)
      taken[newKey, default: []].formUnion(found[key, default: [:]].values)
    }
    for index in records.indices {
      let record = records[index]
      if sent.contains(record.checkIn) { records[index].sentAs = record.checkIn }
      if record.gone == nil {
        if let location = found[record.key]?[record.location] {
          records[index].location = location
        } else if let waypoint = content.waypoint(record.location, of: record.key) {
          // With the current ids it would be sent as a visit of another place.
          records[index].sentAs = record.checkIn
          records[index].gone = waypoint
        }
      }
      records[index].key = map.route(record.key) ?? record.key
    }
    for (key, locations) in taken { regainRecords(of: key, in: new, except: locations) }
    records = HikeRecord.merged(records)
  }

  /// - Parameter taken: the locations that the previous content also had.
  private mutating func regainRecords(
    of key: HikeRouteKey, in new: HikeContent, except taken: Set<String>
  ) {
    let positions = records.indices.filter { records[$0].key == key && records[$0].gone != nil }
    let waypoints = new.route(key)?.distinctWaypoints.filter { !taken.contains($0.location) }
    guard !positions.isEmpty, let waypoints else { return }
    let matches = HikeIDMap.matches(of: positions.compactMap { records[$0].gone }, in: waypoints)
    for (position, waypoint) in matches {
      records[positions[position]].location = waypoint.location
      records[positions[position]].gone = nil
    }
  }

  /// Replaces the content without mapping: records with unknown ids are lost.
  private mutating func adoptDropping(_ new: HikeContent, into effects: inout [Effect]) {
    let before = records.count
    records.removeAll { record in
      new.route(record.key)?.waypoints.contains { $0.location == record.location } != true
    }
    if records.count < before { effects.append(.progressLost(count: before - records.count)) }
    rewarded.removeAll { new.route($0) == nil }
    shownReward = shownReward.flatMap { new.route($0) == nil ? nil : $0 }
    profile = profile.flatMap { id in new.profiles.contains { $0.id == id } ? id : nil }
    content = new
    let key = walk?.key
    reopenWalk(as: key.flatMap { new.route($0) == nil ? nil : $0 }, into: &effects)
    giveLateReward(into: &effects)
  }

  /// Updates the open route to the content and the records. If the route is unchanged it continues,
  /// including an open prompt.
  mutating func reopenWalk(as key: HikeRouteKey?, into effects: inout [Effect]) {
    guard let old = walk else { return }
    guard let key, let route = content.route(key), !route.waypoints.isEmpty else {
      closeWalk(into: &effects)
      effects.append(.routeClosed(old.key))
      return
    }
    profile = key.profile
    var new = HikeWalk(key, route, visited: visitedLocations(of: key), rules: rules)
    if new.isPlaced(as: old) {
      new.detector = old.detector
    } else if let prompted = old.prompted {
      effects.append(.promptClosed(location: prompted.location))
    }
    walk = new
  }

  private func unique(_ keys: [HikeRouteKey]) -> [HikeRouteKey] {
    var known: Set<HikeRouteKey> = []
    return keys.filter { known.insert($0).inserted }
  }
}

extension HikeContent {
  func waypoint(_ location: String, of key: HikeRouteKey) -> HikeWaypoint? {
    route(key)?.waypoints.first { $0.location == location }
  }

  var misplacedWaypoint: HikeWaypoint? {
    for profile in profiles {
      for route in profile.routes {
        let misplaced = route.waypoints.first {
          !Geodesy.isValid(latitude: $0.latitude, longitude: $0.longitude)
        }
        if let misplaced { return misplaced }
      }
    }
    return nil
  }
}

extension HikeRecord {
  /// Merges the records of one visit: the earliest one, uploaded only if all are.
  fileprivate static func merged(_ records: [HikeRecord]) -> [HikeRecord] {
    var merged: [HikeRecord] = []
    for record in records {
      let index = merged.firstIndex {
        $0.key == record.key && $0.location == record.location && $0.gone == nil
      }
      guard let index, record.gone == nil else {
        merged.append(record)
        continue
      }
      merged[index].timestamp = min(merged[index].timestamp, record.timestamp)
      merged[index].isUploaded = merged[index].isUploaded && record.isUploaded
      merged[index].sentAs = merged[index].sentAs ?? record.sentAs
    }
    return merged
  }
}
