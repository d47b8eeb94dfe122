import Foundation
import Testing

@testable import History
@testable import Scoring

@Suite struct HistoryOrderTests {
  /// Commits 0, 1, … in the order of the graph.
  private static let commits = (0..<9).map {
    Substring("\($0)\(String(repeating: "abc0", count: 10).dropLast())")
  }

  /// Runs as commit@minute, and the expected order.
  @Test(arguments: [
    // The clock was set back, and an old commit is measured late.
    ("0abc@10 1abc@11 2abc@1 3abc@12", "0abc 1abc 2abc 3abc"),
    ("0abc@10 2abc@11 1abc@99", "0abc 1abc 2abc"),
    // Names of any length and case; a changed checkout is after its commit.
    (
      "2abc0abc0@1 1ABC0-dirty@2 1abc0abc-unchecked@3 1abc0ab@4",
      "1abc0ab 1ABC0-dirty 1abc0abc-unchecked 2abc0abc0"
    ),
    // Time orders the runs of one commit, and all that are unknown.
    ("1abc@5 0abc@9 1abc0@4", "0abc 1abc0 1abc"), ("x@3 y@1 9abc@2", "y 9abc x"),
    // Unknown commits are placed among the others, whose clock may be wrong.
    (
      "0abc@10 a@11 1abc@20 1abc0@22 b@25 2abc@1 3abc@30 c@31",
      "0abc a 1abc 1abc0 2abc b 3abc c"
    ),
    ("0abc@90 1abc@10 2abc@20 a@15 3abc@30", "0abc 1abc a 2abc 3abc"),
    // Too short, no hash, or another commit.
    ("1ab@3 1abcx@2 1abd@1", "1abd 1abcx 1ab"),
    ("0abc@10 2abc@20 1abc-rc2@30", "0abc 2abc 1abc-rc2"),
  ])
  func runsAreInTheOrderOfCommits(runs: String, expected: String) {
    let all = runs.split(separator: " ").enumerated().map { number, text in
      let facts = text.split(separator: "@")
      var run = Samples.run(number)
      run.commit = String(facts[0])
      run.time = HistoryTime(milliseconds: (Int64(facts[1]) ?? 0) * 60_000)
      return run
    }.sorted { $0.time < $1.time }
    let found = HistoryOrder(of: all, commits: Self.commits).sorted(all)
    #expect(found.map(\.commit).joined(separator: " ") == expected)
  }

  @Test func anAmbiguousHashIsUnknown() {
    var run = Samples.run(0)
    run.commit = "abcd"
    #expect(HistoryOrder(of: [run], commits: ["abcd1", "abce"]).knows(run))
    #expect(!HistoryOrder(of: [run], commits: ["abcd1", "abcd2"]).knows(run))
    #expect(!HistoryOrder.time.knows(run))
  }

  /// A change belongs to the commit that made it, whatever the clock was.
  @Test func theRightCommitIsBlamed() throws {
    let folder = try Folder()
    let store = try Samples.store(folder.path("h.sqlite"))
    for (number, minute) in [10, 20, 3, 30, 40].enumerated() {
      var run = Samples.run(number)
      run.commit = String(Self.commits[number])
      run.time = HistoryTime(milliseconds: Int64(minute) * 60_000)
      try store.append(run, [Samples.figures(number < 2 ? 0 : 9)[0]])
    }
    func blamed(_ order: HistoryOrder) throws -> [String] {
      let series = try store.allSeries(order: order)
      return series[0].changes.map { series[0].points[$0.index].run.id }
    }
    let order = HistoryOrder(of: try store.runs(), commits: Self.commits)
    #expect(try blamed(.time) == ["run-0", "run-3"] && blamed(order) == ["run-2"])
    let pruned = try store.prune(keeping: 3, olderThan: nil, order: order)
    #expect(pruned.map(\.id) == ["run-0", "run-1"])
  }
}
