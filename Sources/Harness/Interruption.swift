import Dispatch
import Foundation
import HDF5

/// What an interrupt does: the files that were being written go, and the program ends with 130.
enum Interruption {
  private static let sources: [any DispatchSourceSignal] = [SIGINT, SIGTERM].map { number in
    // Only a signal that is otherwise ignored reaches the source.
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(
      signal: number, queue: DispatchQueue(label: "interruption"))
    source.setEventHandler {
      PartialFiles.removeAll()
      _exit(ExitStatus.interrupted.rawValue)
    }
    return source
  }

  /// Call once, before the command starts.
  static func install() {
    for source in sources { source.resume() }
  }
}
