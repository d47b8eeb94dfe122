import ArgumentParser
import Detectors
import Foundation
import TraceFormats
import TraceModel

struct ConvertCommand: AsyncParsableCommand {
  enum Format: String, CaseIterable {
    case csv, gpslogger, gpx, nmea, gpsbabel, native
  }

  /// What --from says: a format, of gpsbabel with one of its own.
  struct Origin: ExpressibleByArgument {
    var format: Format
    var inner: String?

    init(_ format: Format) {
      self.format = format
    }

    init?(argument: String) {
      let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let format = Format(rawValue: String(parts[0])) else { return nil }
      self.format = format
      guard parts.count == 2 else { return }
      guard format == .gpsbabel, !parts[1].isEmpty else { return nil }
      inner = String(parts[1])
    }

    static let allValueStrings = Format.allCases.map(\.rawValue) + ["gpsbabel:FORMAT"]
  }

  enum Epoch: String, ExpressibleByArgument, CaseIterable {
    case unix
  }

  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Turns recordings into native traces, and native traces into CSV.",
    discussion: """
      Reads plain CSV (by --map), GPX 1.0 and 1.1, and native traces. Nothing is repaired, \
      resampled or filtered unless an option says so; what a file holds and the trace does not is \
      listed.

      A mapping is target=column[unit], separated by commas; a column whose name has commas or \
      brackets stands in quotes, #2 is the second column. Targets: time, arrived, x, y, z, \
      latitude, longitude, altitude, horizontal_accuracy, speed, speed_accuracy, course, distance, \
      pressure, heading. Units: s ms us ns iso; m/s2 g mg; rad/s deg/s; deg rad; m km ft mi; \
      m/s km/h; Pa hPa kPa. Times such as 2022-05-01T10:00:03Z are iso: time=t[iso]; a date and a \
      time of day in two columns are date=#1,time=#2.

      A file may be larger than memory; only --sort holds one that is out of order whole.

      EXAMPLES:
        shadowbox convert walk.gpx -o walk.h5
        shadowbox convert watch.csv --map 'time=t,x=ax[g],y=ay[g],z=az[g]' --gravity included \\
          --split-by rec --columns subject=subject,activity=exercise --without punch -o watch/
        shadowbox convert Linear_Acceleration.csv --gravity removed --id cross-01 \\
          --map 'time=#1,x=#2,y=#3,z=#4' --reference beats.tsv --tolerance 400ms -o cross-01.h5
      """)

  @Argument(help: "The recording.")
  var input: String

  @Option(name: .shortAndLong, help: "The trace to write (.h5, .csv); a folder with --split-by.")
  var output: String

  @Option(
    help: ArgumentHelp(
      "The recording's format; by default told by its name and first bytes.", valueName: "format"))
  var from: Origin?

  @Option(name: .customLong("map"), help: "CSV: which column is what, in which unit.")
  var mapping: String?

  @Option(help: "CSV: the channel of x, y and z (acceleration, user_acceleration, rotation_rate).")
  var channel: String?

  @Option(
    help: ArgumentHelp(
      "CSV: whether the acceleration has gravity in it.", valueName: "included|removed"),
    transform: oneOf)
  var gravity: GravityStatement?

  @Option(help: "CSV: the separator; by default told by the header line (comma, semicolon, tab).")
  var separator: String?

  @Option(help: "CSV: what numeric times count from; unix = 1970-01-01T00:00:00Z.")
  var epoch: Epoch?

  @Option(help: ArgumentHelp("CSV: one trace per value of this column.", valueName: "column"))
  var splitBy: String?

  @Option(
    help: ArgumentHelp(
      "CSV: columns that say what is constant, e.g. subject=person,activity=exercise.",
      valueName: "key=column"))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "CSV: a column with a label for every sample; runs of one label become punches.",
      valueName: "column"))
  var referenceColumn: String?

  @Option(
    help: ArgumentHelp(
      "CSV: what the runs of one label are instead of punches, e.g. visit.", valueName: "task"))
  var referenceTask: String?

  @Option(help: "CSV: the label of the samples at which nothing happens.")
  var noEventLabel: String?

  @Flag(help: "CSV: NaN and empty cells are missing samples, not damage.")
  var nanIsMissing = false

  @Flag(
    help:
      "Put readings into the order of their arrival (stable), which may need all of them in memory."
  )
  var sort = false

  @Flag(help: "Stop at the first damaged record.")
  var strict = false

  @Flag(help: "GPX: waypoints become places.")
  var waypointsAsPlaces = false

  @Option(
    help: ArgumentHelp(
      "GPX, NMEA: take HDOP for a horizontal accuracy of so many metres each.",
      valueName: "metres"))
  var metersPerHDOP: Double?

  @Option(help: "GPX without times: the interval between points, e.g. 1s.")
  var assumeInterval: String?

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
    let origin = try from ?? originByName()
    let format = origin.format
    try checkOptions(for: format)
    let target = try checkedOutput()
    var imported = try read(origin)
    for each in imported where each.trace.header.channels.allSatisfy({ $0.count == 0 }) {
      guard let loss = each.trace.report.losses.first.first, format != .native else { continue }
      throw CommandError(
        .badData, "\(input): all \(each.trace.report.losses.count) records are damaged: \(loss)")
    }
    for index in imported.indices {
      imported[index].repairs = try repairing.apply(to: &imported[index].trace)
      try complete(&imported[index])
    }
    try write(imported, to: target, terminal: terminal)
    report(imported, to: terminal)
    if imported.contains(where: { $0.trace.report.losses.count > 0 || $0.labelsOutside > 0 }) {
      throw ExitStatus.dataLost.exitCode
    }
  }

  // MARK: Reading

  private struct Imported {
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

  private func read(_ origin: Origin) throws -> [Imported] {
    switch origin.format {
    case .csv:
      return try CSVReader.read(input, options: csvOptions()).map { Imported($0) }
    case .gpx:
      return [Imported(try GPXReader.read(input, options: gpxOptions()))]
    case .gpslogger:
      var options = GPSLoggerOptions()
      (options.id, options.sort, options.strict) = (id, sort, strict)
      return [Imported(try GPSLoggerReader.read(input, options: options))]
    case .nmea:
      var options = NMEAOptions()
      (options.id, options.sort, options.strict) = (id, sort, strict)
      options.metersPerHDOP = metersPerHDOP
      return [Imported(try NMEAReader.read(input, options: options))]
    case .gpsbabel:
      let gpsbabel = try Gpsbabel()
      let format = try origin.inner ?? gpsbabel.format(of: input).name
      return [Imported(try gpsbabel.read(input, format: format, options: gpxOptions()))]
    case .native:
      var unread: [String] = []
      var trace = try SteadyFile.reading(input) {
        try NativeFile.read(input, unread: &unread)
      }
      if sort { trace.sortByArrival() }
      return [Imported(ImportedTrace(trace), unread: unread)]
    }
  }

  /// An option that the format does not know would otherwise be passed over in silence.
  private func checkOptions(for format: Format) throws {
    let given: [(name: String, isGiven: Bool, formats: [Format])] = [
      ("--map", mapping != nil, [.csv]), ("--gravity", gravity != nil, [.csv]),
      ("--separator", separator != nil, [.csv]), ("--epoch", epoch != nil, [.csv]),
      ("--split-by", splitBy != nil, [.csv]), ("--columns", columns != nil, [.csv]),
      ("--reference-column", referenceColumn != nil, [.csv]),
      ("--reference-task", referenceTask != nil, [.csv]),
      ("--no-event-label", noEventLabel != nil, [.csv]),
      ("--nan-is-missing", nanIsMissing, [.csv]),
      ("--channel", channel != nil, writesCSV ? Format.allCases : [.csv]),
      ("--strict", strict, [.csv, .gpslogger, .gpx, .nmea, .gpsbabel]),
      ("--waypoints-as-places", waypointsAsPlaces, [.gpx, .gpsbabel]),
      ("--meters-per-hdop", metersPerHDOP != nil, [.gpx, .nmea, .gpsbabel]),
      ("--assume-interval", assumeInterval != nil, [.gpx, .gpsbabel]),
    ]
    for option in given where option.isGiven && !option.formats.contains(format) {
      throw CommandError(
        .wrongUse, "\(option.name) says nothing about a \(format.rawValue) file such as \(input)")
    }
  }

  private var writesCSV: Bool { output.lowercased().hasSuffix(".csv") }

  /// Where to write.
  private func checkedOutput() throws -> String {
    let ending = URL(fileURLWithPath: output).pathExtension.lowercased()
    guard splitBy != nil || ["h5", "hdf5", "csv"].contains(ending) else {
      throw CommandError(
        .wrongUse,
        "\(output): expected a name that ends in .h5, .hdf5 or .csv, which says what to write")
    }
    guard splitBy == nil else { return output }
    return try OutputFile.checked(output, inputs: [input] + [reference].compactMap { $0 })
  }

  private func originByName() throws -> Origin {
    let head = try? FileHandle(forReadingFrom: URL(fileURLWithPath: input)).read(upToCount: 4096)
    let bytes = Array(head ?? Data())
    if mapping == nil, NMEAReader.recognise(bytes) != nil { return Origin(.nmea) }
    switch URL(fileURLWithPath: input).pathExtension.lowercased() {
    case "csv", "tsv", "txt":
      return mapping == nil && GPSLoggerReader.recognise(bytes) != nil
        ? Origin(.gpslogger) : Origin(.csv)
    case "gpx": return Origin(.gpx)
    case "h5", "hdf5": return Origin(.native)
    case _ where Gpsbabel.recognise(input) != nil: return Origin(.gpsbabel)
    case let other:
      throw CommandError(
        .wrongUse,
        "\(input): expected a file named .csv, .tsv, .txt, .gpx, .h5 or .hdf5, found "
          + (other.isEmpty ? "no ending" : ".\(other)") + "; say what it is with --from")
    }
  }

  private func csvOptions() throws -> CSVOptions {
    guard let mapping else {
      throw CommandError(
        .wrongUse,
        "\(input): a plain CSV needs --map, e.g. --map 'time=t,x=ax[g],y=ay[g],z=az[g]'")
    }
    var options = CSVOptions(mapping: try parsingArguments { try CSVMapping(parsing: mapping) })
    if let channel {
      guard let found = Channel(name: channel) else {
        throw CommandError.unknown("channel", channel, known: Channel.allCases.map(\.name))
      }
      options.channel = found
    }
    options.gravity = gravity
    if let separator {
      let names: [String: Character] = [",": ",", ";": ";", "\t": "\t", "tab": "\t", "\\t": "\t"]
      guard let character = names[separator] else {
        throw CommandError(.wrongUse, "--separator \(separator): expected , or ; or tab")
      }
      options.separator = character
    }
    options.epochUnix = epoch == .unix
    options.splitBy = splitBy
    if let columns {
      options.metadata = try parsingArguments { try CSVMetadata(parsing: columns) }
    }
    options.referenceColumn = referenceColumn
    if let referenceTask {
      guard let task = ReferenceTask(rawValue: referenceTask) else {
        throw CommandError.unknown(
          "task", referenceTask, known: ReferenceTask.allCases.map(\.rawValue),
          place: "--reference-task")
      }
      guard referenceColumn != nil else {
        throw CommandError(
          .wrongUse, "--reference-task \(referenceTask): expected a --reference-column with it")
      }
      options.referenceTask = task
    }
    options.noEventLabel = noEventLabel
    options.sort = sort
    options.strict = strict
    options.nanIsMissing = nanIsMissing
    options.id = id
    return options
  }

  private func gpxOptions() throws -> GPXOptions {
    var options = GPXOptions()
    options.id = id
    options.sort = sort
    options.strict = strict
    options.waypointsAsPlaces = waypointsAsPlaces
    options.metersPerHDOP = metersPerHDOP
    if let assumeInterval {
      guard let interval = Quantity.duration(of: assumeInterval), interval > .zero else {
        throw CommandError(
          .wrongUse, "--assume-interval \(assumeInterval): expected a time such as 1s")
      }
      options.assumeInterval = interval
    }
    return options
  }

  /// A wrong argument is wrong use, not bad data.
  private func parsingArguments<Value>(_ parse: () throws -> Value) throws -> Value {
    do {
      return try parse()
    } catch {
      throw CommandError(.wrongUse, "\(error)")
    }
  }

  // MARK: What the options add

  private func complete(_ imported: inout Imported) throws {
    var header = imported.trace.header
    if let id, splitBy == nil { header.id = id }
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

  /// The file's own reference sets with what the options put in their place.
  private func references(
    of header: TraceHeader, _ imported: inout Imported
  ) throws -> [ReferenceSet] {
    var sets = header.references
    if let reference {
      let events = try LabelReader.read(
        reference, for: header.id, origin: imported.trace.labelOrigin)
      guard !events.isEmpty else {
        throw CommandError(
          .badData,
          "\(reference): expected labels of \(header.id), found none; name the trace with --id as "
            + "the file names it, or say --without punch")
      }
      let inside = try labels(events, within: header, of: reference, imported.trace.labelOrigin)
      imported.labelsOutside = events.count - inside.count
      sets.removeAll { $0.task == .punch }
      sets.append(ReferenceSet(task: .punch, events: inside))
    }
    for name in without {
      guard let task = ReferenceTask(rawValue: name) else {
        throw CommandError.unknown(
          "task", name, known: ReferenceTask.allCases.map(\.rawValue), place: "--without")
      }
      sets.removeAll { $0.task == task }
      sets.append(ReferenceSet(task: task, events: []))
    }
    if let tolerance {
      guard let value = Quantity.duration(of: tolerance) else {
        throw CommandError(
          .wrongUse, "--tolerance \(tolerance): expected a time such as 400ms")
      }
      for index in sets.indices { sets[index].tolerance = value }
    }
    if let definition {
      for index in sets.indices { sets[index].definition = definition }
    }
    return sets
  }

  /// The labels within the recording: one beyond it can never be found, and most of them there say
  /// that they belong to something else or count in another unit.
  private func labels(
    _ events: [ReferenceEvent], within header: TraceHeader, of file: String, _ origin: Int64
  ) throws -> [ReferenceEvent] {
    let inside = events.filter { $0.onset >= .zero && $0.onset <= header.end }
    let first = events.first { $0.onset < .zero || $0.onset > header.end }
    guard let first, inside.count * 2 < events.count else { return inside }
    let isLarge = (events.map(\.onset).max() ?? .zero).seconds > 100 * header.end.seconds
    throw CommandError(
      .badData,
      "\(file): expected onsets within the \(header.end.seconds) s of \(header.id), found "
        + "\(events.count - inside.count) of \(events.count) outside, the first at "
        + "\(first.onset.advanced(byNanoseconds: origin).seconds) s"
        + (isLarge ? "; are they in milliseconds? Labels count in seconds" : ""))
  }

  // MARK: Writing

  private func write(_ traces: [Imported], to target: String, terminal: Terminal) throws {
    if splitBy != nil {
      try makeFolder(output)
      let names = traces.map { fileName($0.trace.header.id) }
      if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
        let ids = zip(names, traces).filter { $0.0 == name }.map(\.1.trace.header.id)
        throw CommandError(
          .badData,
          "\(input): the parts \(ids.joined(separator: ", ")) would all be \(name).h5; change the "
            + "values of column \(splitBy ?? "") or split by another")
      }
      for (index, (name, trace)) in zip(names, traces).enumerated() {
        try NativeTrace.write(trace.source, to: "\(output)/\(name).h5")
        terminal.progress(index + 1, of: traces.count, "traces")
      }
      terminal.endProgress()
      return
    }
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
    if let channel {
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

  private func report(_ imported: [Imported], to terminal: Terminal) {
    let samples = imported.reduce(0) { sum, each in
      sum + each.header.channels.reduce(0) { $0 + $1.count }
    }
    let channels = imported.map(\.header.channels.count).max() ?? 0
    let seconds = imported.reduce(0) { $0 + $1.trace.header.end.seconds }
    let what = imported.count == 1 ? "1 trace" : "\(imported.count) traces"
    terminal.say(
      "\(input) -> \(output): \(what), \(samples) readings"
        + (channels > 1 ? " in \(channels) channels" : "") + ", \(fixed(seconds, 1)) s")
    for each in imported {
      let (report, id) = (each.trace.report, each.trace.header.id)
      let prefix = imported.count == 1 ? "  " : "  \(id): "
      if report.missing > 0 { terminal.say("\(prefix)\(report.missing) missing samples") }
      if report.duplicatedTimes > 0 {
        let what = repairing.repair ? "" : ", kept as they are"
        terminal.say("\(prefix)\(report.duplicatedTimes) duplicated times\(what)")
      }
      if report.backwardTimes > 0 {
        let isInOrder = sort || repairing.repair
        let what = isInOrder ? "put in order" : "kept as they are; --sort reorders them"
        terminal.say("\(prefix)\(report.backwardTimes) backward times, \(what)")
      }
      for finding in report.findings { terminal.say("\(prefix)\(finding.message)") }
      for note in report.notes + each.repairs { terminal.say(prefix + note) }
      if report.losses.count > 0 {
        terminal.warn("\(prefix)\(report.losses.count) damaged records were left out:")
        for loss in report.losses.first { terminal.warn("    \(loss)") }
        let rest = report.losses.count - report.losses.first.count
        if rest > 0 { terminal.warn("    and \(rest) more") }
      }
      if each.labelsOutside > 0 {
        terminal.warn("\(prefix)\(each.labelsOutside) labels lie outside the recording: left out")
      }
      if !each.replaced.isEmpty {
        terminal.warn("\(prefix)replaced: \(each.replaced.joined(separator: ", "))")
      }
      if let set = each.trace.header.reference(.punch), reference != nil || referenceColumn != nil {
        terminal.say("\(prefix)\(set.events.count) reference punches")
      }
    }
    let names = imported.flatMap {
      $0.trace.report.unmappedColumns + $0.unread + leftOut(of: $0.header)
    }
    if !names.isEmpty {
      var seen: Set<String> = []
      let ordered = names.filter { seen.insert($0).inserted }
      terminal.say("  not taken over: \(ordered.joined(separator: ", "))")
    }
  }

  /// What of a trace a CSV of one channel does not hold.
  private func leftOut(of header: TraceHeader) -> [String] {
    guard writesCSV else { return [] }
    let written = channel ?? header.channels.first?.channel.name
    var names = header.channels.map(\.channel.name).filter { $0 != written }
    names += header.references.map { "reference \($0.task.rawValue)" }
    if header.track != nil { names.append("reference track") }
    if !header.places.isEmpty { names.append("places") }
    if !header.ignoreZones.isEmpty { names.append("ignore zones") }
    return names + ["subject, device and the other facts of the header"]
  }
}
