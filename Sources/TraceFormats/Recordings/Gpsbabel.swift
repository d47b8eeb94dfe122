import ChildProcesses
import Diagnostics
import Files
import Foundation
import TraceModel

/// Reads recordings through the program `gpsbabel` (gpsbabel.org): FIT, TCX, KML and some 150 other
/// formats. It turns them into GPX 1.0, the version that keeps speed and course, on a pipe. The
/// distances of the odometer in a FIT or TCX file are read here, see ``OdometerFile``.
package struct Gpsbabel {
  /// A format of gpsbabel that can contain tracks.
  package struct Format: Equatable {
    package var name: String
    /// The file name extensions, without the dot.
    package var endings: [String]
    package var title: String
  }

  private let executable: String
  private let limit: Duration

  /// - Parameters:
  ///   - path: the folders to search for programs, see ``HelperProgram/file(path:)``.
  ///   - limit: the time after which the program counts as hung.
  /// - Throws: if it is not installed.
  package init(
    path: String? = ProcessInfo.processInfo.environment["PATH"],
    limit: Duration = .seconds(600)
  ) throws {
    guard let found = HelperProgram.gpsbabel.file(path: path) else {
      throw Failure(
        .fileError,
        "expected the program gpsbabel, which reads this format, found none on the PATH; install "
          + "it (Debian and Ubuntu: apt-get install gpsbabel; macOS: brew install gpsbabel), or "
          + "convert the recording to GPX")
    }
    executable = found
    self.limit = limit
  }

  /// The formats with tracks in gpsbabel's own list.
  package func formats() throws -> [Format] {
    let child = try start(["-^2"])
    let list = try FileHandle(fileDescriptor: child.output).readToEnd() ?? Data()
    guard child.finish() == .exited(0) else {
      throw Failure(.childFailed, "gpsbabel -^2: expected a list of formats: \(child.message)")
    }
    return String(decoding: list, as: UTF8.self).split(separator: "\n").compactMap(Self.format)
  }

  /// The format of a file, by its first bytes or else by its extension.
  /// - Throws: if no format or several formats have the extension.
  package func format(of path: String) throws -> (name: String, reason: String) {
    if let known = Self.recognise(path) { return known }
    let ending = TracePath.ending(of: path)
    let formats = try formats()
    let fitting = formats.filter { !ending.isEmpty && $0.endings.contains(ending) }
    if fitting.count == 1 { return (fitting[0].name, "its extension is .\(ending)") }
    let names = fitting.map { "\($0.name) (\($0.title))" }.joined(separator: ", ")
    throw Failure(
      .wrongUse,
      "\(path): expected a file whose format is known by its content or extension, found "
        + (fitting.isEmpty
          ? (ending.isEmpty ? "no extension" : "the extension .\(ending)")
          : "the extension .\(ending) of \(fitting.count) formats: \(names)")
        + "; name it with --from gpsbabel:FORMAT (gpsbabel -h lists them)")
  }

  /// Returns the format by the first bytes; nil = unknown. Does not need the program.
  package static func recognise(_ path: String) -> (name: String, reason: String)? {
    guard let head = head(of: path) else { return nil }
    // FIT Protocol, "File Header": the header's size, then this in bytes 8 to 11.
    if head.count >= 12, head[0] == 12 || head[0] == 14, head[8..<12].elementsEqual(".FIT".utf8) {
      return ("garmin_fit", "it has the signature of FIT")
    }
    if GzipInput.recognises(head) { return recognisePacked(path) }
    let text = String(decoding: head, as: UTF8.self)
    if text.contains("<TrainingCenterDatabase") {
      return ("gtrnctr", "it has the element TrainingCenterDatabase of TCX")
    }
    return text.contains("<kml") ? ("kml", "it has the element kml") : nil
  }

  /// Whether the first bytes name a feature, as a GeoJSON with tracks does (RFC 7946, section 3.2).
  static func isGeoJSON(_ path: String) -> Bool {
    head(of: path).map { String(decoding: $0, as: UTF8.self).contains("\"Feature") } ?? false
  }

  private static func head(of path: String) -> Data? {
    try? FileHandle(forReadingAtPath: path)?.read(upToCount: 4096)
  }

  /// Returns the format of a gzip file by its name.
  private static func recognisePacked(_ path: String) -> (name: String, reason: String)? {
    let known = ["fit": "garmin_fit", "tcx": "gtrnctr", "kml": "kml"]
    let ending = TracePath.ending(of: TracePath.stem(of: path))
    guard TracePath.ending(of: path) == "gz", let name = known[ending] else { return nil }
    return (name, "its extension is .\(ending).gz")
  }

  /// Parses a line of gpsbabel's list: kind, capabilities, name, endings, title. Capabilities are
  /// letters for reading and writing waypoints, tracks and routes.
  private static func format(_ line: Substring) -> Format? {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard cells.count >= 5, cells[0] == "file", cells[1].dropFirst(2).first == "r" else {
      return nil
    }
    return Format(
      name: String(cells[2]), endings: cells[3].split(separator: "/").map { $0.lowercased() },
      title: String(cells[4]))
  }

  /// Reads a file, its tracks one after the other.
  ///
  /// - Parameter format: a name from gpsbabel's list, with options if needed: `unicsv,utc=2`.
  /// - Throws: gpsbabel's message if it cannot read the file, and what ``GPXReader`` throws.
  package func read(_ path: String, format: String, options: GPXOptions) throws -> ImportedTrace {
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw Failure(.fileError, "\(path): expected a readable file, found none; check the path")
    }
    let isFIT = format.prefix { $0 != "," } == "garmin_fit"
    let unpacked = try Self.unpacked(path, isKept: !isFIT)
    if !isFIT { try XMLScanner.requireShallow(ByteSource(path: path)) }
    var options = options
    if options.id == nil { options.id = FilePath.unpackedStem(path) }
    let child = try start(
      [
        "-w", "-r", "-t", "-i", Self.absoluteStyle(format),
        "-f", unpacked == nil ? TracePath.absolute(path) : "-", "-o", "gpx,gpxver=1.0", "-F", "-",
      ], input: unpacked.map { .file($0.descriptor) } ?? .null)
    let found = Result {
      try GPXReader.read(
        descriptor: child.output, name: "\(path) as GPX", options: options,
        odometer: OdometerFile(path, format: format))
    }
    try requireSuccess(child.finish(), path: path, format: format, message: child.message)
    var trace = try found.get()
    trace.header.source = TracePath.lastName(path)
    trace.report.notes += notes(format: format, message: child.message)
    return trace
  }

  /// The format with the path of its style, the one option that names a file, as an absolute one.
  private static func absoluteStyle(_ format: String) -> String {
    format.split(separator: ",", omittingEmptySubsequences: false).map { option in
      option.hasPrefix("style=")
        ? "style=" + TracePath.absolute(String(option.dropFirst(6))) : option
    }.joined(separator: ",")
  }

  /// Unpacks a file for gpsbabel, which itself unpacks FIT only, and FIT only if it knows the file's size.
  /// - Parameter isKept: whether the bytes are returned; otherwise they are only counted.
  /// - Throws: if the file would fill gpsbabel's memory.
  private static func unpacked(_ path: String, isKept: Bool) throws -> TemporaryFile? {
    let input = PeekedInput(try FileInput(path: path))
    guard try GzipInput.recognises(input.peek(2)) else { return nil }
    let packed = try GzipInput(input, name: path)
    let file = isKept ? try TemporaryFile() : nil
    var (size, buffer) = (0, [UInt8](repeating: 0, count: 1 << 18))
    var points = PackedPoints()
    while true {
      let count = try packed.read(into: &buffer, at: 0)
      guard count > 0 else { return file }
      try file?.write(Array(buffer[..<count]), at: size)
      size += count
      let packedBytes = packed.packedBytes ?? size
      if !isKept {
        try ReaderBudget.requireFIT(size, from: packedBytes, path)
      } else {
        points.add(buffer[..<count])
        try ReaderBudget.requireRecords(points.count, from: packedBytes, path)
      }
    }
  }

  private func start(
    _ arguments: [String], input: ChildProcess.Stream = .null
  ) throws -> ProgramRun {
    do {
      return try HelperProgram.gpsbabel.start(executable, arguments, input: input, limit: limit)
    } catch {
      throw Failure(.childFailed, "\(executable): cannot be started: \(error)")
    }
  }

  private func requireSuccess(
    _ ending: ChildProcess.Ending, path: String, format: String, message: String
  ) throws {
    let (kind, found): (Failure.Kind, String)
    switch ending {
    case .exited(0): return
    case .exited(let status): (kind, found) = (.badData, "exit code \(status)")
    case .killed(let signal): (kind, found) = (.childFailed, "a crash with signal \(signal)")
    case .tookTooLong:
      (kind, found) = (.childFailed, "no end after \(limit.components.seconds) s")
    }
    let text = message.isEmpty ? "no message" : "the message \"\(message)\""
    let step =
      kind == .badData
      ? "name another format with --from gpsbabel:FORMAT (gpsbabel -h lists them)"
      : "convert the recording to GPX by other means"
    throw Failure(
      kind,
      "\(path): expected gpsbabel to read it as \(format), found \(found) and \(text); \(step)")
  }

  private func notes(format: String, message: String) -> [String] {
    var notes = ["gpsbabel read it as \(format)."]
    let name = format.prefix { $0 != "," }
    if let dropped = Self.dropped[String(name)] {
      notes.append("If the file has them, gpsbabel drops: \(dropped).")
    }
    if !message.isEmpty { notes.append("gpsbabel: \(message)") }
    return notes
  }

  /// The data that gpsbabel 1.8 and GPX 1.0 are known to lose.
  private static let dropped = [
    "garmin_fit":
      "records without a position, heart rate, cadence, temperature, power, totals of laps and "
      + "session",
    "gtrnctr":
      "trackpoints without a position, heart rate, cadence, power, totals of laps",
    "kml": "styles, descriptions, accuracies",
  ]
}

/// Counts the points of KML and TCX from above, of which gpsbabel keeps some 200 bytes each: a point has a
/// comma, or a tag `<Trackpoint`.
private struct PackedPoints {
  private(set) var count = 0
  private var last: (UInt8, UInt8) = (0, 0)

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      let isTag =
        byte == UInt8(ascii: "r") && last.1 == UInt8(ascii: "T") && last.0 == UInt8(ascii: "<")
      if isTag || byte == UInt8(ascii: ",") { count += 1 }
      last = (last.1, byte)
    }
  }
}
