import ArgumentParser
import Detectors
import Files
import Reports
import TraceFormats
import TraceModel
import TraceTools

struct ConvertCommand: WritingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "convert",
    abstract: "Converts recordings to native traces, and native traces to CSV.",
    discussion: """
      Reads recordings of phyphox, Sensor Logger and SensorLog (a file, a folder or a zip archive), \
      GPX, NMEA 0183, GPSLogger, plain CSV, native traces, fixtures, and through gpsbabel FIT, \
      TCX, KML and some 150 other formats; each also packed with gzip. The content decides the \
      format, unless --from names it. Columns of a plain CSV are inferred if they have only one \
      meaning; otherwise the error proposes a --map. Nothing is repaired, resampled or filtered \
      without an option. The parts of a recording that no trace can hold are listed.

      Several recordings, or a folder of them, become one native trace each in the folder --output; \
      so does one recording if --output has no extension. If one recording fails, the others are still \
      converted; the exit code is that of the most severe failure.

      A mapping is target=column[unit], separated by commas. A column name with commas or brackets \
      needs quotes; #2 is the second column. Targets: time, arrived, date; x, y, z \
      of --channel, or acceleration.x, user_acceleration.x, rotation_rate.x and so on of several; \
      latitude, longitude, altitude, horizontal_accuracy, speed, speed_accuracy, course; local.x, \
      local.y; distance, pressure, heading, heading_accuracy; peer, sequence; touch.x, touch.y, \
      phase, pointer. Units: s ms us ns iso; m/s2 g mg; rad/s deg/s; deg rad semicircles; m km ft mi; \
      m/s km/h; Pa hPa kPa; pt. Times such as 2022-05-01T10:00:03Z are iso: time=t[iso]; a date and a \
      time of day in two columns are date=#1,time=#2.

      A file may be larger than memory, except with --sort if it is out of order.

      EXAMPLES:
        shadowbox convert walk.gpx -o walk.h5
        shadowbox convert phyphox.zip -o walk.h5
        shadowbox convert exports/ -o traces/
        shadowbox convert watch.csv --map 'time=t,x=ax[g],y=ay[g],z=az[g]' \\
          --gravity included --split-by rec --without punch -o watch/ \\
          --columns subject=subject,activity=exercise
        shadowbox convert Linear_Acceleration.csv --gravity removed \\
          --id cross-01 --map 'time=#1,x=#2,y=#3,z=#4' \\
          --reference beats.tsv --tolerance 400ms -o cross-01.h5
      """)

  @Argument(
    help: .init(
      "Recordings: files, folders of an app's export, and folders of recordings.", "recording"))
  var inputs: [String]

  @Option(
    name: .shortAndLong,
    help: "The trace to write (.h5, .csv); a folder for several recordings and with --split-by.")
  var output: String

  @Flag(help: "Sort readings by arrival (stable). May need all of them in memory.") var sort = false
  @Flag(help: "Stop at the first damaged record.") var strict = false
  @OptionGroup(title: "Reading") var importing: ImportOptions

  @Option(
    help: .init(
      "A label file (TSV with filename, onset, offset, event_label; Audacity) with punches.",
      "file"))
  var reference: String?

  @Option(help: "The tolerance between detections and these references, e.g. 400ms.")
  var tolerance: String?

  @Option(help: "The definition of an onset in the source of the references.")
  var definition: String?

  @Option(
    help: .init(
      "State that no event of this task happened: all its detections are false alarms.", "task"))
  var without: [String] = []

  @OptionGroup var truth: StatedTruth
  @OptionGroup var gravityRemoval: GravityOptions

  @Option(help: "The trace's name; default: the name of the file. Labels are looked up by it.")
  var id: String?
  @Option(help: "The person.") var subject: String?
  @Option(help: "The activity.") var activity: String?
  @Option(help: "The device.") var device: String?
  @Option(help: "The place of the device on the body.") var placement: String?
  @Option(help: "The size of the screen in points, e.g. 375x667, which touches need.")
  var screen: String?
  @Option(help: "The source of the recording.") var source: String?
  @Option(help: "The recording's licence (SPDX identifier).") var license: String?
  @OptionGroup var repairing: RepairOptions
  @OptionGroup var writing: WritingOptions

  func run() async throws {
    _ = try gravityRemoval.parameters()
    try truth.check(against: statedReferences(), isSplit: importing.splitBy != nil)
    try requireUse(id != "", "--id: expected a name, found none")
    let recordings = try importing.recordings(inputs)
    // A folder that exists, or a name without an extension.
    let isFolder =
      TracePath.isFolder(output) || output.hasSuffix("/")
      || !["", "-"].contains(output) && TracePath.ending(of: output).isEmpty
    let isIntoFolder = importing.splitBy == nil && isFolder
    guard recordings.paths.count == 1, !isIntoFolder else { return try convertEach(recordings) }
    var one = self
    one.inputs = recordings.paths
    try one.convert(reading: .init(recordings.paths), LabelFiles()).end()
  }

  /// The recording that is converted now.
  var input: String { inputs[0] }

  var writesCSV: Bool { TracePath.ending(of: output) == "csv" }

  /// A trace of the recording, completed by the options.
  struct Imported {
    var trace: ImportedTrace
    /// The filter that adds a channel without gravity; nil = no filter.
    var gravityFilter: GravityFilter.Parameters?
    /// The number of labels outside of the recording, which are left out.
    var labelsOutside = 0
    /// The parts that the options replaced.
    var replaced: [String] = []
    /// One line per repair.
    var repairs: [String] = []

    /// The trace to write, from its start.
    var source: any TraceSource {
      guard let gravityFilter else { return trace.source }
      return GravityFreeSource(trace.source, copy: trace.source, parameters: gravityFilter)
    }
  }

  /// - Parameters:
  ///   - inputs: all recordings that the command reads; no output may replace one.
  ///   - labels: the label files that were read for other recordings.
  func convert(reading inputs: OutputFiles.Inputs, _ labels: LabelFiles) throws -> ExitStatus {
    let target = try checkedOutput(reading: inputs)
    let recording = try importing.read(
      input, id: id, sort: sort, strict: strict, writesChannel: writesCSV)
    var imported = recording.traces.map { Imported(trace: $0) }
    for each in imported where each.trace.header.channels.allSatisfy({ $0.count == 0 }) {
      guard let loss = each.trace.report.losses.first.first else { continue }
      throw badData("\(input): all \(each.trace.report.losses.count) records are damaged: \(loss)")
    }
    for index in imported.indices {
      imported[index].repairs = try repairing.apply(to: &imported[index].trace)
      try complete(&imported[index], labels)
    }
    try write(imported, to: target)
    report(imported, of: recording)
    let isDataLost = imported.contains { $0.trace.report.losses.count > 0 || $0.labelsOutside > 0 }
    return isDataLost ? .dataLost : .done
  }

  /// Adds the facts that the options state.
  private func complete(_ imported: inout Imported, _ labels: LabelFiles) throws {
    var header = imported.trace.header
    if let id, importing.splitBy == nil { header.id = id }
    header.subject = subject ?? header.subject
    header.activity = activity ?? header.activity
    header.device = device ?? header.device
    header.placement = placement ?? header.placement
    header.screen = try screen.map(screenSize) ?? header.screen
    header.source = source ?? header.source
    header.license = license ?? header.license
    let sets = try references(of: header, &imported, labels)
    let counts = try counts(of: header, besides: sets)
    imported.replaced =
      header.references.filter { old in
        !sets.contains { $0.task == old.task && $0.events == old.events }
      }.map { "reference \($0.task.rawValue) (\(counted($0.events.count, "event")))" }
      + header.counts.filter { old in
        !counts.contains { $0.task == old.task && $0.count == old.count }
      }.map { "count of \($0.task.rawValue) (\($0.count))" }
    header.references = sets.sorted { $0.task < $1.task }
    header.counts = counts.sorted { $0.task < $1.task }
    imported.trace.header = header
    imported.gravityFilter = try gravityRemoval.parameters()
    if imported.gravityFilter != nil, try gravityRemoval.replacesChannel(of: header, input) {
      imported.replaced.append("channel user_acceleration")
    }
  }

  /// Parses a size such as `375x667`.
  private func screenSize(_ text: String) throws -> ScreenSize {
    try parsed(
      text, of: "--screen", "a width and a height of 10 to 100000 points, such as 375x667"
    ) {
      let sides = $0.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
      guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
      return ScreenSize(width: width, height: height)
    }
  }

  /// The options besides ``truth`` that state a reference.
  private func statedReferences() throws -> [(option: String, task: ReferenceTask)] {
    let column = importing.referenceTask.flatMap { ReferenceTask(rawValue: $0) } ?? .punch
    return (reference == nil ? [] : [("--reference", .punch)])
      + (importing.referenceColumn == nil ? [] : [("--reference-column", column)])
      + (try absentTasks().map { ("--without", $0) })
  }

  private func absentTasks() throws -> [ReferenceTask] {
    try without.map { try named($0, "task", place: "--without") }
  }

  /// The file's own counts, with those that the options replace.
  private func counts(
    of header: TraceHeader, besides sets: [ReferenceSet]
  ) throws -> [ReferenceCount] {
    var stated = try truth.counts()
    if let definition {
      for index in stated.indices { stated[index].definition = definition }
    }
    let kept = header.counts.filter { old in
      !stated.contains { $0.task == old.task } && !sets.contains { $0.task == old.task }
    }
    return kept + stated
  }

  /// The file's own reference sets, with those that the options replace.
  private func references(
    of header: TraceHeader, _ imported: inout Imported, _ files: LabelFiles
  ) throws -> [ReferenceSet] {
    var sets = header.references
    if let reference {
      let labels = try LabelReader.read(
        reference, of: files, within: header, origin: imported.trace.labelOrigin)
      imported.labelsOutside = labels.outside
      sets.removeAll { $0.task == .punch }
      sets.append(ReferenceSet(task: .punch, events: labels.events))
    }
    for task in try absentTasks() {
      sets.removeAll { $0.task == task }
      sets.append(ReferenceSet(task: task, events: []))
    }
    for count in try truth.counts() { sets.removeAll { $0.task == count.task } }
    if let tolerance {
      let value = try time(tolerance, of: "--tolerance")
      for index in sets.indices { sets[index].tolerance = value }
    }
    if let definition {
      for index in sets.indices { sets[index].definition = definition }
    }
    if var distance = try truth.distance(of: imported.trace.source, place: input) {
      sets.removeAll { $0.task == distance.task }
      if let definition {
        distance.definition =
          distance.isOfDevice ? "\(distance.definition); \(definition)" : definition
      }
      sets.append(distance)
    }
    return sets
  }
}

/// The options for the repairs that `validate` lists.
struct RepairOptions: ParsableArguments {
  @Flag(help: "Make the repairs that validate lists; each is reported with its count.")
  var repair = false

  @Flag(help: "Move different readings of the same time apart, towards the next reading's time.")
  var spreadTimes = false

  func validate() throws {
    if spreadTimes, !repair {
      throw ValidationError("--spread-times has no effect without --repair")
    }
  }

  /// Repairs a trace if an option asks for it. The whole trace is then in memory.
  /// - Returns: one line per repair.
  func apply(to imported: inout ImportedTrace) throws -> [String] {
    guard repair else { return [] }
    var trace = try imported.trace
    let findings = trace.repair(spreadingTimes: spreadTimes)
    guard !findings.isEmpty else { return ["nothing to repair"] }
    imported.replaceReadings(by: trace)
    return findings.map { finding in
      "repaired: \(finding.place): \(finding.repair ?? "") (\(finding.count) \(finding.code)): "
        + finding.message
    }
  }
}
