@testable import AppEngines
@testable import WorkoutApp
import Detectors
import Synthesis
import TestSupport
import Testing
import TraceModel

/// Phones whose wall clock is wrong, or is set during a run.
@Suite struct WorkoutClockTests {
  static var errors: [Double] {
    LongTests.everyOther([-3600, -60, -20, -1.5, 1.5, 20, 60, 3600])
  }

  private struct Figures {
    var duration: Double
    var distance: Double
    var moving: Double
    var simulation: SimulatedWorkout
    var events: [AppEvent]
  }

  private func figures(_ preset: String, _ faults: [ExchangeFault] = []) throws -> Figures {
    let trace = try SimulatedWorkoutTests.trace(.trackRun)
    let (simulation, events) = try SimulatedWorkoutTests.play(
      [trace], preset: preset, faults: faults)
    func value(_ name: String) throws -> Double {
      try #require(simulation.outcomes.first { $0.name == name }?.value)
    }
    return Figures(
      duration: try value("duration"), distance: try value("distance"),
      moving: try value("moving_time"), simulation: simulation, events: events)
  }

  /// By preset, each played once.
  private static let exact = Result {
    let tests = WorkoutClockTests()
    return try ["default", "tri"].map { try tests.figures($0) }
  }

  /// The figures with an exact clock.
  private func exact(_ preset: String) throws -> Figures {
    try Self.exact.get()[preset == "default" ? 0 : 1]
  }

  private func step(_ seconds: Double, at time: Double) -> [ExchangeFault] {
    [.clock(phone: 0, at: .zero.advanced(bySeconds: time), by: Int64(seconds * 1e9))]
  }

  /// The tolerances: 2 s of duration, 6 s of moving time, 10 m or 0.3 % of distance.
  private func compare(_ wrong: Figures, _ right: Figures, _ text: String) {
    #expect(abs(wrong.duration - right.duration) <= 2, "\(text): duration \(wrong.duration)")
    #expect(abs(wrong.moving - right.moving) <= 6, "\(text): moving time \(wrong.moving)")
    #expect(
      abs(wrong.distance - right.distance) <= max(10, 0.003 * right.distance),
      "\(text): distance \(wrong.distance)")
  }

  @Test(.longer, arguments: errors) func aStepChangesNoFigure(seconds: Double) throws {
    for (preset, times) in [("default", [100.0, 400]), ("tri", [100])] {
      let right = try exact(preset)
      for time in times {
        let wrong = try figures(preset, step(seconds, at: time))
        compare(wrong, right, "\(preset), \(seconds) s at \(time) s")
        #expect(wrong.simulation.outcomes.first { $0.name == "saved" }?.value == 1)
      }
    }
  }

  /// Four seconds pass until the clock is known to be behind; the run begins after them.
  @Test(.longer, arguments: errors)
  func aConstantErrorCostsAtMostTheFirstSeconds(seconds: Double) throws {
    let right = try exact("default")
    let wrong = try figures("default", step(seconds, at: 0))
    #expect(wrong.duration <= right.duration + 2 && wrong.duration >= right.duration - 7)
    #expect(wrong.distance <= right.distance + 10 && wrong.distance >= right.distance - 30)
    // Clocks that tick count on.
    let (tri, ticks) = (try exact("tri"), try figures("tri", step(seconds, at: 0)))
    #expect(tri.duration == ticks.duration && tri.distance == ticks.distance)
  }

  @Test func theLogSaysWhatIsIgnored() throws {
    let events = try figures("default", step(-20, at: 100)).events
    let ignored = events.filter { $0.kind == "fixes-ignored" && $0.time.seconds > 90 }
    #expect(ignored.map(\.text) == ["fixes ignored: 20 s old"])
    let used = events.filter { $0.kind == "fixes-used" && $0.time.seconds > 90 }
    #expect(used.map(\.text) == ["fixes are used again: the phone's clock is 20 s behind"])
  }

  /// The start of a record and the times of its locations are wall time, whatever the clock says.
  @Test(arguments: [-3600.0, 3600]) func recordsHaveTheTrueTime(seconds: Double) throws {
    let setup = step(seconds, at: 50)
    let (right, wrong) = (try figures("default"), try figures("default", setup))
    let summaries = [right, wrong].map { $0.simulation.people[0].summary }
    #expect(summaries[0]?.start == summaries[1]?.start)
    let end = try #require(wrong.events.first { $0.kind == "finished" }).time
    let splits = wrong.simulation.detections
    #expect(!splits.isEmpty && splits.allSatisfy { $0.emitted <= end })
    // The times that splits claim are those of the exact clock.
    #expect(splits.count == right.simulation.detections.count)
    for (split, exact) in zip(splits, right.simulation.detections) {
      #expect(abs(split.onset.nanoseconds(to: exact.onset)) < 5_000_000_000, "\(split.onset)")
    }
  }

  /// Before the times were bound by arrivals, an hour's step made the run an hour longer.
  @Test func withoutPatienceAStepIsAPartOfTheDuration() throws {
    var rules = WorkoutRules.default
    func duration() throws -> Double {
      var bench = WorkoutBench(rules)
      bench.start()
      bench.move(0...50, from: 0, speed: 3)
      for second in 51...100 {
        let position = WorkoutBench.frame.position(
          of: PlanarVector(east: 3 * Double(second), north: 0))
        let fix = Fix(
          latitude: position.latitude, longitude: position.longitude, horizontalAccuracy: 5,
          speed: 3)
        bench.act(.fix(fix, measured: WorkoutBench.instant(Double(second) + 3600)), Double(second))
      }
      return try #require(bench.engine.recording?.duration)
    }
    #expect(abs(try duration() - 100) <= 2)
    rules.clockPatience = nil
    #expect(try duration() == 3700)
  }

  /// A batch after a suspension is not a clock that is behind.
  @Test func batchesCountWithTheirOwnTimes() throws {
    var bench = WorkoutBench()
    bench.start()
    bench.move(0...10, from: 0, speed: 3)
    for second in 11...70 {
      let position = WorkoutBench.frame.position(
        of: PlanarVector(east: 3 * Double(second), north: 0))
      let fix = Fix(
        latitude: position.latitude, longitude: position.longitude, horizontalAccuracy: 5, speed: 3)
      bench.act(.fix(fix, measured: WorkoutBench.instant(Double(second))), 70)
    }
    #expect(bench.engine.recording?.duration == 70)
    #expect(abs((bench.engine.recording?.distance ?? 0) - 210) < 3)
    #expect(!bench.all.contains { if case .fixesIgnored = $0 { true } else { false } })
  }

  /// A fix far in the future does not end the run: its clock is corrected, and the next too.
  @Test func oneWrongStampCostsSeconds() throws {
    var bench = WorkoutBench()
    bench.start()
    bench.move(0...50, from: 0, speed: 3)
    let position = WorkoutBench.frame.position(of: PlanarVector(east: 153, north: 0))
    let fix = Fix(
      latitude: position.latitude, longitude: position.longitude, horizontalAccuracy: 5, speed: 3)
    bench.act(.fix(fix, measured: WorkoutBench.instant(90_000)), 51)
    bench.move(52...100, from: 156, speed: 3)
    #expect(bench.engine.recording?.duration == 100)
    #expect(abs((bench.engine.recording?.distance ?? 0) - 300) < 5)
    #expect(bench.engine.violations == [])
  }
}
