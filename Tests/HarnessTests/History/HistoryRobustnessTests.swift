import Foundation
import TestSupport
import Testing
import TraceModel

/// What is reported as stored is there: after a kill, on a full disk, and with several programs at
/// once.
@Suite(.serialized) struct HistoryRobustnessTests {
  private static let figures = 150

  /// Imports files one after the other; each is reported when it is stored.
  private func process(_ files: [String], _ scratch: Scratch, errors: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: Program.executable)
    process.arguments = ["history", "import", "--history", "h.sqlite"] + files
    process.currentDirectoryURL = scratch.url
    process.standardInput = FileHandle.nullDevice
    try Data().write(to: scratch.url.appending(path: errors))
    process.standardError = try FileHandle(forWritingTo: scratch.url.appending(path: errors))
    try process.run()
    return process
  }

  /// Killed at any moment, often within a transaction: the history opens, and every run that was
  /// reported is there with all its figures.
  @Test(.longer) func kill() throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    let moments = LongTests.count(quick: 3, long: 50)
    print("killing the import at \(moments) moments, seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let scratch = try Scratch()
    let files = try HistoryFiles.make("r", 40, figures: Self.figures, in: scratch)
    let start = Date()
    try process(files, scratch, errors: "e").waitUntilExit()
    let duration = Date().timeIntervalSince(start)
    var (inTime, journals) = (0, 0)
    for moment in 0..<10 * moments where inTime < moments {
      for name in scratch.names where name.hasPrefix("h.") {
        try FileManager.default.removeItem(atPath: scratch.path(name))
      }
      let child = try process(files, scratch, errors: "e")
      Thread.sleep(forTimeInterval: duration * (0.05 + 0.9 * generator.unit()))
      #expect(Foundation.kill(child.processIdentifier, SIGKILL) == 0 || !child.isRunning)
      child.waitUntilExit()
      guard child.terminationReason == .uncaughtSignal,
        FileManager.default.fileExists(atPath: scratch.path("h.sqlite"))
      else { continue }
      inTime += 1
      journals += scratch.names.contains("h.sqlite-journal") ? 1 : 0
      let reported = HistoryFiles.reported(try scratch.text(of: "e"))
      // Two programs go on with it: one reads, one writes.
      var stored = try HistoryFiles.stored("h.sqlite", figures: Self.figures, in: scratch)
      if stored.count == 1, stored[0].contains("an empty database") { stored = [] }
      #expect(Set(stored).isSuperset(of: reported), "seed \(seed), moment \(moment)")
      #expect(stored.count - reported.count <= 1 && !stored.contains { $0.contains("whole") })
      let rest = try Program.run(
        ["history", "import", "--history", "h.sqlite"] + files, in: scratch.url)
      #expect(rest.status == 0 && !rest.errors.contains("damaged"), "\(rest.errors)")
    }
    print("killed \(inTime) times, \(journals) of them within a transaction")
    #expect(inTime == moments)
  }

  /// Several programs that make the history and write into it at the same time.
  @Test(.longer) func severalPrograms() throws {
    let rows = LongTests.count(quick: 30, long: 200)
    let scratch = try Scratch()
    let files = try ["a", "b"].map { try HistoryFiles.make($0, rows, in: scratch) }
    let children = try files.enumerated().map { number, names in
      try process(names, scratch, errors: "e\(number)")
    }
    for child in children {
      child.waitUntilExit()
      #expect(child.terminationStatus == 0)
    }
    let stored = try HistoryFiles.stored("h.sqlite", figures: 3, in: scratch)
    #expect(stored.count == 2 * rows)
    for number in 0..<2 {
      let reported = HistoryFiles.reported(try scratch.text(of: "e\(number)"))
      #expect(reported.count == rows && Set(stored).isSuperset(of: reported))
    }
  }

  /// Several programs find a damaged history: it is kept once, and all write into the same new one.
  @Test(.longer) func severalProgramsFindDamage() throws {
    for round in 0..<LongTests.count(quick: 2, long: 20) {
      let scratch = try Scratch()
      let files = try ["a", "b", "c"].map { try HistoryFiles.make($0, 4, in: scratch) }
      try process(files[0], scratch, errors: "e").waitUntilExit()
      var bytes = try scratch.bytes(of: "h.sqlite")
      bytes.replaceSubrange(4096..<8192, with: Data(repeating: UInt8(round), count: 4096))
      try bytes.write(to: scratch.url.appending(path: "h.sqlite"))
      let children = try files.enumerated().map { number, names in
        try process(["--set-aside-damaged"] + names, scratch, errors: "e\(number)")
      }
      for child in children {
        child.waitUntilExit()
        #expect(child.terminationStatus == 0)
      }
      let kept = scratch.names.filter { $0.hasPrefix("h.damaged-") }
      #expect(kept.count == 1, "\(scratch.names)")
      #expect(try scratch.bytes(of: kept.first ?? "none") == bytes)
      #expect(try HistoryFiles.stored("h.sqlite", figures: 3, in: scratch).count == 12)
      let reports = try (0..<3).map { try scratch.text(of: "e\($0)") }
        .filter { $0.contains("warning: h.sqlite: the database is damaged") }
      #expect(reports.count == 1)
    }
  }

  // MARK: Disks

  private static let ownMounts = ["unshare", "--map-root-user", "--mount"]

  /// - Parameters:
  ///   - prepare: makes the disk full for the history.
  ///   - undo: makes it usable again.
  private func expectFull(prepare: String, undo: String, wrapper: [String]) throws {
    let bench = try Workbench()
    _ = try HistoryFiles.make("r", 60, figures: Self.figures, in: bench.scratch)
    let outcome = try bench.shell(
      """
      mkdir disk; \(prepare)
      "$0" history import r-*.jsonl --history disk/h.sqlite 2>reported; echo "status $?"
      \(undo)
      "$0" history export - --history disk/h.sqlite | grep -o '"id":"[^"]*"' >stored
      grep -c added reported; grep -c . stored; ls disk
      """, wrapper: wrapper)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 4, "\(outcome.output) \(outcome.errors)")
    let text = try bench.scratch.text(of: "reported")
    #expect(lines[0] == "status 74" && text.contains("error: disk/h.sqlite: "), "\(text)")
    let count = try #require(Int(lines[1]))
    #expect((1..<60).contains(count) && lines[2] == lines[1], "\(outcome.output)")
    #expect(lines[3] == "h.sqlite")
    for id in HistoryFiles.reported(text) {
      #expect(try bench.scratch.text(of: "stored").contains("\"\(id)\""))
    }
  }

  @Test(.enabled(if: FullDiskCommandTests.canMount, "this machine lets no test mount a disk"))
  func fullDisk() throws {
    try expectFull(
      prepare: "mount -t tmpfs -o size=300k tmpfs disk", undo: ":", wrapper: Self.ownMounts)
  }

  /// The limit stands for a disk that is full for one file.
  @Test func limitOfFileSize() throws {
    try expectFull(
      prepare: "old=$(ulimit -S -f); ulimit -S -f 300", undo: "ulimit -S -f $old", wrapper: [])
  }

  @Test(.enabled(if: FullDiskCommandTests.canMount, "this machine lets no test mount a disk"))
  func readOnlyDisk() throws {
    let bench = try Workbench()
    _ = try HistoryFiles.make("r", 2, in: bench.scratch)
    let outcome = try bench.shell(
      """
      mkdir disk; mount -t tmpfs -o size=1m tmpfs disk
      "$0" history import r-0.jsonl --history disk/h.sqlite --quiet; mount -o remount,ro disk
      "$0" history import r-1.jsonl --history disk/h.sqlite; echo "status $?"
      "$0" history import r-1.jsonl --history disk/new.sqlite; echo "status $?"
      "$0" history import r-1.jsonl --history disk/new/new.sqlite; echo "status $?"
      "$0" history --history disk/h.sqlite | head -1; ls disk
      """, wrapper: Self.ownMounts)
    #expect(
      outcome.output
        == "status 74\nstatus 74\nstatus 74\n1 run of 1 machine, 2026-11-23, in disk/h.sqlite\nh.sqlite\n",
      "\(outcome.output)")
    for name in ["h", "new", "new/new"] {
      #expect(outcome.errors.contains("error: disk/\(name).sqlite: "), "\(outcome.errors)")
    }
  }
}
