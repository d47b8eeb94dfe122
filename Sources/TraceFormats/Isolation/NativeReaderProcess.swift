package import ChildProcesses
package import Foundation
package import Synchronization
package import TraceModel

/// The parent's side: a child that reads one trace after another.
package final class NativeReaderProcess: Sendable {
  private let process: pid_t
  private let requests: PipeEnd
  private let replies: PipeEnd
  private let status = Mutex<Int32?>(nil)

  /// - Parameter program: what to start; nil = this program.
  /// - Throws: kind `.inputOutput` where no process can be started.
  package init(program: String? = nil) throws {
    (process, requests, replies) = try Self.starting.withLock { _ in
      try Self.start(program ?? Self.thisProgram)
    }
  }

  deinit {
    close(requests.descriptor)
    close(replies.descriptor)
    // It ends where nobody asks any more.
    _ = reap()
  }

  /// The trace and what is in the file besides it.
  ///
  /// After an error the process is not to be used again: a library that was led astray may have
  /// changed anything in its memory.
  package func read(_ path: String, memory: Int) throws -> (Trace, unread: [String]) {
    let isAsked = requests.write(memory) && requests.write(Array(path.utf8))
    // What it hands over is at most what it may hold.
    guard isAsked, let json = replies.bytes(limit: .max) else { throw death(reading: path) }
    let reply = try ReadingReply.decoder.decode(ReadingReply.self, from: Data(json))
    if let failure = reply.failure { throw failure.error }
    guard let header = reply.header else { throw death(reading: path) }
    var trace = Trace(header: header)
    let source: ColumnBytes.Source = { [replies] buffer in
      replies.read(into: buffer) ? nil : .closedPipe
    }
    do {
      for info in header.channels {
        let block = try ColumnBytes.read(
          info.channel, count: info.count, hasArrivalTimes: info.hasArrivalTimes, from: source)
        trace.set(block, for: info.channel, attributes: info.attributes)
      }
      trace.header.track = try reply.trackCount.map {
        try ColumnBytes.readTrack(count: $0, from: source)
      }
    } catch {
      throw death(reading: path)
    }
    return (trace, reply.unread)
  }

  /// How the child died, told of the file that it read.
  private func death(reading path: String) -> TraceError {
    // Whatever it still does, it is of no use any more.
    kill(process, SIGKILL)
    let signal = reap() & 0x7F
    let cause =
      switch signal {
      case SIGXCPU: "one on which the HDF5 library works without an end"
      case SIGKILL, 0: "one on which the HDF5 library gives way"
      default:
        "one on which the HDF5 library gives way (\(String(cString: strsignal(signal))))"
      }
    return TraceError(
      place: path, expected: "an HDF5 file that can be read", found: cause,
      remedy: "it is damaged: copy it again from where it came from, or convert the recording again"
    )
  }

  /// Waits for the child's end, once; its status as wait(2) tells it.
  private func reap() -> Int32 {
    status.withLock { known in
      if let known { return known }
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      known = status
      return status
    }
  }

  // MARK: Starting

  /// One at a time: a child that is started while another's pipes are made would hold these open, and
  /// the other would wait for ever for the end of its requests.
  private static let starting = Mutex(())

  private static func start(
    _ program: String
  ) throws -> (process: pid_t, requests: PipeEnd, replies: PipeEnd) {
    let input = try ClosedOnExec.pipe()
    defer { close(input.reading) }
    do {
      let output = try ClosedOnExec.pipe()
      #if os(Linux)
        // F_SETPIPE_SZ, which Swift does not import: a megabyte at once in place of 64 KiB, for
        // columns are large. Where the system allows no more, the pipe stays as it is.
        _ = fcntl(output.writing, 1031, 1 << 20)
      #endif
      defer { close(output.writing) }
      do {
        let process = try spawn(program, input: input.reading, output: output.writing)
        return (
          process, PipeEnd(descriptor: input.writing), PipeEnd(descriptor: output.reading)
        )
      } catch {
        close(output.reading)
        throw error
      }
    } catch {
      close(input.writing)
      throw error
    }
  }

  private static func spawn(
    _ program: String, input: Int32, output: Int32
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    // What dies there tells it in its own way, which is not ours.
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var process: pid_t = 0
    var arguments = [strdup("shadowbox"), strdup(NativeReaderService.argument), nil]
    defer { for argument in arguments { free(argument) } }
    let code = posix_spawn(&process, program, &actions, &attributes, &arguments, environ)
    guard code == 0 else {
      errno = code
      throw systemError("posix_spawn")
    }
    return process
  }

  private static var thisProgram: String {
    let link = "/proc/self/exe"
    return FileManager.default.fileExists(atPath: link) ? link : CommandLine.arguments[0]
  }

  private static func systemError(_ call: String) -> TraceError {
    TraceError(
      .inputOutput, place: call, expected: "to start a process that reads HDF5 files",
      found: "\"\(String(cString: strerror(errno)))\"")
  }
}
