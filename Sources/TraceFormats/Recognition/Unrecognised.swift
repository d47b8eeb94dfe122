import Files
import TraceModel

/// The error for a recording of an unknown format.
enum Unrecognised {
  static func error(_ files: RecordingFiles) throws(TraceError) -> TraceError {
    guard let entry = files.only else {
      let isWorkbook = files.entries.contains { $0.name.hasPrefix("xl/") }
      return files.fault(
        "the files of one recording",
        found: isWorkbook ? "an Excel workbook" : content(of: files),
        remedy: isWorkbook
          ? "export the recording as CSV instead"
          : "pass the folder or archive of one recording, or one of its files")
    }
    let head = try files.head(of: entry)
    let known = kinds.first { $0.isIt(head) }
    return TraceError(
      place: entry.place, expected: "a recording of a known format",
      found: known?.name ?? (head.isEmpty ? "an empty file" : beginning(head)),
      remedy: known?.remedy ?? "state the format with --from")
  }

  private typealias Kind = (name: String, remedy: String, isIt: ([UInt8]) -> Bool)

  private static var kinds: [Kind] {
    let asCSV = "export the recording as CSV instead"
    return [
      ("an Excel workbook", asCSV, { $0.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) }),
      ("a SQLite database", asCSV, { $0.starts(with: "SQLite format 3".utf8) }),
      (
        "a recording of Sensor Logger in JSON", "export zipped CSV from the app instead",
        { isJSON($0) && holds($0, "seconds_elapsed") }
      ),
      (
        "GeoJSON", "export the track as GPX instead", { isJSON($0) && holds($0, "\"Feature") }
      ),
      (
        "a location history in JSON", "export each track as GPX or FIT instead",
        { head in
          isJSON(head)
            && ["latitudeE7", "semanticSegments", "timelineObjects"].contains { holds(head, $0) }
        }
      ),
      ("JSON", "export CSV (sensors) or GPX (positions) from the app instead", isJSON),
      (
        "a zip archive within an archive", "unpack the outer archive",
        { ZipArchive.recognises($0) }
      ),
      (
        "gzip data within gzip data", "unpack it with gunzip", { GzipInput.recognises($0) }
      ),
      // The byte order marks that spreadsheets write.
      (
        "UTF-16 text", "convert it with iconv -f UTF-16 -t UTF-8",
        { $0.starts(with: [0xFF, 0xFE]) || $0.starts(with: [0xFE, 0xFF]) }
      ),
    ]
  }

  private static func isJSON(_ head: [UInt8]) -> Bool {
    head.first { !$0.isBlank }.map { $0 == 0x7B || $0 == 0x5B } ?? false
  }

  private static func holds(_ head: [UInt8], _ text: String) -> Bool {
    head.firstRange(of: text.utf8) != nil
  }

  private static func content(of files: RecordingFiles) -> String {
    let names = files.entries.map(\.name)
    if names.isEmpty { return "an empty folder" }
    let first = names.prefix(5).map { shown($0) }.joined(separator: ", ")
    return "\(names.count) files: \(first)\(names.count > 5 ? ", …" : "")"
  }

  private static func beginning(_ head: [UInt8]) -> String {
    if head.contains(where: { $0 < 9 }) { return "binary data" }
    let line = head.prefix { $0 != .lineFeed && $0 != .carriageReturn }
    return "a file that begins with \(Excerpt.of(String(decoding: line.prefix(80), as: UTF8.self)))"
  }
}
