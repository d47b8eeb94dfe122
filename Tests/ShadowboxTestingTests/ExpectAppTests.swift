import AppEngines
import Detectors
import Evaluation
import ShadowboxTesting
import Testing
import TraceModel

@Suite struct ExpectAppTests {
  private func fault(
    preset: String? = nil,
    @ExpectationBuilder _ expectations: (Outcomes) -> [FigureExpectation]
  ) async throws -> String? {
    var faults: [String] = []
    try await expect(
      app: KnockGame.self, on: [Knocks.person(1), Knocks.person(2)], preset: preset, together: true,
      report: { fault, _, _ in faults.append(fault) }, expectations)
    #expect(faults.count <= 1)
    return faults.first
  }

  @Test func whatHoldsPasses() async throws {
    try await expect(
      app: KnockGame.self, on: [Knocks.person(1), Knocks.person(2)], together: true
    ) {
      $0["winner"] == 1
      $0["knocks"] >= 0
      $0.violations == 0
    }
  }

  @Test func aFailureNamesOutcomeAndPerson() async throws {
    #expect(
      try await fault { $0["winner"] == 0 } == "knocks/default: winner is Ann, expected exactly 0")
    #expect(
      try await fault { $0["knocks"] < 0 }
        == """
        knocks/default: knocks of p1 is 0, expected less than 0
        knocks/default: knocks of p2 is 1, expected less than 0
        """)
    #expect(
      try await fault(preset: "broken") { $0.violations == 0 }
        == "knocks/broken: lost is 2, expected exactly 0")
    #expect(try await fault { $0["time"] > 0 }?.contains("time is undefined") == true)
    #expect(try await fault { $0["winer"] == 1 }?.contains("did you mean winner?") == true)
    #expect(try await fault { $0["winner"].worstPerson == 1 } != nil)
    #expect(try await fault { _ in } != nil)
    await #expect(throws: (any Error).self) {
      try await self.fault(preset: "none") { $0.violations == 0 }
    }
  }
}

/// A game with outcomes and without rules.
private struct KnockGame: AppSimulation {
  static let name = "knocks"
  static let summary = ""
  static let legend = ""
  static let presets = [AppPreset("default", summary: ""), AppPreset("broken", summary: "")]
  static let peopleCount = 1...2
  static let channel = Channel.userAcceleration
  static let furtherChannels: [Channel] = []
  static let task = ReferenceTask.punch
  static let faultCounts = ["lost"]

  private let setup: AppSetup
  init(_ setup: AppSetup) throws(TraceError) { self.setup = setup }
  mutating func take(_ reading: Reading) {}
  var deadline: TraceInstant? { nil }
  mutating func advance(to now: TraceInstant) {}
  mutating func finish(device: DeviceID, at end: TraceInstant) {}
  mutating func close(at end: TraceInstant) {}
  mutating func takeEvents() -> [AppEvent] { [] }
  var detections: [DetectionRecord] { [] }
  var violations: [String] { [] }
  var outcomes: [AppOutcome] {
    [
      AppOutcome("winner", 0, text: "Ann", .mustStay), AppOutcome("time", nil, unit: "s"),
      AppOutcome("lost", setup.preset == "broken" ? 2 : 0, unit: "count"),
    ] + setup.people.indices.map { AppOutcome("knocks", of: DeviceID($0), Double($0)) }
  }
}
