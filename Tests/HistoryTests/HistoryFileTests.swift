import Diagnostics
import Foundation
import Testing

@testable import History

/// What lies beside the file of a history, or comes there, changes no other file.
@Suite struct HistoryFileTests {
  private let folder: Folder
  private let path: String

  init() throws {
    folder = try Folder()
    path = folder.path("history.sqlite")
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  private func makeHistory() throws -> Data {
    try Samples.filled(path, runs: 20).close()
    return try bytes()
  }

  /// A name that SQLite takes for an address or for memory, and one that leads through a link and back.
  @Test func aNameIsAFile() throws {
    let history = try makeHistory()
    let inner = folder.path("inner")
    for name in ["inner", "inner/deep"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false)
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("l"), withDestinationPath: inner + "/deep")
    try history.write(to: URL(filePath: inner + "/history.sqlite"))
    try Data([0]).write(to: URL(filePath: inner + "/other"))
    try FileManager.default.linkItem(
      atPath: inner + "/other", toPath: inner + "/history.sqlite-wal")
    let error = #expect(throws: Failure.self) {
      try HistoryStore(reading: folder.path("l/../history.sqlite"))
    }
    #expect(error?.description.contains("with one name") == true, "\(error as Any)")
    for name in ["file:a.sqlite", ":memory:"] {
      try Samples.store(folder.path(name)).close()
      #expect(folder.names.contains(name))
    }
  }

  /// SQLite would write the log of such a database into it, and the journal too.
  @Test(arguments: ["wal", "journal"]) func theLogOfAnotherProgramStays(kind: String) throws {
    let (other, copy) = (try Database(folder.path("open")), folder.path("copy"))
    if kind == "wal" { _ = try other.pragma("journal_mode", " = WAL") as String? }
    try other.execute("PRAGMA cache_size = 2; CREATE TABLE mine (x)")
    // More than the cache holds, so that the database is written before the end.
    try other.execute("BEGIN; INSERT INTO mine VALUES (zeroblob(100000))")
    for ending in ["", "-\(kind)"] {
      try FileManager.default.copyItem(
        atPath: folder.path("open") + ending, toPath: copy + ending)
    }
    let before = try Data(contentsOf: URL(filePath: copy))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: copy)
    for access in [
      { _ = try Samples.store(self.path) }, { _ = try HistoryStore(reading: self.path) },
    ] {
      let error = #expect(throws: Failure.self) { try access() }
      #expect(error?.description.contains("another program") == true, "\(error as Any)")
    }
    #expect(try Data(contentsOf: URL(filePath: copy)) == before)
    #expect(FileManager.default.fileExists(atPath: copy + "-\(kind)"))
    other.close()
  }

  /// The unfinished change of a program that was killed is taken back, and its journal is gone.
  @Test(arguments: ["wal", "journal"]) func anUnfinishedChangeOfAHistory(kind: String) throws {
    _ = try makeHistory()
    let other = try Database(path)
    if kind == "wal" { _ = try other.pragma("journal_mode", " = WAL") as String? }
    try other.execute("PRAGMA cache_size = 2; DELETE FROM trials")
    try other.execute("BEGIN; DELETE FROM runs; CREATE TABLE mine (x)")
    try other.execute("INSERT INTO mine VALUES (zeroblob(100000))")
    let copy = folder.path("copy.sqlite")
    for ending in ["", "-\(kind)"] {
      try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
    }
    other.close()
    let before = try Data(contentsOf: URL(filePath: copy))
    let reader = try HistoryStore(reading: copy)
    #expect(try reader.runs().count == 20 && reader.trials().isEmpty)
    #expect(try Data(contentsOf: URL(filePath: copy)) == before)
    try Samples.store(copy).append(Samples.run(20), Samples.figures(20))
    #expect(!folder.names.contains("copy.sqlite-\(kind)"))
    #expect(try HistoryStore(reading: copy).runs().count == 21)
    let database = try Database(copy)
    #expect(try database.pragma("integrity_check") == "ok")
    database.close()
  }

  /// A journal without pages states that the database was much longer.
  @Test func aJournalDoesNotMakeAHistoryLonger() throws {
    let history = try makeHistory()
    try journal(pages: 200_000).write(to: URL(filePath: path + "-journal"))
    for access in [{ _ = try Samples.store(path) }, { _ = try HistoryStore(reading: path) }] {
      let error = #expect(throws: Failure.self) { try access() }
      #expect(error?.kind == .badData)
      #expect(
        error?.description.contains("at most \(history.count + 512) bytes, found one of 819200000")
          == true, "\(error as Any)")
    }
    #expect(try bytes() == history)
  }

  /// Between a look at the files beside it and their use somebody puts others there.
  @Test func theFileIsNeverOpenInSQLite() throws {
    _ = try makeHistory()
    for store in [try Samples.store(path), try HistoryStore(reading: path)] {
      #expect(try store.runs().count == 20)
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
      }
      #expect(!open.isEmpty && !open.contains { $0.hasPrefix(folder.url.path) })
    }
  }

  /// A folder that takes the place of another one, or a link of the file, gets nothing.
  @Test func theFolderStaysTheSame() throws {
    let history = try makeHistory()
    let file = try HistoryFile(path)
    let content = try file.content(forWriting: true)
    let (moved, other) = (folder.url.path + "-moved", Data("of the user".utf8))
    try FileManager.default.moveItem(atPath: folder.url.path, toPath: moved)
    defer { try? FileManager.default.removeItem(atPath: moved) }
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: false)
    try other.write(to: URL(filePath: path))
    try file.replace(content, with: history + [1])
    #expect(try bytes() == other)
    #expect(try Data(contentsOf: URL(filePath: moved + "/history.sqlite")) == history + [1])
  }

  private let magic = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])

  private func words(_ values: UInt32...) -> Data {
    values.reduce(into: Data()) { data, value in
      withUnsafeBytes(of: value.bigEndian) { data.append(contentsOf: $0) }
    }
  }

  /// The head of a journal without pages, of a database that had so many.
  private func journal(pages: UInt32) -> Data {
    let head = magic + words(0, 1, pages, 512, 4096)
    return head + Data(count: 512 - head.count)
  }

  /// SQLite removes the file that such a journal names, here a file of the user.
  @Test func aJournalThatNamesAnotherFileIsRefused() throws {
    let history = try makeHistory()
    let other = Data("of the user".utf8)
    try other.write(to: URL(filePath: folder.path("other.txt")))
    let name = Data(folder.path("other.txt").utf8)
    let sum = name.reduce(UInt32(0)) { $0 + UInt32($1) }
    let end = words(0x4000_0000 / 4096 + 1) + name + words(UInt32(name.count), sum) + magic
    try (journal(pages: UInt32(history.count) / 4096) + end).write(
      to: URL(filePath: path + "-journal"))
    // A link leads to the same journal.
    let link = folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    for name in [path, link] {
      for access in [{ _ = try Samples.store(name) }, { _ = try HistoryStore(reading: name) }] {
        let error = #expect(throws: Failure.self) { try access() }
        #expect(error?.kind == .badData)
        #expect(error?.description.contains("journal of one database") == true, "\(error as Any)")
      }
    }
    #expect(try Data(contentsOf: URL(filePath: folder.path("other.txt"))) == other)
    #expect(try bytes() == history)
  }

  /// SQLite would write into the other name of such a file, and wait for a pipe.
  @Test(arguments: ["-journal", "-wal"], ["name", "link", "pipe"])
  func filesBesideItAreItsOwn(ending: String, kind: String) throws {
    let history = try makeHistory()
    let (other, beside) = (folder.path("other"), path + ending)
    try Data([0, 1, 2]).write(to: URL(filePath: other))
    switch kind {
    case "name": try FileManager.default.linkItem(atPath: other, toPath: beside)
    case "link":
      try FileManager.default.createSymbolicLink(atPath: beside, withDestinationPath: other)
    default: try #require(mkfifo(beside, 0o600) == 0)
    }
    for access in [
      { _ = try Samples.store(self.path) }, { _ = try HistoryStore(reading: self.path) },
    ] {
      let error = #expect(throws: Failure.self) { try access() }
      #expect(error?.description.contains("a file of SQLite's") == true, "\(error as Any)")
    }
    #expect(try Data(contentsOf: URL(filePath: other)) == Data([0, 1, 2]))
    #expect(try bytes() == history)
  }
}
