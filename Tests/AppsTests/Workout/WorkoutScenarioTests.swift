import Apps
import Detectors
import Synthesis
import Testing
import TraceModel

@Suite struct WorkoutScenarioTests {
  /// Plays traces as the harness does: by arrival, deadlines before the readings after them.
  static func play(
    _ traces: [Trace], preset: String = "default", network: NetworkConditions = NetworkConditions()
  ) throws -> (scenario: WorkoutScenario, events: [AppEvent]) {
    let setup = ScenarioSetup(
      preset: preset, people: traces.map { ScenarioSetup.Person(header: $0.header) },
      network: network, seed: 1, epoch: WallTime(seconds: 1_700_000_000))
    var scenario = try WorkoutScenario(setup)
    var items: [(time: TraceInstant, device: Int, reading: Reading?)] = []
    for (index, trace) in traces.enumerated() {
      items += readings(of: trace, device: DeviceID(index)).map { ($0.arrived, index, $0) }
      items.append((trace.header.end, index, nil))
    }
    for item in items.enumerated().sorted(by: {
      ($0.element.time, $0.element.device, $0.offset) < (
        $1.element.time, $1.element.device, $1.offset
      )
    }).map(\.element) {
      while let deadline = scenario.deadline, deadline < item.time {
        scenario.advance(to: deadline)
      }
      if let reading = item.reading {
        scenario.take(reading)
      } else {
        scenario.finish(person: DeviceID(item.device), at: item.time)
      }
      #expect(scenario.violations == [])
    }
    scenario.close(at: items.map(\.time).max() ?? .zero)
    return (scenario, scenario.takeEvents())
  }

  static func readings(of trace: Trace, device: DeviceID) -> [Reading] {
    var readings: [Reading] = []
    if case .fix(let columns) = trace[.location] {
      readings += columns.range.map { position in
        Reading(
          device: device, channel: .location, sequence: position,
          measured: columns.measured(at: position), arrived: columns.arrived(at: position),
          value: .fix(columns[position]))
      }
    }
    if case .action(let columns) = trace[.action] {
      readings += columns.range.map { position in
        Reading(
          device: device, channel: .action, sequence: position,
          measured: columns.measured(at: position), arrived: columns.arrived(at: position),
          value: .action(columns[position]))
      }
    }
    return readings.sorted {
      ($0.arrived, $0.channel, $0.sequence) < ($1.arrived, $1.channel, $1.sequence)
    }
  }

  static func trace(_ kind: ScenarioKind, subject: Int = 1) throws -> Trace {
    Synthesizer.trace(try ScenarioSpec(kind: kind, subject: subject))
  }

  @Test(arguments: ["default", "tri"]) func show(preset: String) throws {
    let traces = [try Self.trace(.roadRun), try Self.trace(.trackRun, subject: 2)]
    let (scenario, events) = try Self.play(traces, preset: preset)
    for event in events { print("LOG \(event.time.seconds) \(event.person.index) \(event.text)") }
    for outcome in scenario.outcomes {
      print(
        "OUT \(outcome.person?.index ?? -1) \(outcome.name) \(outcome.value as Any) \(outcome.unit)"
      )
    }
  }
}
