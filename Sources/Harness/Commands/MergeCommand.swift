import ArgumentParser
import Diagnostics
import Reports
import TraceFormats
import TraceModel
import TraceTools

struct MergeCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Joins the parts of one recording of one device.",
    usage: "shadowbox merge <part> ... --output <output> [<options>]",
    discussion: """
      Parts follow one another, or hold different channels. Known wall clocks decide their places. \
      Otherwise --append puts each part --gap after the end of the one before, and --same-start puts \
      all at zero.

      Readings of one channel must not overlap: two devices are two traces. With --drop-duplicates, \
      readings with equal times and values count once.

      The header is the first part's; differences in the others are reported. A part without a \
      reference that another part has becomes an ignore zone.

      EXAMPLES:
        shadowbox merge morning.h5 noon.h5 -o day.h5
        shadowbox merge part1.h5 part2.h5 --append --gap 2s -o whole.h5
        shadowbox merge accelerometer.h5 location.h5 --same-start -o phone.h5
      """)

  @Argument(help: .init("Native traces, at least two.", valueName: "part"))
  var parts: [String]

  @Option(name: .shortAndLong, help: "The native trace to write (.h5).")
  var output: String

  @Flag(help: "Put parts one after the other, in the order of the arguments; ignore their clocks.")
  var append = false

  @Option(
    help: .init("With --append: the time between two parts without a recording.", valueName: "time")
  )
  var gap: String?

  @Flag(help: "Start all parts at the same time; ignore their clocks.")
  var sameStart = false

  @Flag(help: "Keep one of the readings that two parts have in common.")
  var dropDuplicates = false

  @Option(help: "The trace's name; default: the first part's.")
  var id: String?

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    try requireUse(parts.count >= 2, "expected at least two parts, found \(parts.count)")
    try requireUse(id != "", "--id: expected a name, found an empty text")
    let gap = try checkedGap()
    let target = try OutputFile.checked(output, .trace, inputs: parts)
    let files = try parts.map { try TraceFile(reading: $0) }
    let offsets = try offsets(of: files, gap: gap)
    let outcome = try Merging(dropsDuplicates: dropDuplicates).merge(
      zip(files, offsets).map { .init($0.trace, at: $1, name: $0.path) })
    var (trace, zero) = try outcome.trace.startingAtZero(place: parts[0])
    if let id { trace.header.id = id }
    try TraceFile.write(trace, to: target)
    terminal.say("\(parts.joined(separator: " + ")) -> \(output): \(trace.sizeText)")
    for (file, offset) in zip(files, offsets) {
      let start = Double(offset.subtractingClamped(zero)) / 1e9
      terminal.say("  \(file.path) begins at \(fixed(start, 3)) s: \(file.trace.sizeText)")
    }
    if outcome.duplicates > 0 {
      terminal.say("  \(outcome.duplicates) duplicate readings taken once")
    }
    for note in outcome.notes { terminal.warn("  \(note)") }
    terminal.reportLeftOut(files.flatMap(\.unread))
  }

  private func checkedGap() throws -> Int64 {
    try requireUse(!append || !sameStart, "--append and --same-start: expected only one of the two")
    try requireUse(append || gap == nil, "--gap has no effect without --append")
    try requireUse(
      !append || gap != nil,
      "--append: expected --gap with it, how long nothing was recorded between the parts (such as "
        + "2s), which no part says")
    return try gap.map { try time($0, of: "--gap", "a time such as 2s").nanoseconds } ?? 0
  }

  /// Returns the zero of each part on the time axis of the first.
  private func offsets(of files: [TraceFile], gap: Int64) throws -> [Int64] {
    if sameStart { return files.map { _ in 0 } }
    guard !append else {
      var end: Int64?
      return files.map { file in
        let start = end.map { $0.addingClamped(gap) } ?? 0
        end = start.addingClamped(file.trace.header.end.nanoseconds)
        return start
      }
    }
    let epochs = files.map(\.trace.header.epochNanoseconds)
    if let unknown = zip(files, epochs).first(where: { $0.1 == nil })?.0 {
      throw Failure(
        .badData,
        "\(unknown.path): expected a trace with a known wall clock, found none; place the parts "
          + "with --append --gap TIME, or with --same-start")
    }
    let first = epochs[0] ?? 0
    return epochs.map { ($0 ?? 0).subtractingClamped(first) }
  }
}
