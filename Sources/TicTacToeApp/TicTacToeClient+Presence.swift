public import AppEngines
import Detectors
import TraceModel

extension TicTacToeClient {
  mutating func take(
    _ beat: Beat, from phone: PhoneAddress, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    guard let user, beat.user != user else {
      throw Refusal("not-for-you", "the heartbeat is one's own, or nobody is signed in")
    }
    guard contacts.contains(where: { $0.user == beat.user && $0.phone == phone }),
      let peer = Int32(exactly: beat.user)
    else {
      throw Refusal("not-theirs", "the heartbeat is not from that person's phone; ask the server")
    }
    advancePresence(to: now, into: &effects)
    notePeer(beat.user)
    var detections: [Detection<PresenceEvent>] = []
    detector.ingest(
      Heartbeat(peer: peer, sequence: beat.counter), measured: beat.sent, arrived: now,
      into: &detections)
    report(detections, into: &effects)
  }

  /// Lets the detector act at the deadlines up to `now`.
  mutating func advancePresence(to now: TraceInstant, into effects: inout [Effect]) {
    guard let due = detector.deadline, due <= now else { return }
    var detections: [Detection<PresenceEvent>] = []
    detector.advance(to: now, into: &detections)
    report(detections, into: &effects)
  }

  /// A detector never forgets a peer. After very many peers it is replaced, and those who are present
  /// are detected again by their next heartbeats.
  private mutating func notePeer(_ other: UserID) {
    let position = peers.partitioningIndex { $0 >= other }
    if position < peers.count, peers[position] == other { return }
    if peers.count >= TicTacToeLimits.peers {
      peers = []
      if rules.keepsGames { online = [] }
      detector = PresenceDetector(detector.parameters, places: [])
    }
    peers.insert(other, at: peers.partitioningIndex { $0 >= other })
  }

  private mutating func report(
    _ detections: [Detection<PresenceEvent>], into effects: inout [Effect]
  ) {
    for detection in detections {
      let peer = UserID(detection.event.peer)
      if rules.keepsGames {
        online.removeAll { $0 == peer }
        if detection.event.type == .present { online.insert(peer, at: 0) }
      }
      effects.append(.detected(DetectionRecord(detection, device: DeviceID(0))))
    }
  }

  public func contact(_ other: UserID) -> Contact? { contacts.first { $0.user == other } }

  mutating func take(_ contact: Contact) {
    guard contact.user != user else { return }
    contacts.removeAll { $0.user == contact.user || $0.phone == contact.phone }
    contacts.insert(contact, at: 0)
    if contacts.count > TicTacToeLimits.contacts { contacts.removeLast() }
  }
}
