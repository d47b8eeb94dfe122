import TraceModel

/// The same ratio of sums over people, such as hits by references, measured twice on the same
/// recordings: before and after a change.
///
/// The difference has the variance of its linearisation over people, where each person's residual is
/// divided by one minus the person's share of the exposure, as in the intervals of single ratios
/// (Bell and McCaffrey, Survey Methodology 28, 2002), and Student's distribution with Kish's degrees
/// of freedom. It is never less than that of independent events: where each of many people loses
/// the same share, people look alike by chance. The difference of means has the variance and the
/// degrees of freedom of a mean of signed errors, see ``MeanEstimate``.
///
/// ```swift
/// let recall = PairedRatio(means: [(0.9, 1), (0.8, 0.9), (0.7, 0.9)])
/// recall.difference  // 0.1333
/// recall.exchangeProbability()  // 0.25
/// ```
public struct PairedRatio: Sendable, Equatable {
  /// The contribution of one person, or of one recording of an unknown person.
  public struct Part: Sendable, Equatable {
    public var base: Sum
    public var head: Sum

    public init(base: Sum, head: Sum) { (self.base, self.head) = (base, head) }
  }

  /// A count and its exposure: trials, or hours.
  public struct Sum: Sendable, Equatable {
    public var count: Double
    public var exposure: Double

    public init(_ count: Double, of exposure: Double) {
      (self.count, self.exposure) = (count, exposure)
    }

    public static func + (left: Sum, right: Sum) -> Sum {
      Sum(left.count + right.count, of: left.exposure + right.exposure)
    }

    public var ratio: Double? { exposure > 0 ? count / exposure : nil }
  }

  /// The parts with an exposure on either side.
  public let parts: [Part]
  /// Whether counts are of events; otherwise each part is a person's mean, with an exposure of 1.
  public let countsEvents: Bool
  public let base: Sum
  public let head: Sum

  public init(_ parts: [Part], countsEvents: Bool = true) {
    self.parts = parts.filter { $0.base.exposure > 0 || $0.head.exposure > 0 }
    self.countsEvents = countsEvents
    base = self.parts.reduce(Sum(0, of: 0)) { $0 + $1.base }
    head = self.parts.reduce(Sum(0, of: 0)) { $0 + $1.head }
  }

  /// The difference of the means over people, who have equal weight.
  /// - Parameter means: the means of each person on both sides.
  public init(means: [(base: Double, head: Double)]) {
    self.init(
      means.map { Part(base: Sum($0.base, of: 1), head: Sum($0.head, of: 1)) },
      countsEvents: false)
  }

  /// The minimum number of parts for a statement about new people.
  public static let fewest = ClusteredRatio.fewest
  /// The minimum degrees of freedom (Kish) of an interval: those of two parts with equal exposures.
  public static let fewestDegreesOfFreedom = 1.0

  /// The largest mean share of both exposures that one part has; nil where one side has none.
  public var largestShare: Double? {
    guard base.exposure > 0, head.exposure > 0 else { return nil }
    return parts.map {
      ($0.base.exposure / base.exposure + $0.head.exposure / head.exposure) / 2
    }.max()
  }

  /// Head minus base; nil if either is undefined.
  public var difference: Double? {
    guard let before = base.ratio, let after = head.ratio else { return nil }
    return after - before
  }

  /// Returns `head - factor * base` with its standard error for new people; nil where it is
  /// undefined, with fewer than three parts, or with less than ``fewestDegreesOfFreedom``.
  public func contrast(factor: Double = 1) -> PairedContrast? {
    guard parts.count >= ClusteredRatio.fewest, let before = base.ratio, let after = head.ratio
    else { return nil }
    var (squares, shares) = (0.0, 0.0)
    for part in parts {
      let own = influence(part.head, after, head) - factor * influence(part.base, before, base)
      squares += own * own
      let share = (part.base.exposure / base.exposure + part.head.exposure / head.exposure) / 2
      shares += share * share
    }
    guard 1 / shares - 1 >= Self.fewestDegreesOfFreedom else { return nil }
    let (count, degrees) = (Double(parts.count), 1 / shares - 1)
    var contrast = PairedContrast(
      value: after - factor * before, standardError: ((count - 1) / count * squares).squareRoot(),
      degreesOfFreedom: degrees, clusters: parts.count)
    if countsEvents {
      contrast.standardError = max(contrast.standardError, leastVariance(factor).squareRoot())
    } else {
      let variance = contrast.standardError * contrast.standardError * count
      contrast.standardError =
        (MeanEstimate.used(variance, degrees, usual: usualDeviation(factor)) / count).squareRoot()
      contrast.degreesOfFreedom += ClusteredRatio.assumedWeight
    }
    return contrast
  }

  /// The usual deviation of people's changes, as of signed errors, see ``MeanEstimate``; of their
  /// values, for the head alone.
  private func usualDeviation(_ factor: Double) -> Double {
    let sizes = parts.map { abs($0.head.count - min(factor, 1) * $0.base.count) }
    return MeanEstimate.assumedDeviation * sizes.reduce(0, +) / Double(parts.count)
  }

  /// The influence of a part on the ratio, corrected for its share.
  private func influence(_ part: Sum, _ ratio: Double, _ whole: Sum) -> Double {
    let share = part.exposure / whole.exposure
    guard share < 1 else { return 0 }
    return (part.count - ratio * part.exposure) / whole.exposure / (1 - share)
  }

  /// The variance if all events that only one side has were independent.
  private func leastVariance(_ factor: Double) -> Double {
    // For the head alone there are no exchanged events.
    guard factor > 0 else { return 0 }
    let size = min(base.exposure / max(factor, 1), head.exposure)
    return parts.reduce(0) { $0 + abs($1.head.count - $1.base.count) } / (size * size)
  }

  /// The maximum number of random exchanges of base and head.
  static let exchanges = 9999
  /// Up to this many people who differ, all exchanges are tried.
  private static let mostExact = 13

  /// Returns the probability of a difference at least as large, in either direction, if base and head
  /// were exchanged at random for each person: nothing has changed. Exact where at most 13 people
  /// differ, otherwise from 9,999 random exchanges.
  /// - Returns: nil where a ratio is undefined, or with fewer than three parts.
  public func exchangeProbability(seed: UInt64 = 1) -> Double? {
    guard parts.count >= ClusteredRatio.fewest, let difference else { return nil }
    let differing = parts.filter { $0.base != $0.head }
    let observed = abs(difference) * (1 - 1e-12)
    guard differing.count > Self.mostExact else {
      let all = 1 << differing.count
      let hits = (0..<all).count { mask in
        abs(exchanged(differing) { mask >> $0 & 1 == 1 }) >= observed
      }
      return Double(hits) / Double(all)
    }
    var generator = SeededGenerator(seed: seed)
    let hits = (0..<Self.exchanges).count { _ in
      abs(exchanged(differing) { _ in generator.next() & 1 == 1 }) >= observed
    }
    return Double(hits + 1) / Double(Self.exchanges + 1)
  }

  /// Returns the difference with the parts exchanged at some positions.
  private func exchanged(_ differing: [Part], where isExchanged: (Int) -> Bool) -> Double {
    var (before, after) = (base, head)
    for (position, part) in differing.enumerated() where isExchanged(position) {
      before = Sum(
        before.count - part.base.count + part.head.count,
        of: before.exposure - part.base.exposure + part.head.exposure)
      after = Sum(
        after.count - part.head.count + part.base.count,
        of: after.exposure - part.head.exposure + part.base.exposure)
    }
    return (after.ratio ?? 0) - (before.ratio ?? 0)
  }
}

/// A difference for new people, with Student's distribution.
///
/// ```swift
/// let recall = PairedRatio(means: [(0.9, 1), (0.8, 0.9), (0.7, 0.9)])
/// recall.contrast()?.interval  // -0.1560 ... 0.4226
/// ```
public struct PairedContrast: Sendable, Equatable {
  public var value: Double
  public var standardError: Double
  public var degreesOfFreedom: Double
  public var clusters: Int

  /// Whether all people have the same difference, not zero: others may differ by any amount.
  public var isAlike: Bool { value != 0 && standardError <= 1e-9 * abs(value) }

  /// The interval at ``Interval/level``; nil if ``isAlike``.
  public var interval: Interval? {
    guard !isAlike else { return nil }
    guard standardError > 0 else { return Interval(lower: value, upper: value) }
    guard let t = quantile((1 + Interval.level) / 2) else { return nil }
    return Interval(lower: value - t * standardError, upper: value + t * standardError)
  }

  /// The one-sided p value if the true value is `bound`; 0 or 1 without a standard error.
  public func probability(below bound: Double) -> Double {
    guard standardError > 0 else { return value < bound ? 0 : 1 }
    let t = (bound - value) / standardError
    return Distributions.studentTail(above: t, degreesOfFreedom: degreesOfFreedom) ?? 1
  }

  /// The distance beyond a bound that a one-sided test of this level finds with this power.
  public func detectableEffect(level: Double, power: Double) -> Double? {
    guard let test = quantile(1 - level), let further = quantile(power) else { return nil }
    return (test + further) * standardError
  }

  private func quantile(_ probability: Double) -> Double? {
    Distributions.studentQuantile(probability, degreesOfFreedom: degreesOfFreedom)
  }

  /// The distance that a one-sided test of this level finds with a power of 0.8 among this many
  /// people of equal exposure, in standard errors; infinite with fewer than two.
  package static func detectable(level: Double, people: Int) -> Double {
    let degrees = Double(people - 1)
    guard let test = Distributions.studentQuantile(1 - level, degreesOfFreedom: degrees),
      let further = Distributions.studentQuantile(0.8, degreesOfFreedom: degrees)
    else { return .infinity }
    return test + further
  }
}

/// Holm's adjustment of p values (Scandinavian Journal of Statistics 6, 1979), which limits the
/// probability of any false rejection. nil stays nil and does not count.
public func holmAdjusted(_ probabilities: [Double?]) -> [Double?] {
  let known = probabilities.indices.filter { probabilities[$0] != nil }
    .sorted { (probabilities[$0] ?? 0, $0) < (probabilities[$1] ?? 0, $1) }
  var adjusted = probabilities
  var largest = 0.0
  for (rank, index) in known.enumerated() {
    largest = max(largest, min(1, Double(known.count - rank) * (probabilities[index] ?? 0)))
    adjusted[index] = largest
  }
  return adjusted
}
