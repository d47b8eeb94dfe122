import AppEngines
import ArgumentParser
import Diagnostics
import Evaluation
import Replay
import Reports
import Results
import Scoring

/// The options of an app and of the network between its people.
struct AppReplayOptions: ParsableArguments {
  @Option(
    help: .init(
      "Replay an app instead of a detector, e.g. fight or fight/hitThat. Each trace is a person.",
      valueName: "name[/preset]"))
  var app: String?

  @Option(
    help: .init(
      "The network between phones and server, e.g. poor or delay=200ms,jitter=100ms,loss=0.1.",
      discussion: """
        \(NamedNetwork.presets.map(\.name).joined(separator: ", ")), or keys: \
        \(NamedNetwork.keys.joined(separator: ", ")). Default: ideal. See info --apps.
        """,
      valueName: "name|key=value,..."))
  var network: String?

  @Option(
    name: .customLong("fault"),
    help: .init(
      "A fault that the messages, clocks or machines meet; repeatable.",
      discussion: "E.g. \(ExchangeFault.forms.joined(separator: ", ")).", valueName: "text"))
  var faults: [String] = []

  @Option(
    help: .init(
      "With --policy: the time from the start of a turn to the press of the button.",
      valueName: "time"))
  var armAfter: String?

  @Option(
    help: .init(
      "With --policy: the time that the button is held, unless a punch ends it.", valueName: "time")
  )
  var holdFor: String?

  func choice() throws -> AppChoice? {
    try app.map { try AppChoice($0, of: Harness.registry.apps) }
  }

  func checkUnused() throws {
    try requireUse(network == nil, "--network has no effect without --app")
    try requireUse(faults.isEmpty, "--fault has no effect without --app")
    try checkUnscripted("--app")
  }

  private func checkUnscripted(_ option: String) throws {
    try requireUse(armAfter == nil, "--arm-after has no effect without \(option)")
    try requireUse(holdFor == nil, "--hold-for has no effect without \(option)")
  }

  /// - Parameter person: the options of the person whose script replaces the traces' own actions.
  func options(_ person: PolicyOptions) throws -> AppOptions {
    var script = try person.value().map { PersonScript($0) }
    if script == nil { try checkUnscripted("--policy") }
    func stated(_ text: String?, _ option: String) throws -> Double? {
      try text.map { seconds(try time($0, of: option, "a time such as 2s or 500ms")) }
    }
    if let time = try stated(armAfter, "--arm-after") { script?.armAfter = time }
    if let time = try stated(holdFor, "--hold-for") { script?.holdFor = time }
    return AppOptions(
      script: script, network: try network.map { try NamedNetwork.conditions($0) } ?? .init(),
      faults: try AppOptions.faults(faults), seed: person.seed)
  }
}

extension ReplayCommand {
  func replay(_ choice: AppChoice, rate: Double?) throws -> ReplayOutcome {
    try requireUse(
      detector.detector == nil, "--detector has no effect with --app, which has its own detector")
    try requireUse(!traces.isEmpty, "expected a trace")
    let loaded = try traceFiles().map { try NativeTraceLoader().load($0) }
    let (signals, played) = try played(loaded.map(\.trace), channel: choice.app.channel)
    var options = try app.options(person)
    options.parameters = try detector.parameters(of: choice)
    let plan = try AppPlan(choice, played, options)
    if played.isPart {
      terminal.say("only a part is played, so nothing is compared with the references")
    }
    let rows = AppRows(plan.setup.people.map(\.name), screen: OutputTerminal.screen)
    let outcome = try play(plan, rows, rate: rate)
    guard outcome.interruption == nil else {
      try StandardOutput.write(format == .json ? "" : unprinted(outcome, rows))
      say(outcome, played)
      return outcome
    }
    var result = try AppResult(
      plan, events: outcome.result.detections, entry: choice.title, hashes: loaded.map(\.sha256),
      signals: signals, delivery: try delivery.value(), tolerance: nil,
      detectorTime: .nanoseconds(Int64(outcome.wallSeconds * 1e9)))
    for (index, path) in zip(result.runs.indices, traces) { result.runs[index].tracePath = path }
    try StandardOutput.write(text(of: result, outcome, rows))
    say(outcome, played)
    return outcome
  }

  private func text(
    of result: AppResult, _ outcome: ReplayOutcome, _ rows: AppRows
  ) throws -> String {
    switch format {
    case .csv: return unprinted(outcome, rows)
    case .json:
      let document: JSONObject = [
        "app": result.record.document,
        // The figures of the phones' detectors, scored against the references.
        "detection": result.runs.map { run -> JSONObject in
          ["trace": run.traceID, "figures": run.score.figures.byName]
        },
        "timing": outcome.timing, "log_sha256": outcome.logSHA256,
      ]
      return try jsonDocument(document, .appReplay, inputs: result.runs.traceInputs)
    case .table:
      let screen = OutputTerminal.screen
      let scores = SuiteTables(result: SuiteResult(runs: result.runs), screen: screen).render()
      let table = AppTables(apps: [result.record], screen: screen).render()
      return [unprinted(outcome, rows), table, scores]
        .filter { !$0.isEmpty }.joined(separator: "\n")
    }
  }
}
