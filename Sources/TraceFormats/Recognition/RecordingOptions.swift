/// What becomes of pauses that a recording's own clock does not show.
public enum PauseTreatment: String, CaseIterable, Sendable, Codable {
  /// Times stay as the file has them, and each pause is told.
  case keep
  /// What was recorded after a pause is moved to later times, by what the wall clock says.
  case insert
}

/// Which way the axes of accelerations point.
///
/// Android states the force per mass that holds the device: flat on a table, face up, z is
/// +9.8 m s-2. iOS states the opposite.
public enum SignConvention: String, CaseIterable, Sendable, Codable {
  /// As the file has them.
  case recorded
  /// Accelerations of a file that is known to have the signs of iOS are negated.
  case android
}

/// How to read a recording; what its format does not know is left out of account.
public struct RecordingOptions: Sendable {
  /// Nil = by what the recording holds.
  public var format: RecordingFormat?
  /// The trace's id; nil = the file's name without its endings.
  public var id: String?
  /// Whether readings are put into the order of their arrival (stable).
  public var sort = false
  /// Whether the first damaged record ends the reading.
  public var strict = false
  /// How to read a plain CSV; nil = its mapping is inferred. Where it has a mapping and no format is
  /// named, the recording is taken for a plain CSV. Its own id, order and strictness are ignored, as
  /// are those of ``gpx``.
  public var csv: CSVOptions?
  public var gpx = GPXOptions()
  /// phyphox.
  public var pauses = PauseTreatment.keep
  /// Sensor Logger, SensorLog.
  public var signs = SignConvention.recorded

  public init() {}
}
