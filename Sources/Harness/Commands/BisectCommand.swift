import ArgumentParser
import Evaluation
import Foundation
import Reports

struct BisectCommand: DetectingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "bisect",
    abstract: "Finds the commit that first changed the detections, a figure or a gate.",
    usage: """
      shadowbox bisect --good <revision> [--bad <revision>] [<input> ...]
             [<options>] [-- <command> ...]
      """,
    discussion: """
      Builds and measures commits between a good and a bad one in a separate work tree, a \
      temporary folder. Your checkout, its branches and its own bisection stay as they are. Commits \
      that do not build, or do not run, are skipped.

      The traces, and a suite, are those of your checkout at the start. The program, exec: programs \
      and parameter files are those of each commit; the COMMAND builds it, in the folder of the \
      work tree that corresponds to your working folder. Without a COMMAND, this program \
      measures exec: programs of each commit. Use it only in repositories that you trust: the code \
      of every commit is run.

      EXAMPLES:
        shadowbox bisect --good v1.0 --bad main -- \\
          swift build -c release --product shadowbox
        shadowbox bisect --good v1.0 --bad main --on recall my-suite.yml -- make
        shadowbox bisect --good HEAD~50 --bad HEAD mine/*.h5 \\
          --detector 'exec:python3 swing.py'
      """)

  /// The command that builds a commit, with its arguments; empty = nothing is built. It follows
  /// `--`, because the argument parser takes only one list without a name, the inputs.
  var build: [String] = []

  /// Splits the arguments of `bisect` at the first `--`; the command that builds a commit follows it.
  static func split(_ arguments: [String]) -> (own: [String], build: [String]) {
    guard arguments.first == configuration.commandName,
      let end = arguments.firstIndex(of: "--")
    else { return (arguments, []) }
    return (Array(arguments[..<end]), Array(arguments[(end + 1)...]))
  }

  @Option(help: .init("A commit that is good.", "revision")) var good: String
  @Option(help: .init("A later commit that is bad.", "revision")) var bad = "HEAD"

  @Argument(
    help: .init(
      "A suite (.yml), or traces and folders of them; default: \(SuiteParser.usual).", "input"))
  var named: [String] = []

  @Option(
    help: .init(
      "What is bad: flips (a detection or measurement differs from the good commit), a figure that "
        + "is worse, or gate (a bound does not hold).",
      "flips|figure|gate"))
  var on: String?

  @Option(
    help: .init(
      "A bound on the difference from the good commit, e.g. recall=-0.01, "
        + "false_alarms_per_hour=+10%, lost=0, or on the commit, e.g. 'recall>=0.97'; may be "
        + "repeated.",
      "figure=bound"))
  var bound: [String] = []

  @Option(help: .init("Run only this entry; may be repeated.", "entry")) var only: [String] = []

  @Option(
    help: .init(
      "The program that is measured, relative to the folder of the COMMAND (default: "
        + ".build/release/shadowbox, without a COMMAND this program).",
      "path"))
  var program: String?

  @Option(help: .init("How long a build, and a run, may take.", "time")) var timeout = "1h"
  @Option(help: "The format of the result.") var format = DocumentFormat.table
  @Flag(help: "Print each detection that differs.") var full = false
  @OptionGroup(title: "Detector for traces") var detector: DetectorOptions
  @OptionGroup var common: CommonOptions

  func run(_ registry: DetectorRegistry) async throws {
    let limit = try time(timeout, of: "--timeout", isAboveZero: true)
    let repository = try GitRepository(of: FileManager.default.currentDirectoryPath)
    let (good, bad) = (
      try repository.commit(good, option: "--good"), try repository.commit(bad, option: "--bad")
    )
    try requireUse(
      good != bad, "--good and --bad: expected two commits, found \(good.prefix(12)) twice")
    let input = try BisectInput(named, detector: detectorWords(), registry, in: repository)
    let question = try question(rules: input.rules)
    let tree = try BisectWorktree(of: repository, at: good)
    defer { tree.remove() }
    let plan = CommitRunner.Plan(
      command: build, program: try measuredProgram(), input: input, only: only, limit: limit)
    let bisector = Bisector(
      repository, CommitRunner(plan, tree, repository), question, traces: input.traces, terminal)
    let report = try bisector.run(good: good, bad: bad, hint: hint)
    try StandardOutput.write(
      format == .json
        ? report.json(.files(input.traces))
        : BisectTables(report, screen: OutputTerminal.screen).render(full: full),
      as: format.output)
    if report.isUnsearched { try ExitStatus.childFailed.end() }
  }

  /// The options of `run` for traces, as they are.
  private func detectorWords() -> [String] {
    var words = detector.parameters.flatMap { ["--parameters", $0] }
    if let name = detector.detector { words += ["--detector", name] }
    if let filter = detector.gravityFilter { words += ["--gravity-filter", filter] }
    if detector.detectorTimeout != defaultDetectorTimeout {
      words += ["--detector-timeout", detector.detectorTimeout]
    }
    return words
  }

  private func measuredProgram() throws -> String {
    if let program { return program.contains("/") ? program : "./" + program }
    guard build.isEmpty else { return ".build/release/shadowbox" }
    guard let own = Bundle.main.executablePath else {
      throw childFailed("expected the path of this program, found none; use --program")
    }
    return own
  }

  /// The likely cause if two commits are measured as equal.
  private var hint: String {
    build.isEmpty && program == nil
      ? "; without a COMMAND after --, only exec: programs and parameter files of a commit are measured"
      : ""
  }

  /// - Parameter rules: the bounds of the suite.
  private func question(rules: GateRules?) throws -> BisectQuestion {
    let bounds = try bound.map { try Self.parsedBound($0) }
    switch on ?? (bounds.isEmpty ? "flips" : "gate") {
    case "flips":
      try requireUse(bounds.isEmpty, "--bound has no effect with --on flips; use --on gate")
      return .flips
    case "gate":
      guard bounds.isEmpty else { return .bounds(.only(bounds)) }
      return .bounds(rules ?? .standard)
    case let figure:
      let name = GateBound.Subject(name: figure)
      for other in bounds {
        try requireUse(
          other.subject == name,
          "--bound: expected a bound on \(figure), found \(other.subject.name)")
      }
      let standard = try GateBound(figure, "0", place: "--on")
      return .bounds(.only(bounds.isEmpty ? [standard] : bounds))
    }
  }

  /// `recall=-0.01`, `recall>=0.97` or `latency_p50<=0.2`.
  static func parsedBound(_ text: String) throws -> GateBound {
    guard let sign = text.firstIndex(where: { "=<>".contains($0) }) else {
      throw wrongUse("--bound \(text): expected a figure and its bound, e.g. recall=-0.01")
    }
    let rest = text[sign] == "=" ? text[text.index(after: sign)...] : text[sign...]
    return try GateBound(
      text[..<sign].trimmingCharacters(in: .whitespaces),
      rest.trimmingCharacters(in: .whitespaces), place: "--bound")
  }
}

extension BisectReport {
  /// Whether there were commits to search, and none of them could be measured.
  var isUnsearched: Bool {
    suspects.count > 1
      && !steps.contains { step in
        step.verdict != "skipped" && step.commit.hash != steps[0].commit.hash
          && step.commit.hash != steps[1].commit.hash
      }
  }
}
