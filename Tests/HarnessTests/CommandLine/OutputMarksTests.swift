import Foundation
import TestSupport
import Testing

/// Files of the same format that Shadowbox did not write stay, see OutputKindTests for all kinds.
@Suite struct OutputMarksTests {
  private let scratch: Scratch

  private static let made = MadeFiles([
    "synth punches --duration 20s -o p.h5", "run p.h5 --detector punch -o r.h5",
  ])

  init() throws {
    scratch = try Scratch()
    try Self.made.copy(to: scratch)
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch.url)
  }

  @Test(arguments: [
    ("run p.h5 --detector punch --log", "notes", "# my notes\n"),
    ("convert p.h5 --channel acceleration -o", "mine.csv", "time_ns,time_s,x,y,z\n"),
    ("export r.h5 --as badge -o", "mine.json", "{\"schemaVersion\": 1, \"label\": \"mine\"}\n"),
  ])
  func onlyWhatACommandWroteIsReplaced(command: String, file: String, foreign: String) throws {
    let words = command.split(separator: " ").map(String.init) + [file]
    try scratch.write(foreign, to: file)
    let refused = try run(words)
    #expect(refused.status == 64 && refused.errors.contains("--force"), "\(refused.errors)")
    #expect(refused.errors.contains("as a command wrote it"), "\(refused.errors)")
    #expect(try scratch.text(of: file) == foreign)
    #expect(try run(words + ["--force"]).status == 0)
    let again = try run(words)
    #expect(again.status == 0, "\(again.errors)")
    let edited = try scratch.text(of: file) + "mine\n"
    try scratch.write(edited, to: file)
    #expect(try run(words).status == 64)
    #expect(try scratch.text(of: file) == edited)
  }

  @Test(arguments: [
    ("replay p.h5 --picture", "mine.svg", "<svg/>"), ("replay p.h5 --picture", "mine.pdf", "%PDF-"),
    ("export r.h5 --as benchmark -o", "mine.json", "[{\"name\": \"shadowbox mine\"}]\n"),
    ("export p.h5 -o", "p.trace", "shadowbox-fixture/1\n"),
  ])
  func filesOfOthersStay(command: String, file: String, foreign: String) throws {
    try scratch.write(foreign, to: file)
    let refused = try run(command.split(separator: " ").map(String.init) + [file])
    #expect(refused.status == 64 && refused.errors.contains("--force"), "\(refused.errors)")
    #expect(try scratch.text(of: file) == foreign)
  }

  /// Another program's native trace is no output of this one.
  @Test func tracesOfOthersStay() throws {
    let trim = ["trim", "p.h5", "--from", "1s", "-o", "q.h5"]
    try FileManager.default.copyItem(atPath: scratch.path("p.h5"), toPath: scratch.path("q.h5"))
    let before = try scratch.bytes(of: "q.h5")
    #expect(try run(trim).status == 64)
    #expect(try scratch.bytes(of: "q.h5") == before)
    #expect(try run(trim + ["--force"]).status == 0)
    #expect(try run(trim).status == 0)
  }

  /// Without a cache nothing is known, and the refusal says so.
  @Test func withoutACacheForceIsNeeded() throws {
    let script = "XDG_CACHE_HOME=/dev/null exec \"$0\" export r.h5 --as badge -o b.json \"$@\""
    func run(_ words: [String]) throws -> Program.Outcome {
      try Program.launch("sh", ["-c", script, Program.executable] + words, in: scratch.url)
    }
    #expect(try run([]).status == 0)
    let again = try run([])
    #expect(again.status == 64, "\(again.errors)")
    #expect(
      again.errors.contains("/dev/null/shadowbox/written cannot be used (Not a directory)"),
      "\(again.errors)")
    #expect(try run(["--force"]).status == 0)
  }
}
