import ArgumentParser
import Detectors
import Diagnostics
import Evaluation
import Foundation
import Reports
import Scoring
import TraceModel

struct ScoreCommand: TerminalCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "score", abstract: "Scores label files of any program against references.",
    discussion: """
      A label file is a table with a header line, TSV or CSV, or a label track of \
      Audacity. Its columns, in any order:
        onset                 in s (onset_ns: in ns); required
        offset                in s: the end of an interval; without it, an instant
        event_label, label    the class
        filename, trace       the recording; without it, the label file is of one
                              recording with the same name
        emitted               in s: the time of the report of a detection, for latencies
        kind, place, value    the kind, place and size of a detection
      All other columns are listed and ignored. replay --format csv writes such a \
      table. The reference may also be native traces (.h5). Recordings pair by whole \
      names, else without the ending or the folder that one side lacks; a name that \
      may be that of several is an error. In a recording that is only on one side, \
      all events are missed, or all are false alarms.

      TASKS:
        events    Matched one to one: the most pairs, then the smallest sum of
                  differences. The first detection inside an interval of the
                  reference hits it; a detection counts at its onset.
        visits    onset = entry, offset = exit, and a place (a number or a name) on
                  both sides. Detections of the kinds prompt and exit count as
                  these, all others as visits.
        presence  Intervals of true presence and of reported presence of a peer
                  (place); or detections of the kinds (or labels) present and
                  absent, at the onset. Needs a duration.
        track     Columns quantity (distance in m, moving_time in s, ascent in m,
                  split in m at an onset) and value on both sides; or recordings
                  of positions (GPX and all that convert reads), for the
                  horizontal error of one path against the true one.
      """)

  @Option(
    name: .shortAndLong, parsing: .upToNextOption,
    help: .init("The references: label files or native traces.", "file"))
  var reference: [String]

  @Option(
    name: .shortAndLong, parsing: .upToNextOption,
    help: .init("The detections: label files.", "file"))
  var detections: [String]

  @Option(help: "The task: events, visits, track or presence.") var task = ScoreTask.events

  @Option(
    help: .init(
      "The maximum distance between a detection and its reference, on either side; default: the "
        + "reference's own, else 150 ms (visits: 10 s before to 30 s after).", "time"))
  var tolerance: String?

  @Option(
    parsing: .unconditional,
    help: .init("The same, before the onset only; negative: from so long after it.", "time"))
  var early: String?

  @Option(
    parsing: .unconditional,
    help: .init(
      "The same, after the offset only; negative: until so long before it, for early warning.",
      "time"))
  var late: String?

  @Option(
    help: .init(
      "Score again at this many tolerances, evenly spaced in their ratio, e.g. 20ms..1s:20.",
      "time..time:n"))
  var toleranceCurve: String?

  @Flag(help: "Use the onsets of the reference's intervals as instants.") var onsetOnly = false

  @Flag(help: "Match only equal labels; default: match any, and score classes separately.")
  var matchLabels = false

  @Flag(help: "Read labels as names of punches, and score straight, hook and uppercut.")
  var punchNames = false

  @Option(help: .init("The kind of the detections to score.", "kind")) var kind: String?

  @Option(parsing: .upToNextOption, help: .init("Label files of intervals to ignore.", "file"))
  var ignore: [String] = []

  @Option(
    help: .init("Labels of the reference that mark intervals to ignore; may be repeated.", "label"))
  var ignoreLabel: [String] = []

  @Option(
    help: .init(
      "The duration of each recording; without it, false alarms per hour are undefined.", "time"))
  var duration: String?

  @Option(
    help: .init(
      "A table with a row per recording: filename, and any of duration (s), subject (for the "
        + "intervals), activity (for false alarms by activity).", "file"))
  var files: String?

  @Flag(help: "Print all tables: also by class, by activity and by file.") var full = false
  @Flag(help: "List every event with its outcome and its match.") var list = false
  @Option(help: "The format of the result.") var format = OutputFormat.table
  @OptionGroup var people: IntervalOptions
  @OptionGroup var day: DayOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let options = try options()
    let takesPaths = task == .track
    let reference = try LabelSide(.reference, reference, needs: task.needs, takesPaths: takesPaths)
    let detections = try LabelSide(
      .detections, detections, needs: task.needs, takesPaths: takesPaths)
    let ignored = ignore.isEmpty ? nil : try LabelSide(.ignore, ignore, needs: [.onset, .offset])
    let table = try files.map { try LabelSide(.files, [$0], needs: [.file]) }
    let pairing = try LabelPairing(
      reference: reference, detections: detections, ignore: ignored, files: table)
    let score = try LabelScore(
      pairing, reference: reference, detections: detections, options: options)

    let curve = try tolerances().map { tolerance in
      var options = options
      options.tolerance = EventTolerance(either: tolerance)
      let score = try LabelScore(
        pairing, reference: reference, detections: detections, options: options)
      return (tolerance: tolerance, score: score)
    }
    let sides = [reference, detections, ignored, table].compactMap { $0 }
    let report = LabelReport(
      score: score,
      inputs: sides.flatMap(\.inputs) + (try .files(day.files, role: "profile")), isListed: list,
      isFull: full, curve: curve)
    for columns in sides.flatMap(\.unread) { terminal.say("not read: \(columns)") }
    for note in score.notes { terminal.warn("note: \(note)") }
    try format.print(table: report.tables, json: report.json, csv: report.csv)
    if format == .table, !full, !list, task == .events || task == .visits {
      terminal.say("next: --full for classes, activities and files, --list for every event")
    }
  }

  private func options() throws -> LabelScore.Options {
    var options = LabelScore.Options()
    (options.task, options.intervals) = (task, people.population)
    (options.profile, options.tolerance) = (try day.read(), try statedTolerance())
    options.rule = matchLabels ? .sameLabel : .any
    (options.onsetOnly, options.ignoreLabels) = (onsetOnly, Set(ignoreLabel))
    (options.kind, options.hasPunchNames) = (kind, punchNames)
    options.duration = try time(duration, of: "--duration")
    try requireUse(options.duration != .zero, "--duration: expected more than 0 s")
    for (name, isGiven) in [
      ("--kind", kind != nil), ("--match-labels", matchLabels), ("--onset-only", onsetOnly),
      ("--punch-names", punchNames),
    ] {
      try requireUse(
        !isGiven || task == .events, "\(name) is for --task events, not for \(task.rawValue)")
    }
    return options
  }

  private func requireTolerances(_ option: String) throws {
    try requireUse(
      task == .events || task == .visits,
      "\(option) is for --task events and visits, not for \(task.rawValue)")
  }

  private func statedTolerance() throws -> EventTolerance? {
    guard tolerance != nil || early != nil || late != nil else { return nil }
    try requireTolerances("--tolerance")
    let both = try time(tolerance, of: "--tolerance")
    let standard = task == .visits ? EventTolerance.visit : .standard
    let stated = EventTolerance(
      early: try signedTime(early, of: "--early") ?? both ?? standard.early,
      late: try signedTime(late, of: "--late") ?? both ?? standard.late)
    try requireUse(
      stated.early >= .zero - stated.late,
      "--early and --late: expected a window that ends after its beginning, found "
        + "\(number(seconds(stated.early))) s before the onset to \(number(seconds(stated.late))) s "
        + "after it; make their sum at least 0 s")
    return stated
  }

  /// The tolerances of the curve; empty without the option.
  private func tolerances() throws -> [Duration] {
    guard let text = toleranceCurve else { return [] }
    try requireTolerances("--tolerance-curve")
    let parts = text.components(separatedBy: "..")
    let ends = parts.count == 2 ? parts[1].split(separator: ":").map(String.init) : []
    let count = ends.count == 2 ? Int(ends[1]) : ends.count == 1 ? 20 : nil
    guard let count, (2...1000).contains(count),
      let from = Quantity.duration(of: parts[0]), let to = Quantity.duration(of: ends[0]),
      .zero < from, from < to
    else {
      throw wrongUse(
        "--tolerance-curve \(text): expected two times above 0 s, the second longer, and 2 to 1000 "
          + "steps, e.g. 20ms..1s:20")
    }
    let ratio = seconds(to) / seconds(from)
    return (0..<count - 1).map { step -> Duration in
      .seconds(seconds(from) * pow(ratio, Double(step) / Double(count - 1)))
    } + [to]
  }

}
