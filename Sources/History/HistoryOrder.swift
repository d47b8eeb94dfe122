/// The order of runs: that of their commits in the graph of git, so that a clock that was set back, or an
/// old commit that is measured late, blames no other commit.
///
/// Time orders the runs of one commit. A run of an unknown commit is placed where its time disagrees
/// with the times of as few other runs as possible.
package struct HistoryOrder: Sendable {
  /// That of time alone.
  package static let time = HistoryOrder(of: [], commits: [])

  /// The places of the runs' commits.
  private let places: [String: Int]

  /// - Parameters:
  ///   - runs: whose commits are looked for; a short hash is known if it belongs to one commit.
  ///   - commits: full hashes, each after its ancestors.
  package init(of runs: [HistoryRun], commits: [Substring]) {
    let names = Set(runs.compactMap(Self.hash))
    let groups = Dictionary(grouping: names) { $0.prefix(Self.fewestDigits) }
    var found: [String: [Int]] = [:]
    for (place, commit) in commits.enumerated() {
      for name in groups[commit.prefix(Self.fewestDigits)] ?? [] where commit.hasPrefix(name) {
        found[name, default: []].append(place)
      }
    }
    places = found.filter { $0.value.count == 1 }.mapValues { $0[0] }
  }

  /// The shortest hash that git accepts.
  private static let fewestDigits = 4

  /// The hash of a run's commit, without `-dirty` or `-unchecked`; nil for other names, such as dates.
  private static func hash(of run: HistoryRun) -> String? {
    let (hash, rest) = (
      run.commit.prefix { $0.isASCII && $0.isHexDigit }, run.commit.drop { $0.isHexDigit }
    )
    guard hash.count >= fewestDigits, ["", "-dirty", "-unchecked"].contains(rest) else {
      return nil
    }
    return hash.lowercased()
  }

  /// Whether the place of a run's commit is known.
  package func knows(_ run: HistoryRun) -> Bool { place(of: run) != nil }

  /// A changed checkout is after its commit.
  private func place(of run: HistoryRun) -> Int? {
    Self.hash(of: run).flatMap { hash in
      places[hash].map { 2 * $0 + (run.commit.count > hash.count ? 1 : 0) }
    }
  }

  /// - Parameter runs: in the order of time.
  /// - Complexity: O(n log n), and O(known × unknown) for runs of unknown commits.
  package func sorted(_ runs: [HistoryRun]) -> [HistoryRun] {
    let known = runs.enumerated().compactMap { index, run in
      place(of: run).map { (place: $0, index: index) }
    }.sorted { $0 < $1 }.map { runs[$0.index] }
    guard !known.isEmpty else { return runs }
    // The unknown runs before each known one, and behind the last.
    var before = [[HistoryRun]](repeating: [], count: known.count + 1)
    for run in runs where !knows(run) { before[Self.place(of: run.time, in: known)].append(run) }
    return zip(before, known).flatMap { $0 + [$1] } + (before.last ?? [])
  }

  /// The number of runs to put before a time: the most with the fewest disagreements, as an old commit that
  /// is measured late is more frequent than a clock that was set back.
  private static func place(of time: HistoryTime, in runs: [HistoryRun]) -> Int {
    var (balance, least, place) = (0, 0, 0)
    for (index, run) in runs.enumerated() {
      balance += run.time > time ? 1 : run.time < time ? -1 : 0
      if balance <= least { (least, place) = (balance, index + 1) }
    }
    return place
  }
}
