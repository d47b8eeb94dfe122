import ArgumentParser
import Detectors
import Diagnostics
import Evaluation
import Foundation
import Reports
import Synthesis
import TraceFormats
import TraceModel

enum HandArgument: String, ExpressibleByArgument, CaseIterable {
  case left, right
}

struct SynthCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "synth", abstract: "Makes synthetic traces with exact references.",
    discussion: """
      Equal arguments give equal bytes on one machine.

      EXAMPLES:
        shadowbox synth punches --subject 3 --hand left --seed 7 -o punches.h5
        shadowbox synth people.yml -o people
        shadowbox synth --corpus -o traces/synthetic
      """)

  private static let kinds = ScenarioKind.allCases.map(\.rawValue).joined(separator: ", ")

  @Argument(
    help: .init(
      "The scenario: \(kinds); or a YAML file of scenarios (see traces/FORMAT.md).", "scenario"))
  var scenario: String?

  @Flag(help: "Make all traces of the standard corpus in the folder --output.") var corpus = false

  @Option(help: "The simulated person, 1 to 99 (presence: the group of people); default: 1.")
  var subject: Int?

  @Option(help: "The hand that holds the phone; default: right.") var hand: HandArgument?
  @Option(help: "The seed; default: 1.") var seed: UInt64?
  @Option(help: "The length of a scenario that is not a course, e.g. 90s.") var duration: String?

  @Option(
    help: """
      The nominal sampling rate in Hz; in presence, heartbeats per second and person; in drags, touches \
      per second.
      """)
  var sampleRate: Double?

  @Flag(help: "Punch only while a button is held (punches).") var holdToArm = false

  @Option(
    help: .init(
      "The surroundings of the receiver (route, track-run, road-run, ride).",
      valueName: Surroundings.allCases.map(\.rawValue).joined(separator: "|")), transform: oneOf)
  var surroundings: Surroundings?

  @Option(
    name: .shortAndLong,
    help: "The trace to write; the folder with --corpus or a file of scenarios.")
  var output: String

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    let (choices, isFolder) = try choices()
    let target = isFolder ? output : try outputFiles.checked(output, .trace)
    try isFolder ? outputFiles.makeReportedFolder(output) : outputFiles.makeParent(of: target)
    let written = try await parallelMap(
      choices, threads: ProcessInfo.processInfo.activeProcessorCount
    ) { choice in
      let trace = try choice.trace()
      let path =
        isFolder ? try outputFiles.checked("\(target)/\(trace.header.id).h5", .trace) : target
      try NativeTrace.write(trace, to: path)
      return "\(path): \(trace.header.source)"
    }
    for line in written { terminal.say(line) }
  }

  /// The scenarios to make, and whether the output is a folder.
  private func choices() throws -> ([ScenarioChoice], isFolder: Bool) {
    if corpus {
      try requireUse(scenario == nil, "--corpus makes all scenarios; leave the scenario out")
      try requireNoOptions("the standard corpus states its scenarios")
      return (Synthesizer.corpus.map(ScenarioChoice.standard), true)
    }
    guard let scenario else {
      throw wrongUse("expected a scenario (\(Self.kinds)), a file of scenarios or --corpus")
    }
    if let kind = ScenarioKind(rawValue: scenario) {
      return ([.standard(try specification(kind))], false)
    }
    guard scenario.hasSuffix(".yml") || scenario.hasSuffix(".yaml") else {
      throw Failure.unknown(
        "scenario", scenario, known: ScenarioKind.allCases.map(\.rawValue), place: "synth")
    }
    try requireNoOptions("\(scenario) states its scenarios")
    return (try SuiteParser.readScenarios(scenario), true)
  }

  private func requireNoOptions(_ why: String) throws {
    let isPlain =
      subject == nil && hand == nil && seed == nil && duration == nil && sampleRate == nil
      && !holdToArm && surroundings == nil
    try requireUse(isPlain, "\(why); leave the options of a single scenario out")
  }

  private func specification(_ kind: ScenarioKind) throws -> ScenarioSpec {
    let length = try duration.map {
      try quantity($0, .seconds, of: "--duration", "a time such as 90s") { _ in true }
    }
    return try asWrongUse {
      try ScenarioSpec(
        kind: kind, subject: subject ?? 1, hand: hand == .left ? .left : .right, seed: seed ?? 1,
        duration: length, sampleRate: sampleRate, isHoldToArm: holdToArm,
        surroundings: surroundings ?? .open)
    }
  }
}
