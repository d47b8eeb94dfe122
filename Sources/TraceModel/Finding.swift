/// A problem of a recording that the user should know before relying on it.
///
/// Readers report what only the source shows (a hidden pause, a bad checksum); checks of a trace
/// report the rest. A finding changes no data.
///
/// ```swift
/// let pause = Finding("hidden-pause", .warning, place: "walk.gpx:112", message: "no fix for 73 s")
/// pause.severity < .error  // true
/// pause.repair == nil  // true
/// ```
public struct Finding: Hashable, Sendable, Codable {
  public enum Severity: String, CaseIterable, Hashable, Comparable, Sendable, Codable {
    /// Information only.
    case note
    /// Figures measured on the recording may be wrong.
    case warning
    /// Readings are lost, or the recording cannot be used for some purpose.
    case error

    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int { Severity.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The stable name of the kind of finding, e.g. `hidden-pause`.
  public var code: String
  public var severity: Severity
  /// The file (with the line, if known) or the channel: `walk.gpx:112`, `acceleration`.
  public var place: String
  /// The start on the trace's axis; nil if the finding concerns no time or the whole trace.
  public var start: TraceInstant?
  /// The end; nil for an instant.
  public var end: TraceInstant?
  /// The number of readings, records or places concerned; at least 1.
  public var count: Int
  /// One sentence, with the figures.
  public var message: String
  /// What `convert --repair` does about it; nil = nothing, the user has to decide.
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
