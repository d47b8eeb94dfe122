import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Harness

/// The commit of the data, without running what a repository names.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git")))
struct ToolchainTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write("one", to: "a.txt")
    try git("init", "-q")
    try git("add", "a.txt")
    try git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "one")
  }

  private func git(_ words: String...) throws {
    let outcome = try Program.launch("git", words, in: scratch.url)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  private var commit: String { Toolchain.commit(near: scratch.path("a.txt")) }

  @Test func isThatOfTheFolder() throws {
    #expect(commit.count == 40 && commit.allSatisfy(\.isHexDigit))
    try scratch.write("two", to: "new.txt")
    #expect(!commit.hasSuffix("-dirty"))
    try scratch.write("two", to: "a.txt")
    #expect(commit.count == 46 && commit.hasSuffix("-dirty"))
    #expect(Toolchain.commit(near: "/nowhere/a.txt") == "")
    #expect(Toolchain.commit(near: "/proc/1/x") == "")
  }

  /// Git writes the index again after it has read files that were touched.
  @Test func nothingIsWritten() throws {
    let known = commit
    let script = """
      set -e; sh -c "$1"; touch -d 2001-01-01 a.txt; cd .git
      touch -d 2001-01-01 index sharedindex.* other 2>/dev/null || :
      """
    for (change, ending) in [
      (":", ""), ("echo two >a.txt", "-dirty"), ("rm .git/index", "-unchecked"),
      ("git checkout -qf; mv .git/index .git/other; ln -s other .git/index", "-unchecked"),
      ("rm .git/index; mkfifo .git/index", "-unchecked"),
      ("rm .git/index; git reset -q --hard; git update-index --split-index", "-unchecked"),
      ("git update-index --no-split-index; ln -s /nowhere .git/info/attributes", "-unchecked"),
    ] {
      let outcome = try Program.launch("sh", ["-c", script, "sh", change], in: scratch.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let before = try state()
      #expect(commit == known + ending, "\(change)")
      #expect(try state() == before, "\(change)")
    }
  }

  /// The name, number, size and time of every file of the repository.
  private func state() throws -> String {
    try Program.launch("find", [".git", "-printf", "%p %i %s %T@\\n"], in: scratch.url).output
  }

  /// A setting that makes git start a program, fetch, write or read elsewhere; how it is hidden.
  private static let doors = [
    "[filter \"trap\"]\n\tclean = TRAP\n", "[filter \"trap\"]\n\tprocess = TRAP\n",
    "[filter \"trap\"]\n\tsmudge = TRAP\n", "[core]\n\tfsmonitor = TRAP\n",
    "[core]\n\tsshCommand = TRAP\n", "[core]\n\thooksPath = .\n", "[core]\n\tpager = TRAP\n",
    "[core]\n\tworktree = /\n", "[core]\n\tgitProxy = TRAP\n", "[core]\n\taskPass = TRAP\n",
    "[core]\n\talternateRefsCommand = TRAP\n", "[core]\n\tattributesFile = x\n",
    "[diff]\n\texternal = TRAP\n", "[diff \"trap\"]\n\tcommand = TRAP\n",
    "[diff \"trap\"]\n\ttextconv = TRAP\n", "[credential]\n\thelper = !TRAP\n",
    "[gpg]\n\tprogram = TRAP\n", "[log]\n\tshowSignature = true\n",
    "[include]\n\tpath = more\n", "[includeIf \"gitdir:/\"]\n\tpath = more\n",
    "[extensions]\n\tpartialClone = o\n", "[extensions]\n\tworktreeConfig = true\n",
    "[remote \"o\"]\n\tpromisor = true\n", "[remote \"o\"]\n\tuploadpack = TRAP\n",
    "[remote \"o\"]\n\tvcs = trap\n", "[protocol \"ext\"]\n\tallow = always\n",
    "[trace2]\n\teventTarget = TRAP\n", "[alias]\n\tdiff = !TRAP\n",
    "[uploadpack]\n\tpackObjectsHook = TRAP\n", "[submodule]\n\trecurse = true\n",
    // One line for a reader, several for git, or the other way round.
    "[core] fsmonitor = TRAP\n", "[user]\n\tname = x\r\n[core]\r\n\tfsmonitor = TRAP\r\n",
    "[CORE]\n\tFSMonitor=TRAP", "[core]\n\tfsmonitor =\\\nTRAP\n", "[core]\n\tfsmonitor\n",
    "[user]\n\tname = x\u{2028}[core]\u{2028}fsmonitor = TRAP\n[core]fsmonitor=TRAP\n",
    "[branch \"a\u{301}\"]\u{301}]\n\tmerge = x\n[core]\n\tfsmonitor = TRAP\n",
    "[core.fsmonitor]\n\tx = TRAP\n", "\u{FEFF}[core]\n\tfsmonitor = TRAP\n",
  ]

  /// The files differ from the index, whose objects are not there: git would compare, and fetch.
  @Test func nothingThatARepositoryNamesIsStarted() throws {
    let usual = try scratch.text(of: ".git/config")
    let remote = "[remote \"o\"]\n\turl = \(scratch.url.path)/no\n"
    try scratch.write("*.txt filter=trap diff=trap\n", to: ".gitattributes")
    try scratch.write("[core]\n\tfsmonitor = \(trap)\n", to: ".git/more")
    try scratch.write("[core]\n\tfsmonitor = \(trap)\n", to: ".git/config.worktree")
    try scratch.write("six", to: "a.txt")
    for door in Self.doors {
      try scratch.write(
        usual + remote + door.replacing("TRAP", with: trap), to: ".git/config")
      let commit = commit
      #expect(commit.hasSuffix("-unchecked") || commit.hasSuffix("-dirty"), "\(door)")
      #expect(!scratch.names.contains("started"), "\(door)")
    }
    // What git, editors, other tools and checkouts write. With a filter, git could not tell.
    #expect(commit.hasSuffix("-unchecked"))
    try scratch.write("*.txt diff=trap\n", to: ".gitattributes")
    try scratch.write(
      usual + remote + """
        # mine
        [branch "main"]
        	remote = o
        [http "https://example.org/"]
        	extraheader = AUTHORIZATION: basic x
        [branch "\u{E9}"]
        	vscode-merge-base = origin/main
        [remote "o"]
        	gh-resolved = base
        [credential]
        	helper = store
        [core]
        	worktree = ../x
        	untrackedCache = true
        	autocrlf = false
        [alias]
        	st = "!echo \"a\""
        [svn-remote "x"]
        	url = x
        [lfs]
        	repositoryformatversion = 0
        """, to: ".git/config")
    #expect(commit.hasSuffix("-dirty"))
    try scratch.write("one", to: "a.txt")
    #expect(commit.count == 40, "\(commit)")
  }

  /// What checkouts of continuous integration include holds the credentials of a server, and nothing else.
  @Test func includedFilesOfOtherSettingsAreNoMatter() throws {
    let known = commit
    let usual = try scratch.text(of: ".git/config")
    let file = scratch.path("credentials.config")
    for line in ["[include]", "[includeIf \"gitdir:\(scratch.url.path)/.git\"]"] {
      for (text, ending) in [
        ("[http \"https://example.org/\"]\n\textraheader = AUTHORIZATION: basic x\n", ""),
        ("[credential]\n\thelper = !\(trap)\n", ""), ("[core]\n\tpager = x\n", ""),
        ("[core]\n\tautocrlf = true\n", "-unchecked"),
        ("[filter \"a\"]\n\tclean = x\n", "-unchecked"),
        ("[include]\n\tpath = more\n", "-unchecked"), ("[extensions]\n\tx = y\n", "-unchecked"),
      ] {
        try scratch.write(text, to: "credentials.config")
        try scratch.write(usual + "\(line)\n\tpath = \(file)\n", to: ".git/config")
        #expect(commit == known + ending, "\(line) \(text)")
      }
      try scratch.write(usual + "\(line)\n\tpath = \(file)-none\n", to: ".git/config")
      #expect(commit == known)
    }
    unlink(file)
    mkfifo(file, 0o600)
    try scratch.write(usual + "[include]\n\tpath = \(file)\n", to: ".git/config")
    #expect(commit == known + "-unchecked")
  }

  /// Of files with a filter, git cannot tell; of others it can.
  @Test func filtersOfFoldersBelow() throws {
    let known = commit
    mkdir(scratch.path("below"), 0o700)
    try scratch.write("*.bin filter=trap\n", to: "below/.gitattributes")
    try scratch.write("one", to: "below/b.bin")
    try git("add", ".")
    try git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "two")
    let new = commit
    #expect(new != known && new.count == 40)
    try scratch.write("two", to: "below/b.bin")
    #expect(commit == new + "-unchecked")
    try scratch.write("two", to: "a.txt")
    #expect(commit == new + "-dirty")
  }

  /// The user's own settings decide how files are checked out, so they decide the comparison.
  @Test func theUsersLineEndingsCount() throws {
    try scratch.write("[core]\n\tautocrlf = true\n\tfsmonitor = \(trap)\n", to: "settings")
    let outcome = try Workbench().shell(
      """
      set -e; export GIT_CONFIG_GLOBAL='\(scratch.path("settings"))'
      git init -q d; mv short.h5 d; printf 'a\\r\\nb\\r\\n' >d/text; cd d; git add . 2>/dev/null
      git -c user.name=a -c user.email=a@b commit -qm one; touch text
      "$0" run short.h5 --detector punch -q -o ../r.h5 --format json | grep -o '"data_commit".*'
      """)
    #expect(outcome.output.contains("data_commit") && !outcome.output.contains("-"), "\(outcome)")
  }

  /// Git would wait for a pipe.
  @Test(arguments: [
    "rm .git/HEAD; mkfifo .git/HEAD", "mkfifo .git/config.worktree",
    "mkdir .git/objects/aa; mkfifo .git/objects/aa/bb",
    "rm .git/config; ln -s /dev/zero .git/config",
    "mkfifo pipe; rm .git/config; ln -s ../pipe .git/config",
    "mv .git real; echo 'gitdir: real' >.git; mkfifo real/packed-refs",
    "mkdir -p more/aa; mkfifo more/aa/bb; echo ../../more >.git/objects/info/alternates",
    "mv .git/objects more; ln -s ../more .git/objects; mkfifo more/x",
  ])
  func filesThatAreNoneAreFoundBeforeGitStarts(script: String) throws {
    #expect(GitFiles.obstacle(around: scratch.url.path) == nil)
    mkdir(scratch.path("below"), 0o700)
    let outcome = try Program.launch("sh", ["-ec", script], in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let error = #expect(throws: Failure.self) { try GitRepository(of: scratch.path("below")) }
    #expect(error?.description.contains("a regular file of git's") == true, "\(error as Any)")
  }

  private var trap: String { ": >'\(scratch.path("started"))'; false" }

  /// A partial clone whose objects are not there, from another folder.
  @Test func noCommandFetches() throws {
    let bench = try Workbench()
    let settings = """
      [core]
      	repositoryformatversion = 1
      [extensions]
      	partialClone = o
      [remote "o"]
      	promisor = true
      	url = \(scratch.url.path)/no
      	uploadpack = \(trap)
      """
    try FileManager.default.copyItem(
      atPath: scratch.path(".git"), toPath: bench.scratch.path(".git"))
    try scratch.write(settings, to: "settings")
    let outcome = try bench.shell(
      """
      set -e; here=$PWD; cp '\(scratch.path("settings"))' .git/config; rm -rf .git/objects/??
      cd /; set -- $here/short.h5 --detector punch
      "$0" run "$@" -o $here/run.h5 --quiet; "$0" rerun $here/run.h5 --quiet -o $here/rerun.h5
      "$0" sweep "$@" --quiet -o $here/sweep.h5
      "$0" gate "$@" --base-results $here/run.h5 --no-timing >$here/gate || test $? = 2
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!scratch.names.contains("started"))
  }

  /// What git would read, read without it.
  @Test func theCommitIsThatOfGit() throws {
    let known = commit
    try git("pack-refs", "--all")
    #expect(commit == known)
    try git("checkout", "-q", "--detach")
    #expect(commit == known)
    try git("worktree", "add", "-q", "tree")
    #expect(Toolchain.commit(near: scratch.path("tree/a.txt")) == known)
    #expect(Toolchain.commit(near: scratch.path("tree/new/folder/a.txt")) == known)
    // A folder that only looks like a bare repository does not count.
    try git("clone", "-q", "--bare", ".", "tree/bare")
    try scratch.write("[core]\n\tfsmonitor = \(trap)\n", to: "tree/bare/config")
    try scratch.write("seven", to: "tree/a.txt")
    #expect(Toolchain.commit(near: scratch.path("tree/bare/x")) == known + "-dirty")
    // A space that one reader takes for part of a name, and another not.
    try scratch.write("../.. \n", to: ".git/worktrees/tree/commondir")
    let copied = try Program.launch(
      "sh", ["-c", "cp -r .git other; mv other '.git/worktrees/.. '"], in: scratch.url)
    #expect(copied.status == 0)
    try scratch.write(
      "[core]\n\tfsmonitor = \(trap)\n", to: ".git/worktrees/.. /config")
    #expect(Toolchain.commit(near: scratch.path("tree/a.txt")) == known + "-dirty")
    #expect(!scratch.names.contains("started"))
  }

  /// A link, a pipe, a file without an end, and a name that leads out of the repository.
  @Test(arguments: [
    "ln -s ../other .git/HEAD", "mkfifo .git/HEAD", "ln -s /dev/zero .git/HEAD",
    "echo 'ref: refs/../../../other' >.git/HEAD", "echo 'ref: refs/heads//x' >.git/HEAD",
    "mv .git moved; ln -s moved .git", "mv .git moved; mkfifo .git",
    "mv .git moved; echo 'gitdir: /nowhere' >.git", "yes >.git/HEAD & sleep 0.01; kill $!",
    "ln -s ../../../other .git/refs/heads/x; echo 'ref: refs/heads/x' >.git/HEAD",
    "echo 'ref: refs/heads/a' >.git/refs/heads/a; echo 'ref: refs/heads/a' >.git/HEAD",
  ])
  func whatIsNoRepositoryHasNoCommit(script: String) throws {
    try scratch.write(String(repeating: "a", count: 40) + "\n", to: "other")
    let outcome = try Program.launch("sh", ["-c", "rm .git/HEAD; \(script)"], in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(commit == "")
  }

  @Test(.enabled(if: getuid() == 0, "needs the right to give files away"), arguments: ["", ".git"])
  func thatOfAnotherUserHasNoCommit(name: String) throws {
    #expect(chown(scratch.url.path + "/" + name, 12_345, 0) == 0)
    #expect(commit == "")
    // Unless the user has named the folder as safe, which is not its own.
    let known = { DataRepository(around: scratch.url.path, safe: $0)?.commit }
    #expect(known(["/nowhere"]) == nil)
    #expect((known(["/nowhere", scratch.url.path]) != nil) == name.isEmpty)
    #expect((known(["*"]) != nil) == name.isEmpty)
    // Another folder, whose name looks the same.
    let folder = scratch.url.path + "/caf\u{E9}"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: scratch.path(".git"), toPath: folder + "/.git")
    chown(folder, 12_345, 0)
    let alike = scratch.url.path + "/cafe\u{301}"
    #expect(DataRepository(around: folder, safe: [alike]) == nil)
  }

  @Test func safeFoldersAreThoseOfTheUsersSettings() throws {
    try scratch.write("[safe]\n\tdirectory = /a\n\tdirectory =\n\tdirectory = /b c\n", to: "one")
    try scratch.write("[safe]\n\tdirectory = *\n[core]\n\tfsmonitor = x\n", to: "two")
    func folders(_ names: String...) -> [String] {
      UserSettings.safeFolders(in: UserSettings.settings(in: names.map { scratch.path($0) }))
    }
    #expect(folders("one", "two") == ["/b c", "*"])
    try scratch.write("[include]\n\tpath = one\n\tpath = /nowhere\n", to: "three")
    #expect(folders("three") == ["/b c"])
    try scratch.write("[core]\n\tautocrlf = Input\n\tignoreCase\n\tfsmonitor = x y\n", to: "four")
    #expect(
      UserSettings.comparing(in: UserSettings.settings(in: [scratch.path("four")]))
        == "[core]\nautocrlf = Input\n[core]\nignorecase = true\n")
    let variables = [
      "GIT_CONFIG_COUNT": "4", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "",
      "GIT_CONFIG_KEY_1": "Safe.Directory", "GIT_CONFIG_VALUE_1": "/v",
      "GIT_CONFIG_KEY_2": "core.x", "GIT_CONFIG_VALUE_2": "/y",
    ]
    #expect(UserSettings.safeFolders(in: UserSettings.ofVariables(variables)) == ["/v"])
    #expect(UserSettings.ofVariables(["GIT_CONFIG_COUNT": "-1"]).isEmpty)
    #expect(
      UserSettings.files(["HOME": "/h"])
        == ["/etc/gitconfig", "/h/.config/git/config", "/h/.gitconfig"])
    #expect(
      UserSettings.files(["XDG_CONFIG_HOME": "x", "GIT_CONFIG_GLOBAL": "/g"])
        == ["/etc/gitconfig", "/g"])
  }
}
