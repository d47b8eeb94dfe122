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

  /// Returns the path of the native trace to write, which must not be one of the inputs.
  static func checkedOutput(_ output: String, inputs: [String]) throws -> String {
    let ending = URL(fileURLWithPath: output).pathExtension.lowercased()
    guard ["h5", "hdf5"].contains(ending) else {
      throw Failure(
        .wrongUse,
        "\(output): expected a native trace (.h5 or .hdf5); change the ending of the name")
    }
    return try OutputFile.checked(output, inputs: inputs)
  }

  /// Returns the channels that `--channels` names, or nil if it is not given.
  /// - Throws: if the trace does not have one of them.
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
  /// Reports contents of the files that a trace cannot hold, and that are not written.
  func reportUnread(_ files: [TraceFile]) {
    var seen: Set<String> = []
    let names = files.flatMap(\.unread).filter { seen.insert($0).inserted }
    if !names.isEmpty { say("  not copied: \(names.joined(separator: ", "))") }
  }
}
