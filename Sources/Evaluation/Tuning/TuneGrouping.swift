public import Tuning

/// The groups that stay together in cross-validation and in the test set.
public struct TuneGrouping: Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case subject, recording
  }

  public var kind: Kind
  /// The group of each recording.
  public var labels: [String]
  /// The number of recordings without a subject, each of which is a group.
  public var withoutSubject = 0
  /// Whether one person may be in several groups.
  public var isOptimistic: Bool

  public init(_ recordings: [TrialRecording], by kind: Kind) {
    self.kind = kind
    let unknown = recordings.count { $0.subject.isEmpty }
    switch kind {
    case .subject:
      withoutSubject = unknown
      labels = recordings.map { $0.subject.isEmpty ? "recording \($0.id)" : $0.subject }
      // An unknown subject may also be the subject of other recordings.
      isOptimistic = unknown > 0 && recordings.count > 1
    case .recording:
      labels = recordings.map(\.id)
      let known = recordings.map(\.subject).filter { !$0.isEmpty }
      isOptimistic = unknown > 0 || Set(known).count < known.count
    }
  }
}
