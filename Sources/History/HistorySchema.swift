/// The tables of the database, and how a history is recognised.
enum HistorySchema {
  /// SQLite's application ID in the head of the file: `SBHi` in ASCII.
  static let application = 0x5342_4869
  static let version = 1
  /// A higher version is damage.
  private static let mostVersions = 1000

  /// SQLite's integrity check then finds values that the program cannot read.
  private static let isTime =
    "CHECK (time = strftime('%Y-%m-%dT%H:%M:%fZ', time) AND time >= '1970')"
  private static let isKind = "CHECK (kind IN ('accuracy', 'timing'))"

  /// The beginning of the statement that creates the table of figures.
  static let tableOfFigures =
    "CREATE TABLE figures (\n  run INTEGER NOT NULL REFERENCES runs (number)"

  static let tables = """
    CREATE TABLE runs (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      time TEXT NOT NULL \(isTime),
      "commit" TEXT NOT NULL,
      branch TEXT,
      machine TEXT NOT NULL,
      tool_version TEXT NOT NULL,
      toolchain TEXT NOT NULL,
      suite TEXT NOT NULL,
      suite_sha256 TEXT NOT NULL,
      source TEXT NOT NULL CHECK (source IN ('results', 'gate')),
      verdict TEXT
    ) STRICT;
    CREATE INDEX runs_by_time ON runs (time, id);
    \(tableOfFigures) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      entry TEXT NOT NULL,
      origin TEXT NOT NULL,
      metric TEXT NOT NULL,
      kind TEXT NOT NULL \(isKind),
      value REAL,
      lower REAL,
      upper REAL,
      unit TEXT NOT NULL,
      count INTEGER,
      method TEXT,
      PRIMARY KEY (run, position)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX figures_by_name ON figures (entry, origin, metric, run);
    CREATE TABLE trials (
      id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
      time TEXT NOT NULL \(isTime),
      machine TEXT NOT NULL,
      suite TEXT NOT NULL,
      kind TEXT NOT NULL \(isKind),
      runs INTEGER NOT NULL CHECK (runs BETWEEN 1 AND 1000000000),
      alarms INTEGER NOT NULL CHECK (alarms BETWEEN 0 AND runs)
    ) STRICT, WITHOUT ROWID;
    """

  /// Creates the tables, or restores the numbers in the head of a file that has them. Needs a
  /// transaction, because another program may do the same.
  static func create(_ database: Database) throws {
    if try isEmpty(database) { try database.execute(tables) }
    guard try !hasNumbers(database) else { return }
    try database.execute("PRAGMA application_id = \(application)")
    try database.execute("PRAGMA user_version = \(version)")
  }

  private static func hasNumbers(_ database: Database) throws -> Bool {
    try number("application_id", database) == application
      && number("user_version", database) == version
  }

  static func isEmpty(_ database: Database) throws -> Bool {
    try number("application_id", database) == 0 && number("user_version", database) == 0
      && database.rows("SELECT 1 FROM sqlite_schema") { _ in }.isEmpty
  }

  enum State { case empty, ours, newer(Int), foreign, altered(String), damaged(String) }

  /// Only what SQLite finds damaged is damaged. What a person may do to an intact database leaves it
  /// a history (`ANALYZE`, indexes, views, further tables; a dump that is read back has lost its
  /// numbers), or alters it: other columns, triggers.
  static func state(_ database: Database) throws -> State {
    if try isEmpty(database) { return .empty }
    let (found, own) = (try statements(database), try expected.get())
    let isOurs = own.allSatisfy { found[$0.key] == $0.value }
    let version = try number("user_version", database)
    guard try isOurs || number("application_id", database) == application else { return .foreign }
    if (2...mostVersions).contains(version) { return .newer(version) }
    if let name = try unknownKind(database) { return .altered("an entry \(name) of another kind") }
    if let finding = try damage(database) { return .damaged(finding) }
    for table in ["sqlite_schema"] + own.keys.filter({ found[$0] == own[$0] }) {
      if let name = try unusualIndex(of: table, database) {
        return .altered("an index \(name) with an expression or a condition")
      }
      let report: String = try database.pragma("integrity_check", "('\(table)')") ?? ""
      guard report == "ok" else { return .damaged(report) }
    }
    guard isOurs else {
      let names = own.filter { found[$0.key] != $0.value }.keys.sorted()
      return .altered("changed tables " + names.joined(separator: ", "))
    }
    // The check of the tables passes what is no time at all, because a comparison with NULL is no failure.
    let times = try ["runs", "trials"].flatMap { table in
      try database.rows(
        "SELECT time FROM \(table) WHERE strftime('%Y-%m-%dT%H:%M:%fZ', time) IS NULL LIMIT 1"
      ) { try $0.value("time") as String }
    }
    if let time = times.first { return .damaged("a time of \(time)") }
    let triggers = try database.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
      try $0.value("name") as String
    }
    if let name = triggers.first { return .altered("a trigger \(name)") }
    let tables = try references(to: Array(own.keys), database)
    return tables.first.map { .altered("a table \($0) with a reference to it") } ?? .ours
  }

  /// The names of strangers' tables with a foreign key to one of these tables. It acts like a trigger: when
  /// runs are removed, its own rows change too, and their checks run.
  private static func references(to own: [String], _ database: Database) throws -> [String] {
    let marks = own.map { _ in "?" }.joined(separator: ", ")
    return try database.rows(
      """
      SELECT t.name AS name FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS k
      WHERE t.type = 'table' AND t.name NOT IN (\(marks)) AND k."table" COLLATE NOCASE IN (\(marks))
      """, own + own
    ) { try $0.value("name") as String }
  }

  /// The name of an entry that SQLite may take for a trigger or a table, because it compares kinds without case,
  /// and that no query here would find.
  private static func unknownKind(_ database: Database) throws -> String? {
    try database.rows(
      """
      SELECT COALESCE(CAST(name AS TEXT), '') AS name FROM sqlite_schema
      WHERE typeof(type) <> 'text' OR type NOT IN ('table', 'index', 'view', 'trigger')
      """
    ) { try $0.value("name") as String }.first
  }

  /// What SQLite finds damaged in the whole file; nil = nothing, or a stranger's tables have expressions: to
  /// evaluate them may never end.
  private static func damage(_ database: Database) throws -> String? {
    let expressions: [Void] = try database.rows(
      """
      SELECT 1 FROM sqlite_schema AS t WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND (
        EXISTS (SELECT 1 FROM pragma_table_xinfo(t.name) WHERE hidden IN (2, 3))
        OR EXISTS (SELECT 1 FROM pragma_index_list(t.name) AS i
          WHERE i.partial OR EXISTS (SELECT 1 FROM pragma_index_xinfo(i.name) WHERE cid = -2)))
      """
    ) { _ in }
    guard expressions.isEmpty else { return nil }
    try database.execute("PRAGMA ignore_check_constraints = ON")
    defer { try? database.execute("PRAGMA ignore_check_constraints = OFF") }
    let report: String = try database.pragma("integrity_check", "(1)") ?? ""
    return report == "ok" ? nil : report
  }

  /// The name of an index that has more than columns.
  private static func unusualIndex(of table: String, _ database: Database) throws -> String? {
    try database.rows(
      """
      SELECT i.name AS name FROM pragma_index_list(?) AS i
      WHERE i.partial OR EXISTS (SELECT 1 FROM pragma_index_xinfo(i.name) WHERE cid = -2)
      """, [table]
    ) { try $0.value("name") as String }.first
  }

  private static func number(_ name: String, _ database: Database) throws -> Int {
    try database.pragma(name) ?? 0
  }

  /// The statements of the tables by their names.
  private static func statements(_ database: Database) throws -> [String: String] {
    let pairs = try database.rows(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL"
    ) { (try $0.value("name", as: String.self), try $0.value("sql", as: String.self)) }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  private static let expected = Result {
    try Database(":memory:").writing { database in
      try create(database)
      return try statements(database)
    }
  }
}
