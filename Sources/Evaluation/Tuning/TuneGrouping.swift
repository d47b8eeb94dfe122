package import Tuning

/// What stays together when something is held out.
package struct TuneGrouping: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case subject, recording
  }

  package var kind: Kind
  /// Of each recording.
  package var labels: [String]
  /// Recordings whose subject is not known, which then are groups of their own.
  package var withoutSubject = 0
  /// Whether one person may be both tuned on and held out.
  package var isOptimistic: Bool

  package init(_ recordings: [TrialRecording], by kind: Kind) {
    self.kind = kind
    let unknown = recordings.count { $0.subject.isEmpty }
    switch kind {
    case .subject:
      withoutSubject = unknown
      labels = recordings.map { $0.subject.isEmpty ? "recording \($0.id)" : $0.subject }
      // Whoever made it may have made any of the others too.
      isOptimistic = unknown > 0 && recordings.count > 1
    case .recording:
      labels = recordings.map(\.id)
      let known = recordings.map(\.subject).filter { !$0.isEmpty }
      isOptimistic = unknown > 0 || Set(known).count < known.count
    }
  }
}
