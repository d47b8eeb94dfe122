package import Scoring
package import Tuning

/// Everything that determines a result.
package struct TrialKey: Hashable, Sendable, Encodable {
  /// The SHA-256 of the recording's file.
  package var trace: String
  /// The version of the program and of everything else that determines the detector's results.
  package var program: String
  package var detector: String
  package var preset: String
  /// The values that replace those of the preset, by name.
  package var parameters: [String: String]
  /// The threshold: name, range and points, or a single value.
  package var threshold: String
  /// The tolerance in nanoseconds; nil = the reference's own.
  package var tolerance: Int64?
  /// The path of the recording to the detector, and the simulated person who acts on prompts.
  package var chain: String
}

/// Stores results of detectors on recordings, so that interrupted work can continue.
package protocol TrialCache: Sendable {
  /// The place of the cache, for messages.
  var name: String { get }

  func curve(_ key: TrialKey) throws -> ThresholdCurve?
  func keep(_ curve: ThresholdCurve, _ key: TrialKey) throws
  func score(_ key: TrialKey) throws -> EventScore?
  func keep(_ score: EventScore, _ key: TrialKey) throws
}
