/// Numerical integration of smooth functions.
enum GaussLegendre {
  /// The positive nodes of the 8-point rule on -1...1, with their weights (Abramowitz and Stegun,
  /// table 25.4; the digits are `numpy.polynomial.legendre.leggauss(8)`).
  private static let nodes: [(node: Double, weight: Double)] = [
    (0.18343464249564978, 0.36268378337836166),
    (0.525532409916329, 0.3137066458778869),
    (0.7966664774136267, 0.22238103445337443),
    (0.9602898564975362, 0.10122853629037706),
  ]

  /// The integral of `function` from `lower` to `upper`, as the sum over `panels` equal parts;
  /// exact for polynomials up to degree 15 in each part.
  static func integral(
    from lower: Double, to upper: Double, panels: Int, of function: (Double) -> Double
  ) -> Double {
    let half = (upper - lower) / Double(2 * panels)
    var sum = 0.0
    for panel in 0..<panels {
      let middle = lower + half * Double(2 * panel + 1)
      for (node, weight) in nodes {
        sum += weight * (function(middle - half * node) + function(middle + half * node))
      }
    }
    return sum * half
  }
}
