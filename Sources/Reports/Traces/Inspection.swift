package import TraceFormats
package import TraceModel
import TraceTools

/// A recording for `info` and `validate`: the trace, and what was lost from its source.
package struct Inspection: Sendable {
  package var path: String
  package var trace: Trace
  /// Empty for a native trace.
  package var report: ImportReport
  /// The parts of a native file that the trace does not have.
  package var unread: [String] = []

  /// The format and why it was chosen; nil for a native trace.
  package var format: String?

  /// The traces of a recording that was read.
  package static func all(of recording: RecordingFile, path: String) throws -> [Inspection] {
    let isNative = recording.recognised.format == .own(.native)
    return try recording.traces.map { imported in
      Inspection(
        path: path, trace: try imported.trace, report: imported.report, unread: recording.unread,
        format: isNative ? nil : recording.recognised.reason)
    }
  }

  /// The findings of the reader and those in the trace, in the order of reporting.
  package var findings: [Finding] {
    // Damage is the most severe and stays in the order of the file, with its summary first.
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
