internal import Diagnostics
internal import Scoring
public import TraceModel

/// A detection that only one side has, or that has moved.
public struct Flip: Sendable, Hashable {
  public enum Kind: String, CaseIterable, Sendable, Encodable {
    case lost, gained, moved
  }

  /// The detection of the base; nil if it is gained.
  public let base: MeasuredDetection?
  /// The detection of the head; nil if it is lost.
  public let head: MeasuredDetection?
  /// The detection of the base, or else of the head.
  public let detection: MeasuredDetection
  /// The score minus the threshold of the side without the detection (for a moved one, of the
  /// head): 0 or less where the threshold is the reason. nil without scores.
  public var margin: Double?

  public var kind: Kind { head == nil ? .lost : base == nil ? .gained : .moved }

  /// Whether the sides differ only in when they report the detection.
  public var isOnlyRetimed: Bool {
    guard let base, var record = head?.record else { return false }
    (record.emitted, record.newestMeasured) = (base.record.emitted, base.record.newestMeasured)
    return record == base.record
  }

  /// What differs between the two sides, with the texts of both.
  package typealias Change = (what: String, base: String, head: String)

  /// The first of time, time of report, value and label that differs; nil if only one side has the
  /// detection.
  package var change: Change? {
    guard let old = base?.record, let new = head?.record else { return nil }
    let all: [Change?] = [
      Self.times("moved", old.onset, new.onset), Self.times("reported", old.emitted, new.emitted),
      Self.numbers("value changed", old.value, new.value),
      old.label == new.label ? nil : ("label changed", old.label, new.label),
      Self.numbers("score changed", old.score, new.score),
    ]
    return all.compactMap { $0 }.first ?? ("changed", "", "")
  }

  private static func times(_ what: String, _ old: TraceInstant, _ new: TraceInstant) -> Change? {
    guard old != new else { return nil }
    let texts = [3, 6, 9].map { (fixed(old.seconds, $0), fixed(new.seconds, $0)) }
    let (base, head) = texts.first { $0.0 != $0.1 } ?? texts[2]
    return (what, base, head)
  }

  private static func numbers(_ what: String, _ old: Double?, _ new: Double?) -> Change? {
    let areNaN = old?.isNaN == true && new?.isNaN == true
    guard old != new, !areNaN else { return nil }
    let (base, head) = toldApart(old, new, { $0.map { number(rounded($0)) } ?? "none" })
    return (what, base, head)
  }

  /// `lost`, `gained` or `moved`; where all times are equal, what has changed, e.g. `value changed`.
  package var word: String {
    guard let what = change?.what, what.hasSuffix(" changed") else { return kind.rawValue }
    return what
  }

  /// E.g. `lost`, `moved 1.204 -> 1.21 s` or `value changed 59.2 -> 59.3`.
  package var text: String {
    guard let change else { return kind.rawValue }
    let isTime = change.what == "moved" || change.what == "reported"
    return change.base.isEmpty && change.head.isEmpty
      ? change.what : "\(change.what) \(change.base) -> \(change.head)\(isTime ? " s" : "")"
  }

  public var onset: TraceInstant { detection.record.onset }

  /// The first reading at which the two sides report differently because of this detection.
  public var newestReading: Int? {
    [base?.newestReading, head?.newestReading].compactMap(\.self).min()
  }

  /// The time at which the two sides first report differently because of this detection.
  public var firstTime: TraceInstant {
    [base, head].compactMap { $0?.record.emitted }.min() ?? onset
  }

  /// E.g. `true_positive`, or `true_positive -> duplicate` for a moved one.
  public var outcome: String {
    guard let base, let head, base.outcome != head.outcome else { return detection.outcome }
    return "\(base.outcome) -> \(head.outcome)"
  }
}

/// The detections of two runs on one trace that differ.
///
/// ```swift
/// var base = MeasuredRun(
///   entry: "punch", trace: "bag", traceSHA256: "", origin: "recorded", subject: "", activity: "",
///   task: "punch", facts: [:], tolerance: nil, threshold: nil, thresholdUnit: "", detections: [],
///   references: [], figures: [:], measurements: [:])
/// let head = base
/// let punch = DetectionRecord(onset: .zero, emitted: .zero, kind: "punch")
/// base.detections = [MeasuredDetection(punch, outcome: "true_positive")]
/// FlipList(from: base, to: head).flips.map(\.kind.rawValue)  // ["lost"]
/// ```
public struct FlipList: Sendable {
  /// In the order of time.
  public let flips: [Flip]
  /// The number of equal detections whose outcome differs because of other detections.
  public let rejudged: Int

  /// - Complexity: O(n log n) for n detections.
  public init(from base: MeasuredRun, to head: MeasuredRun) {
    let (before, after) = (base.detections, head.detections)
    guard before != after else {
      (flips, rejudged) = ([], 0)
      return
    }
    let pairs = DetectionPairs(
      from: before.map(\.record), to: after.map(\.record), within: base.tolerance)
    rejudged = pairs.equal.count { before[$0.base].outcome != after[$0.head].outcome }
    func margin(_ detection: MeasuredDetection, over threshold: Double?) -> Double? {
      detection.score.flatMap { score in threshold.map { score - $0 } }
    }
    var flips = pairs.moved.map { pair in
      let (old, new) = (before[pair.base], after[pair.head])
      return Flip(
        base: old, head: new, detection: old, margin: margin(new, over: head.threshold))
    }
    flips += pairs.lost.map { position in
      let old = before[position]
      return Flip(base: old, head: nil, detection: old, margin: margin(old, over: head.threshold))
    }
    flips += pairs.gained.map { position in
      let new = after[position]
      return Flip(base: nil, head: new, detection: new, margin: margin(new, over: base.threshold))
    }
    self.flips = flips.enumerated()
      .sorted { ($0.element.onset, $0.offset) < ($1.element.onset, $1.offset) }.map(\.element)
  }
}
