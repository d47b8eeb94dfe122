import ArgumentParser
public import Apps
public import Detectors
import Diagnostics
import Evaluation
import ExternalDetectors
import Foundation
import Reports
import TraceFormats
import TraceModel

/// The command line. The executable's `main` is one call of it. A package of yours that adds a
/// detector or an app makes the same call with its own types.
public enum Harness {
  /// The version that results state.
  public static let version = Tool.version

  /// The child processes of `exec:` detectors.
  static let externals = ExecDetectors()

  @TaskLocal static var registry = registry(adding: [])

  /// Runs the command that the process's arguments name, and exits with its status.
  ///
  /// - Parameters:
  ///   - detectors: further detectors; one named like a built-in one replaces it.
  ///   - apps: further apps; one named like a built-in one replaces it.
  public static func main(
    detectors: [any Detector.Type] = [], apps: [any AppSimulation.Type] = []
  ) async -> Never {
    NativeFile.isolate()
    // A reader of our output that goes away is an error of a write, not the end of the process.
    // The same holds for a file that reaches the limit of its size.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    StandardStreams.openThoseThatAreClosed()
    Interruption.install()
    let status = await run(CommandLine.arguments.dropFirst(), detectors: detectors, apps: apps)
    externals.close()
    exit(status)
  }

  /// Runs a command with further detectors and apps, and returns its exit status.
  static func run(
    _ arguments: some Sequence<String>, detectors: [any Detector.Type],
    apps: [any AppSimulation.Type] = []
  ) async -> Int32 {
    await $registry.withValue(registry(adding: detectors)) {
      await AppCatalog.$all.withValue(AppCatalog.adding(apps)) { await run(arguments) }
    }
  }

  /// Runs a command and returns its exit status. It prints to the standard streams.
  static func run(_ arguments: some Sequence<String>) async -> Int32 {
    do {
      let arguments = Array(arguments)
      if try HelpTopics.print(arguments) { return 0 }
      try await execute(RootCommand.parseAsRoot(arguments))
      return 0
    } catch let error as Failure {
      return report(error)
    } catch let error as TraceError {
      return report(Failure(error))
    } catch let code as ExitCode {
      return code.rawValue
    } catch {
      return report(parsing: error)
    }
  }

  private static func execute(_ command: any ParsableCommand) async throws {
    let policy = (command as? any TerminalCommand)?.outputPolicy ?? OutputFile.Policy()
    try await OutputFile.$policy.withValue(policy) {
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        var command = command
        try command.run()
      }
    }
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

  private static func report(_ error: Failure) -> Int32 {
    Terminal().warn("error: \(error)")
    return ExitStatus(error.kind).rawValue
  }

  /// The built-in detectors, the `exec:` detectors, and further ones.
  private static func registry(adding detectors: [any Detector.Type]) -> DetectorRegistry {
    var registry = DetectorRegistry.builtIn
    registry.resolver = externals
    for type in detectors { register(type, in: &registry) }
    return registry
  }

  private static func register<D: Detector>(_ type: D.Type, in registry: inout DetectorRegistry) {
    registry.register(type)
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
      RunCommand.self, ReplayCommand.self, BenchCommand.self, ScoreCommand.self, SweepCommand.self,
      TuneCommand.self, SynthCommand.self, InfoCommand.self, ValidateCommand.self,
      ConvertCommand.self, ResampleCommand.self, TrimCommand.self,
      MergeCommand.self, AlignCommand.self, AnonymizeCommand.self,
    ])
}

/// The options of every command.
struct CommonOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print warnings and errors only.")
  var quiet = false

  @Flag(help: "Show no progress bar.")
  var noProgress = false

  var terminal: Terminal { Terminal(quiet: quiet, noProgress: noProgress) }
}
