import TraceModel

/// The part that is drawn of a trace that is too large for a page. No detector ever gets it.
enum Decimation {
  /// The most readings of a trace that are drawn.
  static let limit = 20_000

  /// Returns a trace with the least and the greatest reading, by magnitude, of each of equal stretches of
  /// readings, so that a picture keeps its outline.
  /// - Returns: nil for a channel without magnitudes.
  static func decimated(_ trace: Trace, _ channel: Channel, limit: Int = limit) -> Trace? {
    guard let block = trace[channel], case .vector(let columns) = block, columns.range.count > 0
    else { return nil }
    let range = columns.range
    let stretches = max(1, limit / 2)
    let stretch = max(1, (range.count + stretches - 1) / stretches)
    var kept: [Int] = []
    for start in stride(from: range.lowerBound, to: range.upperBound, by: stretch) {
      let end = min(start + stretch, range.upperBound)
      // NaN is neither the least nor the greatest.
      var least = (place: start, size: Float.infinity)
      var most = (place: start, size: -Float.infinity)
      for place in start..<end {
        let size = columns[place].magnitude
        if size < least.size { least = (place, size) }
        if size > most.size { most = (place, size) }
      }
      kept += Set([least.place, most.place]).sorted()
    }
    var drawn = Trace(header: trace.header)
    let times = TimeColumns(measured: kept.map { columns.measuredTimes[$0] }, arrived: nil)
    drawn.set(
      .vector(
        VectorColumns(
          times: times, x: kept.map { columns.x[$0] }, y: kept.map { columns.y[$0] },
          z: kept.map { columns.z[$0] })), for: channel)
    return drawn
  }
}
