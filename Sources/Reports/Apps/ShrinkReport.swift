package import Evaluation
import AppEngines
import Diagnostics
import Foundation
import Results
import Scoring

/// The output of `shrink`: what breaks, the fewest faults that break it, and how to reproduce it.
package struct ShrinkReport {
  let reduced: FaultShrinking.Reduced
  let seed: UInt64?
  let command: String
  let inputs: [InputFile]

  /// - Parameter seed: of the random network; nil = the network was stated.
  package init(
    reduced: FaultShrinking.Reduced, seed: UInt64?, command: String, inputs: [InputFile]
  ) { (self.reduced, self.seed, self.command, self.inputs) = (reduced, seed, command, inputs) }

  package func text(_ screen: Screen) -> String {
    let (faults, runs) = (reduced.broken.faults, reduced.runs)
    let others =
      reduced.others.isEmpty
      ? "" : " Broken too before the reduction: \(reduced.others.joined(separator: ", "))."
    let origin = seed.map { " of the random network with seed \($0)" } ?? ""
    var lines = ["Broken:"] + reduced.broken.findings.map { "  \($0)" }
    lines.append("Reduced for --watch \(reduced.watched).\(others)")
    lines.append(
      "\(reduced.originalCount) faults\(origin), reduced to \(faults.count) in "
        + counted(runs, "run") + (faults.isEmpty ? "." : ":"))
    lines += faults.map { "  \($0)" }
    let decisions = reduced.broken.decisions
    if !decisions.isEmpty { lines.append("Decisions:") }
    lines += decisions.map { "  \($0)" }
    lines.append("To see it:")
    // On one line, to be copied.
    return (lines.map { screen.wrapped($0, indent: 4) } + ["  \(command)"])
      .joined(separator: "\n") + "\n"
  }

  package func json() throws -> String {
    let document: JSONObject = [
      "broken": reduced.broken.findings, "watched": reduced.watched,
      "broken_before": reduced.others, "seed": seed.map { "\($0)" },
      "network": NamedNetwork.summary(reduced.broken.network),
      "faults": reduced.broken.faults.map(\.description),
      "decisions": reduced.broken.decisions.map(\.description),
      "faults_before": reduced.originalCount, "runs": reduced.runs, "command": command,
    ]
    return try jsonDocument(document, .shrink, inputs: inputs)
  }

  /// The document of a search that found nothing.
  package static func nothing(runs: Int, inputs: [InputFile]) throws -> String {
    let document: JSONObject = [
      "broken": [String](), "runs": runs, "share_at_most": shareAtMost(runs: runs),
    ]
    return try jsonDocument(document, .shrink, inputs: inputs)
  }

  package static func text(
    _ tally: FaultShrinking.Tally, title: String, _ screen: Screen
  ) -> String {
    var table = TextTable(
      "Random networks: \(tally.runs) runs of \(title)",
      [.init("what breaks", .left), .init("runs"), .init("share %"), .init("first seed")])
    for kind in tally.kinds {
      table.add([
        kind.name, "\(kind.runs)", fixed(100 * Double(kind.runs) / Double(max(tally.runs, 1)), 2),
        kind.runs == 0 ? "" : "\(kind.seed)",
      ])
    }
    let bound = fixed(shareAtMost(runs: tally.runs) * 100, 3)
    let note =
      tally.broken == 0
      ? "Nothing breaks: at most \(bound) % of such runs break something (one-sided bound, "
        + "confidence 0.95)." : "Something breaks in \(tally.broken) of \(tally.runs) runs."
    return table.render(screen) + screen.wrapped(note, indent: 2) + "\n"
  }

  package static func json(_ tally: FaultShrinking.Tally, inputs: [InputFile]) throws -> String {
    let document: JSONObject = [
      "runs": tally.runs, "broken_runs": tally.broken,
      "kinds": tally.kinds.map { kind -> JSONObject in
        let seed = kind.runs == 0 ? nil : "\(kind.seed)"
        return ["name": kind.name, "runs": kind.runs, "first_seed": seed]
      },
      "share_at_most": tally.broken == 0 ? shareAtMost(runs: tally.runs) : nil,
    ]
    return try jsonDocument(document, .shrink, inputs: inputs)
  }

  /// The exact one-sided 95 % bound of the share of broken runs if none of the runs was broken.
  package static func shareAtMost(runs: Int) -> Double { 1 - pow(0.05, 1 / Double(max(runs, 1))) }
}
