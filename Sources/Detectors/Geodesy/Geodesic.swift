import TraceModel

/// The geodesic inverse problem: the shortest line between two points of the ellipsoid.
///
/// Bessel's auxiliary sphere, on which a geodesic is a great circle with the azimuth α0 at the
/// equator. Length and longitude follow from two integrals along it (Karney, "Algorithms for
/// geodesics", J. Geodesy 87, 2013, doi 10.1007/s00190-012-0578-z, eqs. 7 and 8). They are computed
/// by quadrature instead of his series: the integrands are almost constant, so with eight points
/// per 0.8 rad only rounding errors remain. The longitude on the sphere comes from Vincenty's
/// iteration (Survey Review 23, 1975). Where that does not converge, near the antipode, it follows
/// Karney: the azimuth at the first point is bisected until the line ends at the requested
/// longitude.
struct Geodesic {
  /// The length in metres.
  let length: Double

  /// - Parameters: degrees; latitudes within ±90, longitudes finite.
  init(_ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double) {
    let lambda = Math.radians(abs(Geodesy.longitudeDifference(longitude1, longitude2)))
    let start = ReducedLatitude(latitude1)
    let end = ReducedLatitude(latitude2)
    length =
      Geodesic.iterated(start, end, lambda)
      ?? Geodesic.bisected(latitude1, latitude2, lambda)
  }

  /// Runs Vincenty's iteration; nil if it does not converge.
  private static func iterated(
    _ start: ReducedLatitude, _ end: ReducedLatitude, _ lambda: Double
  ) -> Double? {
    var omega = lambda
    // Each iteration reduces the error by a factor of 300, except near the antipode.
    for _ in 0..<20 {
      guard let arc = Arc(from: start, to: end, omega: omega) else { return nil }
      let next = lambda + arc.longitudeDefect
      // A line of more than half the circumference is never the shortest.
      guard next <= .pi else { return nil }
      if abs(next - omega) < 2e-15 {
        return Arc(from: start, to: end, omega: next)?.length
      }
      omega = next
    }
    return nil
  }

  /// Karney's canonical order (φ1 <= 0, |φ2| <= -φ1) and a bisection on the azimuth at φ1, where
  /// the resulting longitude crosses `lambda` once. Cannot fail.
  private static func bisected(
    _ latitude1: Double, _ latitude2: Double, _ lambda: Double
  ) -> Double {
    let (outer, inner) =
      abs(latitude1) >= abs(latitude2) ? (latitude1, latitude2) : (latitude2, latitude1)
    let start = ReducedLatitude(-abs(outer))
    let end = ReducedLatitude(outer < 0 ? inner : -inner)
    var low = 0.0
    var high = Double.pi
    // 60 halvings of π reach the spacing of doubles.
    for _ in 0..<60 {
      let middle = low + (high - low) / 2
      let arc = Arc(from: start, to: end, azimuth: middle)
      if arc.omega - arc.longitudeDefect < lambda { low = middle } else { high = middle }
    }
    return Arc(from: start, to: end, azimuth: low + (high - low) / 2).length
  }
}

/// A latitude on the auxiliary sphere: tan β = (1 - f) tan φ.
private struct ReducedLatitude {
  let sine: Double
  let cosine: Double

  init(_ degrees: Double) {
    let phi = Math.radians(degrees)
    let (sinePhi, cosine) = Math.sineAndCosine(phi)
    let sine = (1 - Geodesy.flattening) * sinePhi
    let norm = (sine * sine + cosine * cosine).squareRoot()
    self.sine = sine / norm
    self.cosine = cosine / norm
  }
}

/// An arc of a great circle on the auxiliary sphere.
private struct Arc {
  /// The ends of the arc, in radians from the northward crossing of the equator.
  private let sigma1: Double
  private let sigma2: Double
  /// The difference of longitude on the sphere.
  let omega: Double
  /// The azimuth at the equator.
  private let sineAlpha0: Double
  private let kSquared: Double

  private init(sigma1: Double, sigma2: Double, omega: Double, sineAlpha0: Double) {
    self.sigma1 = sigma1
    self.sigma2 = sigma2
    self.omega = omega
    self.sineAlpha0 = sineAlpha0
    let second = Geodesy.eccentricitySquared / (1 - Geodesy.eccentricitySquared)
    kSquared = second * max(0, 1 - sineAlpha0 * sineAlpha0)
  }

  /// Creates the arc between two latitudes with the longitude difference `omega`; nil for
  /// antipodes, where it is undefined.
  init?(from start: ReducedLatitude, to end: ReducedLatitude, omega: Double) {
    let (sineOmega, cosineOmega) = Math.sineAndCosine(omega)
    let across = end.cosine * sineOmega
    let along = start.cosine * end.sine - start.sine * end.cosine * cosineOmega
    let sineSigma = (across * across + along * along).squareRoot()
    let cosineSigma = start.sine * end.sine + start.cosine * end.cosine * cosineOmega
    guard sineSigma > 0 else {
      guard cosineSigma > 0 else { return nil }
      self.init(sigma1: 0, sigma2: 0, omega: omega, sineAlpha0: 0)
      return
    }
    let sigma1 = Math.atan2(start.sine * sineSigma, along * start.cosine)
    self.init(
      sigma1: sigma1, sigma2: sigma1 + Math.atan2(sineSigma, cosineSigma), omega: omega,
      sineAlpha0: start.cosine * across / sineSigma)
  }

  /// Creates the arc that leaves `start` at `azimuth` (radians) and ends where it reaches the
  /// latitude of `end` going north.
  init(from start: ReducedLatitude, to end: ReducedLatitude, azimuth: Double) {
    let (sineAlpha1, cosineAlpha1) = Math.sineAndCosine(azimuth)
    // A start on the equator counts as just south of it, so that a line to the south leaves it.
    let sineBeta1 = min(start.sine, -Double.leastNormalMagnitude.squareRoot())
    let sineAlpha0 = sineAlpha1 * start.cosine
    let along1 = cosineAlpha1 * start.cosine
    let along2 = max(0, along1 * along1 + (end.cosine - start.cosine) * (end.cosine + start.cosine))
      .squareRoot()
    let sigma1 = Math.atan2(sineBeta1, along1)
    let sigma2 = Math.atan2(end.sine, along2)
    let omega1 = Math.atan2(sineAlpha0 * sineBeta1, along1)
    let omega2 = Math.atan2(sineAlpha0 * end.sine, along2)
    self.init(
      sigma1: sigma1, sigma2: sigma2, omega: omega2 - omega1, sineAlpha0: sineAlpha0)
  }

  private var panels: Int { max(1, Int(((sigma2 - sigma1) / 0.8).rounded(.up))) }

  /// The difference of the longitude on the sphere and on the ellipsoid, in radians.
  var longitudeDefect: Double {
    let f = Geodesy.flattening
    let integral = GaussLegendre.integral(from: sigma1, to: sigma2, panels: panels) { sigma in
      let sine = Math.sin(sigma)
      return (2 - f) / (1 + (1 - f) * (1 + kSquared * sine * sine).squareRoot())
    }
    return f * sineAlpha0 * integral
  }

  /// The length in metres.
  var length: Double {
    Geodesy.polarRadius
      * GaussLegendre.integral(from: sigma1, to: sigma2, panels: panels) { sigma in
        let sine = Math.sin(sigma)
        return (1 + kSquared * sine * sine).squareRoot()
      }
  }
}
