import GSL
public import Tuning

/// The methods of the GNU Scientific Library: Sobol's points, and Nelder and Mead's simplex. The
/// library is under the GPL.
public struct GSLSearch: SearchMethods {
  public init() {}

  /// Sobol's points without the one at the origin, of at most 40 dimensions.
  public func points(_ count: Int, dimensions: Int) throws(SearchError) -> [[Double]] {
    do throws(GSLError) {
      return try SobolSequence.points(count, dimensions: dimensions)
    } catch {
      throw SearchError(error.description)
    }
  }

  public func firstUnknownPlace(
    from start: [Double], steps: [Double], tolerance: Double, mostSteps: Int,
    _ value: ([Double]) -> Double?
  ) throws(SearchError) -> [Double]? {
    let simplex = Simplex(steps: steps, tolerance: tolerance, mostSteps: mostSteps)
    do throws(GSLError) {
      guard case .stopped(let place) = try simplex.minimize(from: start, value) else { return nil }
      return place
    } catch {
      throw SearchError(error.description)
    }
  }
}
