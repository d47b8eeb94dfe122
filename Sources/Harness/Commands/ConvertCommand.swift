import ArgumentParser
import Detectors
import Foundation
import TraceFormats
import TraceModel

struct ConvertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Turns recordings into native traces, and native traces into CSV.",
    discussion: """
      Reads recordings of phyphox, Sensor Logger and SensorLog (a file, a folder or a zip archive), \
      GPX, NMEA 0183, GPSLogger, any plain CSV (by --map), native traces, and through gpsbabel FIT, \
      TCX, KML and some 150 other formats; each also packed with gzip. Which it is, is told by what \
      it holds; --from overrules. Nothing is repaired, resampled or filtered unless an option says \
      so; what a recording holds and the trace does not is listed.

      A mapping is target=column[unit], separated by commas; a column whose name has commas or \
      brackets stands in quotes, #2 is the second column. Targets: time, arrived, date; x, y, z \
      of --channel, or acceleration.x, user_acceleration.x, rotation_rate.x and so on of several; \
      latitude, longitude, altitude, horizontal_accuracy, speed, speed_accuracy, course; local.x, \
      local.y; distance, pressure, heading, heading_accuracy; peer, sequence. Units: s ms us ns iso; m/s2 g mg; rad/s deg/s; deg rad semicircles; m km ft mi; \
      m/s km/h; Pa hPa kPa. Times such as 2022-05-01T10:00:03Z are iso: time=t[iso]; a date and a \
      time of day in two columns are date=#1,time=#2.

      A file may be larger than memory; only --sort holds one that is out of order whole.

      EXAMPLES:
        shadowbox convert walk.gpx -o walk.h5
        shadowbox convert phyphox.zip -o walk.h5
        shadowbox convert watch.csv --map 'time=t,x=ax[g],y=ay[g],z=az[g]' \\
          --gravity included --split-by rec --without punch -o watch/ \\
          --columns subject=subject,activity=exercise
        shadowbox convert Linear_Acceleration.csv --gravity removed \\
          --id cross-01 --map 'time=#1,x=#2,y=#3,z=#4' \\
          --reference beats.tsv --tolerance 400ms -o cross-01.h5
      """)

  @Argument(help: "The recording.")
  var input: String

  @Option(name: .shortAndLong, help: "The trace to write (.h5, .csv); a folder with --split-by.")
  var output: String

  @Flag(
    help:
      "Put readings into the order of their arrival (stable), which may need all of them in memory."
  )
  var sort = false

  @Flag(help: "Stop at the first damaged record.")
  var strict = false

  @OptionGroup(title: "Reading") var importing: ImportOptions

  @Option(
    help: ArgumentHelp(
      "A label file (TSV with filename, onset, offset, event_label; Audacity) with punches.",
      valueName: "file"))
  var reference: String?

  @Option(help: "How far a detection may lie from these references, e.g. 400ms.")
  var tolerance: String?

  @Option(help: "How the source of the references defines an onset.")
  var definition: String?

  @Option(
    help: ArgumentHelp(
      "State that nothing of this kind happened: every detection is a false alarm.",
      valueName: "task"))
  var without: [String] = []

  @OptionGroup var gravityRemoval: GravityOptions

  @Option(help: "The trace's name; by default the file's. Labels are looked up by it.")
  var id: String?
  @Option(help: "The person.")
  var subject: String?
  @Option(help: "What the person did.")
  var activity: String?
  @Option(help: "The device.")
  var device: String?
  @Option(help: "Where on the body it was worn.")
  var placement: String?
  @Option(help: "Where the recording comes from.")
  var source: String?
  @Option(help: "The recording's licence (SPDX identifier).")
  var license: String?

  @OptionGroup var repairing: RepairOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let terminal = common.terminal
    _ = try gravityRemoval.parameters()
    guard id != "" else { throw CommandError(.wrongUse, "--id: expected a name, found none") }
    let target = try checkedOutput()
    let recording = try importing.read(
      input, id: id, sort: sort, strict: strict, writesChannel: writesCSV)
    var imported = recording.traces.map { Imported($0, unread: recording.unread) }
    for each in imported where each.trace.header.channels.allSatisfy({ $0.count == 0 }) {
      guard let loss = each.trace.report.losses.first.first else { continue }
      throw CommandError(
        .badData, "\(input): all \(each.trace.report.losses.count) records are damaged: \(loss)")
    }
    for index in imported.indices {
      imported[index].repairs = try repairing.apply(to: &imported[index].trace)
      try complete(&imported[index])
    }
    try write(imported, to: target, terminal: terminal)
    report(imported, recording.recognised, to: terminal)
    if imported.contains(where: { $0.trace.report.losses.count > 0 || $0.labelsOutside > 0 }) {
      throw ExitStatus.dataLost.exitCode
    }
  }

  // MARK: Reading

  struct Imported {
    var trace: ImportedTrace
    /// How a channel without gravity is made while it is written; nil = none is.
    var gravityFilter: GravityFilter.Parameters?
    /// What a native file holds and the trace does not.
    var unread: [String] = []
    /// Labels beyond the recording, which are left out.
    var labelsOutside = 0
    /// What the options took the place of.
    var replaced: [String] = []
    /// What was repaired, a line each.
    var repairs: [String] = []

    init(_ trace: ImportedTrace, unread: [String] = []) {
      self.trace = trace
      self.unread = unread
    }

    /// What is written, from its start.
    var source: any TraceSource {
      guard let gravityFilter else { return trace.source }
      return GravityFreeSource(trace.source, copy: trace.source, parameters: gravityFilter)
    }

    /// What is written, as it states itself.
    var header: TraceHeader { source.header }
  }

  var writesCSV: Bool { output.lowercased().hasSuffix(".csv") }

  /// Where to write.
  private func checkedOutput() throws -> String {
    let ending = URL(fileURLWithPath: output).pathExtension.lowercased()
    guard importing.splitBy != nil || ["h5", "hdf5", "csv"].contains(ending) else {
      throw CommandError(
        .wrongUse,
        "\(output): expected a name that ends in .h5, .hdf5 or .csv, which says what to write")
    }
    guard importing.splitBy == nil else { return output }
    return try OutputFile.checked(output, inputs: [input] + [reference].compactMap { $0 })
  }

  // MARK: What the options add

  private func complete(_ imported: inout Imported) throws {
    var header = imported.trace.header
    if let id, importing.splitBy == nil { header.id = id }
    if let subject { header.subject = subject }
    if let activity { header.activity = activity }
    if let device { header.device = device }
    if let placement { header.placement = placement }
    if let source { header.source = source }
    if let license { header.license = license }
    let sets = try references(of: header, &imported)
    imported.replaced = header.references.filter { old in
      !sets.contains { $0.task == old.task && $0.events == old.events }
    }.map { "reference \($0.task.rawValue) (\($0.events.count) events)" }
    header.references = sets.sorted { $0.task < $1.task }
    imported.trace.header = header
    if let parameters = try gravityRemoval.parameters() {
      imported.gravityFilter = parameters
      if try gravityRemoval.replacesChannel(of: header, input) {
        imported.replaced.append("channel user_acceleration")
      }
    }
  }

  // MARK: Writing

  private func write(_ traces: [Imported], to target: String, terminal: Terminal) throws {
    if importing.splitBy != nil {
      try makeFolder(output)
      let names = traces.map { fileName($0.trace.header.id) }
      if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
        let ids = zip(names, traces).filter { $0.0 == name }.map(\.1.trace.header.id)
        throw CommandError(
          .badData,
          "\(input): the parts \(ids.joined(separator: ", ")) would all be \(name).h5; change the "
            + "values of column \(importing.splitBy ?? "") or split by another")
      }
      for (index, (name, trace)) in zip(names, traces).enumerated() {
        try NativeTrace.write(trace.source, to: "\(output)/\(name).h5")
        terminal.progress(index + 1, of: traces.count, "traces")
      }
      terminal.endProgress()
      return
    }
    try OutputFile.makeParent(of: target)
    for trace in traces {
      if writesCSV {
        try writeCSV(Trace(reading: trace.source), to: target)
      } else {
        try NativeTrace.write(trace.source, to: target)
      }
    }
  }

  private func writeCSV(_ trace: Trace, to target: String) throws {
    let channels = trace.header.channels.map(\.channel)
    let chosen: Channel
    if let channel = importing.channel {
      guard let named = Channel(name: channel), channels.contains(named) else {
        throw CommandError.unknown(
          "channel of \(trace.header.id)", channel, known: channels.map(\.name))
      }
      chosen = named
    } else if channels.count == 1 {
      chosen = channels[0]
    } else {
      throw CommandError(
        .wrongUse,
        "\(output): a CSV holds one channel; name it with --channel: "
          + channels.map(\.name).joined(separator: ", "))
    }
    try CSVWriter.write(trace, channel: chosen, to: target)
  }

  /// An id as a file's name: what a folder cannot hold becomes a dash.
  private func fileName(_ id: String) -> String {
    let name = String(id.map { $0 == "/" || $0 == "\0" || $0.isNewline ? "-" : $0 })
    return name == "." || name == ".." ? "-" : name
  }
}
