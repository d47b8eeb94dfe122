import Diagnostics
import Detectors
public import Scoring
public import TraceModel

/// The task of label files.
///
/// ```swift
/// ScoreTask.track.needs.map(\.rawValue)  // ["quantity", "value"]
/// ```
public enum ScoreTask: String, CaseIterable {
  case events, visits, track, presence

  /// The reference sets of a native trace for the task; the first that exists is used.
  public var references: [ReferenceTask] {
    switch self {
    case .events: [.punch, .drop]
    case .visits: [.visit]
    case .track: [.distance, .movingTime, .ascent, .split]
    case .presence: [.presence]
    }
  }

  /// The columns that a label file for the task must have.
  public var needs: [LabelField] {
    switch self {
    case .events: [.onset]
    case .visits, .presence: [.onset, .place]
    case .track: [.quantity, .value]
    }
  }
}

/// The score of label files against each other, per recording, as for the runs of a suite.
public struct LabelScore {
  public struct Options {
    public var task = ScoreTask.events
    /// The tolerance; nil = the one of the reference, else the metric's.
    public var tolerance: EventTolerance?
    public var rule = MatchRule.any
    /// Whether only the onset of an interval counts.
    public var onsetOnly = false
    /// The labels of references that become ignore zones.
    public var ignoreLabels: Set<String> = []
    /// The kind of the detections to score; nil = the only one.
    public var kind: String?
    /// The duration of the recordings that have no other one.
    public var duration: Duration?
    /// Whether labels are names of punches, which are scored by class.
    public var hasPunchNames = false
    public var intervals = IntervalMethod.Population.newPeople
    /// The hours of a day by activity, for false alarms per day; nil = none.
    public var profile: DayProfile?

    public init() {}
  }

  public let options: Options
  /// The result as that of a suite with one entry: one run per recording, in the order of names.
  public private(set) var result = SuiteResult(runs: [])
  public var runs: [RunRecord] { result.runs }
  public internal(set) var notes: [String]
  var plans: [RecordingPlan]
  public let hasEmitted: Bool
  public let isOriginKnown: Bool
  public let isDurationKnown: Bool

  /// - Throws: if the labels do not fit each other or the task.
  public init(
    _ pairing: LabelPairing, reference: LabelSide, detections: LabelSide, options: Options
  ) throws {
    notes = pairing.notes
    var options = options
    if pairing.recordings.contains(where: { $0.reference?.header?.reference(.punch) != nil }) {
      // A native trace states the classes of punches instead of their names.
      options.hasPunchNames = true
    }
    self.options = options
    hasEmitted = detections.fields.contains(.emitted)
    isOriginKnown = pairing.recordings.allSatisfy { $0.reference?.header != nil }
    if options.task == .track {
      for side in [reference, detections] { try side.requireQuantities() }
    }
    try Self.requireKinds(detections, options)
    let places = try PlaceNumbers(reference, detections)
    plans = try pairing.recordings.map { try RecordingPlan($0, options, places: places) }
    isDurationKnown = plans.allSatisfy { $0.duration != nil }
    notes += plans.compactMap(\.note)
    try requireOneKind()
    if !isDurationKnown { try dropDurations() }
    try checkTimes()
    try settleClasses()
    try requireClasses()
    let grid = SamplingGrid(
      detections: plans.map(\.detectedTimes), references: plans.map(\.referenceTimes))
    result = SuiteResult(
      runs: try plans.map { try $0.run(grid) }, intervals: options.intervals,
      profile: options.profile)
  }

  private static func requireKinds(_ detections: LabelSide, _ options: Options) throws {
    guard let kind = options.kind, !detections.fields.contains(.kind),
      detections.entries.contains(where: { !$0.rows.isEmpty })
    else { return }
    throw Failure(
      .wrongUse,
      "--kind \(kind): expected detections with a column kind, found none; remove --kind")
  }

  /// - Throws: wrong use if the task needs the duration.
  private mutating func dropDurations() throws {
    let unknown = plans.filter { $0.duration == nil }
    guard options.task != .presence else {
      throw Failure(
        .wrongUse,
        "--task presence: expected the duration of each recording, found none for "
          + "\(unknown[0].name); add --duration, or --files with a column duration")
    }
    let recording = unknown.count < plans.count ? "of \(unknown[0].name) " : ""
    notes.append(
      "the duration \(recording)is not known: rates per hour are undefined; add --duration or "
        + "--files")
    for index in plans.indices { plans[index].duration = nil }
  }

  /// Removes the classes if only one side has them; otherwise every class would be missed.
  /// - Throws: wrong use if classes that are not there have to match.
  private mutating func settleClasses() throws {
    let ofReference = Set(plans.lazy.flatMap { $0.references.lazy.map(\.label) })
    let ofDetections = Set(plans.lazy.flatMap { $0.detections.lazy.map(\.label) })
    // Without detections, no detection lacks a class.
    guard options.task == .events, !ofDetections.isEmpty else { return }
    let without = [(ofReference, "reference has"), (ofDetections, "detections have")]
      .filter { $0.0.allSatisfy(\.isEmpty) }.map(\.1)
    guard options.rule != .sameLabel else {
      try requireEqualLabels(without, ofReference, ofDetections)
      return
    }
    guard without.count == 1 else { return }
    notes.append("the \(without[0]) no classes: no scores by class")
    for index in plans.indices { plans[index].removeClasses() }
  }

  private mutating func requireEqualLabels(
    _ without: [String], _ reference: Set<String>, _ detections: Set<String>
  ) throws {
    guard !reference.isEmpty else { return }
    if let side = without.first {
      throw Failure(
        .wrongUse,
        "--match-labels: expected classes on both sides, but the \(side) none; add a column label, or "
          + "leave the option out")
    }
    guard reference.isDisjoint(with: detections) else { return }
    func listed(_ labels: Set<String>) -> String {
      LabelPairing.listed(labels.subtracting([""]).sorted())
    }
    notes.append(
      "no class is on both sides, so nothing matches: reference \(listed(reference)); detections "
        + listed(detections))
  }

  /// The limit of classes: the confusion of more takes much memory and fits no page.
  private static let mostClasses = 1000

  /// - Throws: bad data if there are too many labels for classes, such as one per row.
  private func requireClasses() throws {
    guard options.task == .events else { return }
    let classes = Set(plans.lazy.flatMap { $0.references.lazy.map(\.label) })
      .union(plans.lazy.flatMap { $0.detections.lazy.map(\.label) }).count
    let rows = plans.reduce(0) { $0 + $1.references.count + $1.detections.count }
    guard classes > Self.mostClasses else { return }
    throw Failure(
      .badData,
      "expected at most \(Self.mostClasses) classes in column label, found \(classes) in "
        + "\(rows) rows: it looks like an identifier; rename the column, or leave it out")
  }

  private mutating func requireOneKind() throws {
    guard options.task == .events else { return }
    let kinds = Set(plans.lazy.flatMap { $0.detections.lazy.map(\.kind) }).sorted()
    guard options.kind != nil || kinds.count > 1 else { return }
    let own = kinds.filter { kind in options.task.references.contains { $0.rawValue == kind } }
    guard let kind = options.kind ?? (own.count == 1 ? own[0] : nil) else {
      throw Failure(
        .wrongUse,
        "expected detections of one kind, found \(kinds.joined(separator: ", ")); choose one "
          + "with --kind")
    }
    guard kinds.isEmpty || kinds.contains(kind) else {
      throw Failure.unknown("kind", kind, known: kinds, place: "--kind")
    }
    for index in plans.indices { plans[index].detections.removeAll { $0.kind != kind } }
  }
}

/// The numbers of places: their own if all names are numbers.
struct PlaceNumbers {
  private let numbers: [String: Int32]

  /// - Throws: if a native trace numbers its places and a label file names them.
  init(_ sides: LabelSide...) throws {
    let rows = sides.lazy.flatMap(\.entries).flatMap(\.rows)
    let names = Set(rows.map(\.place)).subtracting([""])
    let own = names.compactMap { name in Int32(name).map { (name, $0) } }
    if own.count == names.count {
      numbers = Dictionary(uniqueKeysWithValues: own)
      return
    }
    let isNumbered = sides.flatMap(\.entries).contains { $0.header != nil }
    if isNumbered, let name = names.sorted().first(where: { Int32($0) == nil }) {
      throw Failure(
        .badData, "expected the number of a place of the native trace, found \"\(name)\"")
    }
    numbers = Dictionary(uniqueKeysWithValues: zip(names.sorted(), Int32(0)...))
  }

  subscript(name: String) -> Int32? { numbers[name] }
}
