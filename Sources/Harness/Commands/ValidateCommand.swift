import Reports
import Evaluation
import Diagnostics
import ArgumentParser
import Foundation
import TraceModel
import TraceTools

struct ValidateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
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

      \(ExitStatus.help)
      """)

  @Argument(help: ArgumentHelp("Recordings, and folders of them.", valueName: "file"))
  var files: [String]

  @Flag(help: "Count warnings as errors.")
  var strict = false

  @OptionGroup(title: "Reading") var importing: ImportOptions

  @Option(help: "The format of the output.")
  var format = OutputFormat.table

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let importing = importing
    let recordings = RecordingArguments(files, importing)
    recordings.reportSkipped(to: common.terminal)
    let reports = try await parallelMap(
      recordings.paths, threads: ProcessInfo.processInfo.activeProcessorCount
    ) { try ValidationReport.reports(on: $0, importing) }.flatMap(\.self)
    switch format {
    case .table: try StandardOutput.write(reports.map(\.table).joined(separator: "\n"))
    case .json:
      try StandardOutput.write(
        jsonDocument(["files": reports], .validate, inputs: .files(reports.map(\.path))))
    case .csv: try StandardOutput.write(ValidationReport.csv(reports))
    }
    common.terminal.say(ValidationReport.summary(reports))
    let status = ExitStatus.gravest(reports.map { $0.status(strict: strict) })
    guard status == .done else { throw status.exitCode }
  }
}

/// What `validate` says of one recording.
private struct ValidationReport: Encodable, Sendable {
  struct Line: Encodable, Sendable {
    var severity: String
    var code: String
    var place: String
    @Nullable var startNs: Int64?
    @Nullable var endNs: Int64?
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
        place: Failure.printable(finding.place), startNs: finding.start?.nanoseconds,
        endNs: finding.end?.nanoseconds, count: finding.count,
        message: Failure.printable(finding.message), repair: finding.repair)
    }
  }

  /// One for each recording in the file; one file that cannot be read does not hide the others.
  static func reports(
    on path: String, _ importing: ImportOptions
  ) throws -> [ValidationReport] {
    do {
      return try Inspection.all(of: importing.read(path), path: path).map {
        ValidationReport(path: path, id: $0.trace.header.id, findings: $0.findings)
      }
    } catch let error as TraceError {
      return [unreadable(path, Failure(error))]
    } catch let error as Failure {
      return [unreadable(path, error)]
    }
  }

  private static func unreadable(_ path: String, _ error: Failure) -> ValidationReport {
    // The place is beside it.
    let prefix = "\(Failure.printable(path)): "
    let text = error.description
    let message = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    var report = ValidationReport(
      path: path, id: nil,
      findings: [
        Finding(
          "unreadable", .error, place: path,
          message: message.prefix(1).uppercased() + message.dropFirst())
      ])
    report.failure = ExitStatus(error.kind)
    return report
  }

  func status(strict: Bool) -> ExitStatus {
    if let failure { return failure }
    return errors > 0 || (strict && warnings > 0) ? .badData : .done
  }

  static func summary(_ reports: [ValidationReport]) -> String {
    func all(_ count: KeyPath<ValidationReport, Int>, _ noun: String) -> String {
      let sum = reports.reduce(0) { $0 + $1[keyPath: count] }
      return "\(sum) \(noun)\(sum == 1 ? "" : "s")"
    }
    return (reports.count == 1 ? "1 recording" : "\(reports.count) recordings") + ": "
      + [all(\.errors, "error"), all(\.warnings, "warning"), all(\.notes, "note")]
      .joined(separator: ", ")
  }

  var table: String {
    var lines = ["\(path)\(id.map { ": \($0)" } ?? "")\(findings.isEmpty ? ": no findings" : "")"]
    let widths = (
      place: findings.map { shortPlace($0).count }.max() ?? 0,
      time: findings.map { Self.time($0).count }.max() ?? 0
    )
    for finding in findings {
      let cells = [
        padded(finding.severity, 7), padded(shortPlace(finding), widths.place),
        padded(Self.time(finding), widths.time), finding.message,
      ]
      lines.append("  " + cells.joined(separator: "  "))
      if let repair = finding.repair { lines.append("           repair: \(repair)") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Without the folders that lead to the recording, which the first line has.
  private func shortPlace(_ finding: Line) -> String {
    let printable = Failure.printable(path)
    guard finding.place.hasPrefix(printable) else { return finding.place }
    let name = URL(fileURLWithPath: printable).lastPathComponent
    return name + finding.place.dropFirst(printable.count)
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// In seconds on the trace's axis.
  private static func time(_ line: Line) -> String {
    guard let start = line.startNs else { return "-" }
    let from = fixed(Double(start) / 1e9, 3)
    let to = line.endNs.map { fixed(Double($0) / 1e9, 3) } ?? from
    return from == to ? "\(from) s" : "\(from)-\(to) s"
  }

  static func csv(_ reports: [ValidationReport]) -> String {
    var output = "path,id,severity,code,place,start_ns,end_ns,count,message,repair\n"
    for report in reports {
      for finding in report.findings {
        let cells: [String] = [
          report.path, report.id ?? "", finding.severity, finding.code, finding.place,
          finding.startNs.map { "\($0)" } ?? "", finding.endNs.map { "\($0)" } ?? "",
          "\(finding.count)", finding.message, finding.repair ?? "",
        ]
        output += cells.map(csvCell).joined(separator: ",") + "\n"
      }
    }
    return output
  }
}
