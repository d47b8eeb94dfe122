import Foundation
import TestSupport
import Testing

/// A history that has the runs of several branches.
@Suite struct HistoryBranchTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ words: String) throws -> Program.Outcome {
    try Program.run(words.split(separator: " ").map(String.init), in: scratch.url)
  }

  /// Ten runs: `main` and two others in turn, whose figures are others.
  private func makeHistory() throws {
    let branches = ["main", "pr-1", "main", "pr-2"]
    let files = try HistoryFiles.make("r", 10, branches: branches, in: scratch) {
      branches[$0 % 4] == "main" ? 5 : 7
    }
    let outcome = try run("history import \(files.joined(separator: " "))")
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  private struct Document: Decodable {
    struct Branch: Decodable, Equatable {
      var branch: String?
      var runs: Int
      var isShown: Bool
    }
    struct Run: Decodable { var branch: String? }
    struct Series: Decodable {
      struct Change: Decodable { var run: String }
      struct Point: Decodable { var run: String }
      var branch: String?
      var suite: String
      var points: [Point]
      var changes: [Change]
    }
    var branches: [Branch]
    var runs: [Run]
    var series: [Series]
  }

  private func document(_ options: String) throws -> Document {
    try run("history --format json \(options)").decoded(Document.self)
  }

  @Test func theBranchWithTheMostRunsIsShown() throws {
    try makeHistory()
    let table = try run("history")
    #expect(
      table.output.hasPrefix("5 runs of branch main on 1 machine, 2026-11-23, in .shadowbox/"),
      "\(table.output)")
    let text = table.output.replacing("\n", with: " ")
    #expect(
      text.contains(
        "Not shown: 5 runs of other branches, pr-1 (3), pr-2 (2); --branch NAME or "
          + "--all-branches shows them"), "\(table.output)")
    #expect(!table.output.contains("c1 ") && table.output.contains("c2 "))
    let found = try document("")
    #expect(found.runs.map(\.branch) == Array(repeating: "main", count: 5))
    #expect(
      found.branches == [
        .init(branch: "pr-1", runs: 3, isShown: false),
        .init(branch: "main", runs: 5, isShown: true),
        .init(branch: "pr-2", runs: 2, isShown: false),
      ])
    #expect(found.series.count == 3 && found.series.allSatisfy { $0.points.count == 5 })
    #expect(found.series.allSatisfy { $0.changes.isEmpty })
    #expect(found.series.allSatisfy { $0.branch == "main" && $0.suite == "s" })
    let rows = try run("history --format csv").output.split(separator: "\n").dropFirst()
    #expect(rows.count == 15 && rows.allSatisfy { $0.contains(",main,") && $0.hasSuffix(",0") })
  }

  @Test func aBranchIsChosen() throws {
    try makeHistory()
    #expect(try run("history --branch pr-1").output.hasPrefix("3 runs of branch pr-1 on 1 machine"))
    let found = try document("--branch pr-2")
    #expect(found.runs.count == 2 && found.series.allSatisfy { $0.branch == "pr-2" })
    let error = try run("history --branch pr1")
    #expect(error.status == 64 && error.errors.contains("did you mean pr-1?"), "\(error.errors)")
  }

  @Test func allBranchesHaveSeriesOfTheirOwn() throws {
    try makeHistory()
    let table = try run("history --all-branches").output
    #expect(table.hasPrefix("10 runs of 3 branches on 1 machine") && !table.contains("Not shown"))
    let found = try document("--all-branches")
    #expect(found.runs.count == 10 && found.series.count == 9)
    #expect(found.series.allSatisfy { $0.changes.isEmpty })
    #expect(found.branches.allSatisfy { $0.isShown })
    let entry = try run("history --all-branches --metric figure_0").output
    for branch in ["main", "pr-1", "pr-2"] {
      #expect(entry.contains("punch/default (synthetic) on \(branch):"), "\(entry)")
    }
  }

  /// A history from before branches, and a history with both kinds of runs.
  @Test func runsWithoutABranch() throws {
    let old = try HistoryFiles.make("old", 3, in: scratch)
    _ = try run("history import \(old.joined(separator: " "))")
    #expect(try run("history").output.hasPrefix("3 runs of 1 machine, 2026-11-23, in "))
    let new = try HistoryFiles.make("new", 1, branches: ["main"], in: scratch)
    _ = try run("history import \(new[0])")
    for options in ["", "--branch -"] {
      let table = try run("history \(options)").output
      #expect(table.hasPrefix("3 runs without a branch on 1 machine"), "\(table)")
      #expect(table.contains("Not shown: 1 run of other branches, main (1);"), "\(table)")
    }
    let main = try run("history --branch main").output
    #expect(main.contains("Not shown: 3 runs of other branches, - (3);"), "\(main)")
  }

  /// The same results on a branch and, after a fast-forward merge, on another.
  @Test func theSameResultsOnAnotherBranchAreAnotherRun() throws {
    let trace = Fixtures.traces.appending(path: "synthetic/punch-s05-right.h5").path
    _ = try run("run \(trace) --detector punch --deterministic --quiet -o r.h5")
    for branch in ["pr", "main", "main"] {
      let added = try run("history add r.h5 --commit c --branch \(branch)")
      #expect(added.status == 0, "\(added.errors)")
    }
    let found = try document("--all-branches")
    #expect(Set(found.runs.map(\.branch)) == ["pr", "main"] && found.runs.count == 2)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SHADOWBOX_PYTHON"] != nil))
  func thePictureNamesTheBranches() throws {
    try makeHistory()
    for (options, heading, titles) in [
      ("", "5 runs of branch main", []), ("--all-branches", "10 runs of 3 branches", ["on pr-1"]),
    ] {
      let outcome = try run("history \(options) --metric figure_0 --picture p.svg")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let picture = try scratch.text(of: "p.svg")
      for text in [heading] + titles { #expect(picture.contains(text), "\(text)") }
    }
  }
}
