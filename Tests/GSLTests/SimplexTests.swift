import GSL
import Testing

@Suite struct SimplexTests {
  private let simplex = Simplex(steps: [0.5, 0.5], tolerance: 1e-9, mostSteps: 1000)

  private func rosenbrock(_ x: [Double]) -> Double {
    let (a, b) = (1 - x[0], x[1] - x[0] * x[0])
    return a * a + 100 * b * b
  }

  // The minimum is at (1, 1); SciPy's `minimize(rosen, [-1.2, 1], method="Nelder-Mead")` ends there.
  @Test func findsRosenbrocksMinimum() throws {
    guard case .minimum(let minimum) = try simplex.minimize(from: [-1.2, 1], rosenbrock) else {
      Issue.record("it stopped")
      return
    }
    #expect(minimum.hasConverged)
    #expect(minimum.value < 1e-15)
    #expect(minimum.point.allSatisfy { abs($0 - 1) < 1e-7 })
  }

  /// Started again with what it asked for, it comes to the same end.
  @Test func continuesFromKnownValues() throws {
    var known: [[Double]: Double] = [:]
    var last: Simplex.Minimum?
    while last == nil, known.count < 1000 {
      switch try simplex.minimize(from: [-1.2, 1], { known[$0] }) {
      case .minimum(let minimum): last = minimum
      case .stopped(let place):
        #expect(known[place] == nil)
        known[place] = rosenbrock(place)
      }
    }
    #expect(try simplex.minimize(from: [-1.2, 1], rosenbrock) == last.map { .minimum($0) })
  }

  @Test func endsAfterItsSteps() throws {
    let short = Simplex(steps: [0.5, 0.5], tolerance: 1e-9, mostSteps: 3)
    guard case .minimum(let minimum) = try short.minimize(from: [-1.2, 1], rosenbrock) else {
      Issue.record("it stopped")
      return
    }
    #expect(!minimum.hasConverged)
  }

  @Test func whatIsNotFiniteStops() throws {
    #expect(try simplex.minimize(from: [1, 2]) { _ in .nan } == .stopped(at: [1, 2]))
    #expect(try simplex.minimize(from: [1, 2]) { _ in .infinity } == .stopped(at: [1, 2]))
  }

  @Test(arguments: [([], []), ([1.0], [1.0, 2]), ([.nan], [1]), ([1], [0]), ([1], [.infinity])])
  func refusesOtherStarts(start: [Double], steps: [Double]) {
    let simplex = Simplex(steps: steps, tolerance: 1e-3, mostSteps: 10)
    #expect(throws: GSLError.self) { try simplex.minimize(from: start) { _ in 0 } }
  }
}
