import Diagnostics
import Foundation
import Testing

@testable import ExternalDetectors

@Suite struct TrustedProgramTests {
  /// What is cut off, or hidden by a control character, would be allowed unseen.
  @Test func theRefusalNamesEachProgramWhole() throws {
    let words = String(repeating: "word ", count: 100) + "evil\u{1B}[1A\n\u{A0}\u{202E}\u{3164}x"
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
      text.ranges(of: "evil\\u{1b}[1A\\u{a}\\u{a0}\\u{202e}\\u{3164}x in the folder /a\\u{7}").count
        == 9)
  }

  /// What is shown is what the system starts: `..` after a link leads elsewhere than in the text.
  @Test func linksAreFollowedAsTheSystemDoes() throws {
    let base = FileManager.default.temporaryDirectory.appending(path: "trust-\(UUID())")
    defer { try? FileManager.default.removeItem(at: base) }
    let folder =
      try #require(
        realpath(FileManager.default.temporaryDirectory.path, nil).map { path in
          defer { free(path) }
          return String(cString: path)
        }) + "/" + base.lastPathComponent
    for name in ["own/sub", "got"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/got/link", withDestinationPath: "../own/sub")
    let command = try ExecCommandLine("exec:./d", relativeTo: "\(folder)/got/link/..")
    #expect(command.folder == "\(folder)/own")
    let error = #expect(throws: Failure.self) { try ProgramTrust().program(command) }
    #expect(error?.description.hasSuffix("exec:./d in the folder \(folder)/own") == true)
    for name in ["./d", "../got/link/../d", "\(folder)/own/d"] {
      try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: "\(folder)/own/d"))
      #expect(chmod("\(folder)/own/d", 0o755) == 0)
      let one = try ExecCommandLine("exec:\(name)", relativeTo: "\(folder)/own")
      let started = try #require(realpath(try one.executable(), nil))
      defer { free(started) }
      #expect(String(cString: started) == "\(folder)/own/d")
    }
  }

  /// Equal strings may be the names of two files.
  @Test func programsAreComparedByBytes() throws {
    let (one, other) = ("exec:./caf\u{E9}", "exec:./cafe\u{301}")
    #expect(one == other)
    var trust = ProgramTrust()
    trust.trust(try ExecCommandLine(one, relativeTo: "/a"))
    #expect(throws: Failure.self) {
      try trust.program(ExecCommandLine(other, relativeTo: "/a"))
    }
    _ = try trust.program(ExecCommandLine(one, relativeTo: "/a"))
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
