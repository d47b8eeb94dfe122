public import TraceModel

/// The messages in transit.
///
/// The fate of a message is a function of the seed, the link and the number of the message on the
/// link, plus the faults that name it: what happens to one message changes the fate of no other.
public struct SimulatedNetwork<Message: Sendable>: Sendable {
  /// A message at the end of its way.
  public struct Arrival: Sendable {
    public var message: Message
    public var link: NetworkLink
    /// The time at which it was sent.
    public var sent: TraceInstant
    public var time: TraceInstant
    /// The index in the log; nil = there is none.
    @usableFromInline var entry: Int?

    @inlinable init(
      _ message: Message, on link: NetworkLink, sent: TraceInstant, at: TraceInstant, entry: Int?
    ) {
      self.message = message
      self.entry = entry
      self.link = link
      self.sent = sent
      time = at
    }
  }

  @usableFromInline var fates: NetworkFates
  /// The messages in transit by arrival, the earliest last; of equal times the first sent is last.
  @usableFromInline var transit: [Arrival] = []
  /// nil = not kept.
  @usableFromInline var log: [MessageRecord]?

  public init(_ setup: NetworkSetup) {
    fates = NetworkFates(setup)
    log = setup.keepsMessages ? [] : nil
  }

  /// The next arrival; nil = no message in transit.
  @inlinable public var next: TraceInstant? { transit.last?.time }

  /// The counts of all links.
  public var counts: NetworkCounts { fates.links.reduce(NetworkCounts()) { $0 + $1.counts } }

  /// The links that messages were sent on, in order, with their counts.
  public var linkCounts: [(link: NetworkLink, counts: NetworkCounts)] {
    fates.links.map { ($0.link, $0.counts) }.sorted { $0.link < $1.link }
  }

  /// The faults that met a message, in the order of the list. Faults of clocks and restarts meet
  /// none.
  public var metFaults: [ExchangeFault] { zip(fates.setup.faults, fates.met).filter(\.1).map(\.0) }

  /// Whether the fault at that index of the list has met a message.
  func hasMet(_ fault: Int) -> Bool { fates.met[fault] }

  /// The fates that the conditions have drawn for the messages so far, as faults: with them and the
  /// conditions' ``NetworkConditions/calm`` part, the same messages arrive at the same times.
  public var drawnFaults: [ExchangeFault] { fates.drawnFaults }

  /// - Parameter content: what a message says that does not show it, for the log.
  @inlinable public mutating func send(
    _ message: Message, on link: NetworkLink, at now: TraceInstant,
    saying content: (any Sendable)? = nil
  ) {
    let (first, second) = fates.arrivals(on: link, sent: now)
    let entry = log == nil ? nil : note(message, content, on: link, at: now, [first, second])
    if let first { put(Arrival(message, on: link, sent: now, at: first, entry: entry)) }
    if let second { put(Arrival(message, on: link, sent: now, at: second, entry: entry)) }
  }

  /// Adds a message to the log, and returns its index.
  @usableFromInline mutating func note(
    _ message: Message, _ content: (any Sendable)?, on link: NetworkLink, at now: TraceInstant,
    _ times: [TraceInstant?]
  ) -> Int? {
    log?.append(
      MessageRecord(
        number: fates.newest(on: link), message: message, content: content, sent: now,
        arrivals: times.compactMap(\.self), isCut: fates.newestIsCut))
    return log.map { $0.count - 1 }
  }

  /// Notes in the log that the receiver refused a message.
  @inlinable mutating func noteRefusal(of arrival: Arrival) {
    if let entry = arrival.entry { noteRefusal(ofEntry: entry) }
  }

  @usableFromInline mutating func noteRefusal(ofEntry entry: Int) {
    log?[entry].refused += 1
  }

  /// The messages in the order of sending; empty unless the setup keeps them.
  var messages: [MessageRecord] {
    var messages = log ?? []
    var earliest: [NetworkLink: TraceInstant] = [:]
    for index in messages.indices.reversed() {
      guard let arrival = messages[index].arrivals.min() else { continue }
      let next = earliest[messages[index].number.link]
      messages[index].isOvertaken = next.map { $0 < arrival } ?? false
      earliest[messages[index].number.link] = min(next ?? arrival, arrival)
    }
    return messages
  }

  @inlinable mutating func put(_ arrival: Arrival) {
    transit.insert(arrival, at: transit.partitioningIndex { $0.time <= arrival.time })
  }

  /// Returns the next message that has arrived by `now`, in the order of arrival, equal times in
  /// the order of sending; nil = none.
  @inlinable public mutating func receive(by now: TraceInstant) -> Arrival? {
    guard let next, next <= now else { return nil }
    let arrival = transit.removeLast()
    if let entry = arrival.entry { log?[entry].received += 1 }
    return arrival
  }
}

/// What becomes of each message of a network, whatever the message says.
@usableFromInline
struct NetworkFates: Sendable {
  struct Link: Sendable {
    let link: NetworkLink
    let conditions: NetworkConditions
    var counts = NetworkCounts()
  }

  let setup: NetworkSetup
  private(set) var links: [Link] = []
  /// For each fault, whether it has met a message.
  private(set) var met: [Bool]
  /// The indices of the faults that name a message, and of those that cut an endpoint off.
  private let messageFaults: [MessageNumber: [Int]]
  private let cuts: [Int]
  /// Whether a cut took the newest message.
  private(set) var newestIsCut = false

  init(_ setup: NetworkSetup) {
    self.setup = setup
    met = setup.faults.map { _ in false }
    var named: [MessageNumber: [Int]] = [:]
    for (index, fault) in setup.faults.enumerated() {
      if let message = fault.message { named[message, default: []].append(index) }
    }
    messageFaults = named
    cuts = setup.faults.indices.filter {
      if case .cut = setup.faults[$0] { true } else { false }
    }
  }

  /// Counts a message and returns the times at which it and its copy arrive; nil = it does not.
  @usableFromInline mutating func arrivals(
    on link: NetworkLink, sent now: TraceInstant
  ) -> (TraceInstant?, TraceInstant?) {
    let index = index(of: link)
    links[index].counts.sent += 1
    let fate = fate(of: MessageNumber(link, links[index].counts.sent), links[index].conditions)
    var arrivals: (TraceInstant?, TraceInstant?)
    newestIsCut = false
    for copy in fate.delays.indices {
      let delay = fate.copyAfter > 0 && copy == 1 ? fate.delays[0] : fate.delays[copy]
      var time = now.advanced(bySeconds: delay).advanced(byNanoseconds: fate.late)
      if copy == 1 { time = time.advanced(byNanoseconds: fate.copyAfter) }
      guard !isCut(link, sent: now, arriving: time) else {
        newestIsCut = true
        continue
      }
      if copy == 0 { arrivals.0 = time } else { arrivals.1 = time }
    }
    switch arrivals {
    case (nil, nil): links[index].counts.lost += 1
    case (_?, _?): links[index].counts.duplicated += 1
    default: break
    }
    return arrivals
  }

  func newest(on link: NetworkLink) -> MessageNumber {
    MessageNumber(link, links.first { $0.link == link }?.counts.sent ?? 0)
  }

  private mutating func index(of link: NetworkLink) -> Int {
    if let index = links.firstIndex(where: { $0.link == link }) { return index }
    links.append(Link(link: link, conditions: setup.conditions))
    return links.count - 1
  }

  // MARK: Drawn faults

  var drawnFaults: [ExchangeFault] {
    links.sorted { $0.link < $1.link }.flatMap { link in
      link.conditions == link.conditions.calm
        ? []
        : (0..<link.counts.sent).flatMap {
          drawnFaults(of: MessageNumber(link.link, $0 + 1), link.conditions)
        }
    }
  }

  private func drawnFaults(
    of message: MessageNumber, _ conditions: NetworkConditions
  ) -> [ExchangeFault] {
    let calm = TraceInstant.zero.advanced(bySeconds: max(0, conditions.delay)).nanoseconds
    let late = NetworkFates.delays(of: message, conditions)
      .map { TraceInstant.zero.advanced(bySeconds: $0).nanoseconds.subtractingClamped(calm) }
      .sorted()
    guard let first = late.first, let last = late.last else { return [.lose(message)] }
    return (first > 0 ? [.delay(message, by: first)] : [])
      + (late.count > 1 ? [.duplicate(message, after: last - first)] : [])
  }

  // MARK: Fates

  private struct Fate {
    /// The travel times in seconds: none, one, or two for a duplicated message.
    var delays: [Double]
    /// The further delay in nanoseconds by faults.
    var late: Int64 = 0
    /// The time in nanoseconds from the first arrival to that of the copy; 0 = by the delays.
    var copyAfter: Int64 = 0
  }

  private mutating func fate(of message: MessageNumber, _ conditions: NetworkConditions) -> Fate {
    var fate = Fate(delays: NetworkFates.delays(of: message, conditions))
    let draws = NetworkFates.draws(for: message, seed: conditions.seed)
    var isLost = false
    for index in messageFaults[message] ?? [] {
      met[index] = true
      switch setup.faults[index] {
      case .lose: isLost = true
      case .delay(_, let time): fate.late = fate.late.addingClamped(time)
      case .duplicate(_, let time):
        if fate.delays.count == 1 { fate.delays.append(conditions.travelTime(draws.unit(3))) }
        fate.copyAfter = max(fate.copyAfter, time)
      default: break
      }
    }
    if isLost { fate.delays = [] }
    return fate
  }

  /// Returns the travel times in seconds that the conditions draw for a message.
  private static func delays(
    of message: MessageNumber, _ conditions: NetworkConditions
  ) -> [Double] {
    guard !conditions.isIdeal else { return [0] }
    let draws = draws(for: message, seed: conditions.seed)
    let isLost = draws.unit(0) < conditions.loss
    let copies = isLost ? 0 : draws.unit(1) < conditions.duplication ? 2 : 1
    return (0..<copies).map { conditions.travelTime(draws.unit(2 + UInt64($0))) }
  }

  private static func draws(for message: MessageNumber, seed: UInt64) -> StableHash {
    StableHash(seed: seed).with(message.link.from.code).with(message.link.to.code)
      .with(message.number)
  }

  /// Whether an endpoint is cut off: the sender at the time of sending, or the receiver at that of
  /// the arrival.
  private mutating func isCut(
    _ link: NetworkLink, sent: TraceInstant, arriving: TraceInstant
  ) -> Bool {
    var isCut = false
    for index in cuts {
      guard case .cut(let endpoint, let start, let end) = setup.faults[index] else { continue }
      let hasMet =
        (endpoint == link.from && start <= sent && sent < end)
        || (endpoint == link.to && start <= arriving && arriving < end)
      guard hasMet else { continue }
      met[index] = true
      isCut = true
    }
    return isCut
  }
}

extension NetworkConditions {
  /// Returns a travel time in seconds for a draw from [0, 1).
  fileprivate func travelTime(_ draw: Double) -> Double {
    // 1 - u is in (0, 1], so the logarithm is finite.
    max(0, delay) + (jitter > 0 ? -Math.log(1 - draw) * jitter : 0)
  }
}

extension Endpoint {
  /// A number for hashes, different for each endpoint.
  fileprivate var code: Int {
    switch self {
    case .phone(let index): index.addingReportingOverflow(1).partialValue
    case .server: 0
    }
  }
}
