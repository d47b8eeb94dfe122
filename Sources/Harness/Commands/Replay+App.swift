import Scoring
import Reports
import Digests
import Detectors
import Diagnostics
import Apps
import ArgumentParser
import Foundation
import Replay
import Evaluation
import TraceFormats
import TraceModel

/// The options of an app and of the network between its people.
struct AppReplayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Replay an app instead of a detector, e.g. fight or fight/hitThat. Each trace is a person.",
      valueName: "name[/preset]"))
  var app: String?

  @Option(
    help: ArgumentHelp(
      "The network between phones and server, e.g. delay=200ms,jitter=100ms,loss=0.1.",
      discussion: "Keys: delay, jitter, loss, duplication, seed. Default: no delay and no loss.",
      valueName: "key=value,..."))
  var network: String?

  @Option(
    help: ArgumentHelp(
      "With --policy: the time from the start of a turn to the press of the button.",
      valueName: "time"))
  var armAfter: String?

  @Option(
    help: ArgumentHelp(
      "With --policy: the time that the button is held, unless a punch ends it.", valueName: "time")
  )
  var holdFor: String?

  func choice() throws -> AppChoice? { try app.map { try AppChoice($0) } }

  func conditions() throws -> NetworkConditions {
    try network.map { try NamedNetwork.conditions($0) } ?? NetworkConditions()
  }

  func checkUnused() throws {
    let used = [("--network", network), ("--arm-after", armAfter), ("--hold-for", holdFor)]
    if let (option, _) = used.first(where: { $0.1 != nil }) {
      throw Failure(.wrongUse, "\(option) goes with --app")
    }
  }

  /// The script of the people; nil = the traces' own actions.
  func script(_ person: PolicyOptions) throws -> PersonScript? {
    guard let policy = try person.value() else {
      let used = [("--arm-after", armAfter), ("--hold-for", holdFor)]
      if let (option, _) = used.first(where: { $0.1 != nil }) {
        throw Failure(.wrongUse, "\(option) goes with --policy")
      }
      return nil
    }
    var script = PersonScript(policy)
    script.armAfter = try time(armAfter, "--arm-after") ?? script.armAfter
    script.holdFor = try time(holdFor, "--hold-for") ?? script.holdFor
    return script
  }

  /// Seconds.
  private func time(_ text: String?, _ option: String) throws -> Double? {
    try text.map { text in
      guard let duration = Quantity.duration(of: text), duration >= .zero else {
        throw Failure(.wrongUse, "\(option) \(text): expected a time such as 2s or 500ms")
      }
      return seconds(duration)
    }
  }
}

extension ReplayCommand {
  func replay(_ choice: AppChoice, rate: Double?, terminal: Terminal) throws -> ReplayOutcome? {
    if let option = detector.detector.map({ _ in "--detector" })
      ?? detector.parameters.first.map({ _ in "--parameters" })
    {
      throw Failure(.wrongUse, "\(option) does not go with --app, which has its own detector")
    }
    guard !traces.isEmpty else { throw Failure(.wrongUse, "expected a trace") }
    let loaded = try traceFiles().map { path in
      try SteadyFile.reading(path) {
        (trace: try NativeFile.read(path), hash: try FileDigest.sha256(of: path))
      }
    }
    let (signals, played) = try played(
      loaded.map(\.trace), channel: choice.app.channel, terminal: terminal)
    let plan = try AppPlan(
      choice, played,
      AppOptions(
        script: app.script(person), network: app.conditions(),
        seed: person.seed))
    if played.isPart {
      terminal.say("only a part is played, so nothing is compared with the references")
    }
    let rows = AppRows(plan.setup.people.map(\.name))
    let outcome = try player(of: plan, rows, terminal).play(rate: rate)
    guard outcome.interruption == nil else {
      try StandardOutput.write(format == .json ? "" : unprinted(outcome, rows))
      say(outcome, played, terminal: terminal)
      return outcome
    }
    var result = try AppResult(
      plan, events: outcome.result.detections, entry: choice.title, hashes: loaded.map(\.hash),
      signals: signals, delivery: try delivery.value(), tolerance: nil,
      detectorTime: .nanoseconds(Int64(outcome.wallSeconds * 1e9)))
    for (index, path) in zip(result.runs.indices, traces) { result.runs[index].tracePath = path }
    try StandardOutput.write(text(of: result, outcome, rows))
    say(outcome, played, terminal: terminal)
    return outcome
  }

  private func text(
    of result: AppResult, _ outcome: ReplayOutcome, _ rows: AppRows
  ) throws -> String {
    switch format {
    case .csv: return unprinted(outcome, rows)
    case .json:
      return try jsonDocument(
        AppReplayDocument(result, timing: outcome.timing, logSHA256: outcome.logSHA256),
        .appReplay, inputs: result.runs.traceInputs)
    case .table:
      let screen = OutputTerminal.screen
      let scores = SuiteTables(
        result: SuiteResult(runs: result.runs), screen: screen
      ).render()
      let table = AppTables(apps: [result.record], screen: screen).render()
      return [unprinted(outcome, rows), table, scores]
        .filter { !$0.isEmpty }.joined(separator: "\n")
    }
  }
}

/// The document of `replay --app --format json`.
private struct AppReplayDocument: Encodable {
  struct Detector: Encodable {
    var trace: String
    var figures: [String: Figure]
  }

  var app: JSONObject
  /// The figures of the phones' detectors, scored against the references.
  var detection: [Detector]
  @Nullable var timing: TimingReport?
  var logSha256: String

  init(_ result: AppResult, timing: TimingReport?, logSHA256: String) {
    app = result.record.document
    detection = result.runs.map {
      Detector(trace: $0.traceID, figures: $0.score.figures.byName)
    }
    _timing = Nullable(wrappedValue: timing)
    logSha256 = logSHA256
  }
}
