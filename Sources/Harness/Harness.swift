public import AppEngines
import ArgumentParser
import ChildProcesses
public import Detectors
import Diagnostics
import Evaluation
import ExternalDetectors
import Files
import Foundation
import Reports
import Results
import TraceFormats

/// The command line. The executable's `main` is one call of it, which registers the apps. A package of
/// yours that adds a detector or an app makes the same call with its own types.
public enum Harness {
  /// The version that results state.
  public static let version = Tool.version

  /// The child processes of `exec:` detectors.
  static let externals = ExecDetectors()

  @TaskLocal static var registry = registry(adding: [], [])

  /// Runs the command that the process's arguments name, and exits with its status.
  ///
  /// - Parameters:
  ///   - detectors: further detectors; one named like a built-in one replaces it.
  ///   - apps: the apps of the program; of several with one name, the last counts.
  public static func main(
    detectors: [any Detector.Type] = [], apps: [any AppSimulation.Type] = []
  ) async -> Never {
    if !SpeedWorker.hasReader { NativeFile.isolate(adding: ResultsContents.readers) }
    // A reader of our output that goes away is an error of a write, not the end of the process.
    // The same holds for a file that reaches the limit of its size.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    StandardStreams.openThoseThatAreClosed()
    if let shortage = ProcessLimits.shortage() {
      Terminal().warn("error: \(shortage)")
      exit(ExitStatus.fileError.rawValue)
    }
    Interruption.install {
      PartialFiles.removeAll(endingWith: ExitStatus.interrupted.rawValue)
    }
    if !NativeFile.isBounded {
      Terminal().warn("native traces are read without a limit of memory: /proc is missing")
    }
    if let garbled = Self.garbledArgument() {
      Terminal().warn(
        "error: argument \(garbled.number): expected UTF-8 text, found other bytes (read as "
          + "\"\(garbled.text)\"); rename the file")
      exit(ExitStatus.wrongUse.rawValue)
    }
    if SpeedWorker.isAsked {
      // Before the first task, see there.
      let status = $registry.withValue(registry(adding: detectors, apps)) { SpeedWorker.run() }
      externals.close()
      exit(status)
    }
    let status = await run(CommandLine.arguments.dropFirst(), detectors: detectors, apps: apps)
    externals.close()
    exit(status)
  }

  /// The first argument that is not UTF-8. As text, several such names would be one file.
  private static func garbledArgument() -> (number: Int, text: String)? {
    for (number, text) in CommandLine.arguments.enumerated().dropFirst() {
      guard let bytes = CommandLine.unsafeArgv[number], String(validatingCString: bytes) == nil
      else { continue }
      return (number, Failure.printable(text))
    }
    return nil
  }

  /// Runs a command with further detectors and apps, and returns its exit status.
  static func run(
    _ arguments: some Sequence<String>, detectors: [any Detector.Type],
    apps: [any AppSimulation.Type] = []
  ) async -> Int32 {
    await $registry.withValue(registry(adding: detectors, apps)) { await run(arguments) }
  }

  /// Runs a command and returns its exit status. It prints to the standard streams.
  static func run(_ arguments: some Sequence<String>) async -> Int32 {
    do {
      let arguments = Array(arguments)
      if try HelpTopics.print(arguments) { return 0 }
      let (own, build) = BisectCommand.split(arguments)
      try await execute(own, build: build)
      return 0
    } catch let code as ExitCode {
      return code.rawValue
    } catch {
      ExitDuties.waitForTheEnd()
      guard let failure = Failure(reported: error) else { return report(parsing: error) }
      Terminal().warn("error: \(failure)")
      return ExitStatus(failure.kind).rawValue
    }
  }

  /// - Parameter build: the command that `bisect` builds a commit with.
  private static func execute(_ arguments: [String], build: [String]) async throws {
    var command = try RootCommand.parseAsRoot(arguments)
    if var bisect = command as? BisectCommand {
      bisect.build = build
      return try await bisect.run()
    }
    guard var command = command as? any TerminalCommand else { return try command.run() }
    try await command.run()
  }

  /// Reports an error of the argument parser; a request for help is one too.
  private static func report(parsing error: any Error) -> Int32 {
    let status = RootCommand.exitCode(for: error)
    let message = RootCommand.fullMessage(for: error)
    if status.isSuccess {
      _ = try? StandardOutput.write(message + "\n")
    } else {
      Terminal().warn(message)
    }
    return status.rawValue
  }

  /// The built-in detectors, the `exec:` detectors, further ones, and the apps.
  private static func registry(
    adding detectors: [any Detector.Type], _ apps: [any AppSimulation.Type]
  ) -> DetectorRegistry {
    var registry = DetectorRegistry.builtIn
    registry.resolver = externals
    for type in detectors { registry.register(type) }
    registry.apps = AppCatalog(apps)
    return registry
  }

  /// The error that `run` reports for a suite's file; nil = none. No trace is read.
  package static func fault(inSuite path: String) -> String? {
    fault { _ = try SuiteParser.read(path, registry: .builtIn) }
  }

  /// The error that `run --profile` reports for a profile of a day; nil = none.
  package static func fault(inDay path: String) -> String? {
    fault { _ = try SuiteParser.readDay(path) }
  }

  /// The error that `synth` reports for a file of scenarios; nil = none. No trace is made.
  package static func fault(inScenarios path: String) -> String? {
    fault { _ = try SuiteParser.readScenarios(path) }
  }

  private static func fault(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return message(of: error)
    }
  }

  /// The message of an error at the terminal.
  package static func message(of error: any Error) -> String {
    (Failure(reported: error) ?? Failure(.badData, "\(error)")).description
  }
}

struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shadowbox",
    abstract: "Replays recorded sensor traces through detectors and scores what they detect.",
    discussion: """
      Data go to stdout, diagnostics go to stderr.

      \(ExitStatus.help)
      """,
    version: Harness.version,
    subcommands: [
      RunCommand.self, CompareCommand.self, GateCommand.self, HistoryCommand.self,
      ReportCommand.self, RerunCommand.self, BisectCommand.self, ReplayCommand.self,
      ShrinkCommand.self,
      BenchCommand.self, ScoreCommand.self, SweepCommand.self, TuneCommand.self, EnrollCommand.self,
      PlanCommand.self,
      SynthCommand.self, InfoCommand.self, ValidateCommand.self, ConvertCommand.self,
      ResampleCommand.self, TrimCommand.self, MergeCommand.self, AlignCommand.self,
      AnonymizeCommand.self, ExportCommand.self,
    ])
}
