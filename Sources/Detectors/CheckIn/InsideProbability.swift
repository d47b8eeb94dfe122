import TraceModel

/// The probability that a position with a known error lies within a circle.
///
/// If the errors on both axes are normal with standard deviation σ, the squared distance of the
/// true position from a point `d` away from the fix is σ² times a non-central chi-square with two
/// degrees of freedom: P = F(R²/σ²; 2, d²/σ²) = 1 - Q₁(d/σ, R/σ) with Marcum's Q. Errors of
/// successive fixes are correlated for about a minute, so their probabilities must not be
/// multiplied.
enum InsideProbability {
  /// - Parameters: all in metres. `sigma` 0 = an exact position.
  /// - Returns: 0...1, within 1e-12; 0 if an argument is NaN or negative.
  static func within(radius: Double, distance: Double, sigma: Double) -> Double {
    guard radius > 0, distance >= 0, sigma >= 0 else { return 0 }
    guard sigma > 0 else { return distance < radius ? 1 : 0 }
    let limit = radius / sigma
    let offset = distance / sigma
    // The probability beyond nine standard deviations is less than 1e-18.
    if offset - limit > 9 { return 0 }
    if limit - offset > 9 { return 1 }
    guard limit.isFinite, offset.isFinite else { return 0 }
    return limit < 25 ? series(limit, offset) : integral(limit, offset)
  }

  /// The probability at the centre: the maximum for a fix of this accuracy.
  static func reachable(radius: Double, sigma: Double) -> Double {
    guard radius > 0, sigma >= 0 else { return 0 }
    let limit = radius / sigma
    return -Math.expm1(-limit * limit / 2)
  }

  /// Σ Pois(k; a) Pr(J > k) over k, J ~ Pois(b), with a = offset²/2 and b = limit²/2.
  private static func series(_ limit: Double, _ offset: Double) -> Double {
    let a = offset * offset / 2
    let b = limit * limit / 2
    var weight = Math.exp(-a)
    var term = Math.exp(-b)
    var tail = -Math.expm1(-b)
    var sum = weight * tail
    var k = 1.0
    // Both arguments are below 34, so a is below 580 and the first weight does not underflow. Past
    // the bulk of the weights the terms fall faster than a geometric series.
    while k < a || weight * tail > 1e-17 * sum {
      weight *= a / k
      term *= b / k
      tail = max(0, tail - term)
      sum += weight * tail
      k += 1
      if k > 2_000 { break }
    }
    return min(sum, 1)
  }

  /// ∫ r exp(-(r-d)²/2) e^(-rd) I₀(rd) dr over the distance r of the true position, up to the
  /// radius. For circles that are large compared with σ: there the series is long, and the scaled
  /// Bessel function equals its asymptotic expansion (Abramowitz and Stegun 9.7.1; rd is above 100
  /// here).
  private static func integral(_ limit: Double, _ offset: Double) -> Double {
    let start = offset - 9
    let end = min(limit, offset + 9)
    let panels = Int((end - start).rounded(.up))
    let integral = GaussLegendre.integral(from: start, to: end, panels: max(panels, 1)) { r in
      let inverse = 1 / (r * offset)
      let bessel =
        1 + inverse
        * (0.125 + inverse
          * (0.0703125 + inverse
            * (0.0732421875 + inverse * (0.112152099609375 + inverse * 0.22710800170898438))))
      return (r / offset).squareRoot() * Math.exp(-(r - offset) * (r - offset) / 2) * bessel
    }
    return min(integral / (2 * Double.pi).squareRoot(), 1)
  }
}
