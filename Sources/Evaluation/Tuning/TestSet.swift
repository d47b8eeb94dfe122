import Diagnostics
import TraceModel

/// The test set of a tuning: recordings that are evaluated once, at the end.
package enum TestSet {
  /// Returns the positions of the test set. It consists of whole groups, so that no person is in both
  /// sets.
  ///
  /// - Parameter text: a fraction of the groups, such as `0.25`, or a shell pattern for the id, the
  ///   group or the file. A text that is an id or a group is a pattern.
  package static func positions(
    _ text: String, ids: [String], files: [String], groups: [String], seed: UInt64
  ) throws -> Set<Int> {
    let option = "--test-set \(text)"
    var chosen: Set<String>
    let named = Set(ids + groups)
    if let fraction = Double(text), !named.contains(text) {
      guard fraction > 0, fraction < 1 else {
        throw Failure(.wrongUse, "\(option): expected a fraction above 0 and below 1")
      }
      let all = Set(groups).sorted()
      let count = max(1, Int((fraction * Double(all.count)).rounded()))
      var generator = SeededGenerator(seed: seed)
      chosen = Set(all.shuffled(using: &generator).prefix(count))
    } else {
      let matching = ids.indices.filter { index in
        [ids[index], groups[index], files[index]].contains { (name: String) in
          matches(name, pattern: text)
        }
      }
      chosen = Set(matching.map { groups[$0] })
      guard !chosen.isEmpty else {
        throw Failure(
          .wrongUse,
          "\(option): expected a fraction, or a pattern for an id, a group or a file, found no "
            + "match; groups: \(Set(groups).sorted().joined(separator: ", "))"
        )
      }
    }
    let positions = Set(groups.indices.filter { chosen.contains(groups[$0]) })
    guard positions.count < groups.count else {
      throw Failure(
        .wrongUse,
        "\(option): expected recordings to tune on, found none; choose a smaller test set")
    }
    return positions
  }
}
