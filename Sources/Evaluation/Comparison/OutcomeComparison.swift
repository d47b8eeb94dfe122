public import AppEngines
internal import Diagnostics
package import Scoring
internal import TraceModel

/// The outcomes of an app that played on the traces of its people.
public struct MeasuredApp: Hashable, Sendable {
  /// The name of the suite entry.
  public var entry: String
  /// `recorded` or `synthetic`; empty if the people's traces are of both.
  public var origin: String
  public var app: String
  public var preset: String
  public var people: [String]
  /// The SHA-256 of each person's trace.
  public var traces: [String]
  public var outcomes: [AppOutcome]

  public init(
    entry: String, origin: String, app: String, preset: String, people: [String],
    traces: [String], outcomes: [AppOutcome]
  ) {
    (self.entry, self.origin, self.app, self.preset) = (entry, origin, app, preset)
    (self.people, self.traces, self.outcomes) = (people, traces, outcomes)
  }

  package init(_ record: AppRecord) {
    let origins = Set(record.people.map(\.origin.rawValue))
    self.init(
      entry: record.entry, origin: origins.count == 1 ? origins.first ?? "" : "",
      app: record.facts.app, preset: record.facts.preset, people: record.people.map(\.name),
      traces: record.people.map(\.traceSHA256), outcomes: record.outcomes)
  }

  /// The person of an outcome, without a name the number; empty = the whole run.
  package func person(of outcome: AppOutcome) -> String {
    guard let index = outcome.person?.index else { return "" }
    let name = people.indices.contains(index) ? people[index] : ""
    return name.isEmpty ? "\(index)" : name
  }
}

extension AppOutcome {
  /// As suites, gates and histories have it, e.g. `outcome.saved`.
  package var figureName: String { GateBound.Subject.outcome(name).name }

  /// `outcome.saved of sim01`.
  package func title(of person: String) -> String {
    figureName + (person.isEmpty ? "" : " of \(person)")
  }

  /// The direction, for outputs that mark figures.
  package var better: FigureDefinition.Direction {
    switch goal {
    case .neither: .neither
    case .higher, .mustStay, .mustNotFall: .higher
    case .lower, .mustNotRise, .mustBeZero: .lower
    }
  }

  /// The value that bounds are about: of a name, whether there is one.
  package var judged: Double? { text == nil ? value : value == nil ? 0 : 1 }
  package var judgedUnit: String { text == nil ? unit : "yes" }

  /// The value for people, with digits by its unit.
  package var shown: String {
    if let text { return inLine(text) }
    guard let value, value.isFinite else { return "-" }
    switch unit {
    case "yes": return value == 0 ? "no" : "yes"
    case "count": return fixed(value, 0)
    case "s" where abs(value) < 10: return fixed(value, 2)
    case "m", "%", "s": return fixed(value, 1)
    case "s/mi", "s/km": return fixed(value, 0)
    default: return fixed(value, 3)
    }
  }

  /// A violation that occurs, or what must stay and is not there.
  package var isBroken: Bool {
    goal.isViolation ? value ?? 0 > 0 : goal == .mustStay && (judged ?? 0) == 0
  }
}

/// An outcome on both sides of a comparison.
public struct OutcomeComparison: Hashable, Sendable {
  public var entry: String
  public var origin: String
  /// Empty = the whole run.
  public var person: String
  /// nil = the side does not have it.
  public var base: AppOutcome?
  public var head: AppOutcome?

  /// The side that states what the outcome is.
  package var one: AppOutcome {
    let known = [head, base].compactMap(\.self)
    return known.first { $0.goal != .neither } ?? known[0]
  }

  /// Whether value or name differ.
  public var differs: Bool {
    base?.value != head?.value || base?.text != head?.text || (base == nil) != (head == nil)
  }

  /// Both values, with all digits where fewer would not tell them apart.
  package var shown: (base: String, head: String) {
    let (old, new) = (base?.shown ?? "-", head?.shown ?? "-")
    guard old == new, differs, let before = base?.value, let after = head?.value else {
      return (old, new)
    }
    return (number(before), number(after))
  }

  /// What one outcome has on both sides.
  private struct Key: Hashable {
    var name: String
    var person: DeviceID?

    init(_ outcome: AppOutcome) { (name, person) = (outcome.name, outcome.person) }
  }

  /// Pairs the outcomes of two results: of apps with one name in both, or of the only ones, on the
  /// same traces.
  static func all(_ base: MeasuredResults, _ head: MeasuredResults) -> [OutcomeComparison] {
    let isSingle = base.apps.count == 1 && head.apps.count == 1
    return base.apps.flatMap { old -> [OutcomeComparison] in
      let other = head.apps.first { isSingle || $0.entry == old.entry }
      guard let new = other, new.app == old.app, new.traces == old.traces else { return [] }
      func pair(_ before: AppOutcome?, _ after: AppOutcome?, _ person: String) -> Self {
        Self(entry: new.entry, origin: new.origin, person: person, base: before, head: after)
      }
      let after = Dictionary(
        new.outcomes.map { (Key($0), $0) }, uniquingKeysWith: { first, _ in first })
      let known = Set(old.outcomes.map(Key.init))
      let shared = old.outcomes.map { before in
        pair(before, after[Key(before)], old.person(of: before))
      }
      let added = new.outcomes.filter { !known.contains(Key($0)) }
      return shared + added.map { pair(nil, $0, new.person(of: $0)) }
    }
  }
}
