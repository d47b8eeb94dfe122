import Diagnostics
import Files
import Foundation
import Reports
import TraceFormats
import TraceModel

/// The files that `convert` writes, and its messages.
extension ConvertCommand {
  /// The file or the folder to write.
  func checkedOutput(reading inputs: OutputFiles.Inputs) throws -> String {
    guard importing.splitBy == nil else {
      try requireUse(
        !isFileName, "\(output): expected a folder, which --split-by writes to, found a file name")
      return output
    }
    try requireUse(
      isFileName,
      "\(output): expected a name that ends in .h5, .hdf5 or .csv, which decides the format")
    var inputs = inputs
    if let reference { inputs.insert(reference) }
    return try outputFiles.checked(output, writesCSV ? .channelTable : .trace, inputs: inputs)
  }

  private var isFileName: Bool { TracePath.isNative(output) || writesCSV }

  /// Converts each recording into the folder ``output``. One that fails does not stop the others.
  func convertEach(_ recordings: RecordingList) throws {
    var recordings = recordings
    // Leave out what an earlier run wrote into the folder that is converted.
    if recordings.hasFolder, TracePath.isFolder(output) {
      recordings.paths.removeAll { path in
        TracePath.isNative(path)
          && OutputFiles.isSame(TracePath.folder(of: path), output)
      }
    }
    let count = recordings.paths.count
    try requireUse(id == nil || count == 1, "--id: expected one recording, found \(count)")
    try requireUse(
      !isFileName && !["", "-"].contains(output),
      "\(output.isEmpty ? "--output" : output): expected a folder for \(counted(count, "trace")), found "
        + (output.isEmpty || output == "-" ? "none" : "a name that ends like a file's")
        + "; name one")
    let names = try id.map { [$0] } ?? recordings.names()
    try outputFiles.makeReportedFolder(output)
    let (labels, inputs) = (LabelFiles(), OutputFiles.Inputs(recordings.paths))
    var statuses: [ExitStatus] = []
    for (path, name) in zip(recordings.paths, names) {
      statuses.append(try convert(path, name, reading: inputs, labels))
      terminal.progress(statuses.count, of: names.count, "recordings")
    }
    terminal.endProgress()
    if let note = recordings.note { say(note) }
    let done = statuses.count { $0 == .done || $0 == .dataLost }
    say("\(output): \(done) of \(names.count) recordings converted")
    try ExitStatus.mostSevere(statuses).end()
  }

  /// Converts one of several recordings and reports its failure.
  private func convert(
    _ path: String, _ name: String, reading inputs: OutputFiles.Inputs, _ labels: LabelFiles
  ) throws -> ExitStatus {
    var one = self
    one.inputs = [path]
    if importing.splitBy == nil {
      one.output = TracePath.path(of: TracePath.fileName(name) + ".h5", in: output)
      // Recordings whose names are equal need different ids.
      if name != RecordingList.name(of: path) { one.id = name }
    }
    switch try Failure.catching({ try one.convert(reading: inputs, labels) }) {
    case .success(let status): return status
    case .failure(let failure):
      terminal.warn("error: \(failure)")
      return ExitStatus(failure.kind)
    }
  }

  func write(_ traces: [Imported], to target: String) throws {
    guard importing.splitBy == nil else { return try writeParts(traces) }
    try outputFiles.makeParent(of: target)
    for trace in traces {
      if writesCSV {
        try writeCSV(Trace(reading: trace.source), to: target)
      } else {
        try NativeTrace.write(trace.source, to: target)
      }
    }
  }

  /// Writes one native trace per value of the column that the recording is split by.
  private func writeParts(_ traces: [Imported]) throws {
    try outputFiles.makeReportedFolder(output)
    let names = traces.map { TracePath.fileName($0.trace.header.id) }
    if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
      let ids = zip(names, traces).filter { $0.0 == name }.map(\.1.trace.header.id)
      throw badData(
        "\(input): the parts \(ids.joined(separator: ", ")) would all be \(name).h5; change the "
          + "values of column \(importing.splitBy ?? "") or split by another")
    }
    let paths = try names.map { try outputFiles.checked("\(output)/\($0).h5", .trace) }
    for (index, (path, trace)) in zip(paths, traces).enumerated() {
      try NativeTrace.write(trace.source, to: path)
      terminal.progress(index + 1, of: traces.count, "traces")
    }
    terminal.endProgress()
  }

  private func writeCSV(_ trace: Trace, to target: String) throws {
    let channels = trace.header.channels.map(\.channel)
    guard let name = importing.channel ?? (channels.count == 1 ? channels[0].name : nil) else {
      throw wrongUse(
        "\(output): a CSV holds one channel; name it with --channel: "
          + channels.map(\.name).joined(separator: ", "))
    }
    guard let chosen = Channel(name: name), channels.contains(chosen) else {
      throw Failure.unknown("channel of \(trace.header.id)", name, known: channels.map(\.name))
    }
    try CSVWriter.write(trace, channel: chosen, to: target)
  }

  private func say(_ message: String) { terminal.sayWrapped(message, on: screen(for: message)) }
  private func warn(_ message: String) { terminal.warnWrapped(message, on: screen(for: message)) }

  /// Wraps a message on a terminal, unless a word is too long: a path must remain copyable. Another
  /// program gets each message in one line.
  private func screen(for message: String) -> Screen? {
    let screen = OutputTerminal.screen
    let fits = message.split(separator: " ").allSatisfy { $0.count < screen.width }
    return isatty(STDERR_FILENO) == 1 && fits ? screen : nil
  }

  /// Reports what was written, what was changed, and what was left out.
  func report(_ imported: [Imported], of recording: RecordingFile) {
    let headers = imported.map(\.source.header)
    say("\(input) -> \(output): \(counted(imported.count, "trace")), \(readingsText(of: headers))")
    let recognised = recording.recognised
    if importing.from == nil, recognised.format != .own(.native) {
      say("  read as \(recognised.reason)")
    }
    for each in imported {
      let prefix = imported.count == 1 ? "  " : "  \(each.trace.header.id): "
      reportReadings(of: each, prefix)
      reportLosses(of: each, prefix)
      if let set = each.trace.header.reference(.punch),
        reference != nil || importing.referenceColumn != nil
      {
        say(prefix + counted(set.events.count, "reference punch", "reference punches"))
      }
      reportTruth(of: each, prefix)
    }
    terminal.reportLeftOut(
      zip(imported, headers).flatMap { each, header in
        each.trace.report.unmappedColumns + recording.unread
          + (writesCSV ? CSVWriter.leftOut(of: header, channel: importing.channel) : [])
      }, on: OutputTerminal.screen)
  }

  private func reportTruth(of each: Imported, _ prefix: String) {
    let header = each.trace.header
    let tasks = Set((try? truth.counts().map(\.task)) ?? [])
    for count in header.counts where tasks.contains(count.task) {
      say(
        "\(prefix)stated: \(counted(count.count, "event")) of \(count.task.rawValue), "
          + "without their times")
    }
    if !truth.trueDistance.isEmpty, let set = header.reference(.distance),
      let value = set.events.first?.value
    {
      say("\(prefix)true distance \(fixed(value, 1)) m: \(set.definition)")
    }
  }

  private func reportReadings(of each: Imported, _ prefix: String) {
    let report = each.trace.report
    if report.missing > 0 { say("\(prefix)\(counted(report.missing, "missing sample"))") }
    if report.duplicatedTimes > 0 {
      let what = repairing.repair ? "" : ", kept as they are"
      say("\(prefix)\(counted(report.duplicatedTimes, "duplicated time"))\(what)")
    }
    if report.backwardTimes > 0 {
      let isInOrder = sort || repairing.repair
      let what = isInOrder ? "put in order" : "kept as they are; --sort reorders them"
      say("\(prefix)\(counted(report.backwardTimes, "backward time")), \(what)")
    }
    for finding in report.findings { say("\(prefix)\(finding.message)") }
    // A mapping must remain copyable, so it is not wrapped.
    for note in report.notes + each.repairs {
      note.contains("--map '") ? terminal.say(prefix + note) : say(prefix + note)
    }
  }

  private func reportLosses(of each: Imported, _ prefix: String) {
    let report = each.trace.report
    // With --quiet, nothing before the warning names the recording.
    let warning = common.quiet ? "\(input): " + prefix.drop { $0 == " " } : prefix
    if report.losses.count > 0 {
      warn("\(warning)left out: \(counted(report.losses.count, "damaged record"))")
      for loss in report.losses.first { warn("    \(loss)") }
      let rest = report.losses.count - report.losses.first.count
      if rest > 0 { warn("    and \(rest) more") }
    }
    if each.labelsOutside > 0 {
      warn("\(warning)\(counted(each.labelsOutside, "label")) outside the recording: left out")
    }
    if !each.replaced.isEmpty {
      warn("\(warning)replaced: \(each.replaced.joined(separator: ", "))")
    }
  }
}
