import Detectors
import TestSupport
import Testing
import TraceModel

/// What holds for any touches.
@Suite struct TileDragLawTests {
  /// Touches of three fingers, mostly on tiles and slots, in any order.
  private static func touches(_ random: inout SeededGenerator, _ layout: TileLayout) -> TouchColumns
  {
    var columns = TouchColumns()
    var time: Int64 = 0
    let centres = layout.tiles + layout.slots
    for _ in 0..<Int(random.uniform(0...120)) {
      time += Int64(random.uniform(0...400)) * 1_000_000
      let centre = centres[Int(random.unit() * Double(centres.count))]
      let spread = random.unit() < 0.1 ? 200.0 : 20
      let phases: [Touch.Phase] = [.began, .began, .moved, .ended, .ended, .cancelled]
      var x = centre.x + random.normal(standardDeviation: spread)
      if random.unit() < 0.02 { x = .nan }
      columns.append(
        Touch(
          x: x, y: centre.y + random.normal(standardDeviation: spread),
          phase: phases[Int(random.unit() * 6)], pointer: random.unit() < 0.2 ? 1 : 0),
        measured: time - Int64(random.uniform(0...20)) * 1_000_000, arrived: time)
    }
    return columns
  }

  private static func parameters(_ random: inout SeededGenerator) -> TileDragDetector.Parameters {
    var parameters = random.unit() < 0.5 ? TileDragDetector.Parameters.iPict : .init()
    parameters.letters = Double(3 + Int(random.unit() * 4))
    parameters.radius = random.uniform(0.05...1)
    parameters.screenWidth = random.uniform(200...1400)
    parameters.screenHeight = random.uniform(200...1400)
    parameters.allowsSecondFinger = random.unit() < 0.5
    parameters.returnDelay = random.unit() < 0.5 ? 0 : 0.7
    return parameters
  }

  private static func run(
    _ parameters: TileDragDetector.Parameters, _ columns: TouchColumns, blocks size: Int
  ) -> [Detection<TileDragEvent>] {
    var detector = TileDragDetector(parameters, places: [])
    var found: [Detection<TileDragEvent>] = []
    var rest = columns
    while !rest.isEmpty { detector.ingest(contentsOf: rest.popFirst(size), into: &found) }
    while let deadline = detector.deadline { detector.advance(to: deadline, into: &found) }
    return found
  }

  @Test(.longer, arguments: 0..<LongTests.count(quick: 200, long: 2000) as Range<UInt64>)
  func blocksOfAnySizeGiveTheSame(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parameters = Self.parameters(&random)
    let columns = Self.touches(&random, parameters.tileLayout)
    let whole = Self.run(parameters, columns, blocks: .max)
    for size in [1, 3, 17] {
      #expect(
        Self.run(parameters, columns, blocks: size) == whole, "seed \(seed), blocks of \(size)")
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func aShiftInTimeShiftsAndChangesNothingElse(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parameters = Self.parameters(&random)
    let columns = Self.touches(&random, parameters.tileLayout)
    let shift: Int64 = 86_400_000_000_123
    var later = TouchColumns()
    for position in columns.range {
      later.append(
        columns[position], measured: columns.measuredTimes[position] + shift,
        arrived: columns.arrived(at: position).nanoseconds + shift)
    }
    let expected = Self.run(parameters, columns, blocks: .max).map { detection in
      Detection(
        onset: detection.onset.advanced(byNanoseconds: shift),
        emitted: detection.emitted.advanced(byNanoseconds: shift),
        newestMeasured: detection.newestMeasured.advanced(byNanoseconds: shift),
        event: detection.event)
    }
    #expect(Self.run(parameters, later, blocks: .max) == expected, "seed \(seed)")
  }

  /// At any time no tile is in two slots, each drop fits its rule, and the counts agree.
  @Test(.longer, arguments: 0..<LongTests.count(quick: 200, long: 2000) as Range<UInt64>)
  func theBoardIsOneThatTheRulesAllow(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parameters = Self.parameters(&random)
    let columns = Self.touches(&random, parameters.tileLayout)
    var detector = TileDragDetector(parameters, places: [])
    var found: [Detection<TileDragEvent>] = []
    for position in columns.range {
      detector.ingest(
        contentsOf: columns[position..<(position + 1)], into: &found)
      let tiles = detector.board.compactMap(\.self)
      #expect(Set(tiles).count == tiles.count, "seed \(seed)")
      #expect(tiles.allSatisfy { (1...12).contains($0) })
    }
    let events = found.map(\.event)
    let side = detector.layout.side
    for event in events where event.type == .drop {
      let limit =
        parameters.rule == .nearest ? parameters.radius * side : side / 2 * 2.0.squareRoot()
      #expect(event.distance <= limit, "seed \(seed)")
    }
    func count(_ kind: TileDragEvent.Kind) -> Double { Double(events.count { $0.type == kind }) }
    let measured = detector.measurements.map(\.value)
    #expect(measured[1] == count(.drop) && measured[2] == count(.miss), "seed \(seed)")
    #expect(measured[0] >= count(.drop) + count(.miss) + count(.cancel), "seed \(seed)")
  }

  /// The slots by a second way: all distances, sorted.
  @Test func theNearestFreeSlotIsTheNearestOfAllFreeOnes() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<500 {
      var parameters = TileDragDetector.Parameters()
      parameters.letters = Double(3 + Int(random.unit() * 4))
      parameters.radius = 1
      var script = TileDragScript(parameters)
      script.drag(from: script.tile(12), to: script.slot(2))
      let layout = script.layout
      let target = TileLayout.Point(
        x: random.uniform(0...320), y: layout.slots[0].y + random.uniform(-60...60))
      script.drag(from: script.tile(3), to: target)
      let nearest = layout.slots.enumerated().filter { $0.offset != 1 }
        .map { (slot: $0.offset + 1, distance: $0.element.distance(to: target)) }
        .sorted { ($0.distance, $0.slot) < ($1.distance, $1.slot) }[0]
      let event = script.run()[1].event
      if nearest.distance < 42.9 {
        #expect(event.type == .drop && event.slot == nearest.slot)
      } else if nearest.distance > 43.1 {
        #expect(event.type == .miss)
      }
    }
  }

  /// Why a sweep of the radius runs the detector for each value: a larger radius can lose a drop.
  @Test func dropsAreNotNestedInTheRadius() {
    func drops(_ radius: Double) -> [String] {
      var parameters = TileDragDetector.Parameters()
      parameters.letters = 3
      parameters.radius = radius
      var script = TileDragScript(parameters)
      script.drag(from: script.tile(1), to: script.slot(2), off: (0, -30))
      script.drag(from: script.tile(2), to: script.slot(2), off: (0, -5))
      return script.said().filter { $0.hasPrefix("drop") }
    }
    #expect(drops(0.5) == ["drop tile-2 2 5.0 @ 61"])
    #expect(drops(0.9) == ["drop tile-1 2 30.0 @ 31"])
  }

  @Test func aTraceStatesItsScreen() throws {
    var header = TraceHeader(id: "t", origin: .recorded)
    header.screen = ScreenSize(width: 414, height: 896)
    let presets = TileDragDetector.presets
    let plain = try #require(presets.first).parameters(for: header)
    #expect((plain.screenWidth, plain.screenHeight, plain.letters) == (414, 896, 6))
    #expect(plain.layout == .fitted && presets[1].parameters(for: header).layout == .iPict)
    var trace = Trace(header: header)
    for (letters, layout, count) in [("4", "fitted", 4.0), ("9", "none", 6), ("x", "", 6)] {
      trace.set(
        .touch(TouchColumns()), for: .touch, attributes: ["letters": letters, "layout": layout])
      let original = presets[1].parameters(for: trace.header)
      #expect(original.letters == count && original.rule == .contains)
      #expect(original.layout == (layout == "fitted" ? .fitted : .iPict))
    }
    // Values out of range, which only code can set, give the nearest layout.
    var wild = TileDragDetector.Parameters()
    (wild.letters, wild.screenWidth, wild.screenHeight) = (99, -5, .nan)
    #expect(wild.tileLayout.slots.count == 6)
    (wild.letters, wild.screenWidth) = (.nan, .infinity)
    #expect(wild.tileLayout.slots.count == 6)
  }
}
