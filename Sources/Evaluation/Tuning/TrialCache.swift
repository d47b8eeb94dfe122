package import Scoring
package import Tuning

/// Everything that an answer follows from.
package struct TrialKey: Hashable, Sendable, Encodable {
  /// Of the recording's file.
  package var trace: String
  /// Of the program, and of what else the detector's doing follows from.
  package var program: String
  package var detector: String
  package var preset: String
  /// That differ from the preset's, by name.
  package var parameters: [String: String]
  /// Of the threshold: name, range and points, or the single value.
  package var threshold: String
  /// Nanoseconds; nil = the reference's own.
  package var tolerance: Int64?
  /// What happens to the recording before the detector gets it, and who answers its prompts.
  package var chain: String
}

/// Keeps what detectors did on recordings, so that work that was interrupted goes on.
package protocol TrialCache: Sendable {
  /// The place where answers are kept, for messages.
  var name: String { get }

  func curve(_ key: TrialKey) throws -> ThresholdCurve?
  func keep(_ curve: ThresholdCurve, _ key: TrialKey) throws
  func score(_ key: TrialKey) throws -> EventScore?
  func keep(_ score: EventScore, _ key: TrialKey) throws
}
