import ArgumentParser
import Detectors
import Diagnostics
import Evaluation
import Files
import Foundation
import Reports
import Results
import Scoring
import TraceFormats
import TraceModel

struct PlanCommand: TerminalCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "plan",
    abstract: "Plans how many people to record, or prints what a result can claim.",
    discussion: """
      A study shows a claim when the 95 % interval for new people lies beyond it. plan simulates \
      studies and prints how many people make that likely. How people differ comes from the JSON \
      of run or score (--from), or is assumed.

      EXAMPLES:
        shadowbox plan --false-alarms 10 --expect 4 --minutes 10
        shadowbox run --format json > run.json
        shadowbox plan --recall 0.8 --from run.json --entry punch/default --origin synthetic
        shadowbox plan --difference 0.05 --of recall --expect 0.9 --events 40
        shadowbox plan --result "0 in 5min"
        shadowbox plan --result "38 of 40" --result "31 of 40" --result "40 of 40"
      """)

  /// The figure of a difference.
  enum Figure: String, CaseIterable, ExpressibleByArgument {
    case recall
    case falseAlarms = "false-alarms"
  }

  @Option(help: .init("Show fewer false alarms per hour than this.", "rate"))
  var falseAlarms: Double?

  @Option(help: .init("Show a recall above this.", "share")) var recall: Double?

  @Option(help: .init("Show a difference between two detectors on the same people.", "size"))
  var difference: Double?

  @Option(help: "The figure of --difference: recall or false-alarms.") var of: Figure?

  @Option(
    help: .init(
      "The expected figure of the detector, or of the better of two; default: that of --from.",
      "value"))
  var expect: Double?

  @Option(
    help: .init(
      "Recorded results: a results file of run, or the output of run or score with --format json.",
      "file"))
  var from: String?

  @Option(help: .init("The entry of --from; twice for the two of --difference.", "entry"))
  var entry: [String] = []

  @Option(help: "The origin of the recordings of --from: recorded or synthetic.")
  var origin: String?

  @Option(help: .init("The minutes of each new person.", "minutes")) var minutes = 10.0

  @Option(help: .init("The references of each new person, such as punches.", "count"))
  var events = 40

  @Option(help: .init("The share of studies that show it.", "share")) var power = 0.8

  @Option(
    help: .init(
      "With --false-alarms: use the one-sided bound of this confidence, as the budgets of tune.",
      "share"))
  var confidence: Double?

  @Option(
    help: .init(
      "The coefficient of variation of false alarms between people, without --from.", "ratio"))
  var variation = Dispersion.assumedVariation

  @Option(help: .init("The correlation of hits within a person, without --from.", "share"))
  var correlation = GroupScore.assumedCorrelation

  @Option(
    help: .init(
      "The coefficient of variation of the minutes or references between new people; default: that "
        + "of --from, else 0.5.", "ratio"))
  var exposureVariation: Double?

  @Option(
    help: .init(
      "How many false alarms, or hits or misses, come together within a person, on average; default: "
        + "2, or 1 with --from, whose differences between people contain bursts.", "count"))
  var burst: Double?

  @Option(help: "The seed of the simulation.") var seed: UInt64 = 1

  @Option(
    help: .init(
      "A result: false alarms in a time (\"0 in 5min\"), or hits of references (\"38 of "
        + "40\"); once for each person.", "result"))
  var result: [String] = []

  @Option(
    help: .init("The number of people whose sum --result is, if their own are unknown.", "count"))
  var people: Int?

  @Option(help: "The format of the result.") var format = OutputFormat.table
  @OptionGroup var common: CommonOptions

  func run() async throws {
    try checkOptions()
    if !result.isEmpty { return try printClaim() }
    let plan = StudyPlan(try study(), target: power, seed: seed)
    let report = PlanReport(
      plan, inputs: try .files(from.map { [$0] } ?? [], role: "results"),
      statesExposure: exposureVariation != nil, statesBurst: burst != nil)
    try format.print(table: report.text, json: report.json, csv: report.csv)
  }

  private func checkOptions() throws {
    let goals = [falseAlarms, recall, difference].count { $0 != nil } + (result.isEmpty ? 0 : 1)
    try requireUse(
      goals == 1,
      "expected one of --false-alarms, --recall, --difference and --result, found \(goals)")
    try refuse("--of", of != nil, without: "--difference", difference != nil)
    try refuse("--confidence", confidence != nil, without: "--false-alarms", falseAlarms != nil)
    try refuse("--people", people != nil, without: "exactly one --result", result.count == 1)
    try refuse("--entry", !entry.isEmpty, without: "--from", from != nil)
    try refuse("--origin", origin != nil, without: "--from", from != nil)
    try require(falseAlarms, "--false-alarms", in: 1e-6...1e6)
    try require(recall, "--recall", in: 0...0.999_999)
    try require(difference, "--difference", in: 1e-6...(of == .falseAlarms ? 1e6 : 1))
    try require(expect, "--expect", in: 0...(goalIsRate ? 1e6 : 1))
    try require(minutes, "--minutes", in: 0.01...1e6)
    try require(events, "--events", in: 1...1_000_000)
    try require(power, "--power", in: 0.01...0.99)
    try require(confidence, "--confidence", in: 0.51...0.999_999)
    try require(variation, "--variation", in: 0...5)
    try require(correlation, "--correlation", in: 0...0.9)
    try require(exposureVariation, "--exposure-variation", in: 0...5)
    // Gamma numbers of a smaller one differ by less than a digit, and 1 / variation^2 has to be a number.
    for (name, value) in [("variation", variation), ("exposure-variation", exposureVariation ?? 0)]
    {
      try requireUse(
        value == 0 || value >= 1e-6, "--\(name): expected 0, or 0.000001 to 5, found \(value)")
    }
    try require(burst, "--burst", in: 1...1000)
    try require(people, "--people", in: 1...1_000_000)
  }

  private var goalIsRate: Bool { falseAlarms != nil || of == .falseAlarms }

  private func assumed(isRate: Bool) -> Dispersion {
    isRate
      ? Dispersion(.variation, assumed: variation) : Dispersion(.correlation, assumed: correlation)
  }
}

/// The people to record.
extension PlanCommand {
  private func study() throws -> Study {
    let goal: StudyGoal =
      if let falseAlarms {
        .falseAlarms(below: falseAlarms, confidence: confidence)
      } else if let recall {
        .recall(above: recall)
      } else {
        goalIsRate ? .falseAlarmDifference(difference ?? 0) : .recallDifference(difference ?? 0)
      }
    var study = Study(
      goal, expected: expect ?? 0, dispersion: assumed(isRate: goalIsRate),
      each: goalIsRate ? minutes / 60 : Double(events))
    study.burst = burst ?? 1
    if let from { try take(from, into: &study) }
    if study.dispersion.estimate == nil { study.burst = burst ?? Study.assumedBurst }
    study.exposureVariation =
      exposureVariation ?? study.recordedVariation ?? Study.assumedExposureVariation
    try requireUse(
      from != nil || expect != nil,
      "expected --expect with the expected figure, or --from with recorded results; add one")
    try requireFeasible(study)
    return study
  }

  /// Takes the recorded results, and from them the expected value unless an option states it.
  private func take(_ path: String, into study: inout Study) throws {
    let results = try results(path)
    let known = results.entries
    for name in entry where !known.contains(name) {
      throw Failure.unknown("entry", name, known: known, place: path)
    }
    let names = entry.isEmpty && known.count == 1 ? known : entry
    try requireUse(
      difference == nil ? names.count == 1 : (1...2).contains(names.count),
      "\(path): expected \(difference == nil ? "one --entry" : "one or two --entry") of "
        + "\(known.joined(separator: ", ")), found \(names.count)")
    let groups = try names.map { try self.people(of: $0, in: results, path) }
    try Failure.naming(path) { try study.take(groups, expected: expect) }
  }

  private func people(
    of name: String, in results: RecordedResults, _ path: String
  ) throws -> [String: RecordedResults.Person] {
    let origins = results.origins(of: name)
    try requireUse(
      origin.map { origins.contains($0) } ?? (origins.count == 1),
      "\(path): expected --origin with one of \(origins.joined(separator: ", ")), found "
        + (origin ?? "none"))
    return try Failure.naming(path) { try results.people(of: name, origin: origin) }
  }

  private func results(_ path: String) throws -> RecordedResults {
    if ResultsInfo.matches(path) { return try resultsFile(path) }
    let bytes = try smallFile(path, .results, mebibytes: 256)
    let results = try? JSONDecoder().decode(RecordedResults.self, from: bytes)
    let schemas = [DocumentSchema.run, .score].map { $0.rawValue.prefix { $0 != "/" } + "/" }
    guard let results, schemas.contains(where: { results.schema.hasPrefix($0) }),
      !results.entries.isEmpty
    else {
      throw badData(
        "\(path): expected results of run, or the JSON of run or score, with events, found something "
          + "else; write a file with: shadowbox run SUITE -o results.h5")
    }
    return results
  }

  private func resultsFile(_ path: String) throws -> RecordedResults {
    let contents = try SteadyFile.reading(path) { try ResultsContents.reading(path, .runs) }
    let results = RecordedResults(
      schema: contents.schema,
      runs: contents.runs.map { run in
        let figures = run.figures.map { ($0.name, $0.value) }
        return (run.name, run.origin, run.subject, Dictionary(figures, uniquingKeysWith: { $1 }))
      })
    try requireData(
      !results.entries.isEmpty,
      "\(path): expected runs that are scored by events, found none in \(contents.schema)")
    return results
  }

  /// Checks that the expected figure is beyond the claim: more people cannot show a false claim.
  private func requireFeasible(_ study: Study) throws {
    let most = (study.recorded.max() ?? 0, study.each * (StudyPlan.factorsOfEach.max() ?? 1))
    // The interval of more events takes long to compute and is hardly narrower.
    let alarms = goalIsRate ? study.expected * max(most.0, most.1) : 0
    try requireUse(
      alarms <= 1e5,
      "expected at most 100,000 false alarms per person, found \(grouped(alarms)); reduce --minutes"
    )
    let isTrue =
      switch study.goal {
      case .falseAlarms(let budget, _): study.expected < budget
      case .recall(let floor): study.expected > floor
      case .recallDifference(let difference): study.expected - difference >= 0
      case .falseAlarmDifference: true
      }
    guard !isTrue else { return }
    throw Failure(
      from == nil ? .wrongUse : .badData,
      "the expected \(goalIsRate ? "\(study.expected) per hour" : "recall of \(study.expected)") is "
        + "not beyond the claim, so no number of people shows it; change the claim or --expect")
  }
}

/// The claims of a result.
extension PlanCommand {
  private func printClaim() throws {
    let results = try result.map { text in
      try parsed(
        text, of: "--result",
        "false alarms in a time, such as \"0 in 5min\", or hits, such as \"38 of 40\"",
        by: Self.result)
    }
    var (rates, proportions): ([PoissonRate], [Proportion]) = ([], [])
    for result in results {
      switch result {
      case .alarms(let rate): rates.append(rate)
      case .hits(let proportion): proportions.append(proportion)
      }
    }
    try requireUse(
      rates.isEmpty || proportions.isEmpty,
      "--result: expected false alarms or hits, found both; ask for one after the other")
    let isRate = proportions.isEmpty
    let assumed = assumed(isRate: isRate)
    let claim =
      isRate
      ? ResultClaim(rates, people: people, assumed: assumed)
      : ResultClaim(proportions, people: people, assumed: assumed)
    let report = ClaimReport(
      claim, isRate: isRate,
      exposure: isRate
        ? rates.reduce(0) { $0 + $1.hours } : Double(proportions.reduce(0) { $0 + $1.trials }))
    try format.print(table: report.text, json: report.json, csv: report.csv)
  }

  /// `0 in 5min` or `38 of 40`.
  static func result(_ text: String) -> ResultClaim.Result? {
    let words = text.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count == 3, let count = Int(words[0]), (0...1_000_000_000).contains(count) else {
      return nil
    }
    switch words[1] {
    case "in":
      guard let time = Quantity.duration(of: words[2]), time > .zero else { return nil }
      return .alarms(PoissonRate(count: count, hours: seconds(time) / 3600))
    case "of":
      guard let trials = Int(words[2]), trials >= max(count, 1), trials <= 1_000_000_000 else {
        return nil
      }
      return .hits(Proportion(successes: count, trials: trials))
    default: return nil
    }
  }
}
