import AppEngines
@testable import WorkoutApp
import Testing
import TraceModel

@Suite struct WorkoutFeedTests {
  private func summary(
    _ user: String, _ number: Int, start: Int64, distance: Double = 1609.344
  ) -> Workout.Summary {
    Workout.Summary(
      id: Workout.ActivityID(
        creator: Workout.UserID(rawValue: user), installation: 1, number: number),
      creatorName: user, sport: .run, start: WallTime(seconds: start), duration: 500,
      movingTime: 456, distance: distance)
  }

  /// A phone with a friend, Bea, and her activities.
  private func bench(_ others: [Workout.Summary]) throws -> WorkoutBench {
    var bench = WorkoutBench()
    bench.act(.contacts([Workout.Contact(name: "Bea", numbers: ["202 555 0101"])]))
    bench.act(.showFeed(.mineAndFriends))
    let match = Workout.Match(
      user: Workout.UserID(rawValue: "bea"), name: "bea",
      number: try #require(PhoneNumber(rawValue: "+12025550101")))
    bench.answer(bench.sent) { _ in .feed(others, [match]) }
    return bench
  }

  @Test func newestFirstAndTiesById() throws {
    let others = [
      summary("bea", 2, start: 1000), summary("bea", 1, start: 1000),
      summary("bea", 3, start: 3000), summary("ann", 9, start: 2000),
    ]
    var bench = try bench(others)
    #expect(bench.engine.feed.map(\.id.number) == [3, 9, 1, 2])
    #expect(bench.engine.feed.first?.creatorName == "bea")
    bench.act(.showFeed(.mine), 1)
    #expect(bench.engine.feed.map(\.id.number) == [9])
  }

  @Test func newOnesAreTold() throws {
    var bench = try bench([summary("bea", 1, start: 1000)])
    bench.act(.showFeed(.mineAndFriends), 1)
    let match = Workout.Match(
      user: Workout.UserID(rawValue: "bea"), name: "bea",
      number: try #require(PhoneNumber(rawValue: "+12025550101")))
    bench.answer(bench.sent, 2) { _ in
      .feed([summary("bea", 1, start: 1000), summary("bea", 2, start: 900)], [match])
    }
    #expect(bench.effects == [.feedChanged(new: [summary("bea", 2, start: 900)])])
  }

  @Test func anActivityThatIsToldTwiceIsShownOnce() throws {
    let mine = summary("ann", 9, start: 2000)
    let bench = try bench([mine, summary("bea", 1, start: 1000), mine])
    #expect(bench.engine.feed.map(\.id.number) == [9, 1])
  }

  @Test func strangersAreNotShown() throws {
    let bench = try bench([summary("eve", 1, start: 1), summary("bea", 1, start: 2)])
    #expect(bench.engine.feed.map(\.creator.rawValue) == ["bea"])
  }

  @Test func tapShowsThePacePerMile() throws {
    let others = [summary("bea", 1, start: 1), summary("bea", 2, start: 2, distance: 0)]
    var bench = try bench(others)
    bench.act(.tap(others[0].id))
    #expect(bench.effects == [.showPace(others[0].id, "7:36")])
    #expect(bench.engine.tapped == others[0].id)
    bench.act(.tap(others[1].id))
    #expect(bench.effects == [.showPace(others[1].id, nil)], "zero distance has no pace")
    bench.act(.tap(others[1].id))
    #expect(bench.effects.isEmpty && bench.engine.tapped == nil)
    let unknown = Workout.ActivityID(
      creator: Workout.UserID(rawValue: "x"), installation: 0, number: 0)
    #expect(bench.act(.tap(unknown)) == "unknown-activity")
  }

  @Test func detailHasMapAndAllData() throws {
    var bench = WorkoutBench()
    bench.run()
    let save = bench.sent
    let id = try #require(bench.engine.feed.first?.id)
    bench.act(.open(id), 101)
    #expect(bench.effects == [.showDetail(id)], "what is still on the phone is shown at once")
    let record = try #require(bench.engine.detail)
    #expect(record.line.map(\.count) == [101])
    #expect(record.locations.map(\.coordinate).allSatisfy { record.bounds?.contains($0) == true })
    bench.act(.closeDetail, 102)
    #expect(bench.act(.closeDetail, 102) == "nothing-open")
    bench.confirmSaves(save, 103)
    bench.act(.open(id), 104)
    bench.answer(bench.sent, 105) { request in
      request == .open(id) ? .activity(record) : nil
    }
    #expect(bench.engine.detail == record)
    #expect(bench.effects == [.showDetail(id)])
  }

  @Test func answersToSomethingElseAreRefused() throws {
    var bench = WorkoutBench()
    bench.run()
    let letters = bench.sent
    #expect(bench.answer(letters, 1) { _ in .signedUp } == "unfitting-answer")
    let other = Workout.ActivityID(
      creator: Workout.UserID(rawValue: "x"), installation: 0, number: 0)
    #expect(bench.answer(letters, 1) { _ in .saved(other) } == "unfitting-answer")
    #expect(bench.engine.unsaved.count == 1)
    bench.act(.showFeed(.mine), 2)
    let code = bench.answer(bench.sent, 2) { _ in
      .feed([summary("ann", 1, start: 0, distance: .nan)], [])
    }
    #expect(code == "unfitting-answer")
  }
}
