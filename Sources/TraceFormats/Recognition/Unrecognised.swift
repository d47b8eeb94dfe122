import Files
import TraceModel

/// The error for a recording of an unknown format.
enum Unrecognised {
  static func error(_ files: RecordingFiles) throws(TraceError) -> TraceError {
    guard let entry = files.only else {
      if files.entries.contains(where: { $0.name.hasPrefix("xl/") }) {
        return TraceError(
          place: shown(files.path), expected: "the files of one recording",
          found: "an Excel workbook", remedy: "export the recording as CSV instead")
      }
      return TraceError(
        place: shown(files.path), expected: "the files of one recording",
        found: content(of: files),
        remedy: "pass the folder or archive of one recording, or one of its files")
    }
    let head = try files.head(of: entry)
    let known = kinds.first { $0.isIt(head) }
    return TraceError(
      place: entry.place, expected: "a recording of a known format",
      found: known?.name ?? (head.isEmpty ? "an empty file" : beginning(head)),
      remedy: known?.remedy ?? "state the format with --from")
  }

  private struct Kind {
    var name: String
    var remedy: String
    var isIt: ([UInt8]) -> Bool
  }

  private static var kinds: [Kind] {
    [
      Kind(
        name: "an Excel workbook", remedy: "export the recording as CSV instead",
        isIt: { $0.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) }),
      Kind(
        name: "a SQLite database", remedy: "export the recording as CSV instead",
        isIt: { $0.starts(with: "SQLite format 3".utf8) }),
      Kind(
        name: "a recording of Sensor Logger in JSON",
        remedy: "export zipped CSV from the app instead",
        isIt: { isJSON($0) && holds($0, "seconds_elapsed") }),
      Kind(
        name: "GeoJSON", remedy: "export the track as GPX instead",
        isIt: { isJSON($0) && holds($0, "\"Feature") }),
      Kind(
        name: "a location history in JSON", remedy: "export each track as GPX or FIT instead",
        isIt: { head in
          isJSON(head)
            && ["latitudeE7", "semanticSegments", "timelineObjects"].contains { holds(head, $0) }
        }),
      Kind(
        name: "JSON",
        remedy: "export CSV (sensors) or GPX (positions) from the app instead", isIt: isJSON),
      Kind(
        name: "a zip archive within an archive", remedy: "unpack the outer archive",
        isIt: ZipArchive.recognises),
      Kind(
        name: "gzip data within gzip data", remedy: "unpack it with gunzip",
        isIt: GzipInput.recognises),
      Kind(
        name: "UTF-16 text", remedy: "convert it with iconv -f UTF-16 -t UTF-8", isIt: isUTF16),
    ]
  }

  private static func isJSON(_ head: [UInt8]) -> Bool {
    head.first { !$0.isBlank }.map { $0 == 0x7B || $0 == 0x5B } ?? false
  }

  /// Recognises the byte order mark that spreadsheets write.
  private static func isUTF16(_ head: [UInt8]) -> Bool {
    head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
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
