import ArgumentParser
import Clocks
import Diagnostics
import Evaluation
import Files
import History
import Reports
import Scoring
import Speed
import TraceModel

struct GateCommand: WritingCommand, DetectingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "gate",
    abstract: "Compares two builds, detectors, parameter files or suites, and prints PASS or FAIL.",
    discussion: """
      The base is the current state, the head is the change. Accuracy comes first: it is exact, so \
      equal sides never fail. Bounds come from gate: in the suite, or from --bound. Verdicts: PASS, \
      IMPROVED, INCONCLUSIVE, FAIL (exit code 2), ERROR (exit code 65: too little was measured, or \
      the data have changed).
      """)

  @Argument(
    help: .init(
      "A suite (.yml), or traces and folders of them; default: traces/suite.yml.", "input"))
  var inputs: [String] = []

  @OptionGroup(title: "Base and head") var sides: GateSideOptions
  @Option(help: .init("Run only this entry; may be repeated.", "entry")) var only: [String] = []
  @OptionGroup var threads: ThreadOptions

  @Option(
    help: .init(
      "A bound: recall=-0.01, false_alarms_per_hour='+10 %', recall='>= 0.97', lost=0, "
        + "worst_person_recall=-0.05; may be repeated. Replaces those of the suite.",
      "figure=limit"))
  var bound: [String] = []

  @Flag(help: "Bounds are about new people: the interval decides, not the figure.")
  var newPeople = false

  @Flag(help: "Leave out runs that cannot be compared, instead of an ERROR.")
  var allowDifferent = false

  @Flag(help: "Exit with 4 if the verdict is IMPROVED.") var failOnImprovement = false
  @Flag(help: "Exit with 2 if the verdict is INCONCLUSIVE.") var failOnInconclusive = false
  @Option(help: "How the result is printed.") var format = OutputFormat.table
  @Flag(help: "Print all checks, not only those that did not pass.") var full = false
  @Option(
    help: .init(
      "Write all detections that differ (.csv). The word net instead judges what is left after gains "
        + "cancel losses. May be given twice, for both.",
      "file|net"))
  var flips: [String] = []

  @Option(name: .shortAndLong, help: "Write the checks and the comparison as HDF5 (.h5).")
  var output: String?

  @OptionGroup(title: "Timing") var timing: GateTimingOptions
  @OptionGroup(title: "History") var past: GateHistoryOptions
  @OptionGroup(title: "CI services") var services: CIOutputOptions
  @OptionGroup var writing: WritingOptions

  /// The inputs to run. Two stored results are not run: they have bounds only if a suite is named.
  var suiteInputs: [String] {
    let areStored = sides.baseResults != nil && sides.headResults != nil
    return inputs.isEmpty && !areStored ? [SuiteParser.usual] : inputs
  }

  func run(_ registry: DetectorRegistry) async throws {
    try sides.check()
    let files = suiteInputs + sides.files
    let lists = self.flips.filter { $0 != "net" }
    try requireUse(lists.count < 2, "--flips: expected one file, found \(lists.count)")
    let flips = lists.first
    let outputs = try ComparisonOutputs(
      output: output, flips: flips, inputs: files + [past.history].compactMap(\.self),
      of: outputFiles)
    try services.check(inputs: files, others: [output, flips], of: outputFiles)
    _ = try threads.count()
    try requirePositive(timing.equalSides, "--equal-sides")
    let pairs = timing.pairs ?? 8
    try requireUse((8...1000).contains(pairs), "--pairs: expected 8 to 1000, found \(pairs)")
    let further =
      only.flatMap { ["--only", $0] } + (threads.threads.map { ["--threads", "\($0)"] } ?? [])
    let (base, head) = try sides.both(
      suiteInputs, further, comparesWithItself: timing.equalSides != nil)
    let store: HistoryStore?
    do { store = try past.opened(terminal) } catch let failure as Failure {
      try services.write(Self.report(of: failure, base, head), of: outputFiles, isMeasured: false)
      throw failure
    }
    defer { store?.close() }
    if let count = timing.equalSides {
      return try await compareEqualSides(base, count, try rules(registry), store)
    }
    let report: GateReport
    do {
      report = try await gate(base, head, outputs, store, registry)
    } catch let failed as Failed {
      try services.write(failed.report, of: outputFiles, isMeasured: false)
      throw failed.failure
    }
    try services.write(report, of: outputFiles)
    try format.print(
      table: { report.table($0, full: full) },
      json: { try report.json(.files(files, role: "input")) }, csv: report.csv)
    try end(report.verdict)
  }

  /// A gate that ends with a failure, and what the files for CI services say then.
  private struct Failed: Error {
    var failure: Failure
    var report: GateReport
  }

  private static func report(
    of failure: Failure, _ base: GateSide, _ head: GateSide
  ) -> GateReport {
    GateReport(
      suite: "", base: base.described(nil), head: head.described(nil), comparison: .nothing,
      checks: [GateCheck(failure)], seconds: 0)
  }

  /// Measures both sides, accuracy first, and writes the results.
  /// - Throws: ``Failed`` if something cannot be measured.
  private func gate(
    _ base: GateSide, _ head: GateSide, _ outputs: ComparisonOutputs, _ store: HistoryStore?,
    _ registry: DetectorRegistry
  ) async throws -> GateReport {
    let watch = Stopwatch()
    let folder = try TemporaryFolder()
    var report = GateReport(
      suite: "", base: base.described(nil), head: head.described(nil), comparison: .nothing,
      checks: [], seconds: 0)
    do {
      let rules = try rules(registry)
      report.notes = try changedBounds(registry)
      let before = try base.results(in: folder, "base")
      report.base = base.described(before)
      let after = try head.results(in: folder, "head")
      (report.suite, report.head) = (after.suite, head.described(after))
      report.comparison = ResultComparison(from: before, to: after)
      if allowDifferent { report.notes += Self.left(out: report.comparison) }
      var accuracy = AccuracyGate(
        report.comparison, rules, allowsDifferent: allowDifferent, isAlone: timingIsOff != nil)
      for side in [head, base] {
        try await side.refuseUnrepeatable(in: &accuracy, report.comparison, registry)
      }
      report.checks = accuracy.checks
      let timed = try await timed(base, head, rules, accuracy)
      (report.checks, report.notes) = (report.checks + timed.checks, report.notes + timed.notes)
      report.timingAlarms = try store.flatMap { try past.timingAlarms($0, suite: after.suite) }
      report.seconds = seconds(watch.elapsed)
      if let store {
        let file = head.results ?? "\(folder.path)/head.h5"
        try past.add(report, timed.comparison, file: file, to: store)
      }
    } catch {
      // Files that cannot be read are a TraceError.
      let failure = (error as? TraceError).map { Failure($0) } ?? error as? Failure
      guard let failure, failure.kind != .interrupted else { throw error }
      report.checks.append(GateCheck(failure))
      report.seconds = seconds(watch.elapsed)
      throw Failed(failure: failure, report: report)
    }
    try outputs.write(report.comparison, gate: report)
    return report
  }

  /// The runs that `--allow-different` leaves out.
  private static func left(out comparison: ResultComparison) -> [String] {
    let more = comparison.obstacles.count - 5
    return comparison.obstacles.prefix(5).map { "Not compared: " + $0.text }
      + (more > 0 ? ["Not compared: \(more) more; compare lists them"] : [])
  }

  /// The reason why no timing is measured; nil = it is measured.
  var timingIsOff: String? {
    if timing.noTiming { return "--no-timing leaves it out" }
    return sides.baseResults != nil || sides.headResults != nil
      ? "stored results have none that can be compared" : nil
  }

  /// The timing half, without a comparison if nothing can be timed, or if the accuracy is an error
  /// anyway. A stated bound on a figure that is not measured is an error.
  private func timed(
    _ base: GateSide, _ head: GateSide, _ rules: GateRules, _ accuracy: AccuracyGate
  ) async throws -> GateTiming {
    if let timingIsOff {
      return GateTiming(
        notes: rules.statedTiming.map { "Not checked: \($0.name) \($0.text): \(timingIsOff)" })
    }
    guard accuracy.verdict != .error, let one = base.speedSide, let other = head.speedSide else {
      return GateTiming()
    }
    var plan = timing.plan(rules)
    plan.allowsDifferentTraces = allowDifferent
    do {
      return GateTiming(
        try await compareSpeed(base: one, head: other, plan: plan, observer: terminal), rules)
    } catch let nothing as NothingToTime {
      return GateTiming(nothing, rules)
    }
  }

  /// Counts the alarms of the timing between equal sides.
  private func compareEqualSides(
    _ base: GateSide, _ count: Int, _ rules: GateRules, _ store: HistoryStore?
  ) async throws {
    guard let side = base.speedSide else {
      throw wrongUse("--equal-sides: expected a program as the base, found results")
    }
    let folder = try TemporaryFolder()
    let suite = try base.results(in: folder, "base").suite
    var alarms = GateReport.Alarms(alarms: 0, runs: 0)
    for number in 1...count {
      var plan = timing.plan(rules)
      plan.seed = UInt64(number)
      let found: SpeedComparison
      do {
        found = try await compareSpeed(base: side, head: side, plan: plan)
      } catch let nothing as NothingToTime {
        throw nothing.failure
      }
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

  private func end(_ verdict: GateVerdict) throws {
    switch verdict {
    case .pass: break
    case .fail: try ExitStatus.regression.end()
    case .error: try ExitStatus.badData.end()
    case .inconclusive: if failOnInconclusive { try ExitStatus.regression.end() }
    case .improved: if failOnImprovement { try ExitStatus.improvement.end() }
    }
  }
}
