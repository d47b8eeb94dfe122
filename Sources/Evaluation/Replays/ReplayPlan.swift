import Detectors
public import Replay
public import TraceModel

/// A plan that can be played at the pace of a clock.
public protocol PlayablePlan: Sendable {
  associatedtype Line: PlayableTimeline

  var played: PlayedTraces { get }
  /// The channels that determine the period of the readings.
  var channels: [Channel] { get }
  /// Returns new streams that begin at an instant and have no earlier state.
  func timeline(from instant: TraceInstant, blockSize: Int) throws -> Line
}

/// A replay of a detector: traces on one clock, and the part of the time to play.
public struct ReplayPlan: PlayablePlan {
  public let played: PlayedTraces
  public let detector: AnyDetector
  public let choice: DetectorChoice
  public let policy: ScriptedPolicy?

  public init(
    played: PlayedTraces, detector: AnyDetector, choice: DetectorChoice, policy: ScriptedPolicy?
  ) {
    self.played = played
    self.detector = detector
    self.choice = choice
    self.policy = policy
  }

  public var channels: [Channel] { [detector.channel, .action] }

  public func timeline(from instant: TraceInstant, blockSize: Int) throws -> Timeline {
    let options = RunOptions(blockSize: blockSize, policy: policy)
    return Timeline(
      try played.parts(from: instant).map { try detector.stream(choice, on: $0, options: options) })
  }
}
