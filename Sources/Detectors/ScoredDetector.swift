public import TraceModel

/// A detector that compares samples with one threshold, in such a way that what it would do at any
/// threshold follows from one pass over the recording.
///
/// Scores are numbers of the detector's own making, a square for instance, that rise with the
/// threshold: a sample of score s fires at a threshold t where s > `score(ofThreshold: t)`. A
/// detector that does not conform is swept by running it again at each threshold, as is one that
/// does on a recording whose measured times fall.
///
/// What is promised here is what the sweep computes with in place of runs: if `ingest` does
/// something else, the curve is wrong. Hold the two together in a test, by runs at some thresholds,
/// above all at `threshold(ofScore:)` of some samples and at the number just below.
///
/// A detector that fires on the first sample whose `magnitude` is over the threshold, and then rests
/// (with `measured >= quietUntil`, and `quietUntil = measured.advanced(bySeconds: rest)`):
///
/// ```swift
/// extension SwingDetector: ScoredDetector {
///   static let thresholdParameter = "threshold"
///   static func thresholdRule(of parameters: Parameters) -> ThresholdRule? {
///     // As advanced(bySeconds:) rounds it.
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
///       // Not `score > limit`: that would leave out NaN.
///       if !(score <= limit) { samples.append(position, score: score) }
///     }
///   }
/// }
/// ```
///
/// One that reports each sample which neither neighbour reaches, if it is over the threshold, with
/// its magnitude as the detection's value, needs less: its rule is `.nested`, and in place of
/// `appendScores` it has
///
/// ```swift
/// static func score(of detection: DetectionRecord, _: Parameters) -> Double { detection.value }
/// ```
public protocol ScoredDetector: Detector {
  /// The name of the threshold among the ``Detector/parameterFields``.
  static var thresholdParameter: String { get }

  /// How detections follow from scores; nil where, with these parameters, they follow only from a
  /// run. The threshold's own value has no part in it.
  static func thresholdRule(of parameters: Parameters) -> ThresholdRule?

  /// The highest score that does not fire at `threshold`. Never falls as the threshold rises.
  static func score(ofThreshold threshold: Double, _ parameters: Parameters) -> Double

  /// The lowest threshold at which a sample of that score does not fire.
  static func threshold(ofScore score: Double, _ parameters: Parameters) -> Double

  /// Appends the samples of `columns` of which some score lies above `limit`, and those that
  /// cannot be compared, in their order. The columns are a window of the recording's: positions run
  /// over its `range`. Needed for ``ThresholdRule/lockout(_:)``.
  static func appendScores(
    of columns: Columns, above limit: Double, _ parameters: Parameters,
    into samples: inout ScoredSamples)

  /// The highest score at which a detection is no longer reported. Needed for
  /// ``ThresholdRule/nested``.
  static func score(of detection: DetectionRecord, _ parameters: Parameters) -> Double
}

extension ScoredDetector {
  public static func appendScores(
    of columns: Columns, above limit: Double, _ parameters: Parameters,
    into samples: inout ScoredSamples
  ) {
    preconditionFailure("\(name) has a lockout rule and no scores of samples")
  }

  public static func score(of detection: DetectionRecord, _ parameters: Parameters) -> Double {
    preconditionFailure("\(name) has a nested rule and no scores of events")
  }
}

/// How detections follow from scores.
public enum ThresholdRule: Hashable, Sendable {
  /// By the event's own score alone: what is reported at a threshold is what is reported at a lower
  /// one, without the events that do not reach it.
  case nested
  /// The first sample over the threshold decides, and for a time nothing else can fire: a lower
  /// threshold fires earlier, and can so miss what a higher one finds.
  case lockout(Lockout)
}

/// A state machine that fires on the first sample over the threshold, takes the highest sample of
/// a window for the event, and then waits.
public struct Lockout: Hashable, Sendable {
  /// What has to happen after an event, once the window is over, before the next can fire.
  public enum Rearming: Hashable, Sendable {
    /// Nothing.
    case none
    /// A sample at rest.
    case rest
    /// The beginning of the next stretch in which the detector listens.
    case nextStretch
  }

  /// Nanoseconds from the sample that fires, both ends inclusive, in which the highest sample is
  /// the event; 0 = the sample that fires.
  public var peakWindow: Int64
  /// Nanoseconds from the event in which nothing fires; a sample that lies just so far from it does.
  public var refractory: Int64
  public var rearming: Rearming
  /// Whether it listens only between an arm action and the next disarm action, at which a window
  /// ends. At an arm action it counts as at rest.
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

/// The samples of a recording that are over some threshold, with their scores, as columns.
public struct ScoredSamples: Sendable {
  /// Positions in the recording's columns, ascending.
  public private(set) var positions: [Int] = []
  /// The sample fires at every threshold whose score is lower. NaN, as in all three, for a sample
  /// that cannot be compared: it does not fire, and it is not at rest.
  public private(set) var firing: [Double] = []
  /// The sample is at rest at every threshold whose score is this or higher; not below `firing`.
  /// Nil = as `firing`.
  public private(set) var resting: [Double]?
  /// The sample with the largest of these is the event of its window. Nil = as `firing`.
  public private(set) var heights: [Double]?

  public init() {}

  public var count: Int { positions.count }

  /// A sample whose three figures are one.
  public mutating func append(_ position: Int, score: Double) {
    precondition(resting == nil && heights == nil, "samples of two kinds")
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
