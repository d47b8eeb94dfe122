import TraceModel

/// NMEA 0183 as a receiver sends it.
struct NMEAFormat: RecordingFormatReader {
  let format = RecordingFormat.nmea

  func evidence(in files: RecordingFiles) throws(TraceError) -> String? {
    guard let entry = files.only else { return nil }
    return try NMEAReader.recognise(files.head(of: entry))
  }

  func read(
    _ files: RecordingFiles, options: RecordingOptions
  ) throws(TraceError) -> [ImportedTrace] {
    [try NMEAReader.read(files.open(files.single()), options: options.named(files.stem))]
  }
}

/// The CSV of GPSLogger for Android.
struct GPSLoggerFormat: RecordingFormatReader {
  let format = RecordingFormat.gpsLogger

  func evidence(in files: RecordingFiles) throws(TraceError) -> String? {
    guard let entry = files.only else { return nil }
    return try GPSLoggerReader.recognise(files.head(of: entry))
  }

  func read(
    _ files: RecordingFiles, options: RecordingOptions
  ) throws(TraceError) -> [ImportedTrace] {
    [try GPSLoggerReader.read(files.open(files.single()), options: options.named(files.stem))]
  }
}
