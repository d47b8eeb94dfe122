/// A figure of a score, in the form that every output writes: a name, an estimate and a unit.
public struct Figure: Hashable, Sendable, Encodable {
  /// As in files: lower case, words joined by underscores.
  public var name: String
  public var estimate: Estimate
  /// The unit in UDUNITS; `1` for counts and proportions.
  public var unit: String

  public init(_ name: String, _ estimate: Estimate, unit: String = "1") {
    self.name = name
    self.estimate = estimate
    self.unit = unit
  }

  /// A figure without an interval.
  public init(_ name: String, _ value: Double?, unit: String = "1") {
    self.init(name, Estimate(value), unit: unit)
  }

  /// The value; nil if undefined (0/0): NaN in HDF5, null in JSON, empty in CSV.
  public var value: Double? { estimate.value }
  /// The 95 % interval; nil if the figure has none, or it is undefined.
  public var interval: Interval? { estimate.interval }
  /// Whether files have columns for the interval.
  public var hasInterval: Bool { estimate.method != nil }

  #if !hasFeature(Embedded)
    private enum CodingKeys: CodingKey { case unit }

    /// Writes the estimate and the unit; the name is the key of the figure.
    public func encode(to encoder: any Encoder) throws {
      try estimate.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(unit, forKey: .unit)
    }
  #endif

  package static func count(_ name: String, _ value: Int) -> Figure {
    Figure(name, Double(value))
  }

  package static func proportion(_ name: String, _ value: Proportion) -> Figure {
    Figure(name, Estimate(value))
  }

  package static func rate(_ name: String, _ value: PoissonRate) -> Figure {
    Figure(name, Estimate(value), unit: "h-1")
  }

  package static func seconds(_ name: String, _ nanoseconds: Int64?) -> Figure {
    Figure(name, nanoseconds.map { Double($0) / 1e9 }, unit: "s")
  }

  /// The median and the 90th percentile with their intervals, and the number of times.
  package static func percentiles(_ name: String, _ times: TimePercentiles?) -> [Figure] {
    let count = times?.count ?? 0
    func figure(_ suffix: String, _ value: Int64?, _ bounds: PercentileInterval?) -> Figure {
      let estimate = Estimate(
        value.map { Double($0) / 1e9 }, bounds?.seconds, by: .orderStatistics, count: count)
      return Figure(name + suffix, estimate, unit: "s")
    }
    return [
      figure("_p50", times?.p50, times?.p50Interval),
      figure("_p90", times?.p90, times?.p90Interval), .count(name + "_count", count),
    ]
  }

  package static func mean(_ name: String, _ value: MeanEstimate?, unit: String) -> Figure {
    Figure(name, Estimate(value), unit: unit)
  }
}
