import Foundation
import Testing

/// What `bisect` leaves alone: the checkout, its repository, and files outside of it.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git")))
struct BisectSafetyTests {
  private typealias Commit = BisectBench.Commit

  private func dirtyBench() throws -> BisectBench {
    let bench = try BisectBench((0..<9).map { Commit(least: $0 < 5 ? 5 : 15) })
    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: bench.folder.appending(path: name))
    }
    try write("stashed\n", "other")
    try bench.git("stash", "-q")
    try write("least=7\n# staged\n", "other")
    try bench.git("add", "-A")
    try write("least=7\n# staged, then changed\n", "other")
    try write("mine\n", "new file")
    // A bisection of the user's own, in the middle.
    try bench.git("bisect", "start", "--no-checkout", bench.commits[8], bench.commits[0])
    return bench
  }

  /// Every file of the checkout and of the repository is the same, byte by byte, after a success and
  /// after a failure.
  @Test func leavesADirtyCheckoutAsItIs() throws {
    let bench = try dirtyBench()
    let before = try bench.contents()
    let found = try bench.found()
    #expect(found.suspects.map(\.hash) == [bench.commits[5]])
    #expect(try bench.contents() == before)
    #expect(try bench.run(build: ["--", "false"]).status == 70)
    #expect(try bench.contents() == before)
    #expect(bench.temporaryFiles.isEmpty)
    #expect(try bench.git("stash", "list").split(separator: "\n").count == 1)
  }

  /// A signal while a commit is being built ends the build, and leaves no work tree behind.
  @Test(arguments: ["INT", "TERM", "HUP"])
  func anInterruptCleansUp(signal: String) throws {
    let bench = try dirtyBench()
    let before = try bench.contents()
    let outcome = try Program.launch(
      "sh",
      [
        "-c",
        """
        export TMPDIR="$1/tmp" MARK="$1/mark"; cd "$1/my checkout/my detector"
        "$0" bisect --good "$2" --bad "$3" suite.yml --program "$0" -- \
          sh -c 'test -e "$MARK.1" && { echo $$ >"$MARK"; exec sleep 1000; }; touch "$MARK.1"' \
          >/dev/null 2>&1 &
        until test -s "$MARK"; do sleep 0.01; done
        test "$(ls "$TMPDIR")" && test -d ../.git/worktrees && echo there
        kill -\(signal) $!; wait $!; echo $?; ls -A "$TMPDIR"
        kill -0 "$(cat "$MARK")" 2>/dev/null && echo alive
        true
        """, Program.executable, bench.scratch.url.path, bench.commits[0], bench.commits[8],
      ], in: bench.scratch.url)
    #expect(outcome.output == "there\n130\n", "\(outcome)")
    #expect(try bench.contents() == before)
  }

  /// At any moment: also while git makes the work tree, or while a detector runs.
  @Test func anInterruptAtAnyMomentCleansUp() throws {
    let bench = try BisectBench((0..<9).map { Commit(least: $0 < 5 ? 5 : 15) })
    let before = try bench.contents()
    for delay in [0.02, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8] {
      let outcome = try Program.launch(
        "sh",
        [
          "-c",
          """
          export TMPDIR="$1/tmp"; cd "$1/my checkout/my detector"
          "$0" bisect --good "$2" --bad "$3" suite.yml >/dev/null 2>&1 &
          sleep \(delay); kill -TERM $!; wait $!; echo $?; ls -A "$TMPDIR"
          """, Program.executable, bench.scratch.url.path, bench.commits[0], bench.commits[8],
        ], in: bench.scratch.url)
      // Before the program listens to signals, it is ended by them; it has then done nothing.
      #expect(["130\n", "143\n", "0\n"].contains(outcome.output), "after \(delay) s: \(outcome)")
      #expect(try bench.contents() == before, "after \(delay) s")
    }
  }

  /// Neither hooks nor the programs that watch files run, nor does a repository or an index count
  /// that the environment names.
  @Test func runsNoHooks() throws {
    let bench = try BisectBench((0..<5).map { Commit(least: $0 < 3 ? 5 : 15) })
    let trap = bench.scratch.path("trap")
    try Data("#!/bin/sh\necho x >>'\(trap)'\n".utf8).write(
      to: bench.checkout.appending(path: ".git/hooks/post-checkout"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: bench.checkout.appending(path: ".git/hooks/post-checkout").path)
    try bench.git("config", "core.fsmonitor", "sh -c 'echo x >>\"\(trap)\"'")
    let before = try bench.contents()
    let index = bench.scratch.path("index")
    let found = try bench.found(variables: [
      "GIT_INDEX_FILE": index, "GIT_DIR": "/nowhere", "GIT_WORK_TREE": "/nowhere",
      "GIT_OBJECT_DIRECTORY": "/nowhere",
    ])
    #expect(found.suspects.map(\.hash) == [bench.commits[3]])
    #expect(!FileManager.default.fileExists(atPath: trap))
    #expect(!FileManager.default.fileExists(atPath: index))
    #expect(try bench.contents() == before)
  }

  /// A commit in which the folder of the suite leads elsewhere is skipped: nothing is written there.
  @Test func followsNoLinkOutOfTheWorkTree() throws {
    let bench = try BisectBench(
      (0..<7).map { Commit(least: $0 < 5 ? 5 : 15, link: $0 == 3 ? "../outside" : nil) })
    let outside = bench.scratch.url.appending(path: "outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: false)
    let linked = try BisectBench(
      (0..<7).map { Commit(least: $0 < 5 ? 5 : 15, link: $0 == 3 ? outside.path : nil) })
    let found = try linked.found()
    #expect(found.suspects.map(\.hash) == [linked.commits[5]])
    #expect(found.steps.contains { $0.reason.contains("a link out of it") })
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
  }

  /// The suite and the recordings are those of the checkout at every commit.
  @Test func measuresThePresentSuite() throws {
    let bench = try BisectBench(
      (0..<7).map { Commit(least: $0 < 2 ? 5 : 15, other: $0 < 4 ? 5 : 15) })
    try Data(
      """
      schema: shadowbox-suite/1
      traces: {mine: [t.h5]}
      entries:
        - name: alone
          detector: "exec:./blow other"
          traces: mine
          tolerance: 100 ms  # only here
      """.utf8
    ).write(to: bench.folder.appending(path: "suite.yml"))
    let found = try bench.found()
    #expect(found.suspects.map(\.hash) == [bench.commits[4]])
    #expect(Set(found.flips.map(\.entry)) == ["alone"])
    // From another folder, and by another name.
    let outcome = try bench.run(
      ["my detector/suite.yml", "--format", "json"], in: bench.checkout)
    #expect(
      try outcome.decoded(BisectBench.Found.self).suspects.map(\.hash) == [bench.commits[4]])
  }
}
