import ArgumentParser
import ChildProcesses
import Diagnostics
import Evaluation
import Foundation
import History
import Pacing
import Reports
import Scoring
import Speed
import TraceFormats

struct GateCommand: WritingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "gate",
    abstract: "Compares two builds, detectors, parameter files or suites, and says PASS or FAIL.",
    discussion: """
      The base is what holds now, the head is the change. Accuracy comes first: it is exact, so equal \
      sides never fail. Bounds come from gate: in the suite, or from --bound. Verdicts: PASS, \
      IMPROVED, INCONCLUSIVE, FAIL (exit code 2), ERROR (65: nothing or too little was measured, or \
      the data have changed).
      """)

  @Argument(help: .init("A suite (.yml), or traces and folders of them.", valueName: "input"))
  var inputs = ["traces/suite.yml"]

  @OptionGroup(title: "Base and head") var sides: GateSideOptions

  @Option(help: .init("Run only this entry; may be repeated.", valueName: "entry"))
  var only: [String] = []

  @Option(help: "Traces worked on at once (default: number of CPUs).")
  var threads: Int?

  @Option(
    help: .init(
      "A bound: recall=-0.01, false_alarms_per_hour='+10 %', recall='>= 0.97', lost=0, "
        + "worst_person_recall=-0.05; may be repeated. Replaces those of the suite.",
      valueName: "figure=limit"))
  var bound: [String] = []

  @Flag(help: "Bounds are about new people: the interval decides, not the figure.")
  var newPeople = false

  @Flag(help: "Leave out runs that cannot be compared, instead of an ERROR.")
  var allowDifferent = false

  @Flag(help: "Exit with 4 if the verdict is IMPROVED.")
  var failOnImprovement = false

  @Flag(help: "Exit with 2 if the verdict is INCONCLUSIVE.")
  var failOnInconclusive = false

  @Option(help: "How the result is printed.")
  var format = OutputFormat.table

  @Flag(help: "Print all checks, not only those that did not pass.")
  var full = false

  @Option(help: .init("Write all detections that differ (.csv).", valueName: "file"))
  var flips: String?

  @Option(name: .shortAndLong, help: "Write the checks and the comparison as HDF5 (.h5).")
  var output: String?

  @OptionGroup(title: "Timing") var timing: GateTimingOptions

  @OptionGroup(title: "History") var past: GateHistoryOptions

  @OptionGroup(title: "CI services") var services: CIOutputOptions

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    let files = inputs + sides.files
    let outputs = try ComparisonOutputs(
      output: output, flips: flips, inputs: files + [past.history].compactMap(\.self))
    try services.check(inputs: files, others: [output, flips])
    let rules = try rules()
    try requireUse(threads ?? 1 > 0, "--threads: expected 1 or more")
    try requireUse(
      timing.equalSides ?? 1 > 0, "--equal-sides: expected the number of comparisons, 1 or more")
    let further = only.flatMap { ["--only", $0] } + (threads.map { ["--threads", "\($0)"] } ?? [])
    let (base, head) = try sides.both(
      inputs, further, comparesWithItself: timing.equalSides != nil)
    let store = try past.opened(terminal)
    defer { store?.close() }
    if let count = timing.equalSides {
      return try await compareEqualSides(base, count, rules, store)
    }
    let report = try await gate(base, head, rules, outputs, store)
    try services.write(report)
    try StandardOutput.write(try text(of: report, files))
    try end(report.verdict)
  }

  /// Measures both sides, accuracy first, and stores what is asked for.
  private func gate(
    _ base: GateSide, _ head: GateSide, _ rules: GateRules, _ outputs: ComparisonOutputs,
    _ store: HistoryStore?
  ) async throws -> GateReport {
    let watch = Stopwatch()
    let folder = try TemporaryFolder()
    let before = try base.results(in: folder, "base")
    let after = try head.results(in: folder, "head")
    let comparison = ResultComparison(from: before, to: after)
    let accuracy = AccuracyGate(comparison, rules, allowsDifferent: allowDifferent)
    let speed = try await speed(base, head, rules, accuracy)
    let report = GateReport(
      suite: after.suite, base: base.described(before), head: head.described(after),
      comparison: comparison, checks: accuracy.checks + (speed?.checks ?? []),
      notes: speed?.notes ?? [],
      timingAlarms: try store.flatMap { try past.timingAlarms($0, suite: after.suite) },
      seconds: seconds(watch.elapsed))
    if let store {
      try past.add(report, speed, file: head.results ?? "\(folder.path)/head.h5", to: store)
    }
    try outputs.write(comparison, gate: report)
    return report
  }

  /// The timing of both sides; nil where there is nothing to time, or the accuracy is an error anyway.
  private func speed(
    _ base: GateSide, _ head: GateSide, _ rules: GateRules, _ accuracy: AccuracyGate
  ) async throws -> SpeedComparison? {
    guard !timing.noTiming, accuracy.verdict != .error, let one = base.speedSide,
      let other = head.speedSide
    else { return nil }
    var plan = timing.plan(rules)
    plan.allowsDifferentTraces = allowDifferent
    return try await compareSpeed(base: one, head: other, plan: plan, observer: terminal)
  }

  /// Measures how often the timing raises an alarm where nothing differs.
  private func compareEqualSides(
    _ base: GateSide, _ count: Int, _ rules: GateRules, _ store: HistoryStore?
  ) async throws {
    guard let side = base.speedSide else {
      throw Failure(.wrongUse, "--equal-sides: expected a program as the base, found results")
    }
    let folder = try TemporaryFolder()
    let suite = try base.results(in: folder, "base").suite
    var alarms = GateReport.Alarms(alarms: 0, runs: 0)
    for number in 1...count {
      var plan = timing.plan(rules)
      plan.seed = UInt64(number)
      let found = try await compareSpeed(base: side, head: side, plan: plan)
      alarms.runs += 1
      if found.verdict == .fail { alarms.alarms += 1 }
      terminal.progress(number, of: count, "comparisons")
    }
    terminal.endProgress()
    if let store { try past.add(alarms, suite: suite, to: store) }
    let bound = alarms.upperBound.map { ", at most \(fixed($0 * 100, 1)) % with 95 % confidence" }
    try StandardOutput.write(
      "\(counted(alarms.alarms, "false alarm")) in \(counted(alarms.runs, "comparison")) of equal "
        + "sides\(bound ?? "")\n")
  }

  private func text(of report: GateReport, _ files: [String]) throws -> String {
    switch format {
    case .table: report.table(OutputTerminal.screen, full: full)
    case .json: try report.json(.files(files, role: "input"))
    case .csv: report.csv()
    }
  }

  private func end(_ verdict: GateVerdict) throws {
    switch verdict {
    case .pass: break
    case .fail: try ExitStatus.regression.end()
    case .error: try ExitStatus.badData.end()
    case .inconclusive: if failOnInconclusive { try ExitStatus.regression.end() }
    case .improved: if failOnImprovement { try ExitStatus.improvement.end() }
    }
  }

  // MARK: Bounds

  /// Those of the options, or those of the suite, or the standard ones.
  private func rules() throws -> GateRules {
    var rules = try suiteRules() ?? .standard
    if !bound.isEmpty {
      let rises = try bound.compactMap(Self.allowedRise)
      for (name, share) in rises {
        if name == "time" { rules.time = share } else { rules.instructions = share }
      }
      let others = try bound.filter { try Self.allowedRise($0) == nil }.map(parsedBound)
      if !others.isEmpty { (rules.bounds, rules.entries) = (others, [:]) }
    }
    if newPeople, bound.isEmpty {
      rules = rules.aboutNewPeople
    }
    return rules
  }

  private func suiteRules() throws -> GateRules? {
    let suite = sides.headSuite ?? (inputs.count == 1 ? inputs[0] : "")
    guard ["yml", "yaml"].contains(TracePath.ending(of: suite)) else { return nil }
    // Stored results need no suite, so the default one may be missing.
    let areStored = sides.baseResults != nil && sides.headResults != nil
    if areStored, !FileManager.default.fileExists(atPath: suite) { return nil }
    return try SuiteParser.read(suite, registry: Harness.registry).gate
  }

  /// `time=+5 %` and `instructions=+2 %`; nil = another bound.
  private static func allowedRise(_ text: String) throws -> (String, Double)? {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard let name = parts.first, ["time", "instructions"].contains(name) else { return nil }
    guard parts.count == 2, case .share(let share)? = GateBound.Limit(text: parts[1]), share > 0
    else {
      throw Failure(.wrongUse, "--bound \(text): expected \(name) as a share, e.g. \(name)=+5 %")
    }
    return (name, share)
  }

  private func parsedBound(_ text: String) throws -> GateBound {
    guard let equals = text.firstIndex(of: "=") else {
      throw Failure(.wrongUse, "--bound \(text): expected figure=limit, e.g. recall=-0.01")
    }
    return try GateBound(
      text[..<equals].trimmingCharacters(in: .whitespaces),
      String(text[text.index(after: equals)...]),
      population: newPeople ? .newPeople : .theseRecordings, place: "--bound")
  }
}

extension GateRules {
  /// The bounds on figures for new people; bounds that only these recordings can have are left out.
  fileprivate var aboutNewPeople: GateRules {
    func turned(_ bounds: [GateBound]) -> [GateBound] {
      bounds.compactMap { bound in
        guard case .figure = bound.subject else { return nil }
        var bound = bound
        bound.population = .newPeople
        return bound
      }
    }
    var rules = self
    (rules.bounds, rules.entries) = (turned(bounds), entries.mapValues(turned))
    return rules
  }
}

/// What the two sides of a gate are.
struct GateSideOptions: ParsableArguments {
  @Option(help: .init("A build of shadowbox, or of your program with it.", valueName: "program"))
  var baseBuild: String?

  @Option(help: .init("Default: this program.", valueName: "program"))
  var headBuild: String?

  @Option(help: .init("Stored results of run -o; accuracy only.", valueName: "file"))
  var baseResults: String?

  @Option(help: .init("Stored results of run -o; accuracy only.", valueName: "file"))
  var headResults: String?

  @Option(help: .init("The suite of the base.", valueName: "file"))
  var baseSuite: String?

  @Option(help: .init("The suite of the head.", valueName: "file"))
  var headSuite: String?

  @Option(help: .init("With traces: the detector of the base.", valueName: "name[/preset]"))
  var baseDetector: String?

  @Option(help: .init("With traces: the detector of the head.", valueName: "name[/preset]"))
  var headDetector: String?

  @Option(help: .init("With traces: parameters of the base.", valueName: "name=value,...|file"))
  var baseParameters: String?

  @Option(help: .init("With traces: parameters of the head.", valueName: "name=value,...|file"))
  var headParameters: String?

  @Option(help: .init("With traces: the detector of both sides.", valueName: "name[/preset]"))
  var detector: String?

  @Option(help: .init("With traces: remove gravity, as in run.", valueName: "method"))
  var gravityFilter: String?

  var files: [String] {
    [baseResults, headResults, baseSuite, headSuite].compactMap(\.self)
      + [baseParameters, headParameters].compactMap(\.self).filter(ParameterText.isFile)
  }

  /// The two sides.
  /// - Throws: wrong use, if nothing tells the base from the head.
  func both(
    _ inputs: [String], _ further: [String], comparesWithItself: Bool
  ) throws -> (base: GateSide, head: GateSide) {
    let own = [
      baseBuild, headBuild, baseResults, headResults, baseSuite, headSuite, baseDetector,
      headDetector, baseParameters, headParameters,
    ]
    try requireUse(
      comparesWithItself || own.contains { $0 != nil },
      "expected what the base is: --base-build, --base-results, --base-suite, --base-detector or "
        + "--base-parameters")
    return (
      GateSide(
        title: "base", build: baseBuild, results: baseResults,
        inputs: baseSuite.map { [$0] } ?? inputs, detector: baseDetector ?? detector,
        parameters: baseParameters, gravityFilter: gravityFilter, further: further),
      GateSide(
        title: "head", build: headBuild, results: headResults,
        inputs: headSuite.map { [$0] } ?? inputs, detector: headDetector ?? detector,
        parameters: headParameters, gravityFilter: gravityFilter, further: further)
    )
  }
}

/// One side of a gate: a program with what it runs, or stored results.
struct GateSide {
  var title: String
  var build: String?
  var results: String?
  var inputs: [String]
  var detector: String?
  var parameters: String?
  var gravityFilter: String?
  /// Further arguments of `run`.
  var further: [String]

  /// This program where no build is named.
  var program: String { build ?? Bundle.main.executablePath ?? CommandLine.arguments[0] }

  /// What `run` gets.
  var arguments: [String] {
    func option(_ name: String, _ value: String?) -> [String] { value.map { [name, $0] } ?? [] }
    return inputs + option("--detector", detector) + option("--parameters", parameters)
      + option("--gravity-filter", gravityFilter) + further
  }

  func described(_ results: MeasuredResults) -> GateReport.Side {
    let parts = [
      build, self.results, inputs.count == 1 ? inputs[0] : counted(inputs.count, "trace"),
      detector, parameters,
    ].compactMap(\.self)
    return GateReport.Side(
      title: parts.joined(separator: ", "), commit: results.commit,
      toolVersion: results.toolVersion)
  }

  /// The stored results, or those of a run in a process of its own: two builds are two programs.
  func results(in folder: TemporaryFolder, _ name: String) throws -> MeasuredResults {
    if let results { return try MeasuredResults(reading: results) }
    let file = "\(folder.path)/\(name).h5"
    let words = ["run"] + arguments + ["--deterministic", "--quiet", "-o", file]
    let run: ProgramRun
    do {
      run = try ProgramRun(program, words, limit: .seconds(24 * 3600))
    } catch let error as ChildProcess.LaunchError {
      throw Failure(
        .childFailed,
        "\(title): \(program): expected a program that can be started, found: "
          + "\(error.reason)")
    }
    let ending = run.finish()
    guard ending == .exited(0) else { throw failure(ending, run.message) }
    var results = try MeasuredResults(reading: file)
    results.path = "\(title) run"
    return results
  }

  /// The failure of the child as it reports it.
  private func failure(_ ending: ChildProcess.Ending, _ message: String) -> Failure {
    let last = message.split(separator: "\n").last.map(String.init) ?? "no message"
    let text = last.hasPrefix("error: ") ? String(last.dropFirst(7)) : last
    let place = "\(title): \(URL(fileURLWithPath: program).lastPathComponent) run"
    switch ending {
    case .exited(let code):
      let kind: Failure.Kind =
        switch ExitStatus(rawValue: code) {
        case .badData, .dataLost: .badData
        case .wrongUse: .wrongUse
        case .fileError: .fileError
        default: .childFailed
        }
      return Failure(kind, "\(place): \(text)")
    case .killed(let signal):
      return Failure(.childFailed, "\(place): killed by signal \(signal): \(text)")
    case .tookTooLong: return Failure(.childFailed, "\(place): it took more than a day")
    }
  }
}
