import Testing
import TraceModel

@testable import AppEngines

@Suite struct ReplyMemoryTests {
  private typealias Memory = ReplyMemory<String, Int>

  /// - Parameter mark: nil = that of the first request with the number.
  private func stamp(_ number: Int, mark: UInt64? = nil, epoch: UInt64 = 7) -> RequestStamp {
    RequestStamp(
      epoch: epoch, number: number, mark: mark ?? UInt64(truncatingIfNeeded: number))
  }

  private func position(_ next: Int, epoch: UInt64 = 7) -> Memory.Verdict {
    .outOfStep(StampPosition(epoch: epoch, next: next))
  }

  @Test(arguments: [ReplyOrder.serial, .parallel])
  func repetitionsGetTheStoredReply(order: ReplyOrder) {
    var memory = Memory(order, window: 4)
    #expect(memory.verdict(on: stamp(1), from: "a") == .new)
    memory.remember(10, to: stamp(1), from: "a")
    #expect(memory.verdict(on: stamp(1), from: "a") == .known(10))
    #expect(memory.verdict(on: stamp(1), from: "b") == .new, "each sender has numbers of its own")
    // Another request with the number, or one of another installation.
    #expect(memory.verdict(on: stamp(1, mark: 5), from: "a") == position(2))
    #expect(memory.verdict(on: stamp(1, mark: 5, epoch: 8), from: "a") == position(2))
    #expect(memory.verdict(on: stamp(2, epoch: 8), from: "a") == position(2))
    // The same request with its number of before it was renumbered.
    #expect(memory.verdict(on: stamp(1, mark: 1, epoch: 8), from: "a") == .known(10))
    // Numbers may be left out.
    #expect(memory.verdict(on: stamp(5), from: "a") == .new)
    #expect(memory.violations == [])
  }

  /// A lower number that never arrived is too late where requests follow each other, and new where
  /// they do not.
  @Test func missingNumbers() {
    for (order, verdict) in [(ReplyOrder.serial, position(6)), (.parallel, Memory.Verdict.new)] {
      var memory = Memory(order, window: 3)
      memory.remember(50, to: stamp(5), from: "a")
      #expect(memory.verdict(on: stamp(3), from: "a") == verdict)
    }
    // Full: what is older than all that is kept is not known to be new.
    var memory = Memory(.parallel, window: 3)
    for number in [5, 7, 8] { memory.remember(number, to: stamp(number), from: "a") }
    #expect(memory.verdict(on: stamp(6), from: "a") == .new)
    #expect(memory.verdict(on: stamp(4), from: "a") == position(9))
    memory.remember(9, to: stamp(9), from: "a")
    #expect(memory.verdict(on: stamp(5), from: "a") == position(10))
    #expect(memory.verdict(on: stamp(8), from: "a") == .known(8))
  }

  @Test(arguments: [Int.min, -1, 0, .max]) func impossibleNumbersAreOutOfStep(number: Int) {
    var memory = Memory(.parallel, window: 3)
    #expect(memory.verdict(on: stamp(number), from: "a") == position(1))
    memory.remember(1, to: stamp(1), from: "a")
    #expect(memory.verdict(on: stamp(number), from: "a") == position(2))
  }

  // MARK: With an outbox

  /// A phone that asks, is restored from an older state or newly installed now and then, and a
  /// receiver that counts what it executes; everything can be lost, late or there twice.
  private struct Pair {
    enum Message: Sendable {
      case request(RequestStamp, Int)
      case reply(RequestStamp, Int)
      case outOfStep(RequestStamp, StampPosition)
    }

    var phone: Outbox<Int>
    var memory: ReplyMemory<String, Int>
    var network: SimulatedNetwork<Message>
    var now = TraceInstant.zero
    /// How often each request was executed, and which replies the phone had.
    var executed: [Int: Int] = [:]
    var answered: [Int: Int] = [:]
    var resynchronisations = 0
    let out = NetworkLink(from: .phone(0), to: .server)
    let back = NetworkLink(from: .server, to: .phone(0))

    init(_ order: Outbox<Int>.Order, seed: UInt64) {
      var conditions = NetworkConditions()
      (conditions.delay, conditions.jitter) = (0.05, 0.5)
      (conditions.loss, conditions.duplication, conditions.seed) = (0.3, 0.3, seed)
      network = SimulatedNetwork(NetworkSetup(conditions))
      phone = Outbox(order, backoff: Backoff(longest: 8), limit: 100, epoch: seed)
      memory = ReplyMemory(order == .serial ? .serial : .parallel, window: 64)
    }

    mutating func send(_ item: Outbox<Int>.Item?) {
      guard let item else { return }
      network.send(.request(item.stamp, item.request), on: out, at: now)
    }

    mutating func ask(_ request: Int) throws { send(try phone.send(request, at: now)) }

    mutating func run(until end: TraceInstant) {
      while let due = earlier(network.next, phone.due), due <= end {
        now = max(now, due)
        while let arrival = network.receive(by: now) { deliver(arrival.message) }
        for case .again(let item) in phone.advance(to: now) { send(item) }
        if !phone.violations.isEmpty { Issue.record("\(phone.violations)") }
      }
      now = max(now, end)
    }

    private mutating func deliver(_ message: Message) {
      switch message {
      case .request(let stamp, let request):
        switch memory.verdict(on: stamp, from: "phone") {
        case .new:
          executed[request, default: 0] += 1
          memory.remember(-request, to: stamp, from: "phone")
          network.send(.reply(stamp, -request), on: back, at: now)
        case .known(let reply): network.send(.reply(stamp, reply), on: back, at: now)
        case .outOfStep(let position):
          network.send(.outOfStep(stamp, position), on: back, at: now)
        }
      case .reply(let stamp, let reply):
        guard let item = phone.remove(stamp) else { return }
        answered[item.request] = reply
        send(phone.sendFirst(at: now))
      case .outOfStep(let stamp, let position):
        guard let item = phone.resynchronise(stamp, to: position, at: now) else { return }
        resynchronisations += 1
        send(item)
      }
    }
  }

  /// Whatever the network does, and though the phone's state goes back 20 s or is lost three times,
  /// each request is executed once if the phone that asked it lives on, never twice, and each answer
  /// is that to its own request.
  @Test(arguments: UInt64(1)...30, [Outbox<Int>.Order.serial, .parallel])
  func nothingIsLostOrDoneTwice(seed: UInt64, order: Outbox<Int>.Order) throws {
    var pair = Pair(order, seed: seed)
    var random = SeededGenerator(seed: seed)
    var old = pair.phone
    var (asked, forgotten): (Int, Set<Int>) = (0, [])
    for round in 0..<4 {
      if round > 0 {
        let known = Set(pair.phone.items.map(\.request))
        pair.phone =
          round == 2
          ? Outbox(order, backoff: Backoff(longest: 8), limit: 100, epoch: random.next()) : old
        // What the lost state had and nobody asks again: it may have been executed or not.
        forgotten.formUnion(known.subtracting(pair.phone.items.map(\.request)))
      }
      for step in 0..<12 {
        asked += 1
        try pair.ask(asked)
        pair.run(until: pair.now.advanced(bySeconds: random.uniform(0...3)))
        if step == 4 { old = pair.phone }
      }
    }
    pair.run(until: pair.now.advanced(bySeconds: 3600))
    #expect(pair.phone.isEmpty && pair.resynchronisations > 0, "seed \(seed)")
    for request in 1...asked {
      let count = pair.executed[request, default: 0]
      let isRight = forgotten.contains(request) ? count <= 1 : count == 1
      if !isRight { Issue.record("seed \(seed): request \(request) was executed \(count) times") }
      if let reply = pair.answered[request] { #expect(reply == -request, "seed \(seed)") }
    }
    #expect(pair.network.counts.lost > 0 && pair.network.counts.duplicated > 0)
  }
}
