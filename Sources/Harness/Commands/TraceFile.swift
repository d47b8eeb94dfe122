import Reports
import Diagnostics
import Foundation
import TraceFormats
import TraceModel

/// A native trace as the commands that work on traces read it and write it.
struct TraceFile {
  let path: String
  var trace: Trace
  /// What the file holds and the trace does not.
  let unread: [String]

  init(reading path: String) throws {
    var unread: [String] = []
    trace = try SteadyFile.reading(path) { try NativeFile.read(path, unread: &unread) }
    self.path = path
    self.unread = unread
  }

  /// Where to write: a native trace, and none of those that are read.
  static func checkedOutput(_ output: String, inputs: [String]) throws -> String {
    let ending = URL(fileURLWithPath: output).pathExtension.lowercased()
    guard ["h5", "hdf5"].contains(ending) else {
      throw Failure(
        .wrongUse, "\(output): expected a name that ends in .h5 or .hdf5, for a native trace")
    }
    return try OutputFile.checked(output, inputs: inputs)
  }

  /// What `--channels` names, each of which the trace must have; nil where nothing is named.
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

  /// States an epoch that is `nanoseconds` later, where the wall clock is known.
  /// - Throws: where that is no instant of the years 1678 to 2261 any more.
  static func moveEpoch(
    of trace: inout Trace, byNanoseconds nanoseconds: Int64, _ path: String
  ) throws {
    guard trace.header.isEpochKnown, nanoseconds != 0 else { return }
    let (moved, overflow) = (trace.header.epochNanoseconds ?? .max)
      .addingReportingOverflow(nanoseconds)
    guard !overflow else {
      throw Failure(
        .badData, "\(path): expected instants of the years 1678 to 2261, found later or earlier")
    }
    trace.header.setEpoch(nanoseconds: moved)
  }
}

extension Trace {
  /// Of all channels.
  var readingCount: Int { header.channels.reduce(0) { $0 + $1.count } }

  /// `12,345 readings in 2 channels, 60.0 s`.
  var sizeText: String {
    let channels = header.channels.count
    return "\(readingCount) readings"
      + (channels > 1 ? " in \(channels) channels" : "") + ", \(fixed(header.end.seconds, 1)) s"
  }
}

extension Terminal {
  /// What the files hold that no trace does, and is therefore lost on writing one.
  func tellUnread(_ files: [TraceFile]) {
    var seen: Set<String> = []
    let names = files.flatMap(\.unread).filter { seen.insert($0).inserted }
    if !names.isEmpty { say("  not taken over: \(names.joined(separator: ", "))") }
  }
}
