import Scoring
import TraceModel

/// Finds holes in the recording where labels begin or end: the labelling removed readings there,
/// and a detector that notices the holes scores without using the signal.
///
/// The probability of at least as many holes near boundaries by chance is at most that of a
/// binomial: each hole could lie anywhere within some seconds of its place, and is near a boundary
/// with the share of those seconds that lies near boundaries. (The shares differ from hole to hole;
/// a binomial of their mean has the heavier tail: Hoeffding, Annals of Mathematical Statistics 27,
/// 1956.) A comparison with the whole recording would report holes and labels that merely share its
/// busy part. Holes close together come from one stall and count once.
enum LabelLeakCheck {
  /// The distances from a boundary in nanoseconds. The wide one is for labels set by eye, the
  /// narrow ones for labels so dense that half a second covers everything.
  static let reaches: [Int64] = [500_000_000, 100_000_000, 20_000_000]
  /// The range in nanoseconds, before and after, in which a hole could lie by chance.
  static let surroundings: Int64 = 10_000_000_000
  /// The significance level for each of the three distances: about one of a thousand sound
  /// recordings is reported.
  static let largestProbability = 1e-4
  /// The smallest number of holes; fewer are reported only as gaps.
  static let fewestHoles = 5
  /// The shortest hole in periods, beyond three jitters: at least one reading is missing.
  static let shortestHole = 1.5
  /// The tasks whose boundaries a person set.
  static let tasks: Set<ReferenceTask> = [.punch, .visit, .drop]

  static func findings(_ times: ChannelTimes, _ header: TraceHeader) -> [Finding] {
    guard times.channel.isSensor, !times.areTooFew, let period = times.period else { return [] }
    let jitter = Double(times.jitter ?? 0)
    let shortest = shortestHole * Double(period) + 3 * jitter
    let holes = times.steps.filter { Double($1.subtractingClamped($0)) > shortest }
    guard holes.count >= fewestHoles else { return [] }
    return header.references.filter { tasks.contains($0.task) }.compactMap { set in
      let boundaries = boundaries(of: set, within: times)
      let best = reaches.compactMap { Coincidence(holes, boundaries, $0, times) }
        .min { $0.probability < $1.probability }
      guard let best, best.probability <= largestProbability, best.near >= fewestHoles else {
        return nil
      }
      return finding(best, holes.count, set, times)
    }
  }

  private static func finding(
    _ found: Coincidence, _ holes: Int, _ set: ReferenceSet, _ times: ChannelTimes
  ) -> Finding {
    Finding(
      "leaking-labels", .warning, place: times.channel.name,
      start: TraceInstant(nanoseconds: found.first), end: TraceInstant(nanoseconds: found.last),
      count: found.near,
      message: "\(found.near) of \(found.groups) places with missing readings (\(holes) holes) lie "
        + "within \(interval(found.reach)) of where a \(set.task.rawValue) label begins or ends; "
        + "\(figure(100 * found.chance, 1)) % are expected by chance (p "
        + (found.probability < 1e-12 ? "< 1e-12" : "= \(found.probability.shortened)")
        + "): the holes leak the labels; resample before use.")
  }

  private static func boundaries(of set: ReferenceSet, within times: ChannelTimes) -> [Int64] {
    guard let first = times.sorted.first, let last = times.sorted.last else { return [] }
    let all = set.events.flatMap { [$0.onset.nanoseconds, $0.offset.nanoseconds] }
    return Set(all).filter { $0 > first && $0 < last }.sorted()
  }
}

/// Holes and boundaries within one reach of each other.
private struct Coincidence {
  let reach: Int64
  /// The number of places with holes, and of those near a boundary.
  let groups: Int
  private(set) var near = 0
  private(set) var first: Int64 = 0
  private(set) var last: Int64 = 0
  /// The share of places near a boundary that is expected by chance.
  let chance: Double
  let probability: Double

  init?(
    _ holes: [(Int64, Int64)], _ boundaries: [Int64], _ reach: Int64, _ times: ChannelTimes
  ) {
    guard !boundaries.isEmpty, times.span > 0 else { return nil }
    self.reach = reach
    let places = Coincidence.joined(holes, nearerThan: reach)
    groups = places.count
    for place in places {
      let from = place.0.subtractingClamped(reach)
      let index = boundaries.partitioningIndex { $0 >= from }
      guard index < boundaries.count, boundaries[index] <= place.1.addingClamped(reach) else {
        continue
      }
      if near == 0 { first = place.0 }
      last = place.1
      near += 1
    }
    let lengths = places.map { Double($0.1.subtractingClamped($0.0)) }
    let length = lengths.reduce(0, +) / Double(max(groups, 1))
    let zones = Neighbourhoods(of: boundaries, reach, Int64(min(length, 9e18)), times)
    chance =
      places.reduce(0) { $0 + zones.share(around: $1.0) } / Double(max(groups, 1))
    guard near > 0, chance < 1 else { return nil }
    let tail = Distributions.betaProbability(
      of: chance, Double(near), Double(groups - near + 1))
    guard let tail else { return nil }
    probability = tail
  }

  private static func joined(
    _ holes: [(Int64, Int64)], nearerThan reach: Int64
  ) -> [(Int64, Int64)] {
    var places: [(Int64, Int64)] = []
    for hole in holes {
      if let last = places.last, hole.0.subtractingClamped(last.1) < reach {
        places[places.count - 1].1 = hole.1
      } else {
        places.append(hole)
      }
    }
    return places
  }
}

/// The zones in which a hole near a boundary begins.
private struct Neighbourhoods {
  /// The zones, disjoint and sorted.
  private var zones: [Range<Int64>] = []
  /// The total length of the zones before each zone, in nanoseconds.
  private var before: [Double] = []
  private let span: ClosedRange<Int64>

  init(of boundaries: [Int64], _ reach: Int64, _ length: Int64, _ times: ChannelTimes) {
    let first = times.sorted.first ?? 0
    span = first...max(first, times.sorted.last ?? 0)
    var (end, covered) = (span.lowerBound, 0.0)
    for boundary in boundaries {
      let from = max(boundary.subtractingClamped(reach.addingClamped(length)), end)
      let to = min(boundary.addingClamped(reach), span.upperBound)
      if from < to {
        zones.append(from..<to)
        before.append(covered)
        covered += Double(to.subtractingClamped(from))
      }
      end = max(end, to)
    }
  }

  /// Returns the share of the surroundings of a time that lies in a zone.
  func share(around time: Int64) -> Double {
    let low = max(time.subtractingClamped(LabelLeakCheck.surroundings), span.lowerBound)
    let high = min(time.addingClamped(LabelLeakCheck.surroundings), span.upperBound)
    guard low < high else { return 1 }
    return (covered(to: high) - covered(to: low)) / Double(high.subtractingClamped(low))
  }

  private func covered(to time: Int64) -> Double {
    let index = zones.partitioningIndex { $0.lowerBound >= time } - 1
    guard index >= 0 else { return 0 }
    let end = min(time, zones[index].upperBound)
    return before[index] + Double(end.subtractingClamped(zones[index].lowerBound))
  }
}

extension Double {
  /// The value with two digits and an exponent.
  fileprivate var shortened: String {
    guard self > 0, isFinite else { return "\(self)" }
    var (mantissa, exponent) = (self, 0)
    while mantissa < 1 {
      mantissa *= 10
      exponent -= 1
    }
    return "\(figure(mantissa, 1))e\(exponent)"
  }
}
