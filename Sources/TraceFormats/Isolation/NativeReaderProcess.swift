import ChildProcesses
import Foundation
import Synchronization
package import TraceModel

/// The parent's side: a child that reads one file after another.
package final class NativeReaderProcess: Sendable {
  private let child: ChildProcess
  private let requests: PipeEnd
  private let replies: PipeEnd

  /// - Parameter program: what to start; nil = this program.
  /// - Throws: kind `.inputOutput` where no process can be started.
  package init(program: String? = nil) throws {
    do {
      // The messages of a child that crashes are not for the user.
      child = try ChildProcess(
        program ?? Self.thisProgram, words: ["shadowbox", NativeReaderService.argument],
        input: .pipe, errors: .null)
    } catch let error as ChildProcess.LaunchError {
      throw TraceError(
        .inputOutput, place: "posix_spawn", expected: "to start a process that reads HDF5 files",
        found: "\"\(error.reason)\"")
    }
    requests = PipeEnd(descriptor: child.input ?? -1)
    replies = PipeEnd(descriptor: child.output)
    #if os(Linux)
      // F_SETPIPE_SZ, which Swift does not import: 1 MiB in place of 64 KiB, because columns are
      // large. If the system does not allow that, the pipe stays as it is.
      _ = fcntl(child.output, 1031, 1 << 20)
    #endif
  }

  /// Returns the trace, and the paths of the file's content that it does not have.
  ///
  /// Do not use the process again after an error: a crashing library may have changed anything in its
  /// memory.
  package func read(_ path: String, memory: Int) throws -> (Trace, unread: [String]) {
    let reply = try reply("", path, memory)
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

  /// The contents of a file of another kind than a trace.
  /// - Parameter reader: the name of an ``IsolatedReader``.
  func contents<Contents: Decodable>(
    of path: String, by reader: String, memory: Int
  ) throws -> Contents {
    _ = try reply(reader, path, memory)
    guard let contents: Contents = try replies.message() else { throw death(reading: path) }
    return contents
  }

  private func reply(_ reader: String, _ path: String, _ memory: Int) throws -> ReadingReply {
    let request = ReadingRequest(path: path, reader: reader, memory: memory)
    guard try requests.send(request), let reply: ReadingReply = try replies.message() else {
      throw death(reading: path)
    }
    if let failure = reply.failure { throw failure }
    return reply
  }

  /// The error of a child that died while it read a file.
  private func death(reading path: String) -> TraceError {
    // It may still run, e.g. after a damaged answer.
    child.kill()
    let cause =
      switch child.end(within: nil) {
      case .killed(signal: SIGXCPU): "a file on which the HDF5 library does not end"
      case .killed(signal: let signal) where signal != SIGKILL:
        "a file on which the HDF5 library crashes (\(String(cString: strsignal(signal))))"
      default: "a file on which the HDF5 library crashes"
      }
    return TraceError(
      place: path, expected: "a readable HDF5 file", found: cause,
      remedy: "it is damaged: copy it again, or convert the recording again")
  }

  private static var thisProgram: String {
    let link = "/proc/self/exe"
    return FileManager.default.fileExists(atPath: link) ? link : CommandLine.arguments[0]
  }
}
