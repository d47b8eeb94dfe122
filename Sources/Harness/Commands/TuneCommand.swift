import Reports
import Diagnostics
import ArgumentParser
import Detectors
import Foundation
import HDF5
import Evaluation
import Scoring
import TraceFormats
import TraceModel
import Tuning

struct TuneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract: "Finds a detector's threshold and other parameters, and says how far to trust them.",
    discussion: """
      All thresholds are looked at for each setting of the parameters of --search. Each group of \
      recordings is then scored by what was tuned without it: those figures, not the ones on the \
      data that were tuned on, are what to expect. The parameter file of --output is read by \
      --parameters of the other commands.

      shadowbox tune traces/suite.yml --entry punch/default --max-false-alarms 60 \
      --search refractory=0.2s..0.8s --search peak-window=0.1s..0.4s -o out/punch.json \
      --picture out/tune.png

      \(ExitStatus.help)
      """)

  enum Method: String, ExpressibleByArgument, CaseIterable {
    case sobol, grid
  }

  @OptionGroup var input: EvaluationDatasetOptions

  @Option(
    help: ArgumentHelp(
      "The most recall with at most so many false alarms per hour; by default 60.",
      valueName: "number"))
  var maxFalseAlarms: Double?

  @Option(
    help: ArgumentHelp(
      "Another objective: f1, f-beta:0.5, or cost:10:1 (of a miss and of a false alarm).",
      valueName: "name"))
  var objective: String?

  @Option(
    help: ArgumentHelp(
      "The threshold, and where to look for it, e.g. threshold=5..100.",
      discussion: "Needed for detectors that have no threshold of their own; :N for N values.",
      valueName: "name=low..high[:n]"))
  var threshold: String?

  @Option(
    help: ArgumentHelp(
      "A further parameter to search over; may be repeated.",
      discussion: """
        refractory=0.2s..0.8s, with :log for equal ratios and :N for N values in a grid; \
        retrigger=once-below-again,every-sample for a choice.
        """, valueName: "name=values"))
  var search: [String] = []

  @Option(help: "Which settings are tried.")
  var method = Method.sobol

  @Option(help: "Settings that sobol tries, before the simplex goes on from the best of them.")
  var trials = 64

  @Option(help: "What stays together when something is held out.")
  var group = TuneGrouping.Kind.subject

  @Option(
    name: [.customLong("test-set"), .customLong("holdout")],
    help: ArgumentHelp(
      "Groups of the test set, evaluated once: a fraction, or a pattern of ids, groups or files.",
      valueName: "fraction|pattern"))
  var testSet: String?

  @Flag(help: "Go on with fewer than three groups, where nothing can be said of new ones.")
  var allowFewGroups = false

  @Option(help: "Of each bootstrap over groups; 100 or more.")
  var resamples = 2000

  @Option(help: "Of the bootstraps, and of the hold-out's choice.")
  var seed: UInt64 = 1

  @Option(name: .shortAndLong, help: "The parameter file to write (.json).")
  var output: String?

  @Option(help: ArgumentHelp("Write all of it as HDF5.", valueName: "file"))
  var results: String?

  @Option(help: ArgumentHelp("Draw it (.png, .svg, .pdf).", valueName: "file"))
  var picture: String?

  @Option(
    help: ArgumentHelp(
      "Where to keep what was measured, so that a further tuning need not.",
      discussion: """
        Kept by recording, program, detector and parameters. Of an exec: detector the files named \
        on its command line count, but not what they read in their turn: then --no-cache.
        """, valueName: "folder"))
  var cache = "out/cache"

  @Flag(help: "Measure everything, and keep nothing.")
  var noCache = false

  @Option(help: "How the result is printed; csv = the settings that were tried.")
  var format = OutputFormat.table

  @OptionGroup var common: CommonOptions

  mutating func run() async throws {
    let terminal = common.terminal
    try requireSensibleNumbers()
    let objective = try Objective(objective, budget: maxFalseAlarms)
    let drawer = try picture.map { _ in try PictureDrawer() }
    let measured = try await input.read(registry: Harness.registry, terminal: terminal)
    let files = try TuneFiles(
      output: output, results: results, picture: picture, inputs: input.files + input.detector.files
    )
    let setup = try TuneSetup(
      measured, span: ThresholdSpan(threshold, of: measured.detector), objective: objective,
      space: try space(of: measured), method: method == .grid ? .grid : .sobol(trials),
      group: group, testSet: testSet, seed: seed, resamples: resamples,
      allowFewGroups: allowFewGroups, threads: input.threadCount,
      cache: noCache ? nil : try FolderCache(cache) { terminal.warn("warning: \($0)") },
      program: try TuneProgram.version(of: measured.detector))
    let outcome = try await setup.run(terminal)
    let report = outcome.report
    try files.write(
      outcome, report, drawer: drawer, commandLine: Self.commandLine,
      near: input.inputs[0], terminal: terminal)
    try StandardOutput.write(text(outcome, report))
    terminal.say(setup.evaluationsText)
    guard outcome.result.verdict.isBetterThanNull else {
      throw Failure(
        .badData,
        "\(report.verdict)" + (output == nil ? "" : "; no parameter file is written"))
    }
  }

  /// With fewer resamples the ends of a 95 % interval would rest on one or two of them.
  private static let resampleCounts = 100...1_000_000
  private static let trialCounts = 1...100_000

  private func requireSensibleNumbers() throws {
    for (name, value, range) in [
      ("trials", trials, Self.trialCounts), ("resamples", resamples, Self.resampleCounts),
    ] where !range.contains(value) {
      throw Failure(
        .wrongUse,
        "--\(name) \(value): expected \(range.lowerBound) to \(range.upperBound)")
    }
  }

  private func space(of measured: EvaluationDataset) throws -> SearchSpace {
    let dimensions = try search.map { try SearchDimension($0, of: measured.detector) }
    let names = dimensions.map(\.name)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw Failure(.wrongUse, "--search: \(twice) is given twice")
    }
    for name in names where measured.choice.overrides[name] != nil {
      throw Failure(
        .wrongUse, "--search \(name): it is stated already (by --parameters or the suite)")
    }
    let span = try ThresholdSpan(threshold, of: measured.detector)
    if names.contains(span.parameter) {
      throw Failure(
        .wrongUse,
        "--search \(span.parameter): it is the threshold, of which all values are looked at; limit "
          + "them with --threshold \(span.parameter)=LOW..HIGH")
    }
    let space = SearchSpace(dimensions)
    guard method == .sobol || space.gridCount <= 100_000 else {
      throw Failure(
        .wrongUse, "--method grid: expected at most 100000 settings, found \(space.gridCount)")
    }
    return space
  }

  private func text(_ outcome: TuneOutcome, _ report: TuneReport) throws -> String {
    switch format {
    case .table: TuneTables(outcome: outcome, report: report).render()
    case .json: try TuneExports(outcome: outcome, report: report).json()
    case .csv: TuneExports(outcome: outcome, report: report).csv()
    }
  }

  /// Without what changes no figure.
  private static var commandLine: [String] {
    var words: [String] = []
    var skips = false
    for word in CommandLine.arguments.dropFirst() {
      if skips {
        skips = false
      } else if ["--threads", "--cache"].contains(word) {
        skips = true
      } else if !["--no-progress", "--quiet", "-q", "--no-cache"].contains(word),
        !word.hasPrefix("--threads="), !word.hasPrefix("--cache=")
      {
        words.append(word)
      }
    }
    return ["shadowbox"] + words
  }
}
