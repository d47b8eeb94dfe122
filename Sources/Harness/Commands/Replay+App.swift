import AppEngines
import ArgumentParser
import Diagnostics
import Evaluation
import Replay
import Reports
import Results
import Scoring

struct AppReplayOptions: ParsableArguments {
  @Option(
    help: .init(
      "Replay an app instead of a detector, e.g. fight or fight/hitThat. Each trace is a person.",
      "name[/preset]"))
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
      "Change a rule of the app's preset, e.g. enforcesTurns=false; may be repeated.",
      discussion: "The rules with their values: shadowbox info --apps --full",
      valueName: "name=value,..."))
  var rules: [String] = []

  @Option(
    help: .init(
      "With --policy: the time from the start of a turn to the press of the button.", "time"))
  var armAfter: String?

  @Option(
    help: .init("With --policy: the time that the button is held, unless a punch ends it.", "time"))
  var holdFor: String?

  @OptionGroup var failOn: FailOnOption

  @Option(
    help: .init(
      "What people do besides: a file (shadowbox-decisions/1), a list as in it, or random:seed.",
      discussion: "E.g. '[{person: 1, after: offer, do: back-down}]'. See info --apps.",
      valueName: "random:seed|list|file"))
  var decisions: String?

  func choice(_ registry: DetectorRegistry) throws -> AppChoice? {
    try app.map { try AppChoice($0, of: registry.apps) }
  }

  func checkUnused() throws {
    try refuse("--network", network != nil, without: "--app")
    try refuse("--fault", !faults.isEmpty, without: "--app")
    try refuse("--fail-on", !failOn.kinds.isEmpty, without: "--app")
    try refuse("--decisions", decisions != nil, without: "--app")
    try refuse("--rules", !rules.isEmpty, without: "--app")
    try checkUnscripted("--app")
  }

  private func checkUnscripted(_ option: String) throws {
    try refuse("--arm-after", armAfter != nil, without: option)
    try refuse("--hold-for", holdFor != nil, without: option)
  }

  /// Returns the decisions of the file, or random ones.
  func decided(_ choice: AppChoice, _ played: PlayedTraces) throws -> [Decision] {
    guard let decisions else { return [] }
    guard decisions.hasPrefix("random:") else {
      return try SuiteParser.readDecisions(decisions, of: choice.app)
    }
    guard let seed = UInt64(decisions.dropFirst("random:".count)) else {
      throw wrongUse("--decisions: expected random: with a seed, such as random:7")
    }
    return played.randomDecisions(seed, of: choice.app)
  }

  /// - Parameter person: the options of the person whose script replaces the traces' own actions.
  func options(_ person: PolicyOptions, of choice: AppChoice) throws -> AppOptions {
    var script = try person.value().map { PersonScript($0) }
    if script == nil { try checkUnscripted("--policy") }
    if let after = try time(armAfter, of: "--arm-after") { script?.armAfter = seconds(after) }
    if let length = try time(holdFor, of: "--hold-for") { script?.holdFor = seconds(length) }
    var options = AppOptions(
      script: script, network: try network.map { try NamedNetwork.conditions($0) } ?? .init(),
      faults: try AppOptions.faults(faults), seed: person.seed)
    try options.changeRules(rules, of: choice, place: "--rules")
    return options
  }
}

extension ReplayCommand {
  func replay(
    _ choice: AppChoice, _ files: [String], rate: Double?, _ registry: DetectorRegistry
  ) throws -> ReplayOutcome {
    try requireUse(
      detector.detector == nil, "--detector has no effect with --app, which has its own detector")
    let loaded = try files.map { try NativeTraceLoader().load($0) }
    let (signals, played) = try played(loaded.map(\.trace), channel: choice.app.channel)
    var options = try app.options(person, of: choice)
    options.parameters = try DetectorOptions.settings(detector.parameters, of: choice, registry)
    options.keepsMessages = messages
    options.decisions = try app.decided(choice, played)
    let plan = try AppPlan(choice, played, options)
    if played.isPart {
      terminal.say("only a part is played; nothing is compared with the references")
    }
    let rows = AppRows(plan.setup.people.map(\.name), screen: OutputTerminal.screen)
    var outcome = try play(plan, rows, rate: rate)
    defer { say(outcome, played) }
    guard outcome.interruption == nil else {
      try StandardOutput.write(format == .json ? "" : unprinted(outcome, rows), as: format)
      return outcome
    }
    var result = try AppResult(
      plan, events: outcome.result.detections, entry: choice.title, hashes: loaded.map(\.sha256),
      signals: signals, delivery: try delivery.value(), tolerance: nil,
      detectorTime: .nanoseconds(Int64(outcome.wallSeconds * 1e9)))
    for (index, path) in zip(result.runs.indices, traces) { result.runs[index].tracePath = path }
    let messages = messages ? try MessageTables(plan.messages) : nil
    try format.print { screen in
      let scores = SuiteTables(result: SuiteResult(runs: result.runs), screen: screen).render()
      let table = AppTables(apps: [result.record], screen: screen).render()
      let log = messages.map { full ? $0.list(screen) : $0.summary(screen) }
      return [log ?? unprinted(outcome, rows), table, scores]
        .filter { !$0.isEmpty }.joined(separator: "\n")
    } json: {
      let document: JSONObject = [
        "app": result.record.document,
        // The figures of the phones' detectors, scored against the references.
        "detection": result.runs.map { run -> JSONObject in
          ["trace": run.traceID, "figures": run.score.figures.byName]
        },
        "timing": outcome.timing, "log_sha256": outcome.logSHA256,
        "messages": messages?.documents,
      ]
      return try jsonDocument(document, .appReplay, inputs: result.runs.traceInputs)
    } csv: {
      messages?.csv ?? unprinted(outcome, rows)
    }
    outcome.app = result.record
    return outcome
  }
}
