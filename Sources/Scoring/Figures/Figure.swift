/// A figure of a score, in the form that every output writes: a name, an estimate and a unit.
public struct Figure: Hashable, Sendable, Encodable {
  /// As in files: lower case, words joined by underscores.
  public var name: String
  public var estimate: Estimate
  /// The unit in UDUNITS; `1` for counts and proportions.
  public var unit: String

  public init(_ name: String, _ estimate: Estimate, unit: String = "1") {
    (self.name, self.estimate, self.unit) = (name, estimate, unit)
  }

  public init(_ name: String, _ value: Double?, unit: String = "1") {
    self.init(name, Estimate(value), unit: unit)
  }

  /// The value; nil if undefined (0/0): NaN in HDF5, null in JSON, empty in CSV.
  public var value: Double? { estimate.value }
  /// The 95 % interval; nil if the figure has none, or it is undefined.
  public var interval: Interval? { estimate.interval }

  #if !hasFeature(Embedded)
    private enum CodingKeys: CodingKey { case unit }

    /// Writes the estimate and the unit; the name is the key of the figure.
    public func encode(to encoder: any Encoder) throws {
      try estimate.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(unit, forKey: .unit)
    }
  #endif

  package init(_ figure: FigureDefinition, _ estimate: Estimate) {
    self.init(figure.name, estimate, unit: figure.unit)
  }

  package init(_ figure: FigureDefinition, _ value: Double?) { self.init(figure, Estimate(value)) }

  package static func count(_ figure: FigureDefinition, _ value: Int) -> Figure {
    Figure(figure, Double(value))
  }

  package static func seconds(_ figure: FigureDefinition, _ nanoseconds: Int64?) -> Figure {
    Figure(figure, nanoseconds.map { Double($0) / 1e9 })
  }
}

extension [Figure] {
  package subscript(figure: FigureDefinition) -> Figure? { first { $0.name == figure.name } }
}
