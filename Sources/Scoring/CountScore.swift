public import TraceModel

/// The number of detections of one recording against a stated number of events.
///
/// A count does not show which detection is right: a miss and a false alarm cancel. So it is a
/// weaker reference than events, and has separate figures.
///
/// ```swift
/// CountScore(stated: 50, detected: 48).percentError  // -4.0
/// CountScore(stated: 0, detected: 2).percentError == nil  // true
/// ```
public struct CountScore: Hashable, Sendable, Codable {
  public var stated: Int
  /// The number of detections outside ignore zones.
  public var detected: Int

  public init(stated: Int, detected: Int) {
    self.stated = stated
    self.detected = detected
  }

  /// Counts the detections of the reference's task.
  /// - Parameter ignoreZones: detections inside do not count, both ends included.
  public init(
    _ reference: ReferenceCount, detections: [DetectionRecord], ignoreZones: [IgnoreZone]
  ) {
    let zones = ZoneUnion(ignoreZones)
    self.init(
      stated: reference.count,
      detected: detections.count {
        $0.kind == reference.task.rawValue && !zones.contains($0.onset)
      })
  }

  /// Detected minus stated: positive if too many are detected.
  public var error: Int { detected - stated }

  /// The error in % of the stated number; nil if that is zero.
  public var percentError: Double? { stated > 0 ? 100 * Double(error) / Double(stated) : nil }

  /// The best case of a match: up to the number of events, detections are hits; further ones are
  /// false alarms, and missing ones are misses. So misses plus false alarms equal the size of the
  /// error. A match of the events, if they were known, would have at least as many misses and false
  /// alarms.
  public var bestMatch: EventCounts {
    let hits = min(stated, detected)
    return EventCounts(
      truePositives: hits, falsePositives: detected - hits, falseNegatives: stated - hits)
  }

  public var figures: [Figure] {
    [
      .count(.countStated, stated), .count(.countDetected, detected),
      .count(.countError, error),
      Figure(.countErrorPercent, percentError),
    ]
  }
}

/// The counts of several recordings.
///
/// ```swift
/// let scores = [CountScore(stated: 50, detected: 48), CountScore(stated: 50, detected: 52)]
/// CountSummary(of: scores).total.error  // 0
/// CountSummary(of: scores).absoluteError  // 4
/// ```
public struct CountSummary: Hashable, Sendable, Codable {
  public var recordings: Int
  /// The sum over all recordings, in which errors of different signs cancel.
  public var total: CountScore
  /// The sum of the sizes of the recordings' errors: nothing cancels.
  public var absoluteError: Int

  public init(of scores: [CountScore]) {
    recordings = scores.count
    total = CountScore(
      stated: scores.reduce(0) { $0 + $1.stated }, detected: scores.reduce(0) { $0 + $1.detected })
    absoluteError = scores.reduce(0) { $0 + abs($1.error) }
  }

  /// The sum of the sizes of errors in % of the stated number; nil if none is stated.
  public var percentAbsoluteError: Double? {
    total.stated > 0 ? 100 * Double(absoluteError) / Double(total.stated) : nil
  }
}

extension CountSummary {
  /// The sum of the sizes of errors that a detector has which reports as many events, but looks at
  /// nothing: at an even pace or, if that is smaller, at random times, of which one in twenty is as
  /// small. Only a smaller sum shows that counts follow what happens.
  /// - Returns: nil without a time.
  public static func errorOfBlind(
    _ recordings: [(score: CountScore, hours: Double)]
  ) -> Double? {
    let hours = recordings.reduce(0) { $0 + $1.hours }
    guard hours > 0 else { return nil }
    let detected = recordings.reduce(0) { $0 + $1.score.detected }
    let even = recordings.reduce(0) {
      $0 + abs(Double(detected) * $1.hours / hours - Double($1.score.stated))
    }
    var draws = Draws(seed: 1)
    let random = (0..<400).map { _ in
      var (left, time, sum) = (detected, hours, 0)
      for recording in recordings {
        let count = time > 0 ? draws.binomial(left, min(recording.hours / time, 1)) : 0
        left -= count
        time -= recording.hours
        sum += abs(count - recording.score.stated)
      }
      return Double(sum)
    }.sorted()
    return min(even, random[19])
  }
}

/// The counts of several recordings: totals, which have no interval, and errors per recording, in
/// which each person has the same weight, and each recording of a person.
extension Clustered<[CountScore]> {
  public var figures: [Figure] {
    let summary = CountSummary(of: pooled)
    return [.count(.countTraces, summary.recordings)] + summary.total.figures + [
      .count(.countAbsoluteError, summary.absoluteError),
      Figure(.countAbsoluteErrorPercent, summary.percentAbsoluteError),
    ] + errors(.countError) { Double($0.error) } + errors(.countErrorPercent, { $0.percentError })
  }
}
