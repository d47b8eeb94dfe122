import Diagnostics
import Files
import Foundation
import TraceModel

/// The value of `--from`: a format that is read here, or one that gpsbabel reads.
package enum ImportFormat: Hashable {
  case own(RecordingFormat)
  /// With gpsbabel's name of the format; nil = by the file's content or extension.
  case gpsbabel(String?)

  package init?(argument: String) {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.first == "gpsbabel" {
      guard parts.count == 1 || !parts[1].isEmpty else { return nil }
      self = .gpsbabel(parts.count == 1 ? nil : String(parts[1]))
    } else if let format = RecordingFormat(rawValue: argument) {
      self = .own(format)
    } else {
      return nil
    }
  }

  package static let allValueStrings =
    RecordingFormat.allCases.map(\.rawValue) + ["gpsbabel", "gpsbabel:FORMAT"]

  package var name: String {
    switch self {
    case .own(let format): format.rawValue
    case .gpsbabel: "gpsbabel"
    }
  }
}

/// A recording of any format, read.
package struct RecordingFile {
  /// The recognised format of a recording, and the reason.
  package struct Recognised {
    package var format: ImportFormat
    package var reason: String
  }

  package let recognised: Recognised
  package var traces: [ImportedTrace]
  /// The contents of a native file that the trace does not have.
  package var unread: [String] = []

  /// - Parameters:
  ///   - stated: the format that the user states.
  ///   - isMapped: whether the columns of a plain CSV are known.
  /// - Throws: if the recording does not exist, or no reader reads it.
  package static func recognise(
    _ input: String, as stated: ImportFormat?, isMapped: Bool
  ) throws -> Recognised {
    if let stated {
      return Recognised(format: stated, reason: "\(stated.name): stated as the format")
    }
    if isMapped { return Recognised(format: .own(.csv), reason: "plain CSV: a mapping is given") }
    if kind(of: input) == S_IFIFO { return try recognisePipe(input) }
    do throws(TraceError) {
      let found = try RecordingReader.recognise(input)
      return Recognised(format: .own(found.format), reason: found.reason)
    } catch {
      guard error.kind == .badData, !TracePath.isFolder(input) else { throw error }
      // If the name states a format, that format's reader can best report what is wrong.
      if let named = formatByName(input) {
        return Recognised(format: .own(named), reason: "\(named.rawValue): its name")
      }
      guard let found = gpsbabelFormat(of: input) else { throw error }
      return Recognised(
        format: .gpsbabel(found.name), reason: "\(found.name) file: \(found.reason)")
    }
  }

  /// Returns the format of a name whose extension stands for only one.
  private static func formatByName(_ input: String) -> RecordingFormat? {
    switch TracePath.ending(of: input) {
    case "h5", "hdf5": .native
    case "trace": .fixture
    case "gpx" where Gpsbabel.recognise(input) == nil: .gpx
    case "nmea": .nmea
    default: nil
    }
  }

  /// Bytes from a pipe cannot be read again, and reading may wait for the writer.
  private static func recognisePipe(_ input: String) throws -> Recognised {
    // The reader of native traces then reports that it needs a file.
    if TracePath.isNative(input) {
      return Recognised(format: .own(.native), reason: "native: its name")
    }
    throw Failure(
      .wrongUse,
      "\(input): expected a file, whose format can be looked up, found a pipe, which can be read "
        + "only once; state its format with --from")
  }

  private static func kind(of input: String) -> mode_t? {
    var status = stat()
    return stat(input, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// gpsbabel's format of the file; nil = none is known.
  private static func gpsbabelFormat(of input: String) -> (name: String, reason: String)? {
    if let known = Gpsbabel.recognise(input) { return known }
    let ending = TracePath.ending(of: input)
    // gpsbabel takes every .json for GeoJSON.
    let isOtherJSON = ending == "json" && !Gpsbabel.isGeoJSON(input)
    return ending.isEmpty || isOtherJSON ? nil : try? Gpsbabel().format(of: input)
  }

  package static func read(
    _ input: String, _ recognised: Recognised, options: RecordingOptions
  ) throws -> RecordingFile {
    switch recognised.format {
    case .own(.native): return try native(input, recognised, options: options)
    case .own(let format):
      let traces = try traces(input, format, options: options)
      return RecordingFile(recognised: recognised, traces: traces)
    case .gpsbabel(let name):
      try InputDescriptor.requireRegular(input)
      let gpsbabel = try Gpsbabel()
      let format = try name ?? gpsbabel.format(of: input).name
      let trace = try gpsbabel.read(input, format: format, options: options.ofGPX)
      return RecordingFile(recognised: recognised, traces: [trace])
    }
  }

  private static func traces(
    _ input: String, _ format: RecordingFormat, options: RecordingOptions
  ) throws -> [ImportedTrace] {
    var options = options
    options.format = format
    do throws(TraceError) {
      return try RecordingReader.read(input, options: options).traces
    } catch {
      // A table whose columns have several meanings is not damaged, nor is one whose mapping is
      // incomplete.
      if error.asksForMapping { throw Failure(.wrongUse, "\(error)") }
      if error.place == "mapping" {
        var ofInput = error
        ofInput.place = input
        throw Failure(.wrongUse, "\(ofInput)")
      }
      throw error
    }
  }

  /// The compression of a file; nil = no known one, or a pipe.
  private static func wrapping(of input: String) -> String? {
    guard kind(of: input) == S_IFREG,
      let file = FileHandle(forReadingAtPath: input), let head = try? file.read(upToCount: 4)
    else { return nil }
    if GzipInput.recognises(head) { return "a gzip file" }
    return ZipArchive.recognises(head) ? "a zip archive" : nil
  }

  private static func native(
    _ input: String, _ recognised: Recognised, options: RecordingOptions
  ) throws -> RecordingFile {
    if let wrapping = wrapping(of: input) {
      throw Failure(
        .badData,
        "\(input): expected a native trace as a file of its own, found one in \(wrapping); unpack "
          + "it first")
    }
    var unread: [String] = []
    var trace = try SteadyFile.reading(input) { try NativeFile.read(input, unread: &unread) }
    if options.sort { trace.sortByArrival() }
    if let id = options.id { trace.header.id = id }
    return RecordingFile(recognised: recognised, traces: [ImportedTrace(trace)], unread: unread)
  }
}
