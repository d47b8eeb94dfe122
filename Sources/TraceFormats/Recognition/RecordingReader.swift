public import TraceModel

/// A recording that was read.
public struct Recording: Sendable {
  /// The format, and the reason for it.
  public var recognition: FormatRecognition
  /// The traces: one, unless the options split the recording.
  public var traces: [ImportedTrace]
}

/// Reads recordings of every format: a file, a folder, or a zip archive of files, each of which may
/// be packed with gzip.
///
/// ```swift
/// let recording = try RecordingReader.read("2024-06-21 jab.zip")
/// print(recording.recognition.reason)  // phyphox zip: meta/time.csv, …
/// ```
public enum RecordingReader {
  /// The formats, the more specific first: the first one with evidence is used.
  static let formats: [any RecordingFormatReader] = [
    PlainFormat.native, PlainFormat.fixture, PlainFormat.gpx, PlainFormat.nmea, PhyphoxFormat(),
    SensorLoggerFormat(), SensorLogFormat(), PlainFormat.gpsLogger, PlainFormat.labels,
    PlainFormat.csv,
  ]

  /// Recognises the format of a recording by its content, not by its name.
  ///
  /// - Throws: if no format is recognised (with the next step), and if a file cannot be read.
  public static func recognise(_ path: String) throws(TraceError) -> FormatRecognition {
    try choose(RecordingFiles(path: path), RecordingOptions()).recognition
  }

  /// Reads a recording.
  ///
  /// - Throws: like ``recognise(_:)``, and the errors of the format's reader.
  public static func read(
    _ path: String, options: RecordingOptions = RecordingOptions()
  ) throws(TraceError) -> Recording {
    let files = try RecordingFiles(path: path)
    let (reader, recognition) = try choose(files, options)
    return Recording(recognition: recognition, traces: try reader.read(files, options: options))
  }

  private static func choose(
    _ files: RecordingFiles, _ options: RecordingOptions
  ) throws(TraceError) -> (reader: any RecordingFormatReader, recognition: FormatRecognition) {
    if let stated = options.format ?? (options.csv?.mapping == nil ? nil : .csv),
      let reader = formats.first(where: { $0.format == stated })
    {
      let reason =
        options.format == nil
        ? "\(files.describe(stated.title)): a mapping is given"
        : "\(files.describe(stated.title)): the format is stated"
      return (reader, FormatRecognition(format: stated, reason: reason))
    }
    for reader in formats {
      guard let evidence = try reader.evidence(in: files) else { continue }
      let reason = "\(files.describe(reader.format.title)): \(evidence)"
      return (reader, FormatRecognition(format: reader.format, reason: reason))
    }
    throw try Unrecognised.error(files)
  }
}
