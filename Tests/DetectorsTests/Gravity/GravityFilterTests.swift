import Detectors
import Testing
import TraceModel

@Suite struct GravityFilterTests {
  private let g = Float(standardGravity)

  @Test func restBecomesZero() {
    var filter = GravityFilter()
    for index in 0..<100 {
      let user = filter.apply(
        Acceleration(x: 0, y: 0, z: g),
        measured: TraceInstant(nanoseconds: Int64(index) * 10_000_000)
      )
      #expect(user.magnitude < 1e-5)
    }
  }

  @Test func aSwingDoesNotDragGravityAlong() {
    var filter = GravityFilter()
    var time: Int64 = 0
    func apply(_ x: Float, _ z: Float) -> Acceleration {
      time += 10_000_000
      return filter.apply(
        Acceleration(x: x, y: 0, z: z), measured: TraceInstant(nanoseconds: time))
    }
    for _ in 0..<50 { _ = apply(0, g) }
    for _ in 0..<20 { #expect(abs(apply(50, g).x - 50) < 1e-4) }
    #expect(apply(0, g).magnitude < 1e-4)
  }

  @Test func followsATurnOfTheDeviceWithItsTimeConstant() {
    // A quarter turn: after one time constant the old direction has faded to (1 + h)^-70 of it,
    // h = 0.01/0.7, the closed form of the backward-Euler step.
    var filter = GravityFilter()
    _ = filter.apply(Acceleration(x: 0, y: 0, z: g), measured: .zero)
    var last = Acceleration(x: 0, y: 0, z: 0)
    for index in 1...70 {
      last = filter.apply(
        Acceleration(x: g, y: 0, z: 0),
        measured: TraceInstant(nanoseconds: Int64(index) * 10_000_000))
    }
    var fading = 1.0
    for _ in 0..<70 { fading /= 1 + 0.01 / 0.7 }
    #expect(abs(Double(last.x) - standardGravity * fading) < 1e-4)
  }

  @Test func startsWithGravitysLengthInTheFirstSamplesDirection() {
    var filter = GravityFilter()
    let first = filter.apply(Acceleration(x: 30, y: 0, z: 0), measured: .zero)
    #expect(abs(first.x - (30 - g)) < 1e-4)
  }

  @Test func damagedSamplesPassAndChangeNothing() {
    var filter = GravityFilter()
    _ = filter.apply(Acceleration(x: 0, y: 0, z: g), measured: .zero)
    let hurt = filter.apply(
      Acceleration(x: .nan, y: 0, z: .infinity), measured: TraceInstant(nanoseconds: 10_000_000))
    #expect(hurt.x.isNaN)
    let after = filter.apply(
      Acceleration(x: 0, y: 0, z: g), measured: TraceInstant(nanoseconds: 20_000_000))
    #expect(after.magnitude < 1e-5)
  }

  @Test func blocksAgreeWithSamplesAndTheTraceNamesTheMethod() {
    var random = SeededGenerator(seed: 5)
    var columns = VectorColumns()
    for index in 0..<1000 {
      func axis() -> Float { Float(random.normal(standardDeviation: 6)) }
      columns.append(
        Acceleration(x: axis(), y: axis(), z: axis()), measured: Int64(index) * 20_000_000,
        arrived: Int64(index) * 20_000_000)
    }
    var one = GravityFilter()
    let expected = columns.range.map {
      one.apply(columns[$0], measured: columns.measured(at: $0))
    }
    var trace = Trace(header: TraceHeader(id: "t", origin: .recorded))
    trace.set(.vector(columns), for: .acceleration)
    trace.removeGravity()
    guard case .vector(let removed)? = trace[.userAcceleration] else {
      Issue.record("no gravity-free channel")
      return
    }
    #expect(removed.range.map { removed[$0] } == expected)
    #expect(
      trace.header.info(.userAcceleration)?.attributes["gravity_removal"] == one.name)
  }
}
