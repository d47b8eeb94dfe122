public import Scoring

/// An operating point of a search, with the figures to trade off.
public struct ParetoPoint: Hashable, Sendable {
  public var settings: ParameterSettings
  public var threshold: Double
  public var counts: EventCounts
  public var hours: Double
  /// The median of emitted - reference onset, ns; nil without a hit.
  public var medianLatency: Int64?

  public var falseAlarms: PoissonRate { PoissonRate(count: counts.falsePositives, hours: hours) }

  /// Whether this point is at least as good everywhere and better somewhere: more hits, fewer false
  /// alarms, lower latency. All points must belong to the same recordings.
  func dominates(_ other: ParetoPoint) -> Bool {
    let (own, others) = (medianLatency ?? .max, other.medianLatency ?? .max)
    let (hits, otherHits) = (counts.truePositives, other.counts.truePositives)
    let (alarms, otherAlarms) = (counts.falsePositives, other.counts.falsePositives)
    return hits >= otherHits && alarms <= otherAlarms && own <= others
      && (hits > otherHits || alarms < otherAlarms || own < others)
  }

  /// Returns the points that no other dominates, by false alarms, then by hits; the first of equal
  /// ones.
  /// - Complexity: O(n²).
  public static func front(_ points: [ParetoPoint]) -> [ParetoPoint] {
    var front: [ParetoPoint] = []
    for point in points where !points.contains(where: { $0.dominates(point) }) {
      let isThere = front.contains {
        $0.counts == point.counts && $0.medianLatency == point.medianLatency
      }
      if !isThere { front.append(point) }
    }
    return front.enumerated().sorted {
      ($0.element.counts.falsePositives, $0.element.counts.truePositives, $0.offset)
        < ($1.element.counts.falsePositives, $1.element.counts.truePositives, $1.offset)
    }.map(\.element)
  }
}

extension TrialCurves {
  /// Returns those with the most hits at up to 1/4, 1 and 4 times the false alarms of `aim`.
  func frontThresholds(around aim: Int, weights: Weights) -> [Double] {
    let sums = sums(weights)
    var found: [Double] = []
    for most in [aim / 4, aim, aim.multipliedReportingOverflow(by: 4).partialValue] {
      let allowed = thresholds.indices.filter { sums.falsePositives[$0] <= most }
      // Among equal ones take the highest threshold, which usually has the fewest false alarms.
      let best = allowed.max {
        (sums.truePositives[$0], -sums.falsePositives[$0], $0)
          < (sums.truePositives[$1], -sums.falsePositives[$1], $1)
      }
      guard let best, sums.truePositives[best] > 0 else { continue }
      let place = thresholds[best] + (end(ofStep: best) - thresholds[best]) / 2
      if !found.contains(place) { found.append(place) }
    }
    return found
  }
}
