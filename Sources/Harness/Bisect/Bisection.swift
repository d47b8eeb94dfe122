import Foundation

/// The search for the first bad commit in a history, by halving.
///
/// The history is read with `git rev-list --bisect-all`, the plumbing of `git bisect`: its output is for
/// programs, and it keeps no state in the repository. `git bisect` itself prints sentences in the
/// user's language.
struct Bisection {
  enum Verdict: Equatable {
    case good, bad, skipped
  }

  /// The end of the search.
  struct Outcome: Equatable {
    /// The possible first bad commits, with the known bad commit last. A single one is the result.
    var suspects: [String]
    var goods: Set<String>
    var skipped: Set<String>
  }

  /// The bad commit and its ancestors without the ancestors of good commits, the best to measure next
  /// first.
  let candidates: (_ bad: String, _ goods: [String]) throws -> [String]
  /// - Parameter left: about how many commits remain to be measured after this one.
  let measure: (_ commit: String, _ left: Int) throws -> Verdict

  /// - Precondition: `bad` is known as bad, and `goods` as good.
  func run(bad: String, goods: [String]) throws -> Outcome {
    var (bad, goods, skipped) = (bad, goods, Set<String>())
    while true {
      let all = try candidates(bad, goods)
      let others = all.filter { $0 != bad }
      let open = others.filter { !skipped.contains($0) }
      guard !open.isEmpty else {
        return Outcome(suspects: others + [bad], goods: Set(goods), skipped: skipped)
      }
      let next = Self.choice(of: open, best: others[0], skips: skipped.count)
      switch try measure(next, Self.steps(others.count) - 1) {
      case .good: goods.append(next)
      case .bad: bad = next
      case .skipped: skipped.insert(next)
      }
    }
  }

  /// Returns the best commit. If it was skipped, its neighbours may fail for the same reason, so the
  /// choice is a commit further away, but not far.
  static func choice(of open: [String], best: String, skips: Int) -> String {
    guard open[0] != best else { return best }
    let turn = (Double(skips) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
    return open[Int(Double(open.count) * turn * turn)]
  }

  /// The number of measurements for this many commits besides the bad one.
  static func steps(_ others: Int) -> Int {
    others > 0 ? Int(log2(Double(others)).rounded(.down)) + 1 : 0
  }
}
