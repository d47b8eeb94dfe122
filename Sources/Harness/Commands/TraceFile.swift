import Reports
import Diagnostics
import Foundation
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
  }

  /// Returns the native trace to write, which is none of those that are read.
  static func checkedOutput(_ output: String, inputs: [String]) throws -> String {
    try OutputFile.checked(output, .trace, inputs: inputs)
  }

  /// Writes a native trace and makes the folder that it is in.
  ///
  /// Inlined into an asynchronous caller, the two kinds of errors make the compiler (Swift 6.3) emit
  /// code that its own check refuses.
  @inline(never)
  static func write(_ trace: Trace, to path: String) throws {
    try OutputFile.makeParent(of: path)
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

  /// Moves the epoch by `nanoseconds`, if the wall clock is known.
  /// - Throws: if the result is outside the years 1678 to 2261.
  static func moveEpoch(
    of trace: inout Trace, byNanoseconds nanoseconds: Int64, _ path: String
  ) throws {
    guard trace.header.isEpochKnown, nanoseconds != 0 else { return }
    let (moved, overflow) = (trace.header.epochNanoseconds ?? .max)
      .addingReportingOverflow(nanoseconds)
    guard !overflow else {
      throw Failure(
        .badData, "\(path): expected times in the years 1678 to 2261, found one outside")
    }
    trace.header.setEpoch(nanoseconds: moved)
  }
}

extension Trace {
  /// The number of readings in all channels.
  var readingCount: Int { header.channels.reduce(0) { $0 + $1.count } }

  /// `12,345 readings in 2 channels, 60.0 s`.
  var sizeText: String {
    let channels = header.channels.count
    return "\(readingCount) readings"
      + (channels > 1 ? " in \(channels) channels" : "") + ", \(fixed(header.end.seconds, 1)) s"
  }
}

extension Terminal {
  /// Lists the parts of the files that no trace holds, and that the output therefore lacks.
  func reportUnread(_ files: [TraceFile]) {
    var seen: Set<String> = []
    let names = files.flatMap(\.unread).filter { seen.insert($0).inserted }
    if !names.isEmpty { say("  not copied: \(names.joined(separator: ", "))") }
  }
}
