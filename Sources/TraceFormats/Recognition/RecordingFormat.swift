/// The formats that recordings are read from.
public enum RecordingFormat: String, CaseIterable, Sendable, Codable {
  case native
  case fixture
  case gpx
  case nmea
  case gpsLogger = "gpslogger"
  case phyphox
  case sensorLogger = "sensorlogger"
  case sensorLog = "sensorlog"
  case csv
  /// Not a recording, but the labels of one.
  case labels

  public var title: String {
    switch self {
    case .native: "native trace"
    case .fixture: "fixture"
    case .gpx: "GPX"
    case .nmea: "NMEA 0183"
    case .gpsLogger: "GPSLogger"
    case .phyphox: "phyphox"
    case .sensorLogger: "Sensor Logger"
    case .sensorLog: "SensorLog"
    case .csv: "plain CSV"
    case .labels: "label file"
    }
  }
}

/// The format of a recording, and the reason for it.
public struct FormatRecognition: Hashable, Sendable, Codable {
  public var format: RecordingFormat
  /// E.g. `phyphox folder: meta/time.csv, and "Time (s)" in Gyroscope.csv`.
  public var reason: String
}
