import AppEngines
import TraceModel

/// The state of a person's script: answers a prompt after a delay, with the same draws in the same
/// order as the detectors' scripted policy, so that equal seeds give equal walks.
struct HikeScript: Sendable {
  private struct Planned: Sendable {
    var time: TraceInstant
    var input: HikeEngine.Input
  }

  private let script: PersonScript
  private var generator: SeededGenerator
  /// The planned actions, by time; equal times in the order of their decisions.
  private var planned: [Planned] = []

  init(_ script: PersonScript, person: DeviceID) {
    self.script = script
    // The first walker uses the seed itself, the others independent streams.
    var seeds = SeededGenerator(seed: script.seed)
    var seed = script.seed
    for _ in 0..<max(person.index, 0) { seed = seeds.next() }
    generator = SeededGenerator(seed: seed)
  }

  var next: TraceInstant? { planned.first?.time }

  mutating func take(by now: TraceInstant) -> HikeEngine.Input? {
    guard let first = planned.first, first.time <= now else { return nil }
    return planned.removeFirst().input
  }

  mutating func answerPrompt(at now: TraceInstant) {
    // All draws are made each time, so that answers do not influence each other.
    let isCancelled = generator.unit() < script.cancelProbability
    let confirmed = now.advanced(byNanoseconds: scaled(script.confirmAfter))
    let proceeded = confirmed.advanced(byNanoseconds: scaled(script.continueAfter))
    if isCancelled {
      plan(.cancel, at: confirmed)
    } else {
      plan(.confirm, at: confirmed)
      plan(.proceed, at: proceeded)
    }
  }

  /// Goes on from the screen of a restarted phone: nothing of before is planned any more.
  mutating func restart(isPrompted: Bool, isConfirmed: Bool, at now: TraceInstant) {
    planned = []
    guard isPrompted else { return }
    answerPrompt(at: now)
    if isConfirmed { planned.removeAll { $0.input == .confirm } }
  }

  private mutating func scaled(_ seconds: Double) -> Int64 {
    let factor = 1 + script.spread * (2 * generator.unit() - 1)
    return Int64(nanosecondsFromSeconds: seconds * factor).map { max($0, 0) } ?? .max
  }

  private mutating func plan(_ input: HikeEngine.Input, at time: TraceInstant) {
    let position = planned.firstIndex { time < $0.time } ?? planned.endIndex
    planned.insert(Planned(time: time, input: input), at: position)
  }
}
