import ArgumentParser
import Diagnostics
import Foundation
import Reports
import TraceFixtures
import TraceFormats
import TraceModel

struct ExportCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes traces as fixtures of an app's tests, or results as a CI service reads them.",
    usage: "shadowbox export <file> ... --output <output> [<options>]",
    discussion: """
      A results file of run becomes JUnit XML (.xml), Markdown (.md), OpenMetrics (.txt), or with \
      --as JSON of github-action-benchmark (benchmark: less is better; benchmark-bigger) or a badge.

      A fixture (.trace) is a trace as lines of text. An app's test reads it without HDF5, with the \
      product ShadowboxTesting. It holds the whole trace, bit by bit; convert makes a native trace of \
      it again.

      One trace goes into a file, or into a folder under its id. Several traces go into a folder. \
      Cut a long trace with trim first.

      EXAMPLES:
        shadowbox export punch.h5 -o Tests/Fixtures/punch.trace --channels user_acceleration
        shadowbox export traces/synthetic -o Tests/Fixtures
        shadowbox export out/results.h5 -o out/junit.xml
      """)

  @Argument(
    help: .init("Native traces or folders of them, or one results file.", valueName: "file"))
  var files: [String]

  @Option(name: .shortAndLong, help: "The file to write (.trace), or a folder.")
  var output: String

  @Option(name: .customLong("as"), help: "What to write; default: what the output's ending says.")
  var kind: ExportKind?

  @Option(help: .init("Export only these channels, separated by commas.", valueName: "channels"))
  var channels: String?

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    let kind = try kind ?? ExportKind(output: output)
    guard let results = kind.results else { return try exportFixtures() }
    try requireUse(
      files.count == 1 && channels == nil,
      "--as \(kind.rawValue): expected one results file and no --channels, found "
        + "\(counted(files.count, "file"))")
    try exportResults(files[0], as: results, to: output)
    terminal.say("\(files[0]) -> \(output)")
  }

  // MARK: Fixtures

  private func exportFixtures() throws {
    let inputs = try TracePath.nativeTraces(files)
    if TracePath.ending(of: output) == "trace", !TracePath.isFolder(output) {
      try requireUse(
        inputs.count == 1,
        "\(output): expected a folder for the fixtures of \(inputs.count) traces, found a file name"
      )
      let target = try OutputFile.checked(output, .fixture, inputs: inputs)
      return try write(read(inputs[0]), of: inputs[0], to: target, output)
    }
    var names: [String: String] = [:]
    for (index, input) in inputs.enumerated() {
      let file = try read(input)
      let name = TracePath.fileName(file.trace.header.id) + ".trace"
      if let other = names.updateValue(input, forKey: name) {
        throw Failure(
          .badData,
          "\(input): expected a unique id, found \(file.trace.header.id), which is also the id of "
            + "\(other); change one with convert --id")
      }
      let path = URL(fileURLWithPath: output).appending(path: name).relativePath
      if index == 0 { try OutputFile.makeReportedFolder(output) }
      try write(file, of: input, to: OutputFile.checked(path, .fixture, inputs: inputs), path)
      terminal.progress(index + 1, of: inputs.count, "traces")
    }
    terminal.endProgress()
  }

  /// Reads a trace and keeps the chosen channels.
  private func read(_ input: String) throws -> TraceFile {
    var file = try TraceFile(reading: input)
    guard let chosen = try file.channels(named: channels) else { return file }
    for info in file.trace.header.channels where !chosen.contains(info.channel) {
      file.trace.remove(info.channel)
    }
    return file
  }

  private func write(_ file: TraceFile, of input: String, to target: String, _ name: String) throws
  {
    let bytes = try file.trace.fixture()
    try OutputFile.makeParent(of: target)
    let output = try AtomicFile(path: target)
    try output.write(bytes: bytes)
    try output.commit()
    let size = grouped((Double(bytes.count) / 1024).rounded(.up))
    terminal.say("\(input) -> \(name): \(file.trace.sizeText), \(size) KiB")
    terminal.reportLeftOut(file.unread)
  }
}

/// What `export` writes.
enum ExportKind: String, CaseIterable, ExpressibleByArgument {
  /// A trace for the tests of an app.
  case fixture
  case junit, markdown
  case openMetrics = "open-metrics"
  case benchmark
  case benchmarkBigger = "benchmark-bigger"
  case badge

  /// The format of results; nil = it is one of traces.
  var results: ResultsExport? { ResultsExport(rawValue: rawValue) }

  /// The kind that an output's ending stands for; a name without one is a folder of fixtures.
  /// - Throws: if the ending stands for none, or for several.
  init(output: String) throws {
    let ending = TracePath.ending(of: output)
    if ["trace", ""].contains(ending) || TracePath.isFolder(output) {
      self = .fixture
    } else if let kind = ResultsExport(ending: ending).flatMap({ ExportKind(rawValue: $0.rawValue) }
    ) {
      self = kind
    } else {
      throw Failure(
        .wrongUse,
        "\(output): expected a name that ends in .trace, .xml, .md or .txt, or a folder; name one, or "
          + "state what to write with --as")
    }
  }
}
