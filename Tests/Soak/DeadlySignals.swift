import Foundation

/// Records whether a deadly signal came from the code of libhdf5 (or from libz or libc that it
/// called) or from the project's own code.
enum DeadlySignals {
  private typealias Backtrace =
    @convention(c) (
      UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32
    ) -> Int32

  // Read by a signal handler, and set before it is installed.
  nonisolated(unsafe) private static var descriptor: Int32 = -1
  nonisolated(unsafe) private static var backtrace: Backtrace?
  nonisolated(unsafe) private static var frames = UnsafeMutablePointer<UnsafeMutableRawPointer?>
    .allocate(capacity: depth)
  nonisolated(unsafe) private static var library: ClosedRange<UInt> = 0...0
  nonisolated(unsafe) private static var project: ClosedRange<UInt> = 0...0
  nonisolated(unsafe) private static var system: ClosedRange<UInt> = 0...0
  /// The offset of ``Progress/blame`` in the file.
  nonisolated(unsafe) private static var place: off_t = 0
  private static let depth = 64

  static func install(_ progress: Int32) {
    descriptor = progress
    place = off_t(MemoryLayout<Progress>.offset(of: \.blame) ?? 0)
    library = image("libhdf5")
    system = image("libc.so")
    project = image(URL(filePath: CommandLine.arguments[0]).lastPathComponent)
    if let symbol = dlsym(nil, "backtrace") {
      backtrace = unsafeBitCast(symbol, to: Backtrace.self)
      // The first call loads a library, which the handler could not do.
      _ = backtrace?(frames, Int32(depth))
    }
    // A stack overflow leaves no room for the handler.
    let size = 1 << 18
    var stack = stack_t()
    stack.ss_sp = .allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE] {
      var action = sigaction()
      action.sa_flags = Int32(SA_ONSTACK) | Int32(bitPattern: UInt32(SA_RESETHAND))
      action.__sigaction_handler.sa_handler = { number in
        DeadlySignals.note()
        raise(number)
      }
      sigaction(number, &action, nil)
    }
  }

  private static func note() {
    var blame = Blame.unknown.rawValue
    if let backtrace {
      let count = Int(backtrace(frames, Int32(depth)))
      // The handler's own frames end with those of the system, which calls it.
      var isOfHandler = true
      for index in 0..<count {
        let address = UInt(bitPattern: frames[index])
        if isOfHandler {
          isOfHandler = !system.contains(address)
        } else if library.contains(address) {
          blame = Blame.library.rawValue
          break
        } else if project.contains(address) {
          blame = Blame.project.rawValue
          break
        }
      }
    }
    _ = withUnsafeBytes(of: &blame) { pwrite(descriptor, $0.baseAddress, $0.count, place) }
  }

  /// The addresses of a loaded file, from its first mapping to its last.
  private static func image(_ name: String) -> ClosedRange<UInt> {
    // The system reports a size of 0 for this file.
    let maps = (try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()) ?? Data()
    let lines = String(decoding: maps, as: UTF8.self).split(separator: "\n").filter {
      $0.split(separator: "/").last?.hasPrefix(name) ?? false
    }
    let bounds = lines.compactMap { line -> (UInt, UInt)? in
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      return ends.count == 2 ? (ends[0], ends[1]) : nil
    }
    guard let first = bounds.map(\.0).min(), let last = bounds.map(\.1).max() else { return 0...0 }
    return first...last
  }
}
