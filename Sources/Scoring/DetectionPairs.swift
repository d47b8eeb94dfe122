package import TraceModel

/// Which detections of two runs on one trace are the same, and which one run alone has.
///
/// First, equal detections are the same. Of the others, those of one kind and place that are no further
/// apart than the tolerance are one moved detection; the earliest are paired first.
package struct DetectionPairs: Sendable {
  /// The positions of a detection in the base and in the head.
  package typealias Pair = (base: Int, head: Int)

  /// The equal ones, in the order of the head.
  package private(set) var equal: [Pair] = []
  /// Those that have moved, in the order of the base.
  package private(set) var moved: [Pair] = []
  /// The positions in the base of those that the head lacks.
  package private(set) var lost: [Int] = []
  /// The positions in the head of those that the base lacks.
  package private(set) var gained: [Int] = []

  /// - Parameter tolerance: that of the run; nil = one second.
  /// - Complexity: O(n log n) for n detections.
  package init(
    from base: [DetectionRecord], to head: [DetectionRecord], within tolerance: EventTolerance?
  ) {
    var known = Dictionary(grouping: base.indices) { base[$0] }.mapValues { $0[...] }
    var (isKept, arrived) = ([Bool](repeating: false, count: base.count), [Int]())
    for (position, detection) in head.enumerated() {
      if let equal = known[detection]?.popFirst() {
        isKept[equal] = true
        self.equal.append((equal, position))
      } else {
        arrived.append(position)
      }
    }
    let left = base.indices.filter { !isKept[$0] }
    let reach = tolerance.map { max($0.early, $0.late) } ?? .seconds(1)
    moved = Self.moved(base, left, head, arrived, within: reach.nanoseconds)
    var (hasMoved, hasArrived) = (Set<Int>(), Set<Int>())
    for pair in moved {
      hasMoved.insert(pair.base)
      hasArrived.insert(pair.head)
    }
    lost = left.filter { !hasMoved.contains($0) }
    gained = arrived.filter { !hasArrived.contains($0) }
  }

  private struct Key: Hashable {
    var kind: String
    var place: Int32?
  }

  private static func moved(
    _ base: [DetectionRecord], _ left: [Int], _ head: [DetectionRecord], _ arrived: [Int],
    within reach: Int64
  ) -> [Pair] {
    func ordered(_ positions: [Int], of all: [DetectionRecord]) -> [Key: [Int]] {
      Dictionary(grouping: positions) { Key(kind: all[$0].kind, place: all[$0].place) }
        .mapValues { group in
          group.sorted { (all[$0].onset.nanoseconds, $0) < (all[$1].onset.nanoseconds, $1) }
        }
    }
    let others = ordered(arrived, of: head)
    var pairs: [Pair] = []
    for (key, own) in ordered(left, of: base) {
      var rest = (others[key] ?? [])[...]
      for position in own {
        let time = base[position].onset.nanoseconds
        while let next = rest.first, head[next].onset.nanoseconds < time.subtractingClamped(reach) {
          rest.removeFirst()
        }
        guard let next = rest.first, head[next].onset.nanoseconds <= time.addingClamped(reach)
        else { continue }
        rest.removeFirst()
        pairs.append((position, next))
      }
    }
    return pairs.sorted { $0 < $1 }
  }
}
