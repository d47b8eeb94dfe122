public import Scoring

/// A figure of an entry on both sides, and its difference.
public struct FigureComparison: Sendable {
  /// Whether a larger figure is better.
  public enum Direction: String, Sendable, Encodable {
    case higher, lower, neither
  }

  public let name: String
  /// In UDUNITS; `1` for proportions.
  public let unit: String
  public let better: Direction
  /// The sums of both sides by person.
  public let pair: PairedRatio
  /// What the parts of the pair are.
  public let clusterKind: ClusterKind
  /// The value of each person on both sides, with the person's name, ascending by name.
  public let people: [(name: String, part: PairedRatio.Part)]

  public var base: Double? { pair.base.ratio }
  public var head: Double? { pair.head.ratio }

  /// Head less base with its interval for new people; the value alone where there is none. That of
  /// proportions ends at 1.
  public var difference: Estimate {
    guard let contrast = pair.contrast(), var interval = contrast.interval else {
      return Estimate(pair.difference)
    }
    if pair.countsEvents, unit == "1" {
      interval = Interval(
        lower: max(interval.lower, -1), upper: min(interval.upper, 1), level: interval.level)
    }
    var estimate = Estimate(
      contrast.value, interval, by: .pairedStudent, clusters: contrast.clusters)
    estimate.clusterKind = clusterKind
    return estimate
  }

  /// Why there is no interval for new people; nil = there is one.
  public var noInterval: String? {
    guard pair.base.ratio != nil, pair.head.ratio != nil else { return "undefined on one side" }
    let count = pair.parts.count
    guard count >= PairedRatio.fewest else {
      return "expected 3 people or more for a statement about new people, found \(count)"
    }
    guard let contrast = pair.contrast() else {
      let share = ((pair.largestShare ?? 1) * 100).rounded()
      return "one of \(clusterText) has \(Int(share)) % of the data: no interval"
    }
    return contrast.isAlike
      ? "the same change for each of \(clusterText): nothing says how others differ" : nil
  }

  /// E.g. `6 people`.
  public var clusterText: String {
    let count = pair.parts.count
    if clusterKind == .people { return count == 1 ? "1 person" : "\(count) people" }
    return (count == 1 ? "1 recording" : "\(count) recordings") + " of unknown people"
  }

  /// The figure of the head for people like these.
  public var headEstimate: Estimate {
    let parts = pair.parts.map(\.head)
    guard pair.countsEvents else {
      return Estimate(meanOf: parts.map { [$0.count] }, of: clusterKind)
    }
    if Self.rates.contains(where: { $0.name == name }) {
      return Estimate(
        parts.map { PoissonRate(count: Int($0.count), hours: $0.exposure) }, of: clusterKind)
    }
    return Estimate(
      parts.map { Proportion(successes: Int($0.count), trials: Int($0.exposure)) },
      of: clusterKind)
  }

  public var isEqual: Bool { pair.parts.allSatisfy { $0.base == $0.head } }
}

extension FigureComparison {
  /// A figure that is a ratio of sums over runs.
  private struct Ratio: Sendable {
    var name: String
    var better: Direction
    var unit = "1"
    /// Nil = the run does not have it.
    var sum: @Sendable (MeasuredRun) -> PairedRatio.Sum?
  }

  private static func counts(
    _ run: MeasuredRun, _ body: (_ tp: Double, _ fp: Double, _ fn: Double) -> PairedRatio.Sum
  ) -> PairedRatio.Sum? {
    guard let hits = run["true_positives"], let alarms = run["false_positives"],
      let misses = run["false_negatives"]
    else { return nil }
    return body(hits, alarms, misses)
  }

  private static let proportions: [Ratio] = [
    Ratio(name: "recall", better: .higher) { run in
      counts(run) { hits, _, misses in .init(hits, of: hits + misses) }
    },
    Ratio(name: "precision", better: .higher) { run in
      counts(run) { hits, alarms, _ in .init(hits, of: hits + alarms) }
    },
    Ratio(name: "f1", better: .higher) { run in
      counts(run) { hits, alarms, misses in .init(2 * hits, of: 2 * hits + alarms + misses) }
    },
    Ratio(name: "departures_found", better: .higher) {
      found($0, "departures_found", "departures")
    },
    Ratio(name: "arrivals_seen", better: .higher) { found($0, "arrivals_seen", "arrivals") },
  ]

  private static func found(
    _ run: MeasuredRun, _ share: String, _ count: String
  ) -> PairedRatio.Sum? {
    guard let all = run[count] else { return nil }
    return .init(((run[share] ?? 0) * all).rounded(), of: all)
  }

  private static let rates: [Ratio] = [
    "false_alarms_per_hour", "false_visits_per_hour", "mistakes_per_hour",
  ]
  .map { name in
    Ratio(name: name, better: .lower, unit: "h-1") { run in
      let count = run[name == "mistakes_per_hour" ? "mistakes" : "false_positives"]
      guard run.figures[name] != nil, let count, let hours = run["scored_hours"] else { return nil }
      return .init(count, of: hours)
    }
  }

  /// Figures of a run whose mean over a person's runs is compared, as the mean over people.
  private static let means: [(name: String, better: Direction)] = [
    ("latency_p50", .lower), ("onset_error_p50", .neither),
    ("magnitude_error_mean_absolute", .lower), ("entry_delay_p50", .lower),
    ("exit_delay_p50", .lower), ("prompt_distance_p50", .lower), ("flaps_per_visit", .lower),
    ("order", .higher), ("detection_time_mean", .lower), ("query_accuracy", .higher),
    ("mistake_duration_p50", .lower), ("split_error_p50", .neither), ("missed_splits", .lower),
    ("gain_per_standing_hour", .lower), ("horizontal_error_p50", .lower), ("coverage", .higher),
  ]

  /// Whether a larger figure of this name is better; nil = there is no such figure.
  public static func better(_ name: String) -> Direction? {
    (proportions + rates).first { $0.name == name }?.better
      ?? means.first { $0.name == name }?.better
      ?? errors.lazy.compactMap { error -> Direction? in
        name == error + "_bias" ? .neither : name == error + "_mean_absolute" ? .lower : nil
      }.first
  }

  /// The names of all figures that are compared.
  public static var names: [String] {
    (proportions + rates).map(\.name) + means.map(\.name)
      + errors.flatMap { [$0 + "_bias", $0 + "_mean_absolute"] }
  }

  /// Signed errors, compared as the bias and as the mean of their sizes.
  private static let errors = [
    "distance_error", "moving_time_error", "pace_error", "ascent_error",
  ]

  /// Returns the figures that both sides have, of runs of one entry and origin.
  static func all(of pairs: [RunPair]) -> [FigureComparison] {
    let people = Person.people(of: pairs)
    let kind: ClusterKind = pairs.contains { $0.base.subject.isEmpty } ? .recordings : .people
    var ratios = (proportions + rates).compactMap { ratio(of: $0, people, kind) }
    // Where nothing can be found, precision is 0 whatever is detected.
    if !ratios.contains(where: { $0.name == "recall" }) {
      ratios.removeAll { ["precision", "f1"].contains($0.name) }
    }
    let means = means.compactMap { name, better in
      mean(name, of: name, better, people, kind) { $0 }
    }
    let errors = errors.flatMap { name in
      [
        mean(name + "_bias", of: name, .neither, people, kind) { $0 },
        mean(name + "_mean_absolute", of: name, .lower, people, kind, abs),
      ].compactMap(\.self)
    }
    return ratios + means + errors
  }

  private static func ratio(
    of ratio: Ratio, _ people: [Person], _ kind: ClusterKind
  ) -> FigureComparison? {
    let parts = people.compactMap { person -> (name: String, part: PairedRatio.Part)? in
      func sum(_ side: KeyPath<RunPair, MeasuredRun>) -> PairedRatio.Sum? {
        person.runs.map { ratio.sum($0[keyPath: side]) }.reduce(.init(0, of: 0)) { total, own in
          total.flatMap { total in own.map { total + $0 } }
        }
      }
      guard let base = sum(\.base), let head = sum(\.head) else { return nil }
      return (person.name, .init(base: base, head: head))
    }
    let pair = PairedRatio(parts.map(\.part))
    guard pair.base.exposure > 0 || pair.head.exposure > 0 else { return nil }
    return FigureComparison(
      name: ratio.name, unit: ratio.unit, better: ratio.better, pair: pair, clusterKind: kind,
      people: parts)
  }

  private static func mean(
    _ name: String, of figure: String, _ better: Direction, _ people: [Person],
    _ kind: ClusterKind, _ value: (Double) -> Double
  ) -> FigureComparison? {
    let parts = people.compactMap { person -> (name: String, part: PairedRatio.Part)? in
      let values = person.runs.compactMap { run -> (base: Double, head: Double)? in
        guard let base = run.base[figure], let head = run.head[figure] else { return nil }
        return (value(base), value(head))
      }
      guard !values.isEmpty else { return nil }
      let count = Double(values.count)
      return (
        person.name,
        .init(
          base: .init(values.reduce(0) { $0 + $1.base } / count, of: 1),
          head: .init(values.reduce(0) { $0 + $1.head } / count, of: 1))
      )
    }
    guard !parts.isEmpty else { return nil }
    let unit = people.lazy.flatMap(\.runs).compactMap { $0.base.figures[figure]?.unit }.first
    return FigureComparison(
      name: name, unit: unit ?? "1", better: better,
      pair: PairedRatio(parts.map(\.part), countsEvents: false), clusterKind: kind, people: parts)
  }
}

/// The runs of a person, or one run where the person is unknown.
private struct Person {
  var name: String
  var runs: [RunPair]

  static func people(of pairs: [RunPair]) -> [Person] {
    let known = Dictionary(grouping: pairs.filter { !$0.base.subject.isEmpty }, by: \.base.subject)
    let people = known.sorted { $0.key < $1.key }.map { Person(name: $0.key, runs: $0.value) }
    let unknown = pairs.filter { $0.base.subject.isEmpty }
    return people + unknown.map { Person(name: $0.base.trace, runs: [$0]) }
  }
}

extension MeasuredRun {
  /// The value of a figure of the score; nil where it is undefined.
  subscript(name: String) -> Double? { figures[name]?.value }
}
