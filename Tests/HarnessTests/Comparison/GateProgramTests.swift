import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// Gates and reruns of `exec:` programs that are not deterministic, or that fail.
@Suite struct GateProgramTests {
  private static let made = MadeFiles { scratch in
    var trace = Trace(header: TraceHeader(id: "t", origin: .synthetic))
    var columns = VectorColumns()
    for index in 0..<100 {
      let time = Int64(index) * 10_000_000
      columns.append(Vector3(x: 1, y: 2, z: 3), measured: time, arrived: time)
    }
    trace.set(.vector(columns), for: .userAcceleration)
    trace.header.references = [ReferenceSet(task: .punch, events: [])]
    trace.header.end = TraceInstant(nanoseconds: 1_000_000_000)
    try NativeTrace.write(trace, to: scratch.path("t.h5"))
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {all: [t.h5]}
      entries: [{name: child, detector: "exec:./child", traces: all}]
      gate: {flips: 0}
      """, to: "s.yml")
  }

  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Self.made.copy(to: scratch)
  }

  /// A program with one detection, whose value is that of a shell expression.
  private func write(value: String) throws {
    try scratch.write(
      """
      #!/bin/sh
      \(ExecBench.hello)
      while read -r line; do case $line in end*)
        echo "x" >> starts
        echo "detect 50 500000000 value=\(value)"; echo done;;
      esac; done
      """, to: "child", permissions: 0o755)
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch.url)
  }

  private func gate() throws -> Program.Outcome {
    try run("gate", "s.yml", "--base-build", Program.executable, "--no-timing")
  }

  @Test func equalAnswersPass() throws {
    try write(value: "59.215")
    let outcome = try gate()
    #expect(outcome.status == 0 && outcome.output.hasPrefix("Gate: PASS"), "\(outcome)")
  }

  /// Another value each time, or one that only a new process changes.
  @Test(arguments: [
    ("$(wc -l < starts)", "in one process"), ("$$", "in two processes"),
  ])
  func chanceIsAnError(value: String, place: String) throws {
    try write(value: value)
    let outcome = try gate()
    #expect(outcome.status == 65 && outcome.output.hasPrefix("Gate: ERROR"), "\(outcome)")
    let text = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("head: exec:./child is not deterministic"), "\(outcome)")
    #expect(text.contains(place) && text.contains("at 0.500 s: value changed"), "\(outcome)")
    #expect(!text.contains("FAIL") && !text.contains("IMPROVED"), "\(outcome)")
  }

  @Test func runWarnsAndRerunNamesTheProgram() throws {
    try write(value: "$(wc -l < starts)")
    let first = try run("run", "s.yml", "-o", "r.h5")
    #expect(first.status == 0, "\(first)")
    #expect(first.errors.contains("warning: entry child: exec:./child is not deterministic"))
    let again = try run("rerun", "r.h5", "--allow-programs")
    #expect(again.status == 65, "\(again)")
    #expect(again.errors.contains("exec:./child is not deterministic"), "\(again)")
  }

  /// The sides have run by then; the third answer is that of the head's repeated run.
  @Test func aProgramThatFailsWhenRepeatedNamesItsSide() throws {
    try write(value: "1$([ $(wc -l < starts) -lt 3 ] || kill $$)")
    let outcome = try gate()
    #expect(outcome.status == 70 && outcome.errors.contains("error: head: "), "\(outcome)")
  }

  /// What CI shows has the reason, and the exit code is that of the failure.
  @Test func aProgramThatFailsIsInTheFilesOfCI() throws {
    try write(value: "1")
    #expect(try run("run", "s.yml", "-o", "base.h5", "--quiet").status == 0)
    try scratch.write(
      "#!/bin/sh\n\(ExecBench.hello)\nread -r line; echo broken >&2; exit 3\n", to: "child",
      permissions: 0o755)
    let outcome = try run(
      "gate", "s.yml", "--base-results", "base.h5", "--summary", "s.md", "--junit", "j.xml")
    #expect(outcome.status == 70 && outcome.errors.contains("exit status 3"), "\(outcome)")
    for file in ["s.md", "j.xml"] {
      let text = try scratch.text(of: file)
      #expect(text.contains("ERROR") && text.contains("exit status 3"), "\(file): \(text)")
    }
    // A base that a cache has lost.
    let lost = try run("gate", "s.yml", "--base-results", "no.h5", "--junit", "lost.xml")
    #expect(lost.status == 74, "\(lost)")
    #expect(try scratch.text(of: "lost.xml").contains("no.h5: expected a readable HDF5 file"))
  }
}
