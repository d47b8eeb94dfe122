import ArgumentParser
import Diagnostics
import Foundation
import Reports
import TraceModel

struct ValidateCommand: TerminalCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "validate",
    abstract: "Lists faults and other findings of recordings.",
    discussion: """
      Reads every format that convert reads. A folder of recordings stands for all recordings in \
      it. Findings are errors (readings are lost, or the recording cannot be used for some \
      purpose), warnings (figures measured on it may be wrong) and notes. Nothing is changed: a \
      finding with a repair names what convert --repair does.

      An error gives exit code 65, with --strict a warning too.

      EXAMPLES:
        shadowbox validate traces/recorded/*.h5
        shadowbox validate walk.gpx --strict --format json
        shadowbox validate recordings/
      """)

  @Argument(help: .init("Recordings, and folders of them.", valueName: "file"))
  var files: [String]

  @Flag(help: "Count warnings as errors.")
  var strict = false

  @OptionGroup(title: "Reading") var importing: ImportOptions

  @Option(help: "The format of the output.")
  var format = OutputFormat.table

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let results = try await importing.inspect(files) {
      ValidationReport(path: $0.path, id: $0.trace.header.id, findings: $0.findings)
    }
    let reports = results.flatMap { path, outcome in
      switch outcome {
      case .success(let reports): reports
      case .failure(let failure): [ValidationReport(of: path, unreadable: failure)]
      }
    }
    switch format {
    case .table:
      let screen = OutputTerminal.screen
      try StandardOutput.write(reports.map { $0.table(screen) }.joined(separator: "\n"))
    case .json:
      try StandardOutput.write(
        jsonDocument(["files": reports], .validate, inputs: .files(reports.map(\.path))))
    case .csv: try StandardOutput.write(ValidationReport.csv(reports))
    }
    terminal.say(ValidationReport.summary(reports))
    try ExitStatus.gravest(reports.map { $0.status(strict: strict) }).end()
  }
}

/// What `validate` says of one recording.
private struct ValidationReport: Encodable, Sendable {
  struct Line: Encodable, Sendable {
    var severity: String
    var code: String
    var place: String
    /// In seconds on the trace's axis.
    @Nullable var start: Double?
    @Nullable var end: Double?
    var count: Int
    var message: String
    @Nullable var repair: String?
  }

  private enum CodingKeys: String, CodingKey {
    case path, id, errors, warnings, notes, findings
  }

  var path: String
  @Nullable var id: String?
  var errors: Int
  var warnings: Int
  var notes: Int
  var findings: [Line]
  /// Why the file could not be read at all; nil = it was.
  var failure: ExitStatus?

  init(path: String, id: String?, findings: [Finding]) {
    self.path = path
    _id = Nullable(wrappedValue: id)
    errors = findings.count { $0.severity == .error }
    warnings = findings.count { $0.severity == .warning }
    notes = findings.count { $0.severity == .note }
    self.findings = findings.map { finding in
      Line(
        severity: finding.severity.rawValue, code: finding.code,
        place: Failure.printable(finding.place), start: finding.start?.seconds,
        end: finding.end?.seconds, count: finding.count,
        message: Failure.printable(finding.message), repair: finding.repair)
    }
  }

  init(of path: String, unreadable error: Failure) {
    // The place is beside it.
    let prefix = "\(Failure.printable(path)): "
    let text = error.description
    let rest = text.dropFirst(prefix.count)
    let message = text.hasPrefix(prefix) ? rest.prefix(1).uppercased() + rest.dropFirst() : text
    let finding = Finding("unreadable", .error, place: path, message: message)
    self.init(path: path, id: nil, findings: [finding])
    failure = ExitStatus(error.kind)
  }

  func status(strict: Bool) -> ExitStatus {
    if let failure { return failure }
    return errors > 0 || (strict && warnings > 0) ? .badData : .done
  }

  static func summary(_ reports: [ValidationReport]) -> String {
    func all(_ count: (ValidationReport) -> Int, _ noun: String) -> String {
      counted(reports.reduce(0) { $0 + count($1) }, noun)
    }
    return counted(reports.count, "recording") + ": " + all(\.errors, "error") + ", "
      + all(\.warnings, "warning") + ", " + all(\.notes, "note")
  }

  /// Findings in columns where a line has room for them, otherwise with the message below.
  func table(_ screen: Screen) -> String {
    let title = "\(path)\(id.map { ": \($0)" } ?? "")\(findings.isEmpty ? ": no findings" : "")"
    let places = column(shortPlace)
    let times = column(Self.time)
    let lines = findings.indices.map { "\(places[$0])  \(times[$0])  \(findings[$0].message)" }
    let isOneLine = lines.allSatisfy { 11 + terminalWidth($0) <= screen.width }
    var text = screen.heading(screen.wrapped(title, indent: 2)) + "\n"
    for (index, finding) in findings.enumerated() {
      let severity = finding.severity.padding(toLength: 7, withPad: " ", startingAt: 0)
      text += "  \(finding.severity == "error" ? screen.bad(severity) : severity)  "
      text += isOneLine ? "\(lines[index])\n" : "\(places[index])  \(Self.time(finding))\n"
      let rest = [isOneLine ? nil : finding.message, finding.repair.map { "repair: \($0)" }]
      for line in rest.compactMap(\.self) {
        text += screen.wrapped(String(repeating: " ", count: 11) + line) + "\n"
      }
    }
    return text
  }

  /// Without the folders that lead to the recording, which the first line has.
  private func shortPlace(_ finding: Line) -> String {
    let printable = Failure.printable(path)
    guard finding.place.hasPrefix(printable) else { return finding.place }
    let name = URL(fileURLWithPath: printable).lastPathComponent
    return name + finding.place.dropFirst(printable.count)
  }

  /// The cells of all findings, padded to the width of the longest.
  private func column(_ cell: (Line) -> String) -> [String] {
    let cells = findings.map(cell)
    let width = cells.map(\.count).max() ?? 0
    return cells.map { $0 + String(repeating: " ", count: width - $0.count) }
  }

  private static func time(_ line: Line) -> String {
    guard let start = line.start else { return "-" }
    let from = fixed(start, 3)
    let to = line.end.map { fixed($0, 3) } ?? from
    return from == to ? "\(from) s" : "\(from)-\(to) s"
  }

  static func csv(_ reports: [ValidationReport]) -> String {
    let rows = reports.flatMap { report in
      report.findings.map { finding in
        csvRow([
          report.path, report.id ?? "", finding.severity, finding.code, finding.place,
          csvCell(finding.start), csvCell(finding.end), "\(finding.count)", finding.message,
          finding.repair ?? "",
        ])
      }
    }
    return "path,id,severity,code,place,start,end,count,message,repair\n" + rows.joined()
  }
}
