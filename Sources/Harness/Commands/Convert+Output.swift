import Diagnostics
import Foundation
import Reports
import TraceFormats
import TraceModel

/// The files that `convert` writes.
extension ConvertCommand {
  /// The file or the folder to write.
  func checkedOutput(reading inputs: [String]) throws -> String {
    let ending = URL(fileURLWithPath: output).pathExtension.lowercased()
    guard importing.splitBy == nil else {
      guard !["h5", "hdf5", "csv"].contains(ending) else {
        throw Failure(
          .wrongUse, "\(output): expected a folder, which --split-by writes to, found a file name")
      }
      return output
    }
    guard ["h5", "hdf5", "csv"].contains(ending) else {
      throw Failure(
        .wrongUse,
        "\(output): expected a name that ends in .h5, .hdf5 or .csv, which decides the format")
    }
    return try OutputFile.checked(
      output, writesCSV ? .channelTable : .trace, inputs: inputs + [reference].compactMap { $0 })
  }

  /// Converts each recording into the folder ``output``. One that fails does not stop the others.
  func convertEach(_ recordings: RecordingArguments, _ terminal: Terminal) throws {
    guard id == nil else {
      throw Failure(.wrongUse, "--id: expected one recording, found \(recordings.paths.count)")
    }
    guard !["h5", "hdf5", "csv"].contains(URL(fileURLWithPath: output).pathExtension.lowercased())
    else {
      throw Failure(
        .wrongUse,
        "\(output): expected a folder for the traces of \(recordings.paths.count) recordings")
    }
    let names = try recordings.names()
    try OutputFile.makeReportedFolder(output)
    var statuses: [ExitStatus] = []
    for (path, name) in zip(recordings.paths, names) {
      statuses.append(try convert(path, name, reading: recordings.paths, terminal))
      terminal.progress(statuses.count, of: names.count, "recordings")
    }
    terminal.endProgress()
    recordings.reportSkipped(to: terminal)
    let done = statuses.count { $0 == .done || $0 == .dataLost }
    terminal.say("\(output): \(done) of \(names.count) recordings converted")
    let status = ExitStatus.gravest(statuses)
    guard status == .done else { throw status.exitCode }
  }

  /// Converts one of several recordings and reports its failure.
  private func convert(
    _ path: String, _ name: String, reading inputs: [String], _ terminal: Terminal
  ) throws -> ExitStatus {
    var one = self
    one.inputs = [path]
    if importing.splitBy == nil {
      one.output = URL(fileURLWithPath: output).appending(path: fileName(name) + ".h5").relativePath
      // Recordings whose names are equal need different ids.
      if name != RecordingArguments.stem(path) { one.id = name }
    }
    do {
      return try one.convert(reading: inputs, terminal)
    } catch {
      guard let failure = Failure(reported: error) else { throw error }
      terminal.warn("error: \(failure)")
      return ExitStatus(failure.kind)
    }
  }

  func write(_ traces: [Imported], to target: String, terminal: Terminal) throws {
    guard importing.splitBy == nil else { return try writeParts(traces, terminal: terminal) }
    try OutputFile.makeParent(of: target)
    for trace in traces {
      if writesCSV {
        try writeCSV(Trace(reading: trace.source), to: target)
      } else {
        try NativeTrace.write(trace.source, to: target)
      }
    }
  }

  /// Writes one native trace per value of the column that the recording is split by.
  private func writeParts(_ traces: [Imported], terminal: Terminal) throws {
    try OutputFile.makeReportedFolder(output)
    let names = traces.map { fileName($0.trace.header.id) }
    if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
      let ids = zip(names, traces).filter { $0.0 == name }.map(\.1.trace.header.id)
      throw Failure(
        .badData,
        "\(input): the parts \(ids.joined(separator: ", ")) would all be \(name).h5; change the "
          + "values of column \(importing.splitBy ?? "") or split by another")
    }
    let paths = try names.map { try OutputFile.checked("\(output)/\($0).h5", .trace) }
    for (index, (path, trace)) in zip(paths, traces).enumerated() {
      try NativeTrace.write(trace.source, to: path)
      terminal.progress(index + 1, of: traces.count, "traces")
    }
    terminal.endProgress()
  }

  private func writeCSV(_ trace: Trace, to target: String) throws {
    let channels = trace.header.channels.map(\.channel)
    let chosen: Channel
    if let channel = importing.channel {
      guard let named = Channel(name: channel), channels.contains(named) else {
        throw Failure.unknown(
          "channel of \(trace.header.id)", channel, known: channels.map(\.name))
      }
      chosen = named
    } else if channels.count == 1 {
      chosen = channels[0]
    } else {
      throw Failure(
        .wrongUse,
        "\(output): a CSV holds one channel; name it with --channel: "
          + channels.map(\.name).joined(separator: ", "))
    }
    try CSVWriter.write(trace, channel: chosen, to: target)
  }

  /// Returns an id as a file name: characters that no file name has become dashes.
  private func fileName(_ id: String) -> String {
    let name = String(id.map { $0 == "/" || $0 == "\0" || $0.isNewline ? "-" : $0 })
    return name == "." || name == ".." ? "-" : name
  }
}
