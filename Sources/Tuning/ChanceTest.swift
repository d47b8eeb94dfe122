internal import Scoring

/// Tests whether a detector hits more than one that fires as often, but at random.
///
/// Any detector that fires finds something: if the windows around the references cover a share p of
/// the time, a random detection hits with a probability of at most p. A recall has to be compared
/// with this chance level, not with zero.
public struct ChanceTest: Hashable, Sendable, Codable {
  /// Matched pairs.
  public var hits: Int
  /// Hits and false alarms.
  public var detections: Int
  /// The expected number of hits at chance level, at most.
  public var expectedHits: Double
  /// The one-sided probability that as many random detections have as many hits or more.
  public var pValue: Double

  /// The significance level: above it, the hits do not differ from chance.
  public static let level = 0.05
  public var isAboveChance: Bool { pValue <= Self.level }

  /// The binomial test, with the mean of the recordings' chances: if they differ, the test is
  /// conservative (Hoeffding, Annals of Mathematical Statistics 27, 1956).
  ///
  /// The number of detections of each recording is fixed, so it does not matter which recordings
  /// have most. Within a recording, random detections count as independent. Several in one window
  /// give fewer hits, not more. A rhythm would make the test too liberal: steps at the pace of the
  /// references hit either most windows or hardly any. The test rejects chance; usefulness follows
  /// from the cross-validated recall and false alarms.
  /// - Parameters:
  ///   - counts: by recording, on data that were not used for the choice.
  ///   - chances: share of the scored time within a window around a reference; the test is nil if
  ///     one of them is nil.
  init?(_ counts: [EventCounts], chances: [Double?]) {
    let known = chances.compactMap(\.self)
    guard known.count == counts.count else { return nil }
    hits = counts.reduce(0) { $0 + $1.truePositives }
    detections = counts.reduce(hits) { $0 + $1.falsePositives }
    expectedHits = zip(counts, known).reduce(0) {
      $0 + Double($1.0.truePositives + $1.0.falsePositives) * min(max($1.1, 0), 1)
    }
    let mean = detections > 0 ? min(expectedHits / Double(detections), 1) : 0
    let probability = Distributions.binomialProbability(ofAtLeast: hits, in: detections, mean)
    guard let probability else { return nil }
    pValue = probability
  }
}
