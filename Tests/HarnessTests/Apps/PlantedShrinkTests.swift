import Detectors
import Evaluation
import Synthesis
import TestSupport
import Testing
import TraceModel

@testable import AppEngines

/// Planted breaches: what is watched stays the same, and lost messages become a cut.
@Suite struct PlantedShrinkTests {
  /// Of the 60 polls the first 40 are lost, one fault each.
  private static func reduced(_ watched: [String]) throws -> FaultShrinking.Reduced {
    let trace = MadeTraces.trace(try ScenarioSpec(kind: .route, subject: 1, seed: 5))
    let shrinking = try FaultShrinking(
      AppChoice("planted-polls", of: AppCatalog([PlantedPolls.self])),
      PlayedTraces([.init(trace: trace, start: .zero)]), AppOptions(), watching: watched)
    let link = NetworkLink(from: .phone(0), to: .server)
    let faults = (1...40).map { ExchangeFault.lose(MessageNumber(link, $0)) }
    let broken = try #require(try shrinking.check(NetworkConditions(), faults))
    #expect(broken.names == ["third_lost", "starved"])
    let reduced = try shrinking.reduce(broken)
    #expect(reduced.originalCount == 40 && reduced.broken.names.contains(reduced.watched))
    let again = try #require(
      try shrinking.check(reduced.broken.network, reduced.broken.faults))
    #expect(again.names == reduced.broken.names)
    return reduced
  }

  /// Without a name, the first breach is kept; the others are named.
  @Test func theFirstBreachIsKept() throws {
    let reduced = try Self.reduced([])
    #expect(reduced.watched == "third_lost" && reduced.others == ["starved"])
    #expect(reduced.broken.faults.map(\.description) == ["lose:1-server:3"])
  }

  /// A breach that needs 20 lost polls in a row is one narrow cut.
  @Test func lostMessagesBecomeOneCut() throws {
    let reduced = try Self.reduced(["starved"])
    #expect(reduced.watched == "starved")
    guard reduced.broken.faults.count == 1,
      case .cut(.phone(0), let start, let end) = reduced.broken.faults[0]
    else {
      Issue.record("\(reduced.broken.faults)")
      return
    }
    // 20 polls, one a second: the ends are narrowed to less than a second too much.
    #expect((19...20.5).contains(Double(start.nanoseconds(to: end)) / 1e9))
  }

  /// The watched breach is not replaced by one that comes first.
  @Test func theOrderOfTheWatchedCounts() throws {
    #expect(try Self.reduced(["starved", "third_lost"]).watched == "starved")
    #expect(try Self.reduced(["third_lost", "starved"]).watched == "third_lost")
  }
}

/// A phone that polls once a second for a minute.
private struct PlantedPolls: AppSimulation {
  static let name = "planted-polls"
  static let summary = "a phone polls"
  static let legend = ""
  static let presets = [AppPreset("default", summary: "")]
  static let peopleCount = 1...1
  static let channel = Channel.location
  static let furtherChannels: [Channel] = []
  static let task = ReferenceTask.visit
  static let faultCounts = ["third_lost", "starved"]

  private var network: SimulatedNetwork<Int>
  private var due: TraceInstant? = .zero.advanced(bySeconds: 1)
  private var sent = 0
  private var got: Set<Int> = []

  init(_ setup: AppSetup) { network = SimulatedNetwork(setup.network) }

  mutating func take(_ reading: Reading) {}
  var deadline: TraceInstant? { earlier(due, network.next) }

  mutating func advance(to now: TraceInstant) {
    if let time = due, time <= now {
      sent += 1
      network.send(sent, on: NetworkLink(from: .phone(0), to: .server), at: time)
      due = sent < 60 ? time.advanced(bySeconds: 1) : nil
    }
    while let arrival = network.receive(by: now) { got.insert(arrival.message) }
  }

  mutating func finish(device: DeviceID, at end: TraceInstant) {}
  mutating func close(at end: TraceInstant) {}
  mutating func takeEvents() -> [AppEvent] { [] }
  var detections: [DetectionRecord] { [] }
  var violations: [String] { [] }
  var metFaults: [ExchangeFault] { network.metFaults }
  var messages: [MessageRecord] { network.messages }

  var outcomes: [AppOutcome] {
    var (run, longest) = (0, 0)
    for number in 1...60 {
      run = got.contains(number) ? 0 : run + 1
      longest = max(longest, run)
    }
    return [
      .count("third_lost", got.contains(3) ? 0 : 1), .count("starved", longest >= 20 ? 1 : 0),
    ]
  }
}
