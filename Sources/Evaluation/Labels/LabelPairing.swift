import Diagnostics
public import TraceModel

/// The recordings of both sides, each with its labels.
///
/// ```swift
/// var (truth, found) = (LabelSide(.reference), LabelSide(.detections))
/// for name in ["day1/bag.csv", "day1/walk.csv"] { try truth.add(.init(name: name, path: name)) }
/// try found.add(.init(name: "bag.csv", rows: [LabelRow(line: 2)], path: "bag.csv"))
/// let pairing = try LabelPairing(reference: truth, detections: found)
/// pairing.recordings.map(\.name)  // ["bag", "walk"]
/// pairing.notes  // ["no detections, so all references are missed: walk"]
/// ```
public struct LabelPairing {
  public struct Recording {
    public var name: String
    public var reference: LabelSide.Entry?
    public var detections: LabelSide.Entry?
    public var zones: [LabelRow] = []
    public var facts: LabelRow?
  }

  /// The recordings in the order of their names.
  public private(set) var recordings: [Recording]
  public private(set) var notes: [String] = []

  /// - Parameter files: one row per recording with its duration, subject and activity.
  /// - Throws: if the recordings of the sides do not match.
  public init(
    reference: LabelSide, detections: LabelSide, ignore: LabelSide? = nil, files: LabelSide? = nil
  ) throws {
    recordings = try Self.joined(reference, detections)
    if let files { try add(files) }
    if let ignore { try add(zones: ignore) }
    noteOneSided()
  }

  private static func joined(
    _ reference: LabelSide, _ detections: LabelSide
  ) throws -> [Recording] {
    // One file on each side without different names: they are of the same recording.
    if reference.entries.count == 1, detections.entries.count == 1,
      !(reference.isNamed && detections.isNamed)
    {
      let named = reference.isNamed || !detections.isNamed ? reference : detections
      let name = named.byStem.keys.first ?? ""
      return [
        Recording(name: name, reference: reference.entries[0], detections: detections.entries[0])
      ]
    }
    // A single empty file without recording names means that no recording has labels.
    let left = reference.isEmpty ? [:] : reference.byStem
    let right = detections.isEmpty ? [:] : detections.byStem
    let names = Set(left.keys).union(right.keys).sorted()
    if !left.isEmpty, !right.isEmpty, Set(left.keys).isDisjoint(with: right.keys) {
      throw Failure(
        .badData,
        "expected reference and detections of the same recordings, found reference of "
          + "\(listed(left.keys.sorted())) and detections of \(listed(right.keys.sorted())); use the "
          + "same names in a column filename or as names of the label files")
    }
    return names.map { Recording(name: $0, reference: left[$0], detections: right[$0]) }
  }

  private mutating func add(_ files: LabelSide) throws {
    let known = files.byStem
    for name in known.keys.sorted() where !recordings.contains(where: { $0.name == name }) {
      recordings.append(Recording(name: name))
    }
    recordings.sort { $0.name < $1.name }
    for index in recordings.indices {
      let name = recordings[index].name
      guard let entry = known[name] else {
        throw Failure(
          .badData, "\(files.paths): expected a row for each recording, found none for \(name)")
      }
      guard entry.rows.count == 1 else {
        throw Failure(
          .badData,
          "\(files.paths):\(entry.rows[1].line): expected one row for \(name), found "
            + "\(entry.rows.count)")
      }
      recordings[index].facts = entry.rows[0]
    }
  }

  private mutating func add(zones: LabelSide) throws {
    guard zones.isNamed || zones.entries.count != 1 || recordings.count != 1 else {
      recordings[0].zones = zones.entries[0].rows
      return
    }
    let known = zones.byStem
    let strange = known.keys.filter { name in !recordings.contains { $0.name == name } }.sorted()
    guard strange.isEmpty else {
      throw Failure(
        .badData,
        "\(zones.paths): expected ignore zones of recordings that are scored, found zones "
          + "of \(Self.listed(strange)); name the recordings in a column filename")
    }
    for index in recordings.indices {
      recordings[index].zones = known[recordings[index].name]?.rows ?? []
    }
  }

  private mutating func noteOneSided() {
    func note(_ text: String, _ isAbsent: (Recording) -> Bool) {
      let names = recordings.filter(isAbsent).map(\.name)
      if !names.isEmpty { notes.append("\(text): \(Self.listed(names))") }
    }
    note("no reference, so all detections are false alarms") { $0.reference == nil }
    note("no detections, so all references are missed") { $0.detections == nil }
  }

  /// Returns the first names and the number of the others.
  public static func listed(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ")
      + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }
}
