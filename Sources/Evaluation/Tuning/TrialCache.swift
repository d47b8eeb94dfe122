public import Scoring
public import TraceModel
public import Tuning

/// Everything that determines a result.
public struct TrialKey: Hashable, Sendable, Encodable {
  public var trace: String
  /// The version of the program and of everything else that determines the detector's results.
  public var program: String
  public var detector: String
  public var preset: String
  /// The values that replace those of the preset, by name.
  public var parameters: [String: String]
  /// The threshold: name, range and points, or a single value.
  public var threshold: String
  /// The tolerance in nanoseconds; nil = the reference's own.
  public var tolerance: Int64?
  /// The path of the recording to the detector, and the simulated person who acts on prompts.
  public var chain: String
}

/// Stores results of detectors on recordings, so that interrupted work can continue.
public protocol TrialCache: Sendable {
  /// The place of the cache, for messages.
  var name: String { get }

  func curve(_ key: TrialKey) throws -> ThresholdCurve?
  func keep(_ curve: ThresholdCurve, _ key: TrialKey) throws
  func score(_ key: TrialKey) throws -> EventScore?
  func keep(_ score: EventScore, _ key: TrialKey) throws
  /// The onsets of the detections.
  func onsets(_ key: TrialKey) throws -> [TraceInstant]?
  func keep(_ onsets: [TraceInstant], _ key: TrialKey) throws
}
