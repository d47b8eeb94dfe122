import AppEngines
import Testing
import TraceModel

@Suite struct DeviceClockTests {
  private func instant(_ seconds: Double) -> TraceInstant {
    TraceInstant.zero.advanced(bySeconds: seconds)
  }

  @Test func offsetDriftAndStepsAddUp() {
    let clock = DeviceClock(
      offset: 2_000_000_000, drift: 40_000,
      steps: [.init(at: instant(50), by: -60_000_000_000)])
    // 40 ppm of 10 s are 0.4 ms.
    #expect(clock.error(at: instant(10)) == 2_000_400_000)
    #expect(clock.error(at: instant(-10)) == 1_999_600_000)
    #expect(clock.error(at: instant(50).advanced(byNanoseconds: -1)) == 2_001_999_999)
    #expect(clock.error(at: instant(50)) == -57_998_000_000)
    #expect(clock.reading(at: instant(100)) == instant(42.004))
    #expect(!clock.isExact && DeviceClock().isExact)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max]) func noTimeTraps(nanoseconds: Int64) {
    let time = TraceInstant(nanoseconds: nanoseconds)
    for value in [Int64.min, -1, 0, .max] {
      let clock = DeviceClock(offset: value, drift: value, steps: [.init(at: .zero, by: value)])
      _ = clock.reading(at: time)
    }
    #expect(DeviceClock().reading(at: time) == time)
  }
}
