import ArgumentParser
import Reports
import TraceModel

struct ValidateCommand: TerminalCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "validate", abstract: "Lists faults and other findings of recordings.",
    discussion: """
      Reads every format that convert reads. A folder stands for all recordings in it. Findings are \
      errors (readings are lost, or some uses are impossible), warnings (figures measured on the \
      recording may be wrong) and notes. Nothing is changed: a finding with a repair says what \
      convert --repair does.

      An error gives exit code 65, with --strict a warning too.

      EXAMPLES:
        shadowbox validate traces/recorded/*.h5
        shadowbox validate walk.gpx --strict --format json
        shadowbox validate recordings/
      """)

  @Argument(help: .init("Recordings, and folders of them.", "file")) var files: [String]
  @Flag(help: "Count warnings as errors.") var strict = false
  @OptionGroup(title: "Reading") var importing: ImportOptions
  @Option(help: "The format of the output.") var format = OutputFormat.table
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let results = try await importing.inspect(importing.recordings(files), terminal) {
      ValidationReport($0)
    }
    let reports = results.flatMap { path, outcome in
      switch outcome {
      case .success(let reports): reports
      case .failure(let failure): [ValidationReport(of: path, unreadable: failure)]
      }
    }
    try format.print { screen in
      reports.map { $0.table(screen) }.joined(separator: "\n")
    } json: {
      try jsonDocument(["files": reports], .validate, inputs: .files(reports.map(\.path)))
    } csv: {
      ValidationReport.csv(reports)
    }
    terminal.say(ValidationReport.summary(reports))
    try ExitStatus.mostSevere(reports.map(status)).end()
  }

  private func status(of report: ValidationReport) -> ExitStatus {
    if let failure = report.failure { return ExitStatus(failure) }
    let isFaulty = report.count(.error) > 0 || (strict && report.count(.warning) > 0)
    return isFaulty ? .badData : .done
  }
}
