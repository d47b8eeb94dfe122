package import Foundation
package import Synchronization

/// Another program, run without a shell: its arguments are what they are, whatever characters they
/// hold. It ends when this program is interrupted, and when it takes too long.
package final class ChildProcess: Sendable {
  package enum Ending: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    case tookTooLong
  }

  /// What the program writes: to be read to its end.
  package let output: Int32
  private let process: Process
  private let pipes: (output: Pipe, errors: Pipe)
  private let errors = Mutex(Data())
  private let errorsAreRead = DispatchSemaphore(value: 0)
  private let isLate = Mutex(false)

  /// Bytes of what it says on standard error that are kept.
  private static let longestMessage = 16 << 10
  private static let running = Mutex<Set<Int32>>([])
  private static let duty: Void = ExitDuties.add {
    for child in running.withLock(\.self) { kill(child, SIGKILL) }
  }

  /// - Parameter input: what it reads; a file, for nobody would empty a pipe.
  /// - Throws: where it cannot be started.
  package init(
    _ executable: String, _ arguments: [String], input: FileHandle = .nullDevice, limit: Duration
  ) throws {
    _ = Self.duty
    process = Process()
    pipes = (Pipe(), Pipe())
    output = pipes.output.fileHandleForReading.fileDescriptor
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = pipes.output
    process.standardError = pipes.errors
    try process.run()
    let child = process.processIdentifier
    _ = Self.running.withLock { $0.insert(child) }
    readErrors()
    watch(child, limit)
  }

  /// Waits for its end, what it still writes going nowhere.
  package func finish() -> Ending {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while read(output, &buffer, buffer.count) > 0 {}
    process.waitUntilExit()
    _ = Self.running.withLock { $0.remove(process.processIdentifier) }
    errorsAreRead.wait()
    if isLate.withLock(\.self) { return .tookTooLong }
    let status = process.terminationStatus
    return process.terminationReason == .exit ? .exited(status) : .killed(signal: status)
  }

  /// What it said on standard error, after ``finish()``.
  package var message: String {
    String(decoding: errors.withLock(\.self), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func readErrors() {
    let thread = Thread { [self] in
      var buffer = [UInt8](repeating: 0, count: 1 << 12)
      let descriptor = pipes.errors.fileHandleForReading.fileDescriptor
      while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
        errors.withLock { data in
          data.append(contentsOf: buffer[..<min(count, Self.longestMessage - data.count)])
        }
      }
      errorsAreRead.signal()
    }
    thread.start()
  }

  private func watch(_ child: Int32, _ limit: Duration) {
    let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self, Self.running.withLock({ $0.contains(child) }) else { return }
      isLate.withLock { $0 = true }
      kill(child, SIGKILL)
    }
  }
}
