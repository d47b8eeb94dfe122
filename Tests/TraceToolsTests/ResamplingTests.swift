import Foundation
import GSL
import TestSupport
import Testing
import TraceModel

@testable import TraceTools

/// Figures of SciPy: `Tests/Fixtures/resampling.tsv`, made by the script next to it.
@Suite struct ResamplingTests {
  static func figures(_ name: String) throws -> [(time: Double, value: Double)] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/resampling.tsv")
    var rows: [(time: Double, value: Double)] = []
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      let cells = line.split(separator: "\t").map(String.init)
      if cells[0] == name { rows.append((Double(cells[1]) ?? .nan, Double(cells[2]) ?? .nan)) }
    }
    try #require(!rows.isEmpty)
    return rows
  }

  /// Pressure holds doubles, so that what is compared is not the rounding of columns.
  static func pressure(_ rows: [(time: Double, value: Double)]) -> ChannelBlock {
    .scalar(
      ScalarColumns(
        times: TimeColumns(measured: rows.map { Int64($0.time) }),
        values: rows.map { Scalar(value: $0.value) }))
  }

  static func values(_ block: ChannelBlock) -> [Double] {
    guard case .scalar(let columns) = block else { return [] }
    return columns.range.map { columns[$0].value }
  }

  @Test(arguments: [Interpolation.Method.linear, .akima, .cubic])
  func agreesWithSciPy(method: Interpolation.Method) throws {
    let step = Resampling(rate: 250, method: method)
    let outcome = try step.apply(to: Self.pressure(try Self.figures("input")), of: .pressure)
    let expected = try Self.figures(method.rawValue)
    #expect(outcome.block.measuredTimes == expected.map { Int64($0.time) })
    for (found, row) in zip(Self.values(outcome.block), expected) {
      #expect(abs(found - row.value) < 1e-9, "\(method.rawValue) at \(row.time)")
    }
    #expect(outcome.name == "\(method.rawValue) to 250.0 Hz, gaps over 0.2 s kept")
  }

  @Test func theLowPassAgreesWithSciPy() throws {
    let even = try Self.figures("even")
    let outcome = try Resampling(rate: 25).apply(to: Self.pressure(even), of: .pressure)
    #expect(outcome.name.contains("lowpass kaiser sinc"))
    let found = Dictionary(
      uniqueKeysWithValues: zip(outcome.block.measuredTimes, Self.values(outcome.block)))
    for row in try Self.figures("lowpass") {
      let value = try #require(found[Int64(row.time)])
      #expect(abs(value - row.value) < 1e-9, "at \(row.time)")
    }
    // What the documentation states: 0.1 % up to 0.4 of the rate, and from half of it on.
    for row in try Self.figures("response") {
      if row.time <= 0.4 { #expect(abs(row.value - 1) < 1e-3) }
      if row.time >= 0.5 { #expect(row.value < 1e-3) }
    }
  }

  /// A constant stays one, also at the ends of a stretch, where the kernel is cut off.
  @Test(arguments: [7.0, 20, 25, 33.3, 50, 100, 173, 400])
  func aConstantStaysOne(rate: Double) throws {
    let block = Self.pressure((0..<500).map { (Double($0) * 1e7, 4.25) })
    let outcome = try Resampling(rate: rate, method: .akima).apply(to: block, of: .pressure)
    #expect(Double(outcome.block.count) >= (4.99 * rate).rounded(.down))
    for value in Self.values(outcome.block) { #expect(abs(value - 4.25) < 1e-12) }
  }

  @Test func steffensSplineNeverOvershoots() throws {
    var random = SeededGenerator(seed: 4)
    let rows = (0..<200).map { (time: Double($0) * 1e7, value: random.normal()) }
    let outcome = try Resampling(rate: 1000, method: .steffen)
      .apply(to: Self.pressure(rows), of: .pressure)
    for (time, value) in zip(outcome.block.measuredTimes, Self.values(outcome.block)) {
      let index = min(Int(time / 10_000_000), rows.count - 2)
      let (low, high) = (rows[index].value, rows[index + 1].value)
      #expect(value >= min(low, high) - 1e-12 && value <= max(low, high) + 1e-12)
    }
  }

  /// No tick lies strictly between two readings that are further apart than the limit, none is
  /// missing elsewhere, and each value lies between its neighbours.
  @Test(.longer, arguments: 1...LongTests.count(quick: 10, long: 30) as ClosedRange<UInt64>)
  func nothingIsInventedAcrossAGap(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var time: Int64 = 0
    var times: [Int64] = []
    for _ in 0..<300 {
      times.append(time)
      let isGap = random.unit() < 0.05
      time += Int64(random.uniform(isGap ? 2e8...3e9 : 1e6...8e7))
    }
    let limit: Int64 = 150_000_000
    let rate = random.uniform(5...200)
    var step = Resampling(rate: rate, maximumGap: .nanoseconds(limit), isAntiAliased: false)
    let rows = times.map { (time: Double($0), value: random.normal()) }
    let outcome = try step.apply(to: Self.pressure(rows), of: .pressure)
    let found = Set(outcome.block.measuredTimes)
    let grid = TickGrid(rate: rate)
    for tick in 0...grid.last(notAfter: times[times.count - 1]) {
      let place = grid.time(of: tick)
      let next = times.partitioningIndex { $0 >= place }
      let isReading = times[next] == place
      let interval = isReading ? 0 : times[next] - times[next - 1]
      #expect(found.contains(place) == (interval <= limit), "seed \(seed), tick \(tick)")
    }
    #expect(
      outcome.gaps.map { $0.upperBound - $0.lowerBound }.allSatisfy { $0 > limit })
    step.fillsGaps = true
    let filled = try step.apply(to: Self.pressure(rows), of: .pressure)
    #expect(filled.block.count == found.count + filled.filled)
    #expect(filled.block.count == Int(grid.last(notAfter: times[times.count - 1])) + 1)
  }

  @Test func resamplingTwiceIsResamplingOnce() throws {
    let rows = try Self.figures("input")
    let step = Resampling(rate: 200, method: .linear)
    let once = try step.apply(to: Self.pressure(rows), of: .pressure)
    let twice = try step.apply(to: once.block, of: .pressure)
    #expect(twice.block.measuredTimes == once.block.measuredTimes)
    for (one, two) in zip(Self.values(once.block), Self.values(twice.block)) {
      #expect(abs(one - two) < 1e-9)
    }
  }

  /// A tone above half of the new rate would come out as one below it.
  @Test func theLowPassKeepsOutWhatTheRateCannotShow() throws {
    var tone: [(time: Double, value: Double)] = []
    for index in 0..<2000 {
      tone.append((Double(index) * 1e7, Math.sin(2 * .pi * 0.2 * Double(index))))
    }
    func power(_ isFiltered: Bool) throws -> Double {
      let step = Resampling(rate: 25, isAntiAliased: isFiltered)
      // Without the ends, where the kernel is cut off.
      let values = Self.values(try step.apply(to: Self.pressure(tone), of: .pressure).block)[
        30..<470]
      return values.reduce(0) { $0 + $1 * $1 } / Double(values.count)
    }
    #expect(try power(false) > 0.4)
    #expect(try power(true) < 1e-6)
  }

  @Test func missingAndDuplicatedReadings() throws {
    var rows = (0..<20).map { (time: Double($0) * 1e7, value: Double($0)) }
    rows[5].value = .nan
    rows.insert((time: 1e8, value: 14), at: 11)
    let outcome = try Resampling(rate: 100).apply(to: Self.pressure(rows), of: .pressure)
    #expect(outcome.missing == 1)
    #expect(outcome.duplicated == 1)
    let values = Self.values(outcome.block)
    #expect(values[5] == 5, "the hole is filled")
    #expect(values[10] == 12, "the mean of 10 and 14")
  }

  @Test func fewReadingsDoNotBecomeManyTicks() throws {
    let rows = (0..<50).map { (time: Double($0) * 3.6e13, value: 1.0) }
    let error = #expect(throws: TraceError.self) {
      try Resampling(rate: 50).apply(to: Self.pressure(rows), of: .pressure)
    }
    #expect(error?.expected == "at most 4050000 ticks for 50 readings")
    let outcome = try Resampling(rate: 1).apply(to: Self.pressure(rows), of: .pressure)
    #expect(outcome.block.count == 49 * 36_000 + 1)
  }

  @Test func headingsTurnTheShortWay() throws {
    let block = Self.pressure([(0, 350), (1e8, 10), (2e8, 350)])
    let outcome = try Resampling(rate: 20).apply(to: block, of: .heading)
    let values = Self.values(outcome.block)
    for (found, expected) in zip(values, [350.0, 0, 10, 0, 350]) {
      #expect(abs((found - expected).remainder(dividingBy: 360)) < 1e-9, "\(values)")
      #expect((0..<360).contains(found))
    }
  }

  @Test func locationsGoStraightAndAcrossTheDateLine() throws {
    var columns = FixColumns()
    let first = Fix(
      latitude: 10, longitude: 179.9, altitude: 5, horizontalAccuracy: 4, speed: -1, course: 350)
    let second = Fix(
      latitude: 11, longitude: -179.9, altitude: .nan, horizontalAccuracy: 8, speed: 3, course: 10)
    columns.append(first, measured: 0, arrived: 0)
    columns.append(second, measured: 2_000_000_000, arrived: 2_000_000_000)
    let outcome = try Resampling(rate: 1).apply(to: .fix(columns), of: .location)
    let fixes = try #require(FixColumns(outcome.block)).all
    try #require(fixes.count == 3)
    #expect(fixes[0].speed == -1, "what is measured stays as it is")
    #expect(fixes[1].latitude == 10.5)
    #expect(abs(abs(fixes[1].longitude) - 180) < 1e-9)
    #expect(fixes[1].horizontalAccuracy == 6)
    #expect(fixes[1].speed.isNaN && fixes[1].altitude.isNaN)
    #expect(abs(fixes[1].course) < 1e-9)
    #expect(fixes[2].latitude == 11)
  }

  @Test func theTraceNamesTheStep() throws {
    var trace = motion((0..<100).map { $0 * 10_000_000 })
    trace.header.end = instant(3)
    let once = try trace.resampled([.userAcceleration], by: Resampling(rate: 200)).trace
    let twice = try once.resampled([.userAcceleration], by: Resampling(rate: 20)).trace
    let name = try #require(twice.header.info(.userAcceleration)?.attributes["resampling"])
    #expect(name.hasPrefix("linear to 200.0 Hz, gaps over 0.2 s kept; then linear to 20.0 Hz"))
    #expect(twice.header.end == instant(3))
    #expect(once.vectors.x[1] == 0.5)
  }

  @Test func refusals() throws {
    let backward = Self.pressure([(0, 1), (10, 2), (5, 3)])
    #expect(throws: TraceError.self) { try Resampling(rate: 50).apply(to: backward, of: .pressure) }
    let long = Self.pressure([(0, 1), (9e18, 2)])
    let step = Resampling(rate: 50, fillsGaps: true)
    #expect(throws: TraceError.self) { try step.apply(to: long, of: .pressure) }
    #expect(throws: TraceError.self) {
      try Resampling(rate: 50, method: .akima).apply(to: .fix(FixColumns()), of: .location)
    }
    for channel in [Channel.heartbeat, .action] {
      #expect(throws: TraceError.self) {
        try Resampling(rate: 50).apply(to: ChannelBlock(emptyFor: channel), of: channel)
      }
    }
  }

  /// A grid or an error, never a trap.
  @Test(arguments: [[], [5_000_000], [.min, .max], [.min, .min + 1, 0, .max], [-1, 0, 1]])
  func anyTimesAreFine(times: [Int64]) {
    let block = motion(times)[.userAcceleration] ?? .vector(VectorColumns())
    for method in Interpolation.Method.allCases {
      for rate in [0.7, 50, 1e6] {
        let outcome = Result {
          try Resampling(rate: rate, method: method).apply(to: block, of: .userAcceleration)
        }
        switch outcome {
        case .success(let outcome): #expect(outcome.block.count <= 100)
        case .failure(let error): #expect(error is TraceError)
        }
      }
    }
  }
}
