package import Diagnostics
public import Scoring

/// What a gate, or one of its checks, says.
///
/// ```swift
/// GateVerdict.mostSevere([.pass, .inconclusive, .fail])  // fail
/// ```
public enum GateVerdict: String, CaseIterable, Sendable, Encodable {
  case pass = "PASS"
  case improved = "IMPROVED"
  /// The data decide neither way.
  case inconclusive = "INCONCLUSIVE"
  case fail = "FAIL"
  /// Nothing or too little was measured, or the data have changed.
  case error = "ERROR"

  /// The most severe of several: an error before a failure, and so on; nil if there is none.
  public static func mostSevere(_ several: some Sequence<GateVerdict>) -> GateVerdict? {
    several.max { (allCases.firstIndex(of: $0) ?? 0) < (allCases.firstIndex(of: $1) ?? 0) }
  }
}

/// A bound that was checked on an entry, or the reason why it was not.
public struct GateCheck: Sendable {
  /// Empty = the whole gate.
  public var entry: String
  public var origin: String
  /// E.g. `recall` or `worst_person_recall`.
  public var name: String
  public var unit: String
  public var base: Double?
  public var head: Double?
  /// Head minus base; with an interval where the bound is for new people.
  public var difference: Estimate?
  /// For new people and a bound as a share of the base: head minus the allowed value.
  public var beyond: Estimate?
  /// E.g. `-0.01`.
  public var bound: String
  /// For a standard bound on new people: the wider one within which the check passes.
  public var passBound: String?
  /// nil for timing.
  public var population: GateBound.Population?
  public var verdict: GateVerdict
  public var reason: String
  /// For new people: the one-sided p value at the bound, adjusted for all such checks (Holm).
  public var probability: Double?
  /// For new people: the distance beyond the bound at which the gate fails with power 0.8.
  public var detectableEffect: Double?
  /// The probability of a FAIL if nothing has got worse: for new people of a change of nothing, for
  /// these recordings of one that flips as many detections by chance. nil = unknown.
  public var chanceOfRed: Double?
  /// The flips on which ``chanceOfRed`` of these recordings rests; nil = assumed.
  var flips: Int?
  /// The number of people, or of recordings of unknown people.
  public var clusters: Int?
  /// The values of an outcome of an app in words, e.g. `yes` and `no`.
  package var shown: (base: String, head: String)?
  /// The clusters in words, e.g. `6 people`; empty for these recordings.
  var clusterText = ""

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

  /// The check that a failure leaves: a side could not be measured.
  package init(_ failure: Failure) {
    self.init(
      entry: "", origin: "", name: "measured", bound: "", population: nil, verdict: .error,
      reason: failure.description)
  }
}

/// The accuracy half of a gate: the bounds of the rules on the differences of two results.
///
/// ```swift
/// let nothing = MeasuredResults(
///   path: "", schema: "", toolVersion: "", toolchain: "", suite: "gym", suiteSHA256: "",
///   commit: "", runs: [])
/// AccuracyGate(ResultComparison(from: nothing, to: nothing), .standard).verdict  // error
/// ```
public struct AccuracyGate: Sendable {
  /// The one-sided level of each check for new people, that of a two-sided 95 % interval.
  public static let level = 0.025
  public static let power = 0.8

  public private(set) var checks: [GateCheck]
  public private(set) var verdict: GateVerdict

  /// Replaces the checks of an entry, which would judge chance, by an error.
  public mutating func refuse(_ entry: String, because reason: String) {
    checks.removeAll { $0.entry == entry }
    var refusal = Self.error("deterministic", reason)
    refusal.entry = entry
    checks.append(refusal)
    verdict = .error
  }

  /// - Parameters:
  ///   - allowsDifferent: whether runs that cannot be compared are left out instead of being an error.
  ///   - isAlone: whether nothing else is judged. Otherwise rules of timing alone are enough.
  public init(
    _ comparison: ResultComparison, _ rules: GateRules, allowsDifferent: Bool = false,
    isAlone: Bool = true
  ) {
    var checks: [GateCheck] = []
    if !allowsDifferent, let first = comparison.obstacles.first {
      let more = comparison.obstacles.count - 1
      let rest = more > 0 ? ", and \(more) more" : ""
      checks.append(Self.error("comparable", first.text + rest))
    }
    if comparison.entries.isEmpty {
      checks.append(Self.error("measured", "no run was compared: nothing is measured"))
    }
    var drafts = comparison.entries.flatMap { entry in
      rules.bounds(of: entry.name).compactMap {
        CheckDraft(entry, $0, comparison, isNet: rules.countsNet)
      }
    }
    CheckDraft.decide(&drafts)
    let isForTiming = !isAlone && rules.isAboutTimingAlone
    let outcomes = OutcomeChecks(isForTiming ? .nothing : comparison, rules)
    checks += drafts.map(\.check) + outcomes.checks
    checks += Self.unused(rules, comparison, drafts, outcomes.subjects)
    if drafts.isEmpty, checks.isEmpty, !isForTiming {
      checks.append(Self.error("measured", "no bound applies to a figure: nothing is measured"))
    }
    self.checks = checks
    verdict = GateVerdict.mostSevere(checks.map(\.verdict)) ?? (isForTiming ? .pass : .error)
  }

  private static func error(_ name: String, _ reason: String) -> GateCheck {
    GateCheck(
      entry: "", origin: "", name: name, bound: "", population: nil, verdict: .error, reason: reason
    )
  }

  /// Stated bounds on figures that no entry has: a gate that measured nothing must not pass.
  private static func unused(
    _ rules: GateRules, _ comparison: ResultComparison, _ drafts: [CheckDraft],
    _ outcomes: Set<GateBound.Subject>
  ) -> [GateCheck] {
    let known = Set(comparison.entries.map(\.name))
    let missing = rules.entries.keys.filter { !known.contains($0) }.sorted().map {
      error($0, "the gate names entry \($0), which no result has")
    }
    // A bound that an entry replaces counts as used where its replacement is.
    func isUsed(_ bound: GateBound) -> Bool {
      outcomes.contains(bound.subject)
        || drafts.contains {
          $0.bound.subject == bound.subject && $0.bound.population == bound.population
        }
    }
    let all = rules.bounds + rules.entries.sorted { $0.key < $1.key }.flatMap(\.value)
    return missing
      + all.filter { $0.isStated && !isUsed($0) }.map { bound in
        var reason = "no entry has the figure \(bound.subject.name): nothing is measured"
        if case .outcome = bound.subject, !comparison.outcomes.isEmpty {
          // Without the list of all: it has dozens.
          let unknown = Failure.unknown(
            "outcome", bound.subject.name, known: comparison.outcomes.map(\.one.figureName))
          let words = unknown.description.split(separator: " known:")
          reason = "\(words.first ?? ""): nothing is measured"
        }
        return error(bound.subject.name, reason)
      }
  }
}
