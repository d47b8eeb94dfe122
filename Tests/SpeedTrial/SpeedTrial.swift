import ArgumentParser
import ChildProcesses
import Diagnostics
import Foundation
import Speed

struct SpeedTrial: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "speedtrial",
    abstract: "Compares the speed of two programs once, and prints the comparison as JSON.")

  @Option(help: "The program of the base; default: this one.")
  var base: String?

  @Option(help: "The program of the head; default: that of the base.")
  var head: String?

  @Option(help: "Arguments for the base alone, separated by blanks.")
  var baseOptions = ""

  @Option(help: "Arguments for the head alone, separated by blanks.")
  var headOptions = ""

  @Option(help: "Pairs of processes.")
  var pairs = SpeedPlan().pairs

  @Option(help: "Milliseconds of a block.")
  var block = SpeedPlan().blockMilliseconds

  @Option(help: "The maximum number of samples in a pass.")
  var samples = SpeedPlan().samples

  @Option(help: "The tolerated slowdown in time, as a share.")
  var margin = SpeedPlan().timeMargin

  @Option(help: "The tolerated growth in instructions, as a share.")
  var instructionMargin = SpeedPlan().instructionMargin

  @Flag(help: "Count no instructions.")
  var timeOnly = false

  @Option(help: "Devices of a run in real time; default: no such run.")
  var fleet: Int?

  @Option(help: "The seed of the bootstrap.")
  var seed: UInt64 = 1

  @Argument(help: "The arguments of `run`.")
  var arguments: [String]

  func run() async throws {
    signal(SIGPIPE, SIG_IGN)
    Interruption.install { _ in Foundation.exit(130) }
    let own = Bundle.main.executablePath ?? CommandLine.arguments[0]
    var plan = SpeedPlan()
    (plan.pairs, plan.blockMilliseconds, plan.samples) = (pairs, block, samples)
    (plan.timeMargin, plan.instructionMargin, plan.seed) = (margin, instructionMargin, seed)
    plan.countsInstructions = !timeOnly
    plan.fleet = fleet.map { SpeedPlan.Fleet(devices: $0) }
    func side(_ name: String, _ executable: String, _ options: String) -> SpeedSide {
      SpeedSide(
        name, executable: executable,
        arguments: arguments + options.split(separator: " ").map(String.init))
    }
    do {
      let comparison = try await compareSpeed(
        base: side("base", base ?? own, baseOptions),
        head: side("head", head ?? base ?? own, headOptions), plan: plan)
      print(try SpeedMessages.line(comparison), terminator: "")
    } catch let failure as Failure {
      FileHandle.standardError.write(Data("error: \(failure)\n".utf8))
      throw ExitCode(failure.kind == .childFailed ? 70 : 65)
    }
  }
}
