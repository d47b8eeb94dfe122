import ArgumentParser
import Diagnostics
import Files
import Foundation
import Reports
import TraceFixtures
import TraceModel

struct ExportCommand: WritingCommand {
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

  @Argument(
    help: .init("Native traces or folders of them, or one results file.", valueName: "file"))
  var files: [String]

  @Option(
    name: .shortAndLong,
    help: "The file to write (.gpx, .geojson, .kml, .wav, .trace, .xml, .md, .txt), or a folder.")
  var output: String

  @Option(name: .customLong("as"), help: "What to write; default: by the output's extension.")
  var kind: ExportKind?

  @Option(
    help: .init(
      "In fixtures, only these channels, separated by commas; in a sound, this one.",
      valueName: "channels"))
  var channels: String?

  @Option(help: .init("In a label track, this reference, e.g. punch.", valueName: "task"))
  var reference: String?

  @Option(help: "In maps, all fixes or only accepted ones.")
  var fixes: ExportedFixes?

  @Option(
    help: .init(
      "In maps, the instant at which a trace starts whose wall clock is not known.",
      valueName: "date and time"))
  var start: String?

  @OptionGroup(title: "Detector") var detector: DetectorOptions
  @OptionGroup(title: "Person") var person: PolicyOptions

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    let kind = try kind ?? ExportKind(output: output)
    try checkUse(of: kind)
    if let results = kind.results {
      try requireUse(
        files.count == 1,
        "--as \(kind.rawValue): expected one results file, found \(counted(files.count, "file"))")
      try exportResults(files[0], as: results, to: output, of: outputFiles)
      terminal.say("\(files[0]) -> \(output)")
    } else if let map = kind.map {
      try exportMaps(as: map)
    } else if kind == .wav {
      try exportSounds()
    } else if kind == .audacity {
      try exportLabelTracks()
    } else {
      try export(.fixture, "fixtures", read: readFixture, write: writeFixture)
    }
  }

  /// - Throws: if an option has no effect on what is written.
  private func checkUse(of kind: ExportKind) throws {
    func require(_ isUnused: Bool, _ option: String, _ others: String) throws {
      try requireUse(
        isUnused, "\(option): it has no effect on --as \(kind.rawValue), only on \(others)")
    }
    try require(
      channels == nil || [.fixture, .wav].contains(kind), "--channels", "fixtures and sounds")
    try require(reference == nil || kind == .audacity, "--reference", "audacity")
    guard kind.map == nil else { return }
    let maps = "gpx, geojson and kml"
    try require(!detector.isNamed, detector.detector == nil ? "--parameters" : "--detector", maps)
    try require(!person.policy, "--policy", maps)
    try require(fixes == nil, "--fixes", maps)
    try require(start == nil, "--start", maps)
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
        throw Failure(
          .badData,
          "\(input): expected a unique id, found \(id), which is also the id of \(other); change "
            + "one with convert --id")
      }
      let path = URL(fileURLWithPath: output).appending(path: name).relativePath
      if index == 0 { try outputFiles.makeReportedFolder(output) }
      let target = try outputFiles.checked(path, outputKind, inputs: inputs + detector.files)
      try write(input, content, target, path)
      terminal.progress(index + 1, of: inputs.count, "traces")
    }
    terminal.endProgress()
  }

  // MARK: Fixtures

  /// Reads a trace and keeps the chosen channels.
  private func readFixture(_ input: String) throws -> (String, TraceFile) {
    var file = try TraceFile(reading: input)
    if let chosen = try file.channels(named: channels) {
      for info in file.trace.header.channels where !chosen.contains(info.channel) {
        file.trace.remove(info.channel)
      }
    }
    return (file.trace.header.id, file)
  }

  private func writeFixture(
    of input: String, _ file: TraceFile, to target: String, _ name: String
  ) throws {
    let bytes = try file.trace.fixture()
    try outputFiles.makeParent(of: target)
    let output = try AtomicFile(path: target)
    try output.write(bytes: bytes)
    try output.commit()
    let size = grouped((Double(bytes.count) / 1024).rounded(.up))
    terminal.say("\(input) -> \(name): \(file.trace.sizeText), \(size) KiB")
    terminal.reportLeftOut(file.unread)
  }
}

/// The fixes of a map.
enum ExportedFixes: String, CaseIterable, ExpressibleByArgument {
  case all, accepted
}

/// What `export` writes.
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

  /// The kind that an output's extension stands for; a name without one is a folder of fixtures.
  /// - Throws: if the extension stands for none, or for several.
  init(output: String) throws {
    let ending = TracePath.ending(of: output)
    if ["trace", ""].contains(ending) || TracePath.isFolder(output) {
      self = .fixture
    } else if ending == "wav" {
      self = .wav
    } else if let kind =
      (TrackMapFormat(rawValue: ending)?.rawValue
      ?? ResultsExport(ending: ending)?.rawValue).flatMap(ExportKind.init(rawValue:))
    {
      self = kind
    } else {
      throw Failure(
        .wrongUse,
        "\(output): expected a name that ends in .trace, .gpx, .geojson, .kml, .wav, .xml, .md or .txt, "
          + "or a folder; name one, or state what to write with --as")
    }
  }
}
