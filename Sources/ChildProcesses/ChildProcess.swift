import CSpawn
import Clocks
import Diagnostics
import Files
package import Foundation
import Synchronization
import TraceModel

/// Another program, started without a shell: its arguments are passed unchanged.
///
/// All programs are started here. Their streams are pipes that no other child inherits, no signal is
/// blocked or ignored in the child, and a signal that ends this program ends the child, too.
package final class ChildProcess: Sendable {
  package enum Ending: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    /// The child was killed at its time limit.
    case tookTooLong
  }

  /// The other end of a stream of the child.
  package enum Stream: Sendable {
    /// ``ChildProcess/input``, ``ChildProcess/output`` or ``ChildProcess/errors``.
    case pipe
    /// An open file of this program.
    case file(Int32)
    case null
  }

  /// The system's error if a program cannot be started.
  package struct LaunchError: Error {
    package let number: Int32
    package var reason: String { String(cString: strerror(number)) }
  }

  package let identifier: pid_t
  /// The pipe to the child's standard input; nil = not a pipe.
  package let input: Int32?
  /// The pipe from the child's standard output.
  package let output: Int32
  /// The pipe from the child's standard error; nil = not a pipe.
  package let errors: Int32?
  private let state = Mutex(State())

  private struct State {
    var ending: Ending?
    var isInputOpen = true
  }

  private struct Running {
    var children: [pid_t: Bool] = [:]
    var isOver = false
  }
  private static let running = Mutex(Running())
  private static let duty: Void = ExitDuties.add(beforeOthers: true) {
    running.withLock { running in
      running.isOver = true
      for (child, leadsGroup) in running.children { killAll(child, leadsGroup) }
      // A killed child still finishes its system call, which may make a file in a folder that a later
      // duty removes: wait for the end.
      for child in running.children.keys {
        var steps = 100
        while steps > 0, !isOver(child) {
          pause(milliseconds: 1)
          steps -= 1
        }
      }
    }
  }

  private let leadsGroup: Bool

  /// - Parameters:
  ///   - executable: the path of the program's file.
  ///   - words: all words, the program's own name first.
  ///   - folder: the working directory of the child; nil = that of this program.
  ///   - inherits: whether the child has the environment of this program; otherwise `variables` alone.
  ///   - variables: changes to the environment; nil removes a variable.
  ///   - leadsGroup: whether the child leads a process group, so that its own children end with it.
  /// - Throws: ``LaunchError`` if the program cannot be started; ``Failure`` if this program has too
  ///   many open files, or is ending.
  package init(
    _ executable: String, words: [String], in folder: String? = nil, input stdin: Stream = .null,
    errors stderr: Stream = .pipe, inherits: Bool = true, variables: [String: String?] = [:],
    leadsGroup: Bool = false
  ) throws {
    _ = Self.duty
    self.leadsGroup = leadsGroup
    var pipes = Pipes()
    defer { pipes.closeTheirs() }
    do {
      input = try pipes.open(stdin, number: 0)
      output = try pipes.open(.pipe, number: 1) ?? -1
      errors = try pipes.open(stderr, number: 2)
      let streams = pipes.theirs
      identifier = try Self.running.withLock { running in
        // Under the lock: a signal finds the child in the list, or prevents its start.
        guard !running.isOver else { throw Failure(.interrupted, "interrupted") }
        let copies = Self.environment(inherits: inherits, with: variables)
        let child = try Self.spawn(executable, words, in: folder, streams, copies, leadsGroup)
        running.children[child] = leadsGroup
        return child
      }
    } catch {
      pipes.closeOurs()
      throw error
    }
  }

  deinit { _ = end(within: .milliseconds(500)) }

  /// The processor time of the running child, without that of its own children; nil = not known.
  package var processorTime: Duration? {
    ProcessorTime.ofProcess(identifier)
  }

  /// Closes the child's standard input.
  package func closeInput() {
    guard let input, state.withLock({ exchange(&$0.isInputOpen, with: false) }) else { return }
    close(input)
  }

  package func kill() { Self.killAll(identifier, leadsGroup) }

  /// Kills the rest of the group of an ended child.
  package func endGroup() {
    guard leadsGroup else { return }
    // Under the lock, and before it is reaped: no other group can have its number yet.
    Self.running.withLock { running in
      if running.children[identifier] != nil { Foundation.kill(-identifier, SIGKILL) }
    }
  }

  /// Whether the child has ended without being killed; it may not have been reaped yet.
  package var hasEnded: Bool { state.withLock({ $0.ending != nil }) || Self.isOver(identifier) }

  /// Whether a child that was not reaped has ended.
  private static func isOver(_ child: pid_t) -> Bool {
    var info = siginfo_t()
    return waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0
      && info.si_signo == SIGCHLD
  }

  /// Closes the child's input, waits for its end, and kills it after `limit`. On return, the child and
  /// its group have ended, and its streams are closed.
  ///
  /// - Parameters:
  ///   - limit: nil = no limit.
  ///   - drain: reads the rest of the streams before they are closed.
  @discardableResult package func end(
    closingInput: Bool = true, within limit: Duration?, drain: () -> Void = {}
  ) -> Ending {
    if let known = state.withLock(\.ending) { return known }
    if closingInput { closeInput() }
    let endedByItself = waitForEnd(limit)
    // Before it is reaped: no other process can have its number yet.
    Self.running.withLock { running in
      if !endedByItself || leadsGroup { kill() }
      running.children[identifier] = nil
    }
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    drain()
    closeInput()
    close(output)
    if let errors { close(errors) }
    let signal = status & 0x7F
    let ending: Ending =
      !endedByItself
      ? .tookTooLong : signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    state.withLock { $0.ending = ending }
    return ending
  }

  private func waitForEnd(_ limit: Duration?) -> Bool {
    guard let limit else {
      var info = siginfo_t()
      while waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      return true
    }
    var waited = Duration.zero
    while !hasEnded {
      guard waited < limit else { return false }
      pause(milliseconds: 1)
      waited += .milliseconds(1)
    }
    return true
  }

  /// Kills the group, and the child itself, which may have left the group.
  private static func killAll(_ child: pid_t, _ leadsGroup: Bool) {
    if leadsGroup { Foundation.kill(-child, SIGKILL) }
    Foundation.kill(child, SIGKILL)
  }
}

extension ChildProcess {
  /// The ends of the pipes: those of this program, and those of the child until it has inherited them.
  private struct Pipes {
    private(set) var theirs: [(number: Int32, descriptor: Int32?)] = []
    private var ours: [Int32] = []
    private var passed: [Int32] = []

    /// Returns this program's end of a stream; nil if it is not a pipe.
    mutating func open(_ stream: Stream, number: Int32) throws -> Int32? {
      switch stream {
      case .null: theirs.append((number, nil))
      case .file(let descriptor): theirs.append((number, descriptor))
      case .pipe:
        let (reading, writing) = try closedOnExecPipe()
        let (own, passed) = number == 0 ? (writing, reading) : (reading, writing)
        ours.append(own)
        self.passed.append(passed)
        theirs.append((number, passed))
        return own
      }
      return nil
    }

    func closeTheirs() { for end in passed { close(end) } }
    func closeOurs() { for end in ours { close(end) } }
  }

  private static func spawn(
    _ executable: String, _ words: [String], in folder: String?,
    _ streams: [(number: Int32, descriptor: Int32?)],
    _ environment: [UnsafeMutablePointer<CChar>?], _ leadsGroup: Bool
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in streams {
      if let descriptor {
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      } else {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
    if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    setSignals(&attributes, leadsGroup: leadsGroup)
    var words = words.map { strdup($0) } + [nil]
    var environment = environment
    defer { for text in words + environment { free(text) } }
    var child: pid_t = 0
    var (code, tries) = (ETXTBSY, 0)
    // A new program is busy while the child of another thread, between its fork and its exec, holds
    // the descriptor that wrote it: for milliseconds.
    while code == ETXTBSY, tries <= 100 {
      if tries > 0 { pause(milliseconds: 10) }
      tries += 1
      code = posix_spawn(&child, executable, &actions, &attributes, &words, &environment)
    }
    guard code == 0 else { throw LaunchError(number: code) }
    return child
  }

  /// Returns copies of this program's variables with the changes, or of the changes alone.
  private static func environment(
    inherits: Bool, with variables: [String: String?]
  ) -> [UnsafeMutablePointer<CChar>?] {
    var copies: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while inherits, let text = next.pointee {
      let isReplaced = variables.keys.contains { strncmp(text, "\($0)=", $0.utf8.count + 1) == 0 }
      if !isReplaced { copies.append(strdup(text)) }
      next += 1
    }
    return copies + variables.compactMap { name, value in value.map { strdup("\(name)=\($0)") } }
      + [nil]
  }

  /// Resets the signals that this program blocks or ignores.
  private static func setSignals(_ attributes: inout posix_spawnattr_t, leadsGroup: Bool) {
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if leadsGroup {
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= POSIX_SPAWN_SETPGROUP
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }
}

/// Opens a pipe that no other child inherits: it would keep the pipe open.
/// - Throws: a file error if the process has too many open files.
func closedOnExecPipe() throws -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [-1, -1]
  #if os(Linux)
    let code = pipe2(&ends, O_CLOEXEC)
  #else
    let code = pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  #endif
  guard code == 0 else { throw Failure(.fileError, "pipe: \(String(cString: strerror(errno)))") }
  return (ends[0], ends[1])
}
