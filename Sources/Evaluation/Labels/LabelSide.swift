import Diagnostics
public import TraceModel

/// One side of a score: all labels, by recording.
///
/// ```swift
/// LabelSide.stem("labels/bag.csv")  // bag
/// ```
public struct LabelSide {
  public enum Role: String {
    case reference, detections, ignore, files
  }

  public struct Entry {
    public var name: String
    public var rows: [LabelRow] = []
    public var header: TraceHeader?
    /// The positions of a recording that is compared with the true path.
    public var fixes: FixColumns?
    /// The label file, for messages.
    public var path: String

    public init(
      name: String, rows: [LabelRow] = [], header: TraceHeader? = nil, fixes: FixColumns? = nil,
      path: String
    ) {
      (self.name, self.rows, self.header) = (name, rows, header)
      (self.fixes, self.path) = (fixes, path)
    }
  }

  public var role: Role
  /// The entries in the order of their first mention.
  public var entries: [Entry] = []
  /// Whether the files name the recordings; otherwise the file names do.
  public var isNamed = false
  public var fields: Set<LabelField> = []
  public var inputs: [InputFile] = []
  /// `file: column, column` of the columns that are not read.
  public var unread: [String] = []

  var paths: String { inputs.map(\.path).joined(separator: ", ") }

  public init(_ role: Role) { self.role = role }

  public mutating func add(_ entry: Entry) throws {
    if let other = entries.first(where: { $0.name == entry.name }) {
      throw Failure(
        .badData,
        "\(entry.path): expected each recording in one \(role.rawValue) file, found \(entry.name) also "
          + "in \(other.path)")
    }
    entries.append(entry)
  }

  /// Whether the side is a single empty file without the name of a recording.
  public var isEmpty: Bool { !isNamed && entries.count == 1 && entries[0].rows.isEmpty }

  /// - Throws: at the first row that is no quantity of a track.
  public func requireQuantities() throws {
    let known = ScoreTask.track.references.map(\.rawValue)
    for entry in entries {
      for row in entry.rows {
        let fault: String? =
          if !known.contains(row.quantity) {
            "a quantity of \(known.joined(separator: ", ")), found \"\(row.quantity)\""
          } else if !row.value.isFinite {
            "a value, found none"
          } else if row.quantity == ReferenceTask.split.rawValue, row.onset == nil {
            "the onset of the split, found none"
          } else {
            nil
          }
        guard let fault else { continue }
        throw Failure(.badData, "\(entry.path):\(row.line): expected \(fault)")
      }
    }
  }

  /// The entries by names that both sides can have: unique file names without folder and ending.
  public var byStem: [String: Entry] {
    let stems = entries.map { $0.header == nil ? Self.stem($0.name) : $0.name }
    let isUnique = Set(stems).count == entries.count
    let keys = isUnique ? stems : entries.map(\.name)
    return Dictionary(zip(keys, entries), uniquingKeysWith: { first, _ in first })
  }

  public static func stem(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}
