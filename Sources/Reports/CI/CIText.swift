import Diagnostics
import Evaluation
import Scoring
import TraceModel

/// Texts that several formats share.
enum CIText {
  /// `punch/default (synthetic)`.
  static func place(_ entry: String, _ origin: String) -> String {
    origin.isEmpty ? entry : "\(entry) (\(origin))"
  }

  /// The time in a trace, in s.
  static func seconds(_ instant: TraceInstant) -> String {
    fixed(Double(instant.nanoseconds) / 1e9, 3)
  }

  /// A value with four significant digits and its unit; `-` if undefined.
  static func value(_ value: Double?, _ unit: String) -> String {
    guard let value, value.isFinite else { return "-" }
    let text = number(rounded(value))
    return switch unit {
    case "", "1": text
    case "h-1": text + "/h"
    default: "\(text) \(unit)"
    }
  }

  /// An interval, and whom it is about unless that is new people; empty if there is none.
  static func interval(_ estimate: Estimate) -> String {
    guard let interval = estimate.interval else { return "" }
    func end(_ value: Double) -> String { value.isFinite ? self.value(value, "1") : "no bound" }
    return "\(end(interval.lower)) to \(end(interval.upper))"
      + (estimate.method?.population == .newPeople ? "" : ", these people")
  }

  /// A difference with its sign.
  static func signed(_ value: Double?, _ unit: String) -> String {
    guard let value, value.isFinite else { return "-" }
    return (value > 0 ? "+" : "") + self.value(value, unit)
  }

  /// The first characters of a commit.
  static func short(commit: String) -> String { String(commit.prefix(10)) }
}

extension GateCheck {
  /// E.g. `recall of punch/default (synthetic)`.
  var title: String {
    (name.isEmpty ? "check" : name)
      + (entry.isEmpty ? "" : " of \(CIText.place(entry, origin))")
      + (population == .newPeople ? ", for new people" : "")
  }

  /// E.g. `recall 0.956 -> 0.91, change -0.046, bound -0.01`.
  var sentence: String {
    let values =
      switch (base, head) {
      case (let base?, let head?):
        ["\(CIText.value(base, unit)) -> \(CIText.value(head, unit))"]
      case (nil, let head?): [CIText.value(head, unit)]
      case (let base?, nil): ["\(CIText.value(base, unit)) -> undefined"]
      case (nil, nil): [String]()
      }
    let change = difference?.value.map { "change \(CIText.signed($0, unit))" + intervalText }
    let parts = values + [change, bound.isEmpty ? nil : "bound \(bound)"].compactMap(\.self)
    return name + (parts.isEmpty ? "" : " " + parts.joined(separator: ", "))
  }

  private var intervalText: String {
    guard let interval = difference?.interval else { return "" }
    return " (\(CIText.signed(interval.lower, "1")) to \(CIText.signed(interval.upper, "1")))"
  }
}

extension MeasuredResults {
  /// The figures of each entry over all its traces of one origin: those of a comparison with itself.
  var entryFigures: [ResultComparison.Entry] {
    ResultComparison(from: self, to: self, seed: nil).entries
  }
}

extension FigureComparison {
  /// Whether it is the mean over people of what `run` pools, e.g. of the medians of a delay.
  var isMeanOverPeople: Bool { !pair.countsEvents }
}
