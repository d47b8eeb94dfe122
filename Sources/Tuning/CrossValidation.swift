internal import Scoring

/// One group held out: what was chosen without it, and what that does on it.
public struct TuningFold: Sendable {
  /// The group's name.
  public var group: String
  /// Positions of its recordings in ``TuningResult/recordings``.
  public var recordings: [Int]
  /// Of the tuning on the other groups; without a choice, nothing is detected in this one.
  public var settings: ParameterSettings
  public var outcome: ThresholdOutcome
}

/// Leave-one-group-out, with the whole tuning inside (nested cross-validation: Varma and Simon, BMC
/// Bioinformatics 7:91, 2006): a figure of a group comes from parameters that never saw it.
///
/// Nothing is run again for a fold's threshold, for the curves are by recording. Each tuning sees
/// one group less than the final one, so with few groups the estimate is pessimistic, as a rule.
struct CrossValidation: Sendable {
  var folds: [TuningFold]
  /// By recording, in the order of the grouping: at what its fold chose.
  var crossValidated: [EventCounts]

  init(_ search: Search) async throws {
    let grouping = search.grouping
    folds = []
    crossValidated = grouping.order.map { _ in EventCounts() }
    for group in 0..<grouping.count {
      let best = try await search.best(grouping.without(group))
      let recordings = grouping.groupOfRecording.indices.filter {
        grouping.groupOfRecording[$0] == group
      }
      let counts = try await Self.counts(best, search.store)
      for recording in recordings { crossValidated[recording] = counts[recording] }
      folds.append(
        TuningFold(
          group: grouping.names[group], recordings: recordings, settings: best.settings,
          outcome: best.outcome))
    }
  }

  /// What a candidate does on each recording: nothing, where it has no threshold.
  static func counts(
    _ candidate: Search.Candidate, _ store: TrialStore
  ) async throws -> [EventCounts] {
    let curves = try await store.curves(at: candidate.settings, .preset)
    return curves.counts(at: candidate.outcome.choice?.threshold ?? -.infinity)
  }
}
