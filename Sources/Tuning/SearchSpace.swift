internal import Detectors
internal import TraceModel

/// A parameter to search over, with its range.
public struct SearchDimension: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A number; a grid has `values` of them with both ends, by ratio if `isLogarithmic`.
    case number(range: ClosedRange<Double>, isLogarithmic: Bool, values: Int)
    case choice([String])
    case flag
  }

  public var name: String
  public var kind: Kind

  /// - Precondition: a range by ratio is above zero; a grid and a choice have at least one value.
  public init(_ name: String, _ kind: Kind) {
    switch kind {
    case .number(let range, let isLogarithmic, let values):
      precondition(!isLogarithmic || range.lowerBound > 0)
      precondition(values > 0)
    case .choice(let choices): precondition(!choices.isEmpty)
    case .flag: break
    }
    self.name = name
    self.kind = kind
  }

  var isContinuous: Bool {
    if case .number(let range, _, _) = kind { range.lowerBound < range.upperBound } else { false }
  }

  /// Returns the value at a place in 0...1; numbers have six digits, to be readable.
  func value(at place: Double) -> ParameterValue {
    switch kind {
    case .number(let range, let isLogarithmic, _):
      let (lower, upper) = (range.lowerBound, range.upperBound)
      let value =
        isLogarithmic
        ? Math.exp(Math.log(lower) + place * (Math.log(upper) - Math.log(lower)))
        : lower + place * (upper - lower)
      return .number(min(max(rounded(value), lower), upper))
    case .choice(let choices):
      return .choice(choices[min(max(Int(place * Double(choices.count)), 0), choices.count - 1)])
    case .flag: return .flag(place >= 0.5)
    }
  }

  var places: [Double] {
    switch kind {
    case .number(_, _, let values):
      values == 1 ? [0.5] : (0..<values).map { Double($0) / Double(values - 1) }
    case .choice(let choices): choices.indices.map { (Double($0) + 0.5) / Double(choices.count) }
    case .flag: [0.25, 0.75]
    }
  }

  private func rounded(_ value: Double) -> Double {
    guard value != 0, value.isFinite else { return value }
    // Repeated multiplication by ten does not depend on the last digit of a logarithm.
    var scale = 1.0
    while (value * scale).magnitude < 1e5, scale < 1e300 { scale *= 10 }
    while (value * scale).magnitude >= 1e6, scale > 1e-300 { scale /= 10 }
    return (value * scale).rounded() / scale
  }
}

/// The parameters to search over; without any, only the threshold is searched.
public struct SearchSpace: Hashable, Sendable {
  public var dimensions: [SearchDimension]

  public init(_ dimensions: [SearchDimension] = []) { self.dimensions = dimensions }

  /// The choice of points to try.
  public enum Method: Hashable, Sendable {
    /// This many of Sobol's points.
    case sobol(Int)
    /// Every combination of the dimensions' values.
    case grid
  }

  /// The number of points of the grid; the largest integer if there are more.
  public var gridCount: Int {
    dimensions.reduce(1) { product, dimension in
      let (result, overflow) = product.multipliedReportingOverflow(by: dimension.places.count)
      return overflow ? .max : result
    }
  }

  /// Returns places in the unit cube; in a grid the last coordinate varies fastest.
  /// - Throws: for Sobol's points with more dimensions than the methods have.
  func points(
    _ method: Method, by methods: any SearchMethods
  ) throws(SearchError) -> [[Double]] {
    guard !dimensions.isEmpty else { return [] }
    switch method {
    case .sobol(let count):
      return try methods.points(count, dimensions: dimensions.count)
    case .grid:
      return dimensions.reduce([[]]) { points, dimension in
        points.flatMap { point in dimension.places.map { point + [$0] } }
      }
    }
  }

  func settings(at point: [Double]) -> ParameterSettings {
    Dictionary(
      zip(dimensions, point).map { ($0.name, $0.value(at: $1)) }, uniquingKeysWith: { $1 })
  }
}
