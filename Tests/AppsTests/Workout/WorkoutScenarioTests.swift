@testable import AppEngines
@testable import WorkoutApp
import Synthesis
import Testing
import TraceModel

/// Rides and swims in a scenario, strangers, and what is counted.
@Suite struct WorkoutScenarioTests {
  private func value(
    _ name: String, _ simulation: SimulatedWorkout, of person: Int = 0
  ) -> Double? {
    simulation.outcomes.first { $0.name == name && $0.person == DeviceID(person) }?.value
  }

  private func total(_ name: String, _ simulation: SimulatedWorkout) -> Double {
    simulation.outcomes.filter { $0.name == name }.compactMap(\.value).reduce(0, +)
  }

  /// The trace states the sport.
  @Test(arguments: ["bike", "cycling", "ride"]) func aRideIsARide(activity: String) throws {
    var trace = try SimulatedWorkoutTests.trace(.trackRun)
    trace.header.activity = activity
    let (simulation, events) = try SimulatedWorkoutTests.play([trace])
    #expect(events.contains { $0.text == "starts a ride" })
    #expect(events.contains { $0.text == "the ride is saved on the server" })
    let week = try #require(events.last { $0.kind == "week" }).text
    #expect(week.hasPrefix("this week: run 0.0 mi, bike 2.5 mi, swim 0 m"), "\(week)")
    #expect(value("weekly_total", simulation) == 2.5)
  }

  /// One runs, one rides, and both swim: the week has a total of each sport.
  @Test func aRunARideAndSwimsInOneScenario() throws {
    let traces = [
      try SimulatedWorkoutTests.trace(.trackRun),
      try SimulatedWorkoutTests.trace(.ride, subject: 2),
    ]
    let (simulation, events) = try SimulatedWorkoutTests.play(traces, script: PersonScript())
    let weeks = try (0..<2).map { person in
      try #require(events.last { $0.kind == "week" && $0.person == DeviceID(person) }).text
    }
    #expect(weeks[0].hasPrefix("this week: run 2.5 mi, bike 0.0 mi, swim "), "\(weeks)")
    #expect(weeks[1].hasPrefix("this week: run 0.0 mi, bike 12.3 mi, swim "), "\(weeks)")
    #expect(events.count { $0.kind == "swim" } == 2 && simulation.server.activityCount == 4)
    for person in 0..<2 {
      let error = try #require(value("distance_error", simulation, of: person))
      #expect(abs(error) < 2, "\(error) %")
    }
    #expect(simulation.violations == [])
  }

  /// With a script each person swims after the run.
  @Test func aSwimFollowsTheRun() throws {
    let traces = [
      try SimulatedWorkoutTests.trace(.trackRun),
      try SimulatedWorkoutTests.trace(.trackRun, subject: 2),
    ]
    let (simulation, events) = try SimulatedWorkoutTests.play(traces, script: PersonScript())
    for person in 0..<2 {
      let mine = events.filter { $0.person == DeviceID(person) }
      let swim = try #require(mine.first { $0.kind == "swim" })
      let meters = try #require(swim.value)
      #expect((500...1500).contains(meters) && swim.text.contains("laps of 25 m"))
      let week = try #require(mine.last { $0.kind == "week" }).text
      #expect(week.contains("swim \(Int(meters)) m; 1 friend uses the app, rank: run "))
      #expect(week.contains(", swim "))
      #expect(value("saved", simulation, of: person) == 1)
      let saved = mine.filter { $0.kind == "saved" }.map(\.text)
      #expect(saved.count { $0.hasPrefix("the swim is saved") } == 1 && saved.count == 2)
    }
    #expect(simulation.server.activityCount == 4)
    let ranks = (0..<2).compactMap { value("week_rank", simulation, of: $0) }
    #expect(ranks.sorted() == [1, 2])
    #expect(simulation.violations == [])
  }

  /// Nobody has the number of the third person, who has all numbers.
  @Test func strangersSeeTracksOnlyInTheOriginal() throws {
    let traces = try [1, 2, 3].map {
      try SimulatedWorkoutTests.trace(.trackRun, subject: $0)
    }
    let (fixed, _) = try SimulatedWorkoutTests.play(traces)
    #expect(total("tracks_to_strangers", fixed) == 0)
    #expect(total("activities_to_strangers", fixed) == 0)
    #expect((0..<3).map { value("friends", fixed, of: $0) } == [1, 1, 0])
    let (tri, _) = try SimulatedWorkoutTests.play(
      traces, preset: "tri", script: PersonScript())
    // Both sides: the second list is everybody's, and the newest run of each is opened, not the swim.
    #expect(total("tracks_to_strangers", tri) == 4)
    #expect(total("activities_to_strangers", tri) == 8)
    #expect((0..<3).map { value("friends", tri, of: $0) } == [1, 1, 2])
  }

  @Test func wrongWeeksAndLostWorkoutsAreCounted() throws {
    let trace = try SimulatedWorkoutTests.trace(.roadRun)
    let (fixed, events) = try SimulatedWorkoutTests.play([trace])
    let (tri, steps) = try SimulatedWorkoutTests.play([trace], preset: "tri")
    #expect(total("wrong_weeks", fixed) == 0 && total("wrong_weeks", tri) == 2)
    #expect(events.count { $0.kind == "week" } == 1 && steps.count { $0.kind == "week" } == 3)
    #expect(total("workouts_lost", fixed) == 0 && total("workouts_lost", tri) == 0)
    var network = NetworkConditions()
    network.loss = 1
    let (kept, _) = try SimulatedWorkoutTests.play([trace], network: network)
    let (lost, _) = try SimulatedWorkoutTests.play([trace], preset: "tri", network: network)
    #expect(total("workouts_lost", kept) == 0 && total("workouts_lost", lost) == 1)
  }

  /// A friend's number is in no line of the log.
  @Test func noNumberIsShown() throws {
    let traces = try [1, 2].map { try SimulatedWorkoutTests.trace(.trackRun, subject: $0) }
    for preset in ["default", "tri"] {
      let (_, events) = try SimulatedWorkoutTests.play(traces, preset: preset)
      #expect(events.contains { $0.kind == "friends" })
      #expect(!events.contains { $0.text.contains("555") })
    }
  }

  /// What the app records, the server saves: all simulated runs, by both rules.
  @Test func noRealRunIsRefused() throws {
    for kind in [ScenarioKind.roadRun, .trackRun] {
      for subject in 1...2 {
        let trace = try SimulatedWorkoutTests.trace(kind, subject: subject)
        let (simulation, events) = try SimulatedWorkoutTests.play([trace])
        #expect(value("saved", simulation) == 1)
        #expect(!events.contains { $0.kind == "save-refused" || $0.kind == "refused" })
      }
    }
  }
}
