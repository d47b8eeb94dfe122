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

  /// The changes of a series of measurements, see ``ChangeTest``: at most 1 of 20 series without a
  /// change shows any. After each change the test starts again after ``seenAt``, so the probability
  /// holds for each stretch.
  ///
  /// A change, once found, stays: later values change only `after`. O(n²).
  /// - Parameter values: in their order. Values that are not finite are skipped.
  package static func changes(inNoisy values: [Double?]) -> [ChangePoint] {
    let known = values.indices.filter { values[$0]?.isFinite ?? false }
    var changes: [(index: Int, seenAt: Int)] = []
    var (test, start) = (ChangeTest(), 0)
    for (number, index) in known.enumerated() {
      guard let value = values[index], let before = test.add(value) else { continue }
      changes.append((known[start + before], index))
      (test, start) = (ChangeTest(), number + 1)
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
