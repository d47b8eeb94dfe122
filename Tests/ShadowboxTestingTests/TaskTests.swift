import Detectors
import Replay
import ShadowboxTesting
import Synthesis
import Testing
import TraceModel

/// Visits, tracks and presence have figures of their own.
@Suite struct TaskTests {
  private func trace(_ kind: ScenarioKind, person: Int) throws -> Trace {
    Synthesizer.trace(try ScenarioSpec(kind: kind, subject: person, seed: UInt64(person)))
  }

  @Test func tracks() async throws {
    let traces = [try trace(.roadRun, person: 1)]
    try await expect(TrackDetector.self, on: traces) {
      $0.distanceError <= 20
      $0.movingTimeError <= 50
      $0.paceError <= 50
    }
    var faults: [String] = []
    try await expect(
      TrackDetector.self, on: traces, report: { fault, _, _ in faults.append(fault) }
    ) { $0.distanceError < 0 }
    let text = try #require(faults.first)
    #expect(text.hasPrefix("track: distance_error_mean_absolute is "), "\(text)")
    #expect(
      text.contains("worst traces:\n  \(traces[0].header.id) (person sim01): distance_error "),
      "\(text)")
  }

  @Test func visits() async throws {
    let traces = [try trace(.route, person: 1)]
    let policy = ScriptedPolicy(cancelProbability: 0.1, spread: 0.5, seed: 1)
    try await expect(CheckInDetector.self, on: traces, policy: policy) {
      $0.recall >= 0.1
      $0.falseAlarmsPerHour <= 1000
      $0.entryDelayP50 <= 3600
    }
  }

  @Test func presence() async throws {
    let traces = [try trace(.presence, person: 1)]
    try await expect(PresenceDetector.self, on: traces) {
      $0.departuresFound > 0
      $0.detectionTimeP50 >= 0
      $0.mistakes >= 0
      $0.mistakesPerHour >= 0
    }
    var faults: [String] = []
    try await expect(
      PresenceDetector.self, on: traces, report: { fault, _, _ in faults.append(fault) }
    ) { $0.departuresFound > 1 }
    #expect(faults.first?.contains(" departures, ") == true, "\(faults)")
  }
}
