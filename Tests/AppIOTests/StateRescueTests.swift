import AppEngines
import HikeApp
import HikeSamples
@testable import WorkoutApp
import Foundation
import TestSupport
import Testing
import TraceModel

@testable import AppIO

/// States of an earlier layout (`Tests/Fixtures/app-states`) cannot be opened. What waits for the server
/// is taken over.
@Suite struct StateRescueTests {
  private let folder: TestFolder
  private var path: String { folder.path("state.json") }

  init() throws { folder = try TestFolder() }

  private func opened<Engine: AppEngine>(orStart engine: Engine) throws -> Engine {
    let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/app-states/\(Engine.name)-2.json")
    let bytes = SavedState.signed([UInt8](try Data(contentsOf: fixture)))
    try Data(bytes).write(to: URL(filePath: path))
    let opened = try StateFile<Engine>(path: path).open(orStart: engine)
    #expect(opened.notice?.contains("state.json.version-2") == true)
    #expect(opened.engine.violations == [])
    return opened.engine
  }

  @Test(arguments: [UInt64(7), 8]) func workoutsStillWait(installation: UInt64) throws {
    let epoch = WallTime(seconds: 1_700_000_000)
    let user = Workout.UserID(rawValue: "ann")
    let waiting = Set(
      [1, 2].map { Workout.ActivityID(creator: user, installation: 7, number: $0) })
    var engine = try opened(
      orStart: WorkoutEngine(
        user: user, name: "ann", number: #require(PhoneNumber(rawValue: "+12025550100")),
        region: .unitedStates, installation: installation, epoch: epoch))
    #expect(Set(engine.unsaved) == waiting)
    var effects: [WorkoutEngine.Effect] = []
    try engine.handle(.signUp, at: .zero, into: &effects)
    // The sign-up is repeated too.
    for _ in 0..<4 {
      engine.advance(to: try #require(engine.deadline), into: &effects)
    }
    let sent = effects.compactMap { effect -> Workout.ActivityID? in
      guard case .send(let letter) = effect, case .save(let record) = letter.request else {
        return nil
      }
      return record.id
    }
    #expect(Set(sent) == waiting)
    // The next workout has a number of its own.
    try engine.handle(
      .logSwim(Workout.SwimForm(date: epoch, lapLength: 25, laps: 40, minutes: 20)),
      at: TraceInstant.zero.advanced(bySeconds: 1000), into: &effects)
    #expect(engine.unsaved.count == 3 && Set(engine.unsaved).count == 3)
  }

  @Test func checkInsStillWait() throws {
    var engine = try opened(
      orStart: HikeEngine(
        rules: .default, content: HikeSample.content(), device: "phone",
        epoch: WallTime(nanoseconds: 0)))
    #expect(engine.records.map(\.location) == ["101", "102"])
    var effects: [HikeEngine.Effect] = []
    try engine.handle(.connectivity(.cellular), at: .zero, into: &effects)
    try engine.handle(.activate, at: .zero, into: &effects)
    let uploads = effects.contains { if case .upload = $0 { true } else { false } }
    #expect(uploads)
  }
}
