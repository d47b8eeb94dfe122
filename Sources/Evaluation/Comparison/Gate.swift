public import Scoring
internal import TraceModel

/// What a gate, or one of its checks, says.
public enum GateVerdict: String, CaseIterable, Sendable, Encodable {
  case pass = "PASS"
  case improved = "IMPROVED"
  /// The data decide neither way.
  case inconclusive = "INCONCLUSIVE"
  case fail = "FAIL"
  /// Nothing or too little was measured, or the data have changed.
  case error = "ERROR"

  /// The gravest of several: an error before a failure, and so on; nil of none.
  public static func gravest(_ several: some Sequence<GateVerdict>) -> GateVerdict? {
    several.max { (allCases.firstIndex(of: $0) ?? 0) < (allCases.firstIndex(of: $1) ?? 0) }
  }
}

/// A bound that was checked on an entry, or why it could not be.
public struct GateCheck: Sendable {
  /// Empty = the whole gate.
  public var entry: String
  public var origin: String
  /// E.g. `recall` or `worst_person_recall`.
  public var name: String
  public var unit: String
  public var base: Double?
  public var head: Double?
  /// Head less base; with an interval where the bound is for new people.
  public var difference: Estimate?
  /// E.g. `-0.01`.
  public var bound: String
  /// Nil of timing.
  public var population: GateBound.Population?
  public var verdict: GateVerdict
  /// What decided it.
  public var reason: String
  /// For new people: the one-sided probability of so bad a difference at the bound, adjusted for all such
  /// checks of the gate (Holm).
  public var probability: Double?
  /// For new people: how far beyond the bound the truth must be for the gate to fail with a
  /// probability of 0.8.
  public var detectableEffect: Double?
  /// The number of people, or of recordings of unknown people.
  public var clusters: Int?

  public init(
    entry: String, origin: String, name: String, unit: String = "1", base: Double? = nil,
    head: Double? = nil, difference: Estimate? = nil, bound: String,
    population: GateBound.Population?, verdict: GateVerdict, reason: String,
    probability: Double? = nil, detectableEffect: Double? = nil, clusters: Int? = nil
  ) {
    (self.entry, self.origin, self.name, self.unit) = (entry, origin, name, unit)
    (self.base, self.head, self.difference) = (base, head, difference)
    (self.bound, self.population) = (bound, population)
    (self.verdict, self.reason) = (verdict, reason)
    (self.probability, self.detectableEffect) = (probability, detectableEffect)
    self.clusters = clusters
  }
}

/// The accuracy half of a gate: the bounds of the rules on the differences of two results.
public struct AccuracyGate: Sendable {
  /// The one-sided level of each check for new people, adjusted for their number: as where the 95 %
  /// interval lies beyond the bound.
  public static let level = 0.025
  public static let power = 0.8

  public let checks: [GateCheck]
  public let verdict: GateVerdict

  /// - Parameter allowsDifferent: whether runs that cannot be compared are left out instead of being an
  ///   error.
  public init(_ comparison: ResultComparison, _ rules: GateRules, allowsDifferent: Bool = false) {
    var checks: [GateCheck] = []
    if !allowsDifferent, let first = comparison.obstacles.first {
      checks.append(Self.error("comparable", Self.text(first, of: comparison.obstacles.count)))
    }
    if comparison.entries.isEmpty {
      checks.append(Self.error("measured", "no run was compared: nothing is measured"))
    }
    var drafts = comparison.entries.flatMap { entry in
      rules.bounds(of: entry.name).compactMap { CheckDraft(entry, $0, comparison) }
    }
    CheckDraft.decide(&drafts)
    checks += drafts.map(\.check)
    checks += Self.unused(rules, comparison, drafts)
    if drafts.isEmpty, checks.isEmpty {
      checks.append(Self.error("measured", "no bound applies to a figure: nothing is measured"))
    }
    self.checks = checks
    verdict = GateVerdict.gravest(checks.map(\.verdict)) ?? .error
  }

  private static func error(_ name: String, _ reason: String) -> GateCheck {
    GateCheck(
      entry: "", origin: "", name: name, bound: "", population: nil, verdict: .error, reason: reason
    )
  }

  private static func text(_ obstacle: ResultComparison.Obstacle, of count: Int) -> String {
    let place = [obstacle.entry, obstacle.trace].compactMap(\.self).joined(separator: " on ")
    let more = count > 1 ? ", and \(count - 1) more" : ""
    return (place.isEmpty ? "" : place + ": ") + obstacle.reason + more
  }

  /// Bounds that somebody stated and that no entry has a figure for: a gate that measured nothing must
  /// not be green.
  private static func unused(
    _ rules: GateRules, _ comparison: ResultComparison, _ drafts: [CheckDraft]
  ) -> [GateCheck] {
    let known = Set(comparison.entries.map(\.name))
    let missing = rules.entries.keys.filter { !known.contains($0) }.sorted().map {
      error($0, "the gate names entry \($0), which no result has")
    }
    // A bound that entries replace is used where theirs is.
    func isUsed(_ bound: GateBound) -> Bool {
      drafts.contains {
        $0.bound.subject == bound.subject && $0.bound.population == bound.population
      }
    }
    let all = rules.bounds + rules.entries.sorted { $0.key < $1.key }.flatMap(\.value)
    return missing
      + all.filter { $0.isStated && !isUsed($0) }.map {
        error($0.subject.name, "no entry has the figure \($0.subject.name): nothing is measured")
      }
  }
}

/// A check before the adjustment for the number of checks.
private struct CheckDraft {
  let bound: GateBound
  var check: GateCheck
  /// For new people: what the bound is about, positive = good, and what it may not be below; and what is
  /// better by more than the bound where it is above 0.
  var contrast: (value: PairedContrast, least: Double, gain: PairedContrast)?

  /// Nil where the entry does not have the figure.
  init?(
    _ entry: ResultComparison.Entry, _ bound: GateBound, _ comparison: ResultComparison
  ) {
    self.bound = bound
    check = GateCheck(
      entry: entry.name, origin: entry.origin, name: bound.subject.name, bound: bound.limit.text,
      population: bound.population, verdict: .pass, reason: "")
    switch bound.subject {
    case .lost:
      // Tracks and presence have no references of events.
      guard entry.figures.contains(where: { $0.name == "recall" }) else { return nil }
      count(entry.lostReferences.count, "references found by the base and missed by the head")
    case .flips:
      let traces = comparison.traces.filter { $0.entry == entry.name && $0.origin == entry.origin }
      count(
        traces.reduce(0) { $0 + $1.list.flips.count + $1.measurements.count },
        "detections and measurements that differ")
    case .figure(let name):
      guard let figure = entry.figures.first(where: { $0.name == name }) else { return nil }
      check.unit = figure.unit
      (check.base, check.head) = (figure.base, figure.head)
      check.clusters = figure.pair.parts.count
      bound.population == .theseRecordings ? judge(figure) : prepare(figure)
    case .worstPerson(let name):
      guard let figure = entry.figures.first(where: { $0.name == name }) else { return nil }
      check.unit = figure.unit
      judgeWorst(figure)
    }
  }

  private mutating func count(_ count: Int, _ what: String) {
    guard case .change(let most) = bound.limit else { return }
    check.head = Double(count)
    check.verdict = Double(count) > most ? .fail : .pass
    check.reason = "\(count) \(what)"
  }
}

// MARK: These recordings

extension CheckDraft {
  /// Whether a change of a figure is for the worse: 1 = a rise is, -1 = a fall is.
  private static func sign(_ figure: FigureComparison, _ limit: GateBound.Limit) -> Double {
    switch (figure.better, limit) {
    case (.higher, _): -1
    case (.lower, _): 1
    // A signed error: the margin says which direction is watched.
    case (.neither, .change(let margin)), (.neither, .share(let margin)): margin < 0 ? -1 : 1
    case (.neither, _): 1
    }
  }

  private mutating func judge(_ figure: FigureComparison) {
    guard let head = figure.head else {
      check.verdict = .error
      check.reason = "undefined in the head: nothing is measured"
      return
    }
    switch bound.limit {
    case .atLeast(let least): decide(head >= least, isBetter: false)
    case .atMost(let most): decide(head <= most, isBetter: false)
    case .change(let margin): judge(figure.base, head, Self.sign(figure, bound.limit), margin, 0)
    case .share(let share): judge(figure.base, head, Self.sign(figure, bound.limit), 0, share)
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

  /// Of each person on whom both sides have the figure.
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
    switch bound.limit {
    case .atLeast(let least): decide(worst.head >= least, isBetter: false)
    case .atMost(let most): decide(worst.head <= most, isBetter: false)
    case .change(let margin): judge(worst.base, worst.head, sign, margin, 0)
    case .share(let share): judge(worst.base, worst.head, sign, 0, share)
    }
    if check.verdict == .improved { check.verdict = .pass }
    check.reason = "\(worst.name): \(check.reason)"
  }
}

// MARK: New people

extension CheckDraft {
  private mutating func prepare(_ figure: FigureComparison) {
    let sign = Self.sign(figure, bound.limit)
    switch bound.limit {
    case .atLeast(let least): judgeInterval(figure, atLeast: least)
    case .atMost(let most): judgeInterval(figure, atMost: most)
    case .change(let margin): prepare(figure, sign, margin: abs(margin), share: 0)
    case .share(let share): prepare(figure, sign, margin: 0, share: abs(share))
    }
  }

  private mutating func prepare(
    _ figure: FigureComparison, _ sign: Double, margin: Double, share: Double
  ) {
    check.difference = figure.difference
    guard let value = figure.pair.contrast(factor: 1 + sign * share),
      var gain = figure.pair.contrast(factor: 1 - sign * share)
    else {
      check.verdict = .error
      check.reason = Self.tooFew(figure)
      return
    }
    guard !figure.isEqual else {
      check.reason = "equal for each person"
      return
    }
    gain = gain.oriented(sign)
    gain.value -= margin
    contrast = (value.oriented(sign), -margin, gain)
  }

  private static func tooFew(_ figure: FigureComparison) -> String {
    "expected 3 people or more for a statement about new people, found \(figure.pair.parts.count)"
  }

  private mutating func judgeInterval(
    _ figure: FigureComparison, atLeast least: Double = -.infinity, atMost most: Double = .infinity
  ) {
    let estimate = figure.headEstimate
    guard estimate.method?.population == .newPeople, let interval = estimate.interval else {
      check.verdict = .error
      check.reason = Self.tooFew(figure)
      return
    }
    check.difference = nil
    let (lower, upper) = (interval.lower, interval.upper)
    let isShown = lower >= least && upper <= most
    let isRefuted = upper < least || lower > most
    check.verdict = isShown ? .pass : isRefuted ? .fail : .inconclusive
    check.reason = "interval of the head \(Self.short(lower)) to \(Self.short(upper))"
  }

  private static func short(_ value: Double) -> String {
    guard value.isFinite else { return "\(value)" }
    let scale = abs(value) < 10 ? 1e4 : 100
    return "\((value * scale).rounded() / scale)"
  }

  /// Decides the checks for new people with Holm's adjustment for their number.
  static func decide(_ drafts: inout [CheckDraft]) {
    let probabilities = drafts.map { draft in
      draft.contrast.map { $0.value.probability(below: $0.least) }
    }
    let adjusted = holmAdjusted(probabilities)
    let number = Double(max(1, probabilities.count { $0 != nil }))
    for index in drafts.indices {
      guard let probability = adjusted[index] else { continue }
      drafts[index].decide(probability, level: AccuracyGate.level / number)
    }
  }

  private mutating func decide(_ probability: Double, level: Double) {
    guard let contrast else { return }
    check.probability = probability
    check.detectableEffect = contrast.value.detectableEffect(
      level: level, power: AccuracyGate.power)
    if probability <= AccuracyGate.level {
      check.verdict = .fail
      check.reason = "the interval lies beyond the bound"
    } else if contrast.gain.probability(above: 0) <= AccuracyGate.level {
      check.verdict = .improved
      check.reason = "the interval lies beyond the bound on the better side"
    } else if contrast.value.probability(above: contrast.least) <= AccuracyGate.level {
      check.verdict = .pass
      check.reason = "the interval lies within the bound"
    } else {
      check.verdict = .inconclusive
      check.reason = "the interval contains the bound"
    }
  }
}

extension PairedContrast {
  /// The contrast so that more is better.
  /// - Parameter sign: 1 = a rise is worse, -1 = a fall is.
  fileprivate func oriented(_ sign: Double) -> PairedContrast {
    var contrast = self
    contrast.value *= -sign
    return contrast
  }

  /// The one-sided probability of so high a value if the true one is `bound`.
  fileprivate func probability(above bound: Double) -> Double {
    var mirrored = self
    mirrored.value = -value
    return mirrored.probability(below: -bound)
  }
}
