import Foundation
import Results
import TraceFormats

/// A kind of file that a command writes. A file of the same kind is replaced without a question.
package struct OutputKind: Sendable {
  /// The name for messages, with its article.
  let title: String
  /// The allowed endings of names; empty = any.
  package let endings: [String]
  private var schema: String?
  private let matchesHead: @Sendable (Data) -> Bool

  private init(_ title: String, _ endings: String..., head: @escaping @Sendable (Data) -> Bool) {
    (self.title, self.endings, matchesHead) = (title, endings, head)
  }

  /// - Parameter start: the first characters.
  private init(_ title: String, _ endings: String..., from start: String) {
    (self.title, self.endings) = (title, endings)
    matchesHead = { $0.starts(with: start.utf8) }
  }

  /// - Parameter schema: the beginning of the schema. If the file cannot be read, the first bytes must
  ///   contain it.
  private init(hdf5 title: String, schema: String) {
    self.init(title, "h5", "hdf5") {
      $0.starts(with: Data([0x89]) + Data("HDF\r\n\u{1A}\n".utf8)) && $0.contains(schema)
    }
    self.schema = schema
  }

  package static let trace = OutputKind(hdf5: "a native trace", schema: "shadowbox-trace/")
  package static let results = OutputKind(
    hdf5: "a results file of Shadowbox", schema: "shadowbox-results/")
  package static let sweep = OutputKind(hdf5: "a sweep of Shadowbox", schema: "shadowbox-sweep/")
  package static let tuning = OutputKind(
    hdf5: "the results of a tuning", schema: "shadowbox-tuning/")
  package static let comparison = OutputKind(
    hdf5: "a comparison of Shadowbox", schema: "shadowbox-comparison/")
  package static let flipTable = OutputKind(
    "a CSV file of flips", "csv", from: "entry,origin,trace,")
  package static let errorTable = OutputKind(
    "a CSV file of errors", "csv", from: "entry,trace,path,subject,")
  package static let fixture = OutputKind(
    "a fixture of Shadowbox", "trace", from: "shadowbox-fixture/")
  package static let gpx = OutputKind("a GPX of Shadowbox", "gpx") { $0.contains(GPXMap.mark) }
  package static let geoJSON = OutputKind(
    "a GeoJSON of Shadowbox", "geojson", "json", from: GeoJSONMap.mark)
  package static let kml = OutputKind("a KML of Shadowbox", "kml") { $0.contains(KMLMap.mark) }
  package static let parameters = OutputKind("a parameter file", "json") {
    $0.contains("\"shadowbox-parameters/")
  }
  package static let profiles = OutputKind("a file of profiles", "json") {
    $0.contains("\"shadowbox-profiles/")
  }
  package static let channelTable = OutputKind("a CSV file of a trace", "csv", from: "time_ns,")
  package static let curveTable = OutputKind(
    "a CSV file of a sweep", "csv", from: "settings,threshold,")
  package static let picture = OutputKind("a picture", "png", "svg", "pdf") { head in
    head.starts(with: Data([0x89]) + Data("PNG\r\n".utf8))
      || ["%PDF-", "<?xml", "<svg"].contains { head.starts(with: $0.utf8) }
  }
  package static let page = OutputKind("a page of Shadowbox", "html", "htm", from: PageFile.mark)
  package static let detectionLog = OutputKind("a detection log") { $0.starts(with: "#".utf8) }
  package static let historyLines = OutputKind(
    "the lines of a history", from: "{\"schema\":\"shadowbox-history-lines/")
  package static let timing = OutputKind("a file of histograms", from: "# lateness")

  package static let sound = OutputKind("a signal as a sound", "wav") { head in
    // Only a signal begins with such a comment.
    head.starts(with: "RIFF".utf8) && head.contains("; x, y, z, magnitude")
  }
  package static let labelTable = OutputKind(
    "labels of a page", "csv", from: "onset_ns,offset_ns,label")
  /// Its labels may have been moved by hand, so it is never replaced without --force.
  package static let labelTrack = OutputKind("an empty label track", "txt") { _ in false }

  package static let junit = OutputKind("a JUnit report of Shadowbox", "xml") {
    $0.contains("<testsuites name=\"shadowbox ")
  }
  /// The hidden comment at the start of every summary.
  static let summaryMark = "<!-- shadowbox-summary/1 -->"
  package static let summary = OutputKind(
    "a Markdown summary of Shadowbox", "md", from: summaryMark)
  /// The summary of a job, to which commands append.
  package static let stepSummary = OutputKind("a job summary") { _ in true }
  package static let openMetrics = OutputKind(
    "metrics of Shadowbox", "txt", "prom", "om", from: "# TYPE shadowbox_")
  package static let benchmarks = OutputKind("benchmark JSON of Shadowbox", "json") {
    $0 == Data("[\n\n]\n".utf8) || ($0.starts(with: "[".utf8) && $0.contains("shadowbox "))
  }
  package static let badge = OutputKind("a badge", "json") {
    $0.contains("\"schemaVersion\"") && $0.contains("\"label\"")
  }

  /// Whether a file with these first bytes is of this kind. An empty file is of every kind.
  func matches(_ head: Data) -> Bool { head.isEmpty || matchesHead(head) }

  /// Whether a file is of this kind. An empty file, or none, is of every kind.
  func matches(fileAt path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return true }
    defer { try? file.close() }
    let head = (try? file.read(upToCount: Self.headSize)) ?? Data()
    // Long attributes may be anywhere in the file, so a child process reads them with the library.
    guard let schema, let found = ResultsContents.schema(of: path) else { return matches(head) }
    return found.hasPrefix(schema)
  }

  /// The number of bytes for ``matches(_:)``.
  private static let headSize = 1 << 20
}

extension Data {
  fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
