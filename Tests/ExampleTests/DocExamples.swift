// swift-format-ignore-file
// Written by Tests/Python/check_examples.py --update.

import TraceModel
import Detectors
import Replay
import Scoring
import Evaluation
import Testing

/// The examples of doc comments.
@Suite struct DocExamples {
  @Test func scoring_Distributions_1() throws {
    expect(Distributions.normalQuantile(0.975), "1.959963984540054")
  }

  @Test func scoring_Distributions_2() throws {
    expect(Distributions.studentQuantile(0.975, degreesOfFreedom: 1), "12.7062047361747")
  }

  @Test func scoring_Distributions_3() throws {
    expect(Distributions.chiSquaredQuantile(0.95, degreesOfFreedom: 2), "5.99146454710798")
  }

  @Test func scoring_Distributions_4() throws {
    expect(Distributions.betaQuantile(0.025, 1, 10), "0.00252857854446178")
  }

  @Test func scoring_Distributions_5() throws {
    expect(Distributions.quantileRanks(of: 10, fraction: 0.5, level: 0.95), "2...9")
  }

  @Test func scoring_Sample_1() throws {
    expect(Sample.quantile(0.5, ofSorted: [1, 2, 4, 8]), "3.0")
  }

  @Test func scoring_Intervals_1() throws {
    expect(Proportion(successes: 5, trials: 10).interval, "0.2366 ... 0.7634")
  }

  @Test func scoring_Intervals_2() throws {
    expect(Proportion(successes: 5, trials: 10).exactInterval, "0.1871 ... 0.8129")
  }

  @Test func scoring_Intervals_3() throws {
    expect(PoissonRate(count: 0, hours: 1).interval, "0 ... 3.6889")
  }

  @Test func scoring_Percentiles_1() throws {
    expect(nearestRank(50, ofSorted: [1, 2, 4, 8]), "2")
  }

  @Test func scoring_RepeatedTime_1() throws {
    expect(RepeatedTime([5, 1, 4, 2, 3])?.median, "3.0, without an interval")
  }
}
