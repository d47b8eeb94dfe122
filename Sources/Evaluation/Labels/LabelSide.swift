package import Diagnostics
package import Foundation
package import TraceModel

/// One side of a score: everything that is said, by recording.
package struct LabelSide {
  package enum Role: String {
    case reference, detections, ignore, files
  }

  /// What is said of one recording.
  package struct Entry {
    /// As it is named there.
    package var name: String
    package var rows: [LabelRow] = []
    /// Of a trace.
    package var header: TraceHeader?
    /// The positions of a recording that is held against the true path.
    package var fixes: FixColumns?
    /// The label file, for messages.
    package var path: String

    package init(
      name: String, rows: [LabelRow] = [], header: TraceHeader? = nil, fixes: FixColumns? = nil,
      path: String
    ) {
      self.name = name
      self.rows = rows
      self.header = header
      self.fixes = fixes
      self.path = path
    }
  }

  package var role: Role
  /// In the order in which they are first named.
  package var entries: [Entry] = []
  /// Whether the recordings are named within the files, and not by the files' own names.
  package var isNamed = false
  package var fields: Set<LabelField> = []
  package var inputs: [InputFile] = []
  /// `file: column, column` of the columns that are not read.
  package var unread: [String] = []

  /// A side of which nothing is said yet.
  package init(_ role: Role) { self.role = role }

  package mutating func add(_ entry: Entry) throws {
    if let other = entries.first(where: { $0.name == entry.name }) {
      throw Failure(
        .badData,
        "\(entry.path): expected each recording in one \(role.rawValue) file, found \(entry.name) in "
          + "\(other.path) too")
    }
    entries.append(entry)
  }

  /// Whether it is one file, of no recording by name, in which there is nothing.
  package var isEmpty: Bool { !isNamed && entries.count == 1 && entries[0].rows.isEmpty }

  /// - Throws: at the first row that states no figure of a track.
  package func requireQuantities() throws {
    let known = ScoreTask.track.references.map(\.rawValue)
    for entry in entries {
      for row in entry.rows {
        guard known.contains(row.quantity) else {
          throw Failure(
            .badData,
            "\(entry.path):\(row.line): expected a quantity of \(known.joined(separator: ", ")), found "
              + "\"\(row.quantity)\"")
        }
        guard row.value.isFinite else {
          throw Failure(
            .badData, "\(entry.path):\(row.line): expected a value, found none")
        }
        guard row.quantity != ReferenceTask.split.rawValue || row.onset != nil else {
          throw Failure(
            .badData, "\(entry.path):\(row.line): expected the onset of the split, found none")
        }
      }
    }
  }

  /// The entries by a name that both sides can have: without folders and ending, where that tells
  /// them apart.
  package var byStem: [String: Entry] {
    let stems = entries.map { $0.header == nil ? Self.stem($0.name) : $0.name }
    let isUnique = Set(stems).count == entries.count
    let keys = isUnique ? stems : entries.map(\.name)
    return Dictionary(zip(keys, entries), uniquingKeysWith: { first, _ in first })
  }

  package static func stem(_ path: String) -> String {
    let name = URL(fileURLWithPath: path).lastPathComponent
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}
