import Foundation
import TestSupport
import Testing

/// What CI sees of an app that fails its people: the exit code, and the outcome by name.
@Suite struct AppGateTests {
  private static let made = MadeFiles(
    [
      "fight --subject 1", "fight --subject 2", "route", "track-run", "presence --duration 150s",
      "drags --subject 1 --duration 120s", "drags --subject 2 --duration 120s",
    ].enumerated().map { "synth \($0.element) --seed 3 -o \($0.offset).h5" })

  /// The app, its traces, and the rest of its entry.
  private static let apps = [
    ("fight", "[0.h5, 1.h5]", "together: true"), ("hike", "[2.h5]", "policy: {}"),
    ("workout", "[3.h5]", "policy: {}"), ("tictactoe", "[4.h5]", "together: true"),
    ("pictureguess", "[5.h5, 6.h5]", "together: true"),
  ]

  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Self.made.copy(to: scratch)
  }

  /// - Parameter changes: what an app's entry has besides, by app; none = as in the base.
  private func suite(
    _ name: String, _ wanted: [String], _ changes: [String: String] = [:], gate: String = ""
  ) throws {
    let own = Self.apps.filter { wanted.contains($0.0) }
    let traces = own.map { "\($0.0): \($0.1)" }.joined(separator: ", ")
    let entries = own.map { app, _, rest in
      let change = changes[app].map { ", \($0)" } ?? ""
      return "  - {name: \(app), app: \(app), traces: \(app), \(rest)\(change)}\n"
    }
    let text =
      "schema: shadowbox-suite/1\ntraces: {\(traces)}\napps:\n\(entries.joined())\(gate)\n"
    try Data(text.utf8).write(to: scratch.url.appending(path: name))
  }

  private func gate(_ arguments: String...) throws -> (status: Int32, failed: Set<String>) {
    let outcome = try Program.run(
      ["gate", "--no-timing", "--format", "json"] + arguments, in: scratch.url)
    let checks = try outcome.object["checks"] as? [[String: Any]] ?? []
    let failed = checks.filter { $0["verdict"] as? String == "FAIL" }
    return (
      outcome.status, Set(failed.map { "\($0["entry"] ?? "") \($0["figure"] ?? "")" })
    )
  }

  /// Everything that CI reads names the outcome.
  @Test func aLostFightFails() throws {
    try suite("base.yml", ["fight"])
    try suite("head.yml", ["fight"], ["fight": "network: {loss: 1}"])
    let run = { (name: String, more: [String]) in
      try Program.run(
        ["run", name + ".yml", "--deterministic", "--quiet", "-o", name + ".h5"] + more,
        in: scratch.url)
    }
    #expect(try run("base", ["--fail-on", "outcomes"]).status == 0)
    let failing = try run("head", ["--fail-on", "outcomes"])
    #expect(failing.status == 2 && failing.errors.contains("fight: outcome.winner is nobody"))
    #expect(try run("head", ["--fail-on", "violations"]).status == 0)
    let gate = try Program.run(
      [
        "gate", "--base-results", "base.h5", "--head-results", "head.h5", "--junit", "gate.xml",
        "--history", "gate.sqlite",
      ], in: scratch.url)
    #expect(gate.status == 2 && gate.output.contains("outcome.winner"), "\(gate)")
    #expect(gate.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(gate.output)")
    let xml = try String(contentsOfFile: scratch.path("gate.xml"), encoding: .utf8)
    #expect(xml.contains("-&gt; nobody"), "\(xml)")
    let history = try Program.run(
      ["history", "--history", "gate.sqlite", "--format", "csv"], in: scratch.url)
    #expect(history.output.contains("outcome.winner"), "\(history)")
    let stated = try self.gate(
      "--base-results", "base.h5", "--head-results", "head.h5", "--bound", "outcome.winner=-1")
    #expect(stated.status == 0 && stated.failed.isEmpty)
    let compared = try Program.run(
      ["compare", "base.h5", "head.h5", "--fail-on-difference"], in: scratch.url)
    #expect(compared.status == 2 && compared.output.contains("nobody"), "\(compared)")
  }

  /// Each app meets a network that loses all, a worse detector, and its original rules.
  @Test(
    .longer,
    arguments: [
      (
        [
          "fight": "network: {loss: 1}", "hike": "network: {loss: 1}",
          "workout": "network: {loss: 1}", "tictactoe": "network: {loss: 1}",
          "pictureguess": "network: {loss: 1}",
        ],
        [
          "fight winner", "hike uploads", "workout saved", "tictactoe games",
          "pictureguess matches_finished",
        ]
      ),
      (["fight": "device_rate: 5 Hz"], ["fight winner"]),
      (
        [
          "fight": "preset: hitThat", "tictactoe": "preset: ticChatToe",
          "pictureguess": "preset: iPict", "workout": "preset: tri, network: {loss: 1}",
        ],
        [
          "tictactoe lost_chat_lines", "pictureguess readable_answers", "workout saved",
          "workout workouts_lost",
        ]
      ),
    ]) func everyAppFailsByName(changes: [String: String], outcomes: [String]) throws
  {
    // The quick run has the fight above.
    guard LongTests.areWanted else { return }
    let names = Self.apps.map(\.0)
    try suite("base.yml", names)
    try suite("head.yml", names, changes)
    let found = try gate("--base-suite", "base.yml", "--head-suite", "head.yml")
    let wanted = outcomes.map { text in
      let parts = text.split(separator: " ")
      return "\(parts[0]) outcome.\(parts[1])"
    }
    #expect(
      found.status == (found.failed.isEmpty ? 0 : 2) && found.failed.isSuperset(of: wanted),
      "\(found)")
    #expect(try gate("--base-suite", "base.yml", "--head-suite", "base.yml").status == 0)
    // The head's suite may state other bounds.
    try suite(
      "loose.yml", names, changes,
      gate: "gate: {violations: 100000, outcome.saved: -1, recall: -1, flips: 1000000}")
    let loose = try gate("--base-suite", "base.yml", "--head-suite", "loose.yml")
    #expect(!loose.failed.contains { $0.hasSuffix("workouts_lost") || $0.hasSuffix("saved") })
  }
}
