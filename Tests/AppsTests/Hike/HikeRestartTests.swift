import Detectors
import HikeSamples
import Testing
import TraceModel

@testable import AppEngines
@testable import HikeApp

/// A phone that is restarted: its monotonic clock begins anew, far before the saved times.
@Suite struct HikeRestartTests {
  private let epoch = WallTime(seconds: 1_700_000_000)

  /// A trial at 10,000 s, with an upload that waits for its answer.
  private func trial(_ rules: HikeRules = HikeSample.plain) throws -> HikeTrial {
    var trial = try HikeTrial(rules)
    trial.wait(9990)
    try trial.visit(0)
    trial.effects = []
    return trial
  }

  @Test func waitsGoOnAfterTheClockBeganAnew() throws {
    var trial = try trial()
    let left = try #require(trial.engine.deadline).seconds - trial.now.seconds
    try trial.restart(at: 5, epoch: epoch)
    let due = try #require(trial.engine.deadline).seconds
    #expect(abs(due - (5 + left)) < 1e-6)
    #expect(trial.effects == [.save])
    trial.wait(31)
    #expect(trial.uploads.map { $0.checkIns.map(\.location) } == [["101"]])
  }

  /// Also to a later time than the saved one: that is no wait that is over.
  @Test func waitsGoOnAfterALaterStart() throws {
    var trial = try trial()
    try trial.restart(at: 1e6, epoch: epoch)
    #expect(try #require(trial.engine.deadline).seconds > 1e6 + 15)
  }

  @Test(arguments: [HikeRules.goHike, HikeSample.plain, .default])
  func theWalkGoesOn(rules: HikeRules) throws {
    var trial = try HikeTrial(rules)
    trial.wait(9990)
    try trial.restart(at: 5, epoch: epoch)
    trial.effects = []
    for rank in 0..<4 {
      for _ in 0..<4 { try trial.walk(toNorth: Double(rank) * HikeSample.spacing) }
      try trial.give(.confirm)
      try trial.give(.proceed)
      let seconds = epoch.nanoseconds + trial.now.nanoseconds
      #expect(trial.engine.records.last?.timestamp == WallTime(nanoseconds: seconds))
    }
    #expect(trial.engine.rewarded == [HikeSample.long])
    #expect(!trial.effects.contains { if case .fixesIgnored = $0 { true } else { false } })
  }

  @Test func anOpenPromptStaysOpen() throws {
    var trial = try trial()
    try trial.walk(toNorth: HikeSample.spacing)
    try trial.restart(at: 5, epoch: epoch)
    #expect(trial.engine.screen == .prompt(location: "102"))
    trial.effects = []
    try trial.give(.confirm)
    try trial.give(.proceed)
    let onsets = trial.effects.compactMap { effect in
      if case .detected(let record) = effect { record.onset.seconds } else { nil }
    }
    #expect(onsets.allSatisfy { $0 <= 7 } && trial.visited == ["101", "102"])
  }

  @Test func theRestOfAPauseStays() throws {
    var rules = HikeSample.plain
    rules.checkIn.cancelPause = 60
    var trial = try trial(rules)
    try trial.walk(toNorth: HikeSample.spacing)
    try trial.give(.cancel)
    for _ in 0..<20 { try trial.walk(toNorth: HikeSample.spacing) }
    trial.effects = []
    try trial.restart(at: 5, epoch: epoch)
    for _ in 0..<39 { try trial.walk(toNorth: HikeSample.spacing) }
    #expect(trial.prompts == [])
    for _ in 0..<2 { try trial.walk(toNorth: HikeSample.spacing) }
    #expect(trial.prompts == ["102"])
  }

  /// The way between a fix before the restart and one after it is not known.
  @Test func nothingIsInferredAcrossTheRestart() throws {
    var trial = try HikeTrial(.default)
    trial.wait(9990)
    try trial.walk(toNorth: -200)
    try trial.restart(at: 5, epoch: epoch)
    for _ in 0..<3 { try trial.walk(toNorth: 250) }
    #expect(trial.prompts == [])
  }

  @Test func aBudgetIsRefilled() throws {
    var trial = try trial()
    for _ in 0..<20 {
      try trial.give(.deactivate)
      try trial.give(.activate)
    }
    try trial.restart(at: 5, epoch: epoch)
    trial.wait(301)
    trial.effects = []
    try trial.give(.deactivate)
    try trial.give(.activate)
    #expect(trial.uploads.count == 1)
  }

  @Test func aDownloadIsGivenUpInTime() throws {
    var trial = try trial()
    try trial.give(.connectivity(.wifi))
    try trial.give(.pingAnswered(number: 1, isCurrent: false))
    try trial.restart(at: 5, epoch: epoch)
    trial.wait(598)
    trial.effects = []
    try trial.give(.activate)
    #expect(trial.engine.update == .downloading(number: 2))
    try trial.give(.activate)
    #expect(trial.engine.update == .pinging(number: 3))
  }

  /// The wall clock was an hour ahead on the old axis; on the new one it is exact.
  @Test func theWallClockIsLearnedAnew() throws {
    var trial = try trial()
    let fix = HikeSample.fix(north: HikeSample.spacing)
    try trial.give(.fix(fix, measured: trial.now.advanced(bySeconds: 3601)))
    try trial.give(.cancel)
    try trial.restart(at: 5, epoch: epoch)
    try trial.walk(toNorth: HikeSample.spacing)
    #expect(!trial.effects.contains { if case .fixesIgnored = $0 { true } else { false } })
  }
}
