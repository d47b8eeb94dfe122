import Foundation
import TestSupport
import Testing

/// The commands on heartbeats.
@Suite struct PresenceCommandTests {
  @Test func replayPicksTheDetectorForHeartbeats() throws {
    let scratch = try Scratch()
    let made = try Program.run(
      ["synth", "presence", "--duration", "60s", "-o", "a.h5"], in: scratch.url)
    #expect(made.status == 0, "\(made.errors)")
    let replayed = try Program.run(["replay", "a.h5", "--format", "csv"], in: scratch.url)
    #expect(replayed.status == 0, "\(replayed.errors)")
    #expect(replayed.errors.contains("presence/default"))
    #expect(replayed.output.contains(",present,"))
    let info = try Program.run(["info", "a.h5"], in: scratch.url)
    #expect(info.output.contains(" peers, "), "\(info.output)")
  }
}
