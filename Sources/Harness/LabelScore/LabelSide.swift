import Foundation
import TraceFormats
import TraceModel

/// One side of a score: everything that is said, by recording.
struct LabelSide {
  enum Role: String {
    case reference, detections, ignore, files
  }

  /// What is said of one recording.
  struct Entry {
    /// As it is named there.
    var name: String
    var rows: [LabelRow] = []
    /// Of a native trace.
    var header: TraceHeader?
    /// The label file, for messages.
    var path: String
  }

  struct Input {
    var role: Role
    var path: String
    var sha256: String
  }

  var role: Role
  /// In the order in which they are first named.
  var entries: [Entry] = []
  /// Whether the recordings are named within the files, and not by the files' own names.
  var isNamed = false
  var fields: Set<LabelField> = []
  var inputs: [Input] = []
  /// `file: column, column` of the columns that are not read.
  var unread: [String] = []

  /// - Parameter needs: the columns that a label file must have.
  /// - Throws: where a file cannot be read, or is none of labels.
  init(_ role: Role, _ paths: [String], needs: [LabelField]) throws {
    self.role = role
    for path in paths {
      let sha256 = try SteadyFile.reading(path) {
        try read(path, needs)
        return try FileDigest.sha256(of: path)
      }
      inputs.append(Input(role: role, path: path, sha256: sha256))
    }
  }

  private mutating func read(_ path: String, _ needs: [LabelField]) throws {
    let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
    guard !["h5", "hdf5"].contains(ending) else {
      guard role == .reference else {
        throw CommandError(
          .badData,
          "\(path): expected a label file, found a name of a native trace, which holds no "
            + "\(role.rawValue); shadowbox replay --format csv writes detections as labels")
      }
      let header = try NativeFile.read(path).header
      isNamed = true
      try add(Entry(name: header.id, header: header, path: path))
      return
    }
    let file = try LabelFile.read(path, needs: needs)
    fields.formUnion(file.columns)
    if !file.unread.isEmpty { unread.append("\(path): \(file.unread.joined(separator: ", "))") }
    guard file.columns.contains(.file) else {
      try add(Entry(name: Self.stem(path), rows: file.rows, path: path))
      return
    }
    isNamed = true
    for row in file.rows where row.file.isEmpty {
      throw CommandError(
        .badData, "\(path):\(row.line): expected the name of a recording in filename, found none")
    }
    var order: [String] = []
    let rows = Dictionary(grouping: file.rows, by: \.file)
    for row in file.rows where order.last != row.file { order.append(row.file) }
    var seen: Set<String> = []
    for name in order where seen.insert(name).inserted {
      try add(Entry(name: name, rows: rows[name] ?? [], path: path))
    }
  }

  private mutating func add(_ entry: Entry) throws {
    if let other = entries.first(where: { $0.name == entry.name }) {
      throw CommandError(
        .badData,
        "\(entry.path): expected each recording in one \(role.rawValue) file, found \(entry.name) in "
          + "\(other.path) too")
    }
    entries.append(entry)
  }

  /// Whether it is one file, of no recording by name, in which there is nothing.
  var isEmpty: Bool { !isNamed && entries.count == 1 && entries[0].rows.isEmpty }

  /// - Throws: at the first row that states no figure of a track.
  func requireQuantities() throws {
    let known = ScoreTask.track.references.map(\.rawValue)
    for entry in entries {
      for row in entry.rows {
        guard known.contains(row.quantity) else {
          throw CommandError(
            .badData,
            "\(entry.path):\(row.line): expected a quantity of \(known.joined(separator: ", ")), found "
              + "\"\(row.quantity)\"")
        }
        guard row.value.isFinite else {
          throw CommandError(
            .badData, "\(entry.path):\(row.line): expected a value, found none")
        }
        guard row.quantity != ReferenceTask.split.rawValue || row.onset != nil else {
          throw CommandError(
            .badData, "\(entry.path):\(row.line): expected the onset of the split, found none")
        }
      }
    }
  }

  /// The entries by a name that both sides can have: without folders and ending, where that tells
  /// them apart.
  var byStem: [String: Entry] {
    let stems = entries.map { $0.header == nil ? Self.stem($0.name) : $0.name }
    let isUnique = Set(stems).count == entries.count
    let keys = isUnique ? stems : entries.map(\.name)
    return Dictionary(zip(keys, entries), uniquingKeysWith: { first, _ in first })
  }

  private static func stem(_ path: String) -> String {
    let name = URL(fileURLWithPath: path).lastPathComponent
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}
