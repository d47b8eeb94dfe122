import AppEngines
import Evaluation
import Foundation
import Synthesis
import TestSupport
import Testing
import TraceModel

@testable import Harness

/// What `replay --messages` prints, and whether faults can be written by looking at it.
@Suite struct MessageLogTests {
  private static let made = MadeFiles { scratch in
    for arguments in [
      ["route", "-o", "route.h5"], ["drags", "--subject", "1", "-o", "drags-1.h5"],
      ["drags", "--subject", "2", "-o", "drags-2.h5"],
    ] {
      let outcome = try Program.run(["synth"] + arguments, in: scratch.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  private static func rows(_ options: [String]) throws -> [[String]] {
    let scratch = try Scratch()
    try made.copy(to: scratch)
    let outcome = try Program.run(
      ["replay", "--messages", "--format", "csv"] + options, in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// A number of the log names the same message to `--fault`, in an app with a server and in one
  /// without; before it, nothing changes.
  @Test(arguments: [
    ["--app", "hike", "--policy", "route.h5"],
    ["--app", "pictureguess", "--together", "drags-1.h5", "drags-2.h5"],
  ]) func theNumberOfTheLogIsThatOfTheFault(app: [String]) throws {
    let plain = try Self.rows(app)
    try #require(plain.count > 5)
    for index in [0, plain.count / 2] {
      let number = plain[index][0]
      let lost = try Self.rows(app + ["--fault", "lose:\(number)"])
      #expect(lost[..<index] == plain[..<index])
      #expect(lost[index].prefix(5) == plain[index].prefix(5) && lost[index].last == "lost")
      #expect(lost.count { $0.last == "lost" } == 1)
    }
  }

  /// Every fate is named, and the summary and the list count the same messages.
  @Test func theFatesOfMessages() throws {
    let scratch = try Scratch()
    try Self.made.copy(to: scratch)
    let faults = [
      "cut:1:80s:90s", "lose:server-1:1", "duplicate:1-server:4:1s", "delay:1-server:5:60s",
    ].flatMap { ["--fault", $0] }
    let options = ["--app", "hike", "--policy", "route.h5"] + faults
    let rows = try Self.rows(options)
    #expect(Set(rows.compactMap(\.last)).isSuperset(of: ["delivered", "lost", "doubled", "late"]))
    #expect(rows.allSatisfy { Int($0[5]) ?? 0 > 20 && $0[4].hasPrefix($0[1] == "1" ? "up" : "a") })
    let summary = try Program.run(["replay", "--messages"] + options, in: scratch.url).output
    let list = try Program.run(["replay", "--messages", "--full"] + options, in: scratch.url).output
    let uploads = rows.count { $0[4] == "upload" }
    let row = summary.split(separator: "\n").first { $0.hasPrefix("upload ") }
    #expect(row?.split(separator: " ")[1] == "\(uploads)")
    #expect(list.split(separator: "\n").count { $0.hasPrefix("1-server:") } == uploads)
    for line in (summary + list).split(separator: "\n") { #expect(line.count <= 80) }
  }

  @Test func theOptionsNeedEachOther() throws {
    let scratch = try Scratch()
    try Self.made.copy(to: scratch)
    for options in [["--messages"], ["--app", "hike", "--full"]] {
      let outcome = try Program.run(["replay", "route.h5"] + options, in: scratch.url)
      #expect(outcome.status == 64, "\(outcome.errors)")
    }
  }
}
