import ArgumentParser
import Diagnostics
import Digests
import Evaluation
import Files
import Foundation
import Pacing
import Reports
import TraceFormats
import TraceModel

/// A native trace, as the commands that edit traces read and write it.
struct TraceFile {
  let path: String
  var trace: Trace
  /// Contents of the file that a trace cannot hold.
  let unread: [String]

  init(reading path: String) throws {
    var unread: [String] = []
    trace = try SteadyFile.reading(path) { try NativeFile.read(path, unread: &unread) }
    self.path = path
    self.unread = unread
    trace.limitEnd(of: path)
  }

  /// Writes a native trace and makes the folder that it is in.
  ///
  /// Not inlined: in an asynchronous caller, Swift 6.3 emits code for the two kinds of errors that its
  /// own verifier rejects.
  @inline(never)
  static func write(_ trace: Trace, to path: String, of outputFiles: OutputFiles) throws {
    try outputFiles.makeParent(of: path)
    try NativeTrace.write(trace, to: path)
  }

  /// The channels that `--channels` names; nil = none is named.
  /// - Throws: if the trace has no such channel.
  func channels(named list: String?) throws -> [Channel]? {
    guard let list else { return nil }
    let known = trace.header.channels.map(\.channel)
    let names = list.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    return try names.map { name in
      guard let channel = Channel(name: name), known.contains(channel) else {
        throw Failure.unknown(
          "channel of \(path)", name, known: known.map(\.name), place: "--channels")
      }
      return channel
    }
  }
}

/// The trace that a command edits, and the one that it writes.
struct EditedTrace: ParsableArguments {
  @Argument(help: "The native trace.") var trace: String
  @Option(name: .shortAndLong, help: "The native trace to write (.h5).") var output: String

  /// Writes what `edit` makes of the trace. Its report follows the line that names both files.
  func edit(
    for command: some WritingCommand, _ edit: (TraceFile) throws -> (Trace, report: () -> Void)
  ) throws {
    let (outputFiles, terminal) = (command.outputFiles, command.terminal)
    let target = try outputFiles.checked(output, .trace, inputs: [trace])
    let file = try TraceFile(reading: trace)
    let (result, report) = try edit(file)
    try TraceFile.write(result, to: target, of: outputFiles)
    terminal.say("\(trace) -> \(output): \(result.sizeText)")
    report()
    terminal.reportLeftOut(file.unread)
  }
}

extension Trace {
  /// Moves an end that is not plausible to the last reading, and reports it.
  mutating func limitEnd(of path: String) {
    let (stated, end) = (header.end, plausibleEnd)
    guard end != stated else { return }
    header.end = end
    Terminal().warn(
      "\(path): its stated end at \(fixed(stated.seconds, 1)) s is far beyond its last reading; "
        + "only \(fixed(end.seconds, 1)) s count")
  }

  var sizeText: String { readingsText(of: [header]) }
}

/// `12345 readings in 2 channels, 60.0 s`, of several traces together.
func readingsText(of headers: [TraceHeader]) -> String {
  let readings = headers.flatMap(\.channels).reduce(0) { $0 + $1.count }
  let channels = headers.map(\.channels.count).max() ?? 0
  return "\(readings) readings" + (channels > 1 ? " in \(channels) channels" : "")
    + ", \(fixed(headers.reduce(0) { $0 + $1.end.seconds }, 1)) s"
}

func channelNames(of header: TraceHeader) -> String {
  header.channels.isEmpty ? "none" : header.channels.map(\.channel.name).joined(separator: ", ")
}

extension TracePath {
  /// Returns the paths, with each folder replaced by the native traces in it, and reports what it
  /// leaves out.
  static func nativeTraces(_ paths: [String]) throws -> [String] {
    try nativeTraces(paths) { Terminal().warn($0) }
  }
}

extension Terminal {
  /// Lists the contents that the output lacks because no trace can hold them, each name once.
  /// - Parameter screen: the screen that the list is wrapped for; nil = one line.
  func reportLeftOut(_ names: [String], on screen: Screen? = nil) {
    guard !names.isEmpty else { return }
    sayWrapped("  not copied: \(names.uniqued().joined(separator: ", "))", on: screen)
  }
}

/// Reads native traces, each in a process of its own, with the digest of its file.
struct NativeTraceLoader: TraceLoader {
  func load(_ path: String) throws -> LoadedTrace {
    try SteadyFile.reading(path) {
      // Another process reads the trace meanwhile. One after the other, the digest of a large recording
      // would take a quarter of the time.
      let digest = WorkerThread { try FileDigest.sha256(of: path) }
      let isStarted = (try? digest.start()) != nil
      let trace = Result { try NativeFile.read(path) }
      let hash = Result { try isStarted ? digest.wait() : FileDigest.sha256(of: path) }
      var read = try trace.get()
      read.limitEnd(of: path)
      return LoadedTrace(name: path, trace: read, sha256: try hash.get())
    }
  }
}
