import Diagnostics
import Foundation
import TestSupport
import Testing
import TraceModel

@testable import History

/// Opens files that are not histories, and damaged histories.
@Suite struct HistoryDamageTests {
  private let folder: Folder
  private let path: String

  init() throws {
    folder = try Folder()
    path = folder.path("history.sqlite")
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  private func makeHistory() throws -> Data {
    let store = try Samples.filled(path, runs: 20)
    store.close()
    return try bytes()
  }

  // MARK: Other files

  @Test(arguments: [
    "t", "text", "{\"a\": 1}", "SQLite format 2\0" + "x", String(repeating: "x", count: 9000),
  ])
  func anotherFileIsRefused(text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
    try expectRefused("not an SQLite database")
  }

  private func expectRefused(_ message: String) throws {
    let before = try bytes()
    for access in [
      { _ = try Samples.store(self.path) }, { _ = try HistoryStore(reading: self.path) },
    ] {
      let error = #expect(throws: Failure.self) { try access() }
      #expect(error?.kind == .badData)
      #expect(error?.description.contains(message) == true, "\(error as Any)")
    }
    #expect(try bytes() == before && folder.names == ["history.sqlite"])
  }

  /// It takes no disk, and SQLite would need five times its size in memory.
  @Test func aFileOfHolesIsRefused() throws {
    try makeHistory().write(to: URL(filePath: path))
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.truncate(atOffset: 900 << 20)
    try file.close()
    let error = #expect(throws: Failure.self) { try HistoryStore(reading: path) }
    #expect(error?.kind == .badData)
    #expect(error?.description.contains("found 943718400 bytes of which") == true)
  }

  @Test func aPipeIsRefused() throws {
    #expect(mkfifo(path, 0o600) == 0)
    let error = #expect(throws: Failure.self) { try HistoryStore(reading: path) }
    #expect(
      error?.description
        == "\(path): expected a file, found a pipe or a device; choose another file")
  }

  /// A version of the file format that this SQLite does not have.
  @Test func anUnknownFormatIsDamage() throws {
    var bytes = try makeHistory()
    bytes[47] = 5
    try bytes.write(to: URL(filePath: path))
    try expectRefused("unsupported file format")
  }

  /// Files that resemble a history or a damaged one.
  @Test(arguments: ["dump", "lines", "picture", "disk", "page of text"])
  func otherKindsOfFilesAreRefused(kind: String) throws {
    let store = try Samples.filled(path, runs: 20)
    let lines = Data(try HistoryLines.text(of: store).utf8)
    store.close()
    var picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    var generator = SeededGenerator(seed: 7)
    picture.append(
      contentsOf: (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    // An image of a disk begins with zeros: ISO 9660 has its first descriptor at 32 KiB.
    let disk = Data(count: 32_768) + [1] + Data("CD001".utf8) + Data(count: 4096 - 6)
    let text = Data(String(repeating: "timing, accuracy\n", count: 1024).utf8).dropLast(1024)
    let files = [
      "dump": Data((HistorySchema.tables + "\nINSERT INTO runs VALUES (1);\n").utf8),
      "lines": lines, "picture": picture, "disk": disk, "page of text": text,
    ]
    try #require(files[kind]).write(to: URL(filePath: path))
    try expectRefused("not an SQLite database")
  }

  @Test func aDatabaseOfAnotherProgramIsRefused() throws {
    let other = try Database(path)
    try other.execute("CREATE TABLE mine (x)")
    other.close()
    try expectRefused("a database of another program")
  }

  /// SQLite's check of a whole file evaluates the conditions of every table, for as long as they take.
  @Test func tablesOfOthersAreNotEvaluated() throws {
    _ = try makeHistory()
    let database = try Database(path)
    try database.execute(
      """
      CREATE TABLE mine (a CHECK (a < 100)); INSERT INTO mine VALUES (5);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE mine (a CHECK (a > 100))' WHERE name = 'mine'
      """)
    database.close()
    #expect(try HistoryStore(reading: path).runs().count == 20)
  }

  /// The tables' own checks pass it, but nobody could read the history.
  @Test func aTimeThatIsNoneIsDamage() throws {
    _ = try makeHistory()
    let database = try Database(path)
    try database.execute(
      "UPDATE runs SET time = '2026-99-99T00:00:00.000Z' WHERE number = 3")
    database.close()
    let before = try bytes()
    for access in [
      { _ = try HistoryStore(self.path, now: Samples.now) { _ in } },
      { _ = try HistoryStore(reading: self.path) },
    ] {
      let error = #expect(throws: Failure.self) { try access() }
      #expect(error?.kind == .badData)
      #expect(
        error?.description.contains("a time of 2026-99-99T00:00:00.000Z") == true,
        "\(error as Any)")
    }
    #expect(try bytes() == before && folder.names == ["history.sqlite"])
  }

  /// SQLite uses the number of a deleted run again, and other programs leave its figures behind.
  @Test func runsThatWereDeletedByHandBlockNothing() throws {
    _ = try makeHistory()
    let database = try Database(path)
    try database.execute("PRAGMA foreign_keys = OFF")
    try database.execute("DELETE FROM runs")
    database.close()
    let store = try Samples.store(path)
    try store.append(Samples.run(0), Samples.figures(0))
    #expect(try store.runs().count == 1)
    #expect(try store.allSeries().allSatisfy { $0.points.count == 1 })
  }

  @Test func aNewerVersionIsRefused() throws {
    _ = try makeHistory()
    let database = try Database(path)
    try database.execute("PRAGMA user_version = 9")
    database.close()
    try expectRefused("found version 9")
  }

  @Test func anEmptyFileBecomesAHistory() throws {
    try Data().write(to: URL(filePath: path))
    let error = #expect(throws: Failure.self) { try HistoryStore(reading: path) }
    #expect(error?.description.contains("an empty database") == true)
    #expect(try Samples.store(path).append(Samples.run(1), []))
  }

  @Test func aLinkToAMissingFileMakesNone() throws {
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path("elsewhere"))
    let error = #expect(throws: Failure.self) { try Samples.store(path) }
    #expect(error?.description.contains("a link to a missing or empty file") == true)
    #expect(folder.names == ["history.sqlite"])
    try Data().write(to: URL(filePath: folder.path("elsewhere")))
    #expect(throws: Failure.self) { try Samples.store(path) }
    #expect(try Data(contentsOf: URL(filePath: folder.path("elsewhere"))).isEmpty)
  }

  @Test func anUnreadableFileIsAFileError() throws {
    for bad in [folder.path("none.sqlite"), folder.url.path, "/dev/null/history.sqlite"] {
      let error = #expect(throws: Failure.self) { try HistoryStore(reading: bad) }
      #expect(error?.kind == .fileError && error?.description.hasPrefix(bad) == true)
    }
    for bad in [folder.url.path, "/dev/null/history.sqlite", "/proc/none/history.sqlite"] {
      let error = #expect(throws: Failure.self) { try Samples.store(bad) }
      #expect(error?.kind == .fileError && error?.description.hasPrefix(bad) == true)
    }
    #expect(throws: Failure.self) { try Samples.store("") }
  }

  // MARK: Damage

  /// The remains of a history after a full disk or an aborted cache.
  @Test(arguments: [1, 15, 16, 100, 511, 512, 4096, 32_768, 5_000_000])
  func zerosAreSetAside(count: Int) throws {
    #expect(try outcome(of: Data(count: count), Data()) == "set aside")
  }

  /// The head is damaged, by zeros or by anything: from the first bytes to the first page.
  @Test(arguments: [1, 16, 40, 68, 72, 100, 512, 4096], [nil, 0xFF, 0x41, 0] as [UInt8?])
  func damagedHeadsAreSetAside(length: Int, byte: UInt8?) throws {
    var damaged = try makeHistory()
    var generator = SeededGenerator(seed: UInt64(length))
    for index in 0..<length {
      damaged[index] = byte ?? UInt8.random(in: 0...255, using: &generator)
    }
    #expect(try outcome(of: damaged, damaged) == "set aside")
  }

  /// Without being asked to, a program leaves a damaged history as it is.
  @Test func aDamagedHistoryIsAnErrorUnlessAsked() throws {
    var damaged = try makeHistory()
    damaged.replaceSubrange(4096..<8192, with: Data(repeating: 7, count: 4096))
    try damaged.write(to: URL(filePath: path))
    let error = #expect(throws: Failure.self) { try HistoryStore(path, now: Samples.now) { _ in } }
    #expect(error?.kind == .badData && error?.description.contains("--set-aside-damaged") == true)
    #expect(try bytes() == damaged && folder.names == ["history.sqlite"])
    var messages: [String] = []
    let store = try HistoryStore(path, now: Samples.now, setsAside: true) { messages.append($0) }
    let kept = "history.damaged-20261123T090729Z.sqlite"
    #expect(try store.runs().isEmpty && folder.names == [kept, "history.sqlite"])
    #expect(messages.count == 1 && messages[0].contains(kept))
    #expect(try Data(contentsOf: folder.url.appending(path: kept)) == damaged)
  }

  /// The numbers that SQLite keeps for the owner of a file: the version, then the id. The tables
  /// show that it is a history.
  @Test(arguments: [60, 61, 68, 69, 70, 71], [0x00, 0x7F, 0xFF] as [UInt8])
  func damagedNumbersAreRestored(place: Int, byte: UInt8) throws {
    let original = try makeHistory()
    var damaged = original
    damaged[place] = byte
    try damaged.write(to: URL(filePath: path))
    #expect(try HistoryStore(reading: path).runs().count == 20)
    #expect(try Samples.store(path).runs().count == 20)
    #expect(try bytes()[60..<72] == original[60..<72] && folder.names == ["history.sqlite"])
  }

  /// What a person may do with sqlite3 to an intact history; the last is a dump that is read back.
  @Test(arguments: [
    "ANALYZE", "PRAGMA optimize; ANALYZE runs", "VACUUM",
    "PRAGMA auto_vacuum = NONE; VACUUM", "PRAGMA auto_vacuum = INCREMENTAL; VACUUM",
    "PRAGMA page_size = 8192; VACUUM", "PRAGMA journal_mode = WAL", "REINDEX",
    "PRAGMA journal_mode = WAL; ANALYZE; CREATE INDEX mine ON runs (machine)",
    "CREATE INDEX mine ON figures (metric)", "DROP INDEX runs_by_time",
    "CREATE VIEW mine AS SELECT * FROM runs", "CREATE TABLE mine (x); INSERT INTO mine VALUES (1)",
    "CREATE TABLE mine (x INTEGER PRIMARY KEY AUTOINCREMENT)",
    "PRAGMA application_id = 0; PRAGMA user_version = 0",
  ])
  func anIntactHistoryStaysOne(statements: String) throws {
    _ = try makeHistory()
    let database = try Database(path)
    try database.execute(statements)
    database.close()
    let reader = try HistoryStore(reading: path)
    #expect(try reader.runs().count == 20 && reader.allSeries().count == 3)
    reader.close()
    for number in 20..<22 {
      let store = try HistoryStore(path, now: Samples.now) { Issue.record("\($0)") }
      #expect(try store.append(Samples.run(number), Samples.figures(number)))
      #expect(try store.runs().count == number + 1)
      store.close()
    }
    #expect(folder.names == ["history.sqlite"])
  }

  /// Columns and triggers that a history has not: it stays as it is.
  @Test(arguments: [
    ("DROP TABLE trials", "changed tables trials"),
    ("CREATE INDEX mine ON figures (metric) WHERE value > 0", "an index mine with"),
    ("CREATE INDEX mine ON runs (length(machine))", "an index mine with"),
    ("ALTER TABLE runs ADD COLUMN more TEXT", "changed tables runs"),
    ("ALTER TABLE runs RENAME TO walks", "changed tables figures, runs"),
    (
      "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END", "found a trigger t; undo"
    ),
    // It acts like a trigger, and its check may never end.
    (
      "CREATE TABLE x (run REFERENCES Runs ON DELETE SET NULL CHECK (run IS NOT NULL OR length(hex(zeroblob("
        + "9000000))) > 0))", "a table x with a reference to it; undo"
    ),
    // SQLite compares the kind of an entry without case.
    (
      "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END; PRAGMA writable_schema = ON;"
        + "UPDATE sqlite_schema SET type = 'TRIGGER' WHERE name = 't'", "an entry t of another kind"
    ),
    (
      "CREATE TABLE x (a); CREATE INDEX xi ON x (length(hex(zeroblob(300000000 + a))));"
        + "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET type = 'TABLE' WHERE name = 'x'",
      "an entry x of another kind"
    ),
    (
      "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END; PRAGMA writable_schema = ON;"
        + "UPDATE sqlite_schema SET type = CAST('trigger' AS BLOB) WHERE name = 't'",
      "an entry t of another kind"
    ),
  ])
  func alteredTablesAreRefused(statement: String, message: String) throws {
    _ = try makeHistory()
    let database = try Database(path)
    try database.execute(statement)
    database.close()
    try expectRefused(message)
  }

  /// A second damaged one within the same second does not replace the first.
  @Test func allDamagedFilesAreKept() throws {
    for number in 0..<3 {
      var bytes = try makeHistory()
      bytes.replaceSubrange(4096..<8192, with: Data(repeating: UInt8(number), count: 4096))
      try bytes.write(to: URL(filePath: path))
      #expect(try Samples.store(path).runs().isEmpty)
    }
    #expect(folder.names.filter { $0.contains("damaged") }.count == 3)
  }

  /// One byte or many at any place: the history opens, or is refused as it is, or is set aside as it
  /// was; nothing crashes and nothing is lost.
  @Test(.longer) func randomDamage() throws {
    let original = try makeHistory()
    var generator = SeededGenerator(seed: 4)
    var outcomes: [String: Int] = [:]
    for round in 0..<LongTests.count(quick: 60, long: 800) {
      var damaged = original
      let length = [1, 4, 100, 4096][round % 4]
      for _ in 0..<[1, 1, 10][round % 3] {
        let start = Int.random(in: 0..<damaged.count, using: &generator)
        for index in start..<min(start + length, damaged.count) {
          damaged[index] = UInt8.random(in: 0...255, using: &generator)
        }
      }
      outcomes[try outcome(of: damaged, original), default: 0] += 1
    }
    print("damaged histories: \(outcomes)")
    #expect(outcomes["set aside", default: 0] > 0 && outcomes["opened", default: 0] > 0)
  }

  @Test(.longer) func truncatedFiles() throws {
    let original = try makeHistory()
    let step = LongTests.count(quick: original.count / 40, long: original.count / 400)
    for length in stride(from: 1, to: original.count, by: step) {
      let outcome = try outcome(of: original.prefix(length), original)
      // A file shorter than the magic bytes cannot be recognised.
      #expect(outcome == (length < 16 ? "refused" : "set aside"), "\(length)")
    }
  }

  private func outcome(of damaged: Data, _ original: Data) throws -> String {
    let folder = try Folder()
    let path = folder.path("history.sqlite")
    try damaged.write(to: URL(filePath: path))
    defer { withExtendedLifetime(folder) {} }
    _ = try? read(HistoryStore(reading: path))
    var messages: [String] = []
    do {
      let store = try HistoryStore(path, now: Samples.now, setsAside: true) { messages.append($0) }
      try store.append(Samples.run(1000), Samples.figures(1000))
      #expect(try store.runs().contains(Samples.run(1000)))
      _ = try? read(store)
      let kept = folder.names.filter { $0.contains("damaged") }
      #expect(kept.count == messages.count)
      guard let name = kept.first else { return "opened" }
      // Every byte that was there is there; it is not the one that is written to.
      #expect(try Data(contentsOf: folder.url.appending(path: name)) == damaged)
      return "set aside"
    } catch let failure as Failure {
      #expect(try Data(contentsOf: URL(filePath: path)) == damaged, "\(failure)")
      return "refused"
    }
  }

  private func read(_ store: HistoryStore) throws {
    _ = try store.runs()
    _ = try store.allSeries()
    _ = try store.trials()
    _ = try HistoryLines.text(of: store)
  }
}
