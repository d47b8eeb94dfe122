import Diagnostics
import Detectors
import Scoring
package import TraceModel

/// The labels of a recording in the form that scoring needs.
package struct RecordingPlan {
  package let name: String
  /// Instants, intervals, visits, or presences of peers.
  package var references: [ReferenceEvent] = []
  package var detections: [DetectionRecord] = []
  /// The length of the recording; nil = not known.
  package var duration: Duration?
  private var header: TraceHeader
  private var tolerance: EventTolerance?
  /// The measured quantities, for the task `track`.
  private var measured = TrackMeasurement()
  private var fixes: FixColumns?
  /// A note for the report.
  package private(set) var note: String?

  package init(
    _ recording: LabelPairing.Recording, _ options: LabelScore.Options, places: PlaceNumbers
  ) throws {
    name = recording.name
    let entry = recording.reference
    header = entry?.header ?? TraceHeader(id: recording.name, origin: .recorded)
    header.id = recording.name
    if let facts = recording.facts {
      if !facts.subject.isEmpty { header.subject = facts.subject }
      if !facts.activity.isEmpty { header.activity = facts.activity }
    }
    duration =
      entry?.header?.duration ?? recording.facts?.duration.map { .nanoseconds($0) }
      ?? options.duration
    if entry?.header != nil {
      try takeNative(options, path: entry?.path ?? "")
    } else {
      takeReferences(entry?.rows ?? [], options, places)
    }
    for row in recording.zones { addZone(row) }
    takeDetections(recording.detections?.rows ?? [], options, places)
    if let detections = recording.detections { takeFixes(of: detections) }
  }

  // MARK: References

  private mutating func takeNative(_ options: LabelScore.Options, path: String) throws {
    let tasks = options.task.references
    if options.task == .track, header.track != nil { return }
    guard let set = header.references.first(where: { tasks.contains($0.task) }) else {
      let known = header.references.map(\.task.rawValue)
      throw Failure(
        .badData,
        "\(path): expected a reference of \(tasks.map(\.rawValue).joined(separator: " or ")), found "
          + (known.isEmpty ? "none" : known.joined(separator: ", ")) + "; choose another --task")
    }
    references = set.events
    if options.onsetOnly { references = references.map { Self.atOnset($0) } }
    tolerance = EventTolerance(for: set)
  }

  private mutating func takeReferences(
    _ rows: [LabelRow], _ options: LabelScore.Options, _ places: PlaceNumbers
  ) {
    guard options.task != .track else {
      for (task, rows) in quantities(rows) {
        let events = rows.map {
          ReferenceEvent(onset: TraceInstant(nanoseconds: $0.onset ?? 0), value: $0.value)
        }
        header.references.append(ReferenceSet(task: task, events: events))
      }
      return
    }
    for row in rows {
      guard !options.ignoreLabels.contains(row.label) else {
        addZone(row)
        continue
      }
      let onset = TraceInstant(nanoseconds: row.onset ?? 0)
      let (label, hand) = Self.classified(row.label, options)
      let event = ReferenceEvent(
        onset: onset, offset: row.offset.map { TraceInstant(nanoseconds: $0) }, label: label,
        originalLabel: Self.original(row), hand: hand, place: places[row.place], value: row.value)
      references.append(options.onsetOnly ? Self.atOnset(event) : event)
    }
    references.sort { ($0.onset, $0.offset) < ($1.onset, $1.offset) }
  }

  private static func atOnset(_ event: ReferenceEvent) -> ReferenceEvent {
    var event = event
    event.offset = event.onset
    return event
  }

  private static func classified(
    _ name: String, _ options: LabelScore.Options
  ) -> (String, Hand) {
    options.hasPunchNames && !name.isEmpty ? PunchLabel.classify(name) : (name, .unknown)
  }

  private static func original(_ row: LabelRow) -> String {
    row.original.isEmpty ? row.label : row.original
  }

  private mutating func addZone(_ row: LabelRow) {
    let onset = row.onset ?? 0
    header.ignoreZones.append(
      IgnoreZone(
        onset: TraceInstant(nanoseconds: onset),
        offset: TraceInstant(nanoseconds: row.offset ?? onset)))
  }

  // MARK: Detections

  private mutating func takeDetections(
    _ rows: [LabelRow], _ options: LabelScore.Options, _ places: PlaceNumbers
  ) {
    switch options.task {
    case .events, .visits:
      let kind = options.task == .visits ? "visit" : options.kind ?? "event"
      detections = rows.map { Self.detection($0, kind: kind, options, places) }
    case .presence: detections = rows.flatMap { Self.presence($0, places) }
    case .track: takeMeasurements(rows)
    }
  }

  private static func detection(
    _ row: LabelRow, kind: String, _ options: LabelScore.Options, _ places: PlaceNumbers
  ) -> DetectionRecord {
    let onset = TraceInstant(nanoseconds: row.onset ?? 0)
    return DetectionRecord(
      onset: onset, emitted: row.emitted.map { TraceInstant(nanoseconds: $0) } ?? onset,
      kind: row.kind.isEmpty ? kind : row.kind, label: classified(row.label, options).0,
      originalLabel: Self.original(row), value: row.value, place: places[row.place])
  }

  /// Returns the records of a row: a row of kind `present` or `absent` is a change at an instant; any
  /// other is an interval of presence.
  private static func presence(_ row: LabelRow, _ places: PlaceNumbers) -> [DetectionRecord] {
    func change(_ kind: String, at nanoseconds: Int64) -> DetectionRecord {
      let instant = TraceInstant(nanoseconds: nanoseconds)
      return DetectionRecord(
        onset: instant, emitted: instant, kind: kind, place: places[row.place])
    }
    let onset = row.onset ?? 0
    let kind = row.kind.isEmpty ? row.label : row.kind
    if ["present", "absent"].contains(kind) {
      return [change(kind, at: row.emitted ?? onset)]
    }
    return [change("present", at: onset)] + (row.offset.map { [change("absent", at: $0)] } ?? [])
  }

  private mutating func takeMeasurements(_ rows: [LabelRow]) {
    func total(_ rows: [LabelRow]?) -> Double? { rows.map { $0.reduce(0) { $0 + $1.value } } }
    let quantities = Dictionary(uniqueKeysWithValues: quantities(rows))
    measured = TrackMeasurement(
      distance: total(quantities[.distance]), movingTime: total(quantities[.movingTime]),
      ascent: total(quantities[.ascent]))
    detections = (quantities[.split] ?? []).map {
      let instant = TraceInstant(nanoseconds: $0.onset ?? 0)
      return DetectionRecord(onset: instant, emitted: instant, kind: "split", value: $0.value)
    }
  }

  /// Moves positions to the clock of the reference.
  private mutating func takeFixes(of entry: LabelSide.Entry) {
    guard let found = entry.fixes else { return }
    let epochs = (header.epochNanoseconds, entry.header?.epochNanoseconds)
    guard let own = epochs.0, let other = epochs.1 else {
      note = "\(name): a wall clock is not known: both paths are assumed to start at the same time"
      fixes = found
      return
    }
    let shift = other.subtractingClamped(own)
    fixes = FixColumns(
      times: TimeColumns(
        measured: found.measuredTimes[found.range].map { $0.addingClamped(shift) }),
      values: Array(found.values[found.range]))
  }

  /// Returns the rows of the quantities that tracks are scored on.
  private func quantities(_ rows: [LabelRow]) -> [(ReferenceTask, [LabelRow])] {
    ScoreTask.track.references.compactMap { task in
      let rows = rows.filter { $0.quantity == task.rawValue }
      return rows.isEmpty ? nil : (task, rows)
    }
  }

  package mutating func removeClasses() {
    for index in references.indices { references[index].label = "" }
    for index in detections.indices { detections[index].label = "" }
  }

  // MARK: The score

  package func run(_ options: LabelScore.Options) -> RunRecord {
    var header = header
    header.end = TraceInstant(nanoseconds: duration?.nanoseconds ?? 0)
    let task = options.task.references[0]
    if options.task != .track {
      header.references = [ReferenceSet(task: task, events: references)]
    }
    let measurements = [
      ("distance", measured.distance, "m"), ("moving_time", measured.movingTime, "s"),
      ("ascent", measured.ascent, "m"),
    ].compactMap { name, value, unit in
      value.map { MeasurementRecord(name: name, value: $0, unit: unit) }
    }
    return RunRecord(
      entry: "", detector: "", preset: "", parameters: [], policy: nil, seed: nil,
      gravityRemoval: nil, header: header, traceSHA256: "", task: task, readings: 0,
      detections: detections, measurements: measurements, score: score(header, options),
      detectorTime: .zero)
  }

  private func score(_ header: TraceHeader, _ options: LabelScore.Options) -> TaskScore {
    switch options.task {
    case .events:
      .events(
        EventJudgement(
          references: references, detections: detections, ignoreZones: header.ignoreZones,
          tolerance: options.tolerance ?? tolerance ?? .standard, duration: header.duration,
          rule: options.rule))
    case .visits:
      .visits(
        VisitJudgement(
          references: references, detections: detections, ignoreZones: header.ignoreZones,
          tolerance: options.tolerance ?? tolerance ?? .visit, duration: header.duration))
    case .presence:
      .presence(
        PresenceQuality(
          references: references, detections: detections, ignoreZones: header.ignoreZones,
          duration: header.duration))
    case .track:
      .track(
        TrackScore(
          header: header, measured: measured, detections: detections, fixes: fixes,
          distance: Geodesy.distance))
    }
  }
}
