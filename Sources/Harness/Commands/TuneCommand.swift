import ArgumentParser
import Detectors
import Diagnostics
import Evaluation
import Files
import Foundation
import GSLSearch
import Reports
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
  @OptionGroup var detector: DetectorOptions
  @OptionGroup(title: "Delivery") var delivery: DeliveryOptions
  @OptionGroup var deviceRate: DeviceRateOptions

  @Option(
    help: .init(
      "Maximum recall with at most this number of false alarms per hour; default: 60.",
      valueName: "number"))
  var maxFalseAlarms: Double?

  @Option(
    help: .init(
      "Another objective: f1, f-beta:0.5, or cost:10:1 (of a miss and of a false alarm).",
      valueName: "name"))
  var objective: String?

  @Option(
    help: .init(
      "The confidence that new people stay within --max-false-alarms; 0.5: the rate itself.",
      discussion: "From 0.5 to 0.999: the upper bound for new people is compared with the budget."))
  var confidence = ChoiceRule.defaultConfidence

  @Option(
    help: .init(
      "The largest share of the best recall that a plateau of thresholds gives up.",
      valueName: "share"))
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

  @Option(help: "The settings to try.")
  var method = Method.sobol

  @Option(help: "The number of settings of sobol; a simplex then refines the best of them.")
  var trials = 64

  @Option(help: "The groups that cross-validation and hold-out keep together.")
  var group = TuneGrouping.Kind.subject

  @Option(
    name: [.customLong("test-set"), .customLong("holdout")],
    help: .init(
      "The test set, evaluated once: a fraction of the groups, or a pattern of ids, groups or files.",
      valueName: "fraction|pattern"))
  var testSet: String?

  @Flag(help: "Continue with references of fewer than three groups; figures are not reliable.")
  var allowFewGroups = false

  @Option(help: "The number of resamples of groups, each with a threshold of its own; 100 or more.")
  var resamples = 2000

  @Option(help: "The seed of the resamples, of the shifts for chance, and of the test set.")
  var seed: UInt64 = 1

  @Option(name: .shortAndLong, help: "The parameter file to write (.json).")
  var output: String?

  @Option(help: .init("Write all results as HDF5.", valueName: "file"))
  var results: String?

  @Option(help: .init("Draw the result (.png, .svg, .pdf).", valueName: "file"))
  var picture: String?

  @Option(
    help: .init("Write a page of the result, with the traces (.html).", valueName: "file"))
  var report: String?

  @OptionGroup var module: PageModuleOption

  @Option(
    help: .init(
      "The folder of the cache; default: the user's cache folder, ~/.cache/shadowbox.",
      discussion: """
        The cache holds the results of detectors by recording, program, detector and parameters. \
        Above 512 MiB the oldest results are removed. XDG_CACHE_HOME moves the default folder. For \
        an exec: detector that reads files which its command line does not name, use --no-cache.
        """, valueName: "folder"))
  var cache: String?

  @Flag(help: "Compute everything, and store nothing in the cache.")
  var noCache = false

  @Option(help: "How the result is printed; csv prints the settings that were tried.")
  var format = OutputFormat.table

  @Flag(help: "Print all tables instead of the short result.")
  var full = false

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    try requireSensibleNumbers()
    let rule = ChoiceRule(
      try Objective(objective, budget: maxFalseAlarms), confidence: confidence,
      plateauLoss: plateauLoss)
    let drawer = try picture.map { _ in try PictureDrawer() }
    let module = try module.read(for: report)
    let measured = try await readData()
    let files = try checkedOutputs(inputs: files(of: measured) + self.module.files)
    let store = try folderCache()
    defer { store?.trim() }
    let setup = try TuneSetup(
      measured, span: ThresholdSpan(threshold, of: measured.detector), rule: rule,
      space: try space(of: measured), method: method == .grid ? .grid : .sobol(trials),
      group: group, testSet: testSet, seed: seed, resamples: resamples,
      allowFewGroups: allowFewGroups, threads: data.threadCount, cache: store,
      program: try Toolchain.program(of: measured.detector), methods: GSLSearch())
    let outcome = try await setup.run(terminal)
    let exports = TuneExports(
      outcome: outcome, dataCommit: Toolchain.commit(near: data.inputs[0]),
      commandLine: Self.commandLine)
    try write(exports, to: files, drawer)
    if let page = files.page { try await writePage(of: outcome, at: page, module) }
    try StandardOutput.write(text(exports))
    if full { terminal.say(setup.evaluationsText) }
    try requireData(
      outcome.result.verdict.isBetterThanNull,
      outcome.verdict + (output == nil ? "" : "; no parameter file is written"))
  }

  private func folderCache() throws -> FolderCache? {
    guard !noCache else { return nil }
    let warn: @Sendable (String) -> Void = { [terminal] in terminal.warn("warning: \($0)") }
    if let cache { return try FolderCache(cache, report: warn) }
    do {
      let folder = FolderCache.defaultFolder(ProcessInfo.processInfo.environment)
      return try FolderCache(folder, report: warn)
    } catch let error as Failure {
      warn("\(error); nothing is cached")
      return nil
    }
  }

  private func requireSensibleNumbers() throws {
    // With fewer resamples, the ends of a 95 % interval depend on one or two of them.
    for (name, value, range) in [
      ("trials", trials, 1...100_000), ("resamples", resamples, 100...1_000_000),
    ] {
      try requireUse(
        range.contains(value),
        "--\(name) \(value): expected \(range.lowerBound) to \(range.upperBound)")
    }
    for (name, value, range) in [
      ("confidence", confidence, 0.5...0.999), ("plateau-loss", plateauLoss, 0...1),
    ] {
      try requireUse(
        range.contains(value),
        "--\(name) \(value): expected \(range.lowerBound) to \(range.upperBound)")
    }
  }

  private func space(of measured: EvaluationDataset) throws -> SearchSpace {
    let dimensions = try search.map { try SearchDimension($0, of: measured.detector) }
    let names = dimensions.map(\.name)
    for name in names {
      try requireUse(names.count { $0 == name } == 1, "--search: duplicate \(name)")
    }
    for name in names {
      try requireUse(
        measured.choice.overrides[name] == nil,
        "--search \(name): it is stated already (by --parameters or the suite)")
    }
    let span = try ThresholdSpan(threshold, of: measured.detector)
    try requireUse(
      !names.contains(span.parameter),
      "--search \(span.parameter): it is the threshold, all of whose values are evaluated; limit "
        + "them with --threshold \(span.parameter)=LOW..HIGH")
    let space = SearchSpace(dimensions)
    try requireUse(
      method == .sobol || space.gridCount <= 100_000,
      "--method grid: expected at most 100000 settings, found \(space.gridCount)")
    return space
  }

  private func text(_ exports: TuneExports) throws -> String {
    let tables = TuneTables(outcome: exports.outcome, screen: OutputTerminal.screen)
    return switch format {
    case .table where full: tables.render()
    case .table: tables.summary()
    case .json: try exports.json()
    case .csv: exports.csv()
    }
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

  // MARK: Files

  private typealias Outputs = (
    parameters: String?, results: String?, picture: String?, page: String?
  )

  private func checkedOutputs(inputs: [String]) throws -> Outputs {
    let files = (
      parameters: try output.map { try outputFiles.checked($0, .parameters, inputs: inputs) },
      results: try results.map { try outputFiles.checked($0, .tuning, inputs: inputs) },
      picture: try picture.map { try outputFiles.checked($0, .picture, inputs: inputs) },
      page: try report.map { try outputFiles.checked($0, .page, inputs: inputs) }
    )
    try OutputFiles.requireDistinct([
      files.parameters, files.results, files.picture, files.page,
    ])
    return files
  }

  /// Writes no parameter file if nothing is better than the null detector: a reader would use it.
  private func write(
    _ exports: TuneExports, to files: Outputs, _ drawer: PictureDrawer?
  ) throws {
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
    if let path = files.parameters, exports.outcome.result.verdict.isBetterThanNull {
      try outputFiles.prepared(exports.parameterFile(), at: path).commit()
      written.append("parameters in \(path)")
    }
    if !written.isEmpty { terminal.say(written.joined(separator: ", ")) }
  }
}
