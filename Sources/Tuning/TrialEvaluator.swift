public import Detectors
public import Scoring

/// Values of a detector's parameters, by name; the others keep their values.
public typealias ParameterSettings = [String: ParameterValue]

/// The position of a recording among those of an evaluator, and the seed of its shifts.
public typealias SeededPlace = (position: Int, seed: UInt64)

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

  /// Returns the hits of the detections at one threshold, and of the same detections shifted, on some
  /// of the recordings; nil where the times of the events are not known.
  /// - Parameter threshold: nil = nothing is detected.
  func shiftedHits(
    at settings: ParameterSettings, threshold: Double?, of recordings: [SeededPlace]
  ) async throws -> [ShiftedHits?]
}

extension TrialEvaluator {
  public func shiftedHits(
    at settings: ParameterSettings, threshold: Double?, of recordings: [SeededPlace]
  ) async throws -> [ShiftedHits?] {
    recordings.map { _ in nil }
  }
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
  /// Whether only the number of events is known, not when they were.
  public var isCounted = false
  public var sha256: String

  public init(id: String, subject: String, activity: String, references: Int, sha256: String) {
    (self.id, self.subject, self.activity) = (id, subject, activity)
    (self.references, self.sha256) = (references, sha256)
  }
}
