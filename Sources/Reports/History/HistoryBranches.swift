import Diagnostics
import History

/// The branches of a history to show. Runs of different branches measure different code, so they never
/// share a series.
package enum HistoryBranchChoice: Sendable {
  /// The branch with the most runs, and of these the one with the newest run.
  case busiest
  /// The runs of one branch; nil = those without a branch.
  case one(String?)
  /// All, in separate series.
  case all

  /// The name for runs without a branch. No branch of git has it.
  package static let none = "-"
}

struct HistoryBranches: Sendable {
  struct Branch: Sendable {
    /// nil = runs without a branch.
    let name: String?
    let runs: Int
    let isShown: Bool
  }

  /// The branch with the newest run first.
  let all: [Branch]

  /// - Parameter runs: the oldest first.
  /// - Throws: wrong use for an unknown branch, unless there are no runs.
  init(of runs: [HistoryRun], _ choice: HistoryBranchChoice, _ path: String) throws {
    let counts = Dictionary(runs.map { ($0.branch, 1) }, uniquingKeysWith: +)
    let names = runs.reversed().map(\.branch).uniqued()
    let most = names.max { counts[$0, default: 0] < counts[$1, default: 0] }
    if case .one(let name) = choice, !runs.isEmpty, !names.contains(name) {
      throw Failure.unknown(
        "branch", Self.text(name), known: names.map(Self.text).sorted(), place: path)
    }
    all = names.map { name in
      let isShown =
        switch choice {
        case .busiest: name == most
        case .one(let wanted): name == wanted
        case .all: true
        }
      return Branch(name: name, runs: counts[name, default: 0], isShown: isShown)
    }
  }

  var shown: [Branch] { all.filter(\.isShown) }
  var hidden: [Branch] { all.filter { !$0.isShown } }

  static func text(_ name: String?) -> String { name ?? HistoryBranchChoice.none }

  /// The path with the shown branch, for messages.
  func place(in path: String) -> String {
    guard !hidden.isEmpty, let name = shown.first?.name else { return path }
    return "\(path), branch \(name)"
  }

  func shows(_ run: HistoryRun) -> Bool { shown.contains { $0.name == run.branch } }
}
