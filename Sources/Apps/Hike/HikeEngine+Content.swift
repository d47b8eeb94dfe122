import Detectors

extension HikeEngine {
  /// - Parameter isNew: whether it came over the network, and is in no file yet.
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
    // Before what follows from it: a state that was saved without its content is opened with both.
    if isNew { effects.append(.contentReplaced(version: new.version)) }
    if rules.mapsChangedIDs {
      adoptMapping(new, into: &effects)
    } else {
      adoptDropping(new, into: &effects)
    }
    effects.append(.save)
  }

  /// Puts new content in place of the old; what was done is found again under its new ids.
  private mutating func adoptMapping(_ new: HikeContent, into effects: inout [Effect]) {
    let map = HikeIDMap(from: content, to: new)
    let target = walk?.target
    let oldKey = walk?.key
    records = HikeRecord.merged(
      records.map { record in
        guard let key = map.route(record.key) else { return record }
        var moved = record
        moved.location = map.location(record.location, of: record.key, in: key) ?? record.location
        moved.key = key
        return moved
      })
    rewarded = unique(rewarded.map { map.route($0) ?? $0 })
    shownReward = shownReward.flatMap { map.route($0) }
    profile = profile.flatMap { map.profile($0) }
    content = new
    reopenWalk(as: oldKey.flatMap { map.route($0) }, into: &effects)
    if let key = oldKey, let newKey = walk?.key, let target,
      let location = map.location(target.location, of: key, in: newKey),
      let place = walk?.place(location), rules.order != .byRank
    {
      _ = walk?.detector.choose(place)
    }
    giveLateReward(into: &effects)
  }

  /// The same where what has another id counts as gone.
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

  /// Brings the open route in line with the content and the records; where nothing of it changed,
  /// it goes on as it was, an open prompt included.
  private mutating func reopenWalk(as key: HikeRouteKey?, into effects: inout [Effect]) {
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
  /// Records of one visit as one: the earliest; uploaded only if all are.
  fileprivate static func merged(_ records: [HikeRecord]) -> [HikeRecord] {
    var merged: [HikeRecord] = []
    for record in records {
      let index = merged.firstIndex { $0.key == record.key && $0.location == record.location }
      guard let index else {
        merged.append(record)
        continue
      }
      merged[index].timestamp = min(merged[index].timestamp, record.timestamp)
      merged[index].isUploaded = merged[index].isUploaded && record.isUploaded
    }
    return merged
  }
}
