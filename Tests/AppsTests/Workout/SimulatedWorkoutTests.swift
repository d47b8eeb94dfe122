@testable import AppEngines
@testable import WorkoutApp
import Detectors
import Synthesis
import TestSupport
import Testing
import TraceModel

@Suite struct SimulatedWorkoutTests {
  static func play(
    _ traces: [Trace], preset: String = "default", network: NetworkConditions = NetworkConditions(),
    faults: [ExchangeFault] = [], script: PersonScript? = nil
  ) throws -> (simulation: SimulatedWorkout, events: [AppEvent]) {
    try AppRun(
      traces, preset: preset, script: script, network: NetworkSetup(network, faults: faults),
      epoch: WallTime(seconds: 1_700_000_000)
    ).both
  }

  static func trace(_ kind: ScenarioKind, subject: Int = 1) throws -> Trace {
    MadeTraces.trace(try ScenarioSpec(kind: kind, subject: subject))
  }

  /// A new installation in the middle of a run: what it took is counted.
  @Test func aRestartThatTakesTheRunIsCounted() throws {
    let trace = try Self.trace(.trackRun)
    let fault = ExchangeFault.restart(
      .phone(0), at: TraceInstant.zero.advanced(bySeconds: 400), .new)
    let (simulation, _) = try Self.play(
      [trace], faults: [fault])
    func total(_ name: String) -> Double? { simulation.outcomes.first { $0.name == name }?.value }
    #expect(total("restart_lost_distance") ?? 0 > 500)
    #expect(total("restart_lost_time") ?? 0 > 300)
    #expect(total("restart_lost_workouts") == 0 && total("workouts_lost") == 0)
  }

  private func value(
    _ name: String, _ simulation: SimulatedWorkout, of person: Int = 0
  ) -> Double? {
    simulation.outcomes.first { $0.name == name && $0.person == DeviceID(person) }?.value
  }

  /// What the app measured is what the tracker alone measures, to the bit. The default leaves out
  /// the kept fix with which the runs begin, which was measured before the start.
  @Test(arguments: ["default", "tri"], [ScenarioKind.roadRun, .trackRun])
  func measuresWhatTheTrackerMeasures(preset: String, kind: ScenarioKind) throws {
    let trace = try Self.trace(kind)
    let rules: WorkoutRules = preset == "tri" ? .tri : .default
    var tracker = TrackDetector(rules.tracker)
    var times = rules.clockPatience.map { FixTimes(patience: $0) }
    var detections: [Detection<TrackEvent>] = []
    for reading in AppRun<SimulatedWorkout>.readings([trace]) {
      switch reading.value {
      case .fix(let fix):
        let verdict = times?.verdict(on: reading.measured, arrived: reading.arrived)
        guard verdict == nil || verdict == .counts(reading.measured) else {
          #expect(reading.measured.nanoseconds(to: reading.arrived) > 10_000_000_000)
          continue
        }
        tracker.ingest(
          fix, measured: reading.measured, arrived: reading.arrived, into: &detections)
      case .action(let action): tracker.handle(action, at: reading.arrived, into: &detections)
      default: break
      }
    }
    let (simulation, _) = try Self.play([trace], preset: preset)
    #expect(simulation.measurements(of: DeviceID(0)) == tracker.measurements)
    #expect(simulation.detections == detections.map { DetectionRecord($0, device: DeviceID(0)) })
    #expect(value("distance", simulation) == tracker.distance)
    #expect(value("moving_time", simulation) == tracker.movingTime)
    #expect(value("duration", simulation) == tracker.duration)
  }

  /// Both runs have gaps with a way in them, whose time the app's pace and that of the tracker count.
  /// Under a clock of ticks they are the same.
  @Test(arguments: [ScenarioKind.roadRun, .trackRun]) func paceCountsTheTimeOfGaps(
    kind: ScenarioKind
  ) throws {
    let trace = try Self.trace(kind)
    func total(_ task: ReferenceTask) throws -> Double {
      try #require(trace.header.reference(task)).events.reduce(0) { $0 + $1.value }
    }
    let truth = try total(.movingTime) / (try total(.distance) / 1609.344)
    for preset in ["default", "tri"] {
      let (simulation, _) = try Self.play([trace], preset: preset)
      let pace = try #require(value("pace", simulation))
      let measured = simulation.measurements(of: DeviceID(0))
      let alone = try #require(measured.first { $0.name == "pace" }).value
      if preset == "tri" {
        #expect(pace == alone)
      } else {
        #expect(abs(alone - truth) < 10 && abs(pace - truth) < 10, "\(alone) \(pace) \(truth)")
      }
    }
  }

  /// Tri counts what was walked in the pause, and the noise of straight lines.
  @Test func outcomesOfARoadRun() throws {
    let trace = try Self.trace(.roadRun)
    let (fixed, _) = try Self.play([trace])
    let (tri, _) = try Self.play([trace], preset: "tri")
    let errors = [fixed, tri].compactMap { value("distance_error", $0) }
    #expect(errors.count == 2)
    #expect(abs(errors[0]) < 1 && errors[1] > 5, "\(errors)")
    #expect(value("splits", fixed) == 10)
    #expect(value("weekly_total", fixed) == 6.2)
    for simulation in [fixed, tri] { #expect(value("saved", simulation) == 1) }
  }

  @Test func twoPeopleAreFriendsAndSeeEachOther() throws {
    let traces = [try Self.trace(.roadRun), try Self.trace(.trackRun, subject: 2)]
    let (simulation, events) = try Self.play(traces)
    for (person, other) in [(0, "sim02"), (1, "sim01")] {
      let mine = events.filter { $0.person == DeviceID(person) }
      let texts = mine.map(\.text)
      #expect(mine.first?.kind == "permission" && mine.dropFirst().first?.kind == "started")
      #expect(texts.contains("starts a run"))
      #expect(texts.contains { $0.hasPrefix("km 1 in ") && $0.hasSuffix(" min/mi)") })
      #expect(texts.contains { $0.hasPrefix("finished: ") && $0.contains(" km in ") })
      #expect(texts.contains("the run is saved on the server"))
      #expect(texts.contains { $0.hasPrefix("sees in the feed: \(other)'s run of ") })
      #expect(texts.contains { $0.hasPrefix("this week: run ") })
      #expect(mine.contains { $0.kind == "friends" && $0.text.contains(other) })
      #expect(value("friends", simulation, of: person) == 1)
    }
    let kinds = events.filter { $0.person == DeviceID(0) }.map(\.kind)
    #expect(kinds.contains("paused") && kinds.contains("resumed"))
    #expect(kinds.contains("auto-paused") && kinds.contains("auto-resumed"))
    #expect(events.map(\.time) == events.map(\.time).sorted())
  }

  @Test func aloneNobodyIsAFriend() throws {
    let (simulation, events) = try Self.play([try Self.trace(.trackRun)])
    #expect(value("friends", simulation) == 0)
    #expect(!events.contains { $0.kind == "friends" || $0.kind == "feed" })
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func badNetworkLosesNothing(seed: UInt64) throws {
    var network = NetworkConditions()
    (network.delay, network.jitter) = (0.3, 5)
    (network.loss, network.duplication, network.seed) = (0.5, 0.3, seed)
    let traces = [try Self.trace(.trackRun), try Self.trace(.trackRun, subject: 2)]
    let (simulation, events) = try Self.play(traces, network: network)
    let (again, sameEvents) = try Self.play(traces, network: network)
    #expect(events == sameEvents && simulation.outcomes == again.outcomes)
    for person in 0..<2 {
      #expect(value("saved", simulation, of: person) == 1, "seed \(seed)")
      #expect(value("friends", simulation, of: person) == 1, "seed \(seed)")
    }
    #expect(events.contains { $0.kind == "feed" })
    #expect(simulation.violations == [])
  }

  @Test func withoutANetworkTriLosesTheRunAndTheDefaultKeepsIt() throws {
    var network = NetworkConditions()
    network.loss = 1
    let trace = try Self.trace(.trackRun)
    let (fixed, kept) = try Self.play([trace], network: network)
    #expect(kept.filter { $0.kind == "unsaved" }.map(\.text).first?.contains("keeps it") == true)
    let (tri, events) = try Self.play([trace], preset: "tri", network: network)
    #expect(value("saved", fixed) == 0 && value("saved", tri) == 0)
    #expect(value("weekly_total", fixed) == 2.5, "it is on the phone")
    #expect(value("weekly_total", tri) == 0)
    #expect(events.contains { $0.kind == "lost" } && !events.contains { $0.kind == "unsaved" })
  }

  @Test func nothingArrivesNothingHappensAndThatIsTold() throws {
    var trace = try Self.trace(.trackRun)
    trace.set(.fix(FixColumns()), for: .location)
    let (simulation, events) = try Self.play([trace])
    #expect(events.map(\.text) == ["has nothing to record: no location arrived"])
    #expect(simulation.detections.isEmpty)
    #expect(value("distance", simulation) == nil && value("saved", simulation) == 0)
  }
}

extension SimulatedWorkoutTests {
  /// Whatever is lost or restarted, no invariant breaks (``play`` checks them), and what the phone
  /// has at the end is saved.
  @Test(arguments: [
    ["lose:1-server:1", "lose:server-1:2"], ["restart:1:300s:120s"], ["restart:1:300s:new"],
    ["restart:server:300s:100s"], ["restart:server:300s:new"], ["cut:server:0s:900s"],
  ]) func workoutsAreSavedInSpiteOfFaults(faults: [String]) throws {
    let trace = try Self.trace(.trackRun)
    let faults = try faults.map { try ExchangeFault(parsing: $0) }
    let (simulation, events) = try Self.play([trace], faults: faults)
    #expect(simulation.metFaults == faults)
    #expect(simulation.violations == [] && simulation.people[0].engine.unsaved.isEmpty)
    #expect(simulation.outcomes.first { $0.name == "saved" }?.value == 1, "\(events.map(\.text))")
    let isRestart = faults.contains { if case .restart = $0 { true } else { false } }
    #expect(events.contains { $0.kind == "restart" } == isRestart)
  }
}
