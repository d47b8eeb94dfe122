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
    var nmea = NMEAOptions()
    nmea.id = options.id ?? files.stem
    nmea.sort = options.sort
    nmea.strict = options.strict
    nmea.metersPerHDOP = options.gpx.metersPerHDOP
    return [try NMEAReader.read(files.open(files.single()), options: nmea)]
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
    var gpsLogger = GPSLoggerOptions()
    gpsLogger.id = options.id ?? files.stem
    gpsLogger.sort = options.sort
    gpsLogger.strict = options.strict
    return [try GPSLoggerReader.read(files.open(files.single()), options: gpsLogger)]
  }
}
