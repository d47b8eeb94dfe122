import TraceFormats
import TraceModel
import TraceTools

/// A recording as `info` and `validate` look at it: the trace, and what became of its source.
struct Inspection: Sendable {
  var path: String
  var trace: Trace
  /// Of a native trace an empty one.
  var report: ImportReport
  /// What a native file holds and the trace does not.
  var unread: [String] = []

  /// Reads the recordings in a file of any format that needs no option.
  /// - Throws: ``TraceError`` or ``CommandError`` where the file cannot be read at all.
  static func load(_ path: String) throws -> [Inspection] {
    try SteadyFile.reading(path) {
      if path.lowercased().hasSuffix(".gpx") {
        let found = try GPXReader.read(path)
        return [Inspection(path: path, trace: try found.trace, report: found.report)]
      }
      var unread: [String] = []
      let trace = try NativeFile.read(path, unread: &unread)
      return [Inspection(path: path, trace: trace, report: ImportReport(), unread: unread)]
    }
  }

  /// What the reader lost or left, what only it could see, and what the trace shows, in the order of
  /// telling.
  var findings: [Finding] {
    // Damage is of the gravest kind and stays in the order of the file.
    losses + (leftOut + report.findings + Validation.findings(in: trace)).inOrderOfTelling()
  }

  private var losses: [Finding] {
    var losses = report.losses.first.map {
      Finding(
        "damaged-record", .error, place: $0.place,
        message: "Expected \($0.expected), found \($0.found)"
          + ($0.remedy.isEmpty ? "." : "; \($0.remedy)."))
    }
    let rest = report.losses.count - losses.count
    if rest > 0 {
      losses.append(
        Finding(
          "damaged-record", .error, place: path, count: rest,
          message: "\(rest) more damaged records."))
    }
    return losses
  }

  private var leftOut: [Finding] {
    var findings = report.notes.map { Finding("reader-note", .note, place: path, message: $0) }
    if report.missing > 0 {
      findings.append(
        Finding(
          "missing-samples", .note, place: path, count: report.missing,
          message: "\(report.missing) readings that the file marks as missing are left out."))
    }
    let names = report.unmappedColumns + unread
    if !names.isEmpty {
      findings.append(
        Finding(
          "not-taken-over", .note, place: path, count: names.count,
          message: "The trace has no place for: \(names.joined(separator: ", "))."))
    }
    return findings
  }
}
