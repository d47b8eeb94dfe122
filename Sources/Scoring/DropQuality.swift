public import TraceModel

/// The outcomes of the drags that should have ended in a slot: near misses apart from far ones.
///
/// A drag's reference is its release, and its place the intended slot. A release that a detector
/// reports is a detection of the kind `drop`, with the slot, or `miss`, with the nearest slot and the
/// distance in points beyond its edge. Releases and references are matched by time alone, so each
/// intended drag has exactly one outcome: the five counts add up to ``intended``.
///
/// ```swift
/// let drag = ReferenceEvent(onset: .zero, place: 2)
/// let miss = DetectionRecord(onset: .zero, emitted: .zero, kind: "miss", value: 22, place: 2)
/// DropQuality(references: [drag], detections: [miss], tolerance: .standard).nearMisses  // 1
/// ```
public struct DropQuality: Hashable, Sendable, Codable {
  /// The references outside of ignore zones.
  public private(set) var intended = 0
  public private(set) var hits = 0
  public private(set) var wrongSlots = 0
  /// The misses at most ``nearMissPoints`` beyond the edge of the intended slot.
  public private(set) var nearMisses = 0
  public private(set) var farMisses = 0
  /// The drags without a reported release: the finger took no tile.
  public private(set) var unreported = 0

  /// The largest distance of a near miss from the slot's edge in points: half of the smallest side
  /// that Apple's Human Interface Guidelines give a target for fingers, 44 points.
  public static let nearMissPoints = 22.0

  public var hitRate: Proportion { Proportion(successes: hits, trials: intended) }
  public var nearMissRate: Proportion { Proportion(successes: nearMisses, trials: intended) }

  /// - Parameter detections: all detections of a run, of any kind and in any order.
  /// - Complexity: that of ``EventMatching``.
  public init(
    references: [ReferenceEvent], detections: [DetectionRecord], ignoreZones: [IgnoreZone] = [],
    tolerance: EventTolerance
  ) {
    let zones = ZoneUnion(ignoreZones)
    let drags = references.filter { !zones.contains($0.onset) }
    let releases = detections.filter { Self.kinds.contains($0.kind) }
    let matching = EventMatching(references: drags, detections: releases, tolerance: tolerance)
    intended = drags.count
    for pair in matching.pairs { add(drags[pair.reference], releases[pair.detection]) }
    unreported = drags.count - matching.pairs.count
  }

  private static let kinds: Set<String> = ["drop", "miss"]

  private mutating func add(_ drag: ReferenceEvent, _ release: DetectionRecord) {
    let isIntended = release.place == drag.place
    switch (release.kind == "drop", isIntended) {
    case (true, true): hits += 1
    case (true, false): wrongSlots += 1
    // NaN is not a distance.
    case (false, true) where release.value <= Self.nearMissPoints: nearMisses += 1
    case (false, _): farMisses += 1
    }
  }

  /// The counts and the two rates, for these drags only.
  public var figures: [Figure] {
    [
      .count(.intendedDrops, intended), Figure(.dropHitRate, Estimate(hitRate)),
      Figure(.nearMissRate, Estimate(nearMissRate)), .count(.nearMisses, nearMisses),
      .count(.wrongSlots, wrongSlots), .count(.farMisses, farMisses),
      .count(.unreportedDrops, unreported),
    ]
  }
}
