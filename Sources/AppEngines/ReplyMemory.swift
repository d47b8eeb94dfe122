public import TraceModel

/// The replies that a receiver gave to the requests of its senders, so that each request is executed
/// once, however often it arrives.
///
/// It keeps the last replies of each sender. A request with an older number is out of step even if
/// it was executed long ago.
@usableFromInline
package struct ReplyMemory<
  Sender: Hashable & Comparable & Sendable & Codable, Reply: Hashable & Sendable & Codable
>: Hashable, Sendable, Codable {
  /// What a stamp means.
  @usableFromInline package enum Verdict: Hashable, Sendable {
    /// The request was not executed yet.
    case new
    /// It was executed, with this reply.
    case known(Reply)
    /// The number was used for another request, or is too old to know: the state of the sender went
    /// back or was lost. The sender continues from the position.
    case outOfStep(StampPosition)
  }

  @usableFromInline struct Entry: Hashable, Sendable, Codable {
    @usableFromInline var number: Int
    @usableFromInline var mark: UInt64
    @usableFromInline var reply: Reply

    @inlinable init(_ reply: Reply, to stamp: RequestStamp) {
      number = stamp.number
      mark = stamp.mark
      self.reply = reply
    }
  }

  @usableFromInline struct Memory: Hashable, Sendable, Codable {
    @usableFromInline let sender: Sender
    @usableFromInline let epoch: UInt64
    @usableFromInline var highest = 0
    /// The last entries by number.
    @usableFromInline var entries: [Entry] = []

    @inlinable init(of sender: Sender, epoch: UInt64) {
      self.sender = sender
      self.epoch = epoch
    }

    /// Whether a stamp can be that of a request that was not executed yet.
    @inlinable func accepts(_ stamp: RequestStamp, _ order: ReplyOrder, _ window: Int) -> Bool {
      guard stamp.isValid, stamp.epoch == epoch else { return false }
      if stamp.number > highest { return true }
      guard order == .parallel else { return false }
      let index = entries.partitioningIndex { $0.number >= stamp.number }
      if index < entries.count, entries[index].number == stamp.number { return false }
      // A number within the kept ones that never arrived.
      return entries.count < window || index > 0
    }

    /// Whether no number has two entries and none is above the highest. A plain loop, because
    /// engines are asked for their violations after each input.
    @inlinable func isInOrder(_ window: Int) -> Bool {
      var last = 0
      for entry in entries {
        guard entry.number > last else { return false }
        last = entry.number
      }
      return last <= highest && entries.count <= window
    }
  }

  /// Whether a request with a lower number than the highest one can be new. Where requests are sent
  /// one after the other it comes too late.
  @usableFromInline package let order: ReplyOrder
  /// The number of replies to keep for each sender.
  @usableFromInline package let window: Int
  /// The memories by sender.
  @usableFromInline var memories: [Memory] = []

  /// - Parameter window: at least 1. For parallel senders, more than they can have in transit.
  @inlinable package init(_ order: ReplyOrder, window: Int) {
    self.order = order
    self.window = window
  }

  /// Returns what a request is. O(log n + w) for n senders and a window of w.
  @inlinable package func verdict(on stamp: RequestStamp, from sender: Sender) -> Verdict {
    guard let memory = memory(of: sender) else {
      let start = StampPosition(epoch: stamp.epoch, next: 1)
      return stamp.isValid ? .new : .outOfStep(start)
    }
    if memory.accepts(stamp, order, window) { return .new }
    // A request keeps its mark when it is renumbered, so that it is known under both numbers: the
    // phone may be restored from before that.
    if let entry = memory.entries.first(where: { $0.mark == stamp.mark }) {
      return .known(entry.reply)
    }
    return .outOfStep(StampPosition(epoch: memory.epoch, next: memory.highest + 1))
  }

  /// Stores the reply to a request whose verdict is new.
  @inlinable package mutating func remember(
    _ reply: Reply, to stamp: RequestStamp, from sender: Sender
  ) {
    let position = memories.partitioningIndex { $0.sender >= sender }
    if position == memories.count || memories[position].sender != sender {
      memories.insert(Memory(of: sender, epoch: stamp.epoch), at: position)
    }
    memories[position].highest = max(memories[position].highest, stamp.number)
    let entry = Entry(reply, to: stamp)
    let index = memories[position].entries.partitioningIndex { $0.number >= stamp.number }
    memories[position].entries.insert(entry, at: index)
    if memories[position].entries.count > window { memories[position].entries.removeFirst() }
  }

  /// Forgets a sender: its next request is new, whatever its number. O(n) for n senders.
  @inlinable package mutating func forget(_ sender: Sender) {
    let position = memories.partitioningIndex { $0.sender >= sender }
    guard position < memories.count, memories[position].sender == sender else { return }
    memories.remove(at: position)
  }

  /// The number of senders whose replies are kept.
  @inlinable package var senderCount: Int { memories.count }

  @inlinable func memory(of sender: Sender) -> Memory? {
    let position = memories.partitioningIndex { $0.sender >= sender }
    return position < memories.count && memories[position].sender == sender
      ? memories[position] : nil
  }

  /// The violated invariants. O(n · w) for n senders and a window of w.
  @inlinable package var violations: [String] {
    memories.contains { !$0.isInOrder(window) } ? ["a request has two replies"] : []
  }
}

/// The order in which the requests of a sender arrive.
@usableFromInline
package enum ReplyOrder: String, Hashable, Sendable, Codable {
  case serial, parallel
}
