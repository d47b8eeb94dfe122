import AppEngines
import Diagnostics
package import Evaluation
package import Scoring
import TraceModel

/// Texts that the formats for CI services share.
enum CIText {
  /// `punch/default (synthetic)`.
  static func place(_ entry: String, _ origin: String) -> String {
    origin.isEmpty ? entry : "\(entry) (\(origin))"
  }

  static func seconds(_ instant: TraceInstant) -> String { fixed(instant.seconds, 3) }

  /// A value with four significant digits and its unit; `-` if undefined.
  static func value(_ value: Double?, _ unit: String, isExact: Bool = false) -> String {
    guard let value, value.isFinite else { return "-" }
    let text = number(isExact ? value : rounded(value))
    return switch unit {
    case "", "1", "count": text
    case "h-1": text + "/h"
    default: "\(text) \(unit)"
    }
  }

  /// Of yes and no, the word; of a count, no unit.
  static func value(of outcome: AppOutcome) -> String {
    let text = outcome.shown
    let isPlain = ["yes", "count", ""].contains(outcome.unit) || outcome.text != nil
    return isPlain || text == "-" ? text : "\(text) \(outcome.unit)"
  }

  /// Two values, with all digits where fewer would not tell them apart.
  static func pair(_ base: Double?, _ head: Double?, _ unit: String) -> (String, String) {
    toldApart(base, head, { value($0, unit) }, exact: { value($0, unit, isExact: true) })
  }

  /// An interval, marked if it is not for new people; empty without an interval, and for one of
  /// whose people the results say nothing.
  static func interval(_ estimate: Estimate) -> String {
    guard let interval = estimate.interval, let population = estimate.method?.population else {
      return ""
    }
    func end(_ value: Double) -> String { value.isFinite ? self.value(value, "1") : "no bound" }
    return "\(end(interval.lower)) to \(end(interval.upper))"
      + (population == .newPeople ? "" : ", these people")
  }

  static func signed(_ value: Double?, _ unit: String) -> String {
    (value.map { $0 > 0 && $0.isFinite } == true ? "+" : "") + self.value(value, unit)
  }

  /// The difference with its interval; empty without an interval.
  static func bounds(_ estimate: Estimate?) -> String {
    guard let interval = estimate?.interval else { return "" }
    return " (\(signed(interval.lower, "1")) to \(signed(interval.upper, "1")))"
  }

  static func short(commit: String) -> String { String(commit.prefix(10)) }

  /// `commit 0123456789, version 0.1.0`, of what is known.
  static func origin(commit: String, version: String) -> String {
    [("commit", short(commit: commit)), ("version", version)]
      .filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// A title with its origin, for Markdown.
  static func source(_ title: String, commit: String, version: String) -> String {
    let origin = origin(commit: commit, version: version)
    return MarkdownText.escaped(title)
      + (origin.isEmpty ? "" : " (\(MarkdownText.escaped(origin)))")
  }
}

extension GateCheck {
  /// E.g. `recall of punch/default (synthetic)`.
  var title: String {
    (name.isEmpty ? "check" : name) + (entry.isEmpty ? "" : " of \(CIText.place(entry, origin))")
      + (population == .newPeople ? ", for new people" : "")
  }

  /// E.g. `recall 0.956 -> 0.91, change -0.046, bound -0.01`.
  var sentence: String {
    let texts = shown ?? CIText.pair(base, head, unit)
    let new = head.map { _ in texts.1 }
    let values = base.map { _ in "\(texts.0) -> \(new ?? "undefined")" } ?? new
    let change = difference?.value.map {
      "change \(CIText.signed($0, unit))" + CIText.bounds(difference)
    }
    let parts = [values, change, bound.isEmpty ? nil : "bound \(bound)"].compactMap(\.self)
    return name + (parts.isEmpty ? "" : " " + parts.joined(separator: ", "))
  }
}

extension MeasuredResults {
  /// The figures of each entry over its traces of one origin: those of a comparison with itself.
  var entryFigures: [ResultComparison.Entry] {
    ResultComparison(from: self, to: self, seed: nil).entries
  }
}

extension ResultComparison {
  func traces(of entry: Entry) -> [TraceFlips] {
    traces.filter { $0.entry == entry.name && $0.origin == entry.origin }
  }
}

extension FigureComparison {
  /// Whether it is a mean over people, where `run` pools all events, e.g. the median of a delay.
  var isMeanOverPeople: Bool { !pair.countsEvents }
}

/// A result in the formats that CI services read.
package protocol CIReport {
  var junit: String { get }
  /// - Parameter limit: the largest size in bytes.
  func markdown(limit: Int) -> String
  var openMetrics: String { get }
  /// The figures for which `better` holds, and for `lower` the time per sample, as benchmark JSON.
  func benchmarks(_ better: FigureDefinition.Direction) throws -> String
  func badge() throws -> String
  var annotations: [Annotation] { get }
}

extension CIReport {
  package var annotations: [Annotation] { [] }
}

extension MeasuredResults: CIReport {}

extension ResultComparison: CIReport {
  package func benchmarks(_ better: FigureDefinition.Direction) throws -> String {
    try head.benchmarks(better)
  }
}

extension GateReport: CIReport {
  package func benchmarks(_ better: FigureDefinition.Direction) throws -> String {
    try comparison.head.benchmarks(better)
  }
}

/// The largest Markdown summary in bytes that GitHub accepts for a step.
package let summaryLimit = MarkdownDocument.limit
