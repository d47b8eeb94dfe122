import Diagnostics
import Scoring
import TraceModel

struct TableColumn<Item> {
  var heading: TextTable.Column
  var cell: (Item) -> String
}

extension TableColumn {
  init(
    _ title: String, _ alignment: TextTable.Alignment = .right, rank: Int = 0,
    _ cell: @escaping (Item) -> String
  ) { self.init(heading: TextTable.Column(title, alignment, rank: rank), cell: cell) }
}

extension TextTable {
  /// - Parameter remedy: where to find the columns that are left out.
  init<Item>(
    _ title: String, _ items: some Sequence<Item>, _ columns: [TableColumn<Item>],
    hasRule: Bool = true, remedy: String = "a wider terminal or --format csv shows them"
  ) {
    self.init(title, columns.map(\.heading))
    (self.hasRule, self.remedy) = (hasRule, remedy)
    for item in items { add(columns.map { $0.cell(item) }) }
  }
}

extension TableColumn {
  /// The references, which are TP + FN, and the counts: of the columns that a screen hides, the last.
  static func counts(
    _ counts: @escaping (Item) -> EventCounts, _ title: String = "refs"
  ) -> [TableColumn<Item>] {
    [
      .init(title, rank: 2) { "\(counts($0).recall.trials)" },
      .init("TP", rank: 1) { "\(counts($0).truePositives)" },
      .init("FP", rank: 1) { "\(counts($0).falsePositives)" },
      .init("FN", rank: 1) { "\(counts($0).falseNegatives)" },
    ]
  }
}

/// The cells of tables. An undefined value is a dash.
enum TableCell {
  static let undefined = "-"

  static func value(_ value: Double?, _ decimals: Int) -> String {
    value.map { fixed($0, decimals) } ?? undefined
  }

  static func range(_ interval: Interval?, _ decimals: Int) -> String? {
    interval.map {
      let (lower, upper) = (fixed($0.lower, decimals), fixed($0.upper, decimals))
      return switch ($0.lower.isFinite, $0.upper.isFinite) {
      case (true, true): "\(lower)-\(upper)"
      case (true, false): "\(lower) or more"
      case (false, true): "up to \(upper)"
      case (false, false): "no bound"
      }
    }
  }

  /// Hours. Label files may not state them: then zero means not known.
  static func hours(_ hours: Double, areKnown: Bool = true) -> String {
    areKnown || hours > 0 ? fixed(hours, 3) : undefined
  }

  /// The value with its interval on a second line.
  static func estimate(_ estimate: Estimate?, _ decimals: Int) -> String {
    guard let estimate, let value = estimate.value else { return undefined }
    return fixed(value, decimals) + (range(estimate.interval, decimals).map { "\n" + $0 } ?? "")
  }

  /// The value with its interval in parentheses.
  static func inline(_ estimate: Estimate?, _ decimals: Int) -> String {
    guard let estimate, let value = estimate.value else { return undefined }
    return fixed(value, decimals) + (range(estimate.interval, decimals).map { " (\($0))" } ?? "")
  }

  static func figure(
    _ figure: FigureDefinition, of figures: [Figure], _ decimals: Int = 3
  ) -> String { estimate(figures[figure]?.estimate, decimals) }

  /// The median and a percentile of the tail, in the given unit.
  static func percentiles(
    _ times: TimePercentiles?, _ tail: (TimePercentiles) -> Int64? = \.p90,
    perUnit nanoseconds: Double, decimals: Int
  ) -> String {
    guard let times else { return undefined }
    return fixed(Double(times.p50) / nanoseconds, decimals) + "/"
      + value(tail(times).map { Double($0) / nanoseconds }, decimals)
  }

  /// A delay in seconds, or `not reached`.
  static func delay(_ delay: FigureDefinition, of figures: [Figure], _ decimals: Int) -> String {
    guard let estimate = figures[delay]?.estimate else { return undefined }
    return estimate.value.map { fixed($0, decimals) }
      ?? (estimate.count ?? 0 > 0 ? "not reached" : undefined)
  }

  /// The median and another percentile of delays.
  static func delays(
    _ time: FigureDefinition, _ tail: (FigureDefinition) -> FigureDefinition = \.p90,
    of figures: [Figure], _ decimals: Int = 1
  ) -> String {
    let both = [time.p50, tail(time)].map { delay($0, of: figures, decimals) }
    return both[0] == both[1] && both[0].allSatisfy { !$0.isNumber }
      ? both[0] : both.joined(separator: "/")
  }

  static func milliseconds(_ times: TimePercentiles?) -> String {
    percentiles(times, perUnit: 1e6, decimals: 0)
  }

  static func seconds(_ times: TimePercentiles?) -> String {
    percentiles(times, perUnit: 1e9, decimals: 1)
  }

  static func signed(_ value: Double?, _ decimals: Int) -> String {
    guard let value else { return undefined }
    let text = fixed(value, decimals)
    return text.hasPrefix("-") ? text : "+" + text
  }

  /// The bias, its interval and the mean of the magnitudes, each on a line.
  static func error(_ error: FigureDefinition, of figures: [Figure]) -> String {
    guard let bias = figures[error.bias], let mean = bias.value else { return undefined }
    return signed(mean, 2) + "\n"
      + (bias.interval.map { "\(signed($0.lower, 2)) to \(signed($0.upper, 2))" } ?? undefined)
      + "\n" + value(figures[error.meanAbsolute]?.value, 2)
  }

  static func fraction(_ proportion: Proportion) -> String {
    "\(proportion.successes)/\(proportion.trials)"
  }
}
