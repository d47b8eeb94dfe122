import ChildProcesses
import Foundation
import Synchronization
package import TraceModel

/// The parent's side: a child that reads one trace after another.
package final class NativeReaderProcess: Sendable {
  private let child: ChildProcess
  private let requests: PipeEnd
  private let replies: PipeEnd

  /// - Parameter program: what to start; nil = this program.
  /// - Throws: kind `.inputOutput` where no process can be started.
  package init(program: String? = nil) throws {
    do {
      // What dies there reports it in its own way, which is not ours.
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
      // F_SETPIPE_SZ, which Swift does not import: a megabyte at once in place of 64 KiB, for columns
      // are large. Where the system allows no more, the pipe stays as it is.
      _ = fcntl(child.output, 1031, 1 << 20)
    #endif
  }

  /// The trace and what is in the file besides it.
  ///
  /// After an error the process is not to be used again: a library that was led astray may have
  /// changed anything in its memory.
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

  /// The contents of a file that is no trace.
  /// - Parameter reader: the name of an ``IsolatedReader``.
  func contents<Contents: Decodable>(
    of path: String, by reader: String, memory: Int
  ) throws -> Contents {
    _ = try reply(reader, path, memory)
    guard let json = replies.bytes(limit: .max) else { throw death(reading: path) }
    return try ReadingReply.decoder.decode(Contents.self, from: Data(json))
  }

  private func reply(
    _ reader: String, _ path: String, _ memory: Int
  ) throws -> ReadingReply {
    let isAsked =
      requests.write(memory) && requests.write(Array(reader.utf8))
      && requests.write(Array(path.utf8))
    // What it hands over is at most what it may hold.
    guard isAsked, let json = replies.bytes(limit: .max) else { throw death(reading: path) }
    let reply = try ReadingReply.decoder.decode(ReadingReply.self, from: Data(json))
    if let failure = reply.failure { throw failure.error }
    return reply
  }

  /// The error of a child that died while it read a file.
  private func death(reading path: String) -> TraceError {
    // Whatever it still does, it is of no use any more.
    child.kill()
    let cause =
      switch child.end(within: nil) {
      case .killed(signal: SIGXCPU): "one on which the HDF5 library works without an end"
      case .killed(signal: let signal) where signal != SIGKILL:
        "one on which the HDF5 library crashes (\(String(cString: strsignal(signal))))"
      default: "one on which the HDF5 library crashes"
      }
    return TraceError(
      place: path, expected: "an HDF5 file that can be read", found: cause,
      remedy: "it is damaged: copy it again from where it came from, or convert the recording again"
    )
  }

  private static var thisProgram: String {
    let link = "/proc/self/exe"
    return FileManager.default.fileExists(atPath: link) ? link : CommandLine.arguments[0]
  }
}
