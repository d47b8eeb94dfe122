import Apps
import Testing
import TraceModel

@Suite struct SimulatedNetworkTests {
  private func instant(_ seconds: Double) -> TraceInstant {
    TraceInstant.zero.advanced(bySeconds: seconds)
  }

  @Test func idealNetworkCarriesAtOnceAndInOrder() {
    var network = SimulatedNetwork<Int>(NetworkConditions())
    for message in 0..<5 { network.send(message, at: instant(1)) }
    #expect(network.next == instant(1))
    #expect(network.receive(by: instant(0.5)) == [])
    #expect(network.receive(by: instant(1)) == [0, 1, 2, 3, 4])
    #expect(network.next == nil)
    #expect(network.lost == 0 && network.duplicated == 0 && network.sent == 5)
  }

  @Test func lossDuplicationAndDelayAreAsStated() {
    var conditions = NetworkConditions()
    conditions.delay = 0.1
    conditions.jitter = 0.2
    conditions.loss = 0.25
    conditions.duplication = 0.5
    var network = SimulatedNetwork<Int>(conditions)
    let count = 20_000
    for message in 0..<count { network.send(message, at: .zero) }
    #expect(abs(Double(network.lost) / Double(count) - 0.25) < 0.015)
    #expect(abs(Double(network.duplicated) / Double(count) - 0.375) < 0.015)
    #expect(network.receive(by: instant(0.0999)) == [])
    // 1 - exp(-1) of what comes has come after the mean of the jitter.
    let early = network.receive(by: instant(0.3))
    let late = network.receive(by: instant(100))
    #expect(early.count + late.count == count - network.lost + network.duplicated)
    #expect(abs(Double(early.count) / Double(early.count + late.count) - 0.632) < 0.015)
    #expect(early != early.sorted(), "jitter reorders")
  }

  @Test func equalSeedsGiveEqualFates() {
    var conditions = NetworkConditions()
    (conditions.jitter, conditions.loss, conditions.seed) = (1, 0.5, 7)
    func fates() -> [Int] {
      var network = SimulatedNetwork<Int>(conditions)
      for message in 0..<100 { network.send(message, at: instant(Double(message) / 10)) }
      return network.receive(by: instant(1000))
    }
    #expect(fates() == fates())
    #expect(fates().count < 80)
  }
}
