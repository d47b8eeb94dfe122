import Diagnostics
import Testing

@testable import ExternalDetectors

@Suite struct TrustedProgramTests {
  /// What is cut off, or hidden by a control character, would be allowed unseen.
  @Test func theRefusalNamesEachProgramWhole() throws {
    let words = String(repeating: "word ", count: 100) + "evil\u{1B}[1A\n\u{A0}\u{202E}x"
    let commands = try (0..<9).map { number in
      try ExecCommandLine("exec:touch \(number) \(words)", relativeTo: "/a\u{7}")
    }
    let error = #expect(throws: Failure.self) {
      try ProgramTrust().require(commands, place: "r.h5", unless: "it is allowed")
    }
    let text = try #require(error).description
    #expect(text.hasPrefix("r.h5: expected no programs, unless it is allowed"))
    for number in 0..<9 { #expect(text.contains("exec:touch \(number) word")) }
    #expect(
      text.ranges(of: "evil\\u{1b}[1A\\u{a}\\u{a0}\\u{202e}x in the folder /a\\u{7}").count == 9)
  }

  /// The same words in another folder are another program.
  @Test func trustIsForOneFolder() throws {
    var trust = ProgramTrust()
    trust.trust(try ExecCommandLine("exec:./child", relativeTo: "/a"))
    let program = try trust.program(ExecCommandLine("exec:./child", relativeTo: "/a"))
    #expect(program.command.folder == "/a")
    for (text, folder) in [("exec:./child", "/b"), ("exec:./child x", "/a")] {
      let other = try ExecCommandLine(text, relativeTo: folder)
      #expect(throws: Failure.self) { try trust.program(other) }
    }
  }
}
