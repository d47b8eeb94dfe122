public import TraceModel

/// The requests of a phone that are not answered yet. Each is sent again until its answer comes.
///
/// Time passes only in ``advance(to:)``: no other call sends again or gives up what is overdue.
@usableFromInline
package struct Outbox<Request: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
  /// The number of requests in transit at a time.
  @usableFromInline package enum Order: String, Hashable, Sendable, Codable {
    /// The next one follows the answer to the one before.
    case serial
    /// All of them, independent of each other.
    case parallel
  }

  @usableFromInline package struct Item: Hashable, Sendable, Codable {
    @usableFromInline package internal(set) var stamp: RequestStamp
    @usableFromInline package let request: Request
    /// The number of times that it was sent; 0 = it waits for the ones before it.
    @usableFromInline package internal(set) var attempts = 0
    /// The number of attempts after which it is given up; nil = never.
    @usableFromInline package let attemptLimit: Int?
    /// The time of the next attempt, or of giving up; nil = it waits, or it is held.
    @usableFromInline package internal(set) var due: TraceInstant?
    /// The refusal with which it is held until ``Outbox/retry(_:at:)``; nil = none.
    @usableFromInline package internal(set) var refusal: Refusal?

    @inlinable init(_ stamp: RequestStamp, _ request: Request, attemptLimit: Int?) {
      self.stamp = stamp
      self.request = request
      self.attemptLimit = attemptLimit
    }
  }

  /// What became of an overdue item.
  @usableFromInline package enum Overdue: Hashable, Sendable {
    case again(Item)
    case givenUp(Item)
  }

  @usableFromInline package let order: Order
  /// The waits between attempts; nil = each request is sent once and waits for its answer.
  @usableFromInline package let backoff: Backoff?
  /// The largest number of items.
  @usableFromInline package let limit: Int
  /// The items in the order of their creation.
  @usableFromInline package internal(set) var items: [Item] = []
  @usableFromInline var position: StampPosition
  /// The earliest due time of the items, kept because every sample asks for it.
  @usableFromInline package internal(set) var due: TraceInstant?

  /// - Parameters:
  ///   - epoch: a number of the installation, as different from those of others as possible.
  ///   - limit: at least 1.
  @inlinable package init(_ order: Order, backoff: Backoff?, limit: Int, epoch: UInt64) {
    self.order = order
    self.backoff = backoff
    self.limit = limit
    position = StampPosition(epoch: epoch, next: 1)
  }

  @inlinable package var isEmpty: Bool { items.isEmpty }
  @inlinable package var first: Item? { items.first }

  @inlinable package func item(_ stamp: RequestStamp) -> Item? { items.first { $0.stamp == stamp } }

  /// Returns the next deadline of an engine at `now`; what is overdue is due immediately.
  @inlinable package func deadline(after now: TraceInstant) -> TraceInstant? {
    guard let due, now.nanoseconds < .max else { return nil }
    return max(due, now.advanced(byNanoseconds: 1))
  }

  // MARK: Sending

  /// Adds a request.
  /// - Returns: the item to send now; nil = it waits for the ones before it.
  /// - Throws: if the outbox is full, which then has not changed.
  @inlinable package mutating func send(
    _ request: Request, attemptLimit: Int? = nil, at now: TraceInstant
  ) throws(Refusal) -> Item? {
    guard items.count < limit, position.next <= RequestStamp.largestNumber else {
      throw Refusal("offline", "too many requests are waiting; try again later")
    }
    let mark = StableHash(seed: position.epoch).with(position.next).with(Int(now.nanoseconds))
    let stamp = RequestStamp(epoch: position.epoch, number: position.next, mark: mark.value)
    position.next += 1
    items.append(Item(stamp, request, attemptLimit: attemptLimit))
    if order == .serial { return sendFirst(at: now) }
    return attempt(items.count - 1, at: now)
  }

  /// Returns the first item if it was not sent yet. A serial outbox needs it after an item is gone.
  @inlinable package mutating func sendFirst(at now: TraceInstant) -> Item? {
    guard order == .serial, let first, first.attempts == 0 else { return nil }
    return attempt(0, at: now)
  }

  @inlinable mutating func attempt(_ index: Int, at now: TraceInstant) -> Item {
    items[index].attempts = min(items[index].attempts, Int.max - 1) + 1
    items[index].refusal = nil
    items[index].due = backoff.map {
      now.advanced(bySeconds: $0.wait(afterAttempt: items[index].attempts, of: items[index].stamp))
    }
    updateDue()
    return items[index]
  }

  @inlinable mutating func updateDue() {
    due = nil
    for item in items { due = earlier(due, item.due) }
  }

  // MARK: Answers

  /// Removes the item with that stamp; nil = there is none: it was answered or superseded.
  @discardableResult
  @inlinable package mutating func remove(_ stamp: RequestStamp) -> Item? {
    guard let index = items.firstIndex(where: { $0.stamp == stamp }) else { return nil }
    defer { updateDue() }
    return items.remove(at: index)
  }

  /// Removes the items whose requests are superseded; answers to them are ignored.
  @inlinable package mutating func removeAll(where isSuperseded: (Request) -> Bool) {
    items.removeAll { isSuperseded($0.request) }
    updateDue()
  }

  /// Keeps an item without sending it again until ``retry(_:at:)``; an answer still counts.
  @inlinable package mutating func hold(_ stamp: RequestStamp, _ refusal: Refusal? = nil) {
    guard let index = items.firstIndex(where: { $0.stamp == stamp }) else { return }
    items[index].due = nil
    items[index].refusal = refusal
    updateDue()
  }

  /// Sends an item again, with waits from the beginning; nil = there is no such item.
  @inlinable package mutating func retry(_ stamp: RequestStamp, at now: TraceInstant) -> Item? {
    guard let index = items.firstIndex(where: { $0.stamp == stamp }) else { return nil }
    items[index].attempts = 0
    return attempt(index, at: now)
  }

  /// Continues with numbers that the receiver accepts, after it has not accepted a stamp. A serial
  /// outbox renumbers that item and those after it; a parallel one only that item, because the
  /// receiver may know the others. It counts as a further attempt, so that the waits go on growing at
  /// a receiver that accepts no number.
  /// - Returns: the item to send now; nil = there is no such item.
  @inlinable package mutating func resynchronise(
    _ stamp: RequestStamp, to new: StampPosition, at now: TraceInstant
  ) -> Item? {
    guard let index = items.firstIndex(where: { $0.stamp == stamp }),
      (1...RequestStamp.largestNumber - limit).contains(new.next)
    else { return nil }
    position = StampPosition(
      epoch: new.epoch,
      next: position.epoch == new.epoch ? max(position.next, new.next) : new.next)
    for renumbered in index..<(order == .serial ? items.count : index + 1) {
      // The mark stays: the request is the same.
      items[renumbered].stamp.epoch = position.epoch
      items[renumbered].stamp.number = position.next
      position.next += 1
    }
    return attempt(index, at: now)
  }

  // MARK: Time

  /// Returns the overdue items in order: those to send again, and those given up, which are gone.
  @inlinable package mutating func advance(to now: TraceInstant) -> [Overdue] {
    guard let due, due <= now else { return [] }
    var overdue: [Overdue] = []
    var index = 0
    while index < items.count {
      let item = items[index]
      if item.due.map({ $0 > now }) ?? true {
        index += 1
      } else if let limit = item.attemptLimit, item.attempts >= limit {
        items.remove(at: index)
        overdue.append(.givenUp(item))
      } else {
        overdue.append(.again(attempt(index, at: now)))
        index += 1
      }
    }
    updateDue()
    return overdue
  }

  /// Continues on another time axis, with what was left of the waits.
  /// - Parameter shift: what is added to a time of the old axis, in nanoseconds.
  @inlinable package mutating func restartClock(shiftedBy shift: Int64) {
    for index in items.indices {
      items[index].due = items[index].due?.advanced(byNanoseconds: shift)
    }
    updateDue()
  }

  /// The violated invariants.
  package var violations: [String] {
    var found: [String] = []
    if Set(items.map(\.stamp)).count != items.count { found.append("two requests have one stamp") }
    if items.contains(where: {
      $0.stamp.epoch == position.epoch && $0.stamp.number >= position.next
    }) {
      found.append("a request has an unassigned number")
    }
    if items.count > limit { found.append("too many requests are waiting") }
    if order == .serial, items.dropFirst().contains(where: { $0.due != nil }) {
      found.append("a request does not wait for the one before it")
    }
    let isFirstStuck = items.first.map { $0.attempts == 0 } ?? false
    if order == .serial, isFirstStuck { found.append("the first request was not sent") }
    return found
  }
}
