import Diagnostics
import Scoring

/// One of the two programs that are compared, with its arguments.
package struct SpeedSide: Sendable, Equatable {
  /// `base` or `head`, for messages.
  package var name: String
  /// The path of the program: a `shadowbox`, or another program that calls `Harness.main`.
  package var executable: String
  /// The arguments of `run`: a suite, or traces with their options.
  package var arguments: [String]
  /// The working directory; nil = that of this program.
  package var folder: String?

  package init(_ name: String, executable: String, arguments: [String], folder: String? = nil) {
    (self.name, self.executable) = (name, executable)
    (self.arguments, self.folder) = (arguments, folder)
  }
}

/// The parameters of a comparison of speed, fixed before it begins.
package struct SpeedPlan: Sendable, Equatable, Codable {
  /// A real-time run of each side.
  package struct Fleet: Sendable, Equatable, Codable {
    package var devices = 100
    package var milliseconds = 1500
    /// The tolerated increase of the share of missed deliveries, e.g. 0.01; nil = no verdict.
    package var margin: Double?

    package init(devices: Int = 100, milliseconds: Int = 1500, margin: Double? = nil) {
      (self.devices, self.milliseconds, self.margin) = (devices, milliseconds, margin)
    }
  }

  /// The pairs of new processes, with the blocks A B B A per entry, or B A A B in every second pair. New
  /// processes, because the addresses of code and data change the speed of equal programs.
  package var pairs = 16
  /// The maximum number of samples in a pass over an entry.
  package var samples = 100_000
  /// The intended time of a block in milliseconds; the passes follow from a calibration of both
  /// sides.
  package var blockMilliseconds = 12.0
  /// The tolerated slowdown in processor time, as a share.
  package var timeMargin = 0.05
  /// The tolerated slowdown of `exec:` programs in processor time, and in wall-clock time.
  package var programMargin = 0.1
  package var wallMargin = 0.25
  /// Whether instructions are counted, if the machine can.
  package var countsInstructions = true
  /// The maximum number of samples in the pass whose instructions are counted.
  package var countedSamples = 10_000
  /// The tolerated growth in instructions, as a share.
  package var instructionMargin = 0.02
  /// nil = no real-time run.
  package var fleet: Fleet?
  /// Whether entries whose traces differ are compared.
  package var allowsDifferentTraces = false
  /// The confidence level of all intervals of a comparison together.
  package var level = 0.95
  package var resamples = 2000
  package var seed: UInt64 = 1
  /// The time limit of an answer in seconds.
  package var secondsForAnswer = 120

  package init() {}

  /// - Throws: ``Failure`` of kind `.wrongUse` if a value is out of range.
  package func check() throws {
    func require(_ isRight: Bool, _ name: String, _ expected: String) throws {
      if !isRight { throw Failure(.wrongUse, "speed plan: \(name): expected \(expected)") }
    }
    try require((SpeedRatios.fewest...1000).contains(pairs), "pairs", "8 to 1000")
    try require(samples >= 1000 && countedSamples >= 1000, "samples", "1000 or more")
    try require((0.1...10_000).contains(blockMilliseconds), "block", "0.1 to 10000 ms")
    try require((0...10).contains(timeMargin), "time margin", "a share of 0 to 10")
    try require(
      (0...10).contains(programMargin) && (0...10).contains(wallMargin), "margins of programs",
      "shares of 0 to 10")
    try require((0...10).contains(instructionMargin), "instruction margin", "a share of 0 to 10")
    try require((0.5...0.999).contains(level), "level", "0.5 to 0.999")
    try require(resamples >= 100 && secondsForAnswer > 0, "resamples", "100 or more")
    if let fleet {
      try require(
        (1...1_000_000).contains(fleet.devices) && (100...60_000).contains(fleet.milliseconds),
        "fleet", "1 to 1000000 devices for 100 to 60000 ms")
      try require((0...1).contains(fleet.margin ?? 0), "margin of missed deliveries", "0 to 1")
    }
  }
}
