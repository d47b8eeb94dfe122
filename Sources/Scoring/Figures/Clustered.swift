/// A score of several runs, with the parts that its clusters contribute: the figures get their
/// intervals from the differences between the parts.
public struct Clustered<Score: Sendable>: Sendable {
  /// The score of all runs.
  public let pooled: Score
  /// One score for each cluster; empty = the intervals take events as independent.
  public let parts: [Score]
  /// What the parts are.
  public let kind: ClusterKind

  public init(_ pooled: Score, parts: [Score] = [], of kind: ClusterKind = .people) {
    self.pooled = pooled
    self.parts = parts
    self.kind = kind
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

  /// Returns the same for a statement about new people, or about these people only: then events are
  /// taken as independent.
  public func about(_ population: IntervalMethod.Population) -> Clustered {
    population == .newPeople ? self : Clustered(pooled, of: kind)
  }

  // MARK: Estimates

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

  /// The mean over the parts of their means; for these people only, from the values, where fewer than
  /// three parts have one.
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

  /// Percentiles of delays, of which some never came.
  public func delays(_ percents: [Int], _ part: (Score) -> Delays) -> [Estimate] {
    let groups = parts.isEmpty ? [part(pooled)] : parts.map(part)
    return percents.map { Estimate(percent: $0, of: groups, of: kind) }
  }
}

// MARK: Figures

extension Clustered {
  package func count(_ figure: FigureDefinition, _ part: (Score) -> Int) -> Figure {
    .count(figure, part(pooled))
  }

  package func proportion(
    _ figure: FigureDefinition, _ part: (Score) -> Proportion
  ) -> Figure {
    Figure(figure, proportion(part))
  }

  package func rate(_ figure: FigureDefinition, _ part: (Score) -> PoissonRate) -> Figure {
    Figure(figure, rate(part))
  }

  package func mean(
    _ figure: FigureDefinition, in range: ClosedRange<Double> = -.infinity ... .infinity,
    _ part: (Score) -> [Double]
  ) -> Figure {
    Figure(figure, mean(in: range, part))
  }

  /// The median and the 90th percentile with their intervals, and the number of times.
  package func percentiles(
    _ time: FigureDefinition, _ part: (Score) -> [Int64]
  ) -> [Figure] {
    let both = percentiles([50, 90], part)
    return [
      Figure(time.p50, both[0]), Figure(time.p90, both[1]),
      .count(time.count, part(pooled).count),
    ]
  }

  /// The delays by which half and nine tenths of all references are found, and the number of
  /// references. Undefined with references = not reached.
  package func delays(_ time: FigureDefinition, _ part: (Score) -> Delays) -> [Figure] {
    let both = delays([50, 90], part)
    return [
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
      proportion(named(.precision)) { part($0).precision },
      proportion(named(.recall)) { part($0).recall },
      Figure(named(.f1), f1 { part($0).f1 }),
    ]
  }
}
