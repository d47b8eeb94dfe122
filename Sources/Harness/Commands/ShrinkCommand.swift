import AppEngines
import ArgumentParser
import Diagnostics
import Evaluation
import Files
import Foundation
import Reports
import Scoring
import TraceModel

struct ShrinkCommand: DetectingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "shrink",
    abstract: "Reduces the faults that break a rule of an app to the fewest that do.",
    discussion: """
      Plays an app as replay --app does. If a rule of the app is broken, the messages that the \
      network lost, delayed or copied become a list of faults. Faults that are not needed are left \
      out, runs of lost messages become cuts; the rest is printed as a command. --search tries \
      random networks until one breaks a rule. The exit code is 2 if a rule is broken.

      EXAMPLES:
        shadowbox shrink --app fight/hitThat a.h5 b.h5 --network jitter=2s,loss=0.3,seed=7
        shadowbox shrink --app fight/hitThat a.h5 b.h5 --search 100
        shadowbox shrink --app fight/hitThat a.h5 b.h5 --search 1000 --count
        shadowbox shrink --app workout run.h5 --fault restart:1:35s:20s --fault lose:1-server:4

      The texts of faults: shadowbox replay --help
      """)

  @Argument(help: .init("Native traces, one for each person.", "trace")) var traces: [String]
  @OptionGroup(title: "App") var app: AppReplayOptions

  @Option(
    help: .init(
      "Parameters of the app's detector, e.g. threshold=25m/s2; may be repeated.",
      "name=value,..."))
  var parameters: [String] = []

  @OptionGroup(title: "Person") var person: PolicyOptions
  @Flag(help: "Start all traces at the same time; ignore their wall clocks.") var together = false

  @Option(help: .init("Try up to this many random networks, until one breaks something.", "count"))
  var search: Int?

  @Option(help: .init("With --search: the seed of the first network.", "seed"))
  var searchFrom: UInt64 = 1

  @Flag(help: "With --search: count what breaks in all of them, instead of stopping at the first.")
  var count = false

  @Option(help: "With --count: the number of threads; default: number of CPUs.") var threads: Int?

  @Option(
    help: .init(
      "Find a breach of this count of the app (or invariant), and keep it; may be repeated.",
      discussion: "Default: whatever breaks first, which the result names.", valueName: "outcome"))
  var watch: [String] = []

  @Option(help: "The format of the result.") var format = DocumentFormat.table
  @OptionGroup var common: CommonOptions

  func run(_ registry: DetectorRegistry) async throws {
    guard let choice = try app.choice(registry) else {
      throw wrongUse("expected --app with the name of an app, e.g. --app fight")
    }
    try checkOptions()
    let files = try TracePath.nativeTraces(traces)
    let inputs = try [InputFile].files(files)
    let loaded = try files.map { try NativeTraceLoader().load($0) }
    let signals = SignalPath().apply(to: loaded.map(\.trace), for: choice.app.channel)
    let starts = PlayedTraces.startTimes(
      of: loaded.map(\.trace.header), together: together
    ) { terminal.warn($0) }
    let played = try PlayedTraces(zip(signals, starts).map { .init(trace: $0.trace, start: $1) })
    var options = try app.options(person, of: choice)
    options.parameters = try DetectorOptions.settings(parameters, of: choice, registry)
    let isRandom = app.decisions == "random"
    if isRandom {
      try refuse("--decisions random", true, without: "--search", search != nil)
    } else {
      options.decisions = try app.decided(choice, played)
    }
    var shrinking = try FaultShrinking(choice, played, options, watching: watch)
    shrinking.hasRandomDecisions = isRandom
    if count { return try await tally(shrinking, choice, inputs) }
    guard let found = try broken(shrinking, options) else {
      try StandardOutput.write(nothing(choice, inputs))
      return
    }
    let reduced = try shrinking.reduce(found.broken)
    let report = ShrinkReport(
      reduced: reduced, seed: found.seed, command: command(reduced.broken, choice), inputs: inputs)
    try StandardOutput.write(
      format == .json ? report.json() : report.text(OutputTerminal.screen), as: format.output)
    try ExitStatus.regression.end()
  }

  private func checkOptions() throws {
    try refuse("--count", count, without: "--search", search != nil)
    try refuse("--threads", threads != nil, without: "--count", count)
    try requirePositive(threads, "--threads")
    try requirePositive(search, "--search")
    guard let search else { return }
    try requireUse(
      app.network == nil && app.faults.isEmpty,
      "--search makes random networks; leave --network and --fault out")
    try requireUse(
      !searchFrom.addingReportingOverflow(UInt64(search - 1)).overflow,
      "--search-from: expected a smaller seed")
  }

  private func seeds(_ count: Int) -> ClosedRange<UInt64> {
    searchFrom...searchFrom + UInt64(count - 1)
  }

  private func tally(
    _ shrinking: FaultShrinking, _ choice: AppChoice, _ inputs: [InputFile]
  ) async throws {
    let tally = try await shrinking.tally(
      seeds(search ?? 1), threads: threads ?? ProcessInfo.processInfo.activeProcessorCount)
    try StandardOutput.write(
      format == .json
        ? ShrinkReport.json(tally, inputs: inputs)
        : ShrinkReport.text(tally, title: choice.title, OutputTerminal.screen),
      as: format.output)
    if tally.broken > 0 { try ExitStatus.regression.end() }
  }

  private func broken(
    _ shrinking: FaultShrinking, _ options: AppOptions
  ) throws -> (broken: FaultShrinking.Broken, seed: UInt64?)? {
    guard let search else {
      return try shrinking.check(options.network, options.faults).map { ($0, nil) }
    }
    let start = searchFrom
    let found = try shrinking.search(seeds(search)) {
      terminal.progress(Int($0 - start) + 1, of: search, "networks")
    }
    terminal.endProgress()
    return found.map { ($0.broken, $0.seed) }
  }

  private func nothing(_ choice: AppChoice, _ inputs: [InputFile]) throws -> String {
    if format == .json { return try ShrinkReport.nothing(runs: search ?? 1, inputs: inputs) }
    guard let search else {
      return "Nothing breaks in this run of \(choice.title). --search 100 tries other networks.\n"
    }
    let bound = fixed(ShrinkReport.shareAtMost(runs: search) * 100, 3)
    return OutputTerminal.screen.wrapped(
      "Nothing breaks in \(counted(search, "run")) of \(choice.title): at most "
        + "\(bound) % of such runs break something (one-sided bound, confidence 0.95).\n",
      indent: 2)
  }

  private func command(_ broken: FaultShrinking.Broken, _ choice: AppChoice) -> String {
    var words = ["shadowbox", "replay", "--app", choice.title] + traces
    if together { words.append("--together") }
    if person.policy { words += policyWords }
    if person.seed != 1 { words += ["--seed", "\(person.seed)"] }
    for text in parameters { words += ["--parameters", text] }
    for text in app.rules { words += ["--rules", text] }
    if broken.network != NetworkConditions() {
      let isCalm = broken.network == broken.network.calm
      words += [
        "--network",
        isCalm ? "delay=\(number(broken.network.delay))s" : NamedNetwork.summary(broken.network),
      ]
    }
    if !broken.decisions.isEmpty {
      words += ["--decisions", "[\(broken.decisions.map(\.yaml).joined(separator: ", "))]"]
    }
    for fault in broken.faults { words += ["--fault", fault.description] }
    return words.map(ShellText.quoted).joined(separator: " ")
  }

  private var policyWords: [String] {
    var words = [
      "--policy", "--confirm-after", person.confirmAfter, "--continue-after",
      person.continueAfter, "--cancel", number(person.cancel), "--spread", number(person.spread),
    ]
    if let time = app.armAfter { words += ["--arm-after", time] }
    if let time = app.holdFor { words += ["--hold-for", time] }
    return words
  }
}

/// Words of a command as a shell reads them.
enum ShellText {
  /// Returns the word, in quotes if the shell would read it as something else.
  static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
        || "_-./:=,@%+".unicodeScalars.contains($0)
    }
    guard !isPlain || word.isEmpty else { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
