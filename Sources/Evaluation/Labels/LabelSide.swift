import Diagnostics
public import TraceModel

/// One side of a score: all labels, by recording.
///
/// ```swift
/// var truth = LabelSide(.reference)
/// for day in ["mon", "tue"] { try truth.add(.init(path: "\(day)/walk.csv")) }
/// truth.entries.map(\.name)  // ["mon/walk.csv", "tue/walk.csv"]
/// ```
public struct LabelSide {
  public enum Role: String {
    case reference, detections, ignore, files
  }

  public struct Entry {
    /// The name of the recording as the file states it, else the path of the file.
    public var name: String
    /// Whether the file states no name.
    public var isNamedByFile: Bool
    public var rows: [LabelRow] = []
    public var header: TraceHeader?
    /// The positions of a recording that is compared with the true path.
    public var fixes: FixColumns?
    /// The label file, for messages.
    public var path: String

    public init(
      name: String? = nil, rows: [LabelRow] = [], header: TraceHeader? = nil,
      fixes: FixColumns? = nil, path: String
    ) {
      (self.name, self.rows, self.header) = (name ?? path, rows, header)
      isNamedByFile = name == nil
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
  /// The file of each name that an entry has.
  private var taken: [String: String] = [:]

  var paths: String { inputs.map(\.path).joined(separator: ", ") }

  public init(_ role: Role) { self.role = role }

  /// - Throws: if the recording has an entry already.
  public mutating func add(_ entry: Entry) throws {
    let name = RecordingName(entry.name)
    // Files of one name in several folders are of several recordings.
    let (file, base) = ("file " + name.parts.joined(separator: "/"), "base " + name.base)
    let keys = entry.isNamedByFile ? [file, base] : ["name " + name.whole]
    let rivals = entry.isNamedByFile ? [file, "name " + name.base] : keys + ["base " + name.whole]
    if let other = rivals.lazy.compactMap({ [taken] in taken[$0] }).first {
      throw Failure(
        .badData,
        "\(entry.path): expected each recording in one \(role.rawValue) file, found \(name.base) also "
          + "in \(other)")
    }
    for key in keys { taken[key] = entry.path }
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

  /// The names of the recordings, in the order of the entries.
  var names: [RecordingName] {
    let files = RecordingName.ofFiles(entries.filter(\.isNamedByFile).map(\.name))
    var rest = files[...]
    return entries.map { entry in
      entry.isNamedByFile
        ? rest.removeFirst() : RecordingName(entry.name, isID: entry.header != nil)
    }
  }
}
