/// Something about a recording that a person should know before they rely on it.
///
/// Readers find what only the source shows (a pause that is hidden in the data, a bad checksum);
/// checks of a trace find the rest. Nothing is mended by finding it.
public struct Finding: Hashable, Sendable, Codable {
  public enum Severity: String, CaseIterable, Hashable, Comparable, Sendable, Codable {
    /// Worth knowing.
    case note
    /// Figures that are measured on the recording may be wrong.
    case warning
    /// Readings are lost, or the recording cannot be used for some purpose.
    case error

    public static func < (left: Severity, right: Severity) -> Bool {
      left.rank < right.rank
    }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  /// What kind of finding it is, a name that scripts can rely on: `hidden-pause`.
  public var code: String
  public var severity: Severity
  /// The file with the line where that is known, or the channel: `walk.gpx:112`, `acceleration`.
  public var place: String
  /// Where it begins on the trace's axis; nil = it concerns no time, or the whole trace.
  public var start: TraceInstant?
  /// Where it ends; nil where it is an instant.
  public var end: TraceInstant?
  /// How many readings, records or places it concerns; at least 1.
  public var count: Int
  /// One sentence, with the figures.
  public var message: String
  /// What `convert --repair` does about it; nil = nothing, a person has to decide.
  public var repair: String?

  public init(
    _ code: String, _ severity: Severity, place: String, start: TraceInstant? = nil,
    end: TraceInstant? = nil, count: Int = 1, message: String, repair: String? = nil
  ) {
    self.code = code
    self.severity = severity
    self.place = place
    self.start = start
    self.end = end
    self.count = count
    self.message = message
    self.repair = repair
  }
}
