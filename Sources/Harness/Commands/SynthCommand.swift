import ArgumentParser
import Detectors
import Diagnostics
import Evaluation
import Foundation
import Reports
import Synthesis
import TraceFormats
import TraceModel

/// The hand that holds the phone, as an argument.
enum HandArgument: String, ExpressibleByArgument, CaseIterable {
  case left, right
}

struct SynthCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "synth",
    abstract: "Makes synthetic traces with exact references.",
    discussion: """
      Equal arguments give equal bytes on one machine.

      EXAMPLES:
        shadowbox synth punches --subject 3 --hand left --seed 7 -o punches.h5
        shadowbox synth --corpus -o traces/synthetic
      """)

  private static let scenarios = ScenarioKind.allCases.map(\.rawValue).joined(separator: ", ")

  @Argument(
    help: .init("The scenario: \(scenarios).", valueName: "scenario"), transform: oneOf)
  var kind: ScenarioKind?

  @Flag(help: "Make all traces of the standard corpus in the folder --output.")
  var corpus = false

  @Option(help: "The simulated person, 1 to 99 (presence: the group of people).")
  var subject = 1

  @Option(help: "The hand that holds the phone.")
  var hand = HandArgument.right

  @Option(help: "The seed.")
  var seed: UInt64 = 1

  @Option(help: "The length of a scenario that is no course, e.g. 90s.")
  var duration: String?

  @Option(
    help: """
      The nominal sampling rate in Hz (presence: heartbeats per second and person; drags: touches per \
      second).
      """)
  var sampleRate: Double?

  @Flag(help: "Punch only while a button is held (punches).")
  var holdToArm = false

  @Option(
    help: .init(
      "The surroundings of the receiver (route, track-run, road-run, ride).",
      valueName: Surroundings.allCases.map(\.rawValue).joined(separator: "|")),
    transform: oneOf)
  var surroundings = Surroundings.open

  @Option(name: .shortAndLong, help: "The trace to write; the folder with --corpus.")
  var output: String

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    let specs = try specifications()
    let target = corpus ? output : try OutputFile.checked(output, .trace)
    try corpus ? OutputFile.makeReportedFolder(output) : OutputFile.makeParent(of: target)
    let written = try await parallelMap(
      specs, threads: ProcessInfo.processInfo.activeProcessorCount
    ) { [corpus] spec in
      let trace = Synthesizer.trace(spec)
      let path = corpus ? try OutputFile.checked("\(target)/\(trace.header.id).h5", .trace) : target
      try NativeTrace.write(trace, to: path)
      return "\(path): \(trace.header.source)"
    }
    for line in written { terminal.say(line) }
  }

  private func specifications() throws -> [ScenarioSpec] {
    if corpus {
      try requireUse(kind == nil, "--corpus makes all scenarios; expected no scenario too")
      return Synthesizer.corpus
    }
    guard let kind else {
      throw Failure(.wrongUse, "expected a scenario (\(Self.scenarios)) or --corpus")
    }
    let length = try duration.map {
      try quantity($0, .seconds, of: "--duration", "a time such as 90s") { _ in true }
    }
    let spec = try asWrongUse {
      try ScenarioSpec(
        kind: kind, subject: subject, hand: hand == .left ? .left : .right, seed: seed,
        duration: length, sampleRate: sampleRate, isHoldToArm: holdToArm,
        surroundings: surroundings)
    }
    return [spec]
  }
}
