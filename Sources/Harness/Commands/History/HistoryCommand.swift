import ArgumentParser
import Diagnostics
import Files
import Foundation
import History
import Reports

struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Keeps the figures of earlier runs, and shows when they changed.",
    discussion: """
      A history is one file, \(HistoryStore.defaultPath) or --history FILE. The default subcommand \
      is show.

      EXAMPLES:
        shadowbox run -o results.h5 && shadowbox history add results.h5
        shadowbox history
        shadowbox history --entry punch/default --picture history.png
        shadowbox history export history.jsonl

      \(ExitStatus.help)
      """,
    subcommands: [
      HistoryShowCommand.self, HistoryAddCommand.self, HistoryPruneCommand.self,
      HistoryExportCommand.self, HistoryImportCommand.self,
    ], defaultSubcommand: HistoryShowCommand.self)
}

struct HistoryOptions: ParsableArguments {
  @Option(name: .customLong("history"), help: .init("The file of the history.", "file"))
  var path = HistoryStore.defaultPath
}

struct SetAsideOptions: ParsableArguments {
  @Flag(help: "Rename a damaged history, and begin a new one. Default: an error.")
  var setAsideDamaged = false
}

extension HistoryStore {
  /// Opens a history to write into it.
  convenience init(_ path: String, setsAside: Bool = false, _ terminal: Terminal) throws {
    try self.init(path, now: HistoryTime(Date()), setsAside: setsAside) {
      terminal.warn("warning: \($0)")
    }
  }
}

extension HistoryOrder {
  /// The order of the commits in the git repository of the working folder, or in that of the history's
  /// folder; that of time if neither has a commit of a run.
  static func found(for store: HistoryStore) throws -> (order: HistoryOrder, repository: String?) {
    let runs = try store.runs()
    let folders = [".", TracePath.folder(of: store.path)].map(resolvedPath)
    for folder in folders.uniqued() {
      // The working folder may be a stranger's.
      guard let repository = try? GitRepository(of: folder, limit: .seconds(30)),
        let commits = try? repository.commits()
      else { continue }
      let order = HistoryOrder(of: runs, commits: commits)
      if runs.contains(where: order.knows) { return (order, repository.top) }
    }
    return (.time, nil)
  }
}

/// - Throws: wrong use, if a name is empty.
func requireNames(_ options: (option: String, name: String?)...) throws {
  for (option, name) in options {
    try requireUse(name != "", "\(option): expected a name, found none")
  }
}

struct HistoryShowCommand: WritingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "show", abstract: "Shows the newest runs, the main figures and their changes.",
    discussion: """
      Figures of accuracy have no noise, so each difference is a change. Changes of timing are found \
      by a sequential test of each machine's figures: you may read it after each run, and at most \
      5 % of histories without a change ever show one in any of their series. The runs of a day may be \
      alike.

      Each branch and each suite has its own series. The default is the branch with the most runs. \
      Runs are in the order of their commits, where the git repository here or around the history has \
      them, otherwise in that of time.

      EXAMPLES:
        shadowbox history --entry punch/default --metric recall --metric precision
        shadowbox history --branch main --format csv > history.csv
      """)

  @OptionGroup var history: HistoryOptions
  @Option(help: .init("Only this entry; may be repeated.", "entry")) var entry: [String] = []

  @Option(
    help: .init(
      "Only this figure, such as recall; may be repeated. Default: the main ones in the table and "
        + "the picture, all in JSON and CSV.", "figure"))
  var metric: [String] = []

  @Option(
    help: .init(
      "Only the runs of this branch; - for those without a branch. Default: the branch with the "
        + "most runs.", "name"))
  var branch: String?

  @Flag(help: "Show the runs of all branches.") var allBranches = false

  @Option(
    help: .init(
      "The number of newest runs to list; default: 10 in the table, otherwise all. Changes are "
        + "computed from all runs.", "count"))
  var last: Int?

  @Option(
    help: .init("Draw the figures (.png, .svg or .pdf); needs Python with matplotlib.", "file"))
  var picture: String?

  @Option(help: "The format of the output.") var format = OutputFormat.table
  @OptionGroup var writing: WritingOptions

  private static let runsInTable = 10

  func run() async throws {
    try requireUse(last ?? 1 >= 1, "--last \(last ?? 1): expected a count of 1 or more")
    try requireNames(("--branch", branch))
    try requireUse(
      branch == nil || !allBranches, "expected --branch or --all-branches, found both; remove one")
    let drawer = try picture.map { _ in try PictureDrawer() }
    let target = try outputFiles.checked(picture, .picture, inputs: [history.path])
    let store = try HistoryStore(reading: history.path)
    defer { store.close() }
    let order = try HistoryOrder.found(for: store)
    let listed = last ?? (format == .table ? Self.runsInTable : nil)
    let report = try HistoryReport(store, selection(listed, format == .table), order)
    try format.print(table: report.tables, json: report.json, csv: report.csv)
    guard let drawer, let target, let picture else { return }
    try drawer.draw(
      HistoryReport(store, selection(last, true), order).picture(), to: target, of: outputFiles)
    terminal.say("written: \(picture)")
  }

  private func selection(_ last: Int?, _ onlyMain: Bool) -> HistoryReport.Selection {
    HistoryReport.Selection(
      entries: entry, metrics: metric, branch: choice, last: last, onlyMain: onlyMain && isDetailed)
  }

  private var choice: HistoryBranchChoice {
    if allBranches { return .all }
    return branch.map { .one($0 == HistoryBranchChoice.none ? nil : $0) } ?? .busiest
  }

  /// The overview counts the other figures, so it needs them.
  private var isDetailed: Bool { !entry.isEmpty || !metric.isEmpty || picture != nil }
}
