import Files
import Foundation

/// The handling of signals that end the program: it removes the files that it was writing.
package enum Interruption {
  /// The pipe that the signal handler writes to, which may do nothing else. Set once, before the
  /// handler is installed.
  nonisolated(unsafe) private static var alarm: Int32 = -1

  /// The signals that end a program, besides ``SIGKILL`` and those of crashes.
  package static let deadly: [Int32] = {
    let common = [
      SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU,
    ]
    #if os(Linux)
      // SIGSTKFLT, SIGIO, SIGPWR, and those of real time that the C library does not use itself.
      return common + [16, 29, 30] + Array(34...64)
    #else
      return common
    #endif
  }()

  /// Call once, before the command starts.
  /// - Parameter end: removes unfinished files and ends the program; runs after ``ExitDuties``, on a
  ///   thread of its own. Its argument is the signal.
  package static func install(_ end: @escaping @Sendable (Int32) -> Void) {
    leaveTimeToEnd()
    guard let (bell, ringing) = try? closedOnExecPipe() else { return }
    alarm = ringing
    // Without that thread the signals end the program as they do others.
    let isStarted = SystemThread.start {
      var byte: UInt8 = 0
      var count = 0
      repeat { count = read(bell, &byte, 1) } while count < 0 && errno == EINTR
      // An error or the end of the pipe is not an interrupt.
      guard count == 1 else { return }
      ExitDuties.perform()
      end(Int32(byte))
    }
    guard isStarted else { return }
    for number in deadly where !isIgnored(number) {
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = Foundation.write(Interruption.alarm, &byte, 1)
      }
      unblock(number)
    }
  }

  /// At the hard limit of the processor time, no handler runs: the soft one comes a second earlier.
  private static func leaveTimeToEnd() {
    #if os(Linux)
      let time = __rlimit_resource_t(RLIMIT_CPU.rawValue)
    #else
      let time = RLIMIT_CPU
    #endif
    var limit = rlimit()
    guard getrlimit(time, &limit) == 0, limit.rlim_cur == limit.rlim_max, limit.rlim_cur > 1,
      limit.rlim_max <= rlim_t(Int32.max)
    else { return }
    limit.rlim_cur -= 1
    setrlimit(time, &limit)
  }

  /// Blocked signals are inherited from the thread that started this program, mostly unintentionally
  /// (Foundation's `Process` does this).
  private static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Ignored signals are inherited intentionally, from `nohup` for example.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
