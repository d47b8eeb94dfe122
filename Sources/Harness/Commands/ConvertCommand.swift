import ArgumentParser
import Detectors
import Diagnostics
import Foundation
import Reports
import TraceFormats
import TraceModel

struct ConvertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Converts recordings to native traces, and native traces to CSV.",
    discussion: """
      Reads recordings of phyphox, Sensor Logger and SensorLog (a file, a folder or a zip archive), \
      GPX, NMEA 0183, GPSLogger, any plain CSV (by --map), native traces, and through gpsbabel FIT, \
      TCX, KML and some 150 other formats; each also packed with gzip. The content decides the \
      format, unless --from names it. Nothing is repaired, resampled or filtered without an option. \
      The parts of a recording that no trace holds are listed.

      Several recordings, or a folder of them, become one native trace each in the folder --output. \
      One recording that fails does not stop the others; the exit code is the gravest.

      A mapping is target=column[unit], separated by commas. A column name with commas or brackets \
      needs quotes; #2 is the second column. Targets: time, arrived, date; x, y, z \
      of --channel, or acceleration.x, user_acceleration.x, rotation_rate.x and so on of several; \
      latitude, longitude, altitude, horizontal_accuracy, speed, speed_accuracy, course; local.x, \
      local.y; distance, pressure, heading, heading_accuracy; peer, sequence. Units: s ms us ns iso; m/s2 g mg; rad/s deg/s; deg rad semicircles; m km ft mi; \
      m/s km/h; Pa hPa kPa. Times such as 2022-05-01T10:00:03Z are iso: time=t[iso]; a date and a \
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

      \(ExitStatus.help)
      """)

  @Argument(
    help: ArgumentHelp(
      "Recordings: files, folders of an app's export, and folders of recordings.",
      valueName: "recording"))
  var inputs: [String]

  @Option(
    name: .shortAndLong,
    help: "The trace to write (.h5, .csv); a folder for several recordings and with --split-by.")
  var output: String

  @Flag(
    help:
      "Sort readings by arrival (stable). May need all of them in memory."
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

  @Option(help: "The tolerance between detections and these references, e.g. 400ms.")
  var tolerance: String?

  @Option(help: "The definition of an onset in the source of the references.")
  var definition: String?

  @Option(
    help: ArgumentHelp(
      "State that no event of this task happened: every detection is a false alarm.",
      valueName: "task"))
  var without: [String] = []

  @OptionGroup var gravityRemoval: GravityOptions

  @Option(help: "The trace's name; default: the name of the file. Labels are looked up by it.")
  var id: String?
  @Option(help: "The person.")
  var subject: String?
  @Option(help: "The activity.")
  var activity: String?
  @Option(help: "The device.")
  var device: String?
  @Option(help: "The place of the device on the body.")
  var placement: String?
  @Option(help: "The source of the recording.")
  var source: String?
  @Option(help: "The recording's licence (SPDX identifier).")
  var license: String?

  @OptionGroup var repairing: RepairOptions
  @OptionGroup var writing: WritingOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let terminal = common.terminal
    _ = try gravityRemoval.parameters()
    guard id != "" else { throw Failure(.wrongUse, "--id: expected a name, found none") }
    let recordings = RecordingArguments(inputs, importing)
    guard recordings.hasFolder || inputs.count > 1 || isIntoFolder else {
      let status = try convert(reading: inputs, terminal)
      guard status == .done else { throw status.exitCode }
      return
    }
    try convertEach(recordings, terminal)
  }

  /// The recording that is converted now.
  var input: String { inputs[0] }

  /// Whether the output is a folder that exists, for traces with names of their own.
  private var isIntoFolder: Bool { importing.splitBy == nil && TraceArguments.isFolder(output) }

  var writesCSV: Bool { output.lowercased().hasSuffix(".csv") }

  /// Converts ``input``.
  /// - Parameter inputs: all recordings that the command reads; no output may replace one.
  func convert(reading inputs: [String], _ terminal: Terminal) throws -> ExitStatus {
    let target = try checkedOutput(reading: inputs)
    let recording = try importing.read(
      input, id: id, sort: sort, strict: strict, writesChannel: writesCSV)
    var imported = recording.traces.map { Imported($0, unread: recording.unread) }
    for each in imported where each.trace.header.channels.allSatisfy({ $0.count == 0 }) {
      guard let loss = each.trace.report.losses.first.first else { continue }
      throw Failure(
        .badData, "\(input): all \(each.trace.report.losses.count) records are damaged: \(loss)")
    }
    for index in imported.indices {
      imported[index].repairs = try repairing.apply(to: &imported[index].trace)
      try complete(&imported[index])
    }
    try write(imported, to: target, terminal: terminal)
    report(imported, recording.recognised, to: terminal)
    let isDataLost = imported.contains { $0.trace.report.losses.count > 0 || $0.labelsOutside > 0 }
    return isDataLost ? .dataLost : .done
  }
}
