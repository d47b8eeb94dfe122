import Synthesis
import TestSupport
import Testing
import TraceModel

@Suite struct PresenceScenarioTests {
  static let specs = Synthesizer.corpus.filter { $0.kind == .presence }

  /// A row of the channel.
  private struct Row {
    var heartbeat: Heartbeat
    /// ns.
    var sent: Int64
    /// ns.
    var arrived: Int64
  }

  private func rows(_ trace: Trace) throws -> [Row] {
    let block = try #require(trace[.heartbeat])
    let columns = try #require(HeartbeatColumns(block))
    return columns.range.map {
      Row(
        heartbeat: columns[$0], sent: columns.measured(at: $0).nanoseconds,
        arrived: columns.arrived(at: $0).nanoseconds)
    }
  }

  private func stays(_ trace: Trace) throws -> [Int32: [ReferenceEvent]] {
    let reference = try #require(trace.header.reference(.presence))
    return Dictionary(grouping: reference.events) { $0.place ?? 0 }
  }

  @Test(arguments: specs)
  func onlyPresentPeersSendHeartbeats(_ spec: ScenarioSpec) throws {
    let trace = MadeTraces.trace(spec)
    let stays = try stays(trace)
    #expect((10...14).contains(stays.count))
    for row in try rows(trace) {
      let sender = try #require(stays[row.heartbeat.peer])
      #expect(
        sender.contains { $0.onset.nanoseconds <= row.sent && row.sent < $0.offset.nanoseconds })
      #expect(row.sent < row.arrived && row.arrived <= trace.header.end.nanoseconds)
    }
  }

  /// No absence is shorter than about 20 s, and stays do not touch.
  @Test(arguments: specs)
  func staysAreApartAndEndByTheEnd(_ spec: ScenarioSpec) throws {
    let trace = MadeTraces.trace(spec)
    var departures = 0
    for stays in try stays(trace).values {
      for (stay, next) in zip(stays, stays.dropFirst()) {
        #expect(stay.offset.seconds + 20 < next.onset.seconds)
      }
      #expect(stays.allSatisfy { $0.onset < $0.offset && $0.offset <= trace.header.end })
      departures += stays.count { $0.offset < trace.header.end }
    }
    #expect(departures > 40)
  }

  /// What the detector has to cope with is there: the intervals of the senders have two modes, and
  /// heartbeats are lost, doubled, overtaken, and held back for all at once.
  @Test(arguments: specs)
  func phonesAndNetworksMatchTheirDocumentation(_ spec: ScenarioSpec) throws {
    let trace = MadeTraces.trace(spec)
    let rows = try rows(trace)
    var seen: Set<[Int64]> = []
    var doubled = 0
    var overtaken = 0
    var lost = 0
    var newest: [Int32: Row] = [:]
    var gaps: [Double] = []
    for row in rows {
      let key = [Int64(row.heartbeat.peer), row.heartbeat.sequence, row.sent]
      if !seen.insert(key).inserted { doubled += 1 }
      if let last = newest[row.heartbeat.peer] {
        if row.sent < last.sent { overtaken += 1 }
        let steps = row.heartbeat.sequence - last.heartbeat.sequence
        if steps > 1 { lost += 1 }
        // Of consecutive heartbeats, so that only a suspension makes it long.
        if steps == 1 { gaps.append(Double(row.sent - last.sent) / 1e9) }
      }
      if row.sent > (newest[row.heartbeat.peer]?.sent ?? -1) { newest[row.heartbeat.peer] = row }
    }
    #expect(doubled > 10 && overtaken > 10 && lost > 100)
    let regular = gaps.count { (1.5...1.7).contains($0) }
    let suspended = gaps.count { $0 > 2 }
    #expect(regular + suspended == gaps.count)
    #expect((0.002...0.05).contains(Double(suspended) / Double(gaps.count)))
    #expect(gaps.contains { $0 > 10 })
    // Within 60 ms everybody is heard again who sent during a stall.
    let arrivals = rows.map(\.arrived)
    let silences = zip(arrivals, arrivals.dropFirst()).filter { $1 - $0 > 2_000_000_000 }
    #expect((1...8).contains(silences.count))
    for (before, after) in silences {
      let burst = rows.filter { after <= $0.arrived && $0.arrived < after + 60_000_000 }
      #expect(burst.count { $0.sent > before - 1_000_000_000 } > 5)
    }
  }
}
