import Evaluation
import Diagnostics
import ArgumentParser
import Detectors
import Foundation
import TraceFormats
import TraceModel

/// The options of every command that reads recordings of any format.
struct ImportOptions: ParsableArguments {
  enum Epoch: String, ExpressibleByArgument, CaseIterable {
    case unix
  }

  @Option(
    help: ArgumentHelp(
      "The recording's format; default: its content decides.", valueName: "format"))
  var from: ImportFormat?

  @Option(name: .customLong("map"), help: "CSV: the columns with their units.")
  var mapping: String?

  @Option(help: "CSV: the channel of x, y and z (acceleration, user_acceleration, rotation_rate).")
  var channel: String?

  @Option(
    help: ArgumentHelp(
      "CSV: whether the acceleration includes gravity.", valueName: "included|removed"),
    transform: oneOf)
  var gravity: GravityStatement?

  @Option(help: "CSV: the separator (comma, semicolon, tab); default: the header line decides.")
  var separator: String?

  @Option(help: "CSV: the epoch of numeric times; unix = 1970-01-01T00:00:00Z.")
  var epoch: Epoch?

  @Option(help: ArgumentHelp("CSV: one trace per value of this column.", valueName: "column"))
  var splitBy: String?

  @Option(
    help: ArgumentHelp(
      "CSV: columns with constant facts, e.g. subject=person,activity=exercise.",
      valueName: "key=column"))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "CSV: a column with a label per sample; each run of one label becomes a punch.",
      valueName: "column"))
  var referenceColumn: String?

  @Option(
    help: ArgumentHelp(
      "CSV: the task of the runs of one label, e.g. visit; default: punch.", valueName: "task"))
  var referenceTask: String?

  @Option(help: "CSV: the label of samples without an event.")
  var noEventLabel: String?

  @Flag(help: "CSV: read NaN and empty cells as missing samples, not as damage.")
  var nanIsMissing = false

  @Option(
    help: ArgumentHelp(
      "phyphox: report pauses, which its clock hides (keep), or insert them (insert).",
      valueName: "keep|insert"),
    transform: oneOf)
  var pauses: PauseTreatment?

  @Option(
    help: ArgumentHelp(
      "Sensor Logger, SensorLog: keep signs (recorded), or invert those of iOS (android).",
      valueName: "recorded|android"),
    transform: oneOf)
  var signs: SignConvention?

  @Flag(help: "GPX: read waypoints as places.")
  var waypointsAsPlaces = false

  @Option(help: ArgumentHelp("The radius of these places, e.g. 50m.", valueName: "length"))
  var waypointRadius: String?

  @Option(
    help: ArgumentHelp(
      "GPX, NMEA: the horizontal accuracy in metres per unit of HDOP.",
      valueName: "metres"))
  var metersPerHDOP: Double?

  @Option(help: "GPX without times: the interval between points, e.g. 1s.")
  var assumeInterval: String?

  /// Reads a recording.
  ///
  /// - Parameters:
  ///   - id: the trace's id; nil = the file's name without its endings.
  ///   - sort: whether to sort readings by arrival.
  ///   - strict: whether to stop at the first damaged record.
  ///   - writesChannel: whether ``channel`` names the channel to write.
  func read(
    _ input: String, id: String? = nil, sort: Bool = false, strict: Bool = false,
    writesChannel: Bool = false
  ) throws -> RecordingFile {
    var options = RecordingOptions()
    options.id = id
    options.sort = sort
    options.strict = strict
    options.csv = try csvOptions()
    options.gpx = try gpxOptions()
    if let pauses { options.pauses = pauses }
    if let signs { options.signs = signs }
    let recognised = try RecordingFile.recognise(input, as: from, isMapped: mapping != nil)
    try check(for: recognised.format, input, strict: strict, writesChannel: writesChannel)
    return try RecordingFile.read(input, recognised, options: options)
  }

  /// Refuses options that have no effect on the format.
  private func check(
    for format: ImportFormat, _ input: String, strict: Bool, writesChannel: Bool
  ) throws {
    let csv: Set<String> = ["csv"]
    let gpx: Set<String> = ["gpx", "gpsbabel"]
    let given: [(name: String, isGiven: Bool, formats: Set<String>)] = [
      ("--map", mapping != nil, csv), ("--gravity", gravity != nil, csv),
      ("--separator", separator != nil, csv), ("--epoch", epoch != nil, csv),
      ("--split-by", splitBy != nil, csv), ("--columns", columns != nil, csv),
      ("--reference-column", referenceColumn != nil, csv),
      ("--reference-task", referenceTask != nil, csv),
      ("--no-event-label", noEventLabel != nil, csv), ("--nan-is-missing", nanIsMissing, csv),
      ("--channel", channel != nil && !writesChannel, csv),
      ("--pauses", pauses != nil, ["phyphox"]),
      ("--signs", signs != nil, ["sensorlogger", "sensorlog"]),
      ("--waypoints-as-places", waypointsAsPlaces, gpx),
      ("--waypoint-radius", waypointRadius != nil, gpx),
      ("--meters-per-hdop", metersPerHDOP != nil, gpx.union(["nmea"])),
      ("--assume-interval", assumeInterval != nil, gpx),
    ]
    for option in given where option.isGiven && !option.formats.contains(format.name) {
      throw Failure(
        .wrongUse, "\(option.name) has no effect on a \(format.name) file such as \(input)")
    }
    if strict, format.name == RecordingFormat.native.rawValue {
      throw Failure(
        .wrongUse, "--strict has no effect on a native file such as \(input)")
    }
  }

  private func csvOptions() throws -> CSVOptions {
    var options = CSVOptions()
    if let mapping {
      options.mapping = try parsingArguments { try CSVMapping(parsing: mapping) }
    }
    if let channel {
      guard let found = Channel(name: channel) else {
        throw Failure.unknown("channel", channel, known: Channel.allCases.map(\.name))
      }
      options.channel = found
    }
    options.gravity = gravity
    options.separator = try separatorCharacter()
    options.epochUnix = epoch == .unix
    options.splitBy = splitBy
    if let columns {
      options.metadata = try parsingArguments { try CSVMetadata(parsing: columns) }
    }
    options.referenceColumn = referenceColumn
    if let task = try task() { options.referenceTask = task }
    options.noEventLabel = noEventLabel
    options.requiresNoEventLabel = true
    options.nanIsMissing = nanIsMissing
    return options
  }

  private func separatorCharacter() throws -> Character? {
    guard let separator else { return nil }
    let names: [String: Character] = [
      ",": ",", "comma": ",", ";": ";", "semicolon": ";", "\t": "\t", "tab": "\t", "\\t": "\t",
    ]
    guard let character = names[separator] else {
      throw Failure(
        .wrongUse, "--separator \(separator): expected comma, semicolon or tab")
    }
    return character
  }

  private func task() throws -> ReferenceTask? {
    guard let referenceTask else { return nil }
    guard let task = ReferenceTask(rawValue: referenceTask) else {
      throw Failure.unknown(
        "task", referenceTask, known: ReferenceTask.allCases.map(\.rawValue),
        place: "--reference-task")
    }
    guard referenceColumn != nil else {
      throw Failure(
        .wrongUse, "--reference-task \(referenceTask): expected --reference-column too")
    }
    return task
  }

  private func gpxOptions() throws -> GPXOptions {
    var options = GPXOptions()
    options.waypointsAsPlaces = waypointsAsPlaces
    options.metersPerHDOP = metersPerHDOP
    if let waypointRadius {
      guard waypointsAsPlaces, let radius = Quantity.value(of: waypointRadius, unit: .meters),
        radius > 0
      else {
        throw Failure(
          .wrongUse,
          "--waypoint-radius \(waypointRadius): expected a length such as 50m, and "
            + "--waypoints-as-places")
      }
      options.waypointRadius = radius
    }
    if let assumeInterval {
      guard let interval = Quantity.duration(of: assumeInterval), interval > .zero else {
        throw Failure(
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
      throw Failure(.wrongUse, "\(error)")
    }
  }
}
