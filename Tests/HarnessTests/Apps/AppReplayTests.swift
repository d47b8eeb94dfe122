import Scoring
@testable import Reports
import AppEngines
import Detectors
import Foundation
import Replay
@testable import Evaluation
import Synthesis
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// Tests apps in `replay` and `run`.
@Suite struct AppReplayTests {
  private static let route = MadeFiles {
    _ = try Program.run(["synth", "route", "-o", "a.h5"], in: $0.url)
  }

  private static func trace(_ kind: ScenarioKind, subject: Int = 1) throws -> Trace {
    MadeTraces.trace(try ScenarioSpec(kind: kind, subject: subject, seed: 5))
  }

  private static func play(
    _ app: String, _ traces: [Trace], script: PersonScript? = PersonScript(),
    network: NetworkConditions = NetworkConditions(), blockSize: Int = 4096,
    window: (start: TraceInstant, end: TraceInstant?) = (.zero, nil)
  ) throws -> (events: [DetectionRecord], result: AppResult) {
    let plan = try AppPlan(
      try AppChoice(app, of: AppCatalog(Program.apps)),
      PlayedTraces(traces.map { .init(trace: $0, start: .zero) }, window: window),
      AppOptions(script: script, network: network))
    var timeline = try plan.timeline(from: window.start, blockSize: blockSize)
    var events: [DetectionRecord] = []
    try timeline.run(into: &events)
    let result = try AppResult(
      plan, events: events, entry: app, hashes: traces.map { _ in "" },
      signals: SignalPath().apply(
        to: traces, for: try AppChoice(app, of: AppCatalog(Program.apps)).app.channel),
      delivery: nil,
      tolerance: nil, detectorTime: .zero)
    return (events, result)
  }

  @Test(arguments: [
    ("hike", ScenarioKind.route), ("hike/goHike", .route), ("workout", .trackRun),
    ("workout/tri", .trackRun),
  ]) func blocksOfAnySizeGiveTheSameLog(app: String, kind: ScenarioKind) throws {
    let trace = try Self.trace(kind)
    var network = NetworkConditions()
    (network.delay, network.jitter, network.loss) = (0.2, 0.5, 0.2)
    let whole = try Self.play(app, [trace], network: network)
    #expect(whole.events.count > 5)
    for size in [1, 7] {
      let again = try Self.play(app, [trace], network: network, blockSize: size)
      #expect(again.events == whole.events)
      #expect(again.result.record.outcomes == whole.result.record.outcomes)
    }
  }

  @Test(arguments: ["default", "goHike", "goHike2013-09"])
  func aHikeDetectsWhatItsDetectorDoes(preset: String) throws {
    let trace = try Self.trace(.route)
    let played = try Self.play("hike/\(preset)", [trace]).result
    let detector = try DetectorRegistry.builtIn.detector(named: "checkin")
    let choice = DetectorChoice(detector: "checkin", preset: preset)
    let alone = try detector.bound(choice, for: trace.header).run(
      on: MemorySource(trace), options: RunOptions(policy: ScriptedPolicy()))
    #expect(played.runs[0].detections == alone.detections)
    #expect(!alone.detections.isEmpty)
  }

  /// A parameter of the detector changes what the app's people do, and is in the result.
  @Test func aParameterChangesTheDetectorOfAnApp() throws {
    let trace = try Self.trace(.route)
    func visits(_ parameters: [String: ParameterValue]) throws -> (Int, ParameterValue?) {
      var options = AppOptions(script: PersonScript())
      options.parameters = parameters
      let plan = try AppPlan(
        try AppChoice("hike", of: AppCatalog(Program.apps)),
        PlayedTraces([.init(trace: trace, start: .zero)]), options)
      var timeline = try plan.timeline(from: .zero, blockSize: 4096)
      var events: [DetectionRecord] = []
      try timeline.run(into: &events)
      let result = try AppResult(
        plan, events: events, entry: "hike", hashes: [""],
        signals: SignalPath().apply(to: [trace], for: .location), delivery: nil, tolerance: nil,
        detectorTime: .zero)
      let count = events.count { $0.kind == "visit" }
      return (count, result.runs[0].parameters.first { $0.name == "radius" }?.value)
    }
    let few = try visits(["radius": .number(2), "uses-place-radius": .flag(false)])
    let all = try visits([:])
    #expect(all.0 > few.0 && all.1 == .number(60) && few.1 == .number(2))
  }

  @Test(arguments: [("default", ScenarioKind.roadRun), ("tri", .roadRun), ("tri", .trackRun)])
  func aWorkoutMeasuresWhatItsTrackerDoes(preset: String, kind: ScenarioKind) throws {
    let trace = try Self.trace(kind)
    let played = try Self.play("workout/\(preset)", [trace], script: nil).result
    let detector = try DetectorRegistry.builtIn.detector(named: "track")
    let choice = DetectorChoice(detector: "track", preset: preset)
    let alone = try detector.bound(choice, for: trace.header).run(on: MemorySource(trace))
    let figures = Dictionary(
      uniqueKeysWithValues: played.runs[0].measurements.map { ($0.name, $0.value) })
    for measurement in alone.measurements[DeviceID(0)] ?? []
    where ["distance", "moving_time"].contains(measurement.name) {
      #expect(figures[measurement.name] == measurement.value, "\(measurement.name)")
    }
    guard case .track(let score) = played.runs[0].score else {
      Issue.record("the workout has no track score")
      return
    }
    #expect(score.figures.contains { $0.name == "distance_error" || $0.value != nil })
  }

  @Test func peopleOfOneNameAreToldApart() throws {
    let one = try Self.trace(.trackRun)
    var other = one
    other.header.id = "evening"
    let record = try Self.play("workout", [one, other], script: nil).result.record
    #expect(record.people.map(\.name) == [one.header.id, "evening"])
    let twins = try Self.play("workout", [one, one], script: nil).result.record
    #expect(twins.people.map(\.name) == ["\(one.header.id) (1)", "\(one.header.id) (2)"])
    let alone = try Self.play("workout", [one], script: nil).result.record
    #expect(alone.people.map(\.name) == [one.header.subject])
  }

  @Test func manyPeopleTakeSeveralTables() throws {
    let trace = try Self.trace(.trackRun)
    let record = try Self.play(
      "workout", Array(repeating: trace, count: 8), script: nil
    ).result.record
    let text = AppTables(apps: [record]).render()
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(text)")
    #expect(lines.filter { $0.hasPrefix("App workout: ") }.count == 4)
    #expect(lines.filter { $0.hasPrefix("saved ") }.count == 4)
    for person in record.people { #expect(lines.contains { $0.contains(person.name) }) }
    let two = try Self.play("workout", [trace, trace], script: nil).result.record
    #expect(AppTables(apps: [two]).render().matches(of: /App workout/).count == 1)
  }

  /// A part of a run has no reference and no error.
  @Test func aPartIsNotComparedWithTheWhole() throws {
    let trace = try Self.trace(.trackRun)
    let window = (start: TraceInstant(nanoseconds: 300_000_000_000), end: TraceInstant?.none)
    for (window, isPart) in [(window, true), ((.zero, nil), false)] {
      let result = try Self.play(
        "workout", [trace], script: nil, blockSize: 100, window: window
      ).result
      let outcomes = result.record.outcomes
      #expect(outcomes.contains { $0.name == "distance" && ($0.value ?? 0) > 1000 })
      #expect(outcomes.contains { $0.name == "distance_error" && ($0.value == nil) == isPart })
      let figures = result.runs[0].score.figures
      #expect(
        (figures.first { $0.name == "distance_error" }?.value == nil) == isPart, "\(figures)")
    }
  }

  /// A name from a file cannot break lines or columns of the log.
  @Test func namesOfAnySortStayInTheirColumn() throws {
    let rows = AppRows(["李雷", "An\r\n\u{1B}[2J"], screen: Screen())
    let records = (0..<2).map {
      DetectionRecord(
        AppEvent("started", "starts\na run", person: DeviceID($0), at: .zero))
    }
    let lines = rows.table(records).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1] == "     0.000  李雷\(String(repeating: " ", count: 14))  starts\\na run")
    #expect(lines[2] == "     0.000  An\\u{d}\\n\\u{1b}[2J  starts\\na run")
  }

  @Test func tracesStartByTheirWallClocksOrTogether() {
    func header(_ epoch: Int64?, end: Int64) -> TraceHeader {
      var header = TraceHeader(id: "\(epoch ?? -1)", origin: .recorded)
      if let epoch { header.setEpoch(nanoseconds: epoch) }
      header.end = TraceInstant(nanoseconds: end)
      return header
    }
    func starts(_ headers: [TraceHeader], together: Bool = false) -> ([Int64], warnings: [String]) {
      var warnings: [String] = []
      let starts = PlayedTraces.startTimes(of: headers, together: together) { warnings.append($0) }
      return (starts.map(\.nanoseconds), warnings)
    }
    let overlapping = starts([header(1_000, end: 500), header(700, end: 500)])
    #expect(overlapping.0 == [300, 0])
    #expect(overlapping.warnings.isEmpty)
    let apart = [header(1_000, end: 10), header(9_000, end: 10)]
    #expect(starts(apart).0 == [0, 8_000])
    #expect(starts(apart).warnings.first?.contains("9000 starts after the end") == true)
    #expect(starts(apart, together: true).0 == [0, 0])
    #expect(starts(apart, together: true).warnings.isEmpty)
    let unknown = starts([header(nil, end: 10), header(9_000, end: 10)])
    #expect(unknown.0 == [0, 0])
    #expect(unknown.warnings.count == 1)
    #expect(starts([header(nil, end: 10)]).warnings.isEmpty)
  }

  @Test(arguments: [
    (["--app", "hikes"], "unknown app \"hikes\"; did you mean hike?"),
    (["--app", "hike/goHiek"], "unknown preset of hike \"goHiek\"; did you mean goHike?"),
    (["--app", "fight"], "app fight: expected one trace per person for 2 to 8 people, found 1"),
    (["--network", "loss=0.1"], "--network has no effect without --app"),
    (["--fault", "lose:1-server:1"], "--fault has no effect without --app"),
    (
      ["--app", "hike", "--fault", "lose:1-server"],
      "fault \"lose:1-server\", part 3: expected the number of a message"
    ),
    (
      ["--app", "hike", "--fault", "cut:server:1s:2s", "--fault", "restart:2:5s:new"],
      "fault restart:2:5s:new: expected phones 1 to 1, found phone 2"
    ),
    (["--arm-after", "2s"], "--arm-after has no effect without --app"),
    (["--app", "hike", "--hold-for", "2s"], "--hold-for has no effect without --policy"),
    (["--app", "hike", "--policy", "--hold-for", "soon"], "--hold-for soon: expected a time"),
    (["--app", "hike", "--network", "lag=1s"], "unknown key of a network \"lag\""),
    (["--app", "hike", "--detector", "checkin"], "--detector has no effect with --app"),
    (["--app", "hike", "--parameters", "order=free"], "order follows from the rules of app hike"),
    (["--app", "hike", "--parameters", "radius=-5m"], "radius"),
    (["--app", "hike", "--parameters", "threshold=2g"], "threshold"),
    (["--app", "hike", "--parameters", "tuned.json"], "expected name=value with --app"),
  ]) func mistakesAreNamed(arguments: [String], message: String) throws {
    let scratch = try Scratch()
    try Self.route.copy(to: scratch)
    let outcome = try Program.run(["replay", "a.h5"] + arguments, in: scratch.url)
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test func anAppNeedsItsChannelAndItsPlaces() throws {
    let scratch = try Scratch()
    for (kind, name) in [("route", "route.h5"), ("track-run", "run.h5"), ("walking", "walk.h5")] {
      _ = try Program.run(["synth", kind, "-o", name], in: scratch.url)
    }
    let channel = try Program.run(["replay", "--app", "workout", "walk.h5"], in: scratch.url)
    #expect(channel.status == 65)
    #expect(channel.errors.contains("channel location, which app workout reads"))
    let places = try Program.run(["replay", "--app", "hike", "run.h5"], in: scratch.url)
    #expect(places.status == 65)
    #expect(places.errors.contains("expected"), "\(places.errors)")
  }

  @Test func everyFormatSaysTheSameAndAPaceChangesNothing() throws {
    let scratch = try Scratch()
    try Self.route.copy(to: scratch)
    let command = ["replay", "--app", "hike", "a.h5", "--policy"]
    let table = try Program.run(command, in: scratch.url)
    #expect(table.status == 0, "\(table.errors)")
    #expect(table.output.contains("App hike: "))
    #expect(table.output.contains("Check-ins: "))
    let json = try Program.run(command + ["--format", "json"], in: scratch.url)
    let document = try json.object
    let app = try #require(document["app"] as? [String: Any])
    let events = try #require(app["events"] as? [[String: Any]])
    let csv = try Program.run(command + ["--format", "csv"], in: scratch.url)
    #expect(csv.output.split(separator: "\n").count == events.count + 1)
    #expect(table.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(table.output)")
    // Without the breaks of long lines.
    let lines = table.output.replacing(/\n {19,}/, with: " ")
    for event in events {
      let text = try #require(event["text"] as? String)
      #expect(lines.contains(text))
    }
    let hash = try #require(document["log_sha256"] as? String)
    #expect(table.errors.contains("log SHA-256 \(hash)"))
    let paced = try Program.run(command + ["--rate", "2000x"], in: scratch.url)
    #expect(paced.errors.contains("log SHA-256 \(hash)"), "\(paced.errors)")
    #expect(paced.output.contains("App hike: "))
  }

  /// Faults reach the app, and faults without an effect are named.
  @Test func faultsAreMetOrNamed() throws {
    let scratch = try Scratch()
    try Self.route.copy(to: scratch)
    let command = [
      "replay", "--app", "hike", "a.h5", "--policy", "--fault", "lose:1-server:1", "--fault",
      "lose:1-server:999",
    ]
    let table = try Program.run(command, in: scratch.url)
    #expect(table.status == 0, "\(table.errors)")
    #expect(table.output.contains("faults: lose:1-server:1, lose:1-server:999"))
    #expect(table.output.contains("faults that met nothing: lose:1-server:999"))
    let json = try Program.run(command + ["--format", "json"], in: scratch.url)
    let app = try #require(try json.object["app"] as? [String: Any])
    #expect(app["unmet_faults"] as? [String] == ["lose:1-server:999"])
    let messages = try #require(app["messages"] as? [String: Int])
    #expect(messages["lost"] == 1 && messages["duplicated"] == 0)
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces:
        walk: [a.h5]
      apps:
        - {app: hike, traces: walk, policy: {}, faults: ['lose:1-server:1', 'cut:server:2s:9s']}
      """, to: "suite.yml")
    let run = try Program.run(
      ["run", "suite.yml", "-o", "r.h5", "--format", "json"], in: scratch.url)
    #expect(run.status == 0, "\(run.errors)")
    let apps = try #require(try run.object["apps"] as? [[String: Any]])
    #expect(apps[0]["faults"] as? [String] == ["lose:1-server:1", "cut:server:2s:9s"])
    #expect(apps[0]["unmet_faults"] as? [String] == ["cut:server:2s:9s"])
  }

  @Test func aSuiteOfAppsIsReadRunAndWritten() throws {
    let scratch = try Scratch()
    try Self.route.copy(to: scratch)
    try scratch.write(
      """
      schema: shadowbox-suite/1
      name: apps
      traces:
        walk: [a.h5]
      apps:
        - {app: hike, traces: walk, policy: {spread: 0.5}, network: {delay: 300 ms, loss: 0.2}}
        - {name: original, app: hike, preset: goHike, traces: [walk], policy: {}, seed: 3}
      """, to: "suite.yml")
    let run = ["run", "suite.yml", "-o", "r.h5", "--format", "json", "--check-determinism"]
    let outcome = try Program.run(run, in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let document = try outcome.object
    let apps = try #require(document["apps"] as? [[String: Any]])
    #expect(apps.map { $0["entry"] as? String } == ["hike/default", "original"])
    #expect(apps[0]["network"] as? String == "delay=0.3s,jitter=0s,loss=0.2,duplication=0,seed=1")
    let runs = try #require(document["runs"] as? [[String: Any]])
    #expect(runs.map { $0["entry"] as? String } == ["hike/default", "original"])
    let only = try Program.run(
      ["run", "suite.yml", "-o", "o.h5", "--only", "original", "--log", "log"], in: scratch.url)
    #expect(only.status == 0, "\(only.errors)")
    #expect(only.output.contains("original"))
    #expect(!only.output.contains("hike/default"))
    #expect(try scratch.text(of: "log").contains("\n@original\n"))
  }

  @Test(arguments: [
    ("{traces: walk}", "expected key app"),
    ("{app: hiking, traces: walk}", "unknown app \"hiking\""),
    ("{app: hike, preset: old, traces: walk}", "unknown preset of hike \"old\""),
    ("{app: hike, traces: run}", "unknown trace set \"run\""),
    ("{app: hike, traces: walk, network: {loss: 2}}", "expected a probability from 0 to 1"),
    ("{app: hike, traces: walk, faults: {a: b}}", "expected faults as a list of texts"),
    ("{app: hike, traces: walk, faults: ['lose:1:2']}", "part 2: expected a link"),
    ("{app: hike, traces: walk, faults: ['clock:2:1s:1s']}", "expected phones 1 to 1"),
    ("{app: hike, traces: walk, parameters: {radius: 5 m}}", "unknown key \"parameters\""),
    ("{app: hike, traces: walk, together: perhaps}", "expected together as true or false"),
    ("{app: hike, traces: walk, policy: {arm_after: soon}}", "expected arm_after as a time"),
    ("{app: hike, traces: walk, seed: some}", "expected seed as a whole number"),
    ("{app: fight, traces: walk}", "expected one trace per person for 2 to 8 people"),
  ]) func mistakesInASuiteAreNamedWithTheirLine(entry: String, message: String) throws {
    let scratch = try Scratch()
    try scratch.write("", to: "a.h5")
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {walk: [a.h5]}
      apps:
        - \(entry)
      """, to: "suite.yml")
    let outcome = try Program.run(["run", "suite.yml", "-o", "r.h5"], in: scratch.url)
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("suite.yml:4"), "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}
