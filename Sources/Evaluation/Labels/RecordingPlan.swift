import Diagnostics
import Detectors
import Scoring
import TraceModel

/// The labels of a recording in the form that scoring needs.
struct RecordingPlan {
  let name: String
  private let options: LabelScore.Options
  private let places: PlaceNumbers
  /// Instants, intervals, visits, or presences of peers.
  var references: [ReferenceEvent] = []
  var detections: [DetectionRecord] = []
  /// The length of the recording; nil = not known.
  var duration: Duration?
  private var header: TraceHeader
  /// The tolerance of a native trace.
  private var tolerance: Duration?
  /// The measured quantities, for the task `track`.
  private var measurements: [Measurement] = []
  private var fixes: FixColumns?
  private(set) var note: String?

  init(
    _ recording: LabelPairing.Recording, _ options: LabelScore.Options, places: PlaceNumbers
  ) throws {
    name = recording.name
    self.options = options
    self.places = places
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
      try takeNative(path: entry?.path ?? "")
    } else {
      takeReferences(entry?.rows ?? [])
    }
    for row in recording.zones { addZone(row) }
    takeDetections(recording.detections?.rows ?? [])
    if let detections = recording.detections { takeFixes(of: detections) }
  }

  private mutating func takeNative(path: String) throws {
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
    if options.onsetOnly { keepOnsets() }
    tolerance = set.tolerance
  }

  private mutating func takeReferences(_ rows: [LabelRow]) {
    guard options.task != .track else {
      for (task, rows) in quantities(rows) {
        let events = rows.map { ReferenceEvent(onset: $0.start, value: $0.value) }
        header.references.append(ReferenceSet(task: task, events: events))
      }
      return
    }
    for row in rows {
      guard !options.ignoreLabels.contains(row.label) else {
        addZone(row)
        continue
      }
      let (label, hand) = classified(row.label)
      references.append(
        ReferenceEvent(
          onset: row.start, offset: row.end, label: label, originalLabel: row.originalLabel,
          hand: hand, place: places[row.place], value: row.value))
    }
    if options.onsetOnly { keepOnsets() }
    references.sort { ($0.onset, $0.offset) < ($1.onset, $1.offset) }
  }

  private mutating func keepOnsets() {
    for index in references.indices { references[index].offset = references[index].onset }
  }

  private func classified(_ name: String) -> (String, Hand) {
    options.hasPunchNames && !name.isEmpty ? PunchLabel.classify(name) : (name, .unknown)
  }

  private mutating func addZone(_ row: LabelRow) {
    header.ignoreZones.append(IgnoreZone(onset: row.start, offset: row.end ?? row.start))
  }

  private mutating func takeDetections(_ rows: [LabelRow]) {
    switch options.task {
    case .events, .visits:
      let kind = options.task == .visits ? "visit" : options.kind ?? "event"
      detections = rows.map { row in
        DetectionRecord(
          onset: row.start, emitted: row.emitted.map { TraceInstant(nanoseconds: $0) } ?? row.start,
          kind: row.kind.isEmpty ? kind : row.kind, label: classified(row.label).0,
          originalLabel: row.originalLabel, value: row.value, place: places[row.place])
      }
    case .presence: detections = rows.flatMap(presence)
    case .track: takeMeasurements(rows)
    }
  }

  /// A row of kind `present` or `absent` is a change; any other is an interval of presence.
  private func presence(_ row: LabelRow) -> [DetectionRecord] {
    func change(_ kind: String, at instant: TraceInstant) -> DetectionRecord {
      DetectionRecord(onset: instant, emitted: instant, kind: kind, place: places[row.place])
    }
    let kind = row.kind.isEmpty ? row.label : row.kind
    if ["present", "absent"].contains(kind) {
      return [change(kind, at: row.emitted.map { TraceInstant(nanoseconds: $0) } ?? row.start)]
    }
    return [change("present", at: row.start)] + (row.end.map { [change("absent", at: $0)] } ?? [])
  }

  private mutating func takeMeasurements(_ rows: [LabelRow]) {
    for (task, rows) in quantities(rows) {
      guard task != .split else {
        detections = rows.map {
          DetectionRecord(onset: $0.start, emitted: $0.start, kind: "split", value: $0.value)
        }
        continue
      }
      let total = rows.reduce(0) { $0 + $1.value }
      measurements.append(
        Measurement(task.rawValue, total, unit: task == .movingTime ? "s" : "m"))
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

  mutating func removeClasses() {
    for index in references.indices { references[index].label = "" }
    for index in detections.indices { detections[index].label = "" }
  }

  /// - Parameter grid: the clock of all recordings, for one with too few events to show its own.
  func run(_ grid: SamplingGrid) throws -> RunRecord {
    var header = header
    header.end = TraceInstant(nanoseconds: duration?.nanoseconds ?? 0)
    let task = options.task.references[0]
    if options.task != .track {
      header.references = [ReferenceSet(task: task, events: references, tolerance: tolerance)]
    }
    var detections = detections
    if options.task == .events {
      // They are of one kind, whatever its name.
      for index in detections.indices { detections[index].kind = task.rawValue }
    }
    var run = RunRecord(
      entry: "", detector: "", preset: "", header: header, task: task, detections: detections,
      measurements: measurements, score: try score(task, header, detections))
    run.addShifts(
      options.tolerance, grid: SamplingGrid.isShown(by: detectedTimes) ? nil : grid,
      movement: { nil })
    run.detections = self.detections
    return run
  }

  // In ns, ascending.
  var detectedTimes: [Int64] { detections.map(\.onset.nanoseconds).sorted() }
  var referenceTimes: [Int64] { references.map(\.onset.nanoseconds).sorted() }

  private func score(
    _ task: ReferenceTask, _ header: TraceHeader, _ detections: [DetectionRecord]
  ) throws -> TaskScore {
    try TaskScore(
      task: task, detections: detections,
      measured: Dictionary(uniqueKeysWithValues: measurements.map { ($0.name, $0.value) }),
      header: header, fixes: fixes, tolerance: options.tolerance, rule: options.rule,
      distance: Geodesy.distance)
  }
}

extension LabelRow {
  fileprivate var start: TraceInstant { TraceInstant(nanoseconds: onset ?? 0) }
  fileprivate var end: TraceInstant? { offset.map { TraceInstant(nanoseconds: $0) } }
  /// The label before it was mapped to a class.
  fileprivate var originalLabel: String { original.isEmpty ? label : original }
}
