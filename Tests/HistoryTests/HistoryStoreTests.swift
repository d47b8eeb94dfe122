import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import History
@testable import Scoring

@Suite struct HistoryStoreTests {
  private let folder: Folder
  private let path: String

  init() throws {
    folder = try Folder()
    path = folder.path("new/history.sqlite")
  }

  @Test func storedRunsAreRead() throws {
    let store = try Samples.filled(path)
    store.close()
    let again = try HistoryStore(reading: path)
    #expect(try again.runs() == (0..<8).map { Samples.run($0) })
    let points = try again.series(entry: "punch/default", origin: "synthetic", metric: "recall")
    #expect(points.map(\.run) == (0..<8).map { Samples.run($0) })
    #expect(points.map(\.figure) == (0..<8).map { Samples.figures($0)[0] })
    #expect(try again.series(entry: "punch", origin: "", metric: "recall").isEmpty)
    #expect(try again.trials() == [Samples.trial(1), Samples.trial(2, kind: .accuracy)])
    // One file, which a cache can keep.
    again.close()
    #expect(folder.names == ["new"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("new")).count == 1)
  }

  @Test func seriesHaveTheirChanges() throws {
    let store = try Samples.filled(path)
    let series = try store.allSeries()
    #expect(series.map(\.name.metric) == ["recall", "precision", "ns_per_sample"])
    #expect(series[0].changes == [ChangePoint(index: 5, seenAt: 5, before: 0.9, after: 0.8)])
    #expect(series[1].changes.isEmpty && series[1].points.count == 8)
    #expect(series.map(\.machine) == [nil, nil, "ci"])
    // Timing figures have a series per machine, figures of accuracy do not.
    var other = Samples.run(9, suite: "cd")
    other.machine = "laptop"
    try store.append(other, Samples.figures(9))
    let more = try store.allSeries()
    #expect(more.map(\.branch) == ["main", "main", "main", "main"])
    #expect(more.map(\.machine) == [nil, nil, "ci", "laptop"])
    #expect(more.map(\.points.count) == [9, 9, 8, 1])
    #expect(more[0].hasOtherSuite(at: 8) && !more[0].hasOtherSuite(at: 7))
    #expect(!more[0].hasOtherSuite(at: 0))
  }

  /// Runs of branches, and of suites, in turn: none changes from one of its runs to the next.
  @Test func branchesAndSuitesAreSeparateSeries() throws {
    let store = try Samples.store(path)
    for number in 0..<12 {
      var run = Samples.run(number)
      run.branch = ["main", "pr", nil][number % 3]
      run.suite = number % 2 == 0 ? "one" : "two"
      // Beyond 4 the samples have another recall, below it the first.
      try store.append(run, Samples.figures(run.branch == "main" ? 0 : 9))
    }
    let all = try store.allSeries()
    #expect(all.count == 3 * 3 * 2)
    #expect(all.allSatisfy { $0.changes.isEmpty && $0.points.count == 2 })
    for branch in ["main", "pr", nil] {
      let own = try store.allSeries(ofBranch: branch)
      #expect(own.count == 6 && own.allSatisfy { $0.branch == branch })
      #expect(own.flatMap(\.points).allSatisfy { $0.run.branch == branch })
    }
    #expect(try store.allSeries(ofBranch: "other").isEmpty)
  }

  /// The more series a history has, the more evidence a change needs. Each day is a block: two unlike
  /// days are no change.
  @Test(arguments: [(1, 1440, 1), (60, 1440, 0), (1, 480, 1), (1, 60, 0), (1, 20, 1)])
  func theLevelIsForAllSeries(series: Int, minutes: Int, changes: Int) throws {
    let store = try Samples.store(path)
    for number in 0..<30 {
      var run = Samples.run(number)
      run.time = HistoryTime(milliseconds: Int64(number * minutes) * 60_000)
      let value = Double(number * 7 % 20 + (number < 20 ? 0 : 100))
      try store.append(
        run,
        (0..<series).map {
          HistoryFigure(
            entry: "\($0)", origin: "", metric: "ns_per_sample", kind: .timing, value: value,
            unit: "ns")
        })
    }
    #expect(try store.testedSeries() == series)
    let found = try store.allSeries()
    #expect(found.allSatisfy { $0.changes.map(\.index) == Array(repeating: 20, count: changes) })
    #expect(found.allSatisfy { $0.days.count == 29 * minutes / 1440 + 1 })
  }

  @Test func aRunIsStoredOnce() throws {
    let store = try Samples.filled(path)
    // The same figures at another time or place are the same run.
    var again = Samples.run(3)
    (again.time, again.machine, again.branch) = (Samples.now, "laptop", "other")
    #expect(try !store.append(again, Samples.figures(3).reversed()))
    #expect(try store.runs().count == 8 && store.runs()[3] == Samples.run(3))
    #expect(try !store.appendTrial(Samples.trial(1)))
    for (run, figures) in [
      (Samples.run(3, suite: "cd"), Samples.figures(3)), (Samples.run(3), Samples.figures(7)),
      (Samples.run(3), []),
    ] {
      let error = #expect(throws: Failure.self) { try store.append(run, figures) }
      #expect(error?.kind == .badData && error?.description.contains("run run-3") == true)
    }
    var trial = Samples.trial(1)
    trial.alarms = 0
    #expect(throws: Failure.self) { try store.appendTrial(trial) }
    #expect(try store.trials(machine: "ci", suite: "default", kind: .timing) == (1, 101))
  }

  /// A run with a figure twice is an error, and nothing of it is stored.
  @Test func storesAllOrNothing() throws {
    let store = try Samples.filled(path)
    let twice = Samples.figures(9) + Samples.figures(10)
    #expect(throws: Failure.self) { try store.append(Samples.run(9), twice) }
    #expect(try store.runs().count == 8)
    #expect(try store.allSeries().flatMap(\.points).count == 24)
  }

  @Test func trialsAreSummed() throws {
    let store = try Samples.store(path)
    for number in 0..<10 {
      try store.appendTrial(Samples.trial(number, kind: number < 4 ? .timing : .accuracy))
    }
    #expect(try store.trials(machine: "ci", suite: "default", kind: .timing) == (2, 406))
    #expect(try store.trials(machine: "ci", suite: "default", kind: .accuracy) == (3, 639))
    #expect(try store.trials(machine: "ci", suite: "other", kind: .timing) == (0, 0))
  }

  @Test(arguments: [
    "", "a\"'b; DROP TABLE runs", "\u{1B}[31mred\n", "e\u{301}🥊",
    String(repeating: "x", count: 9999),
  ])
  func textsStayAsTheyAre(text: String) throws {
    let store = try Samples.store(path)
    var run = Samples.run(1)
    (run.commit, run.branch, run.machine, run.verdict, run.suite) = (text, text, text, text, text)
    try store.append(run, Samples.figures(1, entry: text))
    #expect(try store.runs() == [run])
    let points = try store.series(entry: text, origin: "synthetic", metric: "recall")
    #expect(points.map(\.figure.entry) == [text])
  }

  /// It would end the text.
  @Test func theCharacterNULIsRefused() throws {
    let store = try Samples.store(path)
    var run = Samples.run(1)
    #expect(throws: Failure.self) { try store.append(run, Samples.figures(1, entry: "a\0b")) }
    run.branch = "\0"
    #expect(throws: Failure.self) { try store.append(run, []) }
    var trial = Samples.trial(1)
    trial.suite = "x\0"
    #expect(throws: Failure.self) { try store.appendTrial(trial) }
    #expect(try store.runs().isEmpty && store.trials().isEmpty)
  }

  @Test(arguments: [
    0.0, -0.0, 0.1 + 0.2, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1.0.nextUp,
    -.leastNonzeroMagnitude,
  ])
  func numbersStayAsTheyAre(value: Double) throws {
    let store = try Samples.store(path)
    var figure = Samples.figures(1)[0]
    (figure.value, figure.lower, figure.upper) = (value, -value, value)
    figure.count = .max
    try store.append(Samples.run(1), [figure])
    #expect(try store.allSeries()[0].points[0].figure == figure)
  }

  @Test func infiniteValuesAreUndefined() {
    let figure = HistoryFigure(
      entry: "e", origin: "", metric: "m", kind: .accuracy, value: .nan, lower: -.infinity,
      upper: .infinity, unit: "1")
    #expect(figure.value == nil && figure.lower == nil && figure.upper == nil)
  }

  // MARK: Pruning

  @Test(arguments: [(3, nil, 5), (0, nil, 8), (100, nil, 0), (0, 4, 4), (6, 4, 2), (2, 100, 6)])
  func prunesTheOldest(keep: Int, olderThan: Int?, removed: Int) throws {
    let store = try Samples.filled(path)
    let time = olderThan.map { HistoryTime(milliseconds: Int64($0) * 60_000) }
    let dry = try store.prune(keeping: keep, olderThan: time, isDry: true)
    #expect(dry == (0..<removed).map { Samples.run($0) })
    #expect(try store.runs().count == 8)
    #expect(try store.prune(keeping: keep, olderThan: time) == dry)
    #expect(try store.runs() == (removed..<8).map { Samples.run($0) })
    #expect(try store.allSeries().reduce(0) { $0 + $1.points.count } == 3 * (8 - removed))
    #expect(try store.trials().count == 2)
  }

  @Test func prunedFilesAreSmaller() throws {
    let store = try Samples.filled(path, runs: 200)
    func size() throws -> Int {
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
    let before = try size()
    _ = try store.prune(keeping: 2, olderThan: nil)
    #expect(try size() < before / 3)
  }

  // MARK: Several at once

  /// Connections of one process, each with threads of its own.
  @Test(.longer) func severalWritersLoseNothing() throws {
    let (writers, rows) = (4, LongTests.count(quick: 25, long: 200))
    let failures = Failures()
    let path = path
    DispatchQueue.concurrentPerform(iterations: writers) { writer in
      do {
        // The database is made by all of them at once, too.
        let store = try Samples.store(path)
        for row in 0..<rows {
          try store.append(Samples.run(writer * rows + row), Samples.figures(row))
        }
      } catch {
        failures.add("\(error)")
      }
    }
    #expect(failures.all.isEmpty, "\(failures.all)")
    let store = try HistoryStore(reading: path)
    #expect(try store.runs() == (0..<writers * rows).map { Samples.run($0) })
    #expect(try store.allSeries().reduce(0) { $0 + $1.points.count } == 3 * writers * rows)
  }
}

/// The errors of all threads.
final class Failures: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []

  func add(_ text: String) { lock.withLock { texts.append(text) } }
  var all: [String] { lock.withLock { texts } }
}
