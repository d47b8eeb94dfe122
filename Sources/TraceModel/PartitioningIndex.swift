extension RandomAccessCollection {
  /// Returns the first index at which `belongs` holds, or the end. The elements must be
  /// partitioned: once `belongs` holds it holds for all that follow. Named as in Swift Algorithms.
  /// O(log n).
  @inlinable public func partitioningIndex(where belongs: (Element) -> Bool) -> Index {
    var low = startIndex
    var rest = count
    while rest > 0 {
      let half = rest / 2
      let middle = index(low, offsetBy: half)
      if belongs(self[middle]) {
        rest = half
      } else {
        low = index(after: middle)
        rest -= half + 1
      }
    }
    return low
  }
}
