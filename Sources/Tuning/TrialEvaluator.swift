public import Detectors
public import Scoring

/// Values of a detector's parameters, by name; the others keep their values.
public typealias ParameterSettings = [String: ParameterValue]

/// Evaluates a detector on a fixed list of recordings for a search.
///
/// Both functions return one element per recording, always in the same order, and equal settings
/// always give equal results: a search may call them in any order and cache the results.
public protocol TrialEvaluator: Sendable {
  /// The recordings, in the order of the answers.
  var recordings: [TrialRecording] { get }

  /// Returns the curves over all thresholds, with the other parameters from `settings`.
  func curves(at settings: ParameterSettings) async throws -> [ThresholdCurve]

  /// Returns the scores at one threshold, including latencies.
  func scores(at settings: ParameterSettings, threshold: Double) async throws -> [EventScore]
}

/// The facts about a recording that a search needs.
public struct TrialRecording: Hashable, Sendable, Codable {
  public var id: String
  /// The subject; empty = not known.
  public var subject: String
  /// The activity; empty = not known.
  public var activity: String
  /// The number of references outside ignore zones.
  public var references: Int
  /// The SHA-256 of the file.
  public var sha256: String

  public init(id: String, subject: String, activity: String, references: Int, sha256: String) {
    self.id = id
    self.subject = subject
    self.activity = activity
    self.references = references
    self.sha256 = sha256
  }
}
