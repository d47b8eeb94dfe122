import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

@Suite struct SampleClockTests {
  /// A sample far before the last one was not measured then; how far it is after it, its arrival
  /// tells. Nothing else changes a stamp of an exact clock.
  @Test func samplesStayInOrder() {
    var clock = SampleClock()
    func time(_ stamp: Double, _ arrived: Double) -> Double {
      clock.time(
        of: .zero.advanced(bySeconds: stamp), arrived: .zero.advanced(bySeconds: arrived)
      ).seconds
    }
    #expect(time(9.99, 10) == 9.99)
    // A little out of order, as it can come.
    #expect(time(9.98, 10) == 9.98)
    #expect(time(-10, 10.25) == 10.23)
    #expect(time(-9.75, 10.5) == 10.48)
    // After half a second the step is known.
    #expect(time(-9.5, 10.75) == 10.75)
    #expect(time(-9.25, 11) == 11)
    #expect(time(31, 11.25) == 11.25)
  }

  /// Batches, jitter and gaps of an exact clock change nothing.
  @Test func stampsOfAnExactClockAreUnchanged() {
    var random = SeededGenerator(seed: 3)
    var clock = SampleClock()
    var arrived = 0.0
    for step in 0..<5000 {
      let stamp = Double(step) * 0.01
      // Batches of 1.5 s, so that most samples lag more than the tolerance or nearly so.
      if step % 150 == 149 { arrived = stamp + random.uniform(0...0.05) }
      guard step % 150 == 149 else { continue }
      for index in (0..<150).reversed() {
        let measured = TraceInstant.zero.advanced(bySeconds: stamp - Double(index) * 0.01)
        #expect(
          clock.time(of: measured, arrived: .zero.advanced(bySeconds: arrived)) == measured)
      }
    }
  }
}
