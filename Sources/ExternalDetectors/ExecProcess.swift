package import ChildProcesses
import Diagnostics
import Foundation
import TraceModel
import Synchronization

/// The process of an external detector: the pipes to its standard streams, and its end.
package final class ExecProcess: Sendable {
  /// `.tookTooLong` = the child was killed.
  package typealias Ending = ChildProcess.Ending

  private let command: ExecCommandLine
  private let child: ChildProcess
  /// This program's ends of the pipes, non-blocking.
  private let (input, output, errors): (Int32, Int32, Int32)
  private let state = Mutex(State())

  private struct State {
    var hasErrors = true
    /// The incomplete last line of stderr.
    var partialLine: [UInt8] = []
    var lastLine = ""
  }

  /// - Throws: a failed child if it cannot be started.
  package init(_ program: TrustedProgram) throws {
    command = program.command
    let executable = try command.executable()
    do {
      child = try ChildProcess(
        executable, words: command.words, in: command.folder, input: .pipe, leadsGroup: true)
    } catch let error as ChildProcess.LaunchError {
      let isUnknown = [ENOEXEC, ENOENT].contains(error.number)
      throw command.failure(
        "found \"\(error.reason)\""
          + (isUnknown ? "; a script needs a first line with #! and an existing interpreter" : ""))
    }
    (input, output, errors) = (child.input ?? -1, child.output, child.errors ?? -1)
    for end in [input, output, errors] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
  }

  deinit {
    // Closing the input lets the process end by itself.
    end(closingInput: true, within: .milliseconds(500))
  }

  /// Waits until bytes can be moved, at most for `limit`, and prints what arrives on the process's
  /// stderr. Returns the streams that can be used without blocking.
  package func wait(toWrite: Bool, for limit: Duration) -> (input: Bool, output: Bool) {
    let hasErrors = state.withLock(\.hasErrors)
    var watched = [
      pollfd(fd: toWrite ? input : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: hasErrors ? errors : -1, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = Int32(clamping: limit.nanoseconds / 1_000_000 + 1)
    guard poll(&watched, nfds_t(watched.count), milliseconds) > 0 else { return (false, false) }
    if watched[2].revents != 0 { passErrorsOn() }
    return (watched[0].revents != 0, watched[1].revents != 0)
  }

  package var hasOutput: Bool {
    var watched = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) > 0 && watched.revents & Int16(POLLIN) != 0
  }

  /// Returns the number of bytes written; nil = the process has closed its input.
  package func write(_ bytes: [UInt8]) -> Int? {
    let count = Foundation.write(input, bytes, bytes.count)
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }

  /// Returns the number of bytes read; nil = the process has closed its output.
  package func read(into buffer: inout [UInt8]) -> Int? {
    let count = Foundation.read(output, &buffer, buffer.count)
    if count > 0 { return count }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : nil
  }

  /// The longest line of stderr in bytes; the rest is cut.
  private static let longestLine = 1000

  private func passErrorsOn() {
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    let count = Foundation.read(errors, &buffer, buffer.count)
    guard count > 0 else {
      if count == 0 || (errno != EAGAIN && errno != EINTR) {
        state.withLock { $0.hasErrors = false }
      }
      return
    }
    var lines = state.withLock(\.partialLine) + buffer[..<count]
    while let end = lines.firstIndex(of: UInt8(ascii: "\n")) {
      say(lines[..<end])
      lines.removeSubrange(...end)
    }
    let rest = Array(lines.prefix(Self.longestLine))
    state.withLock { $0.partialLine = rest }
  }

  /// Prints a line of the child's stderr.
  private func say(_ bytes: ArraySlice<UInt8>) {
    var bytes = bytes.prefix(Self.longestLine)
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    let line = String(decoding: bytes, as: UTF8.self)
    state.withLock { $0.lastLine = line }
    Console.report(Failure.printable("\(command.text): \(line)") + "\n")
  }

  /// The last line on stderr; empty = none.
  package var lastWords: String { state.withLock(\.lastLine) }

  /// Waits for the end of the process, and kills it after `limit`. On return, the process and its
  /// children have ended.
  @discardableResult package func end(closingInput: Bool, within limit: Duration) -> Ending {
    child.end(closingInput: closingInput, within: limit, drain: drainErrors)
  }

  /// The processor time of the process so far, without that of its children; nil = not known.
  package var processorTime: Duration? { child.processorTime }

  /// Whether the process has ended without being killed.
  package var hasEnded: Bool { child.hasEnded }

  /// Reads the rest of stderr. The loop is bounded, because another process may keep it open.
  private func drainErrors() {
    for _ in 0..<64 {
      var watched = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
      guard state.withLock(\.hasErrors), poll(&watched, 1, 0) > 0 else { break }
      passErrorsOn()
    }
    let rest = state.withLock { exchange(&$0.partialLine, with: []) }
    if !rest.isEmpty { say(rest[...]) }
  }
}
