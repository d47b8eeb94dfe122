import ChildProcesses
import Diagnostics
import CSpawn
import Foundation
import Pacing
import TraceModel
import Synchronization

/// The process of an external detector: the pipes to its standard streams, and its end.
package final class ExecProcess: Sendable {
  package enum Ending: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    /// The process did not end in time and was killed.
    case stayed
  }

  /// The streams that can be used without blocking.
  package struct Readiness {
    package var input = false
    package var output = false
  }

  private let command: ExecCommandLine
  private let process: pid_t
  /// This side of the pipes, without blocking.
  private let (input, output, errors): (Int32, Int32, Int32)
  private let state = Mutex(State())

  private struct State {
    var ending: Ending?
    var hasErrors = true
    /// The incomplete last line of stderr.
    var partialLine: [UInt8] = []
    var lastLine = ""

    mutating func takeLine() -> String {
      if partialLine.last == UInt8(ascii: "\r") { partialLine.removeLast() }
      lastLine = String(decoding: partialLine, as: UTF8.self)
      partialLine = []
      return lastLine
    }
  }

  private struct Running {
    /// Each process leads a process group, so that its children end with it.
    var processes: Set<pid_t> = []
    var isOver = false
  }
  private static let running = Mutex(Running())
  private static let duty: Void = ExitDuties.add {
    running.withLock { running in
      running.isOver = true
      for process in running.processes { killAll(process) }
    }
  }

  /// - Throws: a failed child if it cannot be started.
  package init(_ command: ExecCommandLine) throws {
    _ = Self.duty
    self.command = command
    let executable = try command.executable()
    var ends: [Int32] = []
    // The child keeps one end of each of the three pipes.
    var theirs: [Int32] = []
    defer { for end in theirs { close(end) } }
    do {
      for isInput in [true, false, false] {
        let (reading, writing) = try ClosedOnExec.pipe()
        ends.append(isInput ? writing : reading)
        theirs.append(isInput ? reading : writing)
      }
      process = try Self.running.withLock { running in
        // Under the lock: after an interruption, no process starts that is not in the list.
        guard !running.isOver else { throw Failure(.interrupted, "interrupted") }
        let process = try Self.spawn(executable, command, theirs)
        running.processes.insert(process)
        return process
      }
    } catch {
      for end in ends { close(end) }
      throw error
    }
    for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    (input, output, errors) = (ends[0], ends[1], ends[2])
  }

  deinit {
    // Closing the input lets the process end by itself.
    end(closingInput: true, within: .milliseconds(500))
  }

  // MARK: Moving bytes

  /// Waits until bytes can be moved, at most for `limit`, and passes on the process's stderr.
  package func wait(toWrite: Bool, for limit: Duration) -> Readiness {
    let hasErrors = state.withLock(\.hasErrors)
    var watched = [
      pollfd(fd: toWrite ? input : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: hasErrors ? errors : -1, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = Int32(clamping: limit.nanoseconds / 1_000_000 + 1)
    guard poll(&watched, nfds_t(watched.count), milliseconds) > 0 else { return Readiness() }
    if watched[2].revents != 0 { passErrorsOn() }
    return Readiness(input: watched[0].revents != 0, output: watched[1].revents != 0)
  }

  /// Whether there is unread output.
  package var hasOutput: Bool {
    var watched = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) > 0 && watched.revents & Int16(POLLIN) != 0
  }

  /// Returns the number of bytes written; nil = the process has closed its input.
  package func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = bytes.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }

  /// Returns the number of bytes read; nil = the process has closed its output.
  package func read(into buffer: inout [UInt8]) -> Int? {
    let count = buffer.withUnsafeMutableBytes { Foundation.read(output, $0.baseAddress, $0.count) }
    if count > 0 { return count }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : nil
  }

  // MARK: Standard error

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
    let lines = state.withLock { state -> [String] in
      var lines: [String] = []
      for byte in buffer[..<count] {
        if byte == UInt8(ascii: "\n") {
          lines.append(state.takeLine())
        } else if state.partialLine.count < Self.longestLine {
          state.partialLine.append(byte)
        }
      }
      return lines
    }
    for line in lines { say(line) }
  }

  private func say(_ line: String) {
    // Diagnostics of the child go to stderr.
    let text = Failure.printable("\(command.text): \(line)") + "\n"
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// The last line on stderr; empty = none.
  package var lastWords: String {
    state.withLock(\.lastLine)
  }

  // MARK: The end

  /// Waits for the end of the process, and kills it after `limit`. On return, the process and its
  /// children have ended.
  @discardableResult
  package func end(closingInput: Bool, within limit: Duration) -> Ending {
    if let known = state.withLock(\.ending) { return known }
    if closingInput { close(input) }
    let hasEnded = waitForEnd(limit)
    // Before it is reaped, because its process id is unique until then.
    Self.running.withLock { running in
      Self.killAll(process)
      running.processes.remove(process)
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    drainErrors()
    if !closingInput { close(input) }
    close(output)
    close(errors)
    let signal = status & 0x7F
    let ending: Ending =
      !hasEnded ? .stayed : signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    state.withLock { $0.ending = ending }
    return ending
  }

  /// Kills the process group, and the process in case it has left the group.
  private static func killAll(_ process: pid_t) {
    kill(-process, SIGKILL)
    kill(process, SIGKILL)
  }

  /// Whether the process has ended; it may not be reaped yet.
  package var hasEnded: Bool {
    var info = siginfo_t()
    let flags = WEXITED | WNOHANG | WNOWAIT
    return waitid(P_PID, id_t(process), &info, flags) == 0 && info.si_signo == SIGCHLD
  }

  private func waitForEnd(_ limit: Duration) -> Bool {
    let watch = Stopwatch()
    while true {
      if hasEnded { return true }
      guard watch.elapsed < limit else { return false }
      poll(nil, 0, 1)
    }
  }

  /// Reads the rest of stderr. The loop is bounded, because another process may hold it open.
  private func drainErrors() {
    for _ in 0..<64 {
      var watched = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
      guard state.withLock(\.hasErrors), poll(&watched, 1, 0) > 0 else { break }
      passErrorsOn()
    }
    let rest = state.withLock { $0.partialLine.isEmpty ? nil : $0.takeLine() }
    if let rest { say(rest) }
  }

  // MARK: Starting

  private static func spawn(
    _ executable: String, _ command: ExecCommandLine, _ streams: [Int32]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    posix_spawn_file_actions_addchdir_np(&actions, command.folder)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The child does not inherit ignored signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var arguments = command.words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, executable, &actions, &attributes, &arguments, environ)
    guard code == 0 else {
      throw command.failure(
        "found \"\(String(cString: strerror(code)))\""
          + (code == ENOEXEC || code == ENOENT
            ? "; a script needs a first line with #! and an existing interpreter" : ""))
    }
    return process
  }
}
