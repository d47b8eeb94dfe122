internal import Detectors
internal import TraceModel

/// The circles around hidden places.
struct HiddenZone {
  let centres: [Anonymization.Position]
  /// The radius in metres.
  let radius: Double

  /// - Parameter reach: a radius in metres around the position that must be outside too.
  func contains(_ position: Anonymization.Position, reach: Double = 0) -> Bool {
    centres.contains { $0.distance(to: position) <= radius + reach }
  }

  /// Whether any part of a place lies within: a circle around a home reveals the home.
  func contains(_ place: Place) -> Bool {
    contains(
      Position(latitude: place.latitude, longitude: place.longitude),
      reach: place.radius > 0 ? place.radius : 0)
  }

  /// Returns when the device was, or may have been, within a circle: from after the last fix
  /// outside to before the next fix outside, both ends included; from `Int64.min` or up to
  /// `Int64.max` if there is no such fix. The stretches are sorted and disjoint.
  func stretches(of fixes: FixColumns) -> [ClosedRange<Int64>] {
    let times = fixes.measuredTimes
    let ordered = fixes.range.filter { fixes[$0].hasCoordinates }
      .sorted { (times[$0], $0) < (times[$1], $1) }
    var stretches: [ClosedRange<Int64>] = []
    var lastOutside: Int64?
    var isInside = false
    for position in ordered {
      let time = times[position]
      if contains(Position(fixes[position])) {
        isInside = true
        continue
      }
      if isInside { stretches.append(lastOutside, before: time) }
      isInside = false
      lastOutside = time
    }
    if isInside { stretches.append(lastOutside, before: nil) }
    return stretches
  }
}

extension [ClosedRange<Int64>] {
  /// Whether one of the stretches, which are sorted and disjoint, contains a time. O(log n).
  func hold(_ time: Int64) -> Bool {
    let index = partitioningIndex { $0.upperBound >= time }
    return index < count && self[index].contains(time)
  }

  /// Adds the stretch strictly between two fixes that stay.
  fileprivate mutating func append(_ after: Int64?, before: Int64?) {
    let lower = after.map { $0.addingClamped(1) } ?? .min
    let upper = before.map { $0.subtractingClamped(1) } ?? .max
    if lower <= upper { append(lower...upper) }
  }
}

extension TraceHeader {
  /// Each takes some 100 bytes, and long references have as many as there are stretches.
  private static let mostPieces = 500_000

  /// Removes `stretches` from references, and adds those between the remaining readings to the
  /// ignore zones: nothing can be detected there.
  mutating func cut(
    _ stretches: [ClosedRange<Int64>], leaving remaining: ClosedRange<TraceInstant>,
    placesGone: Set<Int32>, _ removal: inout Removal
  ) throws(TraceError) {
    guard !stretches.isEmpty || !placesGone.isEmpty else { return }
    var zones: [IgnoreZone] = []
    var pieceCount = 0
    for index in references.indices {
      let task = references[index].task
      guard !task.isTotal || stretches.isEmpty else {
        removal.tasks.append(task)
        continue
      }
      var events: [ReferenceEvent] = []
      for event in references[index].events {
        let pieces = event.remaining(without: stretches, edge: task == .presence ? 0 : 1)
        pieceCount += pieces.count
        guard pieceCount <= Self.mostPieces else {
          throw TraceError(
            place: id,
            expected: "at most \(Self.mostPieces) parts of references between what is hidden",
            found: "more", remedy: "cut the recording with shadowbox trim, or hide a larger circle")
        }
        let isGone = event.place.map(placesGone.contains) == true
        if pieces == [event], !isGone {
          events.append(event)
        } else if task.isState, !pieces.isEmpty, !isGone {
          removal.clippedEvents[task, default: 0] += 1
          events += pieces
        } else {
          removal.events[task, default: 0] += 1
          zones += pieces.map { IgnoreZone(onset: $0.onset, offset: $0.offset) }
        }
      }
      references[index].events = events
    }
    references.removeAll { removal.tasks.contains($0.task) }
    if !stretches.isEmpty { dropCounts(&removal) }
    zones += stretches.map { stretch in
      IgnoreZone(
        onset: TraceInstant(nanoseconds: stretch.lowerBound),
        offset: TraceInstant(nanoseconds: stretch.upperBound))
    }
    ignore(zones, within: remaining, &removal)
  }

  /// Adds `zones` to the ignore zones and clips all of them to `remaining`.
  private mutating func ignore(
    _ zones: [IgnoreZone], within remaining: ClosedRange<TraceInstant>, _ removal: inout Removal
  ) {
    let clipped = (zones + ignoreZones).compactMap { zone -> IgnoreZone? in
      let onset = max(zone.onset, remaining.lowerBound)
      let offset = min(zone.offset, remaining.upperBound)
      return onset <= offset ? IgnoreZone(onset: onset, offset: offset) : nil
    }
    removal.ignoreZones += ignoreZones.count { zone in
      zone.offset < remaining.lowerBound || zone.onset > remaining.upperBound
    }
    ignoreZones = Set(clipped).sorted { ($0.onset, $0.offset) < ($1.onset, $1.offset) }
  }
}

extension ReferenceEvent {
  /// Returns the parts of the event outside `stretches`, which are sorted and disjoint. O(log n) and
  /// their number.
  /// - Parameter edge: from a part to a stretch, in nanoseconds. With 0 the part ends in the ignore
  ///   zone of the stretch, so that its end is no event.
  fileprivate func remaining(
    without stretches: [ClosedRange<Int64>], edge: Int64
  ) -> [ReferenceEvent] {
    var pieces: [ReferenceEvent] = []
    var rest: ReferenceEvent? = self
    let first = stretches.partitioningIndex { $0.upperBound >= onset.nanoseconds }
    for stretch in stretches[first...] {
      guard let current = rest, stretch.lowerBound <= current.offset.nanoseconds else { break }
      if current.onset.nanoseconds < stretch.lowerBound {
        var piece = current
        piece.offset = TraceInstant(nanoseconds: stretch.lowerBound - edge)
        pieces.append(piece)
      }
      rest = nil
      if stretch.upperBound < current.offset.nanoseconds {
        rest = current
        rest?.onset = TraceInstant(nanoseconds: stretch.upperBound + edge)
      }
    }
    return pieces + (rest.map { [$0] } ?? [])
  }
}

extension Trace {
  /// Moves fixes, places and the reference track, and rotates directions.
  /// - Parameter headingTurn: the rotation in degrees of compass headings, which have no position.
  mutating func apply(_ move: RigidMove, headingTurn: Double) {
    if case .fix(let fixes)? = self[.location] {
      let moved = fixes.mapping { fix in
        let (place, turn) = move.apply(to: Position(fix))
        (fix.latitude, fix.longitude) = (place.latitude, place.longitude)
        if fix.course >= 0 { fix.course = Angles.wrapped(fix.course + turn) }
      }
      replace(.location, with: .fix(moved))
    }
    if case .scalar(let headings)? = self[.heading] {
      let turned = headings.mapping { $0.value = Angles.wrapped($0.value + headingTurn) }
      replace(.heading, with: .scalar(turned))
    }
    for index in header.places.indices {
      let place = header.places[index]
      let moved = move.apply(
        to: Position(latitude: place.latitude, longitude: place.longitude)
      ).position
      (header.places[index].latitude, header.places[index].longitude) =
        (moved.latitude, moved.longitude)
    }
    header.track = header.track.map { track in
      let moved = track.positions.map { move.apply(to: $0).position }
      return ReferenceTrack(
        times: track.times, latitudes: moved.map(\.latitude), longitudes: moved.map(\.longitude))
    }
  }
}

extension ReferenceTrack {
  var positions: [Position] {
    zip(latitudes, longitudes).map { Position(latitude: $0, longitude: $1) }
  }
}
