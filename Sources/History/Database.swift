import CSQLite
import Foundation

struct DatabaseError: Error {
  /// The extended code.
  let code: Int32
  let message: String

  var primaryCode: Int32 { code & 0xFF }
}

/// A connection to an SQLite database. One thread uses it at a time.
///
/// ```swift
/// let database = try Database(":memory:")
/// try database.writing {
///   try $0.execute("CREATE TABLE runs (id TEXT)")
///   try $0.execute("INSERT INTO runs VALUES (?)", ["a"])
/// }
/// try database.rows("SELECT id FROM runs") { try $0.value("id") as String }  // ["a"]
/// ```
///
/// The history needs a dozen statements. GRDB takes 79 s of processor time to compile, an eighth of the
/// whole program.
final class Database {
  /// nil after ``close()``: SQLite then reports a misuse.
  private var handle: OpaquePointer?

  /// Opens a database, or creates it. Nothing is read yet. SQLite takes some paths for addresses.
  init(_ path: String) throws {
    let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    guard code == SQLITE_OK else {
      close()
      throw DatabaseError(code: code, message: String(cString: sqlite3_errstr(code)))
    }
    sqlite3_extended_result_codes(handle, 1)
    // A history has neither triggers nor long texts; a stranger's file may.
    csqlite_forbid_triggers(handle)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longestValue)
  }

  private static let longestValue: Int32 = 1 << 24

  /// Copies the bytes of a database into memory; of none, makes a new one.
  convenience init(bytes: Data) throws {
    try self.init(":memory:")
    guard let copy = sqlite3_malloc64(UInt64(bytes.count)) else { return }
    let memory = UnsafeMutableRawBufferPointer(start: copy, count: bytes.count)
    bytes.copyBytes(to: memory)
    // In memory there is no write-ahead log.
    hasLog = Self.logMarks.allSatisfy { $0 < bytes.count && memory[$0] == 2 }
    if hasLog { for place in Self.logMarks { memory[place] = 1 } }
    let size = sqlite3_int64(bytes.count)
    let flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE
    try check(
      sqlite3_deserialize(
        handle, "main", copy.assumingMemoryBound(to: UInt8.self), size, size, UInt32(flags)))
  }

  /// The bytes of a file with this database.
  func bytes() throws -> Data {
    var size: sqlite3_int64 = 0
    guard let copy = sqlite3_serialize(handle, "main", &size, 0) else { throw error(SQLITE_NOMEM) }
    defer { sqlite3_free(copy) }
    var bytes = Data(bytes: copy, count: Int(size))
    if hasLog { for place in Self.logMarks { bytes[place] = 2 } }
    return bytes
  }

  /// Whether the file has a write-ahead log beside it while programs use it.
  private var hasLog = false
  /// The places of "File format version numbers" in <https://www.sqlite.org/fileformat.html>.
  private static let logMarks = [18, 19]

  deinit { close() }

  func close() {
    sqlite3_close_v2(handle)
    handle = nil
  }

  var lastRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

  // MARK: Transactions

  /// Returns the result of `body`, which reads a consistent state.
  func reading<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try transaction("BEGIN", body)
  }

  /// Returns the result of `body`. Its changes are stored together, or not at all if it throws.
  func writing<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try transaction("BEGIN IMMEDIATE", body)
  }

  private func transaction<Result>(
    _ beginning: String, _ body: (Database) throws -> Result
  ) throws -> Result {
    try execute(beginning)
    do {
      let result = try body(self)
      try execute("COMMIT")
      return result
    } catch {
      // After some errors SQLite has already rolled back.
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  // MARK: Statements

  func execute(_ statements: String) throws {
    try check(sqlite3_exec(handle, statements, nil, nil, nil))
  }

  func execute(_ statement: String, _ parameters: [(any DatabaseValue)?]) throws {
    try execute(statement, forEach: [parameters])
  }

  func execute(_ text: String, forEach lists: some Sequence<[(any DatabaseValue)?]>) throws {
    try withStatement(text) { statement in
      for list in lists {
        try bind(list, to: statement)
        while try step(statement) {}
      }
    }
  }

  /// Runs a statement and returns the results of `body` for each row.
  func rows<Result>(
    _ text: String, _ parameters: [(any DatabaseValue)?] = [], _ body: (Row) throws -> Result
  ) throws -> [Result] {
    try withStatement(text) { statement in
      try bind(parameters, to: statement)
      let row = Row(statement)
      var results: [Result] = []
      while try step(statement) { results.append(try body(row)) }
      return results
    }
  }

  private func withStatement<Result>(
    _ text: String, _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, text, -1, &statement, nil))
    defer { sqlite3_finalize(statement) }
    guard let statement else { preconditionFailure("expected a statement, found \(text)") }
    return try body(statement)
  }

  private func bind(_ values: [(any DatabaseValue)?], to statement: OpaquePointer) throws {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    for (place, value) in zip(Int32(1)..., values) {
      if let value { try check(value.bind(to: statement, at: place)) }
    }
  }

  /// - Returns: whether there is another row.
  private func step(_ statement: OpaquePointer) throws -> Bool {
    let code = sqlite3_step(statement)
    guard code == SQLITE_ROW || code == SQLITE_DONE else { throw error(code) }
    return code == SQLITE_ROW
  }

  func pragma<Value: DatabaseValue>(_ name: String, _ arguments: String = "") throws -> Value? {
    try rows("PRAGMA \(name)\(arguments)") { row -> Value in try row.value(name) }.first
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw error(code) }
  }

  private func error(_ code: Int32) -> DatabaseError {
    DatabaseError(code: code, message: String(cString: sqlite3_errmsg(handle)))
  }
}

/// The current row of a result.
struct Row {
  private let statement: OpaquePointer
  private let columns: [String: Int32]

  fileprivate init(_ statement: OpaquePointer) {
    self.statement = statement
    columns = Dictionary(
      (0..<sqlite3_column_count(statement)).map {
        (String(cString: sqlite3_column_name(statement, $0)), $0)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// - Throws: ``DamagedRow`` if the value is missing or has another type.
  func value<Value: DatabaseValue>(
    _ column: String, as type: Value.Type = Value.self
  ) throws -> Value {
    guard let value: Value = try optional(column) else { throw DamagedRow(column: column) }
    return value
  }

  /// nil where the database has NULL.
  func optional<Value: DatabaseValue>(_ column: String) throws -> Value? {
    guard let place = columns[column] else { throw DamagedRow(column: column) }
    if sqlite3_column_type(statement, place) == SQLITE_NULL { return nil }
    guard let value = Value(statement, place) else { throw DamagedRow(column: column) }
    return value
  }
}

/// A value that the tables do not allow.
struct DamagedRow: Error {
  var column: String
}

protocol DatabaseValue {
  /// nil if the value has another type.
  init?(_ statement: OpaquePointer, _ column: Int32)
  /// Returns SQLite's code.
  func bind(to statement: OpaquePointer, at place: Int32) -> Int32
}

extension Int: DatabaseValue {
  init?(_ statement: OpaquePointer, _ column: Int32) {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    self.init(sqlite3_column_int64(statement, column))
  }

  func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
    sqlite3_bind_int64(statement, place, Int64(self))
  }
}

extension Double: DatabaseValue {
  init?(_ statement: OpaquePointer, _ column: Int32) {
    guard [SQLITE_FLOAT, SQLITE_INTEGER].contains(sqlite3_column_type(statement, column)) else {
      return nil
    }
    self.init(sqlite3_column_double(statement, column))
  }

  func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
    sqlite3_bind_double(statement, place, self)
  }
}

extension String: DatabaseValue {
  init?(_ statement: OpaquePointer, _ column: Int32) {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT,
      let text = sqlite3_column_text(statement, column)
    else { return nil }
    let size = Int(sqlite3_column_bytes(statement, column))
    self.init(decoding: UnsafeBufferPointer(start: text, count: size), as: UTF8.self)
  }

  func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
    var text = self
    return text.withUTF8 { csqlite_bind_text(statement, place, $0.baseAddress, UInt64($0.count)) }
  }
}
