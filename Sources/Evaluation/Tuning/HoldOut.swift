package import Diagnostics
package import Foundation
package import TraceModel

/// Recordings that are kept from a tuning until it is over.
package enum HoldOut {
  /// The positions of what is held out; whole groups, so that nobody is on both sides.
  ///
  /// - Parameters:
  ///   - text: a fraction of the groups, such as `0.25`; else, or where a group or a recording is
  ///     named so, a pattern as a shell has it, which the id, the group or the file matches.
  ///   - groups: of each recording.
  package static func positions(
    _ text: String, ids: [String], files: [String], groups: [String], seed: UInt64
  ) throws -> Set<Int> {
    let option = "--holdout \(text)"
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
          fnmatch(text, name, 0) == 0
        }
      }
      chosen = Set(matching.map { groups[$0] })
      guard !chosen.isEmpty else {
        throw Failure(
          .wrongUse,
          "\(option): expected a fraction, or a pattern that the id, the group or the file of a "
            + "recording matches, found none; groups: \(Set(groups).sorted().joined(separator: ", "))"
        )
      }
    }
    let positions = Set(groups.indices.filter { chosen.contains(groups[$0]) })
    guard positions.count < groups.count else {
      throw Failure(.wrongUse, "\(option): it leaves nothing to tune on")
    }
    return positions
  }
}
