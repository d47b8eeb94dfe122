import ArgumentParser
import Detectors
import Diagnostics
import Digests
import Evaluation
import Files
import Foundation
import History
import Reports
import Results
import Scoring
import TraceFormats
import TraceModel

struct HistoryAddCommand: TerminalCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "add", abstract: "Adds results files of run to the history.",
    discussion: """
      A results file that is already there, at the same commit and branch, is not added again.

      EXAMPLES:
        shadowbox history add results.h5
        shadowbox history add results.h5 --commit "$(git rev-parse HEAD)" --branch main
      """)

  @Argument(help: "Results files that run wrote.") var results: [String]
  @OptionGroup var history: HistoryOptions
  @OptionGroup var damaged: SetAsideOptions

  @Option(help: "The commit that was measured; default: that of the results file.")
  var commit: String?

  @Option(help: "The branch that was measured.") var branch: String?

  @Option(
    help: .init(
      "The name of the machine; default: its host name. In CI, where hosts live for one job, name the "
        + "kind of runner.", "name"))
  var machine: String?

  @Option(
    help: .init(
      "When it was measured, such as 2026-11-23T09:07:29Z, or what git log --format=%cI prints; "
        + "default: now.", "time"))
  var time: String?

  @OptionGroup var common: CommonOptions

  func run() async throws {
    try requireNames(("--commit", commit), ("--branch", branch), ("--machine", machine))
    let time = try time.map {
      try parsed(
        $0, of: "--time", "a time such as 2026-11-23T09:07:29Z or 2026-11-23T11:07:29+02:00",
        by: HistoryTime.init)
    }
    let start = time ?? HistoryTime(Date())
    // The times keep the order of the files.
    let runs = try results.enumerated().map { index, path in
      let time = HistoryTime(milliseconds: start.milliseconds + Int64(index))
      var (run, figures) = try HistoryRun.reading(path, at: time, commit: commit, branch: branch)
      run.machine = machine ?? run.machine
      return (run, figures)
    }
    let store = try HistoryStore(history.path, setsAside: damaged.setAsideDamaged, terminal)
    defer { store.close() }
    for (path, (run, figures)) in zip(results, runs) {
      let isNew = try store.append(run, figures)
      let what =
        "\(path): \(counted(figures.count, "figure")) of commit "
        + (run.commit.isEmpty ? "unknown" : run.commit)
      terminal.say(isNew ? "added \(what)" : "\(what) are already in the history; nothing is added")
    }
  }

}

extension HistoryRun {
  static func identifier(_ parts: [String]) -> String {
    let digest = SHA256Digest()
    for part in parts { digest.update(part + "\n") }
    return String(digest.finish().prefix(32))
  }

  /// The run of a results file with its figures.
  /// - Parameters:
  ///   - commit: nil = the commit in the file.
  ///   - branch: part of the identity, because each branch has its own series.
  static func reading(
    _ path: String, at time: HistoryTime, commit: String?, branch: String? = nil
  ) throws -> (run: HistoryRun, figures: [HistoryFigure]) {
    let (contents, digest) = try SteadyFile.reading(path) {
      (try ResultsContents.reading(path), try FileDigest.sha256(of: path))
    }
    try requireData(
      contents.schema.hasPrefix("shadowbox-results/") && !contents.rows.isEmpty,
      "\(path): expected a results file of run with figures, found \(contents.schema) with "
        + "\(counted(contents.rows.count, "entry", "entries")); write one with: shadowbox run -o "
        + "results.h5")
    let commit = commit ?? contents["data_commit"]
    let parts = ["results", commit, digest] + (branch.map { ["branch", $0] } ?? [])
    let run = HistoryRun(
      id: identifier(parts), time: time, commit: commit, branch: branch,
      machine: ProcessInfo.processInfo.hostName, toolVersion: contents["tool_version"],
      toolchain: contents["toolchain"], suite: contents["suite"],
      suiteDigest: contents["suite_sha256"], source: .results)
    return (run, contents.historyFigures)
  }
}

extension ResultsContents {
  fileprivate var historyFigures: [HistoryFigure] {
    var known: Set<HistoryFigure.Name> = []
    let outcomes = apps.map(\.measured).flatMap { app in
      app.figures.map {
        HistoryFigure(
          entry: app.entry, origin: app.origin, metric: $0.name, kind: .accuracy, value: $0.value,
          unit: $0.unit)
      }
    }
    let scored = rows.flatMap { row in
      row.figures.map { value in
        HistoryFigure(
          entry: row.name, origin: row.origin, metric: value.name, kind: .of(value.name),
          value: value.value, lower: value.interval?.lower, upper: value.interval?.upper,
          unit: value.unit, count: value.estimate.count, method: value.estimate.method?.rawValue)
      }
    }
    return (scored + outcomes).filter { known.insert($0.name).inserted }
  }
}

struct HistoryExportCommand: WritingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "export", abstract: "Writes the history to a file of JSON lines.",
    discussion: """
      Equal histories give equal files. import adds the runs of such a file to any history.

      EXAMPLES:
        shadowbox history export history.jsonl
        shadowbox history export -o history.jsonl
      """)

  @Argument(help: .init("The file to write; - for stdout.", "file")) var file: String?
  @Option(name: .shortAndLong, help: .init("The same as the argument.", "file")) var output: String?
  @OptionGroup var history: HistoryOptions
  @OptionGroup var writing: WritingOptions

  func run() async throws {
    let names = [file, output].compactMap(\.self)
    try requireUse(
      names.count == 1,
      "expected the name of one file to write, found \(names.isEmpty ? "none" : "two"); name one, "
        + "or - for stdout")
    let file = names[0]
    let target = try outputFiles.checked(
      file == "-" ? nil : file, .historyLines, inputs: [history.path])
    let store = try HistoryStore(reading: history.path)
    defer { store.close() }
    let text = try HistoryLines.text(of: store)
    guard let target else {
      try StandardOutput.write(text, as: .json)
      return
    }
    try outputFiles.prepared(text, at: target).commit()
    terminal.say("written: \(file)")
  }
}

struct HistoryImportCommand: TerminalCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "import", abstract: "Adds the runs of a file of JSON lines to the history.",
    discussion: """
      Runs that are already in the history are not added again, so you can join the histories of \
      several machines in any order. If a line is damaged, nothing is added.

      EXAMPLES:
        shadowbox history import history.jsonl
      """)

  @Argument(help: .init("Files that export wrote.", "file")) var files: [String]
  @OptionGroup var history: HistoryOptions
  @OptionGroup var damaged: SetAsideOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let contents = try files.map { path in
      let bytes = try smallFile(path, .history, mebibytes: 512)
      return try HistoryLines.content(of: bytes, from: path)
    }
    let store = try HistoryStore(history.path, setsAside: damaged.setAsideDamaged, terminal)
    defer { store.close() }
    for (path, content) in zip(files, contents) {
      let count = try HistoryLines.add(content, to: store)
      let known = count.known > 0 ? "; \(count.known) are already there" : ""
      terminal.say(
        "\(path): added \(counted(count.runs, "run")) and \(counted(count.trials, "trial"))\(known)"
      )
    }
  }
}

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
    let order = try HistoryOrder.found(for: store).order
    let doomed = try store.prune(keeping: keep ?? 0, olderThan: time, order: order, isDry: true)
    // A history that becomes empty is more often a mistake than an intention.
    try requireUse(
      dryRun || force || count == 0 || doomed.count < count,
      "\(history.path): expected a run that stays, found none: \(counted(count, "run")) would be "
        + "removed; keep some with --keep, or add --force")
    let removed =
      try dryRun
      ? doomed : store.prune(keeping: keep ?? 0, olderThan: time, order: order, isDry: false)
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
