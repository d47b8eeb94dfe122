import TraceModel

/// Reduces a trace that is too large for a page. Only for drawing: no detector gets the result.
enum Decimation {
  /// The most readings of a trace to draw.
  static let limit = 20_000

  /// Returns a trace with a part of a channel's readings. Of vectors: the least and the greatest magnitude
  /// of each of equal parts, which keeps the outline. Of fixes: the first, the last, and some between
  /// them at equal distances.
  /// - Returns: nil for another channel.
  static func decimated(_ trace: Trace, _ channel: Channel, limit: Int = limit) -> Trace? {
    var drawn = Trace(header: trace.header)
    switch trace[channel] {
    case .vector(let columns) where !columns.range.isEmpty:
      drawn.set(.vector(outline(of: columns, limit: limit)), for: channel)
    case .fix(let columns) where !columns.range.isEmpty:
      let (first, last) = (columns.range.lowerBound, columns.range.upperBound - 1)
      let count = min(columns.range.count, max(limit, 2))
      let kept = (0..<count).map { first + $0 * (last - first) / max(count - 1, 1) }
      drawn.set(
        .fix(
          FixColumns(
            times: TimeColumns(measured: kept.map { columns.measuredTimes[$0] }, arrived: nil),
            values: kept.map { columns.values[$0] })), for: channel)
    default: return nil
    }
    return drawn
  }

  private static func outline(of columns: VectorColumns, limit: Int) -> VectorColumns {
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
    return VectorColumns(
      times: TimeColumns(measured: kept.map { columns.measuredTimes[$0] }, arrived: nil),
      x: kept.map { columns.x[$0] }, y: kept.map { columns.y[$0] }, z: kept.map { columns.z[$0] })
  }
}
