package import Diagnostics
import Files
import Foundation
import Results
package import TraceModel

package struct ValidationReport: Encodable, Sendable {
  package let path: String
  private let id: String?
  private let findings: [Finding]
  /// Why the file could not be read; nil = it was read.
  package private(set) var failure: Failure.Kind?

  package init(_ inspection: Inspection) {
    self.init(inspection.path, id: inspection.trace.header.id, inspection.findings)
  }

  package init(of path: String, unreadable error: Failure) {
    // The place has its own column.
    let prefix = "\(Failure.printable(path)): "
    let text = error.description
    let rest = text.dropFirst(prefix.count)
    let message = text.hasPrefix(prefix) ? rest.prefix(1).uppercased() + rest.dropFirst() : text
    self.init(path, id: nil, [Finding("unreadable", .error, place: path, message: message)])
    failure = error.kind
  }

  private init(_ path: String, id: String?, _ findings: [Finding]) {
    (self.path, self.id) = (path, id)
    self.findings = findings.map { finding in
      var finding = finding
      finding.place = Failure.printable(finding.place)
      finding.message = Failure.printable(finding.message)
      return finding
    }
  }

  package func count(_ severity: Finding.Severity) -> Int {
    findings.count { $0.severity == severity }
  }

  package static func summary(_ reports: [ValidationReport]) -> String {
    let counts = Finding.Severity.allCases.reversed().map { severity in
      counted(reports.reduce(0) { $0 + $1.count(severity) }, severity.rawValue)
    }
    return counted(reports.count, "recording") + ": " + counts.joined(separator: ", ")
  }

  // MARK: Formats

  package func encode(to encoder: any Encoder) throws {
    let document: JSONObject = [
      "path": path, "id": id, "errors": count(.error), "warnings": count(.warning),
      "notes": count(.note),
      "findings": findings.map { finding -> JSONObject in
        [
          "severity": finding.severity, "code": finding.code, "place": finding.place,
          "start": finding.start?.seconds, "end": finding.end?.seconds, "count": finding.count,
          "message": finding.message, "repair": finding.repair,
        ]
      },
    ]
    try document.encode(to: encoder)
  }

  package static func csv(_ reports: [ValidationReport]) -> String {
    csvTable(
      reports.flatMap { report in report.findings.map { (report: report, finding: $0) } },
      [
        ("path", { $0.report.path }), ("id", { $0.report.id }),
        ("severity", { $0.finding.severity.rawValue }), ("code", { $0.finding.code }),
        ("place", { $0.finding.place }), ("start", { $0.finding.start?.seconds }),
        ("end", { $0.finding.end?.seconds }), ("count", { $0.finding.count }),
        ("message", { $0.finding.message }), ("repair", { $0.finding.repair }),
      ])
  }

  /// Findings in columns if the lines fit, otherwise with the message below.
  package func table(_ screen: Screen) -> String {
    let title = "\(path)\(id.map { ": \($0)" } ?? "")\(findings.isEmpty ? ": no findings" : "")"
    let places = column(shortPlace)
    let times = column(Self.time)
    let lines = findings.indices.map { "\(places[$0])  \(times[$0])  \(findings[$0].message)" }
    let isOneLine = lines.allSatisfy { 11 + terminalWidth($0) <= screen.width }
    var text = screen.heading(screen.wrapped(onOneLine(title), indent: 2)) + "\n"
    for (index, finding) in findings.enumerated() {
      let severity = padded(finding.severity.rawValue, to: 7)
      text += "  \(finding.severity == .error ? screen.bad(severity) : severity)  "
      text += isOneLine ? "\(lines[index])\n" : "\(places[index])  \(Self.time(finding))\n"
      let rest = [isOneLine ? nil : finding.message, finding.repair.map { "repair: \($0)" }]
      for line in rest.compactMap(\.self) {
        text += screen.wrapped(String(repeating: " ", count: 11) + line) + "\n"
      }
    }
    return text
  }

  /// Without the folders of the recording, which the first line has.
  private func shortPlace(_ finding: Finding) -> String {
    let printable = Failure.printable(path)
    guard finding.place.hasPrefix(printable) else { return finding.place }
    let name = TracePath.lastName(printable)
    return name + finding.place.dropFirst(printable.count)
  }

  /// The cells of all findings, padded to equal widths.
  private func column(_ cell: (Finding) -> String) -> [String] {
    let cells = findings.map(cell)
    let width = cells.map(terminalWidth).max() ?? 0
    return cells.map { padded($0, to: width) }
  }

  private static func time(_ finding: Finding) -> String {
    guard let start = finding.start else { return "-" }
    let from = fixed(start.seconds, 3)
    let to = finding.end.map { fixed($0.seconds, 3) } ?? from
    return from == to ? "\(from) s" : "\(from)-\(to) s"
  }
}
