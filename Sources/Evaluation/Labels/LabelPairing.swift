import Diagnostics
public import TraceModel

/// The recordings of both sides, each with its labels.
///
/// ```swift
/// var (truth, found) = (LabelSide(.reference), LabelSide(.detections))
/// for name in ["day1/bag.csv", "day1/walk.csv"] {
///   try truth.add(.init(name: name, rows: [LabelRow(line: 2)], path: name))
/// }
/// try found.add(.init(name: "bag.csv", rows: [LabelRow(line: 2)], path: "bag.csv"))
/// let pairing = try LabelPairing(reference: truth, detections: found)
/// pairing.recordings.map(\.name)  // ["bag", "walk"]
/// pairing.notes  // ["no detections, so all references are missed: walk"]
/// ```
public struct LabelPairing {
  public struct Recording {
    /// The shortest name that no other recording has.
    public internal(set) var name = ""
    public var reference: LabelSide.Entry?
    public var detections: LabelSide.Entry?
    public var zones: [LabelRow] = []
    public var facts: LabelRow?
    /// The names in all files; not empty.
    var names: [RecordingName]
  }

  /// The recordings in the order of their names.
  public private(set) var recordings: [Recording]
  public private(set) var notes: [String] = []

  /// - Parameter files: one row per recording with its duration, subject and activity.
  /// - Throws: if the recordings of the sides do not match.
  public init(
    reference: LabelSide, detections: LabelSide, ignore: LabelSide? = nil, files: LabelSide? = nil
  ) throws {
    recordings = []
    try join(reference, detections)
    if let files { try add(files) }
    if let ignore { try add(zones: ignore) }
    for (index, name) in recordings.map(\.names).titles.enumerated() {
      recordings[index].name = name
    }
    recordings.sort { $0.name < $1.name }
    noteOneSided()
    for side in [reference, detections] {
      let empty = side.entries.filter { $0.rows.isEmpty && $0.header == nil && $0.fixes == nil }
      if !empty.isEmpty {
        notes.append("no events in the \(side.role.rawValue): \(Self.listed(empty.map(\.path)))")
      }
    }
  }

  private mutating func join(_ reference: LabelSide, _ detections: LabelSide) throws {
    // One file on each side without different names: they are of the same recording.
    if reference.entries.count == 1, detections.entries.count == 1,
      !(reference.isNamed && detections.isNamed)
    {
      let named = reference.isNamed || !detections.isNamed ? reference : detections
      recordings = [
        Recording(
          reference: reference.entries[0], detections: detections.entries[0], names: named.names)
      ]
      return try noteOnlyPair(reference, detections)
    }
    // A single empty file without recording names means that no recording has labels.
    let left = reference.isEmpty ? [] : reference.names
    let right = detections.isEmpty ? [] : detections.names
    let joined = try Self.pairs(left.map { [$0] }, "reference", right, detections)
    if !left.isEmpty, !right.isEmpty, joined.pairs.isEmpty {
      throw Failure(
        .badData,
        "expected reference and detections of the same recordings, found reference of "
          + "\(Self.listed(left)) and detections of \(Self.listed(right)); use the same names in a "
          + "column filename or as names of the label files")
    }
    recordings = zip(reference.entries, left).map { Recording(reference: $0, names: [$1]) }
    for (index, other) in joined.pairs {
      recordings[index].detections = detections.entries[other]
      recordings[index].names.append(right[other])
    }
    let paired = Set(joined.pairs.map(\.right))
    for (other, name) in right.enumerated() where !paired.contains(other) {
      recordings.append(Recording(detections: detections.entries[other], names: [name]))
    }
    noteFolders(joined, left, right)
  }

  /// Notes the names of the only files of both sides if they are not those of one recording.
  private mutating func noteOnlyPair(_ reference: LabelSide, _ detections: LabelSide) throws {
    let names = [reference, detections].map { RecordingName($0.entries[0].name) }
    let joined = try Self.pairs([[names[0]]], "reference", [names[1]], detections)
    guard joined.pairs.isEmpty || joined.areInOtherFolders else { return }
    notes.append(
      "the only recording of each side, taken as the same: \(names[0].whole) and \(names[1].whole)")
  }

  private mutating func noteFolders(
    _ joined: RecordingPairs, _ left: [RecordingName], _ right: [RecordingName]
  ) {
    let pairs = joined.pairs.filter {
      joined.areInOtherFolders || Self.haveOtherFolders(left[$0], right[$1])
    }.map { "\(left[$0].whole) with \(right[$1].whole)" }
    guard !pairs.isEmpty else { return }
    notes.append("paired without their folders, which differ: \(Self.listed(pairs))")
  }

  /// Whether more than one folder differs on either side. One is that of the side, as in `truth/A/r.csv`
  /// and `found/A/r.csv`.
  private static func haveOtherFolders(_ left: RecordingName, _ right: RecordingName) -> Bool {
    var (left, right) = (left.parts.dropLast(), right.parts.dropLast())
    while let last = left.last, last == right.last { (_, _) = (left.popLast(), right.popLast()) }
    while let first = left.first, first == right.first {
      (_, _) = (left.popFirst(), right.popFirst())
    }
    return min(left.count, right.count) > 1
  }

  /// - Parameter title: what the names are of.
  private static func pairs(
    _ left: [[RecordingName]], _ title: String, _ right: [RecordingName], _ side: LabelSide
  ) throws -> RecordingPairs {
    do {
      return try RecordingPairs(left, right.map { [$0] })
    } catch {
      let (own, other) = error.isLeft ? (title, side.role.rawValue) : (side.role.rawValue, title)
      throw Failure(
        .badData,
        "\(side.paths): expected names that fit one recording each, found \(own) \(error.name), "
          + "which may be \(listed(error.others)) of the \(other); write the same folder and name "
          + "on both sides")
    }
  }

  private mutating func add(_ files: LabelSide) throws {
    let names = files.names
    let joined = try Self.pairs(recordings.map(\.names), "recordings", names, files)
    for (index, other) in joined.pairs {
      recordings[index].facts = try Self.row(of: files.entries[other], files)
      recordings[index].names.append(names[other])
    }
    if let missing = recordings.first(where: { $0.facts == nil }) {
      throw Failure(
        .badData,
        "\(files.paths): expected a row for each recording, found none for "
          + missing.names[0].title)
    }
    let paired = Set(joined.pairs.map(\.right))
    let known = Set(recordings.flatMap { $0.names.map(\.inFolders) })
    for (other, name) in names.enumerated() where !paired.contains(other) {
      let row = try Self.row(of: files.entries[other], files)
      guard !known.contains(name.inFolders) else {
        throw Failure(
          .badData,
          "\(files.paths):\(row.line): expected one row for \(name.title), found another one")
      }
      recordings.append(Recording(facts: row, names: [name]))
    }
  }

  private static func row(of entry: LabelSide.Entry, _ files: LabelSide) throws -> LabelRow {
    guard entry.rows.count == 1 else {
      throw Failure(
        .badData,
        "\(files.paths):\(entry.rows[1].line): expected one row for \(entry.name), found "
          + "\(entry.rows.count)")
    }
    return entry.rows[0]
  }

  private mutating func add(zones: LabelSide) throws {
    guard zones.isNamed || zones.entries.count != 1 || recordings.count != 1 else {
      recordings[0].zones = zones.entries[0].rows
      return
    }
    let names = zones.names
    let joined = try Self.pairs(recordings.map(\.names), "recordings", names, zones)
    let paired = Set(joined.pairs.map(\.right))
    let strange = names.indices.filter { !paired.contains($0) }.map { names[$0] }
    guard strange.isEmpty else {
      throw Failure(
        .badData,
        "\(zones.paths): expected ignore zones of recordings that are scored, found zones "
          + "of \(Self.listed(strange)); name the recordings in a column filename")
    }
    for (index, other) in joined.pairs { recordings[index].zones = zones.entries[other].rows }
  }

  private mutating func noteOneSided() {
    func note(_ text: String, _ isAbsent: (Recording) -> Bool) {
      let names = recordings.filter(isAbsent).map(\.name)
      if !names.isEmpty { notes.append("\(text): \(Self.listed(names))") }
    }
    note("no reference, so all detections are false alarms") { $0.reference == nil }
    note("no detections, so all references are missed") { $0.detections == nil }
  }

  private static func listed(_ names: [RecordingName]) -> String { listed(names.map(\.inFolders)) }

  /// Returns the first names and the number of the others.
  public static func listed(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ")
      + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }
}

extension [[RecordingName]] {
  /// A title for each recording: the name without folders and ending, or with them where recordings
  /// would have the same title.
  fileprivate var titles: [String] {
    let choices: [(RecordingName) -> String] = [\.title, \.inFolders, \.whole]
    for choice in choices {
      let titles = map { choice($0[0]) }
      if Set(titles).count == count { return titles }
    }
    // A name of one side may be that of another recording on the other side.
    return enumerated().map { "\($1[0].whole) (\($0 + 1))" }
  }
}
