import Diagnostics
import TraceModel
import Tuning

/// Refuses data of one person under two names: they would count as independent.
enum SharedData {
  struct Recording {
    var path: String
    var header: TraceHeader
    var marks: ReadingMarks
    /// The group that stays together; nil = the person, or the recording itself where that is not known.
    var group: String?

    var owner: String {
      group ?? (header.subject.isEmpty ? "recording \(header.id)" : "subject \(header.subject)")
    }
  }

  /// Returns the marks of a detector's channel, or of what it is computed from.
  static func marks(of trace: Trace, for channel: Channel) -> ReadingMarks {
    let isComputed = channel == .userAcceleration && trace[channel] == nil
    return ReadingMarks(of: trace, channel: isComputed ? .acceleration : channel)
  }

  /// - Throws: if two recordings of different owners share readings.
  static func check(_ recordings: [Recording]) throws {
    let pairs = SharedReadings.pairs(recordings.map { ($0.owner, $0.marks) })
    guard let pair = pairs.first else { return }
    let (first, second) = (recordings[pair.first], recordings[pair.second])
    func start(_ time: TraceInstant) -> String { "\(fixed(time.seconds, 1)) s" }
    let more =
      pairs.count > 1 ? "; \(pairs.count - 1) more such pair\(pairs.count == 2 ? "" : "s")" : ""
    throw Failure(
      .badData,
      "\(second.path): expected other data than \(first.path), which is of another "
        + (first.group == nil ? "person" : "group")
        + " (\(first.owner), here \(second.owner)), found about \(pair.count) equal readings of "
        + "\(second.marks.channel.name) from \(start(pair.secondStart)) on, there from \(start(pair.firstStart)) on"
        + "\(more); leave one out, or state one person for both with convert --subject"
        + (first.group == nil ? "" : " and --group subject"))
  }
}
