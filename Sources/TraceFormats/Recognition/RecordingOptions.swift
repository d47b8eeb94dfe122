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

  /// What happens to accelerations with the signs of iOS, for messages.
  var treatmentOfIOS: String {
    self == .android
      ? "they are negated, as requested" : "they are kept; --signs android negates them"
  }
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
  /// format is stated, the recording is read as a plain CSV. Their own id, order and strictness are
  /// ignored, as are those of ``gpx``.
  public var csv: CSVOptions?
  /// The options of a GPX. ``GPXOptions/metersPerHDOP`` applies to NMEA 0183 too.
  public var gpx = GPXOptions()
  /// phyphox.
  public var pauses = PauseTreatment.keep
  /// Sensor Logger, SensorLog.
  public var signs = SignConvention.recorded

  public init() {}

  /// Returns the options with an id for a trace for which none is stated.
  func named(_ stem: String) -> RecordingOptions {
    var options = self
    options.id = id ?? stem
    return options
  }

  /// The options of a GPX, with the id, order and strictness of these.
  var ofGPX: GPXOptions {
    var gpx = gpx
    (gpx.id, gpx.sort, gpx.strict) = (id, sort, strict)
    return gpx
  }
}
