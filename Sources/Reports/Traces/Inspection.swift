package import TraceFormats
package import TraceModel
import TraceTools

/// A recording for `info` and `validate`: the trace, and the losses of its import.
package struct Inspection: Sendable {
  package var path: String
  package var trace: Trace
  /// Empty for a native trace.
  package var report: ImportReport
  /// The unknown parts of a native file.
  package var unread: [String] = []

  /// The format and why it was chosen; nil for a native trace.
  package var format: String?

  package static func all(of recording: RecordingFile, path: String) throws -> [Inspection] {
    let isNative = recording.recognised.format == .own(.native)
    return try recording.traces.map { imported in
      Inspection(
        path: path, trace: try imported.trace, report: imported.report, unread: recording.unread,
        format: isNative ? nil : recording.recognised.reason)
    }
  }

  /// The findings of the reader and those in the trace, in the order of the report.
  package var findings: [Finding] {
    // Damage comes first, in the order of the file, after its summary.
    let sums = report.findings.filter { $0.severity == .error }
    let others = report.findings.filter { $0.severity != .error }
    return sums + losses + (leftOut + others + Validation.findings(in: trace)).sortedBySeverity()
  }

  private var losses: [Finding] {
    let first = report.losses.first.map {
      Finding(
        "damaged-record", .error, place: $0.place,
        message: "Expected \($0.expected), found \($0.found)"
          + ($0.remedy.isEmpty ? "." : "; \($0.remedy)."))
    }
    let rest = report.losses.count - first.count
    let others = Finding(
      "damaged-record", .error, place: path, count: rest, message: "\(rest) more damaged records.")
    return first + (rest > 0 ? [others] : [])
  }

  private var leftOut: [Finding] {
    func note(_ code: String, _ count: Int, _ message: String) -> [Finding] {
      count == 0 ? [] : [Finding(code, .note, place: path, count: count, message: message)]
    }
    let (missing, names) = (report.missing, report.unmappedColumns + unread)
    return report.notes.flatMap { note("reader-note", 1, $0) }
      + note(
        "missing-samples", missing,
        "\(missing) readings that the file marks as missing are left out.")
      + note(
        "not-taken-over", names.count,
        "The trace has no place for: \(names.joined(separator: ", ")).")
  }
}
