import AppEngines
import Testing
import TraceModel

@Suite struct DeviceClockTests {
  private func instant(_ seconds: Double) -> TraceInstant {
    TraceInstant.zero.advanced(bySeconds: seconds)
  }

  @Test func driftAndStepsAddUp() {
    let clock = DeviceClock(
      [
        .clock(phone: 1, at: instant(-20), by: 2_000_000_000), .drift(phone: 1, 40_000),
        .clock(phone: 1, at: instant(50), by: -60_000_000_000), .drift(phone: 2, 5),
      ], of: 1)
    // 40 ppm of 10 s are 0.4 ms.
    #expect(clock.error(at: instant(10)) == 2_000_400_000)
    #expect(clock.error(at: instant(-10)) == 1_999_600_000)
    #expect(clock.error(at: instant(50).advanced(byNanoseconds: -1)) == 2_001_999_999)
    #expect(clock.error(at: instant(50)) == -57_998_000_000)
    #expect(clock.reading(at: instant(100)) == instant(42.004))
    #expect(!clock.isExact && DeviceClock([], of: 1).isExact)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max]) func noTimeTraps(nanoseconds: Int64) {
    let time = TraceInstant(nanoseconds: nanoseconds)
    for value in [Int64.min, -1, 0, .max] {
      let clock = DeviceClock(
        [.drift(phone: 0, value), .clock(phone: 0, at: .zero, by: value)], of: 0)
      _ = clock.reading(at: time)
    }
    #expect(DeviceClock([], of: 0).reading(at: time) == time)
  }
}
