internal import Diagnostics
public import Scoring
public import TraceModel

/// The differences between two results: their inputs, their detections and their figures.
///
/// ```swift
/// let base = MeasuredResults(
///   path: "", schema: "", toolVersion: "", toolchain: "", suite: "gym", suiteSHA256: "",
///   commit: "", runs: [])
/// var head = base
/// head.toolVersion = "0.2.0"
/// ResultComparison(from: base, to: head).changes.map(\.name)  // ["version"]
/// ResultComparison(from: base, to: head).isIdentical  // true
/// ```
public struct ResultComparison: Sendable {
  /// An input that differs.
  public struct Change: Sendable, Hashable, Encodable {
    /// The entry; nil = the whole result.
    public var entry: String?
    public var name: String
    /// Empty = absent.
    public var base: String
    public var head: String
  }

  /// Runs that cannot be compared, and why.
  public struct Obstacle: Sendable, Hashable, Encodable {
    public var entry: String?
    public var trace: String?
    public var reason: String

    /// E.g. `punch/default on a`; empty = the whole result.
    public var place: String { [entry, trace].compactMap(\.self).joined(separator: " on ") }
    /// The place, where there is one, and the reason.
    public var text: String { (place.isEmpty ? "" : place + ": ") + reason }
  }

  /// A trace on which the detections of an entry differ.
  public struct TraceFlips: Sendable {
    public var entry: String
    public var origin: String
    public var trace: String
    public var subject: String
    public var list: FlipList
    /// The measurements that differ, by name; NaN = absent.
    public var measurements: [(name: String, base: Double, head: Double)]
  }

  /// An entry over the traces of one origin.
  public struct Entry: Sendable {
    public var name: String
    public var origin: String
    public var task: String
    public var runs: Int
    /// The detections of both sides.
    public var detections: (base: Int, head: Int)
    public var figures: [FigureComparison]
    /// The p value of each figure, plain and adjusted for all figures of all entries (Holm).
    public var probabilities: [(plain: Double?, adjusted: Double?)]
    /// References that the base finds and the head misses, and the other way around.
    public var lostReferences: [LostReference]
    public var foundReferences: [LostReference]
  }

  /// A reference that only one side finds.
  public struct LostReference: Sendable, Hashable {
    public var trace: String
    public var subject: String
    public var onset: TraceInstant
    public var label: String
  }

  /// The ratio of the times per sample, head / base. The runs are separate, so it decides nothing.
  public struct SpeedRatio: Sendable, Hashable, Encodable {
    public var entry: String
    public var origin: String
    public var base: Estimate
    public var head: Estimate
    public var ratio: Double?
  }

  public let base: MeasuredResults
  public let head: MeasuredResults
  public let changes: [Change]
  public let obstacles: [Obstacle]
  public let entries: [Entry]
  /// The traces with differences, in the order of the base.
  public let traces: [TraceFlips]
  public let speeds: [SpeedRatio]
  /// The outcomes of apps, of the whole run and of its people, also equal ones.
  public let outcomes: [OutcomeComparison]
  /// The seed of the random exchanges behind the probabilities; nil = there are none.
  public let seed: UInt64?

  /// A comparison in which nothing was run.
  package static var nothing: ResultComparison {
    let none = MeasuredResults(
      path: "", schema: "", toolVersion: "", toolchain: "", suite: "", suiteSHA256: "", commit: "",
      runs: [])
    return ResultComparison(from: none, to: none, seed: nil)
  }

  public var flipCount: Int { traces.reduce(0) { $0 + $1.list.flips.count } }

  /// Whether a detection, a measurement or an outcome differs.
  package var differs: Bool { !traces.isEmpty || outcomes.contains(where: \.differs) }

  /// Whether every detection, every measurement and every outcome of all runs is equal.
  public var isIdentical: Bool { !differs && obstacles.isEmpty }

  /// The outcomes of an entry that differ.
  package func outcomes(of entry: Entry) -> [OutcomeComparison] {
    outcomes.filter { $0.entry == entry.name && $0.differs }
  }

  /// - Parameter seed: that of the random exchanges behind the probabilities; nil = they are left out.
  public init(from base: MeasuredResults, to head: MeasuredResults, seed: UInt64? = 1) {
    (self.base, self.head, self.seed) = (base, head, seed)
    let pairing = RunPairing(base, head)
    obstacles = pairing.obstacles
    changes = Self.changes(base, head, pairing.pairs)
    traces = pairing.pairs.compactMap(Self.flips)
    let groups = pairing.pairs.inGroups { [$0.head.entry, $0.head.origin] }
    var entries = groups.map { Self.entry($0, of: head) }
    Self.addProbabilities(to: &entries, seed: seed)
    self.entries = entries
    speeds = Self.speeds(base, head)
    outcomes = OutcomeComparison.all(base, head)
  }

  /// The first detection or measurement that differs, e.g. `at 8.764 s: value changed 59.2 -> 59.3`; nil
  /// if all are equal.
  package var firstDifference: String? {
    guard let trace = traces.first else { return nil }
    let flips = trace.list.flips
    if let flip = flips.min(by: { ($0.firstTime, $0.onset) < ($1.firstTime, $1.onset) }) {
      return "at \(fixed(flip.onset.seconds, 3)) s: \(flip.text)"
    }
    return trace.measurements.first.map { one in
      let (base, head) = toldApart(one.base, one.head) { $0.map { number(rounded($0)) } ?? "none" }
      return "in \(one.name): \(base) -> \(head)"
    }
  }

  private static func flips(_ pair: RunPair) -> TraceFlips? {
    let list = FlipList(from: pair.base, to: pair.head)
    let (before, after) = (pair.base.measurements, pair.head.measurements)
    let measurements = Set(before.keys).union(after.keys).sorted().compactMap { name in
      let (old, new) = (before[name] ?? .nan, after[name] ?? .nan)
      return old == new || (old.isNaN && new.isNaN) ? nil : (name: name, base: old, head: new)
    }
    guard !list.flips.isEmpty || list.rejudged > 0 || !measurements.isEmpty else { return nil }
    return TraceFlips(
      entry: pair.head.entry, origin: pair.head.origin, trace: pair.head.trace,
      subject: pair.head.subject, list: list, measurements: measurements)
  }

  private static func entry(_ pairs: [RunPair], of head: MeasuredResults) -> Entry {
    let first = pairs[0].head
    let summary = head.summaries.first { $0.entry == first.entry && $0.origin == first.origin }
    let figures = FigureComparison.all(of: pairs, stored: summary?.figures ?? [:])
    return Entry(
      name: first.entry, origin: first.origin, task: first.task, runs: pairs.count,
      detections: (
        pairs.reduce(0) { $0 + $1.base.detections.count },
        pairs.reduce(0) { $0 + $1.head.detections.count }
      ),
      figures: figures, probabilities: [],
      lostReferences: pairs.flatMap { lost($0.base, $0.head) },
      foundReferences: pairs.flatMap { lost($0.head, $0.base) })
  }

  /// The references that `one` finds and `other` misses.
  private static func lost(_ one: MeasuredRun, _ other: MeasuredRun) -> [LostReference] {
    zip(one.references, other.references).filter { $0.isFound && !$1.isFound }.map { reference, _ in
      LostReference(
        trace: one.trace, subject: one.subject, onset: reference.onset, label: reference.label)
    }
  }

  private static func addProbabilities(to entries: inout [Entry], seed: UInt64?) {
    let plain = entries.map { entry in
      entry.figures.map { figure -> Double? in
        guard let seed, !figure.isEqual else { return nil }
        return figure.pair.exchangeProbability(seed: seed)
      }
    }
    var adjusted = holmAdjusted(plain.flatMap(\.self))[...]
    for index in entries.indices {
      entries[index].probabilities = plain[index].map { ($0, adjusted.removeFirst()) }
    }
  }

  private static func speeds(_ base: MeasuredResults, _ head: MeasuredResults) -> [SpeedRatio] {
    base.speeds.compactMap { before in
      let after = head.speeds.first { $0.entry == before.entry && $0.origin == before.origin }
      guard let after else { return nil }
      let (old, new) = (before.nanosecondsPerSample, after.nanosecondsPerSample)
      let ratio = old.value.flatMap { old in old > 0 ? new.value.map { $0 / old } : nil }
      return SpeedRatio(
        entry: before.entry, origin: before.origin, base: old, head: new, ratio: ratio)
    }
  }

  private static func changes(
    _ base: MeasuredResults, _ head: MeasuredResults, _ pairs: [RunPair]
  ) -> [Change] {
    let whole = [
      ("schema", base.schema, head.schema), ("version", base.toolVersion, head.toolVersion),
      ("toolchain", base.toolchain, head.toolchain), ("suite", base.suite, head.suite),
      ("suite digest", base.suiteSHA256, head.suiteSHA256),
      ("commit", base.commit, head.commit),
    ]
    .filter { $0.1 != $0.2 }.map { Change(entry: nil, name: $0.0, base: $0.1, head: $0.2) }
    let own = pairs.flatMap { pair in
      Set(pair.base.facts.keys).union(pair.head.facts.keys).sorted().compactMap { name in
        let (before, after) = (pair.base.facts[name] ?? "", pair.head.facts[name] ?? "")
        return before == after
          ? nil : Change(entry: pair.head.entry, name: name, base: before, head: after)
      }
    }
    var seen: Set<Change> = []
    return (whole + own).filter { seen.insert($0).inserted }
  }
}

/// Two runs on the same trace.
struct RunPair {
  var base: MeasuredRun
  var head: MeasuredRun
}

/// The runs of two results that are about the same trace.
struct RunPairing {
  private(set) var pairs: [RunPair] = []
  private(set) var obstacles: [ResultComparison.Obstacle] = []

  private struct Key: Hashable {
    var entry: String
    var trace: String
  }

  init(_ base: MeasuredResults, _ head: MeasuredResults) {
    if base.content != head.content {
      obstacles.append(
        .init(reason: "schema \(base.schema) in the base, \(head.schema) in the head"))
    }
    let names = (entries(base), entries(head))
    // Two detectors, or two settings of one: the names of single entries may differ.
    let isSingle = Self.reported(names.0) == 1 && Self.reported(names.1) == 1
    if !isSingle { addEntries(names.0, names.1) }
    func key(_ run: MeasuredRun) -> Key {
      let isFinal = Self.isFinal(run.entry, besides: names.0 + names.1)
      return Key(entry: isSingle ? (isFinal ? "final" : "") : run.entry, trace: run.trace)
    }
    let others = Dictionary(
      head.runs.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
    let shared = isSingle ? nil : Set(names.0).intersection(names.1)
    for run in base.runs where shared?.contains(run.entry) ?? true {
      guard let other = others[key(run)] else {
        if isSingle, key(run).entry == "final" { continue }
        obstacles.append(.init(entry: run.entry, trace: run.trace, reason: "only in the base"))
        continue
      }
      add(run, other)
    }
    let known = Set(base.runs.map(key))
    for run in head.runs where shared?.contains(run.entry) ?? true && !known.contains(key(run)) {
      if isSingle, key(run).entry == "final" { continue }
      obstacles.append(.init(entry: run.entry, trace: run.trace, reason: "only in the head"))
    }
  }

  private func entries(_ results: MeasuredResults) -> [String] {
    results.runs.inGroups(by: \.entry).map { $0[0].entry }
  }

  /// The number of entries, without those that are what remains of others after withdrawals.
  private static func reported(_ names: [String]) -> Int {
    names.count { name in !isFinal(name, besides: names) }
  }

  /// Whether an entry is what remains of one of the others after withdrawals.
  private static func isFinal(_ name: String, besides others: [String]) -> Bool {
    others.contains { RunRecord.finalName($0) == name }
  }

  private mutating func addEntries(_ base: [String], _ head: [String]) {
    for name in base where !head.contains(name) && !Self.isFinal(name, besides: head) {
      obstacles.append(.init(entry: name, reason: "only in the base"))
    }
    for name in head where !base.contains(name) && !Self.isFinal(name, besides: base) {
      obstacles.append(.init(entry: name, reason: "only in the head"))
    }
  }

  private mutating func add(_ base: MeasuredRun, _ head: MeasuredRun) {
    let reason: String? =
      if base.traceSHA256 != head.traceSHA256 {
        "the trace has changed: SHA-256 \(base.traceSHA256.prefix(12)) in the base, "
          + "\(head.traceSHA256.prefix(12)) in the head"
      } else if base.task != head.task {
        "scored on \(base.task) in the base, on \(head.task) in the head"
      } else if base.tolerance != head.tolerance {
        "tolerance \(Self.text(base.tolerance)) in the base, \(Self.text(head.tolerance)) in the head"
      } else if base.references.count != head.references.count {
        "\(base.references.count) references in the base, \(head.references.count) in the head"
      } else {
        nil
      }
    if let reason {
      obstacles.append(.init(entry: head.entry, trace: head.trace, reason: reason))
    } else {
      pairs.append(RunPair(base: base, head: head))
    }
  }

  private static func text(_ tolerance: EventTolerance?) -> String {
    guard let tolerance else { return "none" }
    return "\(milliseconds(tolerance.early))/\(milliseconds(tolerance.late)) ms"
  }
}
