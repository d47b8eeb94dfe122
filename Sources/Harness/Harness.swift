import ExternalDetectors
import TraceFormats
import Evaluation
import Diagnostics
public import Detectors
import ArgumentParser
import Foundation
import TraceModel

/// The command line. `main` of the executable is one call of it; a package of yours that adds a
/// detector has the same one line with its own types.
public enum Harness {
  /// The version that results state.
  public static let version = Tool.version

  /// The children that `exec:` detectors are.
  static let externals = ExecDetectors()

  @TaskLocal static var registry: DetectorRegistry = {
    var registry = DetectorRegistry.builtIn
    registry.resolver = externals
    return registry
  }()

  /// Runs the command that the process's arguments name, and exits with its status.
  ///
  /// - Parameter detectors: further detectors; one named like a built-in one takes its place.
  public static func main(detectors: [any Detector.Type] = []) async -> Never {
    NativeFile.isolate()
    var registry = DetectorRegistry.builtIn
    registry.resolver = externals
    for type in detectors { register(type, in: &registry) }
    // A reader of our output that goes away is an error of a write, not the end of the process.
    // The same for a file that reaches the limit of its size.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    StandardStreams.openThoseThatAreClosed()
    Interruption.install()
    let status = await $registry.withValue(registry) {
      await run(CommandLine.arguments.dropFirst())
    }
    externals.close()
    exit(status)
  }

  /// Runs a command and returns its exit status; what it says goes to the standard streams.
  static func run(_ arguments: some Sequence<String>) async -> Int32 {
    do {
      var command = try RootCommand.parseAsRoot(Array(arguments))
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      return 0
    } catch let error as Failure {
      return report(error)
    } catch let error as TraceError {
      return report(Failure(error))
    } catch let code as ExitCode {
      return code.rawValue
    } catch {
      let status = RootCommand.exitCode(for: error)
      let message = RootCommand.fullMessage(for: error)
      if status.isSuccess {
        _ = try? StandardOutput.write(message + "\n")
      } else {
        Terminal().warn(message)
      }
      return status.rawValue
    }
  }

  private static func report(_ error: Failure) -> Int32 {
    Terminal().warn("error: \(error)")
    return ExitStatus(error.kind).rawValue
  }

  private static func register<D: Detector>(_ type: D.Type, in registry: inout DetectorRegistry) {
    registry.register(type)
  }
}

struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shadowbox",
    abstract: "Replays recorded sensor traces through detectors and says how good they are.",
    discussion: """
      Data go to standard output, talk goes to standard error.

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

/// Options that every command has.
struct CommonOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Say nothing but warnings and errors.")
  var quiet = false

  @Flag(help: "Show no progress bar.")
  var noProgress = false

  var terminal: Terminal { Terminal(quiet: quiet, noProgress: noProgress) }
}
