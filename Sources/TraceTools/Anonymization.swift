package import Detectors
package import TraceModel

/// Removes from a trace what identifies the person and their home: an explicit step that reports
/// what it did and what it cannot hide.
package struct Anonymization: Sendable {
  /// Header facts that are removed unless they are listed in ``kept``.
  package enum Fact: String, CaseIterable, Hashable, Sendable {
    case id, subject, device, source, attributes
    case originalLabels = "original-labels"
  }

  package typealias Position = Detectors.Position

  /// The radius in metres around each hidden place that is cut; nil = nothing is cut.
  package var radius: Double?
  /// The hidden places; empty = the start and the end of the trace.
  package var homes: [Position] = []
  /// Whether the remaining positions are moved to another part of the Earth (see ``RigidMove``).
  package var moves = false
  /// Whether the wall clock is removed.
  package var hidesTime = false
  package var kept: Set<Fact> = []

  /// - Parameter radius: above zero and finite, or nil.
  package init(radius: Double?) {
    precondition(radius.map { $0 > 0 && $0.isFinite } ?? true)
    self.radius = radius
  }

  package struct Outcome: Sendable {
    /// The result, whose zero is the earliest remaining reading; with ``Anonymization/hidesTime``
    /// its wall clock is unknown.
    package var trace: Trace
    /// The shift of the zero in nanoseconds: the header's epoch must be later by this amount, where
    /// it is known.
    package var zero: Int64 = 0
    package var removal = Removal()
    /// The stretches that were cut, on the original time axis.
    package var stretches: [Range<TraceInstant>] = []
    /// The largest relative change of a distance by the move; nil = nothing was moved.
    package var distortion: Double?
    /// The steps that were done, as in the header's `source`, without any position.
    package var statements: [String] = []
    /// Properties of the trace that cannot be hidden.
    package var warnings: [String] = []
  }

  /// The largest relative change of a distance; a track that exceeds it is not moved.
  package static let largestDistortion = 1e-4

  /// The id of a trace whose id was removed.
  package static let anonymousID = "anonymous"

  /// - Parameter random: decides the target of a move. It is not stored.
  /// - Throws: kind `.badData` if nothing remains, or if a track is too long to be moved.
  package func apply(
    to trace: Trace, using random: inout SeededGenerator
  ) throws(TraceError) -> Outcome {
    var outcome = Outcome(trace: trace)
    if let radius { try cut(radius, &outcome) }
    if moves { try move(&outcome, using: &random) }
    dropFacts(&outcome)
    (outcome.trace, outcome.zero) = outcome.trace.startingAtZero()
    if hidesTime {
      outcome.trace.header.isEpochKnown = false
      outcome.trace.header.epoch = TraceHeader.unknownEpoch
      outcome.statements.append("date and time of day dropped")
    }
    let statement = "anonymized: " + outcome.statements.joined(separator: "; ")
    let source = outcome.trace.header.source
    outcome.trace.header.source = source.isEmpty ? statement : source + "; " + statement
    warn(&outcome)
    return outcome
  }

  private func cut(_ radius: Double, _ outcome: inout Outcome) throws(TraceError) {
    let trace = outcome.trace
    let oldEnd = trace.header.end
    var fixes = FixColumns()
    if case .fix(let columns)? = trace[.location] { fixes = columns }
    let hasFixes = fixes.range.contains { fixes[$0].hasCoordinates }
    let centres =
      homes.isEmpty ? ends(of: fixes, radius) + ends(of: trace.header.track, beyond: fixes) : homes
    guard hasFixes || trace.header.track != nil || !trace.header.places.isEmpty, !centres.isEmpty
    else {
      outcome.statements.append("nothing cut: no positions")
      return
    }
    let zone = HiddenZone(centres: centres, radius: radius)
    let stretches = zone.stretches(of: fixes)
    func isOutside(_ time: Int64) -> Bool { !stretches.hold(time) }
    for info in trace.header.channels where info.channel != .location {
      outcome.trace.filter(info.channel, &outcome.removal, where: isOutside)
    }
    let kept = fixes.range.filter {
      isOutside(fixes.measuredTimes[$0]) && !zone.contains(Position(fixes[$0]))
    }
    guard !hasFixes || kept.contains(where: { fixes[$0].hasCoordinates }) else {
      throw TraceError(
        place: trace.header.id, expected: "positions beyond \(radius) m of the hidden places",
        found: "none of \(fixes.count) fixes", remedy: "choose a smaller --radius, or use --move")
    }
    keep(kept, of: fixes, &outcome)
    try cutTables(zone, stretches, &outcome)
    if !stretches.isEmpty { startOdometerAtZero(&outcome) }
    outcome.stretches = stretches.map {
      let end = max(min(TraceInstant(nanoseconds: $0.upperBound), oldEnd), .zero)
      return min(max(TraceInstant(nanoseconds: $0.lowerBound), .zero), end)..<end
    }
    let what = homes.isEmpty ? "of start and end" : "of \(counted(homes.count, "hidden place"))"
    outcome.statements.append(
      "cut within \(radius) m \(what), \(outcome.removal.readings.values.reduce(0, +)) readings in "
        + counted(stretches.count, "stretch", "stretches"))
  }

  private func keep(_ kept: [Int], of fixes: FixColumns, _ outcome: inout Outcome) {
    if kept.count < fixes.count { outcome.removal.readings[.location] = fixes.count - kept.count }
    guard outcome.trace[.location] != nil else { return }
    outcome.trace.replace(.location, with: .fix(fixes).gathering(kept))
  }

  /// Returns where the fixes start and end. The first or the last may be an error of a receiver
  /// that was just switched on: if it is far from the next few, the most central of those is hidden
  /// too. A fix at 0, 0 does not count (see ``NullPositionStep``).
  private func ends(of fixes: FixColumns, _ radius: Double) -> [Position] {
    let placed = fixes.range.filter { fixes[$0].hasCoordinates }
    let notNull = placed.filter { !NullPositionStep.isNull(fixes[$0]) }
    let usable = notNull.isEmpty ? placed : notNull
    let valid = usable.filter { fixes[$0].isPosition }
    let ordered = (valid.isEmpty ? usable : valid)
      .sorted { (fixes.measuredTimes[$0], $0) < (fixes.measuredTimes[$1], $1) }
      .map { Position(fixes[$0]) }
    // In a short track the first few fixes are a large part of the way.
    let few = min(5, ordered.count / 10)
    let pairs = [
      (ordered.first, Self.mostCentral(ordered.prefix(few))),
      (ordered.last, Self.mostCentral(ordered.suffix(few))),
    ]
    return pairs.flatMap { end, central -> [Position] in
      guard let end else { return [] }
      guard let central, end.distance(to: central) > radius / 2 else { return [end] }
      return [end, central]
    }
  }

  private static func mostCentral(_ positions: some Collection<Position>) -> Position? {
    positions.map { one in (one, positions.reduce(0) { $0 + one.distance(to: $1) }) }
      .min { $0.1 < $1.1 }?.0
  }

  /// Returns the ends of the true path that lie before the first fix (a receiver needs time to
  /// start) or after the last one.
  private func ends(of track: ReferenceTrack?, beyond fixes: FixColumns) -> [Position] {
    guard let track, let last = track.times.indices.last else { return [] }
    let times = fixes.range.filter { fixes[$0].hasCoordinates }.map { fixes.measuredTimes[$0] }
    var ends: [Int] = []
    if times.min().map({ track.times[0] < $0 }) ?? true { ends.append(0) }
    if times.max().map({ track.times[last] > $0 }) ?? true { ends.append(last) }
    return ends.map { track.positions[$0] }
  }

  /// Cuts everything other than the readings, and the end.
  private func cutTables(
    _ zone: HiddenZone, _ stretches: [ClosedRange<Int64>], _ outcome: inout Outcome
  ) throws(TraceError) {
    var header = outcome.trace.header
    let removed = Set(
      header.places.filter { zone.contains($0) }.map(\.id))
    outcome.removal.places = removed.count
    header.places.removeAll { removed.contains($0.id) }
    header.track = header.track.flatMap { track in
      let near = Set(
        zip(track.times, track.positions).filter { zone.contains($0.1) }.map(\.0))
      return track.filtered(&outcome.removal) { time in
        !near.contains(time) && !stretches.hold(time)
      }
    }
    if let last = stretches.last, last.upperBound == .max {
      header.end = TraceInstant(nanoseconds: lastTime(of: outcome.trace))
    }
    let start = outcome.trace.earliestMeasured ?? 0
    let remaining = TraceInstant(nanoseconds: min(start, header.end.nanoseconds))...header.end
    try header.cut(stretches, leaving: remaining, placesGone: removed, &outcome.removal)
    outcome.trace.header = header
  }

  private func lastTime(of trace: Trace) -> Int64 {
    trace.header.channels.compactMap { info in
      trace[info.channel].flatMap { block in
        (block.measuredTimes[block.range] + (block.arrivedTimes?[block.range] ?? [])).max()
      }
    }.max() ?? 0
  }

  /// The first count would reveal the distance to the hidden start.
  private func startOdometerAtZero(_ outcome: inout Outcome) {
    guard case .scalar(let columns)? = outcome.trace[.odometer],
      let base = columns.range.lazy.map({ columns[$0].value }).first(where: \.isFinite)
    else { return }
    outcome.trace.replace(.odometer, with: .scalar(columns.mapping { $0.value -= base }))
    outcome.statements.append("odometer counts from its first reading")
  }

  private func move(
    _ outcome: inout Outcome, using random: inout SeededGenerator
  ) throws(TraceError) {
    let positions = positions(of: outcome.trace)
    guard !positions.isEmpty else {
      outcome.statements.append("nothing moved: no positions")
      return
    }
    let anchor = middle(of: positions)
    let move = RigidMove(from: anchor, using: &random)
    let distortion = move.distortion(of: positions)
    guard distortion <= Self.largestDistortion else {
      throw TraceError(
        place: outcome.trace.header.id,
        expected: "a track whose distances change by at most \(Self.largestDistortion)",
        found: "\(distortion)", remedy: "cut it into parts with shadowbox trim")
    }
    outcome.trace.apply(move, headingTurn: move.apply(to: anchor).turn)
    outcome.distortion = distortion
    outcome.statements.append(
      "moved and turned as a whole, distances changed by at most \(distortion.rounded(digits: 2)) of "
        + "themselves")
  }

  /// Returns all positions that a move changes: fixes, places and the true path.
  private func positions(of trace: Trace) -> [Position] {
    var positions = trace.header.places.map {
      Position(latitude: $0.latitude, longitude: $0.longitude)
    }
    if case .fix(let fixes)? = trace[.location] {
      positions += fixes.range.map { Position(fixes[$0]) }
    }
    return (positions + (trace.header.track?.positions ?? [])).filter(\.isOnEarth)
  }

  /// Returns the middle of the bounding box of the positions.
  private func middle(of positions: [Position]) -> Position {
    guard let first = positions.first else { return Position(latitude: 0, longitude: 0) }
    let latitudes = positions.map(\.latitude)
    let easts = positions.map { ($0.longitude - first.longitude).remainder(dividingBy: 360) }
    let latitude = ((latitudes.min() ?? 0) + (latitudes.max() ?? 0)) / 2
    let east = ((easts.min() ?? 0) + (easts.max() ?? 0)) / 2
    return Position(
      latitude: min(max(latitude, -89), 89),
      longitude: (first.longitude + east).remainder(dividingBy: 360))
  }

  private func dropFacts(_ outcome: inout Outcome) {
    var header = outcome.trace.header
    var dropped: [String] = []
    if !kept.contains(.id) {
      header.id = Self.anonymousID
      dropped.append("id")
    }
    let texts: [(Fact, WritableKeyPath<TraceHeader, String>)] = [
      (.subject, \.subject), (.device, \.device), (.source, \.source),
    ]
    for (fact, path) in texts where !kept.contains(fact) && !header[keyPath: path].isEmpty {
      header[keyPath: path] = ""
      dropped.append(fact.rawValue)
    }
    if !kept.contains(.originalLabels) {
      for set in header.references.indices {
        for event in header.references[set].events.indices {
          header.references[set].events[event].originalLabel =
            header.references[set].events[event].label
        }
      }
      if header.references != outcome.trace.header.references { dropped.append("original labels") }
    }
    outcome.trace.header = header
    if !kept.contains(.attributes) { dropped += dropAttributes(of: &outcome.trace) }
    if !dropped.isEmpty {
      outcome.statements.append(dropped.joined(separator: ", ") + " dropped")
    }
  }

  /// Removes the attributes of channels, except those that this project writes.
  private func dropAttributes(of trace: inout Trace) -> [String] {
    let methods: Set<String> = ["gravity_removal", "resampling", "kinds"]
    var dropped: [String] = []
    for info in trace.header.channels {
      guard let block = trace[info.channel] else { continue }
      let kept = info.attributes.filter { methods.contains($0.key) }
      guard kept.count < info.attributes.count else { continue }
      dropped += info.attributes.keys.filter { !methods.contains($0) }.sorted()
        .map { "\(info.channel.name)@\($0)" }
      trace.set(block, for: info.channel, attributes: kept)
    }
    return dropped
  }

  private func warn(_ outcome: inout Outcome) {
    let header = outcome.trace.header
    func has(_ channel: Channel) -> Bool { outcome.trace[channel]?.isEmpty == false }
    func warn(_ text: String, if holds: Bool = true) {
      if holds { outcome.warnings.append(text) }
    }
    let hasPlaces = has(.location) || header.track != nil || !header.places.isEmpty
    warn(
      "the shape of the track remains and can be matched with a road map", if: hasPlaces && moves)
    warn(
      "the track beyond the radius is unchanged and may lead to the hidden places",
      if: hasPlaces && !moves)
    warn(
      "the ends of several tracks lie on a circle around the hidden place; pass a --home that is "
        + "off the true place, and a larger radius",
      if: hasPlaces && radius != nil && !moves && homes.isEmpty)
    warn("altitudes remain and show the terrain", if: hasPlaces && moves)
    warn("positions in a local frame are neither cut nor moved", if: has(.local))
    warn("pressure remains and shows the altitude", if: has(.pressure))
    warn("the ids of peers and the numbers of their heartbeats remain", if: has(.heartbeat))
    warn("touches remain", if: has(.touch))
    warn("date and time of day remain; --shift-time removes them", if: header.isEpochKnown)
    for (name, text) in [
      ("activity", header.activity), ("placement", header.placement), ("license", header.license),
    ] + header.references.map({ ("definition of \($0.task.rawValue)", $0.definition) })
      + header.counts.map({ ("definition of the count of \($0.task.rawValue)", $0.definition) })
    {
      warn("\(name) remains: \"\(text)\"", if: !text.isEmpty)
    }
    for info in header.channels {
      for (name, text) in info.attributes.sorted(by: { $0.key < $1.key }) where name != "kinds" {
        warn("\(info.channel.name)@\(name) remains: \"\(text)\"")
      }
    }
    let labels = Set(header.references.flatMap { $0.events.map(\.label) }).subtracting([""])
    warn("labels remain: \(labels.sorted().joined(separator: ", "))", if: !labels.isEmpty)
    warn("the way a person moves may identify the person")
  }
}

extension Double {
  /// Returns the value rounded to `digits` significant digits.
  fileprivate func rounded(digits: Int) -> Double {
    guard self != 0, isFinite else { return self }
    var scale = 1.0
    while abs(self) * scale < 10 && scale < 1e15 { scale *= 10 }
    return (self * scale).rounded() / scale
  }
}
