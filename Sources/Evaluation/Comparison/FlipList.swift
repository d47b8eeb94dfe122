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
    let (before, after, rejudged) = Self.differing(base.detections, head.detections)
    self.rejudged = rejudged
    let reach = base.tolerance.map { max($0.early, $0.late) } ?? .seconds(1)
    let pairs = Self.pairs(before, after, within: reach.nanoseconds)
    let (moved, arrived) = (Set(pairs.map(\.0)), Set(pairs.map(\.1)))
    var flips = pairs.map { old, new in
      Flip(
        change: .moved(from: before[old], to: after[new]),
        margin: Self.margin(after[new], over: head.threshold))
    }
    for (position, detection) in before.enumerated() where !moved.contains(position) {
      let margin = Self.margin(detection, over: head.threshold)
      flips.append(Flip(change: .lost(detection), margin: margin))
    }
    for (position, detection) in after.enumerated() where !arrived.contains(position) {
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

  /// The detections without an equal one on the other side, and how many equal ones were judged
  /// differently.
  private static func differing(
    _ base: [MeasuredDetection], _ head: [MeasuredDetection]
  ) -> ([MeasuredDetection], [MeasuredDetection], rejudged: Int) {
    var known = Dictionary(grouping: base.indices) { base[$0].record }.mapValues { $0[...] }
    var (isKept, rejudged) = ([Bool](repeating: false, count: base.count), 0)
    var gained: [MeasuredDetection] = []
    for detection in head {
      if let position = known[detection.record]?.popFirst() {
        isKept[position] = true
        if base[position].outcome != detection.outcome { rejudged += 1 }
      } else {
        gained.append(detection)
      }
    }
    return (base.indices.filter { !isKept[$0] }.map { base[$0] }, gained, rejudged)
  }

  /// Pairs detections of the same kind and place that are near each other, earliest first.
  private static func pairs(
    _ base: [MeasuredDetection], _ head: [MeasuredDetection], within reach: Int64
  ) -> [(Int, Int)] {
    struct Key: Hashable {
      var kind: String
      var place: Int32?
      init(_ detection: MeasuredDetection) {
        (kind, place) = (detection.record.kind, detection.record.place)
      }
    }
    func onset(_ detection: MeasuredDetection) -> Int64 { detection.record.onset.nanoseconds }
    func ordered(_ all: [MeasuredDetection]) -> [Key: [Int]] {
      Dictionary(grouping: all.indices) { Key(all[$0]) }
        .mapValues { $0.sorted { (onset(all[$0]), $0) < (onset(all[$1]), $1) } }
    }
    let others = ordered(head)
    var pairs: [(Int, Int)] = []
    for (key, own) in ordered(base) {
      var rest = (others[key] ?? [])[...]
      for position in own {
        let time = onset(base[position])
        while let next = rest.first, onset(head[next]) < time.subtractingClamped(reach) {
          rest.removeFirst()
        }
        guard let next = rest.first, onset(head[next]) <= time.addingClamped(reach) else {
          continue
        }
        rest.removeFirst()
        pairs.append((position, next))
      }
    }
    return pairs.sorted { $0 < $1 }
  }
}
