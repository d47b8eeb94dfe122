/// The differences between people: the variation of rates, or the correlation of hits within.
public struct Dispersion: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case variation = "coefficient_of_variation"
    case correlation
  }

  public var kind: Kind
  /// The value that is used in planning.
  public var value: Double
  /// The estimate of the people who were recorded; nil = `value` is an assumption.
  public var estimate: Double?
  public var people: Int?

  public init(_ kind: Kind, assumed value: Double) {
    self.kind = kind
    self.value = value
  }

  /// The assumed variation of false alarms between people: the deviation equals the mean.
  public static let assumedVariation = 1.0
  /// The largest values that are simulated.
  static let limits: [Kind: Double] = [.variation: 5, .correlation: 0.9]

  /// The probability that the upper bound is above the true dispersion (Browne, Statistics in
  /// Medicine 14, 1995): half of all estimates are too low, and then the study is too small.
  static let assurance = 0.8

  /// The dispersion between recorded people, by moments: the squares of the residuals of the pooled
  /// ratio, less what chance within people adds. `value` is the upper bound of ``assurance``, by the
  /// chi-squared distribution with the degrees of freedom of the shares.
  ///
  /// Returns nil with fewer than three people, or where there is nothing to estimate: no event, or
  /// only hits.
  /// - Parameters:
  ///   - parts: the count and the exposure of each person.
  ///   - burst: the mean size of bursts within people, which are left out of the dispersion; with 1
  ///     it contains them.
  init?(_ kind: Kind, of parts: [(count: Double, exposure: Double)], burst: Double = 1) {
    let parts = parts.filter { $0.exposure > 0 }
    let count = parts.reduce(0) { $0 + $1.count }
    let exposure = parts.reduce(0) { $0 + $1.exposure }
    let ratio = count / exposure
    guard parts.count >= ClusteredRatio.fewest, ratio > 0, kind == .variation || ratio < 1 else {
      return nil
    }
    var (squares, second, third) = (0.0, 0.0, 0.0)
    for part in parts {
      let (residual, share) = (part.count - ratio * part.exposure, part.exposure / exposure)
      squares += residual * residual
      second += share * share
      third += share * share * share
    }
    // The factors of the variance within and between people in the expected sum of squares. Geometric
    // bursts have 2 burst - 1 times the variance, those of a fixed size burst times.
    let within = exposure * (1 - second) * (kind == .variation ? 2 * burst - 1 : burst)
    let between = exposure * exposure * (second - 2 * third + second * second)
    let limit = Self.limits[kind] ?? 1
    /// Solves `squares` = the expected sum of squares, for the dispersion.
    func dispersion(_ squares: Double) -> Double {
      switch kind {
      case .variation:
        let square = (squares - ratio * within) / (ratio * ratio * between)
        return min(max(square, 0).squareRoot(), limit)
      case .correlation:
        let excess = squares / (ratio * (1 - ratio)) - within
        return between > within ? min(max(excess / (between - within), 0), limit) : 0
      }
    }
    let degrees = 1 / second - 1
    let quantile = Distributions.gammaQuantile(1 - Self.assurance, shape: degrees / 2)
    guard between > 0, let quantile, quantile > 0 else { return nil }
    self.kind = kind
    estimate = dispersion(squares)
    value = dispersion(squares * degrees / (2 * quantile))
    people = parts.count
  }
}
