import Diagnostics
import Scoring
import TraceModel

/// The one cause that explains most of the errors of a scored result: its false alarms and misses.
///
/// A cause explains most if more than half of the errors, and at least five, would be gone without it. There
/// is none for a result with few errors, or with several causes of which none explains most. A shift that
/// explains most of the misses is a cause too, among many other false alarms.
public struct Diagnosis: Sendable, Equatable {
  public enum Cause: String, Sendable, CaseIterable {
    /// Right times, but other labels or places.
    case otherNames = "other_names"
    /// Numbers of samples, or milliseconds, read as seconds.
    case sampleNumbers = "sample_numbers"
    /// Prompts that nobody confirms.
    case unconfirmed
    /// Recordings without a detection.
    case silentRecordings = "silent_recordings"
    /// A constant shift between references and detections.
    case offset
    /// References and detections on one clock, but further apart than the tolerance.
    case tolerance
    /// Another shift in each recording.
    case ownOffsets = "own_offsets"
    /// Most misses have a false alarm at about the same distance, and most false alarms are others.
    case shiftedMisses = "shifted_misses"
    /// Several detections of one event.
    case duplicates
    /// One person, activity or recording.
    case person, activity, recording
  }

  public let cause: Cause
  /// The errors that the cause explains.
  public let explained: Int
  /// All misses and false alarms.
  public let errors: Int
  /// A sentence without a full stop, with the next step where there is one.
  public let text: String

  /// Fewer errors have no cause that can be told from chance.
  static let fewest = 5
  /// A result is healthy with a smaller share of errors among all events.
  static let healthyShare = 0.05

  /// - Parameter isOfLabels: whether label files are compared, not a detector's run.
  init?(_ recordings: [DiagnosedRecording], isOfLabels: Bool = false) {
    let causes = Causes(recordings: recordings, isOfLabels: isOfLabels)
    let hits = recordings.reduce(0) { $0 + $1.hits }
    guard causes.errors >= Self.fewest,
      Double(causes.errors) >= Self.healthyShare * Double(hits + causes.errors),
      let found = causes.first
    else { return nil }
    (cause, explained, errors, text) = (found.cause, found.explained, causes.errors, found.text)
  }

  /// The cause of the errors of runs of one entry.
  init?(_ runs: [RunRecord]) {
    self.init(
      runs.compactMap {
        DiagnosedRecording($0.header, task: $0.task, detections: $0.detections, score: $0.score)
      }, isOfLabels: runs.allSatisfy(\.detector.isEmpty))
  }

  /// Whether the data do not fit each other, rather than the detector these people or activities.
  public var isOfData: Bool {
    ![.person, .activity, .recording, .duplicates, .shiftedMisses].contains(cause)
  }
}

/// The causes that are looked for, the most specific first.
struct Causes {
  typealias Found = (cause: Diagnosis.Cause, explained: Int, text: String)

  let recordings: [DiagnosedRecording]
  let isOfLabels: Bool
  let alarms: Int
  let misses: Int
  var errors: Int { alarms + misses }

  init(recordings: [DiagnosedRecording], isOfLabels: Bool) {
    (self.recordings, self.isOfLabels) = (recordings, isOfLabels)
    alarms = recordings.reduce(0) { $0 + $1.alarms.count }
    misses = recordings.reduce(0) { $0 + $1.misses.count }
  }

  var first: Found? {
    otherNames ?? sampleNumbers ?? unconfirmed ?? silent ?? offset ?? tolerance ?? ownOffsets
      ?? duplicates ?? group ?? shiftedMisses
  }

  func isMost(_ explained: Int) -> Bool {
    explained >= Diagnosis.fewest && 2 * explained > errors
  }

  /// A pair explains a false alarm and a miss.
  func isMost(pairs: Int) -> Bool { pairs >= Diagnosis.fewest && isMost(2 * pairs) }

  /// E.g. `412 of 520 false alarms`.
  func share(_ count: Int, of all: Int, _ plural: String = "false alarms") -> String {
    count == all ? "all \(all) \(plural)" : "\(count) of \(all) \(plural)"
  }

  private var duplicates: Found? {
    let count = recordings.reduce(0) { $0 + $1.duplicates }
    guard isMost(count) else { return nil }
    return (
      .duplicates, count,
      "\(share(count, of: alarms)) are further detections of an event that is "
        + "already found: wait longer after each"
    )
  }
}
