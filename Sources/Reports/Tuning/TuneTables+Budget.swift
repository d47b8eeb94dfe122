import Diagnostics
import Evaluation
import Tuning

/// The budget, its price, and the ways on from a refused choice.
extension TuneTables {
  /// What is lost, or why nothing is written.
  var headline: String {
    let text: String
    switch outcome.refusal {
    case .fewPeople: text = "Nothing is written: \(outcome.tooFew)."
    case .recallLoss:
      text = "Nothing is written: \(outcome.lost ?? ""). --accept-loss writes it."
    case .worseThanPreset:
      text = "Nothing is written: \(outcome.worse). --accept-loss writes it."
    case .notBetter, nil:
      guard let loss = outcome.loss, let lost = outcome.lost else { return "" }
      let title = outcome.holdsPreset ? "Price of the chosen one" : "Price"
      let line = screen.wrapped("\(title): \(lost).", indent: 2) + "\n"
      return loss.share > RecallLoss.most ? screen.bad(line) : line
    }
    return screen.bad(screen.wrapped(text, indent: 2) + "\n")
  }

  /// What the rows of other options are.
  var options: String {
    guard let way = outcome.alternatives.first else { return "" }
    let how = way.result.crossValidated == nil ? "biased" : "cross-validated"
    let byRate =
      outcome.plan.rule.testsBound
      ? "; none is proven to keep the budget: at confidence 0.5 \(Self.halfBreak)" : ""
    let free =
      !outcome.alternatives.contains { !$0.keepsBudget }
      ? "" : byRate.isEmpty ? "; f1 ignores the budget" : ", and f1 ignores it"
    let refused = outcome.alternatives.filter(\.isRefused).map(\.options)
    let also =
      refused.isEmpty ? "" : "; refused as well: \(refused.joined(separator: " and "))"
    return screen.wrapped("Other options, \(how)\(byRate)\(free)\(also).", indent: 2) + "\n"
  }

  private static let halfBreak = "about half of such tunings break the budget with new people"

  /// The bound that is kept, for whom and how surely, and its price.
  var budget: String {
    guard outcome.shownChoice != nil, outcome.plan.objective.budget != nil else {
      return ""
    }
    guard let price = outcome.result.price else {
      return screen.wrapped(
        "Budget: the measured rate is compared; \(Self.halfBreak).", indent: 2) + "\n"
    }
    let bound = price.bound.map { fixed($0, 1) } ?? "none"
    let people = outcome.result.boundedFor == .newPeople ? "new people" : "these people"
    let budget = outcome.plan.objective.budget.map { number($0) } ?? "-"
    let sure = number(100 * outcome.plan.rule.confidence)
    let (free, kept) = (price.recallByRate ?? 0, outcome.result.choice?.value ?? 0)
    let cost =
      fixed(free, 3) == fixed(kept, 3)
      ? "" : " Tuned without that margin: recall \(fixed(free, 3))."
    return screen.wrapped(
      "Budget: as chosen, \(people) have at most \(bound) false/h on average (\(sure) % sure, "
        + "one-sided), of the \(budget)/h allowed.\(cost)", indent: 2) + "\n"
  }

  /// What more people would buy.
  var people: String {
    let noun = outcome.grouping.noun
    let isRefused = outcome.refusal != nil && outcome.refusal != .notBetter
    let text: String
    if let prospect = outcome.prospect,
      isRefused || prospect.recall > outcome.result.choice?.value ?? 0
    {
      let plan =
        isRefused ? outcome.plannedPeople ?? "" : "about \(prospect.morePeople) more like these"
      let (lead, more) =
        isRefused
        ? (
          " are the least for confidence \(number(outcome.plan.rule.confidence)), with",
          prospect.recall < 0.9995 ? "; more give more recall" : ""
        )
        : (" would give", "")
      text =
        "\(plan)\(lead) recall \(fixed(prospect.recall, 3)) at "
        + "\(fixed(prospect.falseAlarmsPerHour, 1)) false/h\(more)"
    } else if outcome.prospect != nil {
      text = "twice as many would not raise the recall"
    } else if isRefused, outcome.plan.rule.boundedBudget != nil {
      text = "they do not help, the budget itself costs this recall"
    } else {
      return ""
    }
    return screen.wrapped("More \(noun): \(text).", indent: 2) + "\n"
  }
}
