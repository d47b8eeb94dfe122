import Foundation
import TestSupport
import Testing

/// Gates that would be green for the wrong reason.
@Suite struct GateCommandTests {
  /// The third one is too short to be timed.
  private static let made = MadeFiles { scratch in
    let made = ["1", "2", "long"].enumerated().map { index, name in
      [
        "synth", "punches", "--seed", "\(index + 1)", "--subject", "\(index + 1)", "--duration",
        "30s", "-o",
        name + ".h5", "--quiet",
      ]
    }
    for arguments in made + [["trim", "long.h5", "--to", "3s", "-o", "3.h5", "--quiet"]] {
      let outcome = try Program.run(arguments, in: scratch.url)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
  }

  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Self.made.copy(to: scratch)
  }

  private func gate(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["gate"] + arguments, in: scratch.url)
  }

  private func write(_ name: String, _ rest: String, traces: String = "[1-2].h5") throws {
    let text = """
      schema: shadowbox-suite/1
      traces: {punches: ["\(traces)"]}
      \(rest)
      """
    try Data(text.utf8).write(to: scratch.url.appending(path: name))
  }

  private static let entries =
    "entries: [{detector: punch, traces: punches, gravity_filter: lowpass}]"

  /// Accuracy is judged also where there is nothing to time.
  @Test func whatCannotBeTimedIsANote() throws {
    try write("short.yml", Self.entries, traces: "3.h5")
    let outcome = try gate("short.yml", "--base-build", Program.executable, "--bound", "flips=0")
    #expect(outcome.status == 0 && outcome.output.hasPrefix("Gate: PASS (1 check"), "\(outcome)")
    #expect(outcome.output.contains("Not timed: punch/default"), "\(outcome)")
    try write("stated.yml", Self.entries + "\ngate: {flips: 0, time: +5 %}", traces: "3.h5")
    let stated = try gate("stated.yml", "--base-build", Program.executable)
    #expect(stated.status == 65 && stated.output.contains("nothing is measured"), "\(stated)")
  }

  @Test func statedBoundsOfTimingAreNamedWhereTimingIsOff() throws {
    try write("s.yml", Self.entries + "\ngate: {flips: 0, time: +5 %}")
    let outcome = try gate("s.yml", "--base-build", Program.executable, "--no-timing")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("Not checked: time +5 %: --no-timing"), "\(outcome)")
    // Without timing a gate about nothing else measures nothing.
    try write("t.yml", Self.entries + "\ngate: {time: +5 %}")
    let nothing = try gate("t.yml", "--base-build", Program.executable, "--no-timing")
    #expect(nothing.status == 65, "\(nothing)")
  }

  @Test func aGateOfTimingAlone() throws {
    // No detector becomes six times slower by the load of a machine.
    try write(
      "t.yml", Self.entries + "\ngate: {time: +900 %, instructions: +900 %}", traces: "1.h5")
    let outcome = try gate(
      "t.yml", "--base-build", Program.executable, "--pairs", "8", "--full", "--format", "csv")
    let hasValgrind = !outcome.output.contains("a bound is stated")
    #expect(outcome.status == (hasValgrind ? 0 : 65), "\(outcome)")
    #expect(outcome.output.contains(",time_per_sample,"), "\(outcome)")
  }

  @Test func whatIsLeftOutIsSaid() throws {
    try write("a.yml", Self.entries)
    try write("b.yml", Self.entries, traces: "1.h5")
    let outcome = try gate(
      "--base-suite", "a.yml", "--head-suite", "b.yml", "--no-timing", "--allow-different")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("Not compared: punch/default on "), "\(outcome)")
  }

  /// A change that loosens its own bounds.
  @Test func changedBoundsAreSaid() throws {
    try write("a.yml", Self.entries + "\ngate: {recall: -0.01, lost: 0}")
    try write("b.yml", Self.entries + "\ngate: {recall: -0.9}")
    let outcome = try gate("--base-suite", "a.yml", "--head-suite", "b.yml", "--no-timing")
    #expect(outcome.output.contains("Changed: bound recall -0.01 -> -0.9"), "\(outcome)")
    #expect(outcome.output.contains("Changed: bound lost 0 -> none"), "\(outcome)")
  }

  /// Bounds that are for new people already, and counts, stay as they are.
  @Test func newPeopleKeepsOtherBounds() throws {
    try write(
      "p.yml",
      Self.entries + "\ngate: {recall: -0.01, lost: 0, new_people: {recall: -0.02}}",
      traces: "[1-3].h5")
    let outcome = try gate(
      "p.yml", "--base-build", Program.executable, "--no-timing", "--new-people", "--full",
      "--format", "csv")
    let rows = outcome.output.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
    #expect(rows.map { String($0[3]) } == ["lost", "recall"], "\(outcome)")
    #expect(outcome.output.contains(",-0.02,new_people"), "\(outcome)")
  }
}
