@testable import Detectors
import Foundation
import TestSupport
import Testing
import TraceModel

/// Punches that are reported at once and withdrawn when later readings speak against them.
@Suite struct WithdrawalTests {
  private static func parameters(
    below: Double = 40, gravityTurn: Double = 180, rule: PunchRule = .magnitude
  ) -> PunchParameters {
    PunchParameters(
      threshold: 25, rule: rule, retrigger: .onceBelowAgain, arming: .always,
      suppression: rule == .swing ? .nonMaximum : .lockout, peakWindow: 0.08, refractory: 0.4,
      gravityTurn: gravityTurn, withdrawBelow: below)
  }

  /// Every 4 s in turn: a punch (the arm is accelerated and stopped) and a knock (a single sharp peak).
  private static let peaks: [(time: Int64, isPunch: Bool)] = (0..<8).map { index in
    let seconds = Int64(4 * index + 2)
    return (time: seconds * 1_000_000_000, isPunch: index.isMultiple(of: 2))
  }

  private static func recording(step: Int64 = 10_000_000) -> VectorColumns {
    var columns = VectorColumns()
    for index in 0..<Int(32_000_000_000 / step) {
      let time = Int64(index) * step
      let near = peaks.min { abs($0.time - time) < abs($1.time - time) } ?? peaks[0]
      let t = Double(time - near.time) / 1e9
      var x = 0.2 * Double(index % 3)
      func bump(_ middle: Double, _ width: Double) -> Double {
        exp(-(t - middle) * (t - middle) / width)
      }
      if near.isPunch {
        x += 30 * bump(-0.15, 0.004)
        x -= 70 * bump(0, 0.0012)
      } else {
        x -= 45 * bump(0, 0.00005)
      }
      columns.append(Vector3(x: Float(x), y: 0, z: 0), measured: time, arrived: time)
    }
    return columns
  }

  private func run(
    _ parameters: PunchParameters, blocks size: Int = 1,
    raw: ((Int64) -> Vector3)? = nil
  ) -> [Detection<PunchEvent>] {
    let columns = Self.recording()
    var detector = PunchDetector(parameters)
    var found: [Detection<PunchEvent>] = []
    for start in stride(from: 0, to: columns.range.upperBound, by: size) {
      let end = min(start + size, columns.range.upperBound)
      detector.ingest(contentsOf: columns, in: start..<end, into: &found)
      guard let raw else { continue }
      for position in start..<end {
        let time = TraceInstant(nanoseconds: columns.measuredTimes[position])
        detector.ingest(
          companion: Reading(
            device: DeviceID(0), channel: .acceleration, sequence: position, measured: time,
            arrived: time, value: .vector(raw(time.nanoseconds))), into: &found)
      }
    }
    detector.finish(at: TraceInstant(nanoseconds: 32_000_000_000), into: &found)
    return found
  }

  private func split(
    _ found: [Detection<PunchEvent>]
  ) -> (punches: [Detection<PunchEvent>], withdrawn: [Detection<PunchEvent>]) {
    (found.filter { $0.event.kind == "punch" }, found.filter { $0.event.kind == "withdrawn" })
  }

  @Test func aKnockIsWithdrawnAndAPunchStays() {
    let found = split(run(Self.parameters()))
    #expect(found.punches.count == 8)
    let onsets = found.punches.map(\.onset)
    #expect(found.withdrawn.map(\.onset) == [onsets[1], onsets[3], onsets[5], onsets[7]])
    for withdrawal in found.withdrawn {
      // With the first sample more than 0.32 s after the peak.
      #expect(withdrawal.emitted.nanoseconds - withdrawal.onset.nanoseconds == 330_000_000)
    }
    // A punch is reported long before that.
    for punch in found.punches {
      #expect(punch.emitted.nanoseconds - punch.onset.nanoseconds <= 100_000_000)
    }
  }

  /// What is reported does not depend on withdrawals, and without them nothing is withdrawn.
  @Test func reportsAreThoseOfTheRuleAlone() {
    let plain = run(Self.parameters(below: 0))
    #expect(split(plain).withdrawn.isEmpty)
    #expect(split(run(Self.parameters())).punches == plain)
    #expect(split(run(Self.parameters(below: 2000))).withdrawn.map(\.onset) == plain.map(\.onset))
    #expect(PunchDetector.withdraws(Self.parameters()))
    #expect(!PunchDetector.withdraws(Self.parameters(below: 0)))
  }

  /// The evidence is the equivalent peak, by the rule `swing`, of the highest sample up to 0.32 s later.
  @Test func whatIsWithdrawnIsWhatTheRuleSwingWouldNotReport() {
    var swing = Self.parameters(below: 0, rule: .swing)
    swing.threshold = 0
    let peaks = run(swing)
    func score(_ punch: Detection<PunchEvent>) -> Double {
      let near = peaks.filter {
        (0...320_000_000).contains($0.onset.nanoseconds - punch.onset.nanoseconds)
      }
      return near.compactMap(\.event.equivalentPeak).max() ?? 0
    }
    let limits = peaks.compactMap(\.event.equivalentPeak).filter { $0 > 0 }.sorted()
    #expect(limits.count >= 8)
    for limit in limits {
      let found = split(run(Self.parameters(below: limit)))
      let expected = found.punches.filter { score($0) <= limit }.map(\.onset)
      #expect(found.withdrawn.map(\.onset) == expected)
    }
  }

  @Test func aFallIsWithdrawnLater() {
    // Gravity turns with the third punch, at 18 s, for good.
    let raw: (Int64) -> Vector3 = {
      $0 < 18_000_000_000 ? Vector3(x: 0, y: 0, z: 9.8) : Vector3(x: 9.8, y: 0, z: 0)
    }
    let found = split(run(Self.parameters(gravityTurn: 60), raw: raw))
    let fall = found.withdrawn.filter { abs($0.onset.nanoseconds - 18_000_000_000) < 250_000_000 }
    #expect(found.withdrawn.count == 5)
    #expect(fall.count == 1)
    #expect(fall.allSatisfy { $0.emitted.nanoseconds - $0.onset.nanoseconds == 1_610_000_000 })
    // With the rule swing a fall is all that is left to find.
    let swing = split(
      run(Self.parameters(below: 1, gravityTurn: 60, rule: .swing), raw: raw))
    #expect(swing.withdrawn.count == 1)
  }

  /// A swing that is over the threshold when it begins and again, more than the refractory period
  /// later, when it ends, is reported twice and stays once.
  @Test func oneSwingStaysOnce() {
    var columns = VectorColumns()
    for index in 0..<400 {
      let time = Int64(index) * 10_000_000
      let t = Double(time) / 1e9 - 2
      let x = 35 * exp(-(t + 0.25) * (t + 0.25) / 0.002) - 70 * exp(-t * t / 0.0012)
      columns.append(Vector3(x: Float(x), y: 0, z: 0), measured: time, arrived: time)
    }
    var parameters = Self.parameters()
    (parameters.peakWindow, parameters.refractory) = (0, 0.2)
    var detector = PunchDetector(parameters)
    var found: [Detection<PunchEvent>] = []
    detector.ingest(contentsOf: columns, into: &found)
    detector.finish(at: TraceInstant(nanoseconds: 4_000_000_000), into: &found)
    #expect(split(found).punches.count == 2)
    #expect(split(found).withdrawn.map(\.onset) == [split(found).punches[1].onset])
  }

  @Test(arguments: [2, 3, 7, 100, 4096])
  func blocksOfAnySizeAgree(size: Int) {
    #expect(run(Self.parameters(), blocks: size) == run(Self.parameters()))
  }

  @Test func aStateComesBackInTheMiddle() throws {
    let columns = Self.recording()
    var detector = PunchDetector(Self.parameters())
    var found: [Detection<PunchEvent>] = []
    for position in columns.range {
      let time = TraceInstant(nanoseconds: columns.measuredTimes[position])
      detector.ingest(columns[position], measured: time, arrived: time, into: &found)
      if position % 97 == 0 {
        detector = try JSONDecoder().decode(
          PunchDetector.self, from: JSONEncoder().encode(detector))
      }
    }
    detector.finish(at: TraceInstant(nanoseconds: 32_000_000_000), into: &found)
    #expect(found == run(Self.parameters()))
  }

  /// At the end, what is known decides.
  @Test func theEndDecidesByWhatIsKnown() {
    let columns = Self.recording()
    var detector = PunchDetector(Self.parameters())
    var found: [Detection<PunchEvent>] = []
    // A knock at 6 s, and the end 0.2 s after it.
    for position in 0..<620 {
      let time = TraceInstant(nanoseconds: columns.measuredTimes[position])
      detector.ingest(columns[position], measured: time, arrived: time, into: &found)
    }
    detector.finish(at: TraceInstant(nanoseconds: 6_200_000_000), into: &found)
    let last = split(found).withdrawn.last
    #expect(split(found).withdrawn.count == 1)
    #expect(last?.emitted.nanoseconds == 6_200_000_000)
    #expect(last?.newestMeasured == last?.emitted)
  }

  @Test(.longer) func anyTimesDoNotTrap() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<LongTests.count(quick: 100, long: 3000) {
      var detector = PunchDetector(Self.parameters(gravityTurn: 30))
      var found: [Detection<PunchEvent>] = []
      var time: Int64 = 0
      for _ in 0..<200 {
        time =
          [time &+ 10_000_000, time &+ 10_000_000, time &+ 5_000_000_000, 0, .max, .min, -7][
            Int(random.next() % 7)]
        let x = [0, 50, -80, .nan, .infinity, 12][Int(random.next() % 6)] as Float
        let instant = TraceInstant(nanoseconds: time)
        detector.ingest(
          Vector3(x: x, y: 1, z: 0), measured: instant, arrived: instant, into: &found)
        detector.ingest(
          companion: Reading(
            device: DeviceID(0), channel: .acceleration, sequence: 0, measured: instant,
            arrived: instant, value: .vector(Vector3(x: x, y: 0, z: 9.8))), into: &found)
      }
      detector.finish(at: TraceInstant(nanoseconds: .max), into: &found)
      // Nothing is withdrawn that was not reported, nor twice.
      var open: [TraceInstant: Int] = [:]
      for detection in found {
        open[detection.onset, default: 0] += detection.event.kind == "punch" ? 1 : -1
        #expect((open[detection.onset] ?? 0) >= 0)
      }
    }
  }
}
