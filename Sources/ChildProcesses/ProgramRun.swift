import Diagnostics
import Files
import Foundation
import Synchronization

/// A program that runs to its end. The caller reads its output; the beginning of its standard error is
/// kept; at the time limit it is killed.
///
/// The program's children end with it. If one has left the process group and keeps a stream open, the
/// stream ends nevertheless.
package final class ProgramRun: Sendable {
  private let child: ChildProcess
  /// The program's standard output, to be read to its end.
  package let output: Int32
  private let errors = Mutex(Data())
  private let threads = DispatchGroup()
  private let isLate = Mutex(false)

  /// The bytes of standard error that are kept.
  private static let longestMessage = 16 << 10
  private static let largestPipe = 1 << 20

  /// - Parameters:
  ///   - folder: the working directory of the program; nil = that of this program.
  ///   - input: the standard input of the program, not a pipe.
  ///   - errors: the standard error; with a pipe, its beginning is the ``message``.
  ///   - inherits: whether the program has the environment of this one; otherwise `variables` alone.
  ///   - variables: changes to the environment; nil removes a variable.
  ///   - limit: the time after which the program is killed.
  /// - Throws: if the program cannot be started.
  package init(
    _ executable: String, _ arguments: [String], in folder: String? = nil,
    input: ChildProcess.Stream = .null, errors stream: ChildProcess.Stream = .pipe,
    inherits: Bool = true, variables: [String: String?] = [:], limit: Duration
  ) throws {
    let (reading, writing) = try closedOnExecPipe()
    do {
      child = try ChildProcess(
        executable, words: [executable] + arguments, in: folder, input: input, errors: stream,
        inherits: inherits, variables: variables, leadsGroup: true)
    } catch {
      for end in [reading, writing] { close(end) }
      throw error
    }
    output = reading
    try pass(child.output) { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = write(writing, rest.baseAddress, rest.count)
        guard count > 0 || errno == EINTR else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[max(0, count)...])
      }
    } end: {
      close(writing)
    }
    if let stream = child.errors {
      try pass(stream) { [self] bytes in
        errors.withLock { data in
          data.append(contentsOf: bytes.prefix(Self.longestMessage - data.count))
        }
      }
    }
    watch(limit)
  }

  deinit { close(output) }

  /// Waits for the end of the program and drops unread output.
  package func finish() -> ChildProcess.Ending {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while read(output, &buffer, buffer.count) > 0 {}
    // The threads that read the streams end with the program; then the streams are closed.
    threads.wait()
    let ending = child.end(within: nil)
    return isLate.withLock(\.self) ? .tookTooLong : ending
  }

  /// What the program wrote to standard error, after ``finish()``.
  package var message: String {
    String(decoding: errors.withLock(\.self), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Reads a stream of the program until it ends, or until the program has ended.
  private func pass(
    _ stream: Int32, _ take: @escaping @Sendable (UnsafeRawBufferPointer) -> Void,
    end: @escaping @Sendable () -> Void = {}
  ) throws {
    threads.enter()
    let isStarted = SystemThread.start { [child, threads] in
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      // After the end of the program, a pipe holds at most its size; anything more comes from another
      // process that keeps the stream open.
      var (quiet, rest) = (0, Self.largestPipe)
      while quiet < 10, rest > 0 {
        let isOver = child.hasEnded
        if isOver { child.endGroup() }
        var waiting = pollfd(fd: stream, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 25) != 0 else {
          quiet += isOver ? 1 : 0
          continue
        }
        let count = read(stream, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        rest -= isOver ? count : 0
        buffer.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      }
      end()
      threads.leave()
    }
    guard isStarted else {
      // What was started ends with the program.
      child.kill()
      end()
      threads.leave()
      throw SystemThread.shortage
    }
  }

  private func watch(_ limit: Duration) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds(limit)) { [weak self] in
      guard let self, !child.hasEnded else { return }
      isLate.withLock { $0 = true }
      child.kill()
    }
  }
}

extension ProgramRun {
  /// The files with a program's name in the folders of `PATH`, in their order. Relative folders are left
  /// out: files there may come from somebody else.
  package static func candidates(
    named name: String, path: String? = ProcessInfo.processInfo.environment["PATH"]
  ) -> [String] {
    (path ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
      .map { "\($0)/\(name)" }.filter(FileManager.default.isExecutableFile)
  }
}
