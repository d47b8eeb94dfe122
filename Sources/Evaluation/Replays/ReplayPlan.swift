package import Detectors
package import Replay
package import TraceModel

/// What can be played at the pace of a clock.
package protocol PlayablePlan: Sendable {
  associatedtype Line: PlayableTimeline

  var played: PlayedTraces { get }
  /// By which the period of the readings is measured.
  var channels: [Channel] { get }
  /// New streams of what arrives from an instant on, with nothing seen before it.
  func timeline(from instant: TraceInstant, blockSize: Int) throws -> Line
}

/// What a replay plays: traces on one clock, a detector, and the part of the time.
package struct ReplayPlan: PlayablePlan {
  package let played: PlayedTraces
  package let detector: AnyDetector
  package let choice: DetectorChoice
  package let policy: ScriptedPolicy?

  package init(
    played: PlayedTraces, detector: AnyDetector, choice: DetectorChoice, policy: ScriptedPolicy?
  ) {
    self.played = played
    self.detector = detector
    self.choice = choice
    self.policy = policy
  }

  package var channels: [Channel] { [detector.channel, .action] }

  package func timeline(from instant: TraceInstant, blockSize: Int) throws -> Timeline {
    let options = RunOptions(blockSize: blockSize, policy: policy)
    return Timeline(
      try played.parts(from: instant).map { try detector.stream(choice, on: $0, options: options) })
  }
}
