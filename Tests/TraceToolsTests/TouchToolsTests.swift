import Testing
import TraceModel
import TraceTools

/// Touches and the size of the screen in the steps that change traces.
@Suite struct TouchToolsTests {
  private func drags(_ rows: [(Double, Touch.Phase)], screen: ScreenSize? = nil) -> Trace {
    var trace = Trace(header: TraceHeader(id: "drags", origin: .recorded))
    var columns = TouchColumns()
    for (time, phase) in rows {
      let measured = instant(time).nanoseconds
      columns.append(Touch(x: 10, y: 20, phase: phase), measured: measured, arrived: measured)
    }
    trace.set(.touch(columns), for: .touch, attributes: ["letters": "5"])
    trace.header.end = instant(rows.last?.0 ?? 0)
    trace.header.screen = screen
    return trace
  }

  private let small = ScreenSize(width: 320, height: 568)
  private let large = ScreenSize(width: 414, height: 896)

  @Test func aCutKeepsTheScreenAndTheAttributes() throws {
    let trace = drags([(1, .began), (2, .moved), (3, .ended)], screen: small)
    let part = trace.trimmed(to: instant(1)..<instant(2.5)).trace
    #expect(part[.touch]?.measuredTimes == [1_000_000_000, 2_000_000_000])
    #expect(part.header.screen == small)
    #expect(part.header.info(.touch)?.attributes == ["letters": "5"])
    let events = trace.trimmed(to: instant(0)..<instant(9), channels: [.touch])
    #expect(events.trace == trace && events.removal.isEmpty)
  }

  @Test func partsOfOneScreenAreMerged() throws {
    let first = drags([(0, .began), (1, .ended)], screen: small)
    let second = drags([(0, .began), (2, .ended)])
    func merge(_ other: Trace) throws -> Trace {
      try Merging().merge([
        Merging.Part(first, at: 0, name: "a"), Merging.Part(other, at: 5_000_000_000, name: "b"),
      ]).trace
    }
    let merged = try merge(second)
    #expect(merged[.touch]?.measuredTimes.map { $0 / 1_000_000_000 } == [0, 1, 5, 7])
    #expect(merged.header.screen == small)
    let other = drags([(0, .began), (2, .ended)], screen: large)
    let error = #expect(throws: TraceError.self) { try merge(other) }
    #expect(error?.place == "b: screen" && error?.found == "414.0 x 896.0 points")
  }

  /// A touch does not tell how long the device had recorded.
  @Test func aGapBetweenPartsIsIgnored() throws {
    let trace = drags([(0, .began), (1, .ended)])
    let parts = try Merging.parts(
      [("a", trace), ("b", trace), ("c", trace)], by: .appended(gap: 360_000_000_000_000))
    let outcome = try Merging().merge(parts)
    let length = trace.header.end.seconds
    #expect(
      outcome.trace.header.ignoreZones == [
        IgnoreZone(onset: instant(length), offset: instant(length + 360_000)),
        IgnoreZone(
          onset: instant(2 * length + 360_000), offset: instant(2 * length + 720_000)),
      ])
    #expect(outcome.notes.count { $0.contains("becomes an ignore zone") } == 2)
    // Sensors show it themselves.
    let motions = try Merging.parts(
      [("a", motion([0, 10])), ("b", motion([0, 10]))], by: .appended(gap: 1000))
    #expect(try Merging().merge(motions).trace.header.ignoreZones.isEmpty)
  }

  @Test func touchesHaveNoValuesBetween() throws {
    let trace = drags([(1, .began), (2, .moved), (3, .ended)])
    let block = try #require(trace[.touch])
    let error = #expect(throws: TraceError.self) {
      try Resampling(rate: 10).apply(to: block, of: .touch)
    }
    #expect(error?.found == "touch, whose readings are events")
  }

  /// Two touches of one time are no copies: a finger may come down twice within a clock's tick.
  @Test func nothingIsRepairedAway() {
    var trace = drags([(1, .began), (1, .began), (1, .ended), (1, .ended)])
    #expect(trace.repair().isEmpty)
    #expect(trace[.touch]?.count == 4)
  }
}
