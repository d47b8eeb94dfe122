import Testing
import TraceModel

@testable import AppEngines

@Suite struct SimulatedNetworkTests {
  private static let out = NetworkLink(from: .phone(0), to: .server)
  private static let back = NetworkLink(from: .server, to: .phone(0))
  private static let across = NetworkLink(from: .phone(0), to: .phone(1))

  private static func instant(_ seconds: Double) -> TraceInstant {
    TraceInstant.zero.advanced(bySeconds: seconds)
  }

  private static func conditions(seed: UInt64) -> NetworkConditions {
    var conditions = NetworkConditions()
    (conditions.delay, conditions.jitter) = (0.1, 0.2)
    (conditions.loss, conditions.duplication, conditions.seed) = (0.25, 0.5, seed)
    return conditions
  }

  private func messages<Message>(
    _ network: inout SimulatedNetwork<Message>, by now: TraceInstant
  ) -> [Message] {
    var messages: [Message] = []
    while let arrival = network.receive(by: now) { messages.append(arrival.message) }
    return messages
  }

  @Test func idealNetworkCarriesAtOnceAndInOrder() {
    var network = SimulatedNetwork<Int>(NetworkSetup())
    for message in 0..<5 { network.send(message, on: Self.out, at: Self.instant(1)) }
    #expect(network.next == Self.instant(1))
    #expect(messages(&network, by: Self.instant(0.5)) == [])
    #expect(messages(&network, by: Self.instant(1)) == [0, 1, 2, 3, 4])
    #expect(network.next == nil && network.counts == NetworkCounts(sent: 5))
  }

  @Test func lossDuplicationAndDelayAreAsStated() {
    var network = SimulatedNetwork<Int>(NetworkSetup(Self.conditions(seed: 1)))
    let count = 20_000
    for message in 0..<count { network.send(message, on: Self.out, at: .zero) }
    #expect(abs(Double(network.counts.lost) / Double(count) - 0.25) < 0.015)
    #expect(abs(Double(network.counts.duplicated) / Double(count) - 0.375) < 0.015)
    #expect(messages(&network, by: Self.instant(0.0999)) == [])
    // 1 - exp(-1) of what comes has come after the mean of the jitter.
    let early = messages(&network, by: Self.instant(0.3))
    let late = messages(&network, by: Self.instant(100))
    #expect(early.count + late.count == count - network.counts.lost + network.counts.duplicated)
    #expect(abs(Double(early.count) / Double(early.count + late.count) - 0.632) < 0.015)
    #expect(early != early.sorted(), "jitter reorders")
  }

  @Test func countsArePerLink() {
    let lost = (1...3).map { ExchangeFault.lose(MessageNumber(Self.back, $0)) }
    var network = SimulatedNetwork<Int>(NetworkSetup(faults: lost))
    for message in 0..<3 {
      network.send(message, on: Self.out, at: .zero)
      network.send(10 + message, on: Self.back, at: .zero)
    }
    #expect(messages(&network, by: .zero) == [0, 1, 2])
    #expect(network.linkCounts.map(\.link) == [Self.out, Self.back])
    #expect(
      network.linkCounts.map(\.counts)
        == [NetworkCounts(sent: 3), NetworkCounts(sent: 3, lost: 3)])
    #expect(network.counts == NetworkCounts(sent: 6, lost: 3))
  }

  // MARK: Laws of fates

  /// The arrivals of 40 messages on each of three links, by message.
  private func arrivals(_ setup: NetworkSetup) -> [Int: [TraceInstant]] {
    var network = SimulatedNetwork<Int>(setup)
    for message in 0..<120 {
      let link = [Self.out, Self.back, Self.across][message % 3]
      network.send(message, on: link, at: Self.instant(Double(message) / 10))
    }
    var times: [Int: [TraceInstant]] = [:]
    while let arrival = network.receive(by: Self.instant(1000)) {
      times[arrival.message, default: []].append(arrival.time)
    }
    return times
  }

  /// One that is dropped, duplicated or delayed changes the fate of no other.
  @Test(arguments: UInt64(1)...20) func eachMessageHasItsOwnFate(seed: UInt64) {
    let plain = arrivals(NetworkSetup(Self.conditions(seed: seed)))
    #expect(plain.count < 110 && plain.values.contains { $0.count == 2 })
    for message in [0, 17, 118] {
      let link = [Self.out, Self.back, Self.across][message % 3]
      let name = MessageNumber(link, message / 3 + 1)
      for fault in [
        ExchangeFault.lose(name), .duplicate(name), .delay(name, by: 3_000_000_000),
      ] {
        var others = arrivals(NetworkSetup(Self.conditions(seed: seed), faults: [fault]))
        let own = others.removeValue(forKey: message) ?? []
        var expected = plain
        let before = expected.removeValue(forKey: message) ?? []
        #expect(others == expected, "seed \(seed), \(fault)")
        switch fault {
        case .lose: #expect(own.isEmpty)
        case .duplicate: #expect(own.count == (before.isEmpty ? 0 : 2))
        default: #expect(own == before.map { $0.advanced(bySeconds: 3) })
        }
      }
    }
  }

  /// What the conditions draw can be stated as faults: the same messages arrive at the same times.
  @Test(arguments: UInt64(1)...20) func drawnFatesAreFaults(seed: UInt64) throws {
    let conditions = Self.conditions(seed: seed)
    var network = SimulatedNetwork<Int>(NetworkSetup(conditions))
    for message in 0..<120 {
      network.send(message, on: [Self.out, Self.back, Self.across][message % 3], at: .zero)
    }
    let faults = network.drawnFaults
    let calm = NetworkSetup(conditions.calm, faults: faults)
    #expect(arrivals(calm) == arrivals(NetworkSetup(conditions)))
    #expect(calm.conditions.delay == 0.1 && faults.count > 100)
    let again = try faults.map { try ExchangeFault(parsing: $0.description) }
    #expect(again == faults)
    var none = SimulatedNetwork<Int>(NetworkSetup(conditions.calm))
    none.send(1, on: Self.out, at: .zero)
    #expect(none.drawnFaults == [])
  }

  @Test func aCopyComesAfterItsTime() {
    let fault = ExchangeFault.duplicate(MessageNumber(Self.out, 2), after: 5)
    let times = arrivals(NetworkSetup(faults: [fault]))
    #expect(times[3] == [Self.instant(0.3), Self.instant(0.3).advanced(byNanoseconds: 5)])
    #expect(times[0] == [.zero])
  }

  /// Each kind of fault comes up, each text reads back, and equal seeds give equal networks.
  @Test func randomNetworksHaveEveryFault() throws {
    var kinds: [String: Int] = [:]
    for seed in UInt64(1)...200 {
      let setup = NetworkSetup.random(seed: seed, phones: 3, length: 100)
      #expect(setup == NetworkSetup.random(seed: seed, phones: 3, length: 100))
      for fault in setup.faults {
        #expect(try ExchangeFault(parsing: fault.description) == fault)
        kinds[String(fault.description.prefix { $0 != ":" }), default: 0] += 1
        #expect(fault.endpoints.allSatisfy { ($0.phone ?? 0) < 3 })
      }
      let alone = NetworkSetup.random(seed: seed, phones: 1, hasServer: false, length: 100)
      #expect(alone.faults.allSatisfy { $0.endpoints == [.phone(0)] })
    }
    #expect(kinds.keys.sorted() == ["clock", "cut", "drift", "restart"])
    #expect(kinds.values.allSatisfy { $0 > 30 })
  }

  /// A message that is not sent at all shifts the numbers of its own link only.
  @Test func linksDoNotShareDraws() {
    let setup = NetworkSetup(Self.conditions(seed: 4))
    func fates(of link: NetworkLink, with others: [NetworkLink]) -> [Int] {
      var network = SimulatedNetwork<Int?>(setup)
      for message in 0..<200 {
        for other in others { network.send(nil, on: other, at: .zero) }
        network.send(message, on: link, at: .zero)
      }
      return messages(&network, by: Self.instant(1000)).compactMap(\.self)
    }
    #expect(fates(of: Self.out, with: []) == fates(of: Self.out, with: [Self.back, Self.across]))
    #expect(fates(of: Self.out, with: []) != fates(of: Self.back, with: []))
    #expect(fates(of: Self.across, with: []) != fates(of: Self.out, with: []))
  }

  @Test func equalSeedsGiveEqualFates() {
    let fates = (1...2).map { _ in arrivals(NetworkSetup(Self.conditions(seed: 7))) }
    #expect(fates[0] == fates[1])
    #expect(fates[0] != arrivals(NetworkSetup(Self.conditions(seed: 8))))
  }

  // MARK: Faults

  private func run(_ faults: [String]) throws -> (arrivals: [String], met: [String]) {
    let faults = try faults.map { try ExchangeFault(parsing: $0) }
    var network = SimulatedNetwork<Int>(NetworkSetup(faults: faults))
    for second in 1...4 {
      network.send(second, on: Self.out, at: Self.instant(Double(second)))
      network.send(10 * second, on: Self.back, at: Self.instant(Double(second)))
    }
    var arrivals: [String] = []
    while let arrival = network.receive(by: Self.instant(1000)) {
      arrivals.append("\(arrival.message) at \(arrival.time.seconds)")
    }
    return (arrivals, network.metFaults.map(\.description))
  }

  @Test(arguments: [
    (["lose:1-server:2"], ["1 at 1.0", "3 at 3.0", "4 at 4.0"], ["lose:1-server:2"]),
    (
      ["delay:1-server:2:1.5s"], ["1 at 1.0", "3 at 3.0", "2 at 3.5", "4 at 4.0"],
      ["delay:1-server:2:1.5s"]
    ),
    (
      ["duplicate:1-server:4"], ["1 at 1.0", "2 at 2.0", "3 at 3.0", "4 at 4.0", "4 at 4.0"],
      ["duplicate:1-server:4"]
    ),
    // In whatever order: what is lost is not duplicated.
    (
      ["lose:1-server:1", "duplicate:1-server:1"], ["2 at 2.0", "3 at 3.0", "4 at 4.0"],
      ["lose:1-server:1", "duplicate:1-server:1"]
    ),
    (
      ["duplicate:1-server:1", "lose:1-server:1"], ["2 at 2.0", "3 at 3.0", "4 at 4.0"],
      ["duplicate:1-server:1", "lose:1-server:1"]
    ),
    // From the start of the cut to before its end.
    (["cut:server:2s:4s"], ["1 at 1.0", "4 at 4.0"], ["cut:server:2s:4s"]),
    // One that arrives after the cut has come through.
    (
      ["cut:server:2s:4s", "delay:1-server:2:2s"], ["1 at 1.0", "2 at 4.0", "4 at 4.0"],
      ["cut:server:2s:4s", "delay:1-server:2:2s"]
    ),
    // Numbers, links and phones that do not occur.
    (
      ["lose:1-server:5", "lose:2-server:1", "cut:2:0s:9s", "clock:1:1s:1s"],
      ["1 at 1.0", "2 at 2.0", "3 at 3.0", "4 at 4.0"], []
    ),
  ]) func faultsMeetWhatTheyName(
    faults: [String], arrivals: [String], met: [String]
  ) throws {
    let run = try run(faults)
    // The order of equal times is that of sending, and two copies of one follow each other.
    #expect(run.arrivals.filter { !$0.contains("0 at") } == arrivals)
    #expect(run.met == met)
    let isCut = faults.contains { $0.hasPrefix("cut:server") }
    // A cut server does not answer either.
    #expect(run.arrivals.count { $0.contains("0 at") } == (isCut ? 2 : 4))
  }
}
