public import Scoring

/// A figure of an entry on both sides, and its difference.
public struct FigureComparison: Sendable {
  public let figure: FigureDefinition
  /// In UDUNITS; `1` for proportions.
  public let unit: String
  /// The sums of both sides by person.
  public let pair: PairedRatio
  public let clusterKind: ClusterKind
  /// The value of each person on both sides, with the person's name, ascending by name.
  public let people: [(name: String, part: PairedRatio.Part)]
  /// The head's figure as its results have it, with its interval; nil = they have none of this value.
  public var stored: Estimate?

  public var name: String { figure.name }
  public var better: FigureDefinition.Direction { figure.better }
  public var base: Double? { pair.base.ratio }
  public var head: Double? { pair.head.ratio }

  /// Head minus base, with an interval for new people if there is one; proportions stay in -1...1.
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
      ? "the same change for each of \(clusterText): this does not show how others differ" : nil
  }

  /// E.g. `6 people`.
  public var clusterText: String {
    let count = pair.parts.count
    if clusterKind == .people { return count == 1 ? "1 person" : "\(count) people" }
    return (count == 1 ? "1 recording" : "\(count) recordings") + " of unknown people"
  }

  /// The figure of the head: as its results have it, otherwise for people like these.
  public var headEstimate: Estimate { stored ?? newPeopleEstimate }

  /// The figure of the head for people like these, from the sums of people. A gate judges by it.
  var newPeopleEstimate: Estimate {
    let parts = pair.parts.map(\.head)
    guard pair.countsEvents else {
      return Estimate(meanOf: parts.map { [$0.count] }, in: figure.range, of: clusterKind)
    }
    if figure.kind == .rate {
      return Estimate(
        parts.map { PoissonRate(count: Int($0.count), hours: $0.exposure) }, of: clusterKind)
    }
    return Estimate(
      parts.map { Proportion(successes: Int($0.count), trials: Int($0.exposure)) },
      of: clusterKind)
  }

  public var isEqual: Bool { pair.parts.allSatisfy { $0.base == $0.head } }

  /// Returns the figures that both sides have, of runs of one entry and origin.
  /// - Parameter stored: those of the head over these runs, as its results have them.
  static func all(of pairs: [RunPair], stored: [String: Figure] = [:]) -> [FigureComparison] {
    let people = Person.people(of: pairs)
    let kind: ClusterKind = pairs.contains { $0.base.subject.isEmpty } ? .recordings : .people
    var ratios = FigureCatalogue.ratios.compactMap { ratio(of: $0, people, kind) }
    // Where nothing can be found, precision is 0 whatever is detected.
    if !ratios.contains(where: { $0.figure == .recall }) {
      ratios.removeAll { [.precision, .f1].contains($0.figure) }
    }
    let means = FigureCatalogue.values.compactMap { mean($0, of: $0.name, people, kind) { $0 } }
    let errors = FigureCatalogue.signedErrors.flatMap { error in
      [
        mean(error.bias, of: error.name, people, kind) { $0 },
        mean(error.meanAbsolute, of: error.name, people, kind, abs),
      ].compactMap(\.self)
    }
    return (ratios + means + errors).map { $0.adding(stored[$0.name]?.estimate) }
  }

  /// Adds the estimate of the results, unless it is of fewer runs or weighted otherwise, or is not
  /// for new people where the runs give one that is.
  private func adding(_ estimate: Estimate?) -> FigureComparison {
    guard let estimate, let value = estimate.value, let head,
      estimate.method?.population == .newPeople || newPeopleEstimate.interval == nil,
      pair.countsEvents || pair.parts.count == 1, abs(value - head) <= 1e-9 * max(1, abs(head))
    else { return self }
    var comparison = self
    comparison.stored = estimate
    return comparison
  }

  private static func ratio(
    of figure: FigureDefinition, _ people: [Person], _ kind: ClusterKind
  ) -> FigureComparison? {
    let parts = people.compactMap { person -> (name: String, part: PairedRatio.Part)? in
      func sum(_ side: KeyPath<RunPair, MeasuredRun>) -> PairedRatio.Sum? {
        person.runs.map { $0[keyPath: side].sum(of: figure) }.reduce(.init(0, of: 0)) {
          total, own in
          total.flatMap { total in own.map { total + $0 } }
        }
      }
      guard let base = sum(\.base), let head = sum(\.head) else { return nil }
      return (person.name, .init(base: base, head: head))
    }
    let pair = PairedRatio(parts.map(\.part))
    guard pair.base.exposure > 0 || pair.head.exposure > 0 else { return nil }
    return FigureComparison(
      figure: figure, unit: figure.unit, pair: pair, clusterKind: kind, people: parts)
  }

  private static func mean(
    _ definition: FigureDefinition, of figure: String, _ people: [Person], _ kind: ClusterKind,
    _ value: (Double) -> Double
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
      figure: definition, unit: unit ?? "1",
      pair: PairedRatio(parts.map(\.part), countsEvents: false), clusterKind: kind, people: parts)
  }
}

extension FigureDefinition {
  /// The figures of single recordings that are never negative.
  private static let sizes: Set<FigureDefinition> = [
    .promptDistance.p50, .flapsPerVisit, .detectionTime.mean, .mistakeDuration.p50, .missedSplits,
    .horizontalError.p50, .magnitudeError.meanAbsolute,
  ]

  /// The range of a figure of which people have means.
  fileprivate var range: ClosedRange<Double> {
    if [.order, .queryAccuracy].contains(self) { return 0...1 }
    if self == .coverage { return 0...100 }
    let isSize =
      Self.sizes.contains(self) || FigureCatalogue.signedErrors.contains { $0.meanAbsolute == self }
    return isSize ? 0 ... .infinity : -.infinity ... .infinity
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

  /// The two sums that a figure is the ratio of; nil where the run does not have them.
  fileprivate func sum(of figure: FigureDefinition) -> PairedRatio.Sum? {
    func total(_ names: [String]) -> Double? {
      names.reduce(0 as Double?) { total, name in
        total.flatMap { total in self[name].map { total + $0 } }
      }
    }
    // Visits have the counts of events, too.
    guard figure.kind != .rate || figures[figure.name] != nil,
      let exposure = total(figure.denominator)
    else { return nil }
    // No file has the count: the share of whole events is exact.
    guard !figure.numerator.isEmpty else {
      return .init(((self[figure.name] ?? 0) * exposure).rounded(), of: exposure)
    }
    return total(figure.numerator).map { .init($0, of: exposure) }
  }
}
