public import TraceModel

/// The conditions of a network. The default delivers each message immediately, once and in order.
public struct NetworkConditions: Hashable, Sendable, Codable {
  /// The minimum delay of a message in seconds, at least 0.
  public var delay = 0.0
  /// The mean of an additional delay in seconds, exponentially distributed; it reorders messages.
  public var jitter = 0.0
  /// The probability that a message is lost, 0...1.
  public var loss = 0.0
  /// The probability that a message that is not lost is duplicated, 0...1.
  public var duplication = 0.0
  public var seed: UInt64 = 1

  public init() {}

  /// Whether the network neither delays, loses nor duplicates.
  public var isIdeal: Bool { delay <= 0 && jitter <= 0 && loss <= 0 && duplication <= 0 }
}

/// The messages in transit. Everything depends only on the conditions, their seed and the order of
/// sending.
public struct SimulatedNetwork<Message: Sendable & Codable>: Sendable, Codable {
  private struct Parcel: Sendable, Codable {
    var due: TraceInstant
    /// The number of the message, which breaks ties in the order of sending.
    var number: Int
    var message: Message
  }

  private let conditions: NetworkConditions
  private var generator: SeededGenerator
  /// The messages by due time, the earliest last.
  private var parcels: [Parcel] = []
  private var count = 0
  /// The numbers of messages sent, lost and duplicated.
  public private(set) var sent = 0
  public private(set) var lost = 0
  public private(set) var duplicated = 0

  public init(_ conditions: NetworkConditions) {
    self.conditions = conditions
    generator = SeededGenerator(seed: conditions.seed)
  }

  /// The next arrival; nil = no message in transit.
  public var next: TraceInstant? { parcels.last?.due }

  public mutating func send(_ message: Message, at now: TraceInstant) {
    sent += 1
    guard !conditions.isIdeal else { return put(message, due: now) }
    // All draws are made each time, so that messages do not influence each other.
    let isLost = generator.unit() < conditions.loss
    let isDuplicated = generator.unit() < conditions.duplication
    let first = now.advanced(bySeconds: travelTime())
    let second = now.advanced(bySeconds: travelTime())
    if isLost {
      lost += 1
      return
    }
    put(message, due: first)
    if isDuplicated {
      duplicated += 1
      put(message, due: second)
    }
  }

  /// Returns the messages that have arrived by `now`, in the order of their arrival.
  public mutating func receive(by now: TraceInstant) -> [Message] {
    var messages: [Message] = []
    while let parcel = parcels.last, parcel.due <= now {
      messages.append(parcel.message)
      parcels.removeLast()
    }
    return messages
  }

  private mutating func put(_ message: Message, due: TraceInstant) {
    let parcel = Parcel(due: due, number: count, message: message)
    count += 1
    let position = parcels.partitioningIndex { ($0.due, $0.number) < (due, parcel.number) }
    parcels.insert(parcel, at: position)
  }

  private mutating func travelTime() -> Double {
    // 1 - u is in (0, 1], so the logarithm is finite.
    let extra = conditions.jitter > 0 ? -Math.log(1 - generator.unit()) * conditions.jitter : 0
    return max(0, conditions.delay) + extra
  }
}
