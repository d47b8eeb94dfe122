public import ArgumentParser
import Diagnostics
public import Evaluation
import Foundation
import HDF5
import Reports
import Scoring
import TraceFormats

/// A command with the options of every command.
protocol TerminalCommand: AsyncParsableCommand {
  associatedtype Common: TerminalOptions
  var common: Common { get }
}

protocol WritingCommand: TerminalCommand {
  var writing: WritingOptions { get }
}

protocol TerminalOptions {
  var quiet: Bool { get }
  var noProgress: Bool { get }
}

extension TerminalOptions {
  var terminal: Terminal { Terminal(quiet: quiet, noProgress: noProgress) }
}

extension TerminalCommand {
  var terminal: Terminal { common.terminal }
}

/// A command that runs detectors or apps.
protocol DetectingCommand: TerminalCommand {
  /// - Parameter registry: the detectors and apps of the program.
  func run(_ registry: DetectorRegistry) async throws
}

extension WritingCommand {
  var common: WritingOptions { writing }

  /// Checks and writes the files of the command.
  var outputFiles: OutputFiles {
    OutputFiles(replacesOthers: writing.force) { [terminal] in terminal.say($0) }
  }
}

extension CommandConfiguration {
  /// A command whose help ends with a reference to the exit codes.
  static func withExitCodes(
    commandName: String, abstract: String, usage: String? = nil, discussion: String
  ) -> Self {
    Self(
      commandName: commandName, abstract: abstract, usage: usage,
      discussion: discussion + "\n\n" + ExitStatus.help)
  }
}

// No group of options contains another: a debug build of the argument parser checks a group of a
// group four times as often as a group, which takes most of the start of the program.

struct CommonOptions: ParsableArguments, TerminalOptions {
  @Flag(name: .shortAndLong, help: quietHelp) var quiet = false
  @Flag(help: noProgressHelp) var noProgress = false
}

struct WritingOptions: ParsableArguments, TerminalOptions {
  @Flag(help: "Replace output files that Shadowbox did not write.") var force = false
  @Flag(name: .shortAndLong, help: quietHelp) var quiet = false
  @Flag(help: noProgressHelp) var noProgress = false
}

private let quietHelp: ArgumentHelp =
  "Print the result, warnings and errors only; of run and tune no tables, without --full or --format."
private let noProgressHelp: ArgumentHelp = "Show no progress bar."
let tracesHelp: ArgumentHelp =
  "A trace, or a folder of traces, to look in for traces that have moved; may be repeated."
let allowProgramsHelp: ArgumentHelp =
  "Start the exec: programs that the results name. Without this option they are only printed."

extension ArgumentHelp {
  /// - Parameter valueName: the name of the value in the usage.
  init(_ abstract: String, _ valueName: String) { self.init(abstract, valueName: valueName) }
}

/// The option of commands that process several traces at once.
struct ThreadOptions: ParsableArguments {
  @Option(help: "The number of traces processed at once; default: number of CPUs.")
  var threads: Int?

  /// - Throws: wrong use, if the option is below 1.
  func count() throws -> Int {
    try requirePositive(threads, "--threads")
    return threads ?? ProcessInfo.processInfo.activeProcessorCount
  }
}

struct IntervalOptions: ParsableArguments {
  @Option(
    help: .init("Whom the 95 % intervals are about: new-people, or these-people only.", "people"))
  var intervals = Argument.newPeople

  enum Argument: String, ExpressibleByArgument, CaseIterable {
    case newPeople = "new-people"
    case thesePeople = "these-people"
  }

  var population: IntervalMethod.Population { intervals == .newPeople ? .newPeople : .thesePeople }
}

/// The option of commands that print false alarms per day of life.
struct DayOptions: ParsableArguments {
  @Option(
    help: .init(
      "Hours of a day by activity (shadowbox-day/1): print false alarms per day.", "file"))
  var profile: String?

  var files: [String] { profile.map { [$0] } ?? [] }

  func read() throws -> DayProfile? { try profile.map { try SuiteParser.readDay($0) } }
}

extension OutputFormat: ExpressibleByArgument {
  func print(
    table: (Screen) throws -> String, json: () throws -> String, csv: () throws -> String
  ) throws {
    switch self {
    case .table: try StandardOutput.write(table(OutputTerminal.screen))
    case .json: try StandardOutput.write(json(), as: .json)
    case .csv: try StandardOutput.write(csv(), as: .csv)
    }
  }
}

/// The formats of a result that has no CSV.
enum DocumentFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json

  var output: OutputFormat { self == .json ? .json : .table }
}

extension TuneGrouping.Kind: ExpressibleByArgument {}
extension ImportFormat: ExpressibleByArgument {}
extension ScoreTask: ExpressibleByArgument {}

/// Parses an argument as a case of an enumeration of another module.
func oneOf<Choice>(_ text: String) throws -> Choice
where Choice: CaseIterable & RawRepresentable, Choice.RawValue == String {
  guard let choice = Choice(rawValue: text) else {
    let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("expected one of \(names), found \(text)")
  }
  return choice
}

extension OutputFiles {
  /// Checks the file of an option; nil = the option is not given.
  func checked(_ path: String?, _ kind: OutputKind, inputs: [String] = []) throws -> String? {
    try path.map { try checked($0, kind, inputs: inputs) }
  }

  /// - Throws: wrong use if two options name one file.
  static func requireDistinct(_ files: [String?]) throws {
    let files = files.compactMap(\.self)
    for (index, file) in files.enumerated()
    where files[..<index].contains(where: { isSame($0, file) }) {
      throw wrongUse("\(file): expected a different file for each output, found it twice; name two")
    }
  }

  /// Writes an HDF5 file and makes the folder that it is in.
  func write(_ what: String, to path: String, _ write: (String) throws -> Void) throws {
    try makeParent(of: path)
    do {
      try write(path)
    } catch let error as HDF5Error {
      throw fileError("\(path): the \(what) cannot be written: \(error.summary)")
    }
  }
}
