import AppEngines
import FightApp
import HikeApp
import WorkoutApp
import Foundation
import TestSupport
import Testing
import TraceModel

@testable import AppIO

/// States that the program of version 2 wrote (`Tests/Fixtures/app-states`) are opened by this one.
@Suite struct StateMigrationTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/app-states")

  private static func bytes(_ name: String) throws -> [UInt8] {
    let file = folder.appending(path: "\(name)-2.json")
    return SavedState.signed([UInt8](try Data(contentsOf: file)))
  }

  private static func opened<Engine: AppEngine>(_: Engine.Type = Engine.self) throws -> Engine {
    let folder = try TestFolder()
    let path = folder.path("state.json")
    try Data(bytes(Engine.name)).write(to: URL(filePath: path))
    let file = StateFile<Engine>(path: path)
    let engine = try #require(try file.open()).engine
    #expect(engine.violations == [])
    try file.save(engine)
    let again = try #require(try file.open()).engine
    #expect(try SavedState.bytes(of: again) == SavedState.bytes(of: engine))
    return engine
  }

  @Test func aFightGoesOnAfterANewLogin() throws {
    var authority: FightAuthority = try Self.opened()
    #expect(authority.rules == .default)
    var phone: FightClient = try Self.opened()
    #expect(phone.session == nil && phone.rules == .default)
    let later = TraceInstant.zero.advanced(bySeconds: 100)
    var effects: [FightClient.Effect] = []
    let login = SocialLogin(subject: "Ann", profile: Profile(alias: "Ann"))
    try phone.handle(.ask(.logIn(login)), at: later, into: &effects)
    for _ in 0..<3 {
      guard case .send(let request)? = effects.last else { break }
      var answers: [FightAuthority.Effect] = []
      try authority.handle(
        FightArrival(request, token: SessionToken(high: 1, low: 2)), at: later, into: &answers)
      guard case .reply(let reply, _)? = answers.first else { break }
      effects = []
      try phone.handle(.reply(reply), at: later, into: &effects)
      if phone.session != nil { break }
    }
    #expect(phone.session == SessionToken(high: 1, low: 2) && phone.cardsLeft == 0)
    effects = []
    try phone.handle(.open(0), at: later, into: &effects)
    guard case .send(let request)? = effects.last else { return #expect(Bool(false)) }
    var answers: [FightAuthority.Effect] = []
    try authority.handle(FightArrival(request, token: nil), at: later, into: &answers)
    guard case .reply(let reply, _)? = answers.first else { return #expect(Bool(false)) }
    try phone.handle(.reply(reply), at: later, into: &effects)
    let bout = try #require(phone.view?.bout)
    #expect(bout.moves == 2 && bout.origin.units == 7200 && bout.recipient.units == 8000)
    #expect(authority.violations == [] && phone.violations == [])
  }

  @Test func aHikeKeepsItsCheckIns() throws {
    let phone: HikeEngine = try Self.opened()
    #expect(phone.records.count == 2 && phone.records.allSatisfy { !$0.isUploaded })
    let server: HikeServer = try Self.opened()
    #expect(server.violations == [])
  }

  @Test func aWorkoutGoesOn() throws {
    var phone: WorkoutEngine = try Self.opened()
    #expect(phone.phase == .recording && phone.activities.count == 2)
    var effects: [WorkoutEngine.Effect] = []
    try phone.handle(.stop, at: TraceInstant.zero.advanced(bySeconds: 300), into: &effects)
    let server: WorkoutServer = try Self.opened()
    #expect(server.activityCount == 2 && server.rules == .default)
  }

  /// Writes a state of version 2 as one that nobody can convert.
  private static func writeUnknown(_ name: String, to path: String) throws {
    let text = String(
      decoding: try Data(contentsOf: folder.appending(path: "\(name)-2.json")), as: UTF8.self)
    let other = text.split(separator: "\n")[0]
      .replacingOccurrences(of: "\"version\":2", with: "\"version\":1")
    try #require(other != text)
    try Data(SavedState.signed(Array(other.utf8))).write(to: URL(filePath: path))
  }

  /// A phone whose state nobody can convert keeps the workouts that wait, and sends them.
  @Test(arguments: [UInt64(7), 8])
  func workoutsOfAnUnknownStateStillWait(installation: UInt64) throws {
    let folder = try TestFolder()
    let path = folder.path("state.json")
    try Self.writeUnknown("workout", to: path)
    let old: WorkoutEngine = try SavedState.engine(from: Self.bytes("workout"))
    try #require(old.unsaved.count == 2)
    let new = WorkoutEngine(
      user: old.user, name: old.userName, number: old.number, region: old.region,
      installation: installation, epoch: old.epoch)
    let opened = try StateFile<WorkoutEngine>(path: path).open(orStart: new)
    #expect(opened.notice?.contains("state.json.version-1") == true)
    var engine = opened.engine
    #expect(Set(engine.unsaved) == Set(old.unsaved) && engine.violations == [])
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
    #expect(Set(sent) == Set(old.unsaved))
    // The next workout has a number of its own.
    try engine.handle(
      .logSwim(Workout.SwimForm(date: old.epoch, lapLength: 25, laps: 40, minutes: 20)),
      at: TraceInstant.zero.advanced(bySeconds: 1000), into: &effects)
    #expect(engine.unsaved.count == 3 && Set(engine.unsaved).count == 3)
  }

  /// A phone whose state nobody can convert keeps the check-ins that wait.
  @Test func checkInsOfAnUnknownStateStillWait() throws {
    let folder = try TestFolder()
    let path = folder.path("state.json")
    let text = String(
      decoding: try Data(contentsOf: Self.folder.appending(path: "hike-2.json")), as: UTF8.self)
    let other = text.replacingOccurrences(of: "\"version\":2", with: "\"version\":1")
    try #require(other != text)
    try Data(SavedState.signed(Array(other.utf8))).write(to: URL(filePath: path))
    let old: HikeEngine = try SavedState.engine(from: Self.bytes("hike"))
    let new = HikeEngine(
      rules: .default, content: old.content, device: "phone", epoch: WallTime(nanoseconds: 0))
    let opened = try StateFile<HikeEngine>(path: path).open(orStart: new)
    #expect(opened.notice?.contains("state.json.version-1") == true)
    #expect(opened.engine.records.map(\.location) == old.records.map(\.location))
    var engine = opened.engine
    var effects: [HikeEngine.Effect] = []
    try engine.handle(.connectivity(.cellular), at: .zero, into: &effects)
    try engine.handle(.activate, at: .zero, into: &effects)
    let uploads = effects.contains { if case .upload = $0 { true } else { false } }
    #expect(uploads)
  }
}
