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

  /// What it was taken for, and why; nil of a native trace.
  var format: String?

  /// Reads the traces of a recording of any format.
  /// - Throws: ``TraceError`` or ``CommandError`` where it cannot be read at all.
  static func load(_ path: String, _ importing: ImportOptions) throws -> [Inspection] {
    let recording = try importing.read(path)
    let isNative = recording.recognised.format == .own(.native)
    return try recording.traces.map { imported in
      Inspection(
        path: path, trace: try imported.trace, report: imported.report, unread: recording.unread,
        format: isNative ? nil : recording.recognised.reason)
    }
  }

  /// What the reader lost or left, what only it could see, and what the trace shows, in the order of
  /// telling.
  var findings: [Finding] {
    // Damage is of the gravest kind and stays in the order of the file; what sums it up is first.
    let sums = report.findings.filter { $0.severity == .error }
    let others = report.findings.filter { $0.severity != .error }
    return sums + losses
      + (leftOut + others + Validation.findings(in: trace)).sortedBySeverity()
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
