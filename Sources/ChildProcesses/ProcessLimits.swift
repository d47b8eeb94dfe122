import Foundation
import Synchronization

/// What a process may have at once: where it is too little, threads that cannot be made would be
/// waited for in vain, and memory that cannot be had ends the program without a message.
package enum ProcessLimits {
  /// Open files that a command needs besides those that it is started with.
  private static let files = 32
  /// Threads besides one per processor, for signals, the streams of children and the clock, and the
  /// children themselves, which count as threads.
  private static let furtherThreads = 10
  /// Bytes of addresses, beside the stacks of the threads: each thread that allocates reserves some.
  private static let memory = 192 << 20

  /// Tries to have them, all at once, and gives them back.
  /// - Returns: nil, or what is missing and the next step.
  package static func shortage() -> String? {
    let opened = openedFiles()
    guard opened == files else {
      return "expected room for \(files) more open files, found \(opened); raise the limit of open "
        + "files, e.g. ulimit -n 256"
    }
    let wanted = ProcessInfo.processInfo.activeProcessorCount + furtherThreads
    let (started, hasRoom) = startedThreads(wanted)
    guard started == wanted else {
      return "expected room for \(wanted) more threads, found \(started); raise the limit of "
        + "processes or of memory (ulimit -u and -v, or those of the container)"
    }
    guard hasRoom else {
      return
        "expected room for \(memory >> 20) MiB more memory, found less; raise the limit of memory "
        + "(ulimit -v, or that of the container)"
    }
    return nil
  }

  private static func openedFiles() -> Int {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    while descriptors.count < files {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { break }
      descriptors.append(descriptor)
    }
    return descriptors.count
  }

  /// The gate that the threads wait at, so that all are there at once.
  private static let gate = Mutex(())

  /// The threads that could be started, and whether there was room for ``memory`` beside them.
  private static func startedThreads(_ wanted: Int) -> (count: Int, hasRoom: Bool) {
    #if os(Linux)
      var threads: [pthread_t] = []
      var hasRoom = false
      gate.withLock { _ in
        while threads.count < wanted {
          var thread = pthread_t()
          let code = pthread_create(
            &thread, nil,
            { _ in
              ProcessLimits.gate.withLock { _ in }
              return nil
            }, nil)
          guard code == 0 else { return }
          threads.append(thread)
        }
        let room = mmap(nil, memory, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        hasRoom = room != MAP_FAILED
        if hasRoom { munmap(room, memory) }
      }
      for thread in threads { pthread_join(thread, nil) }
      return (threads.count, hasRoom)
    #else
      return (wanted, true)
    #endif
  }
}
