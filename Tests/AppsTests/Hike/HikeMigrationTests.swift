import Detectors
import Foundation
import HikeSamples
import Testing
import TraceModel

@testable import AppEngines
@testable import HikeApp

/// States that the programs of versions 2 and 3 wrote (`Tests/Fixtures/app-states`).
@Suite struct HikeMigrationTests {
  private struct Saved: Decodable {
    var version: Int
    var state: StateTree
  }

  private func opened(_ name: String) throws -> HikeEngine {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/app-states")
    let bytes = try Data(contentsOf: folder.appending(path: "\(name).json"))
    var saved = try JSONDecoder().decode(Saved.self, from: bytes)
    try #require(saved.version < HikeEngine.stateVersion)
    for version in saved.version..<HikeEngine.stateVersion {
      saved.state = try #require(HikeEngine.migrated(saved.state, from: version))
    }
    let engine = try JSONDecoder.ofStates.decode(
      HikeEngine.self, from: JSONEncoder.ofStates.encode(saved.state))
    #expect(engine.violations == [])
    return engine
  }

  @Test(arguments: ["hike-2", "hike-3", "hike-3-goHike"])
  func waitingCheckInsAreKeptAndSent(name: String) throws {
    var engine = try opened(name)
    #expect(engine.records.map(\.location) == ["101", "102"])
    #expect(engine.records.allSatisfy { !$0.isUploaded })
    var effects: [HikeEngine.Effect] = []
    let now = engine.clock.advanced(bySeconds: 1)
    try engine.handle(.activate, at: now, into: &effects)
    let uploads = effects.compactMap { effect -> HikeUpload? in
      if case .upload(let upload) = effect { upload } else { nil }
    }
    let upload = try #require(uploads.last)
    #expect(uploads.count == 1 && upload.checkIns == engine.records.map(\.checkIn))
    var server = HikeServer(content: HikeSample.content())
    var answers: [HikeServer.Effect] = []
    try server.handle(.checkIns(upload), at: .zero, into: &answers)
    #expect(answers == [.answer(to: "phone", .stored(upload.stamp))])
    try engine.handle(.uploadStored(upload.stamp), at: now, into: &effects)
    #expect(engine.records.allSatisfy { $0.isUploaded } && engine.deadline == nil)
    #expect(server.checkIns.map(\.location) == ["101", "102"])
  }

  /// What waits is sent without any input, as the state had it.
  @Test func theWaitOfASavedUploadGoesOn() throws {
    var engine = try opened("hike-3")
    var effects: [HikeEngine.Effect] = []
    let due = try #require(engine.deadline)
    #expect(due.seconds > 58 && due.seconds < 60 + 58)
    engine.advance(to: due, into: &effects)
    #expect(effects.count { if case .upload = $0 { true } else { false } } == 1)
  }

  /// The original's limit of the future stays; the default has none below a day.
  @Test(arguments: [("hike-2", 86_400.0), ("hike-3", 86_400), ("hike-3-goHike", 15)])
  func theLimitOfTheFutureStays(name: String, lead: Double) throws {
    let engine = try opened(name)
    #expect(engine.rules.checkIn.maximumLead == lead)
    let rules: HikeRules = lead == 15 ? .goHike : .default
    #expect(engine.rules.checkIn.isTimely(.zero, at: .zero))
    #expect(engine.rules.checkIn.maximumLead == rules.checkIn.maximumLead)
  }

  /// The pause of a minute was a fault of the default.
  @Test(arguments: ["hike-2", "hike-3", "hike-3-goHike"]) func noPauseStays(name: String) throws {
    var engine = try opened(name)
    #expect(engine.rules.checkIn.cancelPause == 0)
    guard name == "hike-3" else { return }
    // The pause that runs goes on, and the next cancellation makes none.
    var effects: [HikeEngine.Effect] = []
    for step in 0..<3 {
      let now = engine.clock.advanced(bySeconds: step == 0 ? 60 : 1)
      effects = []
      let fix = HikeSample.fix(north: 2 * HikeSample.spacing)
      try engine.handle(.fix(fix, measured: now), at: now, into: &effects)
      #expect(effects.contains { if case .prompt("103", _) = $0 { true } else { false } })
      try engine.handle(.cancel, at: now, into: &effects)
    }
  }

  /// The walk goes on to its reward.
  @Test(arguments: ["hike-2", "hike-3", "hike-3-goHike"]) func theWalkGoesOn(name: String) throws {
    var engine = try opened(name)
    var effects: [HikeEngine.Effect] = []
    var now = engine.clock.advanced(bySeconds: 100)
    if engine.activeRoute == nil {
      try engine.handle(.openRoute(HikeSample.long), at: now, into: &effects)
    }
    for rank in 2..<4 {
      for _ in 0..<4 {
        now = now.advanced(bySeconds: 1)
        let fix = HikeSample.fix(north: Double(rank) * HikeSample.spacing)
        try engine.handle(.fix(fix, measured: now), at: now, into: &effects)
      }
      try engine.handle(.confirm, at: now, into: &effects)
      try engine.handle(.proceed, at: now, into: &effects)
    }
    #expect(engine.rewarded == [HikeSample.long] && engine.violations == [])
  }

  @Test(arguments: [Int.min, 0, 1, 4, .max]) func otherVersionsAreNotConverted(version: Int) {
    #expect(HikeEngine.migrated(.object([:]), from: version) == nil)
  }
}
