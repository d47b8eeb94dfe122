package import Evaluation
package import Scoring

/// The speed of two programs, measured side by side.
package struct SpeedComparison: Codable, Equatable, Sendable {
  /// A ratio head / base of processor times.
  package struct Ratio: Codable, Equatable, Sendable {
    package var value: Double
    /// The lower end of the interval. The intervals of all entries and of the overall ratio hold
    /// simultaneously, at ``level``.
    package var lower: Double
    package var upper: Double
    package var level: Double
    package var pairs: Int
    /// The smallest slowdown, as a share, that ends as FAIL with a probability of 0.8.
    package var smallestEffect: Double?

    init(_ ratios: SpeedRatios, _ column: Int, margin: Double) {
      let interval = ratios.interval(column)
      value = ratios.ratio(column)
      (lower, upper, level) = (interval.lower, interval.upper, interval.level)
      pairs = ratios.count
      smallestEffect = ratios.smallestEffect(column, margin: margin)
    }

    package var interval: Interval { Interval(lower: lower, upper: upper, level: level) }
  }

  /// One side's speed over an entry.
  package struct Side: Codable, Equatable, Sendable {
    /// Nanoseconds of processor time per sample: the median of the blocks.
    package var processor: RepeatedTime
    /// Nanoseconds of wall-clock time per sample.
    package var wall: RepeatedTime
    /// The number of samples in a pass.
    package var samples: Int
    package var traces: Int
    /// Instructions per sample; nil = not counted.
    package var instructions: Double?
  }

  package struct Entry: Codable, Equatable, Sendable {
    package var entry: String
    /// The head's name of the entry, if it differs.
    package var headEntry: String?
    package var base: Side
    package var head: Side
    /// The number of passes of each block, on both sides.
    package var passes: Int
    package var ratio: Ratio
    /// The ratio of wall-clock times, head / base, of an `exec:` program; nil for other detectors.
    package var wallRatio: Ratio?
    /// The ratio of instructions per sample, head / base; nil = not counted.
    package var instructionRatio: Double?
    package var timeVerdict: SpeedVerdict
    package var wallVerdict: SpeedVerdict?
    package var instructionVerdict: SpeedVerdict?
    package var verdict: SpeedVerdict
  }

  /// The real-time runs of both sides.
  package struct Fleets: Codable, Equatable, Sendable {
    package var base: SpeedFleet
    package var head: SpeedFleet
    /// nil without a margin.
    package var verdict: SpeedVerdict?
  }

  package var plan: SpeedPlan
  /// The versions of both programs.
  package var baseVersion: String
  package var headVersion: String
  package var entries: [Entry]
  /// All entries together: geometric means.
  package var ratio: Ratio
  package var instructionRatio: Double?
  package var timeVerdict: SpeedVerdict
  package var instructionVerdict: SpeedVerdict?
  /// The reason why no instructions are counted.
  package var instructionsMissing: String?
  package var fleets: Fleets?
  /// The entries that one side or both do not measure, with the reasons.
  package var notCompared: [SpeedWork.LeftOut]
  /// The load of the machine (1 minute) before and after; empty = not known.
  package var load: [Double]
  package var verdict: SpeedVerdict

  /// The margin of the processor time of an entry, and of all entries: programs count in the latter only
  /// where there is nothing else.
  package func timeMargin(of entry: Entry) -> Double {
    entry.wallRatio == nil ? plan.timeMargin : plan.programMargin
  }
  package var timeMargin: Double {
    entries.allSatisfy { $0.wallRatio != nil } ? plan.programMargin : plan.timeMargin
  }

  /// How the figures are computed.
  package static let method =
    "thread processor time, A B B A in pairs of new processes; 10 % trimmed mean of the logarithms, "
    + "studentised bootstrap over pairs, simultaneous over the entries"
}
