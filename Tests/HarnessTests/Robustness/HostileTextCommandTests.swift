import Foundation
import TestSupport
import Testing

/// Texts from files must not move a terminal's cursor, ring its bell or set its title.
@Suite struct HostileTextCommandTests {
  @Test(
    .longer,
    arguments: LongTests.everyOther([
      ["info", "q.h5"], ["validate", "q.h5"], ["replay", "q.h5"], ["sweep", "q.h5"],
      ["replay", "q.h5", "--rate", "1000x"], ["run", "q.h5", "-o", "r.h5", "--full"],
      ["tune", "q.h5", "--allow-few-groups", "--no-cache"], ["align", "q.h5", "p.h5"],
      ["merge", "q.h5", "p.h5", "-o", "m.h5"],
    ]))
  func noCommandPrintsThem(arguments: [String]) throws {
    let scratch = try Scratch()
    let trace = Fixtures.traces.appending(path: "synthetic/punch-s01-left.h5")
    try FileManager.default.copyItem(at: trace, to: scratch.url.appending(path: "p.h5"))
    let named = try Program.run(
      ["convert", "p.h5", "-o", "q.h5", "--id", "a\u{1B}[31mred\u{7}"]
        + ["--subject", "s\u{1B}]0;title\u{7}\u{9B}2J"], in: scratch.url)
    try #require(named.status == 0, "\(named.errors)")
    let outcome = try Program.run(arguments, in: scratch.url)
    let text = outcome.output + outcome.errors
    #expect(!text.isEmpty)
    let controls = text.unicodeScalars.filter {
      $0.properties.generalCategory == .control && $0 != "\n"
    }
    #expect(controls.isEmpty, "\(text)")
  }
}
