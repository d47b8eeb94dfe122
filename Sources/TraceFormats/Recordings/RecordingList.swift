import Diagnostics
import Files
import Foundation

/// The recordings that several paths stand for: files, folders that are one recording, and folders
/// of recordings.
package struct RecordingList {
  /// The recordings in the order of the arguments; those of a folder are sorted by name. A path
  /// that cannot be read is included, and its reader reports the error.
  package var paths: [String] = []
  /// Whether an argument is a folder of recordings.
  package private(set) var hasFolder = false
  /// The files in folders that are not recordings.
  private var skipped: [String] = []
  /// The links to folders, which are not followed: they may lead anywhere, and in circles.
  private var links: [String] = []
  /// Pipes, sockets and devices: to open one may wait for ever.
  private var others: [String] = []
  private var searched = ReaderBudget.Names()
  private let stated: ImportFormat?
  private let isMapped: Bool

  /// - Parameters:
  ///   - stated: the format that the user states; nil = their content decides.
  ///   - isMapped: whether the columns of a plain CSV are known.
  /// - Throws: if a folder has too many files.
  package init(_ arguments: [String], as stated: ImportFormat?, isMapped: Bool) throws {
    (self.stated, self.isMapped) = (stated, isMapped)
    for path in arguments {
      guard TracePath.isFolder(path), !Self.isExport(path) else {
        paths.append(TracePath.isFolder(path) ? Self.export(in: path) : path)
        continue
      }
      let (before, otherCount) = (paths.count, others.count)
      try addRecordings(in: path, depth: 0)
      if paths.count == before {
        paths += others[otherCount...].filter(TracePath.isNative)
        others.removeSubrange(otherCount...)
      }
      hasFolder = hasFolder || paths.count > before
      // The reader of recordings can best report what a folder lacks.
      if paths.count == before { paths.append(path) }
    }
  }

  /// A message about the files that are not recordings; nil = there are none.
  package var note: String? {
    func note(_ paths: [String], _ one: String, _ several: String) -> String? {
      paths.first.map { first in
        paths.count == 1
          ? "skipped \(first), which is \(one)"
          : "skipped \(paths.count) \(several): " + paths.prefix(3).joined(separator: ", ")
            + (paths.count > 3 ? ", …" : "")
      }
    }
    let notes = [
      note(skipped, "not a recording", "files that are not recordings"),
      note(links, "a link to a folder", "links to folders"),
      note(others, "not a regular file", "pipes, sockets or devices"),
    ]
    return notes.contains { $0 != nil } ? notes.compactMap(\.self).joined(separator: "; ") : nil
  }

  /// Whether a folder is one that an app exported. Others have one file, which is the recording.
  private static func isExport(_ folder: String) -> Bool {
    switch (try? RecordingReader.recognise(folder))?.format {
    case .phyphox, .sensorLogger, .sensorLog: true
    default: false
    }
  }

  /// The folder of an export that is alone in another one, whose name is not that of the recording.
  private static func export(in folder: String) -> String {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let shown = names.filter { !$0.hasPrefix(".") }
    guard shown.count == 1,
      case let path = (folder.hasSuffix("/") ? folder : folder + "/") + shown[0],
      TracePath.isOwnFolder(path), isExport(path)
    else { return folder }
    return export(in: path)
  }

  private mutating func addRecordings(in folder: String, depth: Int) throws {
    let names = try FolderListing.names(in: folder) ?? []
    try searched.add(names.count, in: folder)
    for name in names.sorted() {
      let path = TracePath.path(of: name, in: folder)
      if !TracePath.isFolder(path) {
        if TracePath.otherKind(path) != nil {
          others.append(path)
        } else if isRecording(path) {
          paths.append(path)
        } else {
          skipped.append(path)
        }
      } else if !TracePath.isOwnFolder(path) {
        links.append(path)
      } else if Self.isExport(path) {
        paths.append(path)
      } else if depth < TracePath.deepestFolder {
        try addRecordings(in: path, depth: depth + 1)
      }
    }
  }

  private func isRecording(_ path: String) -> Bool {
    guard TracePath.isFile(path) else { return false }
    let found = (try? RecordingFile.recognise(path, as: nil, isMapped: false))?.format
    if case .gpsbabel? = stated { return true }
    if let stated { return found == stated }
    if isMapped { return found == .own(.csv) }
    switch found {
    case nil, .own(.labels): return false
    // Any text with a comma in its first line looks like a table.
    case .own(.csv): return ["csv", "tsv"].contains(Self.unpackedEnding(of: path))
    case .gpsbabel: return Self.receiverEndings.contains(Self.unpackedEnding(of: path))
    case .own: return true
    }
  }

  /// The endings of the files of receivers that gpsbabel reads.
  private static let receiverEndings: Set = ["fit", "tcx", "kml", "kmz"]

  /// The ending of what is packed.
  private static func unpackedEnding(of path: String) -> String {
    let ending = TracePath.ending(of: path)
    return ending == "gz" ? TracePath.ending(of: FilePath.stem(path)) : ending
  }

  /// A name for each recording's trace, without an ending. Recordings with equal names get the name
  /// of their folder too, and those of one folder the ending of their file.
  /// - Throws: if names are still equal.
  package func names() throws -> [String] {
    func distinct(_ names: [String], _ further: (String) -> String) -> [String] {
      let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
      return zip(paths, names).map { path, name in counts[name] == 1 ? name : further(path) }
    }
    func inFolder(_ path: String) -> String {
      return "\(Self.name(ofFolder: TracePath.folder(of: path)))-\(Self.name(of: path))"
    }
    let names = distinct(distinct(paths.map { Self.name(of: $0) }, inFolder)) { path in
      "\(inFolder(path))-\(Self.unpackedEnding(of: path))"
    }
    var first: [String: Int] = [:]
    for (index, name) in names.enumerated() {
      guard let other = first.updateValue(index, forKey: name) else { continue }
      throw Failure(
        .wrongUse,
        "\(inASCII(paths[other])) and \(inASCII(paths[index])): both would be \(name).h5; rename one"
      )
    }
    return names
  }

  /// The name of a folder, or of a file without its endings.
  package static func name(of path: String) -> String {
    TracePath.isFolder(path) ? name(ofFolder: path) : FilePath.unpackedStem(path)
  }

  /// A folder may be written as `.` or `..`.
  private static func name(ofFolder path: String) -> String {
    let name = TracePath.lastName(path)
    return [".", ".."].contains(name) ? TracePath.lastName(resolvedPath(path)) : name
  }
}
