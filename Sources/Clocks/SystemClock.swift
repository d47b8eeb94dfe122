import Foundation
import TraceModel

/// The waiting mode of a clock: its cost and its lateness.
package enum PacingMode: String, CaseIterable, Hashable, Sendable, Codable {
  /// Sleeps until the instant. Costs almost nothing; the lateness is the kernel's wake-up latency,
  /// on ordinary machines 50 to 150 us.
  case sleep
  /// Sleeps until shortly before the instant and spins for the rest. Wakes up within a microsecond
  /// and costs the margin for each wait.
  case sleepThenSpin = "sleep-then-spin"
  /// Spins all the time: uses one CPU completely.
  case busy
}

/// The machine's monotonic clock. Only this target sleeps.
package struct SystemClock: Sendable {
  package let mode: PacingMode
  /// The time before the instant at which sleep-then-spin starts to spin, in nanoseconds.
  private let margin: Int64
  /// A file descriptor whose input ends a wait early; nil = none.
  private let attention: Int32?
  private var counter = TickCounter()

  /// - Parameter margin: the margin of sleep-then-spin; longer than the usual wake-up delay of the
  ///   machine.
  package init(
    _ mode: PacingMode = .sleep, margin: Duration = SystemClock.usualMargin,
    attention: Int32? = nil
  ) {
    self.mode = mode
    self.margin = max(margin.nanoseconds, 0)
    self.attention = attention
  }

  /// The default margin: with 100 devices, 90 % of wake-ups are within it on the measured machines.
  package static let usualMargin = Duration.microseconds(200)

  /// Asks the kernel to wake the calling thread on time instead of coalescing wake-ups, which it
  /// does within 50 us by default. Has no effect if the system does not support it.
  package static func sharpenWakeUps() {
    #if os(Linux)
      // The link reads <process>/task/<thread>; the file is in the thread's folder.
      guard
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"),
        let thread = own.split(separator: "/").last
      else { return }
      try? Data("1".utf8).write(to: URL(fileURLWithPath: "/proc/\(thread)/timerslack_ns"))
    #endif
  }

  package func now() -> Int64 { reading(of: CLOCK_MONOTONIC) }

  package mutating func now(after began: Int64) -> Int64 { counter.now(after: began, clock: now) }

  /// Returns at `instant` or later, immediately if it has passed, and earlier if there is input.
  package func wait(until instant: Int64) {
    switch mode {
    case .sleep:
      sleep(until: instant)
    case .sleepThenSpin:
      let waking = instant.subtractingReportingOverflow(margin)
      if !waking.overflow, now() < waking.partialValue { sleep(until: waking.partialValue) }
      // Return immediately if input ended the sleep.
      if attention == nil || !hasInput { spin(until: instant) }
    case .busy:
      spin(until: instant)
    }
  }

  private func spin(until instant: Int64) {
    var turns = 0
    while now() < instant {
      turns &+= 1
      if attention != nil, turns & 0xfff == 0, hasInput { return }
    }
  }

  private func sleep(until instant: Int64) {
    if attention != nil {
      // Polling has millisecond resolution: sleep for the last one or two.
      while true {
        let rest = instant.subtractingReportingOverflow(now())
        let milliseconds = rest.overflow ? Int64(Int32.max) : rest.partialValue / 1_000_000 - 1
        guard milliseconds > 0 else { break }
        if hasInput(within: Int32(clamping: milliseconds)) { return }
      }
    }
    var time = timespec(tv_sec: Int(instant / 1_000_000_000), tv_nsec: Int(instant % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  private var hasInput: Bool { hasInput(within: 0) }

  private func hasInput(within milliseconds: Int32) -> Bool {
    guard let attention else { return false }
    var descriptor = pollfd(fd: attention, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) > 0
  }
}

/// The CPU time of a thread and of the process.
package struct ProcessorTime: Sendable, Hashable {
  /// The CPU time of the calling thread.
  package var thread: Duration
  /// The CPU time of all threads of the process.
  package var process: Duration

  package static var now: ProcessorTime {
    ProcessorTime(
      thread: .nanoseconds(reading(of: CLOCK_THREAD_CPUTIME_ID)),
      process: .nanoseconds(reading(of: CLOCK_PROCESS_CPUTIME_ID)))
  }

  /// The CPU time of another running process, without that of its children; nil = not known.
  package static func ofProcess(_ identifier: Int32) -> Duration? {
    #if os(Linux)
      var (clock, time) = (clockid_t(), timespec())
      guard clock_getcpuclockid(identifier, &clock) == 0, clock_gettime(clock, &time) == 0 else {
        return nil
      }
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    #else
      return nil
    #endif
  }

  package static func - (left: ProcessorTime, right: ProcessorTime) -> ProcessorTime {
    ProcessorTime(thread: left.thread - right.thread, process: left.process - right.process)
  }
}

private func reading(of clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
