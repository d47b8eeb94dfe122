import Foundation
import Testing
import TestSupport
import TraceModel

@testable import Evaluation
@testable import Harness

/// The search alone, on histories in memory.
@Suite struct BisectionTests {
  /// A history as `git rev-list --bisect-all` lists it, by brute force.
  private struct History {
    var parents: [[Int]]

    func ancestors(_ commit: Int) -> Set<Int> {
      var (all, next) = (Set([commit]), [commit])
      while let one = next.popLast() {
        for parent in parents[one] where all.insert(parent).inserted { next.append(parent) }
      }
      return all
    }

    func candidates(_ bad: String, _ goods: [String]) -> [String] {
      var open = ancestors(Int(bad)!)
      for good in goods { open.subtract(ancestors(Int(good)!)) }
      func distance(_ commit: Int) -> Int {
        let own = ancestors(commit).intersection(open).count
        return min(own, open.count - own)
      }
      return open.sorted { (distance($1), $0) < (distance($0), $1) }.map(String.init)
    }
  }

  private func search(
    _ history: History, isBad: @escaping (Int) -> Bool, skipped: Set<Int>
  ) throws -> (outcome: Bisection.Outcome, measured: Int) {
    var measured = 0
    let search = Bisection(candidates: history.candidates) { commit, left in
      measured += 1
      #expect(left >= 0)
      if skipped.contains(Int(commit)!) { return .skipped }
      return isBad(Int(commit)!) ? .bad : .good
    }
    let last = history.parents.count - 1
    return (try search.run(bad: "\(last)", goods: ["0"]), measured)
  }

  /// In a linear history: the commits from the last good one that builds to the first bad one that builds.
  @Test(.longer) func findsTheSameAsAScanOfALine() throws {
    var generator = SeededGenerator(seed: 31)
    for _ in 0..<LongTests.count(quick: 15, long: 500) {
      let count = Int.random(in: 2...60, using: &generator)
      let guilty = Int.random(in: 1..<count, using: &generator)
      let share = [0, 0.06, 0.4, 0.9].randomElement(using: &generator)!
      let skipped = Set(
        (1..<max(count - 1, 1)).filter { _ in Double.random(in: 0..<1, using: &generator) < share })
      let history = History(parents: (0..<count).map { $0 == 0 ? [] : [$0 - 1] })
      let (outcome, measured) = try search(
        history, isBad: { $0 >= guilty }, skipped: skipped)
      let first = (0..<guilty).last { !skipped.contains($0) }! + 1
      let last = (guilty..<count).first { !skipped.contains($0) }!
      #expect(Set(outcome.suspects) == Set((first...last).map(String.init)))
      #expect(outcome.suspects.last == "\(last)")
      if skipped.isEmpty {
        #expect(measured <= Bisection.steps(count - 2), "\(count) commits")
      }
    }
  }

  /// In a history with branches, the first bad commit is the bad one without a bad parent.
  @Test(.longer) func findsTheSameAsAScanOfAHistory() throws {
    var generator = SeededGenerator(seed: 32)
    for _ in 0..<LongTests.count(quick: 40, long: 2_000) {
      let count = Int.random(in: 3...20, using: &generator)
      let parents = (0..<count).map { index -> [Int] in
        guard index > 0 else { return [] }
        // The last one has all ends as parents, so that every commit is an ancestor of it.
        let first = Int.random(in: max(0, index - 4)..<index, using: &generator)
        let second = Int.random(in: max(0, index - 4)..<index, using: &generator)
        return first == second || Bool.random(using: &generator) ? [first] : [first, second]
      }
      let history = History(parents: parents)
      let reach = history.ancestors(count - 1)
      let guilty = reach.filter { $0 > 0 }.randomElement(using: &generator)!
      let (outcome, _) = try search(
        history, isBad: { history.ancestors($0).contains(guilty) }, skipped: [])
      #expect(outcome.suspects == ["\(guilty)"], "\(parents)")
    }
  }

  @Test func takesAnotherWhereTheBestWasSkipped() {
    let open = (0..<20).map(String.init)
    #expect(Bisection.choice(of: open, best: "0", skips: 0) == "0")
    let later = (1..<200).map { Bisection.choice(of: open, best: "x", skips: $0) }
    #expect(Set(later).count > 10)
    #expect(Bisection.choice(of: ["a"], best: "x", skips: 5) == "a")
  }

  @Test func countsTheSteps() {
    #expect([0, 1, 2, 3, 4, 7, 8].map(Bisection.steps) == [0, 1, 2, 2, 3, 3, 4])
  }

  @Test(arguments: [
    ("recall=-0.01", GateBound(.figure("recall"), .change(-0.01))),
    ("recall >= 0.97", GateBound(.figure("recall"), .atLeast(0.97))),
    ("recall=>=0.97", GateBound(.figure("recall"), .atLeast(0.97))),
    ("false_alarms_per_hour=+10%", GateBound(.figure("false_alarms_per_hour"), .share(0.1))),
    ("latency_p50<=0.2", GateBound(.figure("latency_p50"), .atMost(0.2))),
    ("lost=0", GateBound(.lost, .change(0))),
    ("worst_person_recall=-0.05", GateBound(.worstPerson("recall"), .change(-0.05))),
  ])
  func readsBounds(text: String, bound: GateBound) throws {
    #expect(try BisectCommand.parsedBound(text) == bound)
  }

  @Test(arguments: [
    "", "recall", "recal=-0.01", "recall=", "recall=x", "=1", "recall>0.9", "lost=x",
  ])
  func refusesOtherBounds(text: String) {
    #expect(throws: (any Error).self) { try BisectCommand.parsedBound(text) }
  }

  @Test(.longer) func anythingIsABoundOrAnError() {
    var generator = SeededGenerator(seed: 33)
    let parts = [
      "recall", "=", ">=", "<=", "-", "1", "%", ".", "e9", " ", "nan", "lost", "\u{301}",
    ]
    for _ in 0..<LongTests.count(quick: 500, long: 20_000) {
      let text = (0..<Int.random(in: 0..<6, using: &generator))
        .map { _ in parts.randomElement(using: &generator)! }.joined()
      if let bound = try? BisectCommand.parsedBound(text) {
        #expect(!bound.limit.text.contains("nan"), "\(text)")
      }
    }
  }

  @Test func splitsTheCommand() {
    let split = BisectCommand.split(["bisect", "--good", "a", "s.yml", "--", "make", "--", "x"])
    #expect(split.own == ["bisect", "--good", "a", "s.yml"])
    #expect(split.build == ["make", "--", "x"])
    #expect(BisectCommand.split(["run", "--", "x"]).own == ["run", "--", "x"])
    #expect(BisectCommand.split(["bisect"]).build == [])
  }

  @Test(arguments: [
    ("/a/b", "/a", "b"), ("/a", "/a", ""), ("/ab", "/a", nil), ("/a/b", "/", "a/b"),
    ("/", "/a", nil), ("/caf\u{E9}/b", "/cafe\u{301}", nil), ("/a/\u{301}b", "/a", "\u{301}b"),
  ])
  func findsPathsWithin(path: String, folder: String, rest: String?) {
    #expect(GitRepository.path(path, within: folder) == rest)
  }
}
