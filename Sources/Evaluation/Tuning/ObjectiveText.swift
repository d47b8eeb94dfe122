package import Diagnostics
package import Tuning

extension Objective {
  /// As the command line says it.
  /// - Parameters:
  ///   - text: `f1`, `f-beta:0.5` or `cost:10:1`; nil = recall within a budget.
  ///   - budget: of false alarms per hour.
  package init(_ text: String?, budget: Double?) throws {
    guard let text else {
      let budget = budget ?? Self.defaultBudget
      guard budget >= 0, budget.isFinite else {
        throw Failure(
          .wrongUse, "--max-false-alarms \(budget): expected a number of zero or more")
      }
      self = .maximumRecall(falseAlarmsPerHour: budget)
      return
    }
    guard budget == nil else {
      throw Failure(
        .wrongUse, "--max-false-alarms and --objective: name one of them, for each is an objective")
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let numbers = parts.dropFirst().map { Double($0) ?? .nan }
    let isRight = numbers.allSatisfy { $0.isFinite && $0 >= 0 }
    switch (parts[0], numbers.count) {
    case ("f1", 0): self = .fBeta(1)
    case ("f-beta", 1) where isRight && numbers[0] > 0 && numbers[0] <= 1000:
      self = .fBeta(numbers[0])
    case ("cost", 2) where isRight && numbers[0] > 0:
      self = .cost(miss: numbers[0], falseAlarm: numbers[1])
    default:
      throw Failure(
        .wrongUse,
        "--objective \(text): expected f1, f-beta:BETA (above zero, e.g. f-beta:0.5) or "
          + "cost:MISS:ALARM (what one of each costs, e.g. cost:10:1)")
    }
  }

  /// Of false alarms per hour: one a minute, for a game that is played for minutes.
  package static let defaultBudget = 60.0

  /// In words.
  package var summary: String {
    switch self {
    case .maximumRecall(let budget):
      "most recall with at most \(number(budget)) false alarms an hour"
    case .fBeta(let beta): "highest \(Self.name(beta)), recall against precision"
    case .cost(let miss, let falseAlarm):
      "least cost, \(number(miss)) for a miss and \(number(falseAlarm)) for a false alarm"
    }
  }

  /// Of the axis of its values.
  package var axis: String {
    switch self {
    case .maximumRecall: "recall"
    case .fBeta(let beta): Self.name(beta)
    case .cost: "cost per hour, with a minus"
    }
  }

  package var budget: Double? {
    if case .maximumRecall(let budget) = self { budget } else { nil }
  }

  private static func name(_ beta: Double) -> String { "F\(number(beta))" }
}
