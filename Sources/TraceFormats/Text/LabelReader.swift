import Synchronization
public import TraceModel

/// Reads label files as the reference of a trace.
public enum LabelReader {
  /// Reads a ``LabelFile`` of punches: the columns `onset`, `offset`, `event_label`, `place`,
  /// `value` and `filename`. Only `onset` is required. Events are sorted by onset.
  ///
  /// Classes and hands are those of ``PunchLabel/classify(_:)``.
  ///
  /// - Parameters:
  ///   - id: the trace; rows whose `filename` names another recording are left out, which may leave an
  ///     empty array, see ``RecordingIndex/recordings(named:)``. Nil = all rows, which must be from one
  ///     file.
  ///   - origin: ``ImportedTrace/labelOrigin`` of the trace, subtracted from every time.
  /// - Throws: for the first row that cannot be read, because a reference must be complete.
  public static func read(
    _ path: String, for id: String?, origin: Int64 = 0
  ) throws(TraceError) -> [ReferenceEvent] {
    try read(ByteSource(path: path), for: id, origin: origin)
  }

  /// Reads the labels of a recording. Labels outside of it are left out.
  ///
  /// - Parameters:
  ///   - files: the label files that the command has read.
  ///   - origin: ``ImportedTrace/labelOrigin`` of the trace.
  /// - Returns: the events, and the number of labels outside.
  /// - Throws: also if there are no labels, or if most are outside, because they then belong to
  ///   another recording or have another unit.
  package static func read(
    _ path: String, of files: LabelFiles, within header: TraceHeader, origin: Int64
  ) throws(TraceError) -> (events: [ReferenceEvent], outside: Int) {
    let events = try files.events(of: path, for: header.id, origin: origin)
    guard !events.isEmpty else {
      throw TraceError(
        place: path, expected: "labels of \(header.id)", found: "none",
        remedy: "name the trace with --id as the file names it, or pass --without punch")
    }
    let inside = events.filter { $0.onset >= .zero && $0.onset <= header.end }
    let outside = events.count - inside.count
    let first = events.first { $0.onset < .zero || $0.onset > header.end }
    guard let first, inside.count * 2 < events.count else { return (inside, outside) }
    let isLarge = (events.map(\.onset).max() ?? .zero).seconds > 100 * header.end.seconds
    throw TraceError(
      place: path, expected: "onsets within the \(header.end.seconds) s of \(header.id)",
      found: "\(outside) of \(events.count) outside, the first at "
        + "\(first.onset.advanced(byNanoseconds: origin).seconds) s",
      remedy: isLarge ? "are they in milliseconds? Labels count in seconds" : "")
  }

  static func read(
    _ source: consuming ByteSource, for id: String?, origin: Int64 = 0
  ) throws(TraceError) -> [ReferenceEvent] {
    try LabelEvents(source).events(for: id, origin: origin)
  }

  fileprivate static func event(
    _ row: LabelRow, _ scanner: borrowing DelimitedScanner
  ) throws(TraceError) -> ReferenceEvent {
    let onset = row.onset ?? 0
    let place = Int32(row.place)
    guard place != nil || row.place.isEmpty else {
      throw scanner.fault(
        "the number of a place", found: Excerpt.of(row.place),
        remedy: "number the places, or rename the column")
    }
    let (label, hand) = PunchLabel.classify(row.label)
    return ReferenceEvent(
      onset: TraceInstant(nanoseconds: onset),
      offset: TraceInstant(nanoseconds: row.offset ?? onset),
      label: row.label.isEmpty ? "" : label, originalLabel: row.label, hand: hand, place: place,
      value: row.value)
  }
}

/// The events of label files, by the recordings that they name. Many recordings may share a file;
/// reading it for each would take a time that grows with the square of their number.
package final class LabelFiles: Sendable {
  private let files = Mutex<[String: LabelEvents]>([:])

  package init() {}

  /// As ``LabelReader/read(_:for:origin:)``.
  func events(
    of path: String, for id: String, origin: Int64
  ) throws(TraceError) -> [ReferenceEvent] {
    let file = try files.withLock { files throws(TraceError) -> LabelEvents in
      if let file = files[path] { return file }
      let file = try LabelEvents(ByteSource(path: path))
      files[path] = file
      return file
    }
    return try file.events(for: id, origin: origin)
  }
}

struct LabelEvents: Sendable {
  /// Events with times from the file's zero, or the damage of a row.
  private let rows: [Result<ReferenceEvent, TraceError>]
  /// The rows of each recording that is named, in the order of `recordings`.
  private let rowsOfRecording: [[Int]]
  private let recordings: RecordingIndex
  /// The label file, for messages.
  private let file: String
  /// The rows that name no file.
  private let rowsOfAll: [Int]
  /// The first row of a second file, and its error for a reader of one file.
  private let second: (row: Int, error: TraceError)?

  init(_ source: consuming ByteSource) throws(TraceError) {
    file = source.name
    var (names, rows) = ([String](), [Result<ReferenceEvent, TraceError>]())
    var (rowsOfName, rowsOfAll) = ([String: [Int]](), [Int]())
    var second: (row: Int, error: TraceError)?
    _ = try LabelTable.read(source, needs: [.onset]) { row, file, scanner throws(TraceError) in
      if let file {
        if rowsOfName[file] == nil { names.append(file) }
        rowsOfName[file, default: []].append(rows.count)
        if names.count == 2, second == nil { second = (rows.count, Self.fault(file, scanner)) }
      } else {
        rowsOfAll.append(rows.count)
      }
      do throws(TraceError) {
        rows.append(.success(try LabelReader.event(row.get(), scanner)))
      } catch { rows.append(.failure(error)) }
    }
    (self.rows, self.rowsOfAll, self.second) = (rows, rowsOfAll, second)
    rowsOfRecording = names.map { rowsOfName[$0] ?? [] }
    recordings = RecordingIndex(names.map { [RecordingName($0)] })
  }

  private static func fault(_ name: String, _ scanner: borrowing DelimitedScanner) -> TraceError {
    let found = "labels of \(Excerpt.of(name)) too"
    return scanner.fault("labels of one file", found: found, remedy: "name the trace")
  }

  /// - Throws: if the labels of several recordings may be meant.
  private func rows(of id: String) throws(TraceError) -> [Int] {
    let found = recordings.recordings(named: RecordingName(id, isID: true))
    let own = found.same.isEmpty ? found.others : found.same
    let names = own.map { recordings.names[$0][0] }
    guard Set(names.map(\.parts)).count <= 1 else {
      throw TraceError(
        place: file, expected: "labels of one recording \(id)",
        found: names.map(\.whole).joined(separator: ", "),
        remedy: "name the trace with --id as the file names it")
    }
    return (own.flatMap { rowsOfRecording[$0] } + rowsOfAll).sorted()
  }

  /// - Parameter id: the recording; nil = all rows, which must be of one file.
  func events(for id: String?, origin: Int64) throws(TraceError) -> [ReferenceEvent] {
    let wanted = if let id { try rows(of: id) } else { Array(rows.indices) }
    var events: [ReferenceEvent] = []
    for row in wanted {
      if id == nil, let second, second.row == row { throw second.error }
      var event = try rows[row].get()
      event.onset = TraceInstant(event.onset.nanoseconds, since: origin)
      event.offset = TraceInstant(event.offset.nanoseconds, since: origin)
      events.append(event)
    }
    return events.sorted { ($0.onset, $0.offset) < ($1.onset, $1.offset) }
  }
}
