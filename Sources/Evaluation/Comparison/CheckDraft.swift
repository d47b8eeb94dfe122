internal import Scoring

/// A check before the adjustment for the number of checks.
struct CheckDraft {
  let bound: GateBound
  var check: GateCheck
  /// For new people, where they decide.
  var tests: Tests?
  var figure: FigureComparison?

  /// Nil where the entry does not have the figure.
  init?(
    _ entry: ResultComparison.Entry, _ bound: GateBound, _ comparison: ResultComparison,
    isNet: Bool = false
  ) {
    let balance = comparison.balance(of: entry)
    let bound = bound.fitted(to: entry)
    self.bound = bound
    check = GateCheck(
      entry: entry.name, origin: entry.origin, name: bound.subject.name, bound: bound.limit.text,
      population: bound.population, verdict: .pass, reason: "")
    switch bound.subject {
    case .outcome, .violations: return nil
    case .lost:
      // Tracks and presence have no references of events.
      guard entry.figures.contains(where: { $0.figure == .recall }) else { return nil }
      let references = balance.references
      count(
        isNet ? references.net : references.worse, "reference",
        "found by the base and missed by the head" + (isNet ? ", net" : ""))
      if let text = references.text { check.reason += "; " + text }
      if !isNet { addChance(entry, entry.figures.first { $0.figure == .recall }, comparison) }
    case .flips:
      count(
        isNet ? balance.net : balance.flips, "difference",
        "of detections and measurements" + (isNet ? " for the worse, net" : ""))
    case .figure(let name):
      guard let figure = entry.figures.first(where: { $0.name == name }) else { return nil }
      check.unit = figure.unit
      (check.base, check.head) = (figure.base, figure.head)
      check.clusters = figure.pair.parts.count
      guard let head = figure.head else {
        judgeUndefined(figure)
        return
      }
      guard bound.population == .theseRecordings else {
        prepare(figure)
        return
      }
      judge(figure.base, head, Self.sign(figure, bound.limit))
      if !isNet { addChance(entry, figure, comparison) }
      guard check.verdict == .fail else { return }
      let own: FlipBalance.Pair? =
        switch name {
        case FigureDefinition.recall.name: balance.references
        case FigureDefinition.falseAlarmsPerHour.name: balance.falseAlarms
        default: nil
        }
      if let text = own?.failure { check.reason += "; " + text }
      if isNet, let chance = own?.chance, chance > FlipBalance.level {
        check.verdict = .inconclusive
      }
    case .worstPerson(let name):
      guard let figure = entry.figures.first(where: { $0.name == name }) else { return nil }
      check.unit = figure.unit
      judgeWorst(figure)
    }
  }

  private mutating func count(_ count: Int, _ noun: String, _ what: String) {
    guard case .change(let most) = bound.limit else { return }
    check.bound = Int(exactly: most.rounded(.down)).map { "\($0)" } ?? "\(most)"
    check.head = Double(count)
    check.verdict = Double(count) > most ? .fail : .pass
    check.reason = "\(count) \(noun)\(count == 1 ? "" : "s") \(what)"
  }

  /// Whether a change of a figure is for the worse: 1 = a rise is, -1 = a fall is.
  static func sign(_ figure: FigureComparison, _ limit: GateBound.Limit) -> Double {
    switch (figure.better, limit) {
    case (.higher, _): -1
    case (.lower, _): 1
    // A signed error: the margin says which direction is watched.
    case (.neither, .change(let margin)), (.neither, .share(let margin)): margin < 0 ? -1 : 1
    case (.neither, _): 1
    }
  }

  /// If only the base has a figure, it was lost: without detections there is no precision.
  private mutating func judgeUndefined(_ figure: FigureComparison) {
    check.verdict = figure.base == nil ? .error : .fail
    check.reason =
      figure.base == nil ? "undefined on both sides: nothing is measured" : "undefined in the head"
  }

  private mutating func judge(_ base: Double?, _ head: Double, _ sign: Double) {
    switch bound.limit {
    case .atLeast(let least): decide(head >= least, isBetter: false)
    case .atMost(let most): decide(head <= most, isBetter: false)
    case .change(let margin): judge(base, head, sign, margin, 0)
    case .share(let share): judge(base, head, sign, 0, share)
    }
  }

  private mutating func judge(
    _ base: Double?, _ head: Double, _ sign: Double, _ margin: Double, _ share: Double
  ) {
    guard let base else {
      check.verdict = .error
      check.reason = "undefined in the base: nothing to compare with"
      return
    }
    check.difference = Estimate(head - base)
    let allowed = abs(margin) + abs(share * base)
    // Rounding must not decide: two equal counts may differ in the last digit.
    let slack = 1e-12 * max(abs(base), abs(head))
    let worse = sign * (head - base)
    decide(worse <= allowed + slack, isBetter: -worse > allowed + slack)
  }

  private mutating func decide(_ holds: Bool, isBetter: Bool) {
    check.verdict = !holds ? .fail : isBetter ? .improved : .pass
    check.reason =
      !holds ? "beyond the bound" : isBetter ? "better by more than the bound" : "within the bound"
  }

  /// Judges the worst of the people for whom both sides have the figure.
  private mutating func judgeWorst(_ figure: FigureComparison) {
    let sign = Self.sign(figure, bound.limit)
    let people = figure.people.compactMap { person -> (name: String, base: Double, head: Double)? in
      guard let base = person.part.base.ratio, let head = person.part.head.ratio else { return nil }
      return (person.name, base, head)
    }
    func harm(_ person: (name: String, base: Double, head: Double)) -> Double {
      switch bound.limit {
      case .change: sign * (person.head - person.base)
      case .share(let share): sign * (person.head - person.base) - abs(share * person.base)
      case .atLeast, .atMost: sign * person.head
      }
    }
    guard let worst = people.max(by: { harm($0) < harm($1) }) else {
      check.verdict = .error
      check.reason = "no person has the figure on both sides"
      return
    }
    (check.base, check.head) = (worst.base, worst.head)
    check.clusters = people.count
    judge(worst.base, worst.head, sign)
    if check.verdict == .improved { check.verdict = .pass }
    check.reason = "\(worst.name): \(check.reason)"
  }
}
