import Clocks
import Foundation
import Testing

@Suite struct SystemClockTests {
  @Test(arguments: PacingMode.allCases)
  func neverComesEarly(mode: PacingMode) {
    let clock = SystemClock(mode)
    for offset: Int64 in [-1_000_000, 0, 1000, 150_000, 250_000, 2_000_000] {
      let instant = clock.now() + offset
      clock.wait(until: instant)
      #expect(clock.now() >= instant, "\(mode) \(offset)")
    }
  }

  @Test(arguments: PacingMode.allCases)
  func neverComesEarlyWhileSomebodyListens(mode: PacingMode) {
    let pipe = Pipe()
    let clock = SystemClock(mode, attention: pipe.fileHandleForReading.fileDescriptor)
    for offset: Int64 in [0, 1000, 250_000, 3_500_000] {
      let instant = clock.now() + offset
      clock.wait(until: instant)
      #expect(clock.now() >= instant, "\(mode) \(offset)")
    }
  }

  // An hour: the test would not end if it were waited for.
  @Test(arguments: PacingMode.allCases)
  func somebodyWhoSpeaksEndsAWait(mode: PacingMode) throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: [1])
    let clock = SystemClock(mode, attention: pipe.fileHandleForReading.fileDescriptor)
    let instant = clock.now() + 3_600_000_000_000
    clock.wait(until: instant)
    #expect(clock.now() < instant)
  }

  @Test func timesOfTheProcessorGrow() {
    let before = ProcessorTime.now
    var sum = 0.0
    for index in 0..<200_000 { sum += Double(index).squareRoot() }
    let used = ProcessorTime.now - before
    #expect(sum > 0 && used.thread > .zero && used.process > .zero)
  }
}
