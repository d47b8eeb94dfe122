internal import Scoring

/// A group with the choice made without its fold.
public struct TuningFold: Sendable {
  public var group: String
  /// The positions of the group's recordings in ``TuningResult/recordings``.
  public var recordings: [Int]
  /// The number of its fold, from 0, which may have further groups without references.
  public var fold: Int
  /// The result of tuning on the other folds; without a choice, nothing is detected in this group.
  public var settings: ParameterSettings
  public var outcome: ThresholdOutcome
}

/// Cross-validation with the whole tuning inside (nested: Varma and Simon, BMC Bioinformatics 7:91,
/// 2006): the figure of a group comes from parameters that were chosen without it. See
/// ``Grouping/folds``.
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
    for (number, groups) in grouping.folds.enumerated() {
      let best = try await search.best(grouping.without(groups))
      let counts = try await Self.counts(best, search.store)
      for group in groups {
        let recordings = grouping.groupOfRecording.indices.filter {
          grouping.groupOfRecording[$0] == group
        }
        for recording in recordings { crossValidated[recording] = counts[recording] }
        folds.append(
          TuningFold(
            group: grouping.names[group], recordings: recordings, fold: number,
            settings: best.settings, outcome: best.outcome))
      }
    }
    folds.sort { ($0.recordings.first ?? 0) < ($1.recordings.first ?? 0) }
  }

  /// Returns the counts of a candidate on each recording; zero without a threshold.
  static func counts(
    _ candidate: Search.Candidate, _ store: TrialStore
  ) async throws -> [EventCounts] {
    let curves = try await store.curves(at: candidate.settings, .preset)
    return curves.counts(at: candidate.outcome.choice?.threshold ?? -.infinity)
  }
}
