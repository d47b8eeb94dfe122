import ArgumentParser
import Diagnostics
import Evaluation
import Files
import Reports
import Results
import TraceFixtures
import TraceModel

struct ExportCommand: WritingCommand, DetectingCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract:
      "Writes tracks as maps, traces as fixtures of an app's tests, or results for CI services.",
    usage: "shadowbox export <file> ... --output <output> [<options>]",
    discussion: """
      The output's extension decides what is written.

      A trace of positions becomes GPX (.gpx), GeoJSON (.geojson) or KML (.kml): all fixes, those \
      that the detector accepts and rejects, the places, the events of the detector, and the true \
      path, visits and splits where they are known. A trace without a known wall clock has seconds \
      since its start instead of dates, unless --start states one. A fix without a valid position \
      is left out.

      A trace of accelerations becomes a sound (.wav), and its references become a label track (--as \
      audacity): Audacity opens both, and convert --reference reads the labels that it saves.

      A results file of run becomes JUnit XML (.xml), Markdown (.md), OpenMetrics (.txt), or with \
      --as JSON of github-action-benchmark (benchmark: less is better; benchmark-bigger) or a badge.

      A fixture (.trace) is a trace as lines of text. An app's test reads it without HDF5, with the \
      product ShadowboxTesting. It holds the whole trace, bit by bit; convert makes a native trace of \
      it again.

      One trace goes into a file, or into a folder under its id. Several traces go into a folder. \
      Cut a long trace with trim first.

      EXAMPLES:
        shadowbox export run.h5 -o run.gpx
        shadowbox export run.h5 -o clean.gpx --fixes accepted
        shadowbox export route.h5 -o route.kml --detector checkin --policy
        shadowbox export runs --as geojson -o maps
        shadowbox export punch.h5 -o punch.wav
        shadowbox export punch.h5 -o punch.txt --as audacity
        shadowbox export punch.h5 -o Tests/Fixtures/punch.trace --channels user_acceleration
        shadowbox export traces/synthetic -o Tests/Fixtures
        shadowbox export out/results.h5 -o out/junit.xml
      """)

  @Argument(help: .init("Native traces or folders of them, or one results file.", "file"))
  var files: [String]

  @Option(
    name: .shortAndLong,
    help: "The file to write (.gpx, .geojson, .kml, .wav, .trace, .xml, .md, .txt), or a folder.")
  var output: String

  @Option(name: .customLong("as"), help: "What to write; default: by the output's extension.")
  var kind: ExportKind?

  @Option(
    help: .init(
      "In fixtures, only these channels, separated by commas; in a sound, this one.", "channels"))
  var channels: String?

  @Option(help: .init("In a label track, this reference, e.g. punch.", "task"))
  var reference: String?

  @Option(help: "In maps, all fixes or only accepted ones.") var fixes: ExportedFixes?

  @Option(
    help: .init("In maps, the start of traces whose wall clock is not known.", "date and time"))
  var start: String?

  @OptionGroup(title: "Detector") var detector: DetectorOptions
  @OptionGroup(title: "Person") var person: PolicyOptions
  @OptionGroup var writing: WritingOptions

  func run(_ registry: DetectorRegistry) async throws {
    let kind = try kind ?? ExportKind(output: output)
    try checkUse(of: kind)
    if let format = kind.results {
      try requireUse(
        files.count == 1,
        "--as \(kind.rawValue): expected one results file, found \(counted(files.count, "file"))")
      let target = try outputFiles.checked(output, format.outputKind, inputs: files)
      let results = try MeasuredResults(reading: files[0])
      try outputFiles.prepared(format.text(of: results), at: target).commit()
      terminal.say("\(files[0]) -> \(output)")
    } else if let map = kind.map {
      try exportMaps(as: map, registry)
    } else if kind == .wav {
      try exportSounds()
    } else if kind == .audacity {
      try exportLabelTracks()
    } else {
      try exportFixtures()
    }
  }

  /// - Throws: if an option has no effect on what is written.
  private func checkUse(of kind: ExportKind) throws {
    let (isMap, maps) = (kind.map != nil, "gpx, geojson and kml")
    for (option, isGiven, hasEffect, others) in [
      ("--channels", channels != nil, [.fixture, .wav].contains(kind), "fixtures and sounds"),
      ("--reference", reference != nil, kind == .audacity, "audacity"),
      ("--detector", detector.detector != nil, isMap, maps),
      ("--parameters", !detector.parameters.isEmpty, isMap, maps),
      ("--policy", person.policy, isMap, maps), ("--fixes", fixes != nil, isMap, maps),
      ("--start", start != nil, isMap, maps),
    ] {
      try requireUse(
        !isGiven || hasEffect,
        "\(option) has no effect on --as \(kind.rawValue), only on \(others)")
    }
  }

  /// Writes each trace into a file of its own.
  ///
  /// - Parameters:
  ///   - noun: what is written, in the plural.
  ///   - read: reads a trace, and makes of it what is written.
  ///   - write: writes that into the file with this path, which messages name `name`.
  func export<Content>(
    _ outputKind: OutputKind, _ noun: String, read: (_ input: String) throws -> (String, Content),
    write: (_ input: String, Content, _ target: String, _ name: String) throws -> Void
  ) throws {
    let inputs = try TracePath.nativeTraces(files)
    if outputKind.endings.contains(TracePath.ending(of: output)), !TracePath.isFolder(output) {
      try requireUse(
        inputs.count == 1,
        "\(output): expected a folder for the \(noun) of \(inputs.count) traces, found a file name")
      let target = try outputFiles.checked(output, outputKind, inputs: inputs + detector.files)
      return try write(inputs[0], read(inputs[0]).1, target, output)
    }
    var names: [String: String] = [:]
    for (index, input) in inputs.enumerated() {
      let (id, content) = try read(input)
      let name = TracePath.fileName(id) + "." + outputKind.endings[0]
      if let other = names.updateValue(input, forKey: name) {
        throw badData(
          "\(input): expected a unique id, found \(id) as in \(other); change it with convert --id")
      }
      let path = TracePath.path(of: name, in: output)
      if index == 0 { try outputFiles.makeReportedFolder(output) }
      let target = try outputFiles.checked(path, outputKind, inputs: inputs + detector.files)
      try write(input, content, target, path)
      terminal.progress(index + 1, of: inputs.count, "traces")
    }
    terminal.endProgress()
  }

  private func exportFixtures() throws {
    try export(.fixture, "fixtures") { input in
      var file = try TraceFile(reading: input)
      if let chosen = try file.channels(named: channels) {
        for info in file.trace.header.channels where !chosen.contains(info.channel) {
          file.trace.remove(info.channel)
        }
      }
      return (file.trace.header.id, file)
    } write: { input, file, target, name in
      let bytes = try file.trace.fixture()
      try outputFiles.write(bytes, to: target)
      let size = grouped((Double(bytes.count) / 1024).rounded(.up))
      terminal.say("\(input) -> \(name): \(file.trace.sizeText), \(size) KiB")
      terminal.reportLeftOut(file.unread)
    }
  }
}

enum ExportedFixes: String, CaseIterable, ExpressibleByArgument {
  case all, accepted
}

enum ExportKind: String, CaseIterable, ExpressibleByArgument {
  /// A trace for the tests of an app.
  case fixture
  case junit, markdown
  case openMetrics = "open-metrics"
  case benchmark
  case benchmarkBigger = "benchmark-bigger"
  case badge
  case gpx, geojson, kml
  /// A signal as a sound, and references as a label track of Audacity.
  case wav, audacity

  /// The format of maps; nil = not a map.
  var map: TrackMapFormat? { TrackMapFormat(rawValue: rawValue) }

  /// The format of results; nil = not results but a trace.
  var results: ResultsExport? { ResultsExport(rawValue: rawValue) }

  private static let endings: [String: ExportKind] = [
    "": .fixture, "trace": .fixture, "wav": .wav, "gpx": .gpx, "geojson": .geojson, "kml": .kml,
    "xml": .junit, "md": .markdown, "txt": .openMetrics, "prom": .openMetrics, "om": .openMetrics,
  ]

  /// The kind of an output by its extension; a name without one is a folder of fixtures.
  /// - Throws: if several kinds, or none, have that extension.
  init(output: String) throws {
    guard let kind = Self.endings[TracePath.isFolder(output) ? "" : TracePath.ending(of: output)]
    else {
      throw wrongUse(
        "\(output): expected a name that ends in .trace, .gpx, .geojson, .kml, .wav, .xml, .md or .txt, "
          + "or a folder; name one, or state what to write with --as")
    }
    self = kind
  }
}
