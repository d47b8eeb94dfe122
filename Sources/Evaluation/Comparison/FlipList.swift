internal import Scoring
public import TraceModel

/// A detection that one side has and the other has not, or has differently.
public struct Flip: Sendable, Hashable {
  public enum Change: Sendable, Hashable {
    case lost(MeasuredDetection)
    case gained(MeasuredDetection)
    case moved(from: MeasuredDetection, to: MeasuredDetection)
  }

  public enum Kind: String, CaseIterable, Sendable, Encodable {
    case lost, gained, moved
  }

  public var change: Change
  /// The score less the threshold of the side that does not have the detection, in the unit of the
  /// threshold: 0 or less where the threshold is the reason. For a moved one, that of the head. Nil
  /// without scores.
  public var margin: Double?

  public var kind: Kind {
    switch change {
    case .lost: .lost
    case .gained: .gained
    case .moved: .moved
    }
  }

  /// Whether the sides differ only in when they report the detection.
  public var isOnlyRetimed: Bool {
    guard case .moved(let base, let head) = change else { return false }
    var record = head.record
    (record.emitted, record.newestMeasured) = (base.record.emitted, base.record.newestMeasured)
    return record == base.record
  }

  /// The detection of the base; nil if it is gained.
  public var base: MeasuredDetection? {
    switch change {
    case .lost(let detection), .moved(let detection, _): detection
    case .gained: nil
    }
  }

  /// The detection of the head; nil if it is lost.
  public var head: MeasuredDetection? {
    switch change {
    case .gained(let detection), .moved(_, let detection): detection
    case .lost: nil
    }
  }

  /// The detection that there is; of a moved one that of the base.
  public var detection: MeasuredDetection {
    switch change {
    case .lost(let detection), .gained(let detection), .moved(let detection, _): detection
    }
  }

  /// The time of the detection.
  public var onset: TraceInstant { detection.record.onset }

  /// The first reading at which the two sides report differently because of this detection.
  public var newestReading: Int? {
    [base?.newestReading, head?.newestReading].compactMap(\.self).min()
  }

  /// The time at which the two sides first report differently because of this detection.
  public var firstTime: TraceInstant {
    [base, head].compactMap { $0?.record.emitted }.min() ?? onset
  }

  /// E.g. `true_positive`, or `true_positive -> duplicate` for one that is moved.
  public var outcome: String {
    guard case .moved(let base, let head) = change, base.outcome != head.outcome else {
      return detection.outcome
    }
    return "\(base.outcome) -> \(head.outcome)"
  }
}

/// The detections of two runs on one trace that differ.
public struct FlipList: Sendable {
  /// In the order of time.
  public let flips: [Flip]
  /// The detections that are equal but for what became of them: another detection has taken or left
  /// their reference.
  public let rejudged: Int

  /// - Complexity: O(n log n) for n detections.
  public init(from base: MeasuredRun, to head: MeasuredRun) {
    let (before, after) = (base.detections, head.detections)
    let pairs = DetectionPairs(
      from: before.map(\.record), to: after.map(\.record), within: base.tolerance)
    rejudged = pairs.equal.count { before[$0.base].outcome != after[$0.head].outcome }
    var flips = pairs.moved.map { pair in
      Flip(
        change: .moved(from: before[pair.base], to: after[pair.head]),
        margin: Self.margin(after[pair.head], over: head.threshold))
    }
    for detection in pairs.lost.map({ before[$0] }) {
      let margin = Self.margin(detection, over: head.threshold)
      flips.append(Flip(change: .lost(detection), margin: margin))
    }
    for detection in pairs.gained.map({ after[$0] }) {
      let margin = Self.margin(detection, over: base.threshold)
      flips.append(Flip(change: .gained(detection), margin: margin))
    }
    self.flips = flips.enumerated()
      .sorted { ($0.element.onset, $0.offset) < ($1.element.onset, $1.offset) }.map(\.element)
  }

  private static func margin(_ detection: MeasuredDetection, over threshold: Double?) -> Double? {
    guard let score = detection.score, let threshold else { return nil }
    return score - threshold
  }
}
