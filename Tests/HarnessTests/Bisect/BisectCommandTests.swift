import Foundation
import TestSupport
import Testing
import TraceModel

/// `bisect` on repositories whose commits are a detector.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git")))
struct BisectCommandTests {
  typealias Commit = BisectBench.Commit

  // MARK: The planted commit

  /// Finds the same commit as a scan of all 50 commits, of which three do not build.
  @Test(.longer, arguments: 0..<LongTests.count(quick: 1, long: 12))
  func findsThePlantedCommit(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(500 + seed))
    let guilty = Int.random(in: 1..<50, using: &generator)
    let thresholds = [5, 15, 25, 35].shuffled(using: &generator).prefix(2)
    let broken = Set((1..<49).shuffled(using: &generator).prefix(3))
    let bench = try BisectBench(
      (0..<50).map {
        Commit(least: thresholds[$0 < guilty ? 0 : 1], builds: !broken.contains($0))
      })
    let found = try bench.found(build: BisectBench.building)
    let last = (guilty..<50).first { !broken.contains($0) } ?? 49
    let first = ((0..<guilty).last { !broken.contains($0) } ?? 0) + 1
    #expect(
      Set(found.suspects.map(\.hash)) == Set(bench.commits[first...last]), "seed \(seed)")
    #expect(found.isFound == (first == last))
    #expect(found.after.hash == bench.commits[last])
    #expect(found.after.subject == "Change \(last)")
    #expect(found.before.hash == bench.commits[first - 1])
    let skipped = found.steps.filter { $0.verdict == "skipped" }
    #expect(skipped.allSatisfy { $0.reason == "./build ended with exit code 3" })
    #expect(Set(skipped.map(\.commit.hash)).isSubset(of: broken.map { bench.commits[$0] }))
    try expectFlips(found, from: thresholds[0], to: thresholds[1])
    #expect(bench.temporaryFiles.isEmpty)
  }

  /// The blows between the two thresholds; the first is the first differing sample.
  private func expectFlips(_ found: BisectBench.Found, from old: Int, to new: Int) throws {
    let flipped = BisectBench.sizes.indices.filter {
      (BisectBench.sizes[$0] > old) != (BisectBench.sizes[$0] > new)
    }
    let readings = flipped.map { $0 * 20 + 10 }
    #expect(found.flips.map(\.newestReading) == readings)
    #expect(found.flips.allSatisfy { $0.change == (old < new ? "lost" : "gained") })
    #expect(found.flips.allSatisfy { $0.entry == "blow" })
    let sample = try #require(found.firstDifferingSample)
    #expect(sample.reading == readings[0])
    #expect(sample.timeNs == Int64(readings[0]) * 10_000_000)
    #expect((sample.trace, sample.entry, sample.channel) == ("t", "blow", "user_acceleration"))
    #expect(sample.values.map(\.name) == ["x", "y", "z"])
    #expect(sample.values.map(\.value) == [Double(BisectBench.sizes[flipped[0]]), 2, 0.5])
    #expect(found.changes.contains { $0.entry == "blow" && $0.name == "program_files" })
    #expect(found.decision.hasPrefix("\(flipped.count) detection"))
  }

  /// The same by hand: every commit is checked out, built and run, in the order of the history.
  @Test(.longer, arguments: 0..<LongTests.count(quick: 1, long: 4))
  func agreesWithAScan(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(700 + seed))
    let count = LongTests.count(quick: 7, long: 50)
    let guilty = Int.random(in: 1..<count, using: &generator)
    let broken = Int.random(in: 1..<count - 1, using: &generator)
    let bench = try BisectBench(
      (0..<count).map { Commit(least: $0 < guilty ? 5 : 25, builds: $0 != broken) })
    let found = try bench.found(build: BisectBench.building)
    let clone = bench.scratch.path("clone")
    try bench.git("clone", "-q", ".", clone)
    let logs = try bench.commits.map { commit -> String? in
      let outcome = try Program.launch(
        "sh",
        [
          "-c",
          """
          cd "$1" && git checkout -q --force "$2" && cd 'my detector' && ./build >&2 || exit 9
          cp '../../my checkout/my detector/t.h5' . && "$0" run suite.yml -o r.h5 --quiet --log log
          """, Program.executable, clone, commit,
        ], in: bench.scratch.url)
      guard outcome.status == 0 else { return nil }
      return try bench.scratch.text(of: "clone/my detector/log")
    }
    let last = try #require(logs.firstIndex { $0 != nil && $0 != logs[0] })
    let first = try #require(logs[..<last].lastIndex { $0 == logs[0] })
    #expect(Set(found.suspects.map(\.hash)) == Set(bench.commits[(first + 1)...last]))
  }

  /// If a neighbour of the first bad commit does not build, both are named.
  @Test(.longer, arguments: [(4, 3...4), (3, 3...4)])
  func namesARangeWhereTheNeighbourDoesNotBuild(guilty: Int, range: ClosedRange<Int>) throws {
    let bench = try BisectBench(
      (0..<6).map { Commit(least: $0 < guilty ? 5 : 15, builds: $0 != 3) })
    let found = try bench.found(build: BisectBench.building)
    #expect(!found.isFound)
    #expect(found.suspects.map(\.hash) == Array(bench.commits[range]))
    #expect(found.before.hash == bench.commits[2])
    guard LongTests.areWanted || guilty == 3 else { return }
    let table = try bench.run(build: BisectBench.building)
    #expect(table.status == 0)
    #expect(table.output.hasPrefix("First bad commit: one of these 2;"), "\(table.output)")
    #expect(table.output.contains("./build ended with exit code 3"))
    #expect(table.errors.contains("  no such type"))
  }

  /// A branch that was merged holds the guilty commit; or the merge itself is it.
  @Test(.longer, arguments: LongTests.everyOther([3, 4, 6]))
  func findsItInABranch(guilty: Int) throws {
    //  0 - 1 - 2 ------- 5 - 6 - 7      6 merges 4 into 5
    //       \- 3 - 4 -------/
    let parents: [Int: [Int]] = [3: [1], 5: [2], 6: [5, 4]]
    let descendants: [Int: Set<Int>] = [3: [3, 4, 6, 7], 4: [4, 6, 7], 6: [6, 7]]
    let bench = try BisectBench(
      (0..<8).map { index in
        Commit(
          least: descendants[guilty, default: []].contains(index) ? 15 : 5,
          parents: parents[index])
      })
    let found = try bench.found()
    #expect(found.suspects.map(\.hash) == [bench.commits[guilty]])
    #expect(found.before.hash == bench.commits[guilty == 3 ? 1 : guilty == 4 ? 3 : 5])
  }

  @Test func theGoodCommitNeedNotBeAnAncestor() throws {
    //  0 - 1 - 2 - 3        1 - 4
    let bench = try BisectBench([
      Commit(least: 5), Commit(least: 5), Commit(least: 15), Commit(least: 15),
    ])
    try bench.git("checkout", "-q", "-b", "side", bench.commits[1])
    try bench.git("commit", "-q", "--allow-empty", "-m", "Aside")
    let side = try bench.git("rev-parse", "HEAD").trimmingCharacters(in: .newlines)
    let found = try bench.found(good: side, bad: bench.commits[3])
    #expect(found.suspects.map(\.hash) == [bench.commits[2]])
    // From the other side: the ancestor that both have is not like the good one.
    let outcome = try bench.run(good: bench.commits[3], bad: side)
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("common ancestor \(bench.commits[1].prefix(12))"))
  }

  // MARK: The question

  @Test func asksForAFigureOrAGate() throws {
    // A blow is lost at 1, and another at 2: the recall is 1, 0.75, 0.5.
    let bench = try BisectBench([Commit(least: 5), Commit(least: 15), Commit(least: 25)])
    func guilty(_ options: String...) throws -> Int? {
      let found = try bench.found(["suite.yml"] + options)
      return bench.commits.firstIndex(of: found.suspects[0].hash)
    }
    #expect(try guilty() == 1)
    #expect(try guilty("--on", "recall") == 1)
    #expect(try guilty("--on", "recall", "--bound", "recall=-0.3") == 2)
    #expect(try guilty("--bound", "recall>=0.6") == 2)
    #expect(try guilty("--on", "gate") == 1)
    #expect(try guilty("--bound", "lost=1") == 2)
    let same = try bench.run(["suite.yml", "--bound", "recall>=0.4"])
    #expect(same.status == 65)
    #expect(same.errors.contains("--bad"))
    let unmet = try bench.run(["suite.yml", "--bound", "recall>=1.5"])
    #expect(unmet.status == 65)
    #expect(unmet.errors.contains("--good"), "\(unmet.errors)")
    let absent = try bench.run(["suite.yml", "--on", "departures_found"])
    #expect(absent.status == 65)
    #expect(absent.errors.contains("nothing is measured"))
  }

  @Test func runsOneEntryAlone() throws {
    let bench = try BisectBench(
      (0..<5).map { Commit(least: $0 < 2 ? 5 : 15, other: $0 < 3 ? 5 : 25) })
    let other = try bench.found(["suite.yml", "--only", "other"])
    #expect(other.suspects.map(\.hash) == [bench.commits[3]])
    #expect(Set(other.flips.map(\.entry)) == ["other"])
    let unknown = try bench.run(["suite.yml", "--only", "nothing"])
    #expect(unknown.status == 70)
    #expect(unknown.errors.contains("unknown entry"), "\(unknown.errors)")
  }

  @Test func takesTracesWithADetector() throws {
    let bench = try BisectBench((0..<3).map { Commit(least: $0 < 2 ? 5 : 15) })
    let found = try bench.found(["t.h5", "--detector", "exec:./blow rule"])
    #expect(found.suspects.map(\.hash) == [bench.commits[2]])
    #expect(found.firstDifferingSample?.reading == 10)
    let table = try bench.run(["t.h5", "--detector", "exec:./blow rule", "--full", "--quiet"])
    #expect(table.errors == "")
    #expect(table.output.hasPrefix("First bad commit: \(bench.commits[2].prefix(12)) 2023-11-16"))
    #expect(table.output.contains("Each detection that differs"))
    #expect(table.output.contains("reading 10 of user_acceleration"))
    #expect(table.output.contains("x 10, y 2, z 0.5 m/s2"))
    #expect(table.output.contains("file rule SHA-256"))
  }

  /// The measured program is the one that the command builds in the folder of the commit.
  @Test func measuresTheProgramThatIsBuilt() throws {
    let bench = try BisectBench((0..<5).map { Commit(least: $0 < 3 ? 5 : 15, builds: $0 != 1) })
    let build = """
      ./build && mkdir -p .build/release && pwd -P >>"$LOG"
      printf '#!/bin/sh\\nexec "%s" "$@"\\n' "$REAL" >.build/release/shadowbox
      chmod +x .build/release/shadowbox; test "$PWD" = "$(pwd -P)"
      """
    let log = bench.scratch.path("log")
    let found = try bench.found(
      build: ["--", "sh", "-ec", build],
      variables: ["LOG": log, "REAL": Program.executable])
    #expect(found.suspects.map(\.hash) == [bench.commits[3]])
    let folders = try bench.scratch.text(of: "log").split(separator: "\n")
    #expect(!folders.isEmpty)
    #expect(folders.allSatisfy { $0.hasSuffix("-bisect/my detector") }, "\(folders)")
    #expect(folders.allSatisfy { $0.hasPrefix(bench.scratch.path("tmp")) }, "\(folders)")
  }

  // MARK: Errors

  @Test func refusesWhatCannotBeSearched() throws {
    let bench = try BisectBench((0..<4).map { Commit(least: $0 < 2 ? 5 : 15, builds: $0 != 3) })
    func expect(_ outcome: Program.Outcome, _ status: Int32, _ text: String) {
      #expect(outcome.status == status, "\(outcome.errors)")
      #expect(outcome.errors.contains(text), "\(outcome.errors)")
      #expect(outcome.output == "")
    }
    let (first, last) = (bench.commits[0], bench.commits[3])
    expect(try bench.run(bad: first), 64, "expected two commits")
    let reversed = try bench.run(good: last, bad: first)
    expect(reversed, 64, "swap them")
    // Nothing is measured for that.
    #expect(!reversed.errors.contains(" good: "), "\(reversed.errors)")
    expect(try bench.run(good: "v9"), 64, "--good v9: expected a commit, found no such revision")
    // As the parser of arguments would take it for an option.
    expect(try bench.run(["suite.yml", "--good=--all"]), 64, "expected a commit")
    expect(try bench.run(bad: bench.commits[1]), 65, "found equal detections")
    expect(try bench.run(build: BisectBench.building), 70, "./build ended with exit code 3")
    expect(try bench.run(build: ["--", "./nothing"]), 70, "found that it has no program ./nothing")
    expect(try bench.run(build: ["--", "true"]), 70, ".build/release/shadowbox")
    expect(try bench.run(["suite.yml", "--bound", "x"]), 64, "--bound x")
    expect(try bench.run(["suite.yml", "--on", "recal"]), 64, "unknown figure")
    expect(try bench.run(["suite.yml", "--on", "flips", "--bound", "lost=0"]), 64, "no effect")
    expect(try bench.run(["suite.yml", "--detector", "punch"]), 64, "whose entries name them")
    expect(try bench.run(["no.yml"]), 74, "no.yml")
    expect(try bench.run(["no.h5"]), 74, "no.h5")
    expect(try bench.run(in: bench.scratch.url), 64, "expected a checkout")
    expect(try bench.run(["suite.yml", "--timeout", "0s"]), 64, "--timeout")
    // The last TMPDIR counts: that of the bench comes first.
    let inside = try Program.launch(
      "env",
      ["TMPDIR=\(bench.folder.path)", Program.executable, "bisect", "suite.yml"]
        + ["--good", first, "--bad", last], in: bench.folder)
    expect(inside, 74, "set TMPDIR")
    #expect(bench.temporaryFiles.isEmpty)
    #expect(try bench.git("worktree", "list").split(separator: "\n").count == 1)
  }

  @Test func refusesResultsThatVary() throws {
    let bench = try BisectBench([Commit(least: 5), Commit(least: 15)])
    // What the detector reads outlives the checkout of a commit: it changes with every run.
    try bench.scratch.write("least=5\n", to: "state")
    let state = bench.scratch.path("state")
    try bench.git("checkout", "-q", "--orphan", "odd")
    try Data(
      ". '\(state)'; echo least=$((least + 10)) >'\(state)'\n".utf8
    ).write(to: bench.folder.appending(path: "rule"))
    try bench.git("commit", "-qam", "Varying")
    try bench.git("commit", "-q", "--allow-empty", "-m", "Later")
    let outcome = try bench.run(good: "HEAD~1", bad: "HEAD")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("two runs of one commit differ"), "\(outcome.errors)")
  }

  @Test func stopsWhatTakesTooLong() throws {
    let bench = try BisectBench([Commit(least: 5), Commit(least: 15)])
    let outcome = try bench.run(
      ["suite.yml", "--timeout", "300ms"], build: ["--", "sleep", "1000"])
    #expect(outcome.status == 70)
    #expect(outcome.errors.contains("took longer than --timeout"), "\(outcome.errors)")
  }

  /// Where nothing between both ends builds, all of it is named, and the exit code says so.
  @Test func nothingBuilds() throws {
    let bench = try BisectBench(
      (0..<6).map { Commit(least: $0 < 2 ? 5 : 15, builds: [0, 5].contains($0)) })
    let outcome = try bench.run(build: BisectBench.building)
    #expect(outcome.status == 70)
    #expect(outcome.output.hasPrefix("First bad commit: one of these 5;"), "\(outcome.output)")
  }
}
