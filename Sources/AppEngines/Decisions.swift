public import TraceModel

/// What a person does in a run, by a script beside the traces.
public struct Decision: Hashable, Sendable, CustomStringConvertible {
  public enum Trigger: Hashable, Sendable {
    case at(TraceInstant)
    /// So many nanoseconds after the person's event of that kind in the log; the first one is
    /// number 1. What the person would do then by default is left out.
    case after(String, number: Int, wait: Int64)
  }

  /// The index from 0; texts count people from 1.
  public var person: Int
  public var trigger: Trigger
  /// The name of one of the app's ``AppSimulation/actions``, or ``nothing``.
  public var action: String
  /// By the name of the argument, as ``AppAction/check(_:people:)`` takes them.
  public var arguments: [String: String]

  /// The action that only leaves out what the person would do by default.
  public static let nothing = AppAction("nothing", "leaves out what the person would do then")

  public init(
    _ person: Int, _ trigger: Trigger, _ action: String, _ arguments: [String: String] = [:]
  ) {
    (self.person, self.trigger, self.action, self.arguments) = (person, trigger, action, arguments)
  }

  /// E.g. `back-down`, `track opponent 2`.
  public var words: String {
    ([action] + arguments.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
      .joined(separator: " ")
  }

  public var description: String {
    let when =
      switch trigger {
      case .at(let time): "at \(DecimalText.text(time.seconds, decimals: 3) ?? "") s"
      case .after(let event, let number, _): "after \(event)\(number > 1 ? " \(number)" : "")"
      }
    return "person \(person + 1) \(when): \(words)"
  }

  /// Returns the value of an argument; nil = it is not given.
  package func text(_ name: String) -> String? { arguments[name] }
  package func number(_ name: String) -> Double? { arguments[name].flatMap(Double.init) }
  package func whole(_ name: String) -> Int? { number(name).map { Int($0) } }
  package func isTrue(_ name: String) -> Bool { arguments[name] != "no" }
  /// The index of a person from 0.
  package func person(_ name: String) -> Int? { whole(name).map { $0 - 1 } }
}

/// An action that scripts of an app's people can name: each is an input that its engine has.
public struct AppAction: Sendable {
  public struct Argument: Sendable {
    public enum Form: Sendable {
      /// The number of a person of the run.
      case person
      /// A number in a range; `whole` = without decimals.
      case number(ClosedRange<Double>, isWhole: Bool)
      case words([String])
      case text
      /// The path of a file; the action gets its content.
      case file
    }

    public let name: String
    public let form: Form
    public let isNeeded: Bool

    package init(_ name: String, _ form: Form, isNeeded: Bool = true) {
      (self.name, self.form, self.isNeeded) = (name, form, isNeeded)
    }

    package static func whole(
      _ name: String, _ range: ClosedRange<Int>, isNeeded: Bool = true
    ) -> Argument {
      Argument(
        name, .number(Double(range.lowerBound)...Double(range.upperBound), isWhole: true),
        isNeeded: isNeeded)
    }

    /// What its value is, for texts.
    public var expected: String {
      switch form {
      case .person: "the number of a person"
      case .number(let range, let isWhole):
        isWhole
          ? "a whole number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
          : "a number from \(range.lowerBound) to \(range.upperBound)"
      case .words(let words): "one of \(words.joined(separator: ", "))"
      case .text: "a text"
      case .file: "the path of a file"
      }
    }

    /// - Parameter people: the number of people of the run.
    public func accepts(_ text: String, people: Int) -> Bool {
      switch form {
      case .person: Int(text).map { (1...max(people, 1)).contains($0) } ?? false
      case .number(let range, let isWhole):
        isWhole
          ? Int(text).map { range.contains(Double($0)) } ?? false
          : Double(text).map(range.contains) ?? false
      case .words(let words): words.contains(text)
      case .text, .file: true
      }
    }
  }

  public let name: String
  /// A line for `info --apps`.
  public let summary: String
  public let arguments: [Argument]

  package init(_ name: String, _ summary: String, _ arguments: Argument...) {
    (self.name, self.summary, self.arguments) = (name, summary, arguments)
  }

  package static let yesOrNo = Argument.Form.words(["yes", "no"])
}

extension [Decision] {
  /// Returns decisions that are drawn from a seed: none to nine, at any time of the run.
  public static func random(
    seed: UInt64, of actions: [AppAction], people: Int, length: Double
  ) -> [Decision] {
    var random = SeededGenerator(seed: StableHash.ofBytes("decisions \(seed)".utf8))
    func index(_ count: Int) -> Int { Swift.min(Int(random.unit() * Double(count)), count - 1) }
    func value(_ form: AppAction.Argument.Form) -> String? {
      switch form {
      case .person: "\(index(people) + 1)"
      case .number(let range, let isWhole):
        isWhole
          ? "\(Int(random.uniform(range).rounded(.down)))"
          : DecimalText.text(random.uniform(range), decimals: 3)
      case .words(let words): words[index(words.count)]
      case .text: "text \(index(1000))"
      case .file: nil
      }
    }
    let possible = actions.filter { action in
      !action.arguments.contains { if case .file = $0.form { $0.isNeeded } else { false } }
    }
    guard !possible.isEmpty, people > 0 else { return [] }
    return (0..<index(10)).map { _ in
      let action = possible[index(possible.count)]
      var arguments: [String: String] = [:]
      for argument in action.arguments where argument.isNeeded || random.unit() < 0.5 {
        arguments[argument.name] = value(argument.form)
      }
      let time = Int64(random.unit() * Swift.max(length, 1) * 1000) * 1_000_000
      return Decision(
        index(people), .at(TraceInstant(nanoseconds: time)), action.name, arguments)
    }
  }
}
