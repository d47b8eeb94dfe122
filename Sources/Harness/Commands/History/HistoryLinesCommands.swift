import ArgumentParser
import Files
import History
import Reports

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
      try StandardOutput.write(text)
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
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let contents = try files.map { path in
      let bytes = try smallFile(path, "history", mebibytes: 512)
      return try HistoryLines.content(of: bytes, from: path)
    }
    let store = try HistoryStore(history.path, terminal)
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
