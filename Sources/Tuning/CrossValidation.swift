internal import Scoring

/// A fold: the choice made without one group, and its outcome on that group.
public struct TuningFold: Sendable {
  /// The group's name.
  public var group: String
  /// The positions of the group's recordings in ``TuningResult/recordings``.
  public var recordings: [Int]
  /// The result of tuning on the other groups; without a choice, nothing is detected in this group.
  public var settings: ParameterSettings
  public var outcome: ThresholdOutcome
}

/// Leave-one-group-out, with the whole tuning inside (nested cross-validation: Varma and Simon, BMC
/// Bioinformatics 7:91, 2006): the figure of a group comes from parameters that were chosen without
/// it.
///
/// A fold's threshold needs no further run, because there is one curve per recording. Each fold is
/// tuned on one group less than the final result, so with few groups the estimate is usually
/// pessimistic.
struct CrossValidation: Sendable {
  var folds: [TuningFold]
  /// The counts by recording, in the order of the grouping, at the choice of the recording's fold.
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

  /// Returns the counts of a candidate on each recording; zero without a threshold.
  static func counts(
    _ candidate: Search.Candidate, _ store: TrialStore
  ) async throws -> [EventCounts] {
    let curves = try await store.curves(at: candidate.settings, .preset)
    return curves.counts(at: candidate.outcome.choice?.threshold ?? -.infinity)
  }
}
