public import TraceModel

/// The quality of service of a failure detector after Chen, Toueg and Aguilera ("On the quality of
/// service of failure detectors", IEEE Transactions on Computers 51, 2002), for one trace or for
/// several pooled.
///
/// The detector's output for a peer follows from its detections of kind `present` and `absent` with
/// that peer in `place`, by the time at which they were emitted: the peer is trusted from `present`
/// until `absent`, and suspected before the first detection. The ground truth is the events of the
/// reference: the peer in `place` is present from `onset` until `offset`. Touching or overlapping
/// stretches of a peer are merged. Events and detections without a place, and stretches without
/// length, are ignored. Everything is clipped to the recorded time.
///
/// - **Departure**: an end of a stretch before the trace's end. It is found if trust since the
///   stretch began changed to suspicion, and that lasts until the peer returns or the trace ends.
///   Its **detection time** runs from the departure to that change; it is 0 if the change was before
///   the departure. A peer that nobody trusted is not suspected, so a silent detector finds nothing;
///   trust that ends with the trace is not a suspicion.
/// - **Mistake**: trust changes to suspicion while the peer is present. It lasts until the peer is
///   trusted again or leaves, or the trace ends.
/// - **Query accuracy**: the share of the presence time in which peers were trusted; the wait for
///   the first heartbeat reduces it.
/// - **Arrival**: a start of a stretch. Its **time to see** runs to the first instant in the
///   stretch at which the peer is trusted; an arrival without such an instant is never seen.
///
/// Departures, mistakes and arrivals at an instant in an ignore zone are left out, and so is the
/// time within one. A stretch includes its start but not its end; of the detections at one instant
/// the last one counts. Undefined figures are nil, never NaN.
///
/// ```swift
/// let stay = ReferenceEvent(onset: .zero, offset: TraceInstant(nanoseconds: 60), place: 3)
/// let present = DetectionRecord(onset: .zero, emitted: .zero, kind: "present", place: 3)
/// let time = Exposure(duration: .nanoseconds(90))
/// let quality = PresenceQuality(references: [stay], detections: [present], exposure: time)
/// quality.found.estimate  // 0.0
/// quality.queryAccuracy  // 1.0
/// ```
public struct PresenceQuality: Hashable, Sendable, Codable {
  public var departures = 0
  /// The detection times of the departures found in ns, by peer, then by time.
  public var detectionTimes: [Int64] = []
  /// The time from each departure that was not found to the return, or to the trace's end, in ns.
  public var missedDepartures: [Int64] = []
  public var mistakes = 0
  /// The duration of each mistake in ns.
  public var mistakeDurations: [Int64] = []
  public var arrivals = 0
  /// The times to see of the arrivals seen, in ns.
  public var arrivalTimes: [Int64] = []
  /// The length of each stretch whose arrival was not seen, in ns.
  public var missedArrivals: [Int64] = []
  /// The presence time without ignore zones, summed over the peers, in ns.
  public var presentNanoseconds: Int64 = 0
  /// The part of it that counts for rates, see ``Exposure``: the app did not sleep.
  public var scoredNanoseconds: Int64 = 0
  /// The presence time that is left after each reason not to count, without ignore zones.
  public var exposure = ExposureTimes()
  /// The part of the presence time in which the peers were trusted, in ns.
  public var trustedNanoseconds: Int64 = 0
  /// The number of times that an absent peer became trusted, e.g. by a late heartbeat.
  public var falseArrivals = 0
  /// The same for each peer of each trace; the intervals rest on these.
  public var peers: [PresenceQuality] = []

  public init() {}

  /// - Parameters:
  ///   - detections: of every kind, in any order; `present` and `absent` are used. Ties in time
  ///     keep the given order.
  ///   - exposure: the time that counts for the rate of mistakes. It changes no mistake and no share.
  /// - Complexity: O(n log n), plus stretches times detections for each peer.
  public init(
    references: [ReferenceEvent], detections: [DetectionRecord], ignoreZones: [IgnoreZone] = [],
    exposure: Exposure
  ) {
    let end = exposure.length
    let zones = ZoneUnion(ignoreZones)
    let reasons = exposure.unions.map { $0.union(zones) }
    let stretches = Dictionary(grouping: references.filter { $0.place != nil }, by: { $0.place })
    let reports = Dictionary(grouping: detections.filter { $0.place != nil }, by: { $0.place })
    var parts: [PresenceQuality] = []
    for place in Set(stretches.keys).union(reports.keys).compactMap({ $0 }).sorted() {
      let peer = PeerTimeline(
        stretches: stretches[place] ?? [], detections: reports[place] ?? [], end: end)
      var part = PresenceQuality()
      part.add(peer, zones, end: end)
      part.addExposure(of: peer, reasons)
      if part != PresenceQuality() { parts.append(part) }
    }
    self = Self.pooled(parts)
    peers = parts
  }

  /// Evaluates a trace with the facts of its header.
  public init(_ reference: ReferenceSet, detections: [DetectionRecord], header: TraceHeader) {
    self.init(
      references: reference.events, detections: detections, ignoreZones: header.ignoreZones,
      exposure: Exposure(duration: header.duration))
  }

  public var found: Proportion { Proportion(successes: detectionTimes.count, trials: departures) }
  /// The detection times of all departures.
  public var detection: Delays { Delays(reached: detectionTimes, missed: missedDepartures) }
  /// The mistakes per hour of presence that counts.
  public var mistakeRate: PoissonRate {
    PoissonRate(count: mistakes, hours: hours(ofNanoseconds: scoredNanoseconds))
  }
  public var mistakeDuration: TimePercentiles? { TimePercentiles(of: mistakeDurations) }
  /// The query accuracy, 0...1; nil without presence.
  public var queryAccuracy: Double? {
    presentNanoseconds == 0
      ? nil : Double(trustedNanoseconds) / Double(presentNanoseconds)
  }
  public var seen: Proportion { Proportion(successes: arrivalTimes.count, trials: arrivals) }
  /// The times to see of all arrivals.
  public var arrival: Delays { Delays(reached: arrivalTimes, missed: missedArrivals) }

  /// Adds up counts and times, and concatenates durations in the order of the traces.
  public static func pooled(_ qualities: [PresenceQuality]) -> PresenceQuality {
    var sum = PresenceQuality()
    for quality in qualities {
      sum.departures += quality.departures
      sum.detectionTimes += quality.detectionTimes
      sum.missedDepartures += quality.missedDepartures
      sum.mistakes += quality.mistakes
      sum.mistakeDurations += quality.mistakeDurations
      sum.arrivals += quality.arrivals
      sum.arrivalTimes += quality.arrivalTimes
      sum.missedArrivals += quality.missedArrivals
      sum.presentNanoseconds = sum.presentNanoseconds.addingClamped(quality.presentNanoseconds)
      sum.scoredNanoseconds = sum.scoredNanoseconds.addingClamped(quality.scoredNanoseconds)
      sum.exposure = sum.exposure + quality.exposure
      sum.trustedNanoseconds = sum.trustedNanoseconds.addingClamped(quality.trustedNanoseconds)
      sum.falseArrivals += quality.falseArrivals
      sum.peers += quality.peers
    }
    return sum
  }

  private mutating func add(_ peer: PeerTimeline, _ zones: ZoneUnion, end: Int64) {
    func isScored(_ time: Int64) -> Bool { !zones.contains(TraceInstant(nanoseconds: time)) }
    for (position, stretch) in peer.stretches.enumerated() {
      let next = position + 1 < peer.stretches.count ? peer.stretches[position + 1].lowerBound : nil
      addTime(of: stretch, of: peer, zones)
      if isScored(stretch.lowerBound) {
        arrivals += 1
        if let seen = peer.firstTrust(in: stretch) {
          arrivalTimes.append(seen - stretch.lowerBound)
        } else {
          missedArrivals.append(stretch.upperBound - stretch.lowerBound)
        }
      }
      if stretch.upperBound < end, isScored(stretch.upperBound) {
        departures += 1
        if let suspected = peer.lastSuspicion(since: stretch.lowerBound, before: next ?? end) {
          detectionTimes.append(max(suspected.subtractingClamped(stretch.upperBound), 0))
        } else {
          missedDepartures.append((next ?? end) - stretch.upperBound)
        }
      }
      for mistake in peer.mistakes(in: stretch, end: end) where isScored(mistake.lowerBound) {
        mistakes += 1
        mistakeDurations.append(mistake.upperBound - mistake.lowerBound)
      }
    }
    falseArrivals += peer.trusted.count { trust in
      trust.lowerBound < end && isScored(trust.lowerBound)
        && !peer.isPresent(at: trust.lowerBound)
    }
  }

  /// - Parameter reasons: the stretches that do not count, with one more reason in each element.
  private mutating func addExposure(of peer: PeerTimeline, _ reasons: [ZoneUnion]) {
    func left(_ zones: ZoneUnion) -> Int64 {
      peer.stretches.reduce(0) { $0.addingClamped(zones.scoredNanoseconds(of: $1)) }
    }
    exposure = ExposureTimes(
      length: presentNanoseconds, recorded: left(reasons[0]), fed: left(reasons[1]),
      armed: left(reasons[2]))
    scoredNanoseconds = exposure.armed
  }

  private mutating func addTime(
    of stretch: Range<Int64>, of peer: PeerTimeline, _ zones: ZoneUnion
  ) {
    presentNanoseconds = presentNanoseconds.addingClamped(zones.scoredNanoseconds(of: stretch))
    for trust in peer.trust(in: stretch) {
      trustedNanoseconds = trustedNanoseconds.addingClamped(
        zones.scoredNanoseconds(of: trust.clamped(to: stretch)))
    }
  }
}

/// The presence and the trust of a peer over time, in ns, ordered and disjoint.
private struct PeerTimeline {
  let stretches: [Range<Int64>]
  /// The stretches of trust; one without an end has `Int64.max` as its upper bound.
  let trusted: [Range<Int64>]

  init(stretches events: [ReferenceEvent], detections: [DetectionRecord], end: Int64) {
    stretches = Self.stretches(events, end: end)
    trusted = Self.trusted(detections, end: end)
  }

  private static func stretches(_ events: [ReferenceEvent], end: Int64) -> [Range<Int64>] {
    let ranges = events.compactMap { event -> Range<Int64>? in
      let onset = max(event.onset.nanoseconds, 0)
      let offset = min(event.offset.nanoseconds, end)
      return onset < offset ? onset..<offset : nil
    }.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    var joined: [Range<Int64>] = []
    for range in ranges {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  private static func trusted(_ detections: [DetectionRecord], end: Int64) -> [Range<Int64>] {
    // Ties are broken by position: Swift does not guarantee a stable sort.
    let reports = detections.enumerated()
      .filter { $0.element.emitted.nanoseconds <= end }
      .sorted { ($0.element.emitted, $0.offset) < ($1.element.emitted, $1.offset) }
    var ranges: [Range<Int64>] = []
    func open(at time: Int64) {
      guard ranges.last?.upperBound != .max else { return }
      // Suspected and trusted again at one instant: no change.
      let start = ranges.last?.upperBound == time ? ranges.removeLast().lowerBound : time
      ranges.append(start..<Int64.max)
    }
    func close(at time: Int64) {
      guard let last = ranges.last, last.upperBound == .max else { return }
      ranges.removeLast()
      if last.lowerBound < time { ranges.append(last.lowerBound..<time) }
    }
    for (_, detection) in reports {
      switch detection.kind {
      case "present": open(at: detection.emitted.nanoseconds)
      case "absent": close(at: detection.emitted.nanoseconds)
      default: break
      }
    }
    return ranges
  }

  // The stretches of both are in order and disjoint, so each of these is a search by halves.

  func isPresent(at time: Int64) -> Bool {
    let next = stretches.partitioningIndex { $0.upperBound > time }
    return next < stretches.count && stretches[next].contains(time)
  }

  /// The stretches of trust that overlap a stretch.
  func trust(in stretch: Range<Int64>) -> ArraySlice<Range<Int64>> {
    let start = trusted.partitioningIndex { $0.upperBound > stretch.lowerBound }
    return trusted[
      start..<max(start, trusted.partitioningIndex { $0.lowerBound >= stretch.upperBound })]
  }

  func firstTrust(in stretch: Range<Int64>) -> Int64? {
    trust(in: stretch).first.map { max($0.lowerBound, stretch.lowerBound) }
  }

  /// Returns the start of the suspicion that holds at an instant: the peer's return or the trace's
  /// end; nil = the peer is trusted then, or was not trusted since its arrival.
  func lastSuspicion(since arrival: Int64, before instant: Int64) -> Int64? {
    let following = trusted.partitioningIndex { $0.lowerBound >= instant }
    guard following > 0 else { return nil }
    let end = trusted[following - 1].upperBound
    // A change at the instant of the return belongs to the returned peer, one at the end to nobody.
    return end > arrival && end < instant ? end : nil
  }

  /// Returns the suspicions that begin in a stretch, each until its end or the end of the stretch.
  func mistakes(in stretch: Range<Int64>, end: Int64) -> [Range<Int64>] {
    let first = trusted.partitioningIndex { $0.upperBound >= stretch.lowerBound }
    let beyond = trusted.partitioningIndex { $0.upperBound >= stretch.upperBound }
    return (first..<max(first, beyond)).map { position in
      let start = trusted[position].upperBound
      let next = position + 1 < trusted.count ? trusted[position + 1].lowerBound : end
      return start..<min(next, stretch.upperBound)
    }
  }
}
