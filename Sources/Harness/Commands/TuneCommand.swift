import ArgumentParser
import Detectors
import Diagnostics
import Evaluation
import Files
import Foundation
import GSLSearch
import Reports
import Scoring
import TraceFormats
import Tuning

struct TuneCommand: EvaluationCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "tune",
    abstract: "Finds a detector's threshold and other parameters, and how reliable they are.",
    discussion: """
      Evaluates all thresholds for each setting of the parameters of --search. Then scores each \
      group of recordings with parameters tuned without it (cross-validated). Expect these figures \
      on new data; the figures on the tuning data are biased. The other commands read the parameter \
      file of --output with --parameters.

      EXAMPLES:
        shadowbox tune recordings/ --detector punch --max-false-alarms 60 \\
          --search refractory=0.2s..0.8s --search peak-window=0.1s..0.4s \\
          -o punch.json --picture tune.png
      """)

  enum Method: String, ExpressibleByArgument, CaseIterable {
    case sobol, grid
  }

  @OptionGroup var data: EvaluationDatasetOptions
  @OptionGroup var threads: ThreadOptions
  @OptionGroup var detector: DetectorOptions
  @OptionGroup(title: "Delivery") var delivery: DeliveryOptions
  @OptionGroup var deviceRate: DeviceRateOptions

  @Option(
    help: .init(
      "Maximum recall with at most this number of false alarms per hour; default: 60.", "number"))
  var maxFalseAlarms: Double?

  @Option(
    help: .init(
      "Another objective: f1, f-beta:0.5, or cost:10:1 (of a miss and of a false alarm).", "name"))
  var objective: String?

  @Option(
    help: .init(
      "The confidence that new people stay within --max-false-alarms; 0.5: the rate itself.",
      discussion: """
        Above 0.5, up to 0.999, the upper bound for new people is compared with the budget, which takes \
        four people or more. At 0.5 the measured rate is, and half of such tunings break the budget.
        """))
  var confidence = ChoiceRule.defaultConfidence

  @Option(
    help: .init(
      "The largest share of the best recall that a plateau of thresholds gives up.", "share"))
  var plateauLoss = ChoiceRule.defaultPlateauLoss

  @Option(
    help: .init(
      "The threshold and its range, e.g. threshold=5..100.",
      discussion: "Required for detectors without a threshold of their own; :N for N values.",
      valueName: "name=low..high[:n]"))
  var threshold: String?

  @Option(
    help: .init(
      "A further parameter to search over; may be repeated.",
      discussion: """
        refractory=0.2s..0.8s, with :log for equal ratios and :N for N values in a grid; \
        retrigger=once-below-again,every-sample for a choice.
        """, valueName: "name=values"))
  var search: [String] = []

  @Option(help: "The settings to try.") var method = Method.sobol

  @Option(help: "The number of settings of sobol; a simplex then refines the best of them.")
  var trials = 64

  @Option(help: "The groups that cross-validation and hold-out keep together.")
  var group = TuneGrouping.Kind.subject

  @Option(
    name: [.customLong("test-set"), .customLong("holdout")],
    help: .init(
      "The test set, evaluated once: a fraction of the groups, or a pattern of ids, groups or files.",
      "fraction|pattern"))
  var testSet: String?

  @Flag(help: "Continue with references of fewer than three groups; figures are not reliable.")
  var allowFewGroups = false

  @Flag(
    help: .init(
      "Write parameters that lose more than a tenth of the preset's recall.",
      discussion: "Without it, such a tuning ends with exit code 65."))
  var acceptLoss = false

  @Option(help: "The number of resamples of groups, each with a threshold of its own; 100 or more.")
  var resamples = 2000

  @Option(help: "The seed of the resamples, of the shifts for chance, and of the test set.")
  var seed: UInt64 = 1

  @Option(name: .shortAndLong, help: "The parameter file to write (.json).") var output: String?
  @Option(help: .init("Write all results as HDF5.", "file")) var results: String?
  @Option(help: .init("Draw the result (.png, .svg, .pdf).", "file")) var picture: String?

  @Option(help: .init("Write a page of the result, with the traces (.html).", "file"))
  var report: String?

  @OptionGroup var module: PageModuleOption

  @Option(
    help: .init(
      "The folder of the cache; default: the user's cache folder, ~/.cache/shadowbox.",
      discussion: """
        The cache holds the results of detectors by recording, program, detector and parameters. \
        Above 512 MiB the oldest results are removed. XDG_CACHE_HOME moves the default folder. Use \
        --no-cache if an exec: detector reads files that its command line does not name.
        """, valueName: "folder"))
  var cache: String?

  @Flag(help: "Compute everything, and store nothing in the cache.") var noCache = false

  @Option(help: "How the result is printed; csv prints the settings that were tried.")
  var format = OutputFormat.table

  @Flag(help: "Print all tables instead of the short result.") var full = false
  @OptionGroup var writing: WritingOptions

  func run(_ registry: DetectorRegistry) async throws {
    // With fewer resamples, the ends of a 95 % interval depend on one or two of them.
    try require(resamples, "--resamples", in: 100...1_000_000)
    try require(trials, "--trials", in: 1...100_000)
    try require(confidence, "--confidence", in: 0.5...0.999)
    try require(plateauLoss, "--plateau-loss", in: 0...1)
    let rule = ChoiceRule(
      try Objective(objective, budget: maxFalseAlarms), confidence: confidence,
      plateauLoss: plateauLoss)
    let drawer = try picture.map { _ in try PictureDrawer() }
    let count = try threads.count()
    let writer = PageWriter(
      registry: registry, module: try module.read(for: report), hasAllData: false, threads: count,
      terminal: terminal)
    let measured = try await readData(registry)
    let files = try checkedOutputs(inputs: files(of: measured) + module.files)
    let store = try folderCache()
    defer { store?.trim() }
    var setup = try TuneSetup(
      measured, span: ThresholdSpan(threshold, of: measured.detector), rule: rule,
      space: try space(of: measured), method: method == .grid ? .grid : .sobol(trials),
      group: group, testSet: testSet, seed: seed, resamples: resamples,
      allowFewGroups: allowFewGroups, threads: count, cache: store,
      program: try Toolchain.program(of: measured.detector), methods: GSLSearch())
    setup.acceptsLoss = acceptLoss
    let outcome = try await setup.run(terminal)
    let exports = TuneExports(
      outcome: outcome, dataCommit: Toolchain.commit(near: data.inputs[0]),
      commandLine: Self.commandLine)
    try write(exports, to: files, drawer)
    if let page = files.page { try await write(outcome, to: page, writer) }
    try format.print(
      table: { screen in
        let tables = TuneTables(outcome: outcome, screen: screen)
        return full ? tables.render() : writing.quiet ? tables.answer : tables.summary()
      }, json: exports.json, csv: exports.csv)
    if full { terminal.say(setup.evaluationsText) }
    await warnOfUnrepeatable(in: measured, registry)
    // The table has the rest.
    let isTold = outcome.refusal == .fewPeople && format == .table
    try requireData(
      outcome.refusal == nil,
      (isTold ? "nothing is chosen: \(outcome.tooFew)" : outcome.verdict)
        + (output == nil ? "" : "; no parameter file is written"))
  }

  private func folderCache() throws -> FolderCache? {
    guard !noCache else { return nil }
    let warn: @Sendable (String) -> Void = { [terminal] in terminal.warn("warning: \($0)") }
    if let cache { return try FolderCache(cache, report: warn) }
    do {
      let folder = UserCache.folder()
      return try FolderCache(folder, report: warn)
    } catch let error as Failure {
      warn("\(error); nothing is cached")
      return nil
    }
  }

  private func space(of measured: EvaluationDataset) throws -> SearchSpace {
    let dimensions = try search.map { try SearchDimension($0, of: measured.detector) }
    let names = dimensions.map(\.name)
    for name in names {
      try requireUse(names.count { $0 == name } == 1, "--search: duplicate \(name)")
      try requireUse(
        measured.choice.overrides[name] == nil,
        "--search \(name): already set by --parameters or the suite")
    }
    let span = try ThresholdSpan(threshold, of: measured.detector)
    try requireUse(
      !names.contains(span.parameter),
      "--search: all values of \(span.parameter) are evaluated; limit them with --threshold")
    let space = SearchSpace(dimensions)
    try requireUse(
      method == .sobol || space.gridCount <= 100_000,
      "--method grid: expected at most 100000 settings, found \(space.gridCount)")
    return space
  }

  /// The arguments without options that change no figure.
  private static var commandLine: [String] {
    let options = ["--threads", "--cache"]
    let flags = ["--no-progress", "--quiet", "-q", "--no-cache", "--full"]
    let words = CommandLine.arguments.dropFirst()
    let kept = zip([""] + words, words).filter { before, word in
      !options.contains(before) && !(options + flags).contains(word)
        && !options.contains { word.hasPrefix($0 + "=") }
    }
    return ["shadowbox"] + kept.map(\.1)
  }

  private typealias Outputs = (
    parameters: String?, results: String?, picture: String?, page: String?
  )

  private func checkedOutputs(inputs: [String]) throws -> Outputs {
    let files = (
      parameters: try outputFiles.checked(output, .parameters, inputs: inputs),
      results: try outputFiles.checked(results, .tuning, inputs: inputs),
      picture: try outputFiles.checked(picture, .picture, inputs: inputs),
      page: try outputFiles.checked(report, .page, inputs: inputs)
    )
    try OutputFiles.requireDistinct([files.parameters, files.results, files.picture, files.page])
    return files
  }

  /// Writes no parameter file if the choice is refused: a reader would use it.
  private func write(_ exports: TuneExports, to files: Outputs, _ drawer: PictureDrawer?) throws {
    var written: [String] = []
    if let path = files.results {
      try outputFiles.write("results", to: path) { try TuningFile.write(exports, to: $0) }
      written.append("results in \(path)")
    }
    if let path = files.picture, let drawer {
      if let picture = exports.outcome.picture() {
        try drawer.draw(picture, to: path, of: outputFiles)
        written.append("picture in \(path)")
      } else {
        terminal.warn("warning: \(path): nothing was chosen, so no picture is drawn")
      }
    }
    if let path = files.parameters, exports.outcome.refusal == nil {
      try outputFiles.prepared(exports.parameterFile(), at: path).commit()
      written.append(
        "parameters in \(path)"
          + (exports.outcome.holdsPreset ? " (the chosen ones, no better than the preset)" : ""))
    }
    if !written.isEmpty { terminal.say(written.joined(separator: ", ")) }
  }

  /// Writes a page that compares the chosen parameters with the previous ones, on the same traces.
  /// - Parameter path: a checked path.
  private func write(_ outcome: TuneOutcome, to path: String, _ writer: PageWriter) async throws {
    guard outcome.result.choice != nil else {
      return terminal.warn("warning: \(path): nothing was chosen, so no page is written")
    }
    let content = try await writer.content(of: Self.suite(of: outcome), for: .newPeople)
    try await writer.write(content, to: path, outputFiles)
    terminal.say("page in \(path)")
  }

  /// The figures on a test set come first: those on the traces that chose the parameters are
  /// biased.
  private static func suite(of outcome: TuneOutcome) -> Suite {
    let measured = outcome.measured
    var sets = [
      Suite.TraceSet(name: "chosen on these traces", files: measured.recordings.map(\.path))
    ]
    if let test = outcome.testSet {
      sets.insert(Suite.TraceSet(name: "test set", files: test.inputs.map(\.path)), at: 0)
    }
    var tuned = measured.choice
    tuned.overrides.merge(outcome.chosen) { $1 }
    let entries = sets.flatMap { set in
      [("tuned", tuned), (measured.choice.title, measured.choice)].map { name, choice in
        Suite.Entry(
          name: sets.count > 1 || name == "tuned" ? "\(name), \(set.name)" : name, choice: choice,
          traces: [set.name], tolerance: measured.tolerance, path: measured.path,
          policy: measured.policy, place: "--detector")
      }
    }
    return Suite(
      name: "tuning of \(measured.choice.title)", path: "command line", traceSets: sets,
      entries: entries)
  }
}
