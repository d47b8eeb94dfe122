import AppEngines
import Evaluation
import Foundation
import Synthesis
import TestSupport
import Testing
import TraceModel

@testable import Harness

@Suite struct DeltaDebuggingTests {
  /// For every set of culprits among ten, the result is that set, and each test was needed.
  @Test func whatFailsTogetherIsFound() {
    for culprits in 0..<1 << 10 {
      let needed = (0..<10).filter { culprits >> $0 & 1 == 1 }
      let reduced = DeltaDebugging.reduced(Array(0..<10)) { part in
        needed.allSatisfy(part.contains)
      }
      #expect(reduced == needed)
    }
  }

  /// The test may fail for several reasons: what is left fails, and nothing can be left out.
  @Test(arguments: UInt64(1)...40) func nothingCanBeLeftOut(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let reasons = (0..<4).map { _ in
      Set((0..<3).map { _ in Int.random(in: 0..<200, using: &random) })
    }
    var tests = 0
    func fails(_ part: [Int]) -> Bool {
      tests += 1
      // Not monotonic: an element of the last reason hides the first.
      let isHidden = reasons[3].isSubset(of: part)
      return reasons.enumerated().contains { index, reason in
        reason.isSubset(of: part) && !(index == 0 && isHidden)
      }
    }
    let reduced = DeltaDebugging.reduced(Array(0..<200), fails: fails)
    #expect(fails(reduced) && reduced == reduced.sorted())
    for index in reduced.indices {
      var rest = reduced
      rest.remove(at: index)
      #expect(!fails(rest))
    }
    #expect(tests < 400)
  }
}

@Suite struct ShellTextTests {
  @Test func wordsComeBackFromTheShell() throws {
    let words = ["a", "a b", "", "it's", "$HOME", "`x`", "a\nb", "\\", "*", "é", "--x=1,2", "'"]
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let text = words.map(ShellText.quoted).joined(separator: " ")
    process.arguments = ["-c", "printf '%s\\0' \(text)"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let read = data.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
    #expect(read == words)
    #expect(ShellText.quoted("restart:1:35s:20s") == "restart:1:35s:20s")
  }
}

/// The program as people use it: what `shrink` prints, `replay` shows.
@Suite struct ShrinkCommandTests {
  private static let made = MadeFiles { scratch in
    for arguments in [
      ["fight", "--subject", "1", "-o", "fight-1.h5"],
      ["fight", "--subject", "2", "-o", "fight-2.h5"],
      ["route", "--subject", "5", "--seed", "3", "-o", "route.h5"], ["track-run", "-o", "run.h5"],
      ["presence", "--duration", "150s", "-o", "presence.h5"],
      ["drags", "--subject", "1", "--duration", "120s", "-o", "drags-1.h5"],
      ["drags", "--subject", "2", "--duration", "120s", "-o", "drags-2.h5"],
    ] {
      let outcome = try Program.run(["synth"] + arguments, in: scratch.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var app: String
    var traces: [String]
    var options: [String] = []
    var search = 5

    var testDescription: String { app }
  }

  /// In these apps something breaks; the printed command breaks the same, and no less.
  @Test(arguments: [
    Case(
      app: "fight/hitThat", traces: ["fight-1.h5", "fight-2.h5"],
      options: ["--parameters", "threshold=25m/s2"]),
    Case(app: "hike/freeOrder", traces: ["route.h5"], options: ["--policy", "--cancel", "0.1"]),
    Case(app: "workout/tri", traces: ["run.h5"]),
    Case(app: "tictactoe/ticChatToe", traces: ["presence.h5"], search: 8),
    Case(
      app: "pictureguess/iPict", traces: ["drags-1.h5", "drags-2.h5"], options: ["--together"]),
  ]) func thePrintedCommandShowsWhatWasFound(_ example: Case) throws {
    let scratch = try Scratch()
    try Self.made.copy(to: scratch)
    let folder = scratch.url
    let found = try Program.run(
      ["shrink", "--app", example.app, "--search", "\(example.search)", "--format", "json"]
        + example.options + example.traces, in: folder)
    #expect(found.status == 2, "\(found.errors)")
    let object = try found.object
    let broken = try #require(object["broken"] as? [String])
    let command = try #require(object["command"] as? String)
    #expect(!broken.isEmpty && command.hasPrefix("shadowbox replay --app \(example.app) "))
    let played = try Program.launch(
      "sh",
      ["-c", "'\(Program.executable)'" + command.dropFirst("shadowbox".count) + " --format json"],
      in: folder)
    #expect(played.status == 0, "\(played.errors)")
    let app = try #require(try played.object["app"] as? [String: Any])
    let people = try #require(app["people"] as? [[String: Any]])
    let outcomes = try #require(app["outcomes"] as? [[String: Any]])
    let counts = try AppChoice(example.app, of: AppCatalog(Program.apps)).app.faultCounts
    let shown = outcomes.compactMap { outcome -> String? in
      guard let name = outcome["name"] as? String, counts.contains(name),
        let value = outcome["value"] as? Double, value > 0
      else { return nil }
      let person = (outcome["person"] as? Int).flatMap { people[$0]["name"] as? String }
      return name.replacing("_", with: " ") + ": \(Int(value))" + (person.map { " (\($0))" } ?? "")
    }
    #expect(shown.sorted() == broken.sorted())
  }

  /// A run in which nothing breaks ends with success, and says so.
  @Test func nothingToShrink() throws {
    let scratch = try Scratch()
    try Self.made.copy(to: scratch)
    let folder = scratch.url
    let outcome = try Program.run(
      ["shrink", "--app", "hike", "--policy", "--network", "good", "route.h5"], in: folder)
    #expect(outcome.status == 0 && outcome.output.hasPrefix("Nothing breaks in this run"))
  }

  /// A fault names the phones that the app has, and the server only where there is one.
  @Test(arguments: [
    (["pictureguess", "drags-1.h5", "drags-2.h5"], "cut:server:1s:2s", "has no server"),
    (["pictureguess", "drags-1.h5", "drags-2.h5"], "cut:4:1s:2s", "expected phones 1 to 3"),
    (["fight", "fight-1.h5", "fight-2.h5"], "lose:3-server:1", "expected phones 1 to 2"),
  ]) func faultsThatCannotBe(arguments: [String], fault: String, message: String) throws {
    let scratch = try Scratch()
    try Self.made.copy(to: scratch)
    let outcome = try Program.run(
      ["replay", "--together", "--fault", fault, "--app"] + arguments, in: scratch.url)
    #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome.errors)")
  }
}
