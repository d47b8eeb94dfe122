/// A score of several runs; the differences between its parts give the intervals of figures.
///
/// ```swift
/// let runs = [("Ana", 9), ("Ana", 8), ("Ben", 6), ("", 7)].map {
///   (subject: $0, score: EventCounts(truePositives: $1, falseNegatives: 10 - $1))
/// }
/// let clustered = Clustered(runs) { $0.reduce(EventCounts(), +) }
/// clustered.parts.count  // 3
/// clustered.proportion(\.recall).value  // 0.75
/// ```
public struct Clustered<Score: Sendable>: Sendable {
  /// The score of all runs.
  public let pooled: Score
  /// One score for each cluster; empty = the intervals take events as independent.
  public let parts: [Score]
  public let kind: ClusterKind

  public init(_ pooled: Score, parts: [Score] = [], of kind: ClusterKind = .people) {
    (self.pooled, self.parts, self.kind) = (pooled, parts, kind)
  }

  /// Groups runs by subject; one with an unknown subject (an empty name) is a part of its own.
  /// - Parameter pool: adds up scores.
  public init(_ runs: [(subject: String, score: Score)], pool: ([Score]) -> Score) {
    let (groups, kind) = Self.grouped(runs)
    self.init(pool(runs.map { $0.score }), parts: groups.map(pool), of: kind)
  }

  /// Returns the scores by subject, in the order of the subjects' names, then those without one.
  static func grouped(_ runs: [(subject: String, score: Score)]) -> ([[Score]], ClusterKind) {
    let known = Dictionary(grouping: runs.filter { !$0.subject.isEmpty }, by: { $0.subject })
    let people = known.sorted { $0.key < $1.key }.map { $0.value.map { $0.score } }
    let unknown = runs.filter { $0.subject.isEmpty }.map { [$0.score] }
    return (people + unknown, unknown.isEmpty ? .people : .recordings)
  }

  /// For these people only, events are taken as independent.
  public func about(_ population: IntervalMethod.Population) -> Clustered {
    population == .newPeople ? self : Clustered(pooled, of: kind)
  }

  public func proportion(_ part: (Score) -> Proportion) -> Estimate {
    parts.isEmpty ? Estimate(part(pooled)) : Estimate(parts.map(part), of: kind)
  }

  public func f1(_ part: (Score) -> F1Score) -> Estimate {
    parts.isEmpty ? Estimate(part(pooled)) : Estimate(parts.map(part), of: kind)
  }

  public func rate(_ part: (Score) -> PoissonRate) -> Estimate {
    guard !parts.isEmpty else { return Estimate(part(pooled)) }
    var estimate = Estimate(parts.map(part), of: kind)
    // Sums of parts round in another order.
    if estimate.method == .garwood { estimate = Estimate(part(pooled)) }
    estimate.value = part(pooled).estimate
    return estimate
  }

  /// The mean of the parts' means; of the values for these people, with fewer than three parts.
  public func mean(
    in range: ClosedRange<Double> = -.infinity ... .infinity, _ part: (Score) -> [Double]
  ) -> Estimate {
    let estimate = Estimate(meanOf: parts.map(part), in: range, of: kind)
    let isForNew = (estimate.clusters ?? 0) >= ClusteredRatio.fewest
    return isForNew ? estimate : Estimate(MeanEstimate(of: part(pooled), in: range))
  }

  /// Percentiles of times in ns, as seconds.
  public func percentiles(_ percents: [Int], _ part: (Score) -> [Int64]) -> [Estimate] {
    let groups = (parts.isEmpty ? [pooled] : parts).map(part)
    let times = groups.enumerated().flatMap { cluster, times in
      times.map { (time: $0, cluster: cluster) }
    }.sorted { $0.time < $1.time }
    return percents.map {
      Estimate(percent: $0, ofSorted: times, clusters: groups.count, of: kind)
    }
  }

  /// Percentiles of delays in seconds; misses are censored delays.
  public func delays(_ percents: [Int], _ part: (Score) -> Delays) -> [Estimate] {
    let groups = parts.isEmpty ? [part(pooled)] : parts.map(part)
    return percents.map { Estimate(percent: $0, of: groups, of: kind) }
  }

  package func count(_ figure: FigureDefinition, _ part: (Score) -> Int) -> Figure {
    .count(figure, part(pooled))
  }

  /// The median and the 90th percentile with their intervals, and the number of times.
  package func percentiles(
    _ time: FigureDefinition, _ part: (Score) -> [Int64]
  ) -> [Figure] { figures(time, percentiles([50, 90], part)) }

  /// The delays of half and nine tenths of all references, and their number. nil = not reached.
  package func delays(_ time: FigureDefinition, _ part: (Score) -> Delays) -> [Figure] {
    figures(time, delays([50, 90], part))
  }

  private func figures(_ time: FigureDefinition, _ both: [Estimate]) -> [Figure] {
    [
      Figure(time.p50, both[0]), Figure(time.p90, both[1]),
      .count(time.count, both[0].count ?? 0),
    ]
  }

  /// The numbers of references, and of matched and unmatched events.
  package func counts(_ part: (Score) -> EventCounts) -> [Figure] {
    [
      count(.references) { part($0).recall.trials },
      count(.truePositives) { part($0).truePositives },
      count(.falsePositives) { part($0).falsePositives },
      count(.falseNegatives) { part($0).falseNegatives },
    ]
  }

  /// Precision, recall and F1.
  /// - Parameter label: the class that they are named by; nil = all.
  package func quotients(
    ofClass label: String? = nil, _ part: (Score) -> EventCounts
  ) -> [Figure] {
    func named(_ figure: FigureDefinition) -> FigureDefinition {
      label.map { figure.ofClass($0) } ?? figure
    }
    return [
      Figure(named(.precision), proportion { part($0).precision }),
      Figure(named(.recall), proportion { part($0).recall }),
      Figure(named(.f1), f1 { part($0).f1 }),
    ]
  }
}
