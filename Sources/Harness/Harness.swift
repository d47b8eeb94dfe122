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

/// The command line. The executable's `main` calls it once, and registers the apps. Your own package
/// makes the same call with its detectors and apps.
public enum Harness {
  /// The version that results state.
  public static let version = Tool.version

  /// Runs the command that the process's arguments name, and exits with its status.
  ///
  /// - Parameters:
  ///   - detectors: further detectors; a detector with the name of a built-in one replaces it.
  ///   - apps: the apps of the program; of several with one name, the last counts.
  public static func main(
    detectors: [any Detector.Type] = [], apps: [any AppSimulation.Type] = []
  ) async -> Never {
    if !SpeedWorker.hasReader { NativeFile.isolate(adding: ResultsContents.readers) }
    // If the reader of the output goes away, or a file reaches the limit of its size, the write fails;
    // the process continues.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    StandardStreams.openThoseThatAreClosed()
    if let shortage = ProcessLimits.shortage() { exit(report(fileError(shortage))) }
    Interruption.install { signal in
      if signal == SIGXCPU {
        Terminal().warn(
          "error: expected enough processor time for the command, found that its limit is used up; "
            + "raise the limit (ulimit -t), or give the command less to do")
      }
      PartialFiles.removeAll(endingWith: ExitStatus.interrupted.rawValue)
    }
    if !NativeFile.isBounded {
      Terminal().warn("native traces are read without a limit of memory: /proc is missing")
    }
    // As text, several names that are not UTF-8 would be one file.
    for (number, text) in CommandLine.arguments.enumerated().dropFirst() {
      guard let bytes = CommandLine.unsafeArgv[number], String(validatingCString: bytes) == nil
      else { continue }
      let failure = wrongUse(
        "argument \(number): expected UTF-8 text, found other bytes (read as \"\(text)\"); rename the "
          + "file")
      exit(report(failure))
    }
    let registry = registry(detectors, apps)
    // SpeedWorker has to run before the first task.
    let status =
      if SpeedWorker.isAsked {
        SpeedWorker.run(registry)
      } else {
        await run(Array(CommandLine.arguments.dropFirst()), registry)
      }
    (registry.resolver as? ExecDetectors)?.close()
    exit(status)
  }

  /// The built-in detectors, the `exec:` detectors, further detectors, and the apps.
  static func registry(
    _ detectors: [any Detector.Type] = [], _ apps: [any AppSimulation.Type] = []
  ) -> DetectorRegistry {
    var registry = DetectorRegistry.builtIn
    registry.resolver = ExecDetectors()
    for type in detectors { registry.register(type) }
    registry.apps = AppCatalog(apps)
    return registry
  }

  /// Runs a command and returns its exit status. It prints to the standard streams.
  private static func run(_ arguments: [String], _ registry: DetectorRegistry) async -> Int32 {
    do {
      if try HelpTopics.print(arguments) { return 0 }
      let (own, build) = BisectCommand.split(arguments)
      switch try RootCommand.parseAsRoot(own) {
      case var command as BisectCommand:
        command.build = build
        try await command.run(registry)
      case let command as any DetectingCommand: try await command.run(registry)
      case var command as any AsyncParsableCommand: try await command.run()
      case var command: try command.run()
      }
      return 0
    } catch {
      return report(error)
    }
  }

  /// Reports the error of a command, and returns its exit status. Requests for help are errors of the
  /// argument parser.
  static func report(_ error: any Error) -> Int32 {
    if let code = error as? ExitCode { return code.rawValue }
    ExitDuties.waitForTheEnd()
    if let failure = Failure(reported: error) {
      Terminal().report("error: \(failure)")
      return ExitStatus(failure.kind).rawValue
    }
    let status = RootCommand.exitCode(for: error)
    // A message of several lines, of which an argument, such as the name of a file, is never one.
    let message = CommandLine.arguments.reduce(RootCommand.fullMessage(for: error)) {
      $1.contains("\n") ? $0.replacing($1, with: onOneLine($1)) : $0
    }
    if status.isSuccess {
      _ = try? StandardOutput.write(message + "\n")
    } else {
      Terminal().report(message)
    }
    return status.rawValue
  }

  /// The error that `run` reports for a file of a suite; nil = none. No trace is read.
  package static func fault(inSuite path: String) -> String? {
    fault { _ = try SuiteParser.read(path, registry: .builtIn) }
  }

  /// The error that `run --profile` reports for a file; nil = none.
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

  package static func message(of error: any Error) -> String {
    (Failure(reported: error) ?? badData("\(error)")).description
  }
}

struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shadowbox",
    abstract: "Replays recorded sensor traces through detectors and scores what they detect.",
    discussion: """
      Data go to stdout, diagnostics go to stderr.

      \(ExitStatus.help)
      """, version: Harness.version,
    subcommands: [
      RunCommand.self, CompareCommand.self, GateCommand.self, HistoryCommand.self,
      ReportCommand.self, RerunCommand.self, BisectCommand.self, ReplayCommand.self,
      ShrinkCommand.self, BenchCommand.self, ScoreCommand.self, SweepCommand.self, TuneCommand.self,
      EnrollCommand.self, PlanCommand.self, SynthCommand.self, InfoCommand.self,
      ValidateCommand.self, ConvertCommand.self, ResampleCommand.self, TrimCommand.self,
      MergeCommand.self, AlignCommand.self, AnonymizeCommand.self, ExportCommand.self,
    ])
}
