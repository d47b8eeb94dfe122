import TraceModel

enum HeaderChecks {
  static func findings(_ trace: Trace) -> [Finding] {
    [epoch(trace.header)].compactMap(\.self) + emptiness(trace) + references(trace.header)
  }

  private static func epoch(_ header: TraceHeader) -> Finding? {
    if header.isEpochKnown { return nil }
    return Finding(
      "no-epoch", .note, place: "header",
      message: "The wall clock of time zero is unknown: the trace cannot be placed next to "
        + "another device's.")
  }

  private static func emptiness(_ trace: Trace) -> [Finding] {
    let channels = trace.header.channels
    guard channels.contains(where: { $0.count > 0 }) else {
      return [
        Finding("no-readings", .error, place: "header", message: "The trace has no readings.")
      ]
    }
    return channels.filter { $0.count == 0 && $0.channel.isSensor }.map {
      Finding(
        "empty-channel", .note, place: $0.channel.name, message: "The channel has no readings.")
    }
  }

  private static func references(_ header: TraceHeader) -> [Finding] {
    guard !header.references.isEmpty || !header.counts.isEmpty || header.track != nil else {
      return [
        Finding(
          "no-reference", .note, place: "header",
          message: "The trace has no reference: detectors can run on it but cannot be scored.")
      ]
    }
    return header.references.flatMap { set in
      [
        outside(set, header), reaching(set, header), reversed(set), overlapping(set),
        placeless(set, header),
      ].compactMap(\.self)
    }
  }

  private static func outside(_ set: ReferenceSet, _ header: TraceHeader) -> Finding? {
    // A part of a state can be found, e.g. of a visit that the recording begins in.
    let outside = set.events.filter { event in
      set.task.isState
        ? event.offset < .zero || event.onset > header.end
        : event.onset < .zero || event.offset > header.end
    }
    return finding(
      "reference-outside", set, outside,
      "\(outside.count) of \(counted(set.events.count, "event")) lie outside the "
        + "recording of \(seconds(header.end.nanoseconds)) and can never be found.")
  }

  private static func reaching(_ set: ReferenceSet, _ header: TraceHeader) -> Finding? {
    guard set.task.isState else { return nil }
    let reaching = set.events.filter {
      ($0.onset < .zero && $0.offset >= .zero) || ($0.onset <= header.end && $0.offset > header.end)
    }
    let verb = reaching.count == 1 ? "reaches" : "reach"
    return finding(
      "reference-reaching-outside", set, reaching,
      "\(reaching.count) of \(counted(set.events.count, "event")) \(verb) beyond the recording of "
        + "\(seconds(header.end.nanoseconds)): only the part within it can be found.",
      severity: .note)
  }

  private static func reversed(_ set: ReferenceSet) -> Finding? {
    let reversed = set.events.filter { $0.offset < $0.onset }
    guard let first = reversed.first else { return nil }
    return Finding(
      "reference-reversed", .error, place: place(set), start: first.onset, count: reversed.count,
      message: "\(reversed.count) of \(counted(set.events.count, "event")) end before they "
        + "begin.")
  }

  /// Finds overlapping events of one hand and place. Splits and distances may overlap.
  private static func overlapping(_ set: ReferenceSet) -> Finding? {
    guard [.punch, .visit, .drop].contains(set.task) else { return nil }
    struct Who: Hashable {
      var hand: Hand
      var place: Int32?
    }
    var latest: [Who: TraceInstant] = [:]
    var overlapping: [ReferenceEvent] = []
    for event in set.events.sorted(by: { ($0.onset, $0.offset) < ($1.onset, $1.offset) }) {
      let who = Who(hand: event.hand, place: event.place)
      let isInstant = event.onset == event.offset
      if let end = latest[who], event.onset < end || (isInstant && event.onset == end) {
        overlapping.append(event)
      }
      latest[who] = max(latest[who] ?? event.offset, event.offset)
    }
    return finding(
      "reference-overlap", set, overlapping,
      "\(overlapping.count) of \(set.events.count) events begin before the previous one has "
        + "ended: a detection there counts for either.")
  }

  private static func placeless(_ set: ReferenceSet, _ header: TraceHeader) -> Finding? {
    let known = Set(header.places.map(\.id))
    let strangers = set.events.filter { event in event.place.map { !known.contains($0) } ?? false }
    guard set.task == .visit else { return nil }
    return finding(
      "unknown-place", set, strangers,
      "\(counted(strangers.count, "visit")) of \(set.events.count) name a place that the "
        + "trace does not have, the first \(strangers.first?.place ?? -1).")
  }

  private static func finding(
    _ code: String, _ set: ReferenceSet, _ events: [ReferenceEvent], _ message: String,
    severity: Finding.Severity = .warning
  ) -> Finding? {
    guard let first = events.first else { return nil }
    return Finding(
      code, severity, place: place(set), start: first.onset, end: first.offset,
      count: events.count, message: message)
  }

  private static func place(_ set: ReferenceSet) -> String { "reference/\(set.task.rawValue)" }
}
