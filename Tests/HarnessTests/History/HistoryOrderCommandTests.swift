import Foundation
import TestSupport
import Testing

/// `history` in a git repository: runs are in the order of commits.
@Suite struct HistoryOrderCommandTests {
  private let scratch: Scratch
  /// A line of four commits, each dated a day before its parent, and a merge of the last with a side
  /// branch of the first.
  private let commits: [String]

  init() throws {
    scratch = try Scratch()
    let script = """
      set -e; git init -q -b main .; tree=$(git write-tree)
      commit() {
        GIT_COMMITTER_DATE="2026-11-$1T12:00:00Z" GIT_AUTHOR_DATE="2026-11-$1T12:00:00Z" \
          git -c user.name=a -c user.email=a@example.org commit-tree $tree -m x $2
      }
      a=$(commit 20); b=$(commit 19 "-p $a"); c=$(commit 18 "-p $b"); s=$(commit 10 "-p $a")
      m=$(commit 17 "-p $c -p $s"); git update-ref refs/heads/main $m; echo $a $b $c $s $m
      """
    let made = try Program.launch("sh", ["-c", script], in: scratch.url)
    try #require(made.status == 0, "\(made.errors)")
    commits = made.output.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private func run(_ words: String, in folder: URL? = nil) throws -> Program.Outcome {
    try Program.run(words.split(separator: " ").map(String.init), in: folder ?? scratch.url)
  }

  /// Adds runs, each as a commit, a time of 2026-11-23 and a value.
  private func add(_ runs: [(commit: String, time: String, value: Int)]) throws {
    let lines = runs.enumerated().map { number, run in
      """
      {"run":{"id":"\(number)","time":"2026-11-23T\(run.time)","commit":"\(run.commit)","machine":"ci",\
      "tool_version":"","toolchain":"","suite":"s","suite_sha256":"","source":"gate","figures":[\
      {"entry":"e","origin":"","metric":"recall","kind":"accuracy","value":\(run.value),"unit":"1"}]}}
      """
    }
    let head = "{\"schema\":\"shadowbox-history-lines/1\"}"
    try scratch.write(([head] + lines).joined(separator: "\n"), to: "h.jsonl")
    let outcome = try run("history import h.jsonl")
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  private struct Document: Decodable {
    struct Run: Decodable { var id: String }
    struct Series: Decodable {
      struct Change: Decodable { var commit: String }
      var changes: [Change]
    }
    var order: String
    var runsByCommit: Int?
    var runs: [Run]
    var series: [Series]
  }

  @Test func aClockThatWasSetBackBlamesNoOtherCommit() throws {
    // The second commit has the change; its clock was wrong. The first is measured again at the end.
    try add([
      (commits[0], "10:00:00Z", 1), (commits[1], "09:00:00Z", 2), (commits[2], "11:00:00Z", 2),
      (commits[0], "12:00:00Z", 1), (commits[4], "11:30:00+00:00", 2), ("gone", "11:45:00Z", 2),
    ])
    let found = try run("history --format json").decoded(Document.self)
    #expect(found.order == "commits" && found.runsByCommit == 5)
    #expect(found.runs.map(\.id) == ["0", "3", "1", "2", "4", "5"])
    #expect(found.series[0].changes.map(\.commit) == [commits[1]])
    let table = try run("history --metric recall").output.replacing("\n", with: " ")
    #expect(table.contains("6 runs of 1 machine, 2026-11-23, in"), "\(table)")
    #expect(table.contains("Order: by commit, from git in "), "\(table)")
    #expect(table.contains("not by time; 1 run of unknown commits by time"), "\(table)")
    // The history's folder counts where the working folder is elsewhere.
    let elsewhere = try Scratch()
    let path = scratch.path(".shadowbox/history.sqlite")
    let other = try run("history --format json --history \(path)", in: elsewhere.url)
    #expect(try other.decoded(Document.self).series[0].changes.map(\.commit) == [commits[1]])
    #expect(try run("history prune --keep 5").output.contains("2026-11-23T10:00:00.000Z"))
  }

  /// Where time and commits agree, and outside of a repository, nothing is printed.
  @Test func theOrderOfTimeIsNotNamed() throws {
    try add([(commits[0], "10:00:00Z", 1), (commits[3], "11:00:00Z", 1), ("x", "12:00:00Z", 2)])
    #expect(try run("history --format json").decoded(Document.self).order == "time")
    #expect(try !run("history").output.contains("Order:"))
  }

  @Test func whatGitPrintsIsATime() throws {
    let trace = Fixtures.traces.appending(path: "synthetic/punch-s05-right.h5").path
    _ = try run("run \(trace) --detector punch --deterministic --quiet -o r.h5")
    for (format, commit) in [("%cI", "a"), ("%aI", "b"), ("%ci", "c")] {
      let shown = try Program.launch(
        "git", ["log", "-1", "--date=iso", "--format=\(format)", "main"], in: scratch.url)
      let time = shown.output.trimmingCharacters(in: .newlines)
      let added = try Program.run(
        ["history", "add", "r.h5", "--commit", commit, "--time", time], in: scratch.url)
      #expect(added.status == 0, "\(added.errors)")
    }
    let rows = try run("history --format csv --metric recall").output.split(separator: "\n")
    #expect(rows.count == 4 && rows[1...].allSatisfy { $0.hasPrefix("2026-11-17T12:00:00.000Z") })
  }
}
