/// The numerical methods of a search, e.g. those of `GSLSearch`: this module links no C library.
public protocol SearchMethods: Sendable {
  /// Returns the first `count` points of a sequence that fills the unit cube evenly, each with
  /// `dimensions` coordinates in 0..<1. Equal arguments give equal points.
  /// - Throws: if the sequence does not have so many dimensions.
  func points(_ count: Int, dimensions: Int) throws(SearchError) -> [[Double]]

  /// Minimises a function without derivatives. Equal values give equal points in the same order, so
  /// that the search can start again with values that are computed elsewhere.
  /// - Parameters:
  ///   - steps: the distance of the other corners of the simplex from the start, by coordinate.
  ///   - tolerance: the size of the simplex at which the search ends.
  ///   - mostSteps: the maximum number of steps; each needs some values.
  ///   - value: the function; nil = the value is not known yet, which stops the search.
  /// - Returns: the place without a value at which the search stopped; nil = it reached its end.
  func firstUnknownPlace(
    from start: [Double], steps: [Double], tolerance: Double, mostSteps: Int,
    _ value: ([Double]) -> Double?
  ) throws(SearchError) -> [Double]?
}

/// A search that its numerical methods refuse.
public struct SearchError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
