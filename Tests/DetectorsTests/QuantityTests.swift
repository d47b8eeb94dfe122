import Testing

@testable import Detectors

@Suite struct QuantityTests {
  @Test(
    arguments: [
      ("2g", .metersPerSecondSquared, 19.6133), ("2 g", .metersPerSecondSquared, 19.6133),
      ("19.6m/s2", .metersPerSecondSquared, 19.6), ("19.6 m/s^2", .metersPerSecondSquared, 19.6),
      ("12", .metersPerSecondSquared, 12), ("250ms", .seconds, 0.25), ("1e-3s", .seconds, 0.001),
      ("2min", .seconds, 120), ("60m", .meters, 60), ("1mi", .meters, 1609.344),
      ("-3", .one, -3), ("36km/h", .metersPerSecond, 10), ("50Hz", .hertz, 50),
      ("0.1 kHz", .hertz, 100), ("50s", .hertz, nil), ("g", .metersPerSecondSquared, nil),
      ("2km", .metersPerSecondSquared, nil), ("", .seconds, nil), ("1 2 x", .seconds, nil),
      ("nan", .one, nil), ("inf", .meters, nil), ("1e400", .one, nil), ("5s", .one, nil),
    ] as [(String, ParameterUnit, Double?)])
  func values(text: String, unit: ParameterUnit, expected: Double?) {
    let value = Quantity.value(of: text, unit: unit)
    guard let expected else {
      #expect(value == nil)
      return
    }
    #expect(value.map { abs($0 - expected) <= 1e-12 * abs(expected) } == true)
  }

  @Test func negativeDurationsAreNone() {
    #expect(Quantity.duration(of: "-1s") == nil)
    #expect(Quantity.duration(of: "150 ms") == .milliseconds(150))
  }
}
