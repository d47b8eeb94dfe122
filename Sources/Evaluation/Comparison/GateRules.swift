internal import Diagnostics
import Scoring

/// What a gate allows: bounds of figures, for all entries or for single ones.
///
/// ```swift
/// var rules = GateRules(bounds: [])
/// rules.time = 0.05
/// rules.isAboutTimingAlone  // true
/// ```
public struct GateRules: Sendable, Equatable {
  /// Those for all entries.
  public var bounds: [GateBound]
  /// Those of single entries by name, which replace bounds on the same figure.
  public var entries: [String: [GateBound]] = [:]
  /// The allowed rise of the time per sample, e.g. 0.05; nil = the standard one.
  public var time: Double?
  /// The allowed rise of the processor and the wall-clock time per sample of `exec:` programs; nil = the
  /// standard one.
  public var programTime: Double?
  public var programWall: Double?
  /// The allowed rise of the instructions per sample; nil = the standard one.
  public var instructions: Double?
  /// The allowed rise of the share of missed periods, e.g. 0.01; nil = none is measured.
  public var missedPeriods: Double?

  /// Whether gains cancel losses where `lost` and `flips` are counted.
  public var countsNet = false

  /// Whether outcomes of apps are also judged by their goals, where no bound on them is stated.
  public var judgesOutcomes = true

  /// Whether there are bounds of timing, and none of accuracy.
  public var isAboutTimingAlone: Bool {
    bounds.isEmpty && entries.values.allSatisfy(\.isEmpty)
      && (time ?? programTime ?? programWall ?? instructions ?? missedPeriods) != nil
  }

  public init(bounds: [GateBound], entries: [String: [GateBound]] = [:]) {
    (self.bounds, self.entries) = (bounds, entries)
  }

  /// Those bounds and nothing else.
  package static func only(_ bounds: [GateBound]) -> GateRules {
    var rules = GateRules(bounds: bounds)
    rules.judgesOutcomes = false
    return rules
  }

  /// Parses a bound of missed periods: the allowed rise of their share, 0 to 1; nil = another text.
  public static func missedPeriods(_ text: String) -> Double? {
    guard case .change(let rise)? = GateBound.Limit(text: text), (0...1).contains(rise) else {
      return nil
    }
    return rise
  }

  /// The bounds of a suite that states none: nothing gets noticeably worse on these recordings.
  public static let standard = GateRules(
    bounds: [FigureDefinition.recall, .departuresFound, .arrivalsSeen].map {
      GateBound(.figure($0.name), .change(-0.01), isStated: false)
    }
      + [
        FigureDefinition.falseAlarmsPerHour, .falseVisitsPerHour, .mistakesPerHour, .latency.p50,
        .entryDelay.p50, .detectionTime.mean, .distanceError.meanAbsolute,
        .movingTimeError.meanAbsolute,
      ].map { GateBound(.figure($0.name), .share(0.1), isStated: false) })

  func bounds(of entry: String) -> [GateBound] {
    let own = entries[entry] ?? []
    return bounds.filter { bound in
      !own.contains { $0.subject == bound.subject && $0.population == bound.population }
    } + own
  }
}

/// A bound on a figure of an entry, or on the number of differences.
///
/// ```swift
/// try GateBound("recall", "-0.01", place: "gym.yaml:9").limit.text  // -0.01
/// (try? GateBound("recall", "+0.01", place: "gym.yaml:9")) == nil  // true
/// ```
public struct GateBound: Sendable, Hashable {
  public enum Subject: Sendable, Hashable {
    case figure(String)
    /// The figure of the person who fares worst from the change.
    case worstPerson(String)
    /// The references that the base finds and the head misses.
    case lost
    /// The detections that differ.
    case flips
    /// An outcome of an app, of the whole run or of each person.
    case outcome(String)
    /// Each outcome that counts what a rule of an app forbids.
    case violations

    private static let outcomePrefix = "outcome."

    /// As suites have it.
    public var name: String {
      switch self {
      case .outcome(let name): Self.outcomePrefix + name
      case .violations: "violations"
      case .figure(let name): name
      case .worstPerson(let name): "worst_person_" + name
      case .lost: "lost"
      case .flips: "flips"
      }
    }

    public init(name: String) {
      let prefix = "worst_person_"
      self =
        switch name {
        case "lost": .lost
        case "flips": .flips
        case "violations": .violations
        case _ where name.hasPrefix(Self.outcomePrefix):
          .outcome(String(name.dropFirst(Self.outcomePrefix.count)))
        case _ where name.hasPrefix(prefix): .worstPerson(String(name.dropFirst(prefix.count)))
        default: .figure(name)
        }
    }
  }

  public enum Limit: Sendable, Hashable {
    /// Head minus base, in the figure's unit.
    case change(Double)
    /// Head / base - 1.
    case share(Double)
    /// The figure of the head.
    case atLeast(Double)
    case atMost(Double)
  }

  /// Whom a bound is about. The two kinds are never mixed in one check.
  public enum Population: String, Sendable, Hashable, CaseIterable, Encodable {
    /// The recordings that were replayed: the figures are exact, and have no interval.
    case theseRecordings = "these_recordings"
    /// People like these: the interval decides.
    case newPeople = "new_people"
  }

  public var subject: Subject
  public var limit: Limit
  public var population: Population
  /// Whether a user stated it. A standard bound that applies to nothing is not an error.
  public var isStated: Bool

  public init(
    _ subject: Subject, _ limit: Limit, population: Population = .theseRecordings,
    isStated: Bool = true
  ) {
    (self.subject, self.limit) = (subject, limit)
    (self.population, self.isStated) = (population, isStated)
  }

  /// Parses a limit: `-0.01`, `+10 %`, `>= 0.97`, `<= 5`.
  /// - Throws: wrong use, if the text is not a limit.
  public init(
    _ name: String, _ text: String, population: Population = .theseRecordings, place: String
  ) throws {
    let subject = Subject(name: name)
    let words: [String: Limit] = ["yes": .atLeast(1), "no": .atMost(0)]
    let word = if case .outcome = subject { words[text] } else { nil as Limit? }
    guard let limit = word ?? Limit(text: text) else {
      throw Failure(
        .wrongUse, place: place,
        "expected \(name) as -0.01, +10 %, >= 0.97 or <= 5, found \"\(text)\"")
    }
    self.init(subject, limit, population: population)
    try requireKnown(place)
  }

  private func requireKnown(_ place: String) throws {
    let known = FigureCatalogue.compared
    switch subject {
    case .figure(let name), .worstPerson(let name):
      guard let better = known.first(where: { $0.name == name })?.better else {
        let others =
          subject == .figure(name) ? ["lost", "flips", "violations", "outcome.<name>"] : []
        throw Failure.unknown("figure", name, known: known.map(\.name) + others, place: place)
      }
      try requireDirection(better, place)
      if case .worstPerson = subject, population == .newPeople {
        throw Failure(
          .wrongUse, place: place,
          "expected \(subject.name) under these_recordings: it is about the people who were recorded"
        )
      }
    case .outcome:
      try requireTheseRecordings(place, "it is about what was played")
    case .lost, .flips, .violations:
      try requireTheseRecordings(place, "it counts recorded events")
      let most: Double? =
        switch limit {
        case .change(let most): most
        case .atMost(let most) where subject == .violations: most
        default: nil
        }
      guard let most, most >= 0, most == most.rounded() else {
        throw Failure(
          .wrongUse, place: place, "expected \(subject.name) as a count, e.g. 0")
      }
    }
  }

  private func requireTheseRecordings(_ place: String, _ reason: String) throws {
    guard population == .theseRecordings else {
      throw Failure(
        .wrongUse, place: place, "expected \(subject.name) under these_recordings: \(reason)")
    }
  }

  /// A bound allows a change for the worse; the other sign is probably a mistake.
  private func requireDirection(
    _ better: FigureDefinition.Direction, _ place: String
  ) throws {
    let allowed: Double
    switch limit {
    case .change(let change): allowed = change
    case .share(let share): allowed = share
    case .atLeast, .atMost: return
    }
    let (isWrong, examples, which) =
      switch better {
      case .higher: (allowed > 0, "-0.01, or \">= 0.97\"", "higher")
      case .lower: (allowed < 0, "+10 %, or \"<= 5\"", "lower")
      case .neither: (false, "", "")
      }
    if isWrong {
      throw Failure(
        .wrongUse, place: place,
        "expected what \(subject.name) may lose, e.g. \(examples), found \"\(limit.text)\": "
          + "\(which) is better")
    }
    if case .share(let share) = limit, share < -1 {
      throw Failure(
        .wrongUse, place: place,
        "expected a share of at most 100 % of \(subject.name), found \"\(limit.text)\"")
    }
  }
}

extension GateBound.Limit {
  public init?(text: String) {
    let text = text.filter { $0 != " " }
    let (number, limit): (Substring, (Double) -> Self) =
      if text.hasPrefix(">=") {
        (text.dropFirst(2), Self.atLeast)
      } else if text.hasPrefix("<=") {
        (text.dropFirst(2), Self.atMost)
      } else if text.hasSuffix("%") {
        (text.dropLast(), { .share($0 / 100) })
      } else {
        (text[...], Self.change)
      }
    // Double reads 0x10 and inf too.
    guard number.allSatisfy({ "0123456789.+-eE".contains($0) }), let value = Double(number),
      value.isFinite
    else { return nil }
    self = limit(value)
  }

  /// As suites have it.
  public var text: String {
    func signed(_ value: Double) -> String { (value > 0 ? "+" : "") + compact(value) }
    func compact(_ value: Double) -> String {
      value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }
    return switch self {
    case .change(let value): signed(value)
    case .share(let value): signed((value * 1e10).rounded() / 1e8) + " %"
    case .atLeast(let value): ">= " + compact(value)
    case .atMost(let value): "<= " + compact(value)
    }
  }
}

extension GateBound {
  /// The least that a standard bound allows of a delay, in s: a sample at 100 Hz, and a fix at 1 Hz. A share
  /// of a delay near 0 is less than the sensor can tell.
  private static let leastRise = [
    FigureDefinition.latency.p50.name: 0.01, FigureDefinition.entryDelay.p50.name: 1,
  ]

  /// The bound for the base of an entry.
  func fitted(to entry: ResultComparison.Entry) -> GateBound {
    guard !isStated, case .share(let share) = limit, let least = Self.leastRise[subject.name],
      let base = entry.figures.first(where: { $0.name == subject.name })?.base,
      abs(share * base) < least
    else { return self }
    return GateBound(subject, .change(least), population: population, isStated: false)
  }

  /// The limit within which a standard bound for new people passes; nil = its own.
  ///
  /// A FAIL is shown to be beyond the bound itself. To show that a figure stays within it takes
  /// hundreds of people, so a PASS takes five times as much with 20 people, and as much more or less
  /// with others as their intervals are wider or narrower: at most ten times. Means over people,
  /// such as delays, differ less by chance, and take a fifth of that.
  func passLimit(of figure: FigureComparison) -> Limit? {
    guard !isStated, population == .newPeople else { return nil }
    func width(_ people: Int) -> Double {
      PairedContrast.detectable(level: AccuracyGate.level, people: people)
        / Double(people).squareRoot()
    }
    let times = (figure.pair.countsEvents ? 5 : 1) * width(figure.pair.parts.count) / width(20)
    let factor = (min(max(times, 1), figure.pair.countsEvents ? 10 : 2) * 10).rounded() / 10
    func widened(_ value: Double) -> Double { (value * factor * 1e6).rounded() / 1e6 }
    return switch limit {
    case .change(let change): factor > 1 ? .change(widened(change)) : nil
    case .share(let share): factor > 1 ? .share(widened(share)) : nil
    case .atLeast, .atMost: nil
    }
  }
}
