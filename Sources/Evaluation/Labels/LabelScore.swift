package import Diagnostics
package import Detectors
package import Scoring
package import TraceModel

/// What label files are scored as.
package enum ScoreTask: String, CaseIterable {
  case events, visits, track, presence

  /// The reference sets of a native trace that state it, the first that there is.
  package var references: [ReferenceTask] {
    switch self {
    case .events: [.punch, .drop]
    case .visits: [.visit]
    case .track: [.distance, .movingTime, .ascent, .split]
    case .presence: [.presence]
    }
  }

  /// The columns that a label file of it must have.
  package var needs: [LabelField] {
    switch self {
    case .events: [.onset]
    case .visits, .presence: [.onset, .place]
    case .track: [.quantity, .value]
    }
  }
}

/// Label files held against each other, recording by recording, as the runs of a suite are.
package struct LabelScore {
  package struct Options {
    package var task = ScoreTask.events
    /// Nil = the one that the reference states, else the metric's.
    package var tolerance: EventTolerance?
    package var rule = MatchRule.any
    /// Whether intervals are taken for instants at their onset.
    package var onsetOnly = false
    /// References of these labels are ignore zones.
    package var ignoreLabels: Set<String> = []
    /// The kind of the detections that are scored; nil = the only one.
    package var kind: String?
    /// Of each recording whose length is not known otherwise.
    package var duration: Duration?
    /// Whether labels are names of punches, of which the classes are scored.
    package var hasPunchNames = false

    package init(
      task: ScoreTask = .events, tolerance: EventTolerance? = nil, rule: MatchRule = .any,
      onsetOnly: Bool = false, ignoreLabels: Set<String> = [], kind: String? = nil,
      duration: Duration? = nil, hasPunchNames: Bool = false
    ) {
      self.task = task
      self.tolerance = tolerance
      self.rule = rule
      self.onsetOnly = onsetOnly
      self.ignoreLabels = ignoreLabels
      self.kind = kind
      self.duration = duration
      self.hasPunchNames = hasPunchNames
    }
  }

  package let options: Options
  /// A run a recording, by name.
  package private(set) var runs: [RunRecord] = []
  package private(set) var notes: [String]
  /// Whether detections state when they were told.
  package let hasEmitted: Bool
  /// Whether it is known of every recording whether it is synthetic.
  package let isOriginKnown: Bool
  /// Whether it is known of every recording how long it is.
  package let isDurationKnown: Bool

  /// - Throws: where the labels do not fit together, or not to the task.
  package init(
    _ pairing: LabelPairing, reference: LabelSide, detections: LabelSide, options: Options
  ) throws {
    notes = pairing.notes
    var options = options
    if pairing.recordings.contains(where: { $0.reference?.header?.reference(.punch) != nil }) {
      // Of a native trace the classes are stated, not the names.
      options.hasPunchNames = true
    }
    self.options = options
    hasEmitted = detections.fields.contains(.emitted)
    isOriginKnown = pairing.recordings.allSatisfy { $0.reference?.header != nil }
    if options.task == .track {
      for side in [reference, detections] { try side.requireQuantities() }
    }
    if let kind = options.kind, !detections.fields.contains(.kind),
      detections.entries.contains(where: { !$0.rows.isEmpty })
    {
      throw Failure(
        .wrongUse,
        "--kind \(kind): expected detections with a column kind, found none; leave --kind out")
    }
    let places = try PlaceNumbers(reference, detections)
    var plans = try pairing.recordings.map { try RecordingPlan($0, options, places: places) }
    notes += plans.compactMap(\.note)
    try Self.requireOneKind(&plans, options)
    let unknown = plans.filter { $0.duration == nil }
    isDurationKnown = unknown.isEmpty
    if !isDurationKnown {
      guard options.task != .presence else {
        throw Failure(
          .wrongUse,
          "--task presence: expected to know how long was recorded, found nothing that says it of "
            + "\(unknown[0].name); give --duration, or a table of --files with a column duration")
      }
      notes.append(
        "it is not known how long was recorded"
          + (unknown.count < plans.count ? " in \(unknown[0].name)" : "")
          + ": rates per hour are undefined; give --duration, or --files")
      for index in plans.indices { plans[index].duration = nil }
    }
    try LabelTimes.check(plans, notes: &notes)
    settleClasses(&plans)
    runs = plans.map { $0.run(options) }
  }

  /// As the result of a suite of one entry, so that it is pooled and told like one.
  package var result: SuiteResult {
    SuiteResult(
      provenance: .init(
        suite: "", suiteSHA256: "", dataCommit: "", toolchain: "", detectionLogSHA256: ""),
      host: nil, runs: runs)
  }

  /// Without classes on one side there is nothing to compare: every class would be missed.
  private mutating func settleClasses(_ plans: inout [RecordingPlan]) {
    func state(_ labels: [String]) -> Bool { labels.contains { !$0.isEmpty } }
    let ofReference = state(plans.flatMap { $0.references.map(\.label) })
    let ofDetections = state(plans.flatMap { $0.detections.map(\.label) })
    guard options.task == .events, ofReference != ofDetections, options.rule != .sameLabel else {
      return
    }
    // Where nothing was detected, nothing lacks a class.
    guard plans.contains(where: { !$0.detections.isEmpty }) else { return }
    notes.append(
      "the \(ofReference ? "detections state" : "reference states") no class: none is scored by class"
    )
    for index in plans.indices { plans[index].removeClasses() }
  }

  private static func requireOneKind(_ plans: inout [RecordingPlan], _ options: Options) throws {
    guard options.task == .events else { return }
    let kinds = Set(plans.flatMap { $0.detections.map(\.kind) }).sorted()
    guard options.kind != nil || kinds.count > 1 else { return }
    let own = kinds.filter { kind in options.task.references.contains { $0.rawValue == kind } }
    guard let kind = options.kind ?? (own.count == 1 ? own[0] : nil) else {
      throw Failure(
        .wrongUse,
        "expected detections of one kind, found \(kinds.joined(separator: ", ")); say with --kind "
          + "which are scored")
    }
    guard kinds.isEmpty || kinds.contains(kind) else {
      throw Failure.unknown("kind", kind, known: kinds, place: "--kind")
    }
    for index in plans.indices { plans[index].detections.removeAll { $0.kind != kind } }
  }
}

/// The numbers by which places are told apart: their own, where all are numbers.
package struct PlaceNumbers {
  private let numbers: [String: Int32]

  /// - Throws: where a native trace numbers its places and a label file names them.
  package init(_ sides: LabelSide...) throws {
    let rows = sides.flatMap(\.entries).flatMap(\.rows)
    let names = Set(rows.map(\.place)).subtracting([""])
    let own = names.compactMap { name in Int32(name).map { (name, $0) } }
    if own.count == names.count {
      numbers = Dictionary(own, uniquingKeysWith: { first, _ in first })
      return
    }
    let isNumbered = sides.flatMap(\.entries).contains { $0.header != nil }
    if isNumbered, let name = names.sorted().first(where: { Int32($0) == nil }) {
      throw Failure(
        .badData,
        "expected the number of a place, as the native trace has them, found \"\(name)\"")
    }
    numbers = Dictionary(
      zip(names.sorted(), Int32(0)...), uniquingKeysWith: { first, _ in first })
  }

  package subscript(name: String) -> Int32? { numbers[name] }
}
