import TraceModel

/// What a person shows in a recording: see ``PunchEnrolment/actions``. The memory is constant.
struct Lesson: Sendable, Codable {
  /// The least and the most examples of a kind.
  static let sizes = 3...10

  private struct Example: Sendable, Codable {
    var kind: Int
    var features: [String: [Double]]
  }

  /// The times of the actions of the newest lesson, in nanoseconds.
  private var starts: [Int64] = []
  private var examples: [Example] = []
  /// Whether the examples of the newest lesson still wait for its end.
  private var isOpen = false
  /// What the newest complete lesson taught; nil = nothing yet.
  private(set) var profile: PersonProfile?

  init() {}

  /// The number of examples of each of the kinds so far.
  var counts: [Int] {
    PunchLabel.classes.indices.map { kind in examples.count { $0.kind == kind } }
  }

  /// Processes an action at a time in nanoseconds.
  mutating func advance(at time: Int64) {
    if starts.count > PunchLabel.classes.count { (starts, examples) = ([], []) }
    if starts.isEmpty { isOpen = true }
    starts.append(time)
  }

  /// Processes the punch at a time in nanoseconds. It may be reported after actions that follow it.
  /// - Returns: whether it is an example.
  mutating func take(_ features: [String: [Double]], at time: Int64) -> Bool {
    guard let stage = starts.lastIndex(where: { $0 <= time }) else { return false }
    guard stage == PunchLabel.classes.count else {
      if isOpen, examples.count(where: { $0.kind == stage }) < Lesson.sizes.upperBound {
        examples.append(Example(kind: stage, features: features))
      }
      return true
    }
    if isOpen { learn() }
    return false
  }

  private mutating func learn() {
    isOpen = false
    let counts = counts
    let shown = examples.filter { counts[$0.kind] >= Lesson.sizes.lowerBound }
    guard Set(shown.map(\.kind)).count >= 2 else { return }
    profile = PunchDetector.profile(
      from: shown.map { EnrolledExample(kind: PunchLabel.classes[$0.kind], features: $0.features) })
  }
}
