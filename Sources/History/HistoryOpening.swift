import CSQLite
import Diagnostics
import Files
import Foundation

/// Opens the database, and renames a damaged one if that is wanted.
struct HistoryOpening {
  private let path: String

  init(_ path: String) throws {
    guard !path.isEmpty else {
      throw Failure(.wrongUse, "expected the name of a database of a history, found none")
    }
    self.path = path
  }

  func forReading() throws -> Database {
    guard TracePath.exists(path), let content = try HistoryFile(path).content() else {
      throw Failure(
        .fileError,
        "\(path): expected a history, found no such file; add runs with shadowbox history add "
          + "RESULTS.h5")
    }
    let (database, state) = try opened(content.bytes)
    switch state {
    case .damaged(let finding): throw Self.damage(finding, path)
    case .empty:
      throw Failure(
        .badData,
        "\(path): expected a history, found an empty database; add runs with shadowbox history add "
          + "RESULTS.h5")
    case .ours, .newer, .foreign, .altered: return database
    }
  }

  /// - Parameter time: of the new name of a damaged database; nil = it is an error.
  func forWriting(setsAside time: HistoryTime?, _ report: (String) -> Void) throws -> Database {
    try refuseLinks()
    try makeFolder()
    return try changing(setsAside: time, report: report) { _ in }.database
  }

  /// Runs `body` on the present content, and stores what it changes. Other programs wait.
  func changing<Result>(
    setsAside time: HistoryTime? = nil, report: (String) -> Void = { _ in },
    _ body: (Database) throws -> Result
  ) throws -> (database: Database, result: Result) {
    let file = try HistoryFile(path)
    return try file.alone {
      var content = try file.content(forWriting: true)
      var (database, state) = try opened(content?.bytes ?? Data())
      if case .damaged(let finding) = state {
        guard let time else { throw Self.damage(finding, path) }
        let target = try file.setAside(time)
        report(
          "\(path): the database is damaged (\(finding)); renamed to \(target), a new history begins"
        )
        content = nil
        (database, state) = try opened(Data())
      }
      return try Self.naming(path) {
        let result = try database.writing { database in
          try HistorySchema.create(database)
          return try body(database)
        }
        try file.replace(content, with: try database.bytes())
        return (database, result)
      }
    }
  }

  /// - Throws: ``Failure`` if the bytes are not those of a history.
  private func opened(_ bytes: Data) throws -> (Database, HistorySchema.State) {
    // SQLite treats a file of one byte as empty.
    guard bytes.count != 1 else {
      return (try Database(":memory:"), try damaged("only one byte", bytes))
    }
    do {
      let database = try Database(bytes: bytes)
      try database.execute("PRAGMA foreign_keys = ON")
      // The schema of a damaged or foreign file must not call functions.
      try database.execute("PRAGMA trusted_schema = OFF")
      // Pruning shrinks the file. Only for a new file: it would change an existing one.
      if bytes.isEmpty { try database.execute("PRAGMA auto_vacuum = FULL") }
      return (database, try checked(try database.reading(HistorySchema.state)))
    } catch let error as DatabaseError {
      guard [SQLITE_NOTADB, SQLITE_CORRUPT].contains(error.primaryCode) else {
        throw Self.failure(error, path)
      }
      return (try Database(":memory:"), try damaged(error.message, bytes))
    }
  }

  /// - Throws: ``Failure`` if the file has never been a history.
  private func damaged(_ finding: String, _ bytes: Data) throws -> HistorySchema.State {
    guard HistoryRemains(bytes).areOfHistory else {
      throw Failure(
        .badData,
        "\(path): expected a history of Shadowbox, found a file that is not an SQLite database; choose "
          + "another file")
    }
    return .damaged(finding)
  }

  private func checked(_ state: HistorySchema.State) throws -> HistorySchema.State {
    switch state {
    case .empty, .ours, .damaged: return state
    case .foreign: throw Self.foreign(path)
    case .altered(let finding):
      throw Failure(
        .badData,
        "\(path): expected the tables of a history, found \(finding); undo that with sqlite3, or choose "
          + "another file")
    case .newer(let version):
      throw Failure(
        .badData,
        "\(path): expected a history of version \(HistorySchema.version), found version \(version); "
          + "use the Shadowbox that wrote it, or a newer one")
    }
  }

  /// A link in a folder of somebody else's must not make or change files elsewhere, unless it is named.
  private func refuseLinks() throws {
    if path == HistoryStore.defaultPath, let link = TracePath.link(in: path) {
      throw Failure(
        .wrongUse,
        "\(path): expected no link on the way to the default history, found the link \(link); name the "
          + "file with --history, by another path")
    }
    guard TracePath.size(of: path) == 0,
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    else { return }
    throw Failure(
      .fileError,
      "\(path): expected a history or no file, found a link to a missing or empty file; name the "
        + "file itself: \(target)")
  }

  private func makeFolder() throws {
    let folder = TracePath.folder(of: path)
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        .fileError, "\(path): cannot create the folder (\(reason(of: error))); choose another file")
    }
  }
}

extension HistoryOpening {
  // MARK: Errors

  /// Returns what `body` returns; an error of SQLite becomes a failure that begins with the path.
  static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw failure(error, path)
    } catch let error as DamagedRow {
      throw Failure(
        .badData, "\(path): expected a history, found a damaged value of \(error.column)")
    }
  }

  static func foreign(_ path: String) -> Failure {
    Failure(
      .badData,
      "\(path): expected a history of Shadowbox, found a database of another program; choose "
        + "another file")
  }

  private static func damage(_ finding: String, _ path: String) -> Failure {
    Failure(
      .badData,
      "\(path): expected a history, found a damaged database (\(finding)); nothing is changed. Restore a "
        + "copy, or begin a new history: --set-aside-damaged of add, import and gate keeps the damaged "
        + "file under another name")
  }

  private static func failure(_ error: DatabaseError, _ path: String) -> Failure {
    let message = error.message
    switch error.primaryCode {
    // SQLite works in memory, so that these are of what the file has.
    case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_CONSTRAINT,
      SQLITE_MISMATCH, SQLITE_FORMAT:
      return damage(message, path)
    default: return Failure(.fileError, "\(path): cannot be read or written: \(message)")
    }
  }
}
