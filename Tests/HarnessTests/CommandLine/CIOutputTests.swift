import ArgumentParser
import Evaluation
import Foundation
@testable import Harness
import Reports
import Results
import Diagnostics
import TestSupport
import Testing

/// What `export` and the options of `gate` and `compare` write for CI services.
@Suite struct CIOutputTests {
  private let scratch: Scratch

  private static let made = MadeFiles([
    "synth punches --duration 30s -o p.h5", "run p.h5 --detector punch -o base.h5",
    "run p.h5 --detector punch --parameters threshold=500 -o head.h5",
  ])

  init() throws {
    scratch = try Scratch()
    try Self.made.copy(to: scratch)
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch.url)
  }

  private var comparison: ResultComparison {
    get throws {
      ResultComparison(
        from: try MeasuredResults(reading: scratch.path("base.h5")),
        to: try MeasuredResults(reading: scratch.path("head.h5")))
    }
  }

  private func options(
    _ arguments: [String], _ variables: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> CIOutputOptions {
    var options = try CIOutputOptions.parse(arguments)
    options.variables = variables
    return options
  }

  // MARK: export

  @Test(arguments: [
    ("a.xml", "<testsuites name=\"shadowbox results\""),
    ("a.md", "<!-- shadowbox-summary/1 -->"), ("a.txt", "# TYPE shadowbox_runs gauge"),
  ])
  func theEndingDecides(file: String, sign: String) throws {
    let outcome = try run(["export", "base.h5", "-o", file])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try scratch.text(of: file).contains(sign))
  }

  @Test func exportNeedsAFormat() throws {
    let outcome = try run(["export", "base.h5", "-o", "a.json"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(".xml, .md or .txt"))
    for kind in ["benchmark", "benchmark-bigger", "badge"] {
      let outcome = try run(["export", "base.h5", "--as", kind, "-o", "\(kind).json"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try !scratch.bytes(of: "\(kind).json").isEmpty)
    }
  }

  @Test func onlyResultsAreExported() throws {
    let outcome = try run(["export", "p.h5", "-o", "a.xml"])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("expected shadowbox-results/"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("a.xml")))
  }

  @Test func otherFilesStay() throws {
    try scratch.write("<testsuites name=\"mine\"/>", to: "a.xml")
    #expect(try run(["export", "base.h5", "-o", "a.xml"]).status == 64)
    #expect(try scratch.text(of: "a.xml") == "<testsuites name=\"mine\"/>")
    #expect(try run(["export", "base.h5", "-o", "a.xml", "--force"]).status == 0)
    #expect(try run(["export", "base.h5", "-o", "a.xml"]).status == 0)
  }

  // MARK: The options

  @Test func allFilesAreWritten() throws {
    let files = [
      "--junit": "a.xml", "--summary": "a.md", "--open-metrics": "a.txt",
      "--benchmark-json": "s.json", "--benchmark-json-bigger": "b.json", "--badge": "badge.json",
    ]
    let options = try options(files.flatMap { [$0.key, scratch.path($0.value)] })
    try options.check(
      inputs: [scratch.path("base.h5")], others: [scratch.path("o.h5"), nil], of: OutputFiles())
    #expect(options.outputs.compactMap(\.path).count == 6)
    try options.write(comparison, of: OutputFiles())
    // Its own files are replaced.
    try options.write(comparison, of: OutputFiles())
    for file in files.values {
      #expect(try !scratch.bytes(of: file).isEmpty, "\(file)")
    }
    #expect(try scratch.text(of: "a.md").contains("detections that differ"))
  }

  @Test func pathsAreCheckedFirst() throws {
    func message(_ arguments: [String], others: [String?] = []) -> String {
      do {
        try options(arguments, [:]).check(
          inputs: [scratch.path("base.h5")], others: others, of: OutputFiles())
        return ""
      } catch {
        return "\(error)"
      }
    }
    let (xml, input) = (scratch.path("a.xml"), scratch.path("base.h5"))
    #expect(message(["--junit", xml]) == "")
    #expect(message(["--junit", xml], others: [xml]).contains("found it twice"))
    #expect(message(["--junit", input]).contains("is also read"))
    #expect(message(["--junit", scratch.path("a.txt")]).contains("ends in .xml"))
    #expect(
      message(["--badge", scratch.path("a.json"), "--benchmark-json", scratch.path("a.json")])
        .contains("found it twice"))
    #expect(message(["--summary", "-"]).contains("expected GITHUB_STEP_SUMMARY"))
  }

  /// Other steps have written to the summary of a job: it grows, up to its limit.
  @Test(arguments: ["-", "step"]) func theSummaryOfAJobGrows(name: String) throws {
    try scratch.write("before\n", to: "step")
    let path = scratch.path("step")
    let options = try options(
      ["--summary", name == "-" ? "-" : path], ["GITHUB_STEP_SUMMARY": path])
    #expect(options.outputs.compactMap(\.path).isEmpty)
    try options.check(inputs: [], of: OutputFiles())
    try options.write(comparison, of: OutputFiles())
    let text = try scratch.text(of: "step")
    #expect(text.hasPrefix("before\n\n<!-- shadowbox-summary/1 -->\n"))
    try options.write(comparison, of: OutputFiles())
    #expect(try scratch.text(of: "step").hasPrefix(text))
  }

  @Test func aFullSummaryOfAJobIsLeft() throws {
    let limit = 1024 * 1024
    for room in [0, 1, 200, 100_000] {
      let full = String(repeating: "x", count: limit - room)
      try scratch.write(full, to: "step")
      try options(["--summary", "-"], ["GITHUB_STEP_SUMMARY": scratch.path("step")])
        .write(comparison, of: OutputFiles())
      let text = try scratch.text(of: "step")
      #expect(text.utf8.count <= limit)
      #expect(text.hasPrefix(full))
      #expect((text.utf8.count > full.utf8.count) == (room >= 200))
    }
  }

  // MARK: gate and compare

  /// Runs the program as GitHub runs it.
  private func runAsJob(_ arguments: [String]) throws -> Program.Outcome {
    try Program.launch(
      "env",
      ["GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=\(scratch.path("step"))", Program.executable]
        + arguments, in: scratch.url)
  }

  @Test func aGateThatFailsWritesAllItsFiles() throws {
    let outcome = try runAsJob([
      "gate", "p.h5", "--base-results", "base.h5", "--head-results", "head.h5", "--junit", "g.xml",
      "--summary", "-", "--open-metrics", "g.txt", "--badge", "g.json",
    ])
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(outcome.errors.contains("::error title=FAIL%3A recall of "), "\(outcome.errors)")
    #expect(!outcome.output.contains("::error"))
    #expect(try scratch.text(of: "g.xml").contains("<failure type=\"FAIL\" message=\"beyond"))
    #expect(try scratch.text(of: "step").contains("\n## FAIL: "))
    #expect(try scratch.text(of: "g.txt").hasSuffix("# EOF\n"))
    #expect(try scratch.text(of: "g.json").contains("\"color\" : \"red\""))
  }

  @Test func equalSidesGiveANotice() throws {
    let arguments = ["gate", "p.h5", "--base-results", "base.h5", "--head-results", "base.h5"]
    let outcome = try runAsJob(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("::notice title=Shadowbox gate%3A PASS::"))
    #expect(try run(arguments).errors.contains("::") == false)
  }

  @Test func compareWritesThemToo() throws {
    let outcome = try run([
      "compare", "base.h5", "head.h5", "--junit", "c.xml", "--summary", "c.md",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try scratch.text(of: "c.xml").contains("<testsuites name=\"shadowbox compare\""))
    #expect(try scratch.text(of: "c.md").contains("Changed inputs"))
    let refused = try run(["compare", "base.h5", "head.h5", "--junit", "base.h5"])
    #expect(refused.status == 64)
  }
}
