import Diagnostics
import Scoring
package import Tuning

extension Objective {
  /// Parses an objective from the command line.
  /// - Parameter text: `f1`, `f-beta:0.5` or `cost:10:1`; nil = recall within a budget.
  package init(_ text: String?, budget: Double?) throws {
    guard let text else {
      let budget = budget ?? Self.defaultBudget
      guard budget >= 0, budget.isFinite else {
        throw Failure(
          .wrongUse, "--max-false-alarms \(budget): expected zero or a positive number")
      }
      self = .maximumRecall(falseAlarmsPerHour: budget)
      return
    }
    guard budget == nil else {
      throw Failure(
        .wrongUse,
        "--max-false-alarms and --objective: expected only one of the two; each is an objective")
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
        "--objective \(text): expected f1, f-beta:BETA (BETA above zero, e.g. f-beta:0.5) or "
          + "cost:MISS:ALARM (the cost of each, e.g. cost:10:1)")
    }
  }

  /// The default budget in false alarms per hour: one per minute, for a game of some minutes.
  package static let defaultBudget = 60.0

  package var summary: String {
    switch self {
    case .maximumRecall(let budget):
      "most recall with at most \(number(budget)) false alarms per hour"
    case .fBeta(let beta): "highest \(Self.name(beta)) of precision and recall"
    case .cost(let miss, let falseAlarm):
      "lowest cost, \(number(miss)) per miss and \(number(falseAlarm)) per false alarm"
    }
  }

  /// The label of the axis of its values.
  package var axis: String {
    switch self {
    case .maximumRecall: FigureDefinition.recall.name
    case .fBeta(let beta): Self.name(beta)
    case .cost: "negative cost per hour"
    }
  }

  package var budget: Double? {
    if case .maximumRecall(let budget) = self { budget } else { nil }
  }

  private static func name(_ beta: Double) -> String { "F\(number(beta))" }
}
