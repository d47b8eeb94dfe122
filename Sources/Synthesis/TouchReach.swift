import TraceModel

/// The place and the time at which a finger arrives that aims at a target on a touch screen.
struct TouchReach: Sendable {
  /// Millimetres of a point of the screen.
  let millimetersPerPoint: Double
  /// A person's standard deviations divided by those of the publication.
  let spread: Double
  /// A person's movement times divided by those of the publication.
  let slowness: Double

  /// Draws the error of the finger in points at a target of `side` points.
  ///
  /// The dual Gaussian model: the variance of the endpoints is a share of the target's squared size,
  /// by the tradeoff of speed and accuracy, plus that of the finger itself (Bi, Li, Zhai: FFitts law,
  /// CHI 2013, doi 10.1145/2470654.2466180). In mm²: 0.0075 d² + 1.68 across and 0.0108 d² + 1.33
  /// along the screen (Bi, Zhai: Bayesian touch, UIST 2013, doi 10.1145/2501988.2502058; the
  /// coefficients are not checked against the paper's text, see docs/tile-drag.md).
  func error(
    atTargetOf side: Double, _ random: inout SeededGenerator
  ) -> TileLayout.Point {
    let size = side * millimetersPerPoint
    let across = (0.0075 * size * size + 1.68).squareRoot()
    let along = (0.0108 * size * size + 1.33).squareRoot()
    let scale = spread / millimetersPerPoint
    return TileLayout.Point(
      x: random.normal(standardDeviation: across * scale),
      y: random.normal(standardDeviation: along * scale))
  }

  /// Returns the time in seconds of a drag over `distance` points to a target of `side` points.
  ///
  /// Fitts's law for dragging with a stylus on a tablet: -27 ms + 276 ms per bit (MacKenzie, Sellen,
  /// Buxton, CHI 1991, doi 10.1145/108844.108868); at least a tenth of a second.
  func duration(over distance: Double, toTargetOf side: Double) -> Double {
    let bits = Math.log(distance / side + 1) / Math.log(2)
    return max(slowness * (-0.027 + 0.276 * bits), 0.1)
  }

  /// Returns the share of the way that a hand has gone after a share of the time: the minimum-jerk
  /// trajectory (Flash, Hogan, J. Neuroscience 5, 1985, p. 1688), from rest to rest.
  static func progress(_ time: Double) -> Double {
    let t = min(max(time, 0), 1)
    return t * t * t * (10 - 15 * t + 6 * t * t)
  }
}
