import Diagnostics
import Evaluation
import Foundation
import Reports
import TraceFormats

/// Recordings as arguments: files, folders that are one recording, and folders of recordings.
struct RecordingArguments {
  /// The recordings in the order of the arguments; those of a folder are sorted by name. A path
  /// that cannot be read is among them, and its reader reports the error.
  private(set) var paths: [String] = []
  /// The files in folders that are no recordings.
  private(set) var skipped: [String] = []
  /// Whether an argument is a folder of recordings.
  private(set) var hasFolder = false
  private let importing: ImportOptions

  init(_ arguments: [String], _ importing: ImportOptions) {
    self.importing = importing
    for path in arguments {
      guard TraceArguments.isFolder(path), !Self.exports.contains(Self.format(of: path)) else {
        paths.append(path)
        continue
      }
      let before = paths.count
      addRecordings(in: path, depth: 0)
      hasFolder = hasFolder || paths.count > before
      // The reader of recordings reports best what a folder lacks.
      if paths.count == before { paths.append(path) }
    }
  }

  /// Leaves out what an earlier run wrote into the folder that is converted.
  mutating func leaveOutNativeTraces(in output: String) {
    guard hasFolder, TraceArguments.isFolder(output) else { return }
    paths.removeAll { path in
      TraceArguments.isNative(path)
        && OutputFile.isSame(URL(fileURLWithPath: path).deletingLastPathComponent().path, output)
    }
  }

  /// Reports the files that are no recordings.
  func reportSkipped() {
    guard let first = skipped.first else { return }
    Terminal.current.say(
      skipped.count == 1
        ? "skipped \(first), which is no recording"
        : "skipped \(skipped.count) files that are no recordings: "
          + skipped.prefix(3).joined(separator: ", ") + (skipped.count > 3 ? ", …" : ""))
  }

  private static let deepestFolder = 6

  /// The format of a folder with the files of one recording; nil = it is none.
  private static func format(of folder: String) -> RecordingFormat? {
    (try? RecordingReader.recognise(folder))?.format
  }

  /// The formats of folders that an app exported. Others have one file, which is the recording.
  private static let exports: Set<RecordingFormat?> = [.phyphox, .sensorLogger, .sensorLog]

  private mutating func addRecordings(in folder: String, depth: Int) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = prefix + name
      if !TraceArguments.isFolder(path) {
        if isRecording(path) { paths.append(path) } else { skipped.append(path) }
      } else if Self.exports.contains(Self.format(of: path)) {
        paths.append(path)
      } else if depth < Self.deepestFolder {
        addRecordings(in: path, depth: depth + 1)
      }
    }
  }

  private func isRecording(_ path: String) -> Bool {
    let found = try? RecordingFile.recognise(path, as: nil, isMapped: false)
    let ending = TraceArguments.ending(of: Self.unpacked(path).path)
    switch importing.from {
    case .gpsbabel: return true
    case let stated?: return found?.format == stated
    case nil: break
    }
    if importing.mapping != nil { return found?.format == .own(.csv) }
    switch found?.format {
    case nil, .own(.labels): return false
    // Any text with a comma in its first line looks like a table.
    case .own(.csv): return ["csv", "tsv"].contains(ending)
    case .gpsbabel: return Self.receiverEndings.contains(ending)
    case .own: return true
    }
  }

  /// The endings of the files of receivers that gpsbabel reads.
  private static let receiverEndings: Set = ["fit", "tcx", "kml", "kmz"]

  /// The file without the ending of its packing.
  private static func unpacked(_ path: String) -> URL {
    let url = URL(fileURLWithPath: path)
    return url.pathExtension.lowercased() == "gz" ? url.deletingPathExtension() : url
  }

  /// A name for each recording's trace, without an ending. Recordings with equal names get the name
  /// of their folder too, and those of one folder the ending of their file.
  /// - Throws: if names are still equal.
  func names() throws -> [String] {
    func distinct(_ names: [String], _ further: (String) -> String) -> [String] {
      zip(paths, names).map { path, name in
        names.count { $0 == name } > 1 ? further(path) : name
      }
    }
    func inFolder(_ path: String) -> String {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().lastPathComponent
      return "\(folder)-\(Self.stem(path))"
    }
    let names = distinct(distinct(paths.map(Self.stem), inFolder)) { path in
      "\(inFolder(path))-\(TraceArguments.ending(of: Self.unpacked(path).path))"
    }
    for (index, name) in names.enumerated() {
      guard let other = names[..<index].firstIndex(of: name) else { continue }
      throw Failure(
        .wrongUse,
        "\(paths[other]) and \(paths[index]): both would be \(name).h5; convert them one by one")
    }
    return names
  }

  /// The name of a folder, or of a file without its endings.
  static func stem(_ path: String) -> String {
    TraceArguments.isFolder(path)
      ? URL(fileURLWithPath: path).lastPathComponent
      : unpacked(path).deletingPathExtension().lastPathComponent
  }
}

extension ImportOptions {
  /// Inspects recordings, several at a time. One that cannot be read does not hide the others.
  func inspect<Output: Sendable>(
    _ arguments: [String], _ body: @escaping @Sendable (Inspection) throws -> Output
  ) async throws -> [(path: String, outcome: Result<[Output], Failure>)] {
    let recordings = RecordingArguments(arguments, self)
    recordings.reportSkipped()
    return try await parallelMap(
      recordings.paths, threads: ProcessInfo.processInfo.activeProcessorCount
    ) { path in
      do {
        return (path, .success(try Inspection.all(of: read(path), path: path).map(body)))
      } catch {
        guard let failure = Failure(reported: error) else { throw error }
        return (path, .failure(failure))
      }
    }
  }
}
