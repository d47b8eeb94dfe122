import GSL
import Testing

@Suite struct SobolSequenceTests {
  // SciPy 1.17.1, `qmc.Sobol(2, scramble=False).random(9)[1:]`: it begins at the origin, which GSL
  // leaves out. From the third coordinate on, the two have other direction numbers (SciPy those of
  // Joe and Kuo, GSL those of Bratley and Fox).
  @Test func agreesWithSciPy() throws {
    let expected = [
      [0.5, 0.5], [0.75, 0.25], [0.25, 0.75], [0.375, 0.375], [0.875, 0.875], [0.625, 0.125],
      [0.125, 0.625], [0.1875, 0.3125],
    ]
    #expect(try SobolSequence.points(8, dimensions: 2) == expected)
  }

  // A C program's calls of `gsl_qrng_get` after `gsl_qrng_alloc(gsl_qrng_sobol, 4)`, GSL 2.7.1.
  @Test func isTheSequenceOfGSL() throws {
    let expected = [
      [0.5, 0.5, 0.5, 0.5], [0.75, 0.25, 0.75, 0.25], [0.25, 0.75, 0.25, 0.75],
      [0.375, 0.375, 0.625, 0.125], [0.875, 0.875, 0.125, 0.625], [0.625, 0.125, 0.375, 0.375],
      [0.125, 0.625, 0.875, 0.875], [0.1875, 0.3125, 0.3125, 0.6875],
    ]
    #expect(try SobolSequence.points(8, dimensions: 4) == expected)
  }

  /// In every coordinate each 32nd of 0..<1 holds one of the points 32 to 63.
  @Test func fillsEveryCoordinateEvenly() throws {
    let points = try SobolSequence.points(63, dimensions: 40).dropFirst(31)
    for coordinate in 0..<40 {
      #expect(Set(points.map { Int($0[coordinate] * 32) }).count == 32)
    }
  }

  @Test(arguments: [(1, 0), (1, 41), (-1, 2)]) func refusesOthers(count: Int, dimensions: Int) {
    #expect(throws: GSLError.self) { try SobolSequence.points(count, dimensions: dimensions) }
  }
}
