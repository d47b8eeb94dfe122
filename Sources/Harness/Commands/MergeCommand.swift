import ArgumentParser
import Diagnostics
import Reports
import TraceModel
import TraceTools

struct MergeCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Joins the parts of one recording of one device.",
    usage: "shadowbox merge <part> ... --output <output> [<options>]",
    discussion: """
      Parts follow one another, or hold different channels. Known wall clocks decide their places. \
      Otherwise --append puts each part --gap after the end of the one before, and --same-start puts \
      all at zero.

      Readings of one channel must not overlap: two devices are two traces. --drop-duplicates keeps \
      one of two readings with equal times and values.

      The header is the first part's; differences in the others are reported. A part without a \
      reference that another part has becomes an ignore zone.

      EXAMPLES:
        shadowbox merge morning.h5 noon.h5 -o day.h5
        shadowbox merge part1.h5 part2.h5 --append --gap 2s -o whole.h5
        shadowbox merge accelerometer.h5 location.h5 --same-start -o phone.h5
      """)

  @Argument(help: .init("Native traces, at least two.", "part")) var parts: [String]
  @Option(name: .shortAndLong, help: "The native trace to write (.h5).") var output: String

  @Flag(help: "Put parts one after the other, in the order of the arguments; ignore their clocks.")
  var append = false

  @Option(help: .init("With --append: the time between two parts without a recording.", "time"))
  var gap: String?

  @Flag(help: "Start all parts at the same time; ignore their clocks.") var sameStart = false
  @Flag(help: "Keep one of the readings that two parts have in common.") var dropDuplicates = false
  @Option(help: "The trace's name; default: the first part's.") var id: String?
  @OptionGroup var writing: WritingOptions

  func run() async throws {
    try requireUse(parts.count >= 2, "expected at least two parts, found \(parts.count)")
    try requireUse(id != "", "--id: expected a name, found an empty text")
    let placement = try placement()
    let target = try outputFiles.checked(output, .trace, inputs: parts)
    let files = try parts.map { try TraceFile(reading: $0) }
    let placed = try Merging.parts(files.map { ($0.path, $0.trace) }, by: placement)
    let outcome = try Merging(dropsDuplicates: dropDuplicates).merge(placed)
    var (trace, zero) = try outcome.trace.startingAtZero(place: parts[0])
    if let id { trace.header.id = id }
    try TraceFile.write(trace, to: target, of: outputFiles)
    terminal.say("\(parts.joined(separator: " + ")) -> \(output): \(trace.sizeText)")
    for part in placed {
      let start = Double(part.offset.subtractingClamped(zero)) / 1e9
      terminal.say("  \(part.name) begins at \(fixed(start, 3)) s: \(part.trace.sizeText)")
    }
    if outcome.duplicates > 0 {
      terminal.say("  \(counted(outcome.duplicates, "duplicate reading")) taken once")
    }
    for note in outcome.notes { terminal.warn("  \(note)") }
    terminal.reportLeftOut(files.flatMap(\.unread))
  }

  private func placement() throws -> Merging.Placement {
    try requireUse(!append || !sameStart, "--append and --same-start: expected only one of the two")
    try refuse("--gap", gap != nil, without: "--append", append)
    try requireUse(
      !append || gap != nil,
      "--append: expected --gap with the time between the parts, such as 2s; no part states it")
    let gap = try time(gap, of: "--gap")?.nanoseconds
    return sameStart ? .sameStart : gap.map { .appended(gap: $0) } ?? .clocks
  }
}
