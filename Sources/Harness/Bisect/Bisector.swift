import Diagnostics
import Evaluation
import Reports
import TraceFormats

/// Finds the first bad commit: checks both ends, searches between them, and compares what it finds.
final class Bisector {
  private let repository: GitRepository
  private let runner: CommitRunner
  private let question: BisectQuestion
  private let traces: [String]
  private let terminal: Terminal
  private var steps: [BisectReport.Step] = []
  private var base: MeasuredResults?

  init(
    _ repository: GitRepository, _ runner: CommitRunner, _ question: BisectQuestion,
    traces: [String], _ terminal: Terminal
  ) {
    (self.repository, self.runner, self.traces) = (repository, runner, traces)
    (self.question, self.terminal) = (question, terminal)
  }

  /// - Parameter hint: a further likely cause if the bad commit is as good as the good one.
  func run(good: String, bad: String, hint: String) throws -> BisectReport {
    let bases = try bases(good, bad)
    try checkGood(good)
    try checkBad(bad, hint)
    let goods = try checkBases(bases, good)
    let search = Bisection(candidates: repository.candidates) { [self] commit, left in
      try step(commit, left)
    }
    let outcome = try search.run(bad: bad, goods: goods)
    return try report(outcome, good: good, bad: bad)
  }

  private func checkGood(_ good: String) throws {
    terminal.showLive("measuring \(short(good)), the good commit")
    let results = try endpoint(good, "--good")
    base = results
    let again = try unlessUnmeasured(good, "--good") { try runner.repeatedResults(of: good) }
    // Equal results of two runs, and then the bounds that are about one commit alone.
    for question in [.flips, question] {
      let answer = question.answer(ResultComparison(from: results, to: again))
      guard answer.verdict != .good else { continue }
      let next =
        question == .flips
        ? "two runs of one commit differ; bisect needs results that do not vary from run to run"
        : "choose another commit or another bound"
      throw badData(
        "--good \(short(good)): expected a good commit, found that \(answer.reason); \(next)")
    }
    add(good, .good, "measured twice, with equal results")
  }

  private func checkBad(_ bad: String, _ hint: String) throws {
    terminal.showLive("measuring \(short(bad)), the bad commit")
    let answer = try self.answer(try endpoint(bad, "--bad"))
    try requireData(
      answer.verdict == .bad,
      "--bad \(short(bad)): expected a bad commit, found \(answer.reason); "
        + (answer.verdict == .undecided
          ? "it cannot be compared with --good"
          : "choose other commits, or another question with --on\(hint)"))
    add(bad, .bad, answer.reason)
  }

  /// The newest common ancestors. No commit needs to be measured to see that there are none, or that
  /// the ends are reversed.
  private func bases(_ good: String, _ bad: String) throws -> [String] {
    let bases = try repository.mergeBases(good, bad)
    try requireData(
      !bases.isEmpty, "--good and --bad: expected commits with a common ancestor, found none")
    try requireUse(
      !bases.contains(bad),
      "--bad \(short(bad)): expected a commit after --good, found an ancestor of it; swap them")
    return bases
  }

  /// If the good commit is not an ancestor of the bad one, their common ancestors must be good:
  /// otherwise the search would blame a commit for what only the good side has.
  /// - Returns: all known good commits.
  private func checkBases(_ bases: [String], _ good: String) throws -> [String] {
    for base in bases where base != good {
      let answer = try self.answer(try endpoint(base, "common ancestor"))
      try requireData(
        answer.verdict == .good,
        "common ancestor \(short(base)) of --good and --bad: expected a good commit, found "
          + "\(answer.reason); the change lies between it and --good")
      add(base, .good, answer.reason)
    }
    return [good] + bases.filter { $0 != good }
  }

  private func endpoint(_ commit: String, _ role: String) throws -> MeasuredResults {
    try unlessUnmeasured(commit, role) { try runner.results(of: commit) }
  }

  private func unlessUnmeasured<Value>(
    _ commit: String, _ role: String, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as CommitRunner.Unmeasured {
      for line in error.lastLines { terminal.warn("  \(line)") }
      throw childFailed(
        "\(role) \(short(commit)): expected a commit that can be measured, found that \(error.reason)"
      )
    }
  }

  /// The answer for results, compared with those of the good commit.
  private func answer(_ results: MeasuredResults) throws -> BisectQuestion.Answer {
    question.answer(try comparison(from: base, to: results))
  }

  private func comparison(
    from base: MeasuredResults?, to head: MeasuredResults
  ) throws -> ResultComparison {
    guard let base else { throw childFailed("expected results of --good, found none") }
    // The programs may write results files of different versions, all of which can be read.
    var head = head
    head.schema = base.schema
    return ResultComparison(from: base, to: head)
  }

  private func step(_ commit: String, _ left: Int) throws -> Bisection.Verdict {
    terminal.showLive("measuring \(short(commit)), about \(left) more")
    do {
      let answer = try self.answer(try runner.results(of: commit))
      let verdict: Bisection.Verdict =
        switch answer.verdict {
        case .good: .good
        case .bad: .bad
        case .undecided: .skipped
        }
      add(commit, verdict, answer.reason, left: left)
      return verdict
    } catch let error as CommitRunner.Unmeasured {
      add(commit, .skipped, error.reason, left: left)
      for line in error.lastLines { terminal.say("  \(line)") }
      return .skipped
    }
  }

  private func add(
    _ commit: String, _ verdict: Bisection.Verdict, _ reason: String, left: Int? = nil
  ) {
    let facts =
      (try? repository.facts(of: commit))
      ?? BisectReport.Commit(hash: commit, authorDate: "", subject: "", parents: [])
    let step = BisectReport.Step(commit: facts, verdict: "\(verdict)", reason: reason)
    steps.append(step)
    let rest = left.map { $0 > 0 ? ", about \($0) more" : "" } ?? ""
    terminal.say("\(short(commit)) \(step.verdict): \(reason) (\(inLine(facts.subject)))\(rest)")
  }

  private func short(_ commit: String) -> String { String(commit.prefix(12)) }

  private func report(
    _ outcome: Bisection.Outcome, good: String, bad: String
  ) throws -> BisectReport {
    let suspects = try outcome.suspects.map(repository.facts)
    let after = suspects[suspects.count - 1]
    let (before, results) = try self.before(suspects, outcome.goods, good)
    let comparison = try comparison(from: results, to: runner.results(of: after.hash))
    terminal.endProgress()
    return BisectReport(
      question: question, good: try repository.facts(of: good), bad: try repository.facts(of: bad),
      suspects: suspects, before: before, after: after, steps: steps, comparison: comparison,
      decision: try answer(runner.results(of: after.hash)).reason,
      sample: try DifferingSample.first(of: comparison, in: traces))
  }

  /// The good commit before the suspects, with its results: a parent, the first one if several are
  /// known.
  private func before(
    _ suspects: [BisectReport.Commit], _ goods: Set<String>, _ good: String
  ) throws -> (BisectReport.Commit, MeasuredResults) {
    let own = Set(suspects.map(\.hash))
    // The parents of the bad commit come first.
    let parents = suspects.reversed().flatMap(\.parents).filter { !own.contains($0) }.uniqued()
    let known = parents.filter { goods.contains($0) } + parents.filter { !goods.contains($0) }
    for commit in known {
      // An ancestor of a good commit need not have been measured.
      guard let results = try? runner.results(of: commit), try answer(results).verdict == .good
      else { continue }
      return (try repository.facts(of: commit), results)
    }
    return (try repository.facts(of: good), try runner.results(of: good))
  }
}
