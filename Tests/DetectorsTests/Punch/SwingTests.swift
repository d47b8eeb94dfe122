import Detectors
import Foundation
import TestSupport
import Testing
import TraceModel

/// The punch detector with ``PunchRule/swing`` against its definition.
@Suite struct SwingTests {
  /// Half a sine of acceleration along x.
  private struct Pulse {
    /// In seconds.
    var start: Double
    /// In seconds.
    var length: Double
    /// In m s-2.
    var height: Double

    init(_ start: Double, _ length: Double, _ height: Double) {
      (self.start, self.length, self.height) = (start, length, height)
    }
  }

  private static func parameters(
    _ threshold: Double = 0, refractory: Double = 0.32, arming: PunchArming = .always
  ) -> PunchParameters {
    PunchParameters(
      threshold: threshold, rule: .swing, retrigger: .onceBelowAgain, arming: arming,
      suppression: .nonMaximum, peakWindow: 0, refractory: refractory)
  }

  private func run(
    _ parameters: PunchParameters, _ columns: VectorColumns, blocks size: Int = .max
  ) -> [Detection<PunchEvent>] {
    var detector = PunchDetector(parameters)
    var found: [Detection<PunchEvent>] = []
    var start = columns.range.lowerBound
    while start < columns.range.upperBound {
      let next = start + min(size, columns.range.upperBound - start)
      detector.ingest(contentsOf: columns, in: start..<next, into: &found)
      start = next
    }
    detector.finish(at: TraceInstant(nanoseconds: 1 << 50), into: &found)
    return found
  }

  // MARK: The definition

  /// The number of the bin of a time: they count from the first sample.
  private func bin(_ time: Int64, _ columns: VectorColumns) -> Int {
    let first = columns.range.first { columns[$0].squaredMagnitude.isFinite }
    return Int((time - columns.measuredTimes[first ?? 0]) / 40_000_000)
  }

  /// The equivalent peak by its definition, in double precision and from the whole recording.
  private func definition(_ columns: VectorColumns, peak index: Int) -> Double {
    let times = columns.measuredTimes
    func bin(_ time: Int64) -> Int { self.bin(time, columns) }
    let centre = bin(times[index])
    var sums: [Int: (mean: [Double], high: Double, count: Double)] = [:]
    for position in columns.range {
      let sample = columns[position]
      // What comes later than 0.32 s is not waited for, and ends no gap.
      guard sample.squaredMagnitude.isFinite, times[position] - times[index] <= 320_000_000
      else { continue }
      var all = sums[bin(times[position])] ?? ([0, 0, 0], 0, 0)
      for (axis, value) in [sample.x, sample.y, sample.z].enumerated() {
        all.mean[axis] += Double(value)
      }
      all.high = max(all.high, Double(sample.squaredMagnitude).squareRoot())
      all.count += 1
      sums[bin(times[position])] = all
    }
    /// A bin without samples repeats the last one of the five before, unless nothing comes later.
    func value(_ number: Int) -> (mean: [Double], high: Double) {
      if let all = sums[number] { return (all.mean.map { $0 / all.count }, all.high) }
      guard sums.keys.contains(where: { $0 > number }),
        let last = (number - 5..<number).last(where: { sums[$0] != nil }), let all = sums[last]
      else { return ([0, 0, 0], 0) }
      let mean = all.mean.map { $0 / all.count }
      return (mean, mean.map { $0 * $0 }.reduce(0, +).squareRoot())
    }
    let sample = columns[index]
    let height = Double(sample.squaredMagnitude).squareRoot()
    let direction = [sample.x, sample.y, sample.z].map { Double($0) / height }
    var (impulse, opposite, near, width, still) = (0.0, 0.0, 0.0, 0.0, Double.infinity)
    for offset in -11...7 {
      let bin = value(centre + offset)
      var along = 0.0
      for axis in 0..<3 { along += bin.mean[axis] * direction[axis] }
      if (-4...4).contains(offset) {
        impulse += 0.04 * bin.high
      } else {
        near = max(near, bin.high)
      }
      if (-8 ... -1).contains(offset) { opposite = max(opposite, -along) }
      if (-7...7).contains(offset), bin.high > height / 2 { width += 0.04 }
      if (-10 ... -3).contains(offset) { still = min(still, bin.high) }
    }
    let more: Double = 11 * impulse * pow(opposite + 3, 0.25)
    let less: Double = pow(near + 2, 0.375) * (1 + 0.75 * width) * (1 + 0.25 * still / height)
    return more / less
  }

  /// The peaks by their definition: for each sample all that came within 0.32 s before.
  private func peaks(_ columns: VectorColumns) -> [Int] {
    let times = columns.measuredTimes
    let (apart, window) = (200_000_000 as Int64, 320_000_000 as Int64)
    let share = Float(0.7) * Float(0.7)
    func size(_ index: Int) -> Float { columns[index].squaredMagnitude }
    func pointAlike(_ one: Int, _ two: Int) -> Bool {
      let (left, right) = (columns[one], columns[two])
      return left.x * right.x + left.y * right.y + left.z * right.z > 0
    }
    let loud = columns.range.filter { size($0) > 64 }
    var (open, found) = ([Int](), [Int]())
    for index in loud {
      found += open.filter { times[index] - times[$0] > window }
      open.removeAll { times[index] - times[$0] > window }
      let before = loud.filter { $0 < index && times[index] - times[$0] <= window }
      func belongs(_ rival: Int) -> Bool {
        open.contains { abs(times[$0] - times[rival]) <= 80_000_000 }
      }
      // A later sample that is as high stands for those before it.
      let rivals = before.filter { one in
        !before.contains { $0 > one && size($0) >= size(one) }
      }
      let isHigh = rivals.allSatisfy {
        size($0) < size(index)
          || (belongs($0) && times[index] - times[$0] > apart
            && size(index) >= share * size($0))
      }
      guard isHigh else { continue }
      let rival = open.last
      open.removeAll { size($0) < share * size(index) }
      if let rival, open.last == rival {
        let isOther = times[index] - times[rival] > apart && pointAlike(rival, index)
        if !isOther, size(rival) >= size(index) { continue }
        if !isOther { open.removeLast() }
      }
      open.append(index)
    }
    return found + open
  }

  private func randomColumns(_ random: inout SeededGenerator) -> VectorColumns {
    var columns = VectorColumns()
    var time = Int64.random(in: -5_000_000_000...5_000_000_000, using: &random)
    let steps: [Double] = [1.25, 5, 10, 20, 39, 41, 50]
    let step: Double = steps.randomElement(using: &random) ?? 10
    for _ in 0..<Int.random(in: 0...600, using: &random) {
      time += Int64(step * 1e6)
      if Int.random(in: 0..<40, using: &random) == 0 {
        time += Int64.random(in: 0..<600, using: &random) * 1_000_000
      }
      let isLoud = Int.random(in: 0..<12, using: &random) == 0
      let range: ClosedRange<Float> = isLoud ? -80...80 : -9...9
      var x = Float.random(in: range, using: &random)
      if Int.random(in: 0..<60, using: &random) == 0 { x = .nan }
      let y = Float.random(in: range, using: &random)
      let z = Float.random(in: -9...9, using: &random)
      columns.append(
        Vector3(x: x, y: y, z: z), measured: time,
        arrived: time + Int64.random(in: 0..<30, using: &random) * 1_000_000)
    }
    return columns
  }

  @Test(.longer, arguments: 0..<LongTests.count(quick: 60, long: 400))
  func agreesWithTheDefinition(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let columns = randomColumns(&random)
    let found = run(Self.parameters(), columns)
    let times = columns.measuredTimes
    let last = columns.range.last { columns[$0].squaredMagnitude.isFinite }.map { times[$0] } ?? 0
    let expected = peaks(columns).filter { index in
      let known = max(
        last - times[index] > 320_000_000 ? 7 : 0, bin(last, columns) - bin(times[index], columns))
      return bin(times[index], columns) >= 11 && known >= 7
    }
    #expect(found.map(\.onset.nanoseconds) == expected.map { times[$0] })
    for (detection, index) in zip(found, expected) {
      let right = definition(columns, peak: index)
      let found = try #require(detection.event.equivalentPeak)
      #expect(abs(found - right) <= 1e-4 * right, "seed \(seed), sample \(index)")
      let next = columns.range.first { times[$0] - times[index] > 320_000_000 }
      #expect(
        detection.emitted == next.map { columns.arrived(at: $0) } ?? .init(nanoseconds: 1 << 50))
    }
  }

  // MARK: Laws

  @Test(.longer, arguments: 0..<LongTests.count(quick: 30, long: 200))
  func blocksAndShiftsChangeNothing(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let columns = randomColumns(&random)
    let whole = run(Self.parameters(), columns)
    for size in [1, 2, 7, 64] { #expect(run(Self.parameters(), columns, blocks: size) == whole) }
    var shifted = VectorColumns()
    let shift: Int64 = 123_456_789_012
    for position in columns.range {
      shifted.append(
        columns[position], measured: columns.measuredTimes[position] + shift,
        arrived: columns.arrived(at: position).nanoseconds + shift)
    }
    #expect(
      run(Self.parameters(), shifted).map(\.event) == whole.map(\.event))
    #expect(
      run(Self.parameters(), shifted).map { $0.onset.nanoseconds - shift }
        == whole.map(\.onset.nanoseconds))
  }

  @Test(arguments: 0..<20) func aHigherThresholdKeepsWhatReachesIt(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let columns = randomColumns(&random)
    let all = run(Self.parameters(), columns)
    let scores = try all.map { try #require($0.event.equivalentPeak) }
    for threshold in scores + scores.map(\.nextDown) + [40] {
      let kept = zip(all, scores).filter { $0.1 > threshold }.map(\.0)
      #expect(run(Self.parameters(threshold), columns) == kept)
      #expect(
        PunchDetector.threshold(
          ofScore: PunchDetector.score(ofThreshold: threshold, Self.parameters()),
          Self.parameters()) == threshold)
    }
    #expect(PunchDetector.thresholdRule(of: Self.parameters()) == .nested)
  }

  @Test(arguments: 0..<20) func aSavedDetectorGoesOn(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let columns = randomColumns(&random)
    var detector = PunchDetector(Self.parameters())
    var found: [Detection<PunchEvent>] = []
    for position in columns.range {
      if position % 37 == 5 {
        let data = try JSONEncoder().encode(detector)
        detector = try JSONDecoder().decode(PunchDetector.self, from: data)
      }
      detector.ingest(
        columns[position], measured: columns.measured(at: position),
        arrived: columns.arrived(at: position), into: &found)
    }
    detector.finish(at: TraceInstant(nanoseconds: 1 << 50), into: &found)
    #expect(found == run(Self.parameters(), columns))
  }

  /// A clock that is set back or far ahead, and times at the ends of the range, trap nothing, and the
  /// history starts anew.
  @Test func clocksMayJump() {
    let jumps: [Int64] = [
      0, 10_000_000, -1_000_000_000, .min, .max, 0, -20_000_000, .max - 5, .min + 1, 40_000_000,
    ]
    for seed in 0..<50 {
      var random = SeededGenerator(seed: UInt64(seed))
      var columns = VectorColumns()
      for _ in 0..<200 {
        let time = jumps[Int.random(in: 0..<jumps.count, using: &random)]
        let next =
          Int.random(in: 0..<3, using: &random) == 0
          ? time : time.addingReportingOverflow(7).partialValue
        let x = Float(Int.random(in: 0..<90, using: &random))
        let z: Float = Bool.random(using: &random) ? 0 : .infinity
        columns.append(Vector3(x: x, y: 1, z: z), measured: next, arrived: next)
      }
      let whole = run(Self.parameters(), columns)
      #expect(run(Self.parameters(), columns, blocks: 1) == whole)
      #expect(whole.allSatisfy { $0.event.equivalentPeak?.isNaN == false })
    }
  }

  // MARK: Movements

  private func columns(
    _ pulses: [Pulse], rate: Double, seconds: Double = 4,
    phase: Double = 0
  ) -> VectorColumns {
    var columns = VectorColumns()
    for index in 0..<Int(seconds * rate) {
      let time = (Double(index) + phase) / rate
      var value = 0.3
      for pulse in pulses where time > pulse.start && time < pulse.start + pulse.length {
        value += pulse.height * sin(.pi * (time - pulse.start) / pulse.length)
      }
      let nanoseconds = Int64(time * 1e9)
      columns.append(
        Vector3(x: Float(value), y: 0.1, z: 0.1), measured: nanoseconds, arrived: nanoseconds)
    }
    return columns
  }

  private static let punch = [Pulse(1.8, 0.2, -15), Pulse(2, 0.12, 60)]

  @Test func aPunchScoresAboveAClapAStepAndAnExercise() throws {
    func best(_ pulses: [Pulse]) throws -> Double {
      try #require(
        run(Self.parameters(), columns(pulses, rate: 100)).compactMap(\.event.equivalentPeak).max())
    }
    let punch = try best(Self.punch)
    let clap = try best([Pulse(2, 0.02, 60)])
    let steps = try best(
      (0..<10).map { Pulse(0.5 + 0.34 * Double($0), 0.12, 60 - Double($0 % 3)) })
    let exercise = try best([Pulse(1.5, 1, 60)])
    #expect(punch > 50)
    #expect(clap < 0.5 * punch)
    #expect(steps < 0.8 * punch)
    #expect(exercise < 0.8 * punch)
  }

  @Test(arguments: [25.0, 50, 100, 200, 400, 800]) func aRateChangesLittle(rate: Double) throws {
    let reference = try #require(
      run(Self.parameters(), columns(Self.punch, rate: 1000)).first?.event.equivalentPeak)
    for phase in [0.0, 0.3, 0.7] {
      let found = run(Self.parameters(40), columns(Self.punch, rate: rate, phase: phase))
      #expect(found.count == 1)
      let strength = try #require(found.first?.event.equivalentPeak)
      #expect(abs(strength / reference - 1) < (rate < 50 ? 0.3 : 0.15), "\(strength), \(reference)")
    }
  }

  /// The second of two blows of a hand is no part of the first; what accelerates the fist is.
  @Test(arguments: [25.0, 50, 100, 400]) func twoBlowsOfOneHandAreTwo(rate: Double) {
    func pair(_ second: Double, after gap: Double) -> [Pulse] {
      Self.punch + [Pulse(2 + gap, 0.12, second)]
    }
    func count(_ pulses: [Pulse]) -> Int {
      run(Self.parameters(), columns(pulses, rate: rate)).count
    }
    #expect(count(pair(60, after: 0.28)) == 2)
    #expect(count(pair(50, after: 0.28)) == 2)
    #expect(count(pair(75, after: 0.28)) == 2)
    #expect(count(pair(30, after: 0.28)) == 1)
    #expect(count(pair(-60, after: 0.28)) == 1)
    #expect(count(pair(60, after: 0.14)) == 1)
  }

  /// A recording is started and stopped by hand.
  @Test func whatARecordingCutsOffIsNotReported() {
    func starting(at start: Double) -> [Pulse] {
      Self.punch.map { Pulse($0.start - 2 + start, $0.length, $0.height) }
    }
    func count(_ start: Double, seconds: Double, arming: PunchArming = .always) -> Int {
      let signal = columns(starting(at: start), rate: 100, seconds: seconds)
      var detector = PunchDetector(Self.parameters(20, arming: arming))
      var found: [Detection<PunchEvent>] = []
      detector.handle(.arm, at: .zero, into: &found)
      detector.ingest(contentsOf: signal, in: signal.range, into: &found)
      detector.finish(at: TraceInstant(nanoseconds: 10_000_000_000), into: &found)
      return found.count
    }
    #expect(count(0.5, seconds: 2) == 1)
    #expect(count(0.3, seconds: 2) == 0)
    #expect(count(0.3, seconds: 2, arming: .actions) == 1)
    #expect(count(1.5, seconds: 2) == 1)
    #expect(count(1.5, seconds: 1.8) == 0)
    #expect(count(1.5, seconds: 1.8, arming: .actions) == 1)
  }

  @Test func aSeriesOfTwoASecondIsFound() {
    let series: [Pulse] = (0..<8).flatMap { index in
      Self.punch.map { Pulse($0.start + 0.5 * Double(index), $0.length, $0.height) }
    }
    let found = run(Self.parameters(40), columns(series, rate: 100, seconds: 8))
    #expect(found.count == 8)
  }

  @Test func disarmingReportsWhatIsKnown() {
    let signal = columns(Self.punch, rate: 100)
    var detector = PunchDetector(Self.parameters(20, arming: .actions))
    var found: [Detection<PunchEvent>] = []
    for position in signal.range {
      let time = signal.measured(at: position)
      if time.nanoseconds == 1_500_000_000 { detector.handle(.arm, at: time, into: &found) }
      if time.nanoseconds == 2_150_000_000 { detector.handle(.disarm, at: time, into: &found) }
      detector.ingest(signal[position], measured: time, arrived: time, into: &found)
    }
    #expect(found.map(\.emitted.nanoseconds) == [2_150_000_000])
  }
}
