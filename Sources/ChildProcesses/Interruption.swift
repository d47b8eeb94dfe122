import Files
import Foundation

/// What an interrupt does: the files that were being written go, and the program ends.
package enum Interruption {
  /// Where the signal handler writes, which may do no more than that. Set once, before the handler
  /// is.
  nonisolated(unsafe) private static var alarm: Int32 = -1

  /// Call once, before the command starts.
  /// - Parameter end: removes what is half written and ends the program; runs after ``ExitDuties``, on
  ///   a thread of its own.
  package static func install(_ end: @escaping @Sendable () -> Void) {
    guard let (bell, ringing) = try? closedOnExecPipe() else { return }
    alarm = ringing
    let thread = Thread {
      var byte: UInt8 = 0
      var count = 0
      repeat { count = read(bell, &byte, 1) } while count < 0 && errno == EINTR
      // Anything but the byte of the handler is no interrupt.
      guard count == 1 else { return }
      ExitDuties.perform()
      end()
    }
    thread.start()
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      signal(number) { _ in
        var byte: UInt8 = 1
        _ = Foundation.write(Interruption.alarm, &byte, 1)
      }
      unblock(number)
    }
  }

  /// A program that starts this one from a thread which blocks signals hands that down, unlike to
  /// ignore them without meaning it (Foundation's `Process` is one).
  private static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Whoever started the program without these signals (`nohup`) meant it.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
