public import TraceModel

/// A fault of the network, of a clock or of a machine that a simulation is to meet.
///
/// A list of faults reproduces a run: each names what it concerns, and none draws from a random
/// generator. The text of a fault is exact: it parses to an equal fault.
public enum ExchangeFault: Hashable, Sendable, Codable {
  /// The message is lost, with its duplicate. Text: `lose:1-server:12`.
  case lose(MessageNumber)
  /// The message travels longer, by nanoseconds above 0. Text: `delay:server-1:7:0.35s`.
  case delay(MessageNumber, by: Int64)
  /// The message arrives twice: the copy travels on its own, or arrives so many nanoseconds above 0
  /// after the first. Text: `duplicate:1-2:3`, `duplicate:1-2:3:0.2s`.
  case duplicate(MessageNumber, after: Int64 = 0)
  /// What the endpoint sends and what reaches it in that time is lost: from the first instant to
  /// before the second. Text: `cut:1:10s:20s`.
  case cut(Endpoint, from: TraceInstant, to: TraceInstant)
  /// The endpoint continues with an older state. Text: `restart:1:35s:20s`, `restart:server:35s:new`.
  case restart(Endpoint, at: TraceInstant, RestoredState)
  /// The wall clock of a phone jumps, by nanoseconds. Text: `clock:1:35s:-60s`.
  case clock(phone: Int, at: TraceInstant, by: Int64)
  /// The wall clock of a phone runs fast (or slow, below 0), in parts per billion of the time
  /// since the run's zero, within ``DeviceClock/largestDrift``. Text: `drift:1:40ppm`.
  case drift(phone: Int, Int64)

  /// The state of an endpoint after a restart.
  public enum RestoredState: Hashable, Sendable, Codable {
    /// The state of so many nanoseconds before the restart, at least 0.
    case age(Int64)
    /// Newly installed: nothing is known of before.
    case new
  }

  /// What a fault does, without what it names.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    case lose, delay, duplicate, cut, restart, clock, drift
  }

  public var kind: Kind {
    switch self {
    case .lose: .lose
    case .delay: .delay
    case .duplicate: .duplicate
    case .cut: .cut
    case .restart: .restart
    case .clock: .clock
    case .drift: .drift
    }
  }

  public var endpoints: [Endpoint] {
    switch self {
    case .lose(let message), .delay(let message, _), .duplicate(let message, _):
      [message.link.from, message.link.to]
    case .cut(let endpoint, _, _), .restart(let endpoint, _, _): [endpoint]
    case .clock(let phone, _, _), .drift(let phone, _): [.phone(phone)]
    }
  }

  /// The message that it names; nil = it concerns an endpoint.
  var message: MessageNumber? {
    switch self {
    case .lose(let message), .delay(let message, _), .duplicate(let message, _): message
    default: nil
    }
  }
}

extension ExchangeFault: CustomStringConvertible {
  /// The text that ``init(parsing:)`` reads.
  public var description: String {
    switch self {
    case .lose(let message): "lose:\(message)"
    case .delay(let message, let time): "delay:\(message):\(Self.seconds(time))"
    case .duplicate(let message, let time):
      "duplicate:\(message)" + (time > 0 ? ":\(Self.seconds(time))" : "")
    case .cut(let endpoint, let start, let end):
      "cut:\(endpoint):\(Self.seconds(start.nanoseconds)):\(Self.seconds(end.nanoseconds))"
    case .restart(let endpoint, let time, let state):
      "restart:\(endpoint):\(Self.seconds(time.nanoseconds)):\(Self.text(state))"
    case .clock(let phone, let time, let step):
      "clock:\(Endpoint.phone(phone)):\(Self.seconds(time.nanoseconds)):\(Self.seconds(step))"
    case .drift(let phone, let drift):
      "drift:\(Endpoint.phone(phone)):\(Self.decimal(drift, places: 3))ppm"
    }
  }

  private static func text(_ state: RestoredState) -> String {
    switch state {
    case .age(let age): seconds(age)
    case .new: "new"
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    decimal(nanoseconds, places: 9) + "s"
  }

  /// Returns the number divided by 10^places, with all its digits and no trailing zeros.
  private static func decimal(_ number: Int64, places: Int) -> String {
    var digits = String(number.magnitude)
    digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let whole = digits.dropLast(places)
    var fraction = digits.suffix(places)
    while fraction.last == "0" { fraction.removeLast() }
    return (number < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
  }
}
