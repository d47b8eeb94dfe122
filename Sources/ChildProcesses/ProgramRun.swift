import Diagnostics
import Foundation
import Synchronization

/// A program that runs to its end: its output is read by the caller, what it writes to standard error
/// is kept, and it is killed when it takes too long.
package final class ProgramRun: Sendable {
  private let child: ChildProcess
  private let errors = Mutex(Data())
  private let errorsAreRead = DispatchSemaphore(value: 0)
  private let isLate = Mutex(false)

  /// Bytes of standard error that are kept.
  private static let longestMessage = 16 << 10

  /// - Parameters:
  ///   - input: what the program reads. It is a file, because nothing would empty a pipe.
  ///   - limit: how long the program may take.
  /// - Throws: where the program cannot be started.
  package init(
    _ executable: String, _ arguments: [String], input: ChildProcess.Stream = .null, limit: Duration
  ) throws {
    child = try ChildProcess(executable, words: [executable] + arguments, input: input)
    readErrors()
    watch(limit)
  }

  /// The program's standard output, to be read to its end.
  package var output: Int32 { child.output }

  /// Waits for the end of the program. Output that was not read is dropped.
  package func finish() -> ChildProcess.Ending {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while read(output, &buffer, buffer.count) > 0 {}
    // The thread that reads standard error ends with the program; the streams are closed after it.
    errorsAreRead.wait()
    let ending = child.end(within: nil)
    return isLate.withLock(\.self) ? .tookTooLong : ending
  }

  /// What the program wrote to standard error, after ``finish()``.
  package var message: String {
    String(decoding: errors.withLock(\.self), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func readErrors() {
    let thread = Thread { [self] in
      var buffer = [UInt8](repeating: 0, count: 1 << 12)
      let descriptor = child.errors ?? -1
      while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
        errors.withLock { data in
          data.append(contentsOf: buffer[..<min(count, Self.longestMessage - data.count)])
        }
      }
      errorsAreRead.signal()
    }
    thread.start()
  }

  private func watch(_ limit: Duration) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds(limit)) { [weak self] in
      guard let self, !child.hasEnded else { return }
      isLate.withLock { $0 = true }
      child.kill()
    }
  }
}
