extension Math {
  /// The error function, 2/√π ∫ exp(-t²) dt from 0 to x. Off by at most 2 ulp.
  public static func erf(_ x: Double) -> Double {
    guard x.magnitude >= 0.75 else { return x.isNaN ? x : x + x * nearZero(x) }
    let value = 1 - farErfc(x.magnitude)
    return x < 0 ? -value : value
  }

  /// The complementary error function, 2/√π ∫ exp(-t²) dt from x to infinity. Off by at most 4 ulp.
  public static func erfc(_ x: Double) -> Double {
    guard x.magnitude >= 0.75 else {
      // Starts from 1/2, because 1 - erf x would lose a digit.
      return x < 0.25 ? 1 - erf(x) : x.isNaN ? x : 0.5 - (x - 0.5 + x * nearZero(x))
    }
    return x < 0 ? 2 - farErfc(-x) : farErfc(x)
  }

  /// erf x = x + x times this, relative error 2⁻⁵⁷, for x below 0.75.
  private static func nearZero(_ x: Double) -> Double {
    let z = x * x
    var p = -9.710489912378796e-10
    p = horner(p, z, 1.4476682517736882e-08, -1.634140690282251e-07, 1.6460982712982636e-06)
    p = horner(p, z, -1.4925616549315293e-05, 0.00012055332331498608, -0.000854832701564095)
    p = horner(p, z, 0.005223977625387411, -0.026866170645129278, 0.11283791670955123)
    p = p * z - 0.37612638903183754
    return 0.1283791670955126 + z * p
  }

  /// For x of 0.75 or more: erfc x = exp(-x²) p(u) / (1 + 2 x), where u goes from -1 at 0.75 to 1 at
  /// infinity (after Shepherd and Laframboise 1981).
  private static func farErfc(_ x: Double) -> Double {
    guard x < 27.3 else { return x.isNaN ? x : 0 }
    let u = 1.2 * ((x - 3.75) / (x + 3.75)) - 0.2
    var p = -1.898336669447894e-10
    p = horner(p, u, -2.0611458684021264e-11, 2.652960432983003e-09, -1.2723295512603552e-09)
    p = horner(p, u, -2.4324200116060303e-08, 3.924301615162861e-08, 1.7108780288770855e-07)
    p = horner(p, u, -6.829395163256753e-07, -2.7858657989582886e-07, 8.017928128339916e-06)
    p = horner(p, u, -2.1228200546674296e-05, -1.9838095163611097e-05, 0.0003612230135314948)
    p = horner(p, u, -0.0016151752939080883, 0.004805143530837469, -0.010874308689189534)
    p = horner(p, u, 0.019212233773395915, -0.025193141036844887, 0.017734563051290102)
    p = horner(p, u, 0.021010278698350517, -0.11157428512733268, 1.2145464578922558)
    let square = product(x, x)
    let (power, exponent) = exponential(-square.head)
    return scaled((power - power * square.tail) * p / (1 + 2 * x), by: exponent)
  }
}
