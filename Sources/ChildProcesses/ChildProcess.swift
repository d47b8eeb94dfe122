import CSpawn
import Clocks
import Diagnostics
import Files
package import Foundation
import Synchronization
import TraceModel

/// Another program, started without a shell: its arguments are passed on as they are.
///
/// It is the one place that starts programs. Its streams are pipes that no other child inherits, no
/// signal is blocked or ignored in the child, and a signal that ends this program ends the child too.
package final class ChildProcess: Sendable {
  /// How a child ended.
  package enum Ending: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    /// It did not end in the time that it had, and was killed.
    case tookTooLong
  }

  /// Where a stream of the child leads.
  package enum Stream: Sendable {
    /// To this program: ``ChildProcess/input``, ``ChildProcess/output`` or ``ChildProcess/errors``.
    case pipe
    /// To an open file of this program.
    case file(Int32)
    /// To nothing.
    case null
  }

  /// The error number with which a program could not be started.
  package struct LaunchError: Error {
    package let number: Int32
    package var reason: String { String(cString: strerror(number)) }
  }

  package let identifier: pid_t
  /// The end that writes the child's standard input; nil where that is no pipe.
  package let input: Int32?
  /// The end that reads the child's standard output.
  package let output: Int32
  /// The end that reads the child's standard error; nil where that is no pipe.
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
      // What is killed still ends the system call that it is in: a later duty would remove the
      // folder in which that makes a file.
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
  ///   - folder: the folder in which the child works; nil = that of this program.
  ///   - variables: of the environment, in place of those of this program or besides them; nil = the
  ///     child does not have it.
  ///   - leadsGroup: whether the child leads a process group: what it starts in turn then ends with
  ///     it.
  /// - Throws: ``LaunchError`` where the program cannot be started; ``Failure`` where this program has
  ///   too many open files, or is ending.
  package init(
    _ executable: String, words: [String], in folder: String? = nil, input stdin: Stream = .null,
    errors stderr: Stream = .pipe, variables: [String: String?] = [:], leadsGroup: Bool = false
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
        // Under the lock: a signal finds the child in the list, or none is started after it.
        guard !running.isOver else { throw Failure(.interrupted, "interrupted") }
        let child = try Self.spawn(executable, words, in: folder, streams, variables, leadsGroup)
        running.children[child] = leadsGroup
        return child
      }
    } catch {
      pipes.closeOurs()
      throw error
    }
  }

  deinit {
    _ = end(within: .milliseconds(500))
  }

  // MARK: The end

  /// Tells the child that no more input comes.
  package func closeInput() {
    guard let input, state.withLock({ exchange(&$0.isInputOpen, with: false) }) else { return }
    close(input)
  }

  /// Ends the child at once.
  package func kill() { Self.killAll(identifier, leadsGroup) }

  /// Ends what an ended child has left behind in its group.
  package func endGroup() {
    guard leadsGroup else { return }
    // Under the lock, and before it is reaped: until then no other group can have its number.
    Self.running.withLock { running in
      if running.children[identifier] != nil { Foundation.kill(-identifier, SIGKILL) }
    }
  }

  /// Whether the child has ended by itself, though it may not have been reaped.
  package var hasEnded: Bool {
    state.withLock({ $0.ending != nil }) || Self.isOver(identifier)
  }

  /// Whether a child has ended that was not reaped.
  private static func isOver(_ child: pid_t) -> Bool {
    var info = siginfo_t()
    return waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0
      && info.si_signo == SIGCHLD
  }

  /// Closes the child's input, waits for its end up to `limit` and kills it then. The child is gone
  /// when this returns, with all that its group has started, and its streams are closed.
  ///
  /// - Parameters:
  ///   - limit: nil = as long as it takes.
  ///   - drain: reads what is left in the streams, before they are closed.
  @discardableResult
  package func end(
    closingInput: Bool = true, within limit: Duration?, drain: () -> Void = {}
  ) -> Ending {
    if let known = state.withLock(\.ending) { return known }
    if closingInput { closeInput() }
    let endedByItself = waitForEnd(limit)
    // Before it is reaped: until then no other process can have its number.
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

  /// The group, and the child itself should it have left that.
  private static func killAll(_ child: pid_t, _ leadsGroup: Bool) {
    if leadsGroup { Foundation.kill(-child, SIGKILL) }
    Foundation.kill(child, SIGKILL)
  }
}

extension ChildProcess {
  /// The ends of the pipes to a child: ours, and theirs until the child has them.
  private struct Pipes {
    private(set) var theirs: [(number: Int32, descriptor: Int32?)] = []
    private var ours: [Int32] = []
    private var passed: [Int32] = []

    /// Our end of a stream; nil where it is no pipe.
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

  /// How often a program that is being written is tried again.
  private static let mostTries = 100

  private static func spawn(
    _ executable: String, _ words: [String], in folder: String?,
    _ streams: [(number: Int32, descriptor: Int32?)], _ variables: [String: String?],
    _ leadsGroup: Bool
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
    var environment = Self.environment(with: variables)
    defer { for text in words + environment { free(text) } }
    var child: pid_t = 0
    var code = posix_spawn(&child, executable, &actions, &attributes, &words, &environment)
    // A program that was just written is busy for as long as another thread's child, between its fork
    // and its exec, holds the descriptor that wrote it. That is over in milliseconds.
    var tries = 0
    while code == ETXTBSY, tries < mostTries {
      pause(milliseconds: 10)
      tries += 1
      code = posix_spawn(&child, executable, &actions, &attributes, &words, &environment)
    }
    guard code == 0 else { throw LaunchError(number: code) }
    return child
  }

  /// Copies of the variables of this program as they are, without those that are replaced.
  private static func environment(
    with variables: [String: String?]
  ) -> [UnsafeMutablePointer<CChar>?] {
    var copies: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let text = next.pointee {
      let isReplaced = variables.keys.contains { strncmp(text, "\($0)=", $0.utf8.count + 1) == 0 }
      if !isReplaced { copies.append(strdup(text)) }
      next += 1
    }
    return copies + variables.compactMap { name, value in value.map { strdup("\(name)=\($0)") } }
      + [nil]
  }

  /// What this program blocks and ignores is not passed on.
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

/// A pipe that no other program started by this one inherits by chance: it would hold one end open
/// while the other waits for its end.
/// - Throws: an input/output error, where the process has too many open files.
func closedOnExecPipe() throws -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [-1, -1]
  #if os(Linux)
    let code = pipe2(&ends, O_CLOEXEC)
  #else
    let code = pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  #endif
  guard code == 0 else {
    throw Failure(.fileError, "pipe: \(String(cString: strerror(errno)))")
  }
  return (ends[0], ends[1])
}
