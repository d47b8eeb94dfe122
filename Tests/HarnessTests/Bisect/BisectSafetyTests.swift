import Foundation
import TestSupport
import Testing
import TraceModel

@testable import Harness

/// What `bisect` leaves alone: the checkout, its repository, and files outside of it.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git")))
struct BisectSafetyTests {
  private typealias Commit = BisectBench.Commit

  private func dirtyBench() throws -> BisectBench {
    let bench = try BisectBench((0..<5).map { Commit(least: $0 < 3 ? 5 : 15) })
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
    try bench.git("bisect", "start", "--no-checkout", bench.commits[4], bench.commits[0])
    return bench
  }

  /// Every file of the checkout and of the repository is the same, byte by byte, after a success and
  /// after a failure.
  @Test func leavesADirtyCheckoutAsItIs() throws {
    let bench = try dirtyBench()
    let before = try bench.contents()
    let found = try bench.found()
    #expect(found.suspects.map(\.hash) == [bench.commits[3]])
    #expect(try bench.contents() == before)
    #expect(try bench.run(build: ["--", "false"]).status == 70)
    #expect(try bench.contents() == before)
    #expect(bench.temporaryFiles.isEmpty)
    #expect(try bench.git("stash", "list").split(separator: "\n").count == 1)
  }

  /// A signal while a commit is being built ends the build, and leaves no work tree behind.
  @Test(arguments: [SIGINT, SIGHUP, SIGQUIT, SIGXCPU, 40])
  func anInterruptCleansUp(signal: Int32) throws {
    // A shell without job control starts what runs in its background with some of them ignored.
    _ = Foundation.signal(signal, SIG_DFL)
    let bench = try dirtyBench()
    let before = try bench.contents()
    let (process, builder) = try waitingBuild(of: bench)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect((process.terminationReason, process.terminationStatus) == (.exit, 130))
    #expect(bench.temporaryFiles.isEmpty)
    #expect(try bench.contents() == before)
    // Killed, it has a number until the system has taken note of its end.
    for _ in 0..<1000 where kill(builder, 0) == 0 { usleep(10_000) }
    #expect(kill(builder, 0) != 0, "the build goes on")
  }

  /// Starts a bisection, and waits until it builds the second commit. Returns the process of the build.
  private func waitingBuild(of bench: BisectBench) throws -> (Process, builder: Int32) {
    let mark = bench.scratch.path("mark")
    let build =
      "test -e '\(mark).1' && { mktemp; echo $$ >'\(mark)'; exec sleep 1000; }; touch '\(mark).1'"
    let process = try bench.start(build: ["--program", Program.executable, "--", "sh", "-c", build])
    while process.isRunning, (try? bench.scratch.text(of: "mark"))?.hasSuffix("\n") != true {
      usleep(1000)
    }
    #expect(try bench.contents().keys.contains { $0.hasPrefix(".git/worktrees/") })
    #expect(bench.temporaryFiles.count == 1)
    let text = try bench.scratch.text(of: "mark").trimmingCharacters(in: .newlines)
    return (process, try #require(Int32(text)))
  }

  /// What a killed bisection leaves, the next one removes; what another one uses, it leaves alone.
  @Test func aKilledOneIsClearedUpByTheNext() throws {
    let bench = try BisectBench((0..<5).map { Commit(least: $0 < 3 ? 5 : 15) })
    let before = try bench.contents()
    let (process, builder) = try waitingBuild(of: bench)
    #expect(try bench.found().suspects.map(\.hash) == [bench.commits[3]])
    #expect(bench.temporaryFiles.count == 1)
    // The build, too: it has the streams that waitUntilExit waits for.
    for number in [process.processIdentifier, builder] { kill(number, SIGKILL) }
    process.waitUntilExit()
    #expect(bench.temporaryFiles.count == 1)
    #expect(try bench.found().suspects.map(\.hash) == [bench.commits[3]])
    #expect(bench.temporaryFiles.isEmpty)
    #expect(try bench.contents() == before)
  }

  /// A stranger's repository may have a record of any folder of temporary files.
  @Test func removesNoFolderThatItHasNotMade() throws {
    let bench = try BisectBench((0..<3).map { Commit(least: $0 < 2 ? 5 : 15) })
    // Each lacks one thing that a killed bisection leaves.
    let made = try Program.launch(
      "sh",
      [
        "-c",
        """
        set -e; umask 077; IFS=; records=$PWD/.git/worktrees; mkdir $records; cd ../tmp
        here=$(pwd -P)
        add() {
          mkdir $1; echo mine >$1/file; printf %s "$mark" >$1/lock; mkdir $records/$1-bisect
          echo "$here/$1/$1-bisect/.git" >$records/$1-bisect/gitdir
        }
        mark='\(BisectWorktree.mark)'
        add shadowbox; add shadowbox-toolong; add shadowbox-opened; chmod 755 shadowbox-opened
        add shadowbox-placed; echo /nowhere/.git >$records/shadowbox-placed-bisect/gitdir
        add shadowbox-unsure; rm $records/shadowbox-unsure-bisect/gitdir
        add shadowbox-linked; mv shadowbox-linked linked; ln -s linked shadowbox-linked
        add shadowbox-locked; mv shadowbox-locked/lock locked
        ln -s ../locked shadowbox-locked/lock
        add shadowbox-waited; rm shadowbox-waited/lock; mkfifo shadowbox-waited/lock
        mark=; add shadowbox-mydata
        mark=other; add shadowbox-texted
        """,
      ], in: bench.checkout)
    try #require(made.status == 0, "\(made.errors)")
    let before = try bench.scratch.filesInFolders()
    #expect(try bench.run().status == 0)
    #expect(try bench.scratch.filesInFolders() == before)
  }

  /// At any moment: also while git makes the work tree, or while a detector runs.
  @Test(.longer) func anInterruptAtAnyMomentCleansUp() throws {
    let bench = try BisectBench((0..<9).map { Commit(least: $0 < 5 ? 5 : 15) })
    let before = try bench.contents()
    var generator = SeededGenerator(seed: 41)
    for _ in 0..<LongTests.count(quick: 4, long: 100) {
      let delay = UInt32.random(in: 20_000...900_000, using: &generator)
      let process = try bench.start()
      usleep(delay)
      kill(process.processIdentifier, SIGTERM)
      process.waitUntilExit()
      // Before the program handles signals, they end it; it has done nothing yet.
      let isKilled = process.terminationReason == .uncaughtSignal
      #expect(isKilled || [130, 0].contains(process.terminationStatus), "after \(delay) us")
      let after = try bench.contents()
      let left = Set(after.keys).symmetricDifference(before.keys).sorted()
      #expect(after == before && left.isEmpty, "after \(delay) us: \(left)")
      #expect(bench.temporaryFiles.isEmpty, "after \(delay) us")
    }
  }

  /// With this extension, git would check out and clean the folder that the settings name.
  @Test func anotherWorkTreeIsNotTouched() throws {
    let bench = try BisectBench((0..<5).map { Commit(least: $0 < 3 ? 5 : 15) })
    let victim = bench.scratch.url.appending(path: "victim")
    try FileManager.default.createDirectory(at: victim, withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: victim.appending(path: "mine"))
    for (file, name, value) in [
      ("config", "core.repositoryformatversion", "1"),
      ("config", "extensions.worktreeConfig", "true"), ("config.worktree", "core.worktree", ".."),
      ("config", "core.worktree", victim.path),
    ] {
      try bench.git("config", "-f", ".git/\(file)", name, value)
    }
    #expect(try bench.found().suspects.map(\.hash) == [bench.commits[3]])
    #expect(try FileManager.default.contentsOfDirectory(atPath: victim.path) == ["mine"])
  }

  /// Neither hooks, filters nor the programs that watch files run, nor does a repository or an index count
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
    try Data(
      """
      * filter=a.b=c
      *.yml filter=own
      rule filter=\u{301}x
      other filter=cafe\u{301}
      build filter=caf\u{E9}

      """.utf8
    ).write(to: bench.checkout.appending(path: ".git/info/attributes"))
    let filter = "smudge = PROGRAM\nclean = PROGRAM\nprocess = PROGRAM\nrequired = true\n"
      .replacing("PROGRAM", with: "\"echo x >>'\(trap)'; cat\"")
    // One that only the work tree of the bisection has.
    // An accent that is part of the character before it; two names that only bytes tell apart.
    let names = ["a.b=c", "\u{301}x", "cafe\u{301}", "caf\u{E9}"]
    try Data(names.map { "[filter \"\($0)\"]\n\(filter)" }.joined().utf8).write(
      to: bench.checkout.appending(path: ".git/more"))
    try bench.git("config", "includeIf.gitdir:**/shadowbox-*.path", "more")
    for line in filter.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      try bench.git(
        "config", "filter.own.\(words[0])", words[2].trimmingCharacters(in: ["\""]))
    }
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

  /// Git 2.54 and later start the hooks that settings name, from no folder of hooks.
  @Test func takesTheEventsFromHooksOfSettings() throws {
    let bench = try BisectBench([Commit(least: 5)])
    try bench.git("config", "hook.a.b.command", "false")
    try bench.git("config", "--add", "hook.a.b.event", "post-checkout")
    let repository = try GitRepository(of: bench.checkout.path)
    let folder = bench.checkout.path
    let off = try repository.variablesWithoutPrograms(in: folder)
    for (name, last) in [("event", ""), ("enabled", "false")] {
      let answer = try GitRepository.run(
        ["config", "--get", "hook.a.b.\(name)"], in: folder, variables: off, limit: .seconds(10))
      #expect(answer.status == 0 && answer.output == last)
    }
  }

  /// Objects that are not there are not fetched, with any program that the settings name.
  @Test func fetchesNothing() throws {
    let bench = try BisectBench((0..<5).map { Commit(least: $0 < 3 ? 5 : 15) })
    let trap = bench.scratch.path("trap")
    for (key, value) in [
      ("core.repositoryformatversion", "1"), ("extensions.partialClone", "o"),
      ("remote.o.promisor", "true"), ("remote.o.url", bench.scratch.path("no")),
      ("remote.o.uploadpack", "echo x >>'\(trap)'; false"),
    ] { try bench.git("config", key, value) }
    let removed = try Program.launch(
      "sh", ["-c", "rm -r .git/objects/??; mkdir -p .git/objects"], in: bench.checkout)
    #expect(removed.status == 0)
    #expect(try bench.run().status != 0)
    #expect(!FileManager.default.fileExists(atPath: trap))
  }

  /// A commit in which the folder of the suite leads elsewhere is skipped: nothing is written there.
  @Test func followsNoLinkOutOfTheWorkTree() throws {
    let scratch = try Scratch()
    let outside = scratch.url
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
      (0..<5).map { Commit(least: $0 < 2 ? 5 : 15, other: $0 < 3 ? 5 : 15) })
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
    #expect(found.suspects.map(\.hash) == [bench.commits[3]])
    #expect(Set(found.flips.map(\.entry)) == ["alone"])
    // From another folder, and by another name.
    let outcome = try bench.run(
      ["my detector/suite.yml", "--format", "json"], in: bench.checkout)
    #expect(
      try outcome.decoded(BisectBench.Found.self).suspects.map(\.hash) == [bench.commits[3]])
  }

  /// A stranger's settings do not decide how many processes check a commit out.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
  func aStrangersSettingsStartNoWorkers() throws {
    let bench = try BisectBench((0..<2).map { Commit(least: $0 < 1 ? 5 : 15) })
    try bench.git("config", "checkout.workers", "12")
    try bench.git("config", "checkout.thresholdForParallelism", "0")
    let calls = bench.scratch.path("calls")
    let outcome = try Program.launch(
      "strace",
      [
        "-f", "-qq", "-v", "--seccomp-bpf", "-e", "trace=execve", "-o", calls, Program.executable,
        "bisect",
      ]
        + ["--good", bench.commits[0], "--bad", bench.commits[1], "suite.yml"], in: bench.folder)
    let text = try bench.scratch.text(of: "calls")
    #expect(
      text.contains("\"checkout\"") && !text.contains("checkout--worker"), "\(outcome.errors)")
  }
}
