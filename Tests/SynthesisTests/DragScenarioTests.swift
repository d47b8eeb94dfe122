import TestSupport
import Testing
import TraceModel

@testable import Synthesis

@Suite struct DragScenarioTests {
  static let specs = Synthesizer.corpus.filter { $0.kind == .drags }

  private func touches(_ trace: Trace) throws -> TouchColumns {
    try #require(trace[.touch].flatMap { TouchColumns($0) })
  }

  private func layout(_ trace: Trace) throws -> TileLayout {
    let letters = try #require(trace.header.info(.touch)?.attributes["letters"].flatMap { Int($0) })
    #expect(trace.header.info(.touch)?.attributes["layout"] == "fitted")
    return TileLayout(.fitted, screen: try #require(trace.header.screen), letters: letters)
  }

  /// Each reference is the release of a finger that came down on the tile which it names.
  @Test(arguments: specs)
  func referencesAreReleases(_ spec: ScenarioSpec) throws {
    let trace = MadeTraces.trace(spec)
    let (touches, layout) = try (touches(trace), layout(trace))
    let events = try #require(trace.header.reference(.drop)).events
    #expect(events.count > 50)
    for event in events {
      let time = event.onset.nanoseconds
      let end = try #require(touches.measuredTimes.firstIndex(of: time))
      #expect(touches[end].phase == .ended && touches[end].pointer == 0)
      let start = try #require(
        touches.range[..<end].last { touches[$0].phase == .began && touches[$0].pointer == 0 })
      let tile = try #require(Int(event.originalLabel.dropFirst(5)))
      let finger = TileLayout.Point(x: touches[start].x, y: touches[start].y)
      #expect(layout.square(around: layout.tiles[tile - 1], contains: finger))
      #expect(try layout.slots.indices.contains(Int(#require(event.place)) - 1))
    }
    // Board by board, the slots come from the left; a cancelled drag leaves one out.
    let boards = try #require(trace[.action].flatMap { ActionColumns($0) })
    #expect(boards.count > 10 && boards.values.allSatisfy { $0 == .continue })
    var start: Int64 = 0
    for end in boards.measuredTimes {
      let slots = events.filter { start < $0.onset.nanoseconds && $0.onset.nanoseconds < end }
        .compactMap(\.place)
      #expect(zip(slots, slots.dropFirst()).allSatisfy { $0 < $1 })
      start = end
    }
  }

  /// What a detector has to cope with is there, and each finger's phases are in order.
  @Test(arguments: specs)
  func fingersAreLiftedLostAndJoined(_ spec: ScenarioSpec) throws {
    let touches = try touches(MadeTraces.trace(spec))
    var down: Set<Int32> = []
    var counts: [Touch.Phase: Int] = [:]
    for touch in touches.values {
      counts[touch.phase, default: 0] += 1
      switch touch.phase {
      case .began: #expect(down.insert(touch.pointer).inserted)
      case .moved: #expect(down.contains(touch.pointer))
      case .ended, .cancelled: #expect(down.remove(touch.pointer) != nil)
      }
    }
    #expect(down.isEmpty)
    #expect(counts[.cancelled, default: 0] > 0 && touches.values.contains { $0.pointer == 1 })
    #expect(counts[.moved, default: 0] > 20 * counts[.began, default: 0])
  }

  /// The moments of the errors are those of the publication: sample variances over 40,000 draws have a
  /// standard error of 0.7 %.
  @Test func errorsHaveThePublishedVariance() {
    let reach = TouchReach(millimetersPerPoint: 0.15, spread: 1, slowness: 1)
    var random = SeededGenerator(seed: 3)
    // 48 points are 7.2 mm: 0.0075 * 51.84 + 1.68 = 2.0688 and 0.0108 * 51.84 + 1.33 = 1.889872.
    let errors = (0..<40_000).map { _ in reach.error(atTargetOf: 48, &random) }
    func variance(_ values: [Double]) -> Double {
      values.reduce(0) { $0 + $1 * $1 } / Double(values.count) * 0.15 * 0.15
    }
    #expect(abs(variance(errors.map(\.x)) / 2.0688 - 1) < 0.03)
    #expect(abs(variance(errors.map(\.y)) / 1.889872 - 1) < 0.03)
    let mean = errors.reduce(0) { $0 + $1.x } / 40_000
    #expect(abs(mean) < 0.2)
  }

  /// By hand: 3 sides away are 2 bits, 525 ms; at no distance the shortest time holds.
  @Test func timesFollowFittsLaw() {
    let reach = TouchReach(millimetersPerPoint: 0.15, spread: 1, slowness: 2)
    #expect(abs(reach.duration(over: 120, toTargetOf: 40) - 2 * 0.525) < 1e-12)
    #expect(reach.duration(over: 0, toTargetOf: 40) == 0.1)
  }

  /// From rest to rest, symmetric, and with its largest speed, 15/8 of the mean, in the middle.
  @Test func theHandMovesWithMinimumJerk() {
    #expect(TouchReach.progress(0) == 0 && TouchReach.progress(1) == 1)
    #expect(TouchReach.progress(0.5) == 0.5)
    #expect(TouchReach.progress(-3) == 0 && TouchReach.progress(7) == 1)
    for step in 0...50 {
      let t = Double(step) / 50
      #expect(abs(TouchReach.progress(t) + TouchReach.progress(1 - t) - 1) < 1e-12)
    }
    let h = 1e-5
    let speed = (TouchReach.progress(0.5 + h) - TouchReach.progress(0.5 - h)) / (2 * h)
    #expect(abs(speed - 15.0 / 8) < 1e-6)
    #expect(TouchReach.progress(h) / h < 1e-8)
  }
}
