import Foundation
import Results

/// A kind of file that a command writes, and how its files are known: one that Shadowbox did not write is
/// never replaced without `--force`.
package struct OutputKind: Sendable {
  /// The name for messages, with its article.
  let title: String
  /// The allowed endings of names; empty = any.
  package let endings: [String]
  let mark: Mark

  enum Mark: Sendable {
    /// The file begins with these characters, which no other program writes.
    case start(String)
    /// The attribute `schema` of an HDF5 file begins with this.
    case schema(String)
    /// The bytes are those of a file of this kind that was written lately, see ``WrittenFiles``.
    case digest
    /// Nothing is replaced: the command appends to the file.
    case appended
  }

  private init(_ title: String, _ endings: String..., mark: Mark = .digest) {
    (self.title, self.endings, self.mark) = (title, endings, mark)
  }

  private init(hdf5 title: String, schema: String) {
    self.init(title, "h5", "hdf5", mark: .schema(schema))
  }

  // Other programs and people write native traces, fixtures and parameter files too: the schema is no mark.
  package static let trace = OutputKind("a native trace", "h5", "hdf5")
  package static let results = OutputKind(
    hdf5: "a results file of Shadowbox", schema: "shadowbox-results/")
  package static let sweep = OutputKind(hdf5: "a sweep of Shadowbox", schema: "shadowbox-sweep/")
  package static let tuning = OutputKind(
    hdf5: "the results of a tuning", schema: "shadowbox-tuning/")
  package static let comparison = OutputKind(
    hdf5: "a comparison of Shadowbox", schema: "shadowbox-comparison/")
  package static let flipTable = OutputKind("a CSV file of flips", "csv")
  package static let errorTable = OutputKind("a CSV file of errors", "csv")
  package static let fixture = OutputKind("a fixture of Shadowbox", "trace")
  package static let gpx = OutputKind("a GPX of Shadowbox", "gpx", mark: .start(GPXMap.mark))
  package static let geoJSON = OutputKind(
    "a GeoJSON of Shadowbox", "geojson", "json", mark: .start(GeoJSONMap.mark))
  package static let kml = OutputKind("a KML of Shadowbox", "kml", mark: .start(KMLMap.mark))
  package static let parameters = OutputKind("a parameter file", "json")
  package static let profiles = OutputKind("a file of profiles", "json")
  package static let channelTable = OutputKind("a CSV file of a trace", "csv")
  package static let curveTable = OutputKind("a CSV file of a sweep", "csv")
  package static let picture = OutputKind("a picture", "png", "svg", "pdf")
  package static let page = OutputKind(
    "a page of Shadowbox", "html", "htm", mark: .start(PageFile.mark))
  package static let detectionLog = OutputKind("a detection log")
  package static let historyLines = OutputKind(
    "the lines of a history", mark: .start("{\"schema\":\"shadowbox-history-lines/"))
  package static let timing = OutputKind("a file of histograms")
  package static let sound = OutputKind("a signal as a sound", "wav")
  package static let labelTable = OutputKind("labels of a page", "csv")
  package static let labelTrack = OutputKind("a label track", "txt")
  package static let junit = OutputKind(
    "a JUnit report of Shadowbox", "xml",
    mark: .start("\(XMLElement.heading)<testsuites name=\"shadowbox "))
  /// The hidden comment at the start of every summary.
  static let summaryMark = "<!-- shadowbox-summary/1 -->"
  package static let summary = OutputKind(
    "a Markdown summary of Shadowbox", "md", mark: .start(summaryMark))
  /// The summary of a job.
  package static let stepSummary = OutputKind("a job summary", mark: .appended)
  package static let openMetrics = OutputKind("metrics of Shadowbox", "txt", "prom", "om")
  package static let benchmarks = OutputKind("benchmark JSON of Shadowbox", "json")
  package static let badge = OutputKind("a badge", "json")

  package static let all = [
    trace, results, sweep, tuning, comparison, flipTable, errorTable, fixture, gpx, geoJSON, kml,
    parameters, profiles, channelTable, curveTable, picture, page, detectionLog, historyLines,
    timing, sound, labelTable, labelTrack, junit, summary, stepSummary, openMetrics, benchmarks,
    badge,
  ]

  /// Whether a file may be replaced, because Shadowbox wrote it. So may no file, and an empty one.
  func wrote(fileAt path: String, _ written: WrittenFiles = WrittenFiles()) -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_size > 0 else { return true }
    return switch mark {
    case .start(let text): Self.head(of: path, text.utf8.count) == Data(text.utf8)
    // Attributes may be anywhere in the file, so a child process reads them with the library.
    case .schema(let schema): ResultsContents.schema(of: path)?.hasPrefix(schema) == true
    case .digest: written.contain(path, self)
    case .appended: true
    }
  }

  private static func head(of path: String, _ count: Int) -> Data? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    return try? file.read(upToCount: count)
  }
}
