import TestSupport
import Testing
import TraceModel

@testable import Clocks

/// A machine on which reading takes time, with ticks that may be faulty.
private struct SimulatedMachine {
  /// What the clock shows, in ns.
  var time: Int64 = 1_000_000_000_000
  var ticks = 5_000.0
  var perNanosecond = 3.0
  /// Whether the thread is interrupted between the next two readings.
  var isInterrupted = false

  mutating func pass(_ nanoseconds: Int64) {
    time += nanoseconds
    ticks += Double(nanoseconds) * perNanosecond
  }

  mutating func readTicks() -> UInt64 {
    pass(4)
    return UInt64(max(ticks, 0))
  }

  mutating func readClock() -> Int64 {
    if isInterrupted { pass(300_000) }
    isInterrupted = false
    pass(20)
    return time
  }
}

@Suite struct TickCounterTests {
  /// Calls the counter after each pause, which is a sleep if it is longer than 10 us; returns the
  /// largest error and the readings of the clock.
  private func run(
    _ counter: inout TickCounter, _ machine: inout SimulatedMachine, pauses: [Int64],
    before: (Int, inout SimulatedMachine) -> Void = { _, _ in }
  ) -> (error: Int64, readings: Int) {
    var (worst, readings, last) = (Int64(0), 0, machine.time)
    for (index, pause) in pauses.enumerated() {
      machine.pass(pause)
      before(index, &machine)
      // After a sleep, a player reads the clock itself.
      if pause > 10_000 { last = machine.readClock() }
      let asked = machine.time
      let time = counter.now(
        after: last, ticks: { machine.readTicks() },
        clock: {
          readings += 1
          return machine.readClock()
        })
      #expect(time >= last, "call \(index)")
      last = time
      worst = max(worst, asked - time, time - machine.time)
    }
    return (worst, readings)
  }

  @Test(arguments: [3.0, 0.024, 1.0, 5.1])
  func readsTheClockSeldom(perNanosecond: Double) {
    var (counter, machine) = (TickCounter(), SimulatedMachine())
    machine.perNanosecond = perNanosecond
    // 20 ms of steps of 200 ns, of which the first is for the rate.
    let warm = run(&counter, &machine, pauses: Array(repeating: 200, count: 10_000))
    let (error, readings) = run(&counter, &machine, pauses: Array(repeating: 200, count: 90_000))
    #expect(warm.error <= 50 && error <= 100)
    #expect((300...600).contains(readings))
  }

  @Test func coarseTicksAreNotUsed() {
    var (counter, machine) = (TickCounter(), SimulatedMachine())
    machine.perNanosecond = 0.001
    let (error, readings) = run(&counter, &machine, pauses: Array(repeating: 200, count: 10_000))
    #expect(error == 0 && readings == 10_000)
  }

  @Test func noTicksAreTheClock() {
    var (counter, machine) = (TickCounter(), SimulatedMachine())
    (machine.ticks, machine.perNanosecond) = (0, 0)
    let (error, readings) = run(&counter, &machine, pauses: Array(repeating: 900, count: 10_000))
    #expect(error == 0 && readings == 10_000)
  }

  /// A rate is not measured from a reading during which the thread stood still.
  @Test func interruptionsAreNoTime() {
    var (counter, machine) = (TickCounter(), SimulatedMachine())
    let (error, readings) = run(
      &counter, &machine, pauses: Array(repeating: 200, count: 200_000)
    ) { index, machine in
      if index % 1000 == 0 { machine.isInterrupted = true }
    }
    #expect(error <= 100 && readings < 20_000)
  }

  /// Some processors stop their ticks while they sleep.
  @Test(arguments: [20_000, 1_000_000, 100_000_000] as [Int64])
  func ticksMayStopDuringSleeps(sleep: Int64) {
    var (counter, machine) = (TickCounter(), SimulatedMachine())
    _ = run(&counter, &machine, pauses: Array(repeating: 200, count: 20_000))
    let (error, _) = run(
      &counter, &machine, pauses: (0..<3000).map { $0 % 10 == 9 ? sleep : 200 }
    ) { index, machine in
      if index % 10 == 9 { machine.ticks -= Double(sleep) * machine.perNanosecond }
    }
    #expect(error <= 1100)
  }

  /// Whatever the ticks do, times do not decrease and are wrong by little, and soon right again.
  @Test(.longer) func faultyTicksDoLittleHarm() {
    for seed in 0..<LongTests.count(quick: UInt64(5), long: 60) {
      var random = SeededGenerator(seed: seed)
      var (counter, machine) = (TickCounter(), SimulatedMachine())
      func pauses(_ count: Int) -> [Int64] {
        (0..<count).map { _ in Int64(random.next() % 400) }
      }
      let faults = (0..<60_000).map { _ in random.next() % 10_000 }
      let (error, _) = run(&counter, &machine, pauses: pauses(60_000)) { index, machine in
        switch faults[index] {
        case 0: machine.ticks += 1e12
        case 1: machine.ticks = 0
        case 2: machine.perNanosecond *= 1.3
        case 3: machine.perNanosecond = 0
        case 4...6: machine.perNanosecond = 3
        case 7...20: machine.isInterrupted = true
        default: break
        }
      }
      // Ticks that stand still are trusted for some thousand calls.
      #expect(error < 2_000_000, "seed \(seed)")
      machine.perNanosecond = 3
      _ = run(&counter, &machine, pauses: pauses(30_000))
      let healed = run(&counter, &machine, pauses: pauses(10_000))
      #expect(healed.error <= 100, "seed \(seed)")
    }
  }
}
