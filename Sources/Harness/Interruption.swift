import Foundation
import HDF5
import Synchronization

/// What an interrupt does: the files that were being written go, and the program ends with 130.
enum Interruption {
  /// Where the signal handler writes, which may do no more than that. Set once, before the handler
  /// is.
  nonisolated(unsafe) private static var alarm: Int32 = -1

  private static let duties = Mutex<[@Sendable () -> Void]>([])

  /// Has something done before an interrupt ends the program.
  static func beforeExit(_ duty: @escaping @Sendable () -> Void) {
    duties.withLock { $0.append(duty) }
  }

  /// Call once, before the command starts.
  static func install() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    let bell = ends[0]
    alarm = ends[1]
    let thread = Thread {
      var byte: UInt8 = 0
      while read(bell, &byte, 1) < 0, errno == EINTR {}
      for duty in duties.withLock(\.self) { duty() }
      PartialFiles.removeAll()
      _exit(ExitStatus.interrupted.rawValue)
    }
    thread.start()
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      signal(number) { _ in
        var byte: UInt8 = 1
        _ = Foundation.write(Interruption.alarm, &byte, 1)
      }
    }
  }

  /// Whoever started the program without these signals (`nohup`) meant it.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
