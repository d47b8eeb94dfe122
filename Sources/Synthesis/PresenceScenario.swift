package import TraceModel

/// A generated presence scenario: the heartbeats of a group of people who come and go, as one
/// observer's phone receives them.
///
/// Each app sends a heartbeat every 1.5 s, as in Tic Chat Toe. The rest are assumptions, not
/// measurements: people stay for about six minutes and leave for about two; the system repeatedly
/// suspends phones in a pocket for some seconds, in which they send nothing; the network has delays
/// with a heavy tail, burst losses and duplicates; and now and then the observer's own phone stalls
/// and then receives everything at once.
struct PresenceScenario {
  let spec: ScenarioSpec
  /// The end in seconds.
  private let end: Double
  private let peers: [PeerScenario]
  private let stalls: [ClosedRange<Double>]

  init(_ spec: ScenarioSpec) {
    self.spec = spec
    end = spec.duration ?? 0
    var random = spec.generator()
    var observer = random.split()
    stalls = Self.stalls(until: end, random: &observer)
    let count = 10 + Int(random.unit() * 5)
    let (end, period) = (end, 1 / spec.sampleRate)
    peers = (1...count).map {
      PeerScenario(id: Int32($0), period: period, end: end, random: random.split())
    }
  }

  func trace() -> Trace {
    var header = spec.header()
    header.end = instant(end)
    header.references = [reference]
    var trace = Trace(header: header)
    trace.set(.heartbeat(heartbeats), for: .heartbeat)
    return trace
  }

  private var reference: ReferenceSet {
    let events = peers.flatMap { peer in
      peer.sessions.map {
        ReferenceEvent(
          onset: instant($0.lowerBound), offset: instant($0.upperBound), place: peer.id)
      }
    }
    return ReferenceSet(
      task: .presence,
      events: events.sorted {
        ($0.onset, $0.offset, $0.place ?? 0) < ($1.onset, $1.offset, $1.place ?? 0)
      },
      definition: "the peer's app is open, suspended or not; open ends are the trace's")
  }

  private var heartbeats: HeartbeatColumns {
    let received = peers.flatMap(\.messages)
      .map { (message: $0, arrived: instant(heard($0.arrived))) }
      .filter { $0.arrived <= instant(end) }
      .sorted {
        ($0.arrived, $0.message.heartbeat.peer, $0.message.heartbeat.sequence)
          < ($1.arrived, $1.message.heartbeat.peer, $1.message.heartbeat.sequence)
      }
    var columns = HeartbeatColumns()
    for (message, arrived) in received {
      columns.append(
        message.heartbeat, measured: instant(message.sent).nanoseconds,
        arrived: arrived.nanoseconds)
    }
    return columns
  }

  /// Returns when the observer receives a message that reaches its phone at `time`: messages during
  /// a stall follow it, in order and within 50 ms.
  private func heard(_ time: Double) -> Double {
    guard let stall = stalls.first(where: { $0.contains(time) }) else { return time }
    let length = stall.upperBound - stall.lowerBound
    return stall.upperBound + 0.05 * (time - stall.lowerBound) / length
  }

  /// Draws the stalls: about every quarter of an hour, for 2 to 28 s, mostly about 8 s.
  private static func stalls(
    until end: Double, random: inout SeededGenerator
  ) -> [ClosedRange<Double>] {
    var stalls: [ClosedRange<Double>] = []
    var time = random.uniform(200...1000)
    while time < end {
      let length = 8 * random.factor(spread: 0.5)
      stalls.append(time...(time + length))
      time += length + random.uniform(400...1200)
    }
    return stalls
  }
}

private struct PeerScenario {
  struct Message {
    var heartbeat: Heartbeat
    /// The sending time in seconds.
    var sent: Double
    /// The arrival at the observer's phone, in seconds.
    var arrived: Double
  }

  let id: Int32
  /// The times in seconds during which the app is open.
  private(set) var sessions: [ClosedRange<Double>] = []
  private(set) var messages: [Message] = []
  private let period: Double
  private let phone: PhoneUse
  private let network: Network
  private var random: SeededGenerator

  init(id: Int32, period: Double, end: Double, random: SeededGenerator) {
    self.id = id
    self.period = period
    self.random = random
    let kind = self.random.unit()
    phone = kind < 0.45 ? .inHand : kind < 0.75 ? .onTheWay : .inPocket
    network = Network(isGood: kind < 0.45, random: &self.random)
    play(until: end)
  }

  private mutating func play(until end: Double) {
    var start = random.chance(0.6) ? 0 : random.uniform(5...300)
    while start < end {
      let stop = min(start + max(20, 360 * random.factor(spread: 0.8)), end)
      sessions.append(start...stop)
      send(during: start...stop)
      start = stop + 120 * random.factor(spread: 0.6)
    }
  }

  private mutating func send(during session: ClosedRange<Double>) {
    // The first heartbeat follows the start of the app. An app that ran before the trace is between
    // two heartbeats, which is equivalent.
    var time = session.lowerBound + random.uniform(0.1...0.4)
    var suspension = time + awakeTime()
    var sequence: Int64 = 0
    var isLosing = false
    while time < session.upperBound {
      if time >= suspension {
        time += suspendedTime()
        suspension = time + awakeTime()
        continue
      }
      isLosing = random.chance(isLosing ? network.loss.stays : network.loss.starts)
      if !isLosing { deliver(sequence, sent: time) }
      sequence += 1
      // A timer is never early; other work of the phone makes it late.
      time += period + random.normal(standardDeviation: 0.03).magnitude
    }
  }

  private mutating func deliver(_ sequence: Int64, sent: Double) {
    let heartbeat = Heartbeat(peer: id, sequence: sequence)
    let copies = random.chance(0.003) ? 2 : 1
    for _ in 0..<copies {
      messages.append(
        Message(heartbeat: heartbeat, sent: sent, arrived: sent + network.delay(&random)))
    }
  }

  /// Draws the time in seconds until the system suspends the app; exponential.
  private mutating func awakeTime() -> Double { -phone.meanAwake * Math.log(1 - random.unit()) }

  /// Draws the time in seconds of a suspension: about 4.5, or about 9.
  private mutating func suspendedTime() -> Double {
    random.chance(phone.longShare)
      ? 9 * random.factor(spread: 0.3) : 4.5 * random.factor(spread: 0.25)
  }
}

/// The place of a phone, which determines how often the system suspends the app.
private struct PhoneUse {
  /// The mean time between suspensions in seconds.
  let meanAwake: Double
  let longShare: Double

  static let inHand = PhoneUse(meanAwake: 900, longShare: 0.1)
  static let onTheWay = PhoneUse(meanAwake: 300, longShare: 0.2)
  static let inPocket = PhoneUse(meanAwake: 45, longShare: 0.35)
}

private struct Network {
  /// The probabilities that a heartbeat is lost after a delivered one, and after a lost one
  /// (Gilbert's model).
  let loss: (starts: Double, stays: Double)
  /// The median delay in seconds.
  private let medianDelay: Double
  private let spread: Double
  /// The share of the heartbeats in the heavy tail.
  private let tailShare: Double

  init(isGood: Bool, random: inout SeededGenerator) {
    medianDelay = isGood ? random.uniform(0.04...0.09) : random.uniform(0.08...0.2)
    spread = isGood ? 0.3 : 0.5
    tailShare = isGood ? 0.003 : 0.02
    loss = isGood ? (0.003, 0.3) : (0.02, 0.5)
  }

  /// Draws a delay in seconds: log-normal, with a Pareto tail of exponent 1.5 that is cut at 10 s.
  func delay(_ random: inout SeededGenerator) -> Double {
    let body = medianDelay * random.factor(spread: spread)
    guard random.chance(tailShare) else { return body }
    return body + min(0.3 * Math.exp(-Math.log(1 - random.unit()) / 1.5), 10)
  }
}

extension Synthesizer {
  /// One peer with a heartbeat every 1.5 s, as in the app, that arrives at once. With random arrivals
  /// the missed periods of a player would depend on the network more than on the player.
  /// - Parameter duration: in seconds.
  package static func heartbeats(duration: Double) -> Trace {
    var header = TraceHeader(id: "heartbeats", origin: .synthetic)
    header.end = TraceInstant(nanoseconds: Int64(duration * 1e9))
    var trace = Trace(header: header)
    var columns = HeartbeatColumns()
    let times = stride(from: 0, to: header.end.nanoseconds, by: 1_500_000_000)
    for (index, time) in times.enumerated() {
      columns.append(Heartbeat(peer: 1, sequence: Int64(index)), measured: time, arrived: time)
    }
    trace.set(.heartbeat(columns), for: .heartbeat)
    return trace
  }
}
