import Foundation
import HDF5

/// What an interrupt does: the files that were being written go, and the program ends with 130.
enum Interruption {
  /// Waits for the signals on a thread of its own, which may do what a signal handler may not.
  static func install() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    // Threads that are started from here on inherit the mask; the signals stay for the waiter.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let mask = signals
    let thread = Thread {
      var signals = mask
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { return }
      PartialFiles.removeAll()
      _exit(ExitStatus.interrupted.rawValue)
    }
    thread.start()
  }
}
