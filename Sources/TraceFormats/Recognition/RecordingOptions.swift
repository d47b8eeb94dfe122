/// The treatment of pauses that a recording's own clock does not show.
public enum PauseTreatment: String, CaseIterable, Sendable, Codable {
  /// Times are unchanged, and each pause is reported.
  case keep
  /// Readings after a pause are moved to later times, by the wall clock.
  case insert
}

/// The sign convention of accelerations.
///
/// Android states the force per mass that holds the device: flat on a table, face up, z is
/// +9.8 m s-2. iOS states the opposite.
public enum SignConvention: String, CaseIterable, Sendable, Codable {
  /// The signs of the file.
  case recorded
  /// Accelerations of a file with the signs of iOS are negated.
  case android
}

/// The options of reading a recording; options that do not apply to its format are ignored.
public struct RecordingOptions: Sendable {
  /// The format; nil = recognised by content.
  public var format: RecordingFormat?
  /// The trace's id; nil = the file name without its extensions.
  public var id: String?
  /// Whether readings are sorted by arrival (stable).
  public var sort = false
  /// Whether the first damaged record ends the reading.
  public var strict = false
  /// The options of a plain CSV; nil = its mapping is inferred. If they have a mapping and no
  /// format is stated, the recording is taken for a plain CSV. Its own id, order and strictness are
  /// ignored, as are those of ``gpx``.
  public var csv: CSVOptions?
  public var gpx = GPXOptions()
  /// phyphox.
  public var pauses = PauseTreatment.keep
  /// Sensor Logger, SensorLog.
  public var signs = SignConvention.recorded

  public init() {}
}
