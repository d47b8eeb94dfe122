import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// Texts from files must not move a terminal's cursor, ring its bell, set its title or start a command of a
/// CI service.
@Suite struct HostileTextCommandTests {
  /// Begins like a command of GitHub, and has further ones in lines of their own.
  private static let hostile =
    "::error::x\n::error::x\r\n  ::warning::x\u{2028}##[error]x\u{1B}]0;t\u{7}\u{9B}2J\u{202E}\u{7F}"

  private static let made = MadeFiles { scratch in
    let reading = try Program.run(
      ["synth", "punches", "--duration", "20s", "-o", "p.h5"], in: scratch.url)
    try #require(reading.status == 0, "\(reading.errors)")
    var trace = try NativeTrace.read(scratch.path("p.h5"))
    trace.header.id = hostile
    (trace.header.subject, trace.header.activity) = ("s" + hostile, "a" + hostile)
    (trace.header.device, trace.header.placement) = ("d" + hostile, "p" + hostile)
    (trace.header.source, trace.header.license) = (hostile, hostile)
    for set in trace.header.references.indices {
      trace.header.references[set].definition = hostile
      for event in trace.header.references[set].events.indices {
        trace.header.references[set].events[event].label = hostile
        trace.header.references[set].events[event].originalLabel = hostile
      }
    }
    try NativeTrace.write(trace, to: scratch.path("q.h5"))
    let run = try Program.run(
      ["run", "q.h5", "--detector", "punch", "-o", "r.h5", "--log", "log", "--quiet"],
      in: scratch.url)
    try #require(run.status == 0, "\(run.errors)")
  }

  @Test(
    .longer,
    arguments: LongTests.everyOther(
      LongTests.everyOther([
        ["info", "q.h5"], ["info", "q.h5", "--format", "csv"], ["info", "r.h5"],
        ["info", "q.h5", "--format", "json"],
        ["run", "q.h5", "--detector", "punch", "-o", "r2.h5", "--full"], ["validate", "q.h5"],
        ["replay", "q.h5"], ["validate", "q.h5", "--format", "csv"],
        ["replay", "q.h5", "--rate", "1000x", "--format", "csv"], ["rerun", "r.h5"],
        ["compare", "r.h5", "r.h5"], ["sweep", "q.h5"],
        ["run", "q.h5", "--detector", "punch", "-o", "r2.h5", "--format", "csv"],
        ["tune", "q.h5", "--allow-few-groups", "--no-cache"], ["align", "q.h5", "p.h5"],
        ["trim", "q.h5", "--from", "1s", "-o", "t.h5"], ["info", "no\n::error::x\u{1B}"],
        ["merge", "q.h5", "p.h5", "-o", "m.h5"],
        ["export", "q.h5", "-o", "q.txt", "--as", "audacity"],
        ["run", "q.h5", "--detector", "nothing\n::error::x"],
      ])))
  func noCommandPrintsThem(arguments: [String]) throws {
    let scratch = try Scratch()
    try Self.made.copy(to: scratch)
    let outcome = try Program.run(arguments, in: scratch.url)
    #expect(!outcome.output.isEmpty || !outcome.errors.isEmpty)
    for text in [outcome.output, outcome.errors, try scratch.text(of: "log")] {
      let bad = text.unicodeScalars.filter {
        let category = $0.properties.generalCategory
        return [.control, .format, .lineSeparator].contains(category)
          && !"\n\t".unicodeScalars.contains($0)
      }
      #expect(bad.isEmpty, "\(bad): \(text)")
      let commands = text.split(separator: "\n").filter {
        $0.drop(while: \.isWhitespace).hasPrefix("::") || $0.contains("##[")
      }
      #expect(commands.isEmpty)
    }
  }
}
