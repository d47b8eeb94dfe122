import GSL
import Testing

// Figures: SciPy 1.17.1, `Akima1DInterpolator(x, y)(p)`, `CubicSpline(x, y, bc_type="natural")(p)`,
// `interp1d(x, y)(p)` with the points below.
@Suite struct InterpolationTests {
  let x = [0.0, 1, 2, 4, 5, 7]
  let y = [0.0, 2, 1, 3, 3, -1]
  let places = [0.5, 1.5, 3, 4.25, 6]

  @Test(arguments: [
    (Interpolation.Method.linear, [1.0, 1.5, 2, 3, 1]),
    (.akima, [1.4125, 1.4625, 2.0, 3.1015625, 1.5833333333333335]),
    (
      .cubic,
      [
        1.33638928067701, 1.6158321579689705, 1.5916784203102963, 3.1694508110014104,
        1.421015514809591,
      ]
    ),
  ])
  func agreesWithSciPy(method: Interpolation.Method, expected: [Double]) throws {
    let found = try Interpolation(method, x: x, y: y).values(at: places)
    for (value, figure) in zip(found, expected) { #expect(abs(value - figure) < 1e-12) }
  }

  @Test func goesThroughItsPointsAndNoFurther() throws {
    for method in Interpolation.Method.allCases {
      let curve = try Interpolation(method, x: x, y: y)
      for (value, point) in zip(try curve.values(at: x), y) { #expect(abs(value - point) < 1e-12) }
      #expect(throws: GSLError.self) { try curve.values(at: [7.001]) }
      #expect(throws: GSLError.self) { try curve.values(at: [.nan]) }
      #expect(try curve.values(at: []).isEmpty)
    }
  }

  @Test(arguments: [
    ([0.0, 0, 1], [1.0, 2, 3]), ([0, 2, 1], [1, 2, 3]), ([0, 1], [1]), ([0, .nan, 2], [1, 2, 3]),
    ([0, 1, 2], [1, .infinity, 3]), ([], []), ([1], [1]),
  ])
  func refusesOtherPoints(x: [Double], y: [Double]) {
    #expect(throws: GSLError.self) { try Interpolation(.linear, x: x, y: y) }
  }
}
