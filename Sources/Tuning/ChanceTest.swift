internal import GSL
internal import Scoring

/// Whether a detector hits more than one that fires as often, but at random.
///
/// Any detector that fires finds something: where the windows around the references take up a
/// share p of the time, so does each blind shot with a probability of at most p. That, and not zero,
/// is what a recall must be held against.
public struct ChanceTest: Hashable, Sendable, Codable {
  /// Matched pairs.
  public var hits: Int
  /// Hits and false alarms.
  public var detections: Int
  /// Hits that blind shots would have, on average, at most.
  public var expectedHits: Double
  /// The probability that as many blind shots have as many hits or more, one-sided.
  public var pValue: Double

  /// Above this, the hits are not told from chance.
  public static let level = 0.05
  public var isAboveChance: Bool { pValue <= Self.level }

  /// The binomial test, with the mean of the recordings' chances: where they differ, it errs on the
  /// side of chance (Hoeffding, Annals of Mathematical Statistics 27, 1956).
  ///
  /// Each recording's own number of shots is kept, so it matters not which ones fire most; within
  /// a recording, shots are taken as independent. Several in one window make for fewer hits, not
  /// more. What would make it too bold is a rhythm: steps at the pace of the references hit either
  /// most windows or hardly any. It refutes chance, and tells nothing of use: recall and false
  /// alarms held out do that.
  /// - Parameters:
  ///   - counts: by recording, of data that nothing was chosen on.
  ///   - chances: share of the scored time within a window around a reference; nil where one is
  ///     not known, and then so is the test.
  init?(_ counts: [EventCounts], chances: [Double?]) {
    let known = chances.compactMap(\.self)
    guard known.count == counts.count else { return nil }
    hits = counts.reduce(0) { $0 + $1.truePositives }
    detections = counts.reduce(hits) { $0 + $1.falsePositives }
    expectedHits = zip(counts, known).reduce(0) {
      $0 + Double($1.0.truePositives + $1.0.falsePositives) * min(max($1.1, 0), 1)
    }
    let mean = detections > 0 ? min(expectedHits / Double(detections), 1) : 0
    let probability = try? Distributions.binomialProbability(ofAtLeast: hits, in: detections, mean)
    guard let probability else { return nil }
    pValue = probability
  }
}
