public import Detectors
public import Scoring

/// Values of a detector's parameters, by name; what is not named keeps its value.
public typealias ParameterSettings = [String: ParameterValue]

/// What a search asks about a detector on a fixed list of recordings.
///
/// Both answers hold one figure for each recording, in the same order every time, and the same
/// settings always get the same answer: a search may ask in any order and keep what it was told.
public protocol TrialEvaluator: Sendable {
  /// The recordings, in the order of the answers.
  var recordings: [TrialRecording] { get }

  /// Over all thresholds, with the other parameters as `settings` says.
  func curves(at settings: ParameterSettings) async throws -> [ThresholdCurve]

  /// At one threshold, with latencies and all else that a run tells.
  func scores(at settings: ParameterSettings, threshold: Double) async throws -> [EventScore]
}

/// A recording as far as a search has to know it.
public struct TrialRecording: Hashable, Sendable, Codable {
  public var id: String
  /// Whose it is; empty = not known.
  public var subject: String
  /// What was done in it; empty = not known.
  public var activity: String
  /// References that count.
  public var references: Int
  /// Of the file.
  public var sha256: String

  public init(id: String, subject: String, activity: String, references: Int, sha256: String) {
    self.id = id
    self.subject = subject
    self.activity = activity
    self.references = references
    self.sha256 = sha256
  }
}
