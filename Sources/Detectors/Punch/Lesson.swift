import TraceModel

/// What a person shows in a recording: see ``PunchEnrolment/actions``. The memory is constant.
struct Lesson: Sendable, Codable {
  /// The smallest and the largest number of examples of a kind.
  static let sizes = 3...10
  /// The number of actions that are remembered: a punch is reported after actions that follow it,
  /// but not long after.
  private static let mostMarks = 16

  /// An action at a time in nanoseconds: a kind begins; nil = all are shown.
  private struct Mark: Sendable, Codable {
    var time: Int64
    var kind: String?
  }

  private var marks: [Mark] = []
  private var examples: [EnrolledExample] = []
  /// Whether there are examples from which nothing has been learnt yet.
  private var isOpen = false
  /// The profile from the newest lesson that ended; nil = none yet.
  private(set) var profile: PersonProfile?

  init() {}

  /// The number of examples of a kind in the newest lesson.
  func count(of kind: String) -> Int { examples.count { $0.kind == kind } }

  /// A person begins to show a kind; nil = all are shown.
  mutating func advance(to kind: String?, at time: Int64) {
    if kind != nil, let last = marks.last, last.kind == nil {
      // A new lesson begins.
      learn()
      examples = []
    }
    marks.append(Mark(time: time, kind: kind))
    if marks.count > Lesson.mostMarks { marks.removeFirst() }
  }

  /// Processes the punch at a time in nanoseconds. It may be reported after actions that follow it.
  /// - Returns: whether it is an example.
  mutating func take(_ features: [String: [Double]], at time: Int64) -> Bool {
    guard let mark = marks.last(where: { $0.time <= time }) else { return false }
    guard let kind = mark.kind else {
      learn()
      return false
    }
    if count(of: kind) < Lesson.sizes.upperBound {
      examples.append(EnrolledExample(kind: kind, features: features))
      isOpen = true
    }
    return true
  }

  /// The lesson as it is after the last punch.
  func closed() -> Lesson {
    var lesson = self
    if let last = marks.last, last.kind == nil { lesson.learn() }
    return lesson
  }

  private mutating func learn() {
    guard isOpen else { return }
    isOpen = false
    let shown = examples.filter { count(of: $0.kind) >= Lesson.sizes.lowerBound }
    guard Set(shown.map({ $0.kind })).count >= 2 else { return }
    profile = PunchDetector.profile(from: shown)
  }
}
