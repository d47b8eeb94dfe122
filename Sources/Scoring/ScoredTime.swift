internal import TraceModel

/// A union of stretches that do not count, each with both ends inclusive: the ignore zones of a trace,
/// and the time outside its exposure. A stretch that ends before it starts is empty.
struct ZoneUnion: Sendable, Equatable {
  /// The zones, disjoint and in order.
  private var zones: [ClosedRange<Int64>] = []

  init(_ ignored: [IgnoreZone]) {
    self.init(
      ignored.filter { $0.onset <= $0.offset }.map { $0.onset.nanoseconds...$0.offset.nanoseconds })
  }

  /// - Complexity: O(n log n); O(n) for few runs of stretches in order.
  init(_ stretches: [ClosedRange<Int64>]) {
    for zone in stretches.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = zones.last, zone.lowerBound <= last.upperBound {
        zones[zones.count - 1] = last.lowerBound...max(last.upperBound, zone.upperBound)
      } else {
        zones.append(zone)
      }
    }
  }

  func union(_ other: ZoneUnion) -> ZoneUnion {
    other.zones.isEmpty ? self : zones.isEmpty ? other : ZoneUnion(zones + other.zones)
  }

  func contains(_ instant: TraceInstant) -> Bool {
    let next = zones.partitioningIndex { $0.upperBound >= instant.nanoseconds }
    return next < zones.count && zones[next].contains(instant.nanoseconds)
  }

  /// Returns the part of 0...duration outside the zones, in ns.
  func scoredNanoseconds(of duration: Int64) -> Int64 {
    duration > 0 ? scoredNanoseconds(of: 0..<duration) : 0
  }

  /// Returns the part of a stretch outside the zones in ns, at most 292 years.
  func scoredNanoseconds(of stretch: Range<Int64>) -> Int64 {
    var rest = stretch.upperBound.subtractingClamped(stretch.lowerBound)
    let first = zones.partitioningIndex { $0.upperBound > stretch.lowerBound }
    for zone in zones[first...] {
      guard zone.lowerBound < stretch.upperBound else { break }
      let ignored = min(zone.upperBound, stretch.upperBound)
        .subtractingClamped(max(zone.lowerBound, stretch.lowerBound))
      rest -= min(ignored, rest)
    }
    return rest
  }
}

func hours(ofNanoseconds nanoseconds: Int64) -> Double { Double(nanoseconds) / 3.6e12 }
