public import TraceModel

/// An event of the presence detector about a peer.
public struct PresenceEvent: DetectionEvent {
  public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    case present, absent
  }

  public let type: Kind
  public let peer: Int32
  /// The time in seconds from the arrival of the previous heartbeat to the event; NaN = there was
  /// none.
  @NaNEquatable public private(set) var silence: Double

  public var kind: String { type.rawValue }
  /// The silence in seconds.
  public var value: Double { silence }
  public var place: Int32? { peer }
}

/// Detects from heartbeats which peers are present.
///
/// A peer becomes present with a heartbeat. It becomes absent when it has been silent for longer
/// than its past allows (`AllowedSilence`): at the deadline, not at the next heartbeat. A heartbeat
/// that arrives exactly at the deadline comes first. Silence is measured between arrivals, so the
/// senders' clocks need not agree with the observer's.
///
/// The onset of `present` is the sending time of the heartbeat. The onset of `absent` is the
/// sending time of the newest heartbeat: the last time at which the peer is known to be present.
///
/// **A heartbeat counts** if its counter is higher than that of the newest one so far, or if it was
/// sent later (a restarted sender counts from the beginning). Duplicates and overtaken heartbeats
/// show only that the peer was present earlier; `checksOrder` ignores them.
///
/// **A stall of the observer is checked first.** The observer itself is probably stalled if, at a
/// deadline, at least `stallPeers` of the present peers are later than nine of ten of their
/// heartbeats (1 - `tailShare`) and no peer with a history is on time. Then no peer becomes absent
/// until some heartbeat arrives; the peers that are still silent then get the time of two more
/// heartbeats. If none arrives within `stallLimit` of the newest arrival, the overdue peers become
/// absent. A stall that ends before the first deadline is not detected. Intervals stretched by a
/// stall are not learned.
///
/// A heartbeat costs O(log n) for n present peers plus O(`window`); `deadline` is O(1). An absence
/// checks the peer that was on time last, and at most all present peers. Peers are never forgotten.
///
/// ```swift
/// var detector = PresenceDetector(.ticChatToe, places: [])
/// var events: [Detection<PresenceEvent>] = []
/// detector.ingest(Heartbeat(peer: 3), measured: .zero, arrived: .zero, into: &events)
/// detector.deadline?.seconds  // 10.0
/// if let deadline = detector.deadline { detector.advance(to: deadline, into: &events) }
/// events.map(\.event.kind)  // ["present", "absent"]
/// ```
public struct PresenceDetector: Detector, Codable {
  public static let name = "presence"
  public static let channel = Channel.heartbeat
  public static let task = ReferenceTask.presence

  private enum Doubt: Equatable, Codable {
    case none
    /// The observer may be stalled; absences are held back at most until then.
    case holding(until: TraceInstant)
    /// The stall lasted too long: absences are no longer held back.
    case given
  }

  package let parameters: Parameters
  private let allowed: AllowedSilence
  private var peers: [Peer] = []
  private var slots: [Int32: Int] = [:]
  /// The deadlines of the present peers, by slot.
  private var queue = DeadlineQueue()
  /// The number of present peers with a history.
  private var withHistory = 0
  /// The peer that was found on time last, which it mostly still is.
  private var onTime: Int?
  private var newestArrival: TraceInstant?
  private var doubt = Doubt.none
  private var lastStallEnd: TraceInstant?
  private var stalls = 0

  public init(_ parameters: Parameters, places: [Place]) {
    self.parameters = parameters
    allowed = AllowedSilence(parameters)
  }

  #if !hasFeature(Embedded)
    // The slots follow from the peers: a dictionary has no order, and equal states have equal bytes.
    private enum CodingKeys: CodingKey {
      case parameters, allowed, peers, queue, newestArrival, doubt, lastStallEnd, stalls
    }

    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      parameters = try values.decode(Parameters.self, forKey: .parameters)
      allowed = try values.decode(AllowedSilence.self, forKey: .allowed)
      peers = try values.decode([Peer].self, forKey: .peers)
      queue = try values.decode(DeadlineQueue.self, forKey: .queue)
      newestArrival = try values.decodeIfPresent(TraceInstant.self, forKey: .newestArrival)
      doubt = try values.decode(Doubt.self, forKey: .doubt)
      lastStallEnd = try values.decodeIfPresent(TraceInstant.self, forKey: .lastStallEnd)
      stalls = try values.decode(Int.self, forKey: .stalls)
      for (slot, peer) in peers.enumerated() { slots[peer.id] = slot }
    }
  #endif

  public var presentPeers: [Int32] { queue.entries.map { peers[$0.id].id }.sorted() }

  /// Returns the suspicion φ of a peer at `time`: -log10 of the probability of a silence this long.
  /// nil with the rule `fixed`, for a peer without enough history, and before its newest heartbeat.
  public func suspicion(of peer: Int32, at time: TraceInstant) -> Double? {
    slots[peer].flatMap {
      allowed.phi(of: peers[$0].lastArrival.nanoseconds(to: time), after: peers[$0].window)
    }
  }

  public mutating func ingest(
    _ heartbeat: Heartbeat, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PresenceEvent>]
  ) {
    endDoubt(at: arrived)
    newestArrival = arrived
    guard let slot = slots[heartbeat.peer] else {
      slots[heartbeat.peer] = peers.count
      peers.append(
        Peer(
          heartbeat, measured: measured, arrived: arrived,
          window: IntervalWindow(capacity: Int(exactly: parameters.window.rounded()) ?? 1)))
      renew(peers.count - 1, silence: .nan, into: &detections)
      return
    }
    let isNewer = peers[slot].isRenewed(by: heartbeat, measured: measured)
    guard isNewer || !parameters.checksOrder else { return }
    let silence = peers[slot].lastArrival.nanoseconds(to: arrived)
    if allowed.isLearned(silence), !wasStalled(since: peers[slot].lastArrival) {
      if peers[slot].window.isEmpty, queue.time(of: slot) != nil { withHistory += 1 }
      peers[slot].window.add(silence)
    }
    peers[slot].take(heartbeat, measured: measured, arrived: arrived, isNewer: isNewer)
    renew(slot, silence: Double(silence) / 1e9, into: &detections)
  }

  public var deadline: TraceInstant? {
    if case .holding(let limit) = doubt { return limit }
    return queue.first?.time
  }

  public mutating func advance(
    to now: TraceInstant, into detections: inout [Detection<PresenceEvent>]
  ) {
    if case .holding(let limit) = doubt {
      guard limit <= now else { return }
      doubt = .given
    }
    while let first = queue.first, first.time <= now {
      if doubt == .none, let limit = stallLimit(at: now) {
        doubt = .holding(until: limit)
        stalls += 1
        return
      }
      _ = queue.removeFirst()
      let peer = peers[first.id]
      if !peer.window.isEmpty { withHistory -= 1 }
      if onTime == first.id { onTime = nil }
      detections.append(
        Detection(
          onset: peer.newestMeasured, emitted: now,
          event: PresenceEvent(
            type: .absent, peer: peer.id,
            silence: Double(peer.lastArrival.nanoseconds(to: now)) / 1e9)))
    }
  }

  public var measurements: [Measurement] {
    [
      Measurement("peers", Double(peers.count), unit: ""),
      Measurement("stalls", Double(stalls), unit: ""),
    ]
  }

  /// Sets the new deadline of a peer, and reports it as present if it was absent.
  private mutating func renew(
    _ slot: Int, silence: Double, into detections: inout [Detection<PresenceEvent>]
  ) {
    let peer = peers[slot]
    if queue.time(of: slot) == nil {
      if !peer.window.isEmpty { withHistory += 1 }
      detections.append(
        Detection(
          onset: peer.lastMeasured, emitted: peer.lastArrival, newestMeasured: peer.lastMeasured,
          event: PresenceEvent(type: .present, peer: peer.id, silence: silence)))
    }
    queue.set(
      slot, to: peer.lastArrival.advanced(byNanoseconds: allowed.after(peer.window)))
  }

  /// Returns the end of the hold at a deadline if the observer may be stalled; nil = it is not.
  private mutating func stallLimit(at now: TraceInstant) -> TraceInstant? {
    guard parameters.stallPeers > 0, Double(withHistory) >= parameters.stallPeers, let newestArrival
    else { return nil }
    let limit = newestArrival.advanced(byNanoseconds: nanoseconds(parameters.stallLimit))
    guard limit > now else { return nil }
    func isOnTime(_ slot: Int) -> Bool {
      let peer = peers[slot]
      return allowed.expected(after: peer.window).map {
        peer.lastArrival.nanoseconds(to: now) <= $0
      } ?? false
    }
    if let onTime, isOnTime(onTime) { return nil }
    onTime = queue.entries.first { isOnTime($0.id) }?.id
    return onTime == nil ? limit : nil
  }

  /// Ends the doubt after a heartbeat arrived. Peers that are still silent get the time until their
  /// next heartbeat.
  private mutating func endDoubt(at arrival: TraceInstant) {
    defer { doubt = .none }
    guard case .holding = doubt else { return }
    lastStallEnd = arrival
    for entry in queue.entries {
      let expected =
        allowed.expected(after: peers[entry.id].window)
        ?? nanoseconds(parameters.minimumSilence / 2)
      let grace = arrival.advanced(byNanoseconds: expected).advanced(byNanoseconds: expected)
      if entry.time < grace { queue.set(entry.id, to: grace) }
    }
  }

  /// Whether the observer was stalled at any time between `time` and now.
  private func wasStalled(since time: TraceInstant) -> Bool {
    lastStallEnd.map { time < $0 } ?? false
  }
}

private struct Peer: Sendable, Codable {
  let id: Int32
  var window: IntervalWindow
  /// The counter of the newest heartbeat; -1 = none.
  private var sequence: Int64
  /// The latest sending time of a heartbeat.
  private(set) var newestMeasured: TraceInstant
  /// The sending time of the heartbeat that arrived last.
  private(set) var lastMeasured: TraceInstant
  private(set) var lastArrival: TraceInstant

  init(
    _ heartbeat: Heartbeat, measured: TraceInstant, arrived: TraceInstant, window: IntervalWindow
  ) {
    id = heartbeat.peer
    self.window = window
    sequence = heartbeat.sequence
    newestMeasured = measured
    lastMeasured = measured
    lastArrival = arrived
  }

  /// Whether a heartbeat is newer than all previous ones.
  func isRenewed(by heartbeat: Heartbeat, measured: TraceInstant) -> Bool {
    heartbeat.sequence > sequence && sequence >= 0 || measured > newestMeasured
  }

  mutating func take(
    _ heartbeat: Heartbeat, measured: TraceInstant, arrived: TraceInstant, isNewer: Bool
  ) {
    if isNewer { sequence = heartbeat.sequence }
    newestMeasured = max(newestMeasured, measured)
    lastMeasured = measured
    lastArrival = arrived
  }
}
