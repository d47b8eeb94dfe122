import Evaluation
import Foundation
import Replay
import Scoring
import Synthesis
import Detectors
import Testing
import TraceModel

/// Compares the rules on simulated people that were not used to choose the radius.
@Suite struct TileDragRunTests {
  private func quality(_ preset: String, _ trace: Trace) throws -> DropQuality {
    let detector = try DetectorRegistry.builtIn.detector(named: "tiledrag")
    let choice = DetectorChoice(detector: "tiledrag", preset: preset)
    let result = try detector.bound(choice, for: trace.header).run(on: MemorySource(trace))
    let score = try TaskScore(of: result, on: trace, task: .drop, tolerance: nil)
    guard case .events(let judgement) = score else { throw CancellationError() }
    return try #require(judgement.drops)
  }

  @Test func theDefaultHitsWhatTheOriginalMisses() throws {
    var (mine, original) = ((hits: 0, drags: 0), (hits: 0, drags: 0))
    for subject in 41...50 {
      let trace = Synthesizer.trace(
        try ScenarioSpec(kind: .drags, subject: subject, seed: 900))
      let (one, other) = try (quality("default", trace), quality("iPict", trace))
      mine = (mine.hits + one.hits, mine.drags + one.intended)
      original = (original.hits + other.hits, original.drags + other.intended)
      // One error more than the original on a person may happen, two are a fault.
      #expect(one.hits + 1 >= other.hits, "subject \(subject)")
      #expect(other.nearMisses > 0 || other.hits == other.intended)
    }
    #expect(mine.drags == original.drags && mine.drags > 1500)
    #expect(original.drags - original.hits > 2 * (mine.drags - mine.hits))
  }
}
