import AppIO
import AppEngines
import WorkoutApp
import Foundation
import Testing
import TraceModel

/// The lines that docs/apps.md shows, so that they stay true.
@Suite struct ReadmeExampleTests {
  @Test func anEngineRefusesWithAReasonAndIsSaved() throws {
    let folder = try TestFolder()
    let path = folder.path("workout.json")

    let number = try #require(PhoneNumber("(202) 555-0100", in: .unitedStates))
    let file = StateFile<WorkoutEngine>(path: path)
    let saved = try file.open(
      orStart: WorkoutEngine(
        user: Workout.UserID(rawValue: "ann"), name: "Ann", number: number, region: .unitedStates,
        installation: 1, epoch: WallTime(seconds: 1_735_732_800)))
    #expect(saved.notice == nil)
    var phone = saved.engine
    var effects: [WorkoutEngine.Effect] = []
    var reason = ""
    do {
      try phone.handle(.start(.run), at: .zero, into: &effects)
    } catch {
      reason = error.reason
    }
    try file.save(phone)

    #expect(reason.contains("location"), "\(reason)")
    #expect(try StateFile<WorkoutEngine>(path: path).open()?.engine.phase == phone.phase)
  }
}
