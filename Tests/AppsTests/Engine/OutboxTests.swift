import Testing
import TraceModel

@testable import AppEngines

@Suite struct OutboxTests {
  private static func instant(_ seconds: Double) -> TraceInstant {
    TraceInstant.zero.advanced(bySeconds: seconds)
  }

  private static func outbox(
    _ order: Outbox<String>.Order, backoff: Backoff? = Backoff(longest: 8, jitter: 0),
    limit: Int = 100
  ) -> Outbox<String> {
    Outbox(order, backoff: backoff, limit: limit, epoch: 9)
  }

  /// The times and requests of what is sent until `end`.
  private func sent(_ outbox: inout Outbox<String>, until end: Double) -> [String] {
    var sent: [String] = []
    while let due = outbox.due, due <= Self.instant(end) {
      for overdue in outbox.advance(to: due) {
        switch overdue {
        case .again(let item): sent.append("\(item.request) at \(due.seconds)")
        case .givenUp(let item): sent.append("\(item.request) given up at \(due.seconds)")
        }
      }
    }
    return sent
  }

  @Test func waitsDoubleUpToTheLongest() throws {
    var outbox = Self.outbox(.serial)
    #expect(try outbox.send("a", at: .zero)?.request == "a")
    #expect(
      sent(&outbox, until: 31)
        == ["a at 1.0", "a at 3.0", "a at 7.0", "a at 15.0", "a at 23.0", "a at 31.0"])
    #expect(outbox.violations == [])
  }

  /// By hand: each wait is at most the doubled one, at least the part that the jitter leaves, and
  /// they differ between requests.
  @Test func jitterShortensWaits() {
    let backoff = Backoff(first: 2, longest: 60, jitter: 0.25)
    var firsts: Set<Double> = []
    for number in 1...200 {
      let stamp = RequestStamp(epoch: 1, number: number)
      for (attempt, whole) in [(1, 2.0), (2, 4), (3, 8), (5, 32), (6, 60), (Int.max, 60)] {
        let wait = backoff.wait(afterAttempt: attempt, of: stamp)
        #expect(wait > 0.75 * whole - 1e-9 && wait <= whole)
        #expect(wait == backoff.wait(afterAttempt: attempt, of: stamp))
      }
      firsts.insert(backoff.wait(afterAttempt: 1, of: stamp))
    }
    #expect(firsts.count == 200)
    // Their mean is that of a uniform part: 2 - 0.25.
    #expect(abs(firsts.reduce(0, +) / 200 - 1.75) < 0.04)
  }

  @Test(arguments: [Double.nan, -1, 0, .infinity, 1e300]) func oddWaitsAreInRange(value: Double) {
    for backoff in [
      Backoff(first: value, longest: 8), Backoff(first: 1, longest: value),
      Backoff(first: 1, longest: 8, jitter: value),
    ] {
      let wait = backoff.wait(afterAttempt: 3, of: RequestStamp(epoch: 1, number: 1))
      #expect(wait >= 0.001)
    }
  }

  /// An hour without an answer: a wait of at most 8 s, not 3,601 sends.
  @Test func anHourOffline() throws {
    var outbox = Self.outbox(.serial, backoff: Backoff(longest: 8))
    _ = try outbox.send("a", at: .zero)
    let count = sent(&outbox, until: 3600).count
    #expect(count >= 450 && count < 600, "\(count)")
  }

  @Test func serialRequestsFollowEachOther() throws {
    var outbox = Self.outbox(.serial)
    let first = try #require(try outbox.send("a", at: .zero))
    #expect(try outbox.send("b", at: .zero) == nil)
    #expect(outbox.sendFirst(at: .zero) == nil, "a is in transit")
    outbox.remove(first.stamp)
    let second = outbox.sendFirst(at: Self.instant(5))
    #expect(second?.request == "b" && second?.stamp.number == 2)
    #expect(outbox.remove(first.stamp) == nil, "answered already")
    #expect(outbox.sendFirst(at: Self.instant(5)) == nil)
    #expect(outbox.due == Self.instant(6) && outbox.violations == [])
  }

  @Test func parallelRequestsGoTogether() throws {
    var outbox = Self.outbox(.parallel)
    for (second, text) in ["a", "b", "c"].enumerated() {
      #expect(try outbox.send(text, at: Self.instant(0.5 * Double(second)))?.request == text)
    }
    #expect(sent(&outbox, until: 2) == ["a at 1.0", "b at 1.5", "c at 2.0"])
    outbox.removeAll { $0 == "b" }
    #expect(outbox.items.map(\.request) == ["a", "c"])
    #expect(sent(&outbox, until: 4) == ["a at 3.0", "c at 4.0"])
  }

  /// Another request does not make an overdue one be sent or given up: only time does.
  @Test(arguments: [Outbox<String>.Order.serial, .parallel])
  func sendingTouchesNothingElse(order: Outbox<String>.Order) throws {
    var outbox = Self.outbox(order)
    let save = try #require(try outbox.send("save", attemptLimit: 1, at: .zero))
    let late = Self.instant(100)
    let other = try outbox.send("other", at: late)
    #expect(other?.request == (order == .serial ? nil : "other"))
    #expect(outbox.item(save.stamp) == save, "overdue, and as it was")
    #expect(outbox.deadline(after: late) == late.advanced(byNanoseconds: 1))
    #expect(outbox.advance(to: late) == [.givenUp(save)])
    #expect(outbox.item(save.stamp) == nil)
    #expect(outbox.items.map(\.request) == ["other"])
  }

  @Test func attemptsAreLimited() throws {
    var outbox = Self.outbox(.parallel)
    _ = try outbox.send("a", attemptLimit: 3, at: .zero)
    #expect(sent(&outbox, until: 100) == ["a at 1.0", "a at 3.0", "a given up at 7.0"])
    #expect(outbox.isEmpty && outbox.due == nil)
  }

  @Test func heldRequestsWaitForRetry() throws {
    var outbox = Self.outbox(.parallel)
    let item = try #require(try outbox.send("a", at: .zero))
    _ = sent(&outbox, until: 10)
    outbox.hold(item.stamp, Refusal("full", "no room"))
    #expect(outbox.due == nil && outbox.item(item.stamp)?.refusal?.code == "full")
    #expect(sent(&outbox, until: 1000) == [])
    #expect(outbox.retry(item.stamp, at: Self.instant(20))?.attempts == 1)
    #expect(outbox.item(item.stamp)?.refusal == nil)
    #expect(sent(&outbox, until: 24) == ["a at 21.0", "a at 23.0"])
  }

  @Test func withoutBackoffARequestIsSentOnce() throws {
    var outbox = Self.outbox(.parallel, backoff: nil)
    let item = try #require(try outbox.send("a", at: .zero))
    #expect(outbox.due == nil && outbox.remove(item.stamp)?.request == "a")
  }

  @Test func aFullOutboxRefuses() throws {
    var outbox = Self.outbox(.serial, limit: 2)
    _ = try outbox.send("a", at: .zero)
    _ = try outbox.send("b", at: .zero)
    let before = outbox
    #expect(
      #expect(throws: Refusal.self) { try outbox.send("c", at: .zero) }?.code == "offline")
    #expect(outbox == before)
  }

  // MARK: Resynchronisation

  @Test func aSerialOutboxRenumbersWhatFollows() throws {
    var outbox = Self.outbox(.serial)
    let first = try #require(try outbox.send("a", at: .zero))
    _ = try outbox.send("b", at: .zero)
    let again = outbox.resynchronise(
      first.stamp, to: StampPosition(epoch: 9, next: 61), at: .zero)
    #expect(again?.request == "a" && again?.stamp.number == 61)
    #expect(again?.stamp.mark == first.stamp.mark)
    #expect(outbox.items.map(\.stamp.number) == [61, 62])
    #expect(outbox.violations == [])
    // The same answer once more concerns nothing that waits.
    #expect(
      outbox.resynchronise(first.stamp, to: StampPosition(epoch: 9, next: 61), at: .zero) == nil)
    _ = try outbox.send("c", at: .zero)
    #expect(outbox.items.map(\.stamp.number) == [61, 62, 63])
  }

  @Test func aParallelOutboxRenumbersOnlyTheOne() throws {
    var outbox = Self.outbox(.parallel)
    var stamps: [RequestStamp] = []
    for text in ["a", "b", "c"] {
      let item = try outbox.send(text, at: .zero)
      stamps.append(try #require(item).stamp)
    }
    let new = StampPosition(epoch: 9, next: 61)
    for stamp in [stamps[2], stamps[0]] {
      #expect(outbox.resynchronise(stamp, to: new, at: .zero) != nil)
    }
    // Two answers with one position do not give two requests one number.
    #expect(outbox.items.map(\.stamp.number) == [62, 2, 61])
    #expect(outbox.violations == [])
  }

  /// A receiver that accepts no number is asked later and later.
  @Test(arguments: [Outbox<String>.Order.serial, .parallel])
  func waitsGoOnGrowing(order: Outbox<String>.Order) throws {
    var outbox = Self.outbox(order)
    var stamp = try #require(try outbox.send("a", at: .zero)).stamp
    var waits: [Double] = []
    for next in 2...6 {
      let now = try #require(outbox.due)
      let again = outbox.resynchronise(stamp, to: StampPosition(epoch: 9, next: next), at: now)
      stamp = try #require(again).stamp
      waits.append(try #require(outbox.due).seconds - now.seconds)
    }
    #expect(waits == [2, 4, 8, 8, 8])
  }

  @Test func anotherEpochIsTakenOver() throws {
    var outbox = Self.outbox(.serial)
    let first = try #require(try outbox.send("a", at: .zero))
    let again = outbox.resynchronise(first.stamp, to: StampPosition(epoch: 4, next: 3), at: .zero)
    #expect(again?.stamp.epoch == 4 && again?.stamp.number == 3)
    _ = try outbox.send("b", at: .zero)
    #expect(outbox.items.last?.stamp.epoch == 4 && outbox.items.last?.stamp.number == 4)
  }

  @Test(arguments: [Int.min, -1, 0, .max]) func impossiblePositionsAreIgnored(next: Int) throws {
    var outbox = Self.outbox(.serial)
    let first = try #require(try outbox.send("a", at: .zero))
    let before = outbox
    let again = outbox.resynchronise(
      first.stamp, to: StampPosition(epoch: 4, next: next), at: .zero)
    #expect(again == nil && outbox == before)
  }
}
