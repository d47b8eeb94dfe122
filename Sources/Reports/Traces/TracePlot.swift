import Diagnostics
import Detectors
package import TraceModel

/// A plot of a trace for a terminal: the magnitude of its acceleration, and its track.
package struct TracePlot {
  /// In characters, including the indentation.
  private let width: Int
  private let style: DotCanvas.Style

  package init(width: Int, style: DotCanvas.Style) { (self.width, self.style) = (width, style) }

  package static let rowsOfCurve = 6
  package static let rowsOfTrack = 12
  package static let widest = 100
  private static let indentation = "    "

  /// The plots of a trace; empty if there is nothing to draw.
  package func text(of trace: Trace) -> String {
    var lines: [String] = []
    let moved = [Channel.acceleration, .userAcceleration].first { trace.header.info($0) != nil }
    if let moved, let columns = trace[moved].flatMap({ VectorColumns($0) }) {
      lines += curve(of: columns, moved)
    }
    if let fixes = trace[.location].flatMap({ FixColumns($0) }) { lines += track(of: fixes) }
    return lines.map { $0 + "\n" }.joined()
  }

  private var columns: Int { max(10, min(width, Self.widest) - Self.indentation.count) }

  /// The range of the magnitude in each column of dots, so that long recordings keep their peaks.
  private func curve(of columns: VectorColumns, _ channel: Channel) -> [String] {
    var canvas = DotCanvas(columns: self.columns, rows: Self.rowsOfCurve)
    let times = columns.measuredTimes[columns.range]
    guard let start = times.min(), let end = times.max(), end > start else { return [] }
    let span = Double(end.subtractingClamped(start))
    var ranges = [ClosedRange<Double>?](repeating: nil, count: canvas.width)
    for position in columns.range {
      let magnitude = Double(columns[position].magnitude)
      guard magnitude.isFinite else { continue }
      let share = Double(columns.measuredTimes[position].subtractingClamped(start)) / span
      let x = min(canvas.width - 1, Int(share * Double(canvas.width)))
      let range = ranges[x] ?? magnitude...magnitude
      ranges[x] = min(range.lowerBound, magnitude)...max(range.upperBound, magnitude)
    }
    guard let highest = ranges.compactMap(\.?.upperBound).max(), highest > 0 else { return [] }
    for (x, range) in ranges.enumerated() {
      guard let range else { continue }
      let scale = Double(canvas.height - 1) / highest
      canvas.line(
        (x, Int((range.lowerBound * scale).rounded())),
        (x, Int((range.upperBound * scale).rounded())))
    }
    let title =
      "  |\(channel.name)|, 0 to \(fixed(highest, 1)) m/s2, over \(fixed(span / 1e9, 1)) s"
    return [title] + indented(canvas)
  }

  /// The path from above, north up, in its true proportions.
  private func track(of fixes: FixColumns) -> [String] {
    let path = fixes.range.map { fixes.values[$0] }.filter {
      Geodesy.isValid(latitude: $0.latitude, longitude: $0.longitude)
        && ($0.latitude != 0 || $0.longitude != 0)
    }
    guard let south = path.map(\.latitude).min(), let north = path.map(\.latitude).max(),
      let west = path.map(\.longitude).min(), let east = path.map(\.longitude).max()
    else { return [] }
    let middle = (south + north) / 2
    let tall = Geodesy.distance(
      latitude: south, longitude: west, toLatitude: north, longitude: west)
    let wide = Geodesy.distance(
      latitude: middle, longitude: west, toLatitude: middle, longitude: east)
    guard tall > 0 || wide > 0, tall.isFinite, wide.isFinite else { return [] }
    var canvas = DotCanvas(columns: columns, rows: Self.rowsOfTrack)
    let metersPerDot = max(tall / Double(canvas.height - 1), wide / Double(canvas.width - 1))
    func dot(_ fix: Fix) -> (x: Int, y: Int) {
      let x = east > west ? (fix.longitude - west) / (east - west) * wide : 0
      let y = north > south ? (fix.latitude - south) / (north - south) * tall : 0
      return (Int((x / metersPerDot).rounded()), Int((y / metersPerDot).rounded()))
    }
    let dots = path.map(dot)
    for (from, to) in zip(dots, dots.dropFirst()) { canvas.line(from, to) }
    let title = "  track, \(fixed(wide / 1000, 2)) km by \(fixed(tall / 1000, 2)) km, north is up"
    return [title] + indented(canvas)
  }

  /// Without blank lines above and below.
  private func indented(_ canvas: DotCanvas) -> [String] {
    let lines = canvas.lines(style)
    let first = lines.firstIndex { !$0.isEmpty } ?? 0
    let last = lines.lastIndex { !$0.isEmpty } ?? -1
    return lines[first..<max(first, last + 1)].map { Self.indentation + $0 }
  }
}
