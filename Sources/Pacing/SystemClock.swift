import Foundation
package import Replay
import TraceModel

/// How a clock waits: what it costs and how late it comes.
package enum PacingMode: String, CaseIterable, Hashable, Sendable, Codable {
  /// Sleeps until the instant: costs next to nothing, and comes as late as the kernel wakes it, on
  /// ordinary machines 50 to 150 us.
  case sleep
  /// Sleeps until shortly before the instant and spins the rest: comes within a microsecond, and
  /// costs the margin for each wait.
  case sleepThenSpin = "sleep-then-spin"
  /// Spins all the time: one whole processor.
  case busy
}

/// The machine's monotonic clock. This is the only file of the project that sleeps.
package struct SystemClock: PacingClock, Sendable {
  /// How it waits.
  package let mode: PacingMode
  /// Before the instant, from where sleep-then-spin spins, in nanoseconds.
  private let margin: Int64
  /// A file descriptor whose input ends a wait early; nil = none.
  private let attention: Int32?

  /// - Parameter margin: of sleep-then-spin; longer than the machine's usual wake-up delay.
  package init(
    _ mode: PacingMode = .sleep, margin: Duration = SystemClock.usualMargin,
    attention: Int32? = nil
  ) {
    self.mode = mode
    self.margin = max(margin.nanoseconds, 0)
    self.attention = attention
  }

  /// Of 100 devices nine of ten wake-ups come within it on the machines that were measured.
  package static let usualMargin = Duration.microseconds(200)

  /// Asks the kernel to wake the calling thread on time instead of gathering its wake-ups with
  /// others', which it does within 50 us by default. Where it cannot be asked nothing changes.
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

  /// Returns at `instant` or later, at once where it has passed; earlier where there is input.
  package func wait(until instant: Int64) {
    switch mode {
    case .sleep:
      sleep(until: instant)
    case .sleepThenSpin:
      let waking = instant.subtractingReportingOverflow(margin)
      if !waking.overflow, now() < waking.partialValue { sleep(until: waking.partialValue) }
      // Somebody who ended the sleep is heard at once.
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
      // Polling counts in milliseconds: the last one or two are slept.
      while true {
        let rest = instant.subtractingReportingOverflow(now())
        let milliseconds = rest.overflow ? Int64(Int32.max) : rest.partialValue / 1_000_000 - 1
        guard milliseconds > 0 else { break }
        if hasInput(within: Int32(clamping: milliseconds)) { return }
      }
    }
    var time = timespec(
      tv_sec: Int(instant / 1_000_000_000), tv_nsec: Int(instant % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  private var hasInput: Bool { hasInput(within: 0) }

  private func hasInput(within milliseconds: Int32) -> Bool {
    guard let attention else { return false }
    var descriptor = pollfd(fd: attention, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) > 0
  }
}

/// What a thread or the process has taken of the processors.
package struct ProcessorTime: Sendable, Hashable {
  /// Of the calling thread.
  package var thread: Duration
  /// Of all threads of the process.
  package var process: Duration

  /// Until now.
  package static var now: ProcessorTime {
    ProcessorTime(
      thread: .nanoseconds(reading(of: CLOCK_THREAD_CPUTIME_ID)),
      process: .nanoseconds(reading(of: CLOCK_PROCESS_CPUTIME_ID)))
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
