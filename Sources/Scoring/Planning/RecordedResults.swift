public import TraceModel

/// The counts of people in the JSON of `run` or `score`, or in a results file.
public struct RecordedResults: Decodable, Sendable {
  /// The counts of a person, or of a recording of an unknown one.
  public struct Person: Hashable, Sendable {
    public var alarms: PoissonRate
    public var hits: Proportion

    static func + (left: Person, right: Person) -> Person {
      Person(alarms: left.alarms + right.alarms, hits: left.hits + right.hits)
    }
  }

  private struct Value: Decodable { var value: Double? }

  private struct Run: Decodable {
    var entry: String?
    var origin: String?
    var subject: String?
    var figures: [String: Value]

    var isScoredByEvents: Bool { figures[FigureDefinition.falsePositives.name] != nil }

    /// Returns the counts; nil = events are not scored; a failure if a number is not a count.
    func counts() -> Result<Person, TraceError>? {
      guard isScoredByEvents else { return nil }
      func count(_ figure: FigureDefinition) -> Int? {
        (figures[figure.name]?.value).flatMap { Int(exactly: $0) }
          .flatMap { EventCounts.possible.contains($0) ? $0 : nil }
      }
      let stated =
        figures[FigureDefinition.scoredHours.name] ?? figures[FigureDefinition.hours.name]
      let hours = stated?.value ?? 0
      guard let alarms = count(.falsePositives), let hits = count(.truePositives),
        let misses = count(.falseNegatives), hours == 0 || (1e-6...1e9).contains(hours)
      else {
        return .failure(
          TraceError(
            place: "runs", expected: "counts of events and hours of a run",
            found: "invalid numbers in \(entry ?? "a file")",
            remedy: "write the file again with run --format json"))
      }
      return .success(
        Person(
          alarms: PoissonRate(count: alarms, hours: hours),
          hits: Proportion(successes: hits, trials: hits + misses)))
    }
  }

  public let schema: String

  /// - Parameter runs: the figures of each run by their names.
  package init(
    schema: String,
    runs: [(entry: String, origin: String, subject: String, figures: [String: Double?])]
  ) {
    self.schema = schema
    self.runs = runs.map { run in
      Run(
        entry: run.entry, origin: run.origin, subject: run.subject,
        figures: run.figures.mapValues { Value(value: $0) })
    }
  }

  private var runs: [Run]?
  /// The runs of `score`.
  private var files: [Run]?

  private var all: [Run] { (runs ?? []) + (files ?? []) }

  /// The entries that are scored by events, in the order of the file; `score` has one without name.
  public var entries: [String] { unique { $0.entry ?? "" } }

  public func origins(of entry: String) -> [String] {
    unique(where: { ($0.entry ?? "") == entry }) { $0.origin ?? "" }
  }

  private func unique(
    where isWanted: (Run) -> Bool = { _ in true }, _ name: (Run) -> String
  ) -> [String] {
    var seen: Set<String> = []
    return all.filter { $0.isScoredByEvents && isWanted($0) }.map(name)
      .filter { seen.insert($0).inserted }
  }

  /// The people of an entry by name, then recordings of unknown people.
  /// - Parameter origin: nil = any.
  /// - Throws: if a number is not a count, or too large.
  public func people(of entry: String, origin: String?) throws(TraceError) -> [String: Person] {
    var people: [String: Person] = [:]
    for (number, run) in all.enumerated() where (run.entry ?? "") == entry {
      guard origin == nil || run.origin ?? "" == origin, let counts = run.counts() else { continue }
      let subject = run.subject ?? ""
      let name = subject.isEmpty ? "\u{10FFFF}\(number)" : subject
      let own = try counts.get()
      people[name] = people[name].map { $0 + own } ?? own
    }
    return people
  }
}

extension Study {
  /// Takes values from recorded people: their exposures, how they differ, the expected figure, and
  /// with two detectors how far these agree. Values that the data do not show stay as assumed.
  ///
  /// - Parameters:
  ///   - groups: the counts of each person by one detector, or by each of two.
  ///   - expected: the stated figure; nil = the figure of the better detector.
  /// - Throws: if there is no exposure.
  public mutating func take(
    _ groups: [[String: RecordedResults.Person]], expected stated: Double?
  ) throws(TraceError) {
    let isRate = goal.isRate
    func figure(_ people: [String: RecordedResults.Person]) -> Double? {
      let all = people.sorted { $0.key < $1.key }.map(\.value)
      return isRate
        ? all.map(\.alarms).reduce(PoissonRate(count: 0, hours: 0), +).estimate
        : all.map(\.hits).reduce(Proportion(successes: 0, trials: 0), +).estimate
    }
    // The better detector first.
    let figures = groups.map { (people: $0, figure: figure($0)) }
      .sorted { ($0.figure ?? 0) < ($1.figure ?? 0) }
    let ordered = isRate ? figures : figures.reversed()
    guard let best = ordered.first, let found = best.figure else {
      throw TraceError(
        place: "runs", expected: isRate ? "recorded hours" : "references", found: "none",
        remedy: "choose another --entry")
    }
    expected = stated ?? found
    take(best.people, ordered.dropFirst().first?.people)
  }

  private mutating func take(
    _ better: [String: RecordedResults.Person], _ worse: [String: RecordedResults.Person]?
  ) {
    let names = better.keys.sorted().filter { worse == nil || worse?[$0] != nil }
    func parts(
      _ people: [String: RecordedResults.Person]
    ) -> [(count: Double, exposure: Double)] {
      names.compactMap { people[$0] }.map {
        goal.isRate
          ? (Double($0.alarms.count), $0.alarms.hours)
          : (Double($0.hits.successes), Double($0.hits.trials))
      }
    }
    let first = parts(better)
    let second = worse.map(parts)
    recorded = first.map(\.exposure).filter { $0 > 0 }
    let found = [first, second].compactMap { $0 }.compactMap {
      Dispersion(goal.dispersion, of: $0, burst: burst)
    }
    // That of the detector with the larger differences between people.
    if let largest = found.max(by: { $0.value < $1.value }) { dispersion = largest }
    if let second { pairing = Self.agreement(first, second) }
  }

  /// The correlation of the residuals of two detectors over people, 0 to 1; 0 with fewer than three.
  private static func agreement(
    _ first: [(count: Double, exposure: Double)], _ second: [(count: Double, exposure: Double)]
  ) -> Double {
    func residuals(_ parts: [(count: Double, exposure: Double)]) -> [Double] {
      let exposure = parts.reduce(0) { $0 + $1.exposure }
      let ratio = exposure > 0 ? parts.reduce(0) { $0 + $1.count } / exposure : 0
      return parts.map { $0.count - ratio * $0.exposure }
    }
    func product(_ left: [Double], _ right: [Double]) -> Double {
      zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let (left, right) = (residuals(first), residuals(second))
    let size = (product(left, left) * product(right, right)).squareRoot()
    guard first.count >= ClusteredRatio.fewest, size > 0 else { return 0 }
    return min(max(product(left, right) / size, 0), 1)
  }
}
