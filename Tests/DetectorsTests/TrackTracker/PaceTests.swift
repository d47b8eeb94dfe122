import Detectors
import Testing

@Suite struct PaceTests {
  @Test(arguments: [
    // minutes per mile, exact, Tri
    (7.6, "7:36", "8:36"), (7.4, "7:24", "7:24"), (8.0, "8:00", "8:00"), (7.5, "7:30", "8:30"),
    (0.05, "0:03", "0:03"), (7.9999, "8:00", "8:00"), (59.99, "59:59", "60:59"),
    (125.25, "125:15", "125:15"),
  ])
  func minutesOfAFraction(minutesPerMile: Double, exact: String, tri: String) {
    #expect(Pace(minutesPerMile: minutesPerMile)?.description == exact)
    #expect(Pace(minutesPerMile: minutesPerMile, rule: .tri)?.description == tri)
  }

  @Test func theTwoMilesDiffer() {
    #expect(Pace(seconds: 456, meters: 1609.344)?.description == "7:36")
    #expect(Pace(seconds: 456, meters: 1609.34, rule: .tri)?.description == "8:36")
    // 450.4995 s a mile of 1,609.34 m are 450.5006 s a mile of 1,609.344 m.
    #expect(Pace(seconds: 450.4995, meters: 1609.34, rule: .tri)?.seconds == 30)
    #expect(Pace(seconds: 450.4995, meters: 1609.34, rule: .exact)?.seconds == 31)
  }

  @Test(arguments: [
    (60.0, 0.0), (60, -1), (60, .nan), (60, .infinity), (0, 100), (-5, 100), (-5, -100),
    (.nan, 100), (.infinity, 100), (1e300, 1e-300),
  ])
  func noPace(seconds: Double, meters: Double) {
    #expect(Pace(seconds: seconds, meters: meters) == nil)
    #expect(Pace(seconds: seconds, meters: meters, rule: .tri) == nil)
  }
}
