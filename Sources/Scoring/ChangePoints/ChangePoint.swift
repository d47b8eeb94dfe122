import TraceModel

/// A change of the level of a series.
package struct ChangePoint: Hashable, Sendable {
  /// The index of the first value after the change.
  package var index: Int
  /// The index of the value that shows it.
  package var seenAt: Int
  /// The medians of the stretches before and after this change; nil = undefined.
  package var before: Double?
  package var after: Double?

  /// The changes of a series of measurements, see ``ChangeTest``. After each change the test starts
  /// again after ``seenAt``, so the probability holds for each stretch.
  ///
  /// A change, once found, stays: later values change only `after`. O(n²).
  /// - Parameters:
  ///   - values: in their order. Values that are not finite are skipped.
  ///   - blocks: the day of each value, in which values may be alike; nil = each value is a block.
  ///   - falseAlarmProbability: the probability that the series shows a change without one, above 0
  ///     and below 1. Divide it among series that are read together.
  package static func changes(
    inNoisy values: [Double?], blocks: [Int]? = nil,
    falseAlarmProbability: Double = ChangeTest.falseAlarmProbability
  ) -> [ChangePoint] {
    precondition(blocks?.count ?? values.count == values.count)
    let known = values.indices.filter { values[$0]?.isFinite ?? false }
    var changes: [(index: Int, seenAt: Int)] = []
    let new = ChangeTest(falseAlarmProbability: falseAlarmProbability)
    var (test, start) = (new, 0)
    for (number, index) in known.enumerated() {
      guard let value = values[index], let before = test.add(value, block: blocks?[index]) else {
        continue
      }
      changes.append((known[start + before], index))
      (test, start) = (new, number + 1)
    }
    let edges = [0] + changes.map(\.index) + [values.count]
    return changes.enumerated().map { number, change in
      ChangePoint(
        index: change.index, seenAt: change.seenAt,
        before: median(values[edges[number]..<edges[number + 1]]),
        after: median(values[edges[number + 1]..<edges[number + 2]]))
    }
  }

  /// The changes of a series of figures without noise: each value that differs from the previous
  /// one is a change, at once. O(n).
  /// - Parameter values: in their order; nil = undefined, which is a value of its own.
  package static func changes(inExact values: [Double?]) -> [ChangePoint] {
    values.indices.dropFirst().filter { values[$0] != values[$0 - 1] }.map {
      ChangePoint(index: $0, seenAt: $0, before: values[$0 - 1], after: values[$0])
    }
  }

  private static func median(_ values: ArraySlice<Double?>) -> Double? {
    Sample.median(values.compactMap(\.self).filter(\.isFinite))
  }
}
