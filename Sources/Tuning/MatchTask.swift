import Scoring
import TraceModel

/// The references of a recording, in clusters with touching windows, and its ignore zones.
struct MatchTask: Sendable {
  let references: Int
  let scoredNanoseconds: Int64
  let clusters: [Cluster]
  private let zones: [IgnoreZone]
  private let tolerance: EventTolerance

  struct Cluster: Sendable {
    /// The span from the first window's lower end to the last upper end.
    var span: ClosedRange<Int64>
    var windows: [ClosedRange<Int64>]
    /// The references for the exact matching; set if an ignore zone overlaps the windows.
    var events: [ReferenceEvent]?
    /// Whether the number of detections is sufficient: the first is a hit.
    var isPlain: Bool
  }

  var hasOnlyPlain: Bool { clusters.allSatisfy(\.isPlain) }

  init(
    references: [ReferenceEvent], ignoreZones: [IgnoreZone], tolerance: EventTolerance,
    exposure: Exposure
  ) {
    let judged = EventJudgement(
      references: references, detections: [], ignoreZones: ignoreZones, tolerance: tolerance,
      exposure: exposure)
    let kept = references.indices.filter { judged.referenceOutcomes[$0] != .ignored }
    self.references = kept.count
    scoredNanoseconds = judged.score.scoredNanoseconds
    zones = ignoreZones.filter { $0.onset <= $0.offset }
    self.tolerance = tolerance
    clusters = Self.clusters(kept.map { references[$0] }, zones, tolerance)
  }

  /// The limit of references times overlapping windows in a cluster with exact matching.
  private static let mostOverlaps = 1 << 22

  /// - Throws: if an ignore zone overlaps too many references at one place.
  func requireFeasible(place: String) throws(TraceError) {
    for cluster in clusters where cluster.events != nil {
      let ends = cluster.windows.map(\.upperBound).sorted()
      var (closed, deepest) = (0, 0)
      for (opened, window) in cluster.windows.enumerated() {
        while ends[closed] < window.lowerBound { closed += 1 }
        deepest = max(deepest, opened + 1 - closed)
      }
      guard deepest * cluster.windows.count > Self.mostOverlaps else { continue }
      throw TraceError(
        place: place, expected: "few references within each other's tolerance",
        found: "\(deepest) at one time next to an ignore zone, in the stretch from "
          + "\(TraceInstant(nanoseconds: cluster.span.lowerBound).seconds) s on",
        remedy: "remove duplicate references, or lower the tolerance")
    }
  }

  /// Returns the outcome of detections at these times, ascending, in a cluster.
  func outcome(of cluster: Int, detections: [Int64]) -> (hits: Int32, alarms: Int32) {
    guard let events = clusters[cluster].events else {
      let hits = mostPairs(clusters[cluster].windows, detections)
      return (Int32(hits), Int32(detections.count - hits))
    }
    let judged = EventJudgement(
      references: events,
      detections: detections.map {
        let time = TraceInstant(nanoseconds: $0)
        return DetectionRecord(onset: time, emitted: time, kind: "")
      }, ignoreZones: zones, tolerance: tolerance, duration: .zero)
    let counts = judged.score.counts
    return (Int32(counts.truePositives), Int32(counts.falsePositives))
  }

  /// Returns the cluster of each time, or whether a time outside all clusters is in an ignore zone.
  /// - Parameter times: ascending.
  func clusters(of times: [Int64]) -> [Int32] {
    var next = 0
    return times.map { time in
      while next < clusters.count, clusters[next].span.upperBound < time { next += 1 }
      if next < clusters.count, clusters[next].span.lowerBound <= time { return Int32(next) }
      let isIgnored = zones.contains {
        $0.onset.nanoseconds <= time && time <= $0.offset.nanoseconds
      }
      return isIgnored ? MatchCounter.ignored : MatchCounter.free
    }
  }

  private static func clusters(
    _ references: [ReferenceEvent], _ zones: [IgnoreZone], _ tolerance: EventTolerance
  ) -> [Cluster] {
    let (early, late) = (tolerance.early.nanoseconds, tolerance.late.nanoseconds)
    // A negative margin can leave a reference without a window: it is always missed.
    let windows = references.compactMap { event -> (ClosedRange<Int64>, ReferenceEvent)? in
      let lower = event.onset.nanoseconds.subtractingClamped(early)
      let upper = event.offset.nanoseconds.addingClamped(late)
      return lower <= upper ? (lower...upper, event) : nil
    }.sorted { ($0.0.lowerBound, $0.0.upperBound) < ($1.0.lowerBound, $1.0.upperBound) }
    var clusters: [Cluster] = []
    var first = 0
    while first < windows.count {
      var (last, end) = (first + 1, windows[first].0.upperBound)
      while last < windows.count, windows[last].0.lowerBound <= end {
        end = max(end, windows[last].0.upperBound)
        last += 1
      }
      let span = windows[first].0.lowerBound...end
      let meetsZone = zones.contains {
        $0.onset.nanoseconds <= end && $0.offset.nanoseconds >= span.lowerBound
      }
      clusters.append(
        Cluster(
          span: span, windows: windows[first..<last].map(\.0),
          events: meetsZone ? windows[first..<last].map(\.1) : nil,
          isPlain: last == first + 1 && !meetsZone))
      first = last
    }
    return clusters
  }
}
