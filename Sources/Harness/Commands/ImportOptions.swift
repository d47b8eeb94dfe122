import ArgumentParser
import Detectors
import Diagnostics
import Evaluation
import Foundation
import Reports
import TraceFormats
import TraceModel

/// The options of every command that reads recordings of any format.
struct ImportOptions: ParsableArguments {
  enum Epoch: String, ExpressibleByArgument, CaseIterable {
    case unix
  }

  @Option(help: .init("The recording's format; default: its content decides.", "format"))
  var from: ImportFormat?

  @Option(name: .customLong("map"), help: "CSV: the columns with their units.") var mapping: String?

  @Option(help: "CSV: the channel of x, y and z (acceleration, user_acceleration, rotation_rate).")
  var channel: String?

  @Option(
    help: .init(
      "CSV: whether the acceleration includes gravity.", "included|removed"), transform: oneOf)
  var gravity: GravityStatement?

  @Option(help: "CSV: the separator (comma, semicolon, tab); default: the header line decides.")
  var separator: String?

  @Option(help: "CSV: the epoch of numeric times; unix = 1970-01-01T00:00:00Z.") var epoch: Epoch?
  @Option(help: .init("CSV: one trace per value of this column.", "column")) var splitBy: String?

  @Option(
    help: .init(
      "CSV: columns with constant facts, e.g. subject=person,activity=exercise.", "key=column"))
  var columns: String?

  @Option(
    help: .init(
      "CSV: a column with a label per sample; each run of one label becomes a punch.", "column"))
  var referenceColumn: String?

  @Option(
    help: .init("CSV: the task of the runs of one label, e.g. visit; default: punch.", "task"))
  var referenceTask: String?

  @Option(help: "CSV: the label of samples without an event.") var noEventLabel: String?

  @Flag(help: "CSV: read NaN and empty cells as missing samples, not as damage.")
  var nanIsMissing = false

  @Option(
    help: .init(
      "phyphox: report pauses, which its clock hides (keep), or insert them (insert).",
      "keep|insert"), transform: oneOf)
  var pauses: PauseTreatment?

  @Option(
    help: .init(
      "Sensor Logger, SensorLog: keep signs (recorded), or invert those of iOS (android).",
      "recorded|android"), transform: oneOf)
  var signs: SignConvention?

  @Flag(help: "GPX: read waypoints as places.") var waypointsAsPlaces = false

  @Option(help: .init("The radius of these places, e.g. 50m.", "length"))
  var waypointRadius: String?

  @Option(help: .init("GPX, NMEA: the horizontal accuracy in metres per unit of HDOP.", "metres"))
  var metersPerHDOP: Double?

  @Option(help: "GPX without times: the interval between points, e.g. 1s.")
  var assumeInterval: String?

  /// - Parameters:
  ///   - id: the trace's id; nil = the file's name without its extensions.
  ///   - sort: whether to sort readings by arrival.
  ///   - strict: whether to stop at the first damaged record.
  ///   - writesChannel: whether ``channel`` names the channel to write.
  func read(
    _ input: String, id: String? = nil, sort: Bool = false, strict: Bool = false,
    writesChannel: Bool = false
  ) throws -> RecordingFile {
    var options = RecordingOptions()
    (options.id, options.sort, options.strict) = (id, sort, strict)
    (options.csv, options.gpx) = (try csvOptions(), try gpxOptions())
    (options.pauses, options.signs) = (pauses ?? options.pauses, signs ?? options.signs)
    let recognised = try RecordingFile.recognise(input, as: from, isMapped: mapping != nil)
    let format = recognised.format.name
    for (name, isGiven, formats) in effects(writesChannel: writesChannel) {
      try requireUse(
        !isGiven || formats.contains(format),
        "\(name) has no effect on a \(format) file such as \(input)")
    }
    try requireUse(
      !strict || format != RecordingFormat.native.rawValue,
      "--strict has no effect on a native file such as \(input)")
    return try RecordingFile.read(input, recognised, options: options)
  }

  /// The options that have an effect on some formats only, and these formats.
  private func effects(writesChannel: Bool) -> [(name: String, isGiven: Bool, Set<String>)] {
    let csv: Set = ["csv"]
    let gpx: Set = ["gpx", "gpsbabel"]
    return [
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
  }

  private func csvOptions() throws -> CSVOptions {
    var options = CSVOptions()
    options.mapping = try mapping.map { text in try asWrongUse { try CSVMapping(parsing: text) } }
    options.channel = try channel.map { name in
      guard let found = Channel(name: name) else {
        throw Failure.unknown("channel", name, known: Channel.allCases.map(\.name))
      }
      return found
    }
    options.separator = try separator.map {
      try parsed($0, of: "--separator", "comma, semicolon or tab") { Self.separators[$0] }
    }
    (options.gravity, options.epochUnix, options.splitBy) = (gravity, epoch == .unix, splitBy)
    options.metadata =
      try columns.map { text in try asWrongUse { try CSVMetadata(parsing: text) } }
      ?? options.metadata
    let column = referenceColumn
    if let referenceTask {
      options.referenceTask = try named(referenceTask, "task", place: "--reference-task")
    }
    for (option, value) in [
      ("--reference-task", referenceTask), ("--no-event-label", noEventLabel),
    ] {
      try refuse(option, value != nil, without: "--reference-column", column != nil)
    }
    (options.referenceColumn, options.noEventLabel) = (column, noEventLabel)
    (options.requiresNoEventLabel, options.nanIsMissing) = (true, nanIsMissing)
    return options
  }

  private static let separators: [String: Character] = [
    ",": ",", "comma": ",", ";": ";", "semicolon": ";", "\t": "\t", "tab": "\t", "\\t": "\t",
  ]

  private func gpxOptions() throws -> GPXOptions {
    var options = GPXOptions()
    (options.waypointsAsPlaces, options.metersPerHDOP) = (waypointsAsPlaces, metersPerHDOP)
    options.waypointRadius =
      try waypointRadius.map {
        try quantity(
          $0, .meters, of: "--waypoint-radius", "a length such as 50m, and --waypoints-as-places"
        ) { waypointsAsPlaces && $0 > 0 }
      } ?? options.waypointRadius
    options.assumeInterval = try time(assumeInterval, of: "--assume-interval", isAboveZero: true)
    return options
  }

  /// The recordings that the arguments of a command stand for.
  func recordings(_ arguments: [String]) throws -> RecordingList {
    try RecordingList(arguments, as: from, isMapped: mapping != nil)
  }

  /// Inspects recordings, several at a time. A recording that cannot be read does not hide the others.
  func inspect<Output: Sendable>(
    _ recordings: RecordingList, _ terminal: Terminal,
    _ body: @escaping @Sendable (Inspection) throws -> Output
  ) async throws -> [(path: String, outcome: Result<[Output], Failure>)] {
    if let note = recordings.note { terminal.say(note) }
    return try await parallelMap(
      recordings.paths, threads: ProcessInfo.processInfo.activeProcessorCount
    ) { path in
      (path, try Failure.catching { try Inspection.all(of: read(path), path: path).map(body) })
    }
  }
}
