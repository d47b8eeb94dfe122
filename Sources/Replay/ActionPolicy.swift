import TraceModel

struct ScheduledAction {
  var time: TraceInstant
  var action: Action
}

/// A scripted person for recordings without actions, who answers a prompt after a delay.
///
/// The walker confirms a prompt after `confirmAfter` and continues `continueAfter` later; with
/// probability `cancelProbability` the prompt is cancelled instead of confirmed. The delays are
/// scaled by a factor that is uniform in 1 ± `spread`. Everything depends only on the seed and the
/// order of the prompts.
///
/// ```swift
/// ScriptedPolicy(seed: 7).summary  // confirms after 3.0 s, continues 5.0 s later, ...
/// ```
public struct ScriptedPolicy: Hashable, Sendable, Codable {
  public var confirmAfter: Duration
  public var continueAfter: Duration
  /// The probability of a cancellation, 0...1.
  public var cancelProbability: Double
  /// The spread, 0...1.
  public var spread: Double
  public var seed: UInt64

  public init(
    confirmAfter: Duration = .seconds(3), continueAfter: Duration = .seconds(5),
    cancelProbability: Double = 0, spread: Double = 0, seed: UInt64 = 1
  ) {
    self.confirmAfter = confirmAfter
    self.continueAfter = continueAfter
    self.cancelProbability = cancelProbability
    self.spread = spread
    self.seed = seed
  }

  /// A one-line summary for tables and logs.
  public var summary: String {
    "confirms after \(seconds(confirmAfter)) s, continues \(seconds(continueAfter)) s later, "
      + "times spread by \(spread), cancels with probability \(cancelProbability), seed \(seed)"
  }
}

private func seconds(_ duration: Duration) -> Double { Double(duration.nanoseconds) / 1e9 }

struct PolicyState: Sendable {
  private let policy: ScriptedPolicy
  private var generator: SeededGenerator
  /// The scheduled actions, by time; equal times in the order of their decisions.
  private var scheduled: [ScheduledAction] = []

  init(_ policy: ScriptedPolicy) {
    self.policy = policy
    generator = SeededGenerator(seed: policy.seed)
  }

  var next: TraceInstant? { scheduled.first?.time }

  mutating func takeNext() -> ScheduledAction { scheduled.removeFirst() }

  mutating func react(toKind kind: String, emitted: TraceInstant) {
    guard kind == "prompt" else { return }
    // All three draws are made each time, so that the answer to a prompt does not depend on the
    // previous one.
    let isCancelled = generator.unit() < policy.cancelProbability
    let confirm = emitted.advanced(byNanoseconds: scaled(policy.confirmAfter))
    let proceed = confirm.advanced(byNanoseconds: scaled(policy.continueAfter))
    if isCancelled {
      schedule(ScheduledAction(time: confirm, action: .cancel))
    } else {
      schedule(ScheduledAction(time: confirm, action: .confirm))
      schedule(ScheduledAction(time: proceed, action: .continue))
    }
  }

  private mutating func scaled(_ delay: Duration) -> Int64 {
    let factor = 1 + policy.spread * (2 * generator.unit() - 1)
    let nanoseconds = Double(delay.nanoseconds) * factor
    return Int64(nanosecondsFromSeconds: nanoseconds / 1e9).map { max($0, 0) } ?? .max
  }

  private mutating func schedule(_ action: ScheduledAction) {
    let position = scheduled.firstIndex { action.time < $0.time } ?? scheduled.endIndex
    scheduled.insert(action, at: position)
  }
}
