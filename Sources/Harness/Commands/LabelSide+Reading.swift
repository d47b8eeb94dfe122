import Digests
import Evaluation
import Files
import Reports
import TraceFormats
import TraceModel

extension LabelSide {
  /// - Parameters:
  ///   - needs: the columns that a label file must have.
  ///   - takesPaths: whether a recording of positions is accepted in place of a label file.
  /// - Throws: if a file cannot be read, or is not a label file.
  init(_ role: Role, _ paths: [String], needs: [LabelField], takesPaths: Bool = false) throws {
    self.init(role)
    for path in paths {
      let sha256 = try SteadyFile.reading(path) {
        if takesPaths, Self.isRecording(path, role) {
          try readPath(path)
        } else {
          try read(path, needs)
        }
        return try FileDigest.sha256(of: path)
      }
      inputs.append(InputFile(role: role.rawValue, path: path, sha256: sha256))
    }
  }

  /// Whether a path is that of a recording, by its extension, which no label file has.
  private static func isRecording(_ path: String, _ role: Role) -> Bool {
    TracePath.isNative(path)
      ? role == .detections : !["csv", "tsv", "txt", ""].contains(TracePath.ending(of: path))
  }

  /// Reads a recording of positions; the path of the reference is the true path.
  private mutating func readPath(_ path: String) throws {
    let recognised = try RecordingFile.recognise(path, as: nil, isMapped: false)
    let recording = try RecordingFile.read(path, recognised, options: RecordingOptions())
    let count = recording.traces.count
    try requireData(count == 1, "\(path): expected one recording, found \(count)")
    let trace = try recording.traces[0].trace
    guard let fixes = trace[.location].flatMap({ FixColumns($0) }), !fixes.isEmpty else {
      throw badData("\(path): expected positions, found none")
    }
    var header = trace.header
    if role == .reference { header.track = ReferenceTrack(fixes) }
    try add(Entry(name: header.id, header: header, fixes: fixes, path: path))
  }

  private mutating func read(_ path: String, _ needs: [LabelField]) throws {
    guard !TracePath.isNative(path) else {
      try requireData(
        role == .reference,
        "\(path): expected a label file, found a native trace, which holds no \(role.rawValue); "
          + "shadowbox replay --format csv writes detections as labels")
      let header = try NativeTraceLoader().load(path).trace.header
      isNamed = true
      try add(Entry(name: header.id, header: header, path: path))
      return
    }
    let file = try LabelFile.read(path, needs: needs)
    try requireData(
      entries.reduce(file.rows.count) { $0 + $1.rows.count } <= ReaderBudget.labels,
      "\(path): expected at most \(ReaderBudget.labels) labels of \(role.rawValue) in all files, found "
        + "more; score the recordings in parts, or write equal labels that follow one another as one"
    )
    fields.formUnion(file.columns)
    if !file.unread.isEmpty { unread.append("\(path): \(file.unread.joined(separator: ", "))") }
    guard file.columns.contains(.file) else {
      try add(Entry(rows: file.rows, path: path))
      return
    }
    isNamed = true
    for row in file.rows {
      try requireData(
        !row.file.isEmpty,
        "\(path):\(row.line): expected the name of a recording in filename, found none")
    }
    for rows in file.rows.inGroups(by: \.file) {
      try add(Entry(name: rows[0].file, rows: rows, path: path))
    }
  }
}
