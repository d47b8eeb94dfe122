internal import TraceModel

/// Returns the largest number of windows that can each have a detection: every detection, in order,
/// is assigned to the open window that closes first (Glover's rule for convex bipartite graphs,
/// Naval Research Logistics Quarterly 14, 1967).
/// - Parameters:
///   - windows: ordered by their lower ends.
///   - detections: ascending.
/// - Complexity: O(windows + detections) where windows close in the order in which they open.
package func mostPairs(_ windows: [ClosedRange<Int64>], _ detections: [Int64]) -> Int {
  var (next, pairs) = (0, 0)
  // The upper ends of the open windows, ascending from `first`.
  var open: [Int64] = []
  var first = 0
  for time in detections {
    while next < windows.count, windows[next].lowerBound <= time {
      let end = windows[next].upperBound
      if first == open.count || open[open.count - 1] <= end {
        open.append(end)
      } else {
        let position = open[first...].partitioningIndex { $0 > end }
        open.insert(end, at: position)
      }
      next += 1
    }
    while first < open.count, open[first] < time { first += 1 }
    if first < open.count {
      first += 1
      pairs += 1
    }
  }
  return pairs
}
