/// What a figure is: its name in files, its unit, which direction is better, and what it is made of.
///
/// ``FigureCatalogue`` has all of them. A detector's own measurements and the outcomes of apps have no
/// definition.
///
/// ```swift
/// FigureDefinition.latency.p50.name  // latency_p50
/// FigureDefinition.recall.denominator  // ["true_positives", "false_negatives"]
/// ```
public struct FigureDefinition: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// A number of events, recordings or readings.
    case count
    /// A share in 0...1.
    case proportion
    case rate
    case mean
    /// The value that a share of all values does not exceed.
    case percentile
    /// A sum that is not a count, such as hours.
    case total
    /// Another number of a recording, such as the error of its length.
    case value
  }

  public enum Direction: String, Hashable, Sendable, Encodable {
    case higher, lower, neither
  }

  /// As in files: lower case, words joined by underscores.
  public let name: String
  /// The unit in UDUNITS; `1` for counts and proportions.
  public let unit: String
  public let kind: Kind
  public let better: Direction
  /// The names of the figures that the numerator adds up, with repetitions. Empty
  /// if no file has them: the count is then the value times the denominator.
  public let numerator: [String]
  /// The names of the figures that the denominator adds up; empty if it is not a ratio of sums.
  public let denominator: [String]

  init(
    _ name: String, _ kind: Kind, unit: String = "1", better: Direction = .neither,
    _ numerator: [FigureDefinition] = [], of denominator: [FigureDefinition] = []
  ) {
    (self.name, self.kind, self.unit, self.better) = (name, kind, unit, better)
    self.numerator = numerator.map { $0.name }
    self.denominator = denominator.map { $0.name }
  }

  private func derived(
    _ suffix: String, _ kind: Kind, unit: String? = nil, better: Direction? = nil
  ) -> FigureDefinition {
    FigureDefinition(name + suffix, kind, unit: unit ?? self.unit, better: better ?? self.better)
  }

  public var p50: FigureDefinition { derived("_p50", .percentile) }
  public var p90: FigureDefinition { derived("_p90", .percentile) }
  public var p95: FigureDefinition { derived("_p95", .percentile) }
  public var p99: FigureDefinition { derived("_p99", .percentile) }
  /// The number of values behind the percentiles.
  public var count: FigureDefinition { derived("_count", .count, unit: "1", better: .neither) }
  public var mean: FigureDefinition { derived("_mean", .mean) }
  /// The mean of signed errors.
  public var bias: FigureDefinition { derived("_bias", .mean, better: .neither) }
  /// The mean of the sizes of signed errors.
  public var meanAbsolute: FigureDefinition { derived("_mean_absolute", .mean, better: .lower) }

  public func ofClass(_ label: String) -> FigureDefinition { derived("_" + label, kind) }
  public var subjectMean: FigureDefinition { derived("_subject_mean", .mean) }
  /// The one-sided upper bound of a rate with no events.
  public var upperIfNone: FigureDefinition { derived("_upper_if_none", kind) }
}
