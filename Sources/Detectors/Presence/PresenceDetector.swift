public import TraceModel

/// What the presence detector tells of a peer.
public struct PresenceEvent: DetectionEvent {
  public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    case present, absent
  }

  public let type: Kind
  public let peer: Int32
  /// Seconds from the arrival of the heartbeat before to the event; NaN = there was none.
  public let silence: Double

  public var kind: String { type.rawValue }
  /// The silence in seconds.
  public var value: Double { silence }
  /// The peer.
  public var place: Int32? { peer }

  public static func == (left: PresenceEvent, right: PresenceEvent) -> Bool {
    left.type == right.type && left.peer == right.peer
      && (left.silence == right.silence || left.silence.isNaN && right.silence.isNaN)
  }
}

/// Tells from heartbeats who is there.
///
/// A peer is present from a heartbeat on, until it has been silent for longer than its past allows
/// (`AllowedSilence`); then it is absent at once, by the deadline, not by the next heartbeat. A
/// heartbeat that arrives exactly at the deadline comes first. Silence is counted between arrivals:
/// the clocks of the senders need not agree with the observer's.
///
/// The onset of `present` is when the heartbeat was sent, that of `absent` when the newest one was:
/// the last time at which the peer is known to have been there.
///
/// **A heartbeat counts** if its counter is higher than that of the newest one before, or if it was
/// sent later (a sender that starts anew counts from the beginning). Others, duplicates and those
/// that newer ones have overtaken, show that the peer was there, not that it is; `checksOrder` tells
/// whether they are left out.
///
/// **A stalled observer is doubted first.** When a deadline comes and at least `stallPeers` of the
/// peers present are later than nine of ten of their heartbeats were (1 - `tailShare`), and none of
/// those with a past is on time, then it is rather the observer that hears nothing. Nobody becomes
/// absent then, until a heartbeat of anyone arrives: the peers still silent have the time of two
/// heartbeats from there on. Without any for `stallLimit` since the newest arrival, those who are
/// due become absent after all. A stall that ends before anyone's deadline is not seen; intervals
/// that one has stretched are not learned.
///
/// A heartbeat costs O(log n) of the n peers present and O(`window`); `deadline` is O(1). An absence
/// looks at all peers present at most. Peers are remembered for good.
public struct PresenceDetector: Detector {
  public typealias Columns = HeartbeatColumns

  public static let name = "presence"
  public static let channel = Channel.heartbeat
  public static let task = ReferenceTask.presence

  private enum Doubt: Equatable {
    case none
    /// The observer is in doubt, until then at most.
    case holding(until: TraceInstant)
    /// It was for too long.
    case given
  }

  private let parameters: Parameters
  private let allowed: AllowedSilence
  private var peers: [Peer] = []
  private var slots: [Int32: Int] = [:]
  /// When the peers that are present are due, by slot.
  private var queue = DeadlineQueue()
  private var newestArrival: TraceInstant?
  private var doubt = Doubt.none
  private var lastStallEnd: TraceInstant?
  private var stalls = 0

  public init(_ parameters: Parameters, places: [Place]) {
    self.parameters = parameters
    allowed = AllowedSilence(parameters)
  }

  /// The peers that are present, sorted.
  public var presentPeers: [Int32] { queue.entries.map { peers[$0.id].id }.sorted() }

  /// How surprising a peer's silence is at `time`: φ, which is -log10 of the probability that it
  /// lasts as long. nil with the rule `fixed`, for a peer that is not known well yet, and before its
  /// newest heartbeat.
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

  /// Gives a peer its new deadline, and tells that it is present where it was not.
  private mutating func renew(
    _ slot: Int, silence: Double, into detections: inout [Detection<PresenceEvent>]
  ) {
    let peer = peers[slot]
    if queue.time(of: slot) == nil {
      detections.append(
        Detection(
          onset: peer.lastMeasured, emitted: peer.lastArrival, newestMeasured: peer.lastMeasured,
          event: PresenceEvent(type: .present, peer: peer.id, silence: silence)))
    }
    queue.set(
      slot, to: peer.lastArrival.advanced(byNanoseconds: allowed.after(peer.window)))
  }

  // MARK: The observer

  /// Until when to hold back at a deadline because the observer is in doubt; nil = it is not.
  private func stallLimit(at now: TraceInstant) -> TraceInstant? {
    guard parameters.stallPeers > 0, let newestArrival else { return nil }
    let limit = newestArrival.advanced(byNanoseconds: nanoseconds(parameters.stallLimit))
    guard limit > now else { return nil }
    var overdue = 0
    for entry in queue.entries {
      let peer = peers[entry.id]
      guard let expected = allowed.expected(after: peer.window) else { continue }
      if peer.lastArrival.nanoseconds(to: now) <= expected { return nil }
      overdue += 1
    }
    return Double(overdue) >= parameters.stallPeers ? limit : nil
  }

  /// A heartbeat has arrived: the observer hears. Those who are still silent get the time that the
  /// next heartbeat takes.
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

  /// Whether the observer was stalled at a time between `time` and now.
  private func wasStalled(since time: TraceInstant) -> Bool {
    lastStallEnd.map { time < $0 } ?? false
  }
}

/// What is known of a peer.
private struct Peer: Sendable {
  let id: Int32
  var window: IntervalWindow
  /// Of the newest heartbeat; -1 = none.
  private var sequence: Int64
  /// The latest time at which a heartbeat was sent.
  private(set) var newestMeasured: TraceInstant
  /// Of the heartbeat that arrived last.
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

  /// Whether a heartbeat is newer than all that came before it.
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
