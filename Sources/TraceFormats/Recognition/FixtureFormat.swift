import TraceFixtures
import TraceModel

/// A trace as lines of text, for the tests of an app.
struct FixtureFormat: RecordingFormatReader {
  let format = RecordingFormat.fixture

  func evidence(in files: RecordingFiles) throws(TraceError) -> String? {
    guard let entry = files.only else { return nil }
    let first = Array("shadowbox-fixture/".utf8)
    return try files.head(of: entry).starts(with: first) ? "its first line" : nil
  }

  func read(
    _ files: RecordingFiles, options: RecordingOptions
  ) throws(TraceError) -> [ImportedTrace] {
    let entry = try files.single()
    var source = try files.open(entry)
    var bytes: [UInt8] = []
    repeat {
      bytes += source.buffer[source.position..<source.end]
      source.advance(to: source.end)
    } while try source.fill()
    return [ImportedTrace(whole: try Trace(fixture: bytes, name: entry.place), options)]
  }
}
