extension RandomAccessCollection {
  /// The first index from which on `belongs` holds, or the end; it must not hold before an element
  /// for which it does not. The name is that of Swift Algorithms. O(log n).
  @inlinable
  public func partitioningIndex(where belongs: (Element) -> Bool) -> Index {
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
