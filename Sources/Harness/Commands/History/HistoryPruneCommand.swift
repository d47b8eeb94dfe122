import ArgumentParser
import Detectors
import Diagnostics
import Foundation
import History
import Reports
import TraceModel

struct HistoryPruneCommand: TerminalCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "prune", abstract: "Removes old runs from the history.",
    discussion: """
      With both options, a run is removed if it is old and not among the newest. To remove all runs, \
      add --force. The trials of gates stay.

      EXAMPLES:
        shadowbox history prune --keep 200 --older-than 90d
        shadowbox history prune --older-than 2w --dry-run
      """)

  @OptionGroup var history: HistoryOptions
  @Option(help: .init("The number of newest runs to keep.", "count")) var keep: Int?

  @Option(help: .init("Remove only runs that are older, such as 90d, 2w or 36h.", "age"))
  var olderThan: String?

  @Flag(help: "Print what would be removed, and remove nothing.") var dryRun = false
  @Flag(help: "Remove the runs even if none stays.") var force = false
  @OptionGroup var common: CommonOptions

  func run() async throws {
    try requireUse(
      keep != nil || olderThan != nil, "expected --keep or --older-than, found neither; add one")
    try requireUse(keep ?? 0 >= 0, "--keep \(keep ?? 0): expected a count of zero or more")
    let age = try olderThan.map {
      try parsed($0, of: "--older-than", "an age such as 90d, 2w or 36h", by: Self.age)
    }
    guard FileManager.default.fileExists(atPath: history.path) else {
      throw fileError("\(history.path): expected a history, found no such file")
    }
    let store =
      try dryRun ? HistoryStore(reading: history.path) : HistoryStore(history.path, terminal)
    defer { store.close() }
    let time = age.map { HistoryTime(Date()) - $0 }
    let count = try store.runs().count
    let doomed = try store.prune(keeping: keep ?? 0, olderThan: time, isDry: true)
    // A history that becomes empty is more often a mistake than an intention.
    try requireUse(
      dryRun || force || count == 0 || doomed.count < count,
      "\(history.path): expected a run that stays, found none: \(counted(count, "run")) would be "
        + "removed; keep some with --keep, or add --force")
    let removed =
      try dryRun ? doomed : store.prune(keeping: keep ?? 0, olderThan: time, isDry: false)
    let lines = removed.map { run in
      "\(run.time)  \(inLine(run.commit.isEmpty ? "-" : run.commit))  \(run.source.rawValue)  "
        + "\(inLine(run.machine))\n"
    }
    try StandardOutput.write(lines.joined())
    terminal.say(
      (dryRun ? "would remove " : "removed ") + "\(removed.count) of \(counted(count, "run"))")
  }

  /// The age in a text, in days, weeks or a unit of durations.
  static func age(_ text: String) -> Duration? {
    for (unit, days) in [("d", 1.0), ("w", 7.0)] where text.hasSuffix(unit) {
      guard let number = Double(text.dropLast()), number >= 0, number * days <= 36_500 else {
        return nil
      }
      return .seconds(number * days * 86_400)
    }
    return Quantity.duration(of: text)
  }
}
