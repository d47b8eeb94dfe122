import ArgumentParser
import Diagnostics
import Reports
import TraceFormats

struct ExportCommand: WritingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "export",
    abstract: "Writes the results of run in the formats that CI services read.",
    discussion: """
      Without --as, the output's ending decides: .xml JUnit XML, .md Markdown, .txt \
      OpenMetrics. benchmark has the figures where less is better, benchmark-bigger those where \
      more is.
      """)

  @Argument(help: .init("A results file of run.", valueName: "results"))
  var results: String

  @Option(name: .shortAndLong, help: "The file to write.")
  var output: String

  @Option(name: .customLong("as"), help: "The format; default: that of the output's ending.")
  var kind: ResultsExport?

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    guard let kind = kind ?? ResultsExport(ending: TracePath.ending(of: output)) else {
      throw Failure(
        .wrongUse, "\(output): expected a name that ends in .xml, .md or .txt; state --as")
    }
    try exportResults(results, as: kind, to: output)
    terminal.say("\(results) -> \(output)")
  }
}
