import Foundation
import Synchronization

/// The resources that a command needs. Without them it would wait for threads that cannot start, or end
/// without a message when an allocation fails.
package enum ProcessLimits {
  /// The open files of a command besides those at its start.
  private static let files = 32
  /// The threads besides one per processor: for signals, the streams of children and the clock, and the
  /// children themselves, which count as threads.
  private static let furtherThreads = 10
  /// The address space in bytes besides the stacks: each thread that allocates reserves some.
  private static let memory = 192 << 20

  /// Acquires all resources at once and releases them.
  /// - Returns: nil, or a message with the missing resource and the next step.
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

  /// The lock that the threads wait for, so that all exist at once.
  private static let gate = Mutex(())

  /// The number of threads that could be started, and whether ``memory`` was free besides them.
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
