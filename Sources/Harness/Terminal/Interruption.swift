import ChildProcesses
import Foundation
import HDF5

/// What an interrupt does: the files that were being written go, and the program ends with 130.
enum Interruption {
  /// Where the signal handler writes, which may do no more than that. Set once, before the handler
  /// is.
  nonisolated(unsafe) private static var alarm: Int32 = -1

  /// Call once, before the command starts.
  static func install() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    let bell = ends[0]
    alarm = ends[1]
    let thread = Thread {
      var byte: UInt8 = 0
      while read(bell, &byte, 1) < 0, errno == EINTR {}
      ExitDuties.perform()
      PartialFiles.removeAll(endingWith: ExitStatus.interrupted.rawValue)
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
