import Evaluation
import Synthesis
import Testing

/// Asserts on the recall of the detector over three simulated people.
@Test func mostPunchesAreFound() async throws {
  let traces = try (1...3).map { person in
    Synthesizer.trace(try ScenarioSpec(kind: .punches, subject: person, duration: 60))
  }
  let summary = try await AnyDetector(Blow.self).evaluate(
    on: traces, parameters: ["threshold": .number(25)], tolerance: .milliseconds(150))
  let recall = try #require(summary["recall"])
  let value = try #require(recall.value)
  #expect(value >= 0.9, "recall \(value), 95 % interval \(String(describing: recall.interval))")
}
