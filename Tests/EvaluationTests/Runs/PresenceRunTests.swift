import Tuning
import Scoring
import Foundation
import Replay
@testable import Evaluation
import Synthesis
import Detectors
import Testing
import TraceModel

/// Compares the default preset with the app's rule on groups of people that were not used in tuning.
@Suite struct PresenceRunTests {
  private func figures(
    _ preset: String, _ parameters: ParameterSettings = [:], on traces: [Trace]
  ) throws -> [String: Double] {
    let detector = try DetectorRegistry.builtIn.detector(named: "presence")
    let choice = DetectorChoice(detector: "presence", preset: preset, overrides: parameters)
    let runs = try traces.map { trace in
      let result = try detector.bound(choice, for: trace.header)
        .run(on: MemorySource(trace))
      return RunRecord(
        entry: preset, detector: "presence", preset: preset, header: trace.header,
        task: .presence, readings: result.readings, detections: result.detections,
        measurements: [],
        score: try TaskScore(of: result, on: trace, task: .presence, tolerance: nil))
    }
    let summary = try #require(EntrySummary.summaries(of: runs).first)
    return Dictionary(uniqueKeysWithValues: summary.figures.map { ($0.name, $0.value ?? .nan) })
  }

  @Test func theDefaultFindsDeparturesEarlierAndMistakesFewer() throws {
    let traces = try (301...304).map {
      Synthesizer.trace(try ScenarioSpec(kind: .presence, subject: 50, seed: $0))
    }
    let mine = try figures("default", on: traces)
    let app = try figures("ticChatToe", on: traces)
    func value(_ figures: [String: Double], _ name: String) throws -> Double {
      try #require(figures[name])
    }
    #expect(
      try value(mine, "detection_time_mean") < 0.95 * value(app, "detection_time_mean"))
    #expect(try value(mine, "mistakes") < value(app, "mistakes"))
    #expect(try value(mine, "departures_found") >= value(app, "departures_found"))
    #expect(try value(mine, "query_accuracy") > value(app, "query_accuracy"))
    // At the same mean detection time, the app's rule makes at least a third more errors.
    let expiry = try 10 - value(app, "detection_time_mean") + value(mine, "detection_time_mean")
    let early = try figures("ticChatToe", ["expiry": .number(expiry)], on: traces)
    #expect(
      try abs(value(early, "detection_time_mean") - value(mine, "detection_time_mean")) < 0.3)
    #expect(try value(early, "mistakes") > 1.3 * value(mine, "mistakes"))
  }
}
