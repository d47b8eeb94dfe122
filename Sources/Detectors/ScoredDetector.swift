public import TraceModel

/// A detector that compares samples with one threshold, so that its output at any threshold follows
/// from one pass over the recording.
///
/// A score is a number defined by the detector, for instance a square, that rises with the
/// threshold: a sample of score s fires at a threshold t if s > `score(ofThreshold: t)`. A sweep
/// runs a detector that does not conform once per threshold. It does the same with a conforming one
/// on a recording whose measured times decrease.
///
/// The sweep uses these functions instead of runs: if `ingest` behaves differently, the curve is
/// wrong. Compare the two in a test with runs at some thresholds, in particular at
/// `threshold(ofScore:)` of some samples and at the number just below.
///
/// Example: a detector that fires on the first sample whose `magnitude` is over the threshold, and
/// then rests (with `measured >= quietUntil`, and `quietUntil = measured.advanced(bySeconds:
/// rest)`):
///
/// ```swift
/// extension SwingDetector: ScoredDetector {
///   static let thresholdParameter = "threshold"
///   static func thresholdRule(of parameters: Parameters) -> ThresholdRule? {
///     // Rounded as in advanced(bySeconds:).
///     let rest = Int64(nanosecondsFromSeconds: parameters.rest) ?? .max
///     return .lockout(
///       Lockout(peakWindow: 0, refractory: rest, rearming: .none, listensWhenArmed: false))
///   }
///   static func score(ofThreshold threshold: Double, _: Parameters) -> Double { threshold }
///   static func threshold(ofScore score: Double, _: Parameters) -> Double { score }
///   static func appendScores(
///     of columns: VectorColumns, above limit: Double, _: Parameters,
///     into samples: inout ScoredSamples
///   ) {
///     for position in columns.range {
///       let score = magnitude(columns[position])
///       // Not `score > limit`, which would omit NaN.
///       if !(score <= limit) { samples.append(position, score: score) }
///     }
///   }
/// }
/// ```
///
/// A detector that reports each local maximum over the threshold, with its magnitude as the value
/// of the detection, needs less: its rule is `.nested`, and instead of `appendScores` it has
///
/// ```swift
/// static func score(of detection: DetectionRecord, _: Parameters) -> Double { detection.value }
/// ```
public protocol ScoredDetector: Detector {
  /// The name of the threshold in ``Detector/parameterFields``.
  static var thresholdParameter: String { get }

  /// Returns how detections follow from scores; nil if, with these parameters, only a run gives
  /// them. Independent of the value of the threshold.
  static func thresholdRule(of parameters: Parameters) -> ThresholdRule?

  /// Returns the highest score that does not fire at `threshold`. Does not decrease with the
  /// threshold.
  static func score(ofThreshold threshold: Double, _ parameters: Parameters) -> Double

  /// Returns the lowest threshold at which a sample of that score does not fire.
  static func threshold(ofScore score: Double, _ parameters: Parameters) -> Double

  /// Appends, in order, the samples of `columns` that have a score above `limit` or cannot be
  /// compared. The columns are a window of the recording: positions are those of its `range`.
  /// Needed for ``ThresholdRule/lockout(_:)``.
  static func appendScores(
    of columns: Columns, above limit: Double, _ parameters: Parameters,
    into samples: inout ScoredSamples)

  /// Returns the highest score at which a detection is no longer reported. Needed for
  /// ``ThresholdRule/nested``.
  static func score(of detection: DetectionRecord, _ parameters: Parameters) -> Double
}

extension ScoredDetector {
  public static func listensWhenArmed(_ parameters: Parameters) -> Bool {
    if case .lockout(let lockout)? = thresholdRule(of: parameters) {
      lockout.listensWhenArmed
    } else {
      false
    }
  }

  public static func appendScores(
    of columns: Columns, above limit: Double, _ parameters: Parameters,
    into samples: inout ScoredSamples
  ) { preconditionFailure("\(name) has a lockout rule: implement appendScores") }

  public static func score(of detection: DetectionRecord, _ parameters: Parameters) -> Double {
    preconditionFailure("\(name) has a nested rule: implement score(of:)")
  }
}

/// The rule by which detections follow from scores.
///
/// ```swift
/// let header = TraceHeader(id: "bag", origin: .recorded)
/// let peaks = PunchDetector.preset(named: "peaks")?.parameters(for: header)
/// peaks.flatMap(PunchDetector.thresholdRule) == .nested  // true
/// ```
public enum ThresholdRule: Hashable, Sendable {
  /// The score of an event alone decides: the events at a threshold are those at a lower one that
  /// reach it.
  case nested
  /// The first sample over the threshold fires, and nothing else can fire for some time. A lower
  /// threshold fires earlier and can therefore miss an event that a higher one finds.
  case lockout(Lockout)
}

/// A state machine that fires on the first sample over the threshold, reports the highest sample of
/// a window as the event, and then waits.
///
/// ```swift
/// let card = PunchDetector.preset(named: "hitThatCards")
/// let parameters = card?.parameters(for: TraceHeader(id: "bag", origin: .recorded))
/// let none = Lockout(peakWindow: 0, refractory: 0, rearming: .none, listensWhenArmed: false)
/// parameters.flatMap(PunchDetector.thresholdRule) == .lockout(none)  // true
/// ```
public struct Lockout: Hashable, Sendable {
  /// The condition to fire again after the window of an event.
  public enum Rearming: Hashable, Sendable {
    /// No condition.
    case none
    /// A sample at rest.
    case rest
    /// The start of the next stretch in which the detector listens.
    case nextStretch
  }

  /// The window in nanoseconds after the sample that fires (both ends inclusive), whose highest
  /// sample is the event; 0 = the sample that fires.
  public var peakWindow: Int64
  /// The time in nanoseconds after the event in which nothing fires; a sample at exactly this
  /// distance can fire.
  public var refractory: Int64
  public var rearming: Rearming
  /// Whether the detector listens only between an arm action and the next disarm action, which ends
  /// a window. An arm action counts as rest.
  public var listensWhenArmed: Bool

  public init(
    peakWindow: Int64, refractory: Int64, rearming: Rearming, listensWhenArmed: Bool
  ) {
    self.peakWindow = peakWindow
    self.refractory = refractory
    self.rearming = rearming
    self.listensWhenArmed = listensWhenArmed
  }
}

/// The samples of a recording that exceed some threshold, with their scores, as columns.
///
/// ```swift
/// var samples = ScoredSamples()
/// samples.append(3, score: 961)
/// samples.resting == nil  // true
/// ```
public struct ScoredSamples: Sendable {
  /// Positions in the recording's columns, ascending.
  public private(set) var positions: [Int] = []
  /// The score below which a threshold makes the sample fire. NaN, in all three columns, for a
  /// sample that cannot be compared: it neither fires nor is at rest.
  public private(set) var firing: [Double] = []
  /// The score from which on a threshold leaves the sample at rest; not below `firing`. Nil = same
  /// as `firing`.
  public private(set) var resting: [Double]?
  /// The heights: the sample with the largest one is the event of its window. Nil = same as
  /// `firing`.
  public private(set) var heights: [Double]?

  public init() {}

  public var count: Int { positions.count }

  /// Appends a sample with one score for all three columns.
  public mutating func append(_ position: Int, score: Double) {
    precondition(resting == nil && heights == nil, "samples with one and with three scores")
    positions.append(position)
    firing.append(score)
  }

  public mutating func append(_ position: Int, firing: Double, resting: Double, height: Double) {
    precondition((self.resting != nil && heights != nil) || positions.isEmpty, "two kinds")
    positions.append(position)
    self.firing.append(firing)
    self.resting = self.resting ?? []
    self.resting?.append(resting)
    heights = heights ?? []
    heights?.append(height)
  }
}
