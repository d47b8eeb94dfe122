import ArgumentParser
import Detectors
import Diagnostics
import TraceModel
import TraceTools

struct TrimCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "trim", abstract: "Cuts a part out of a native trace.",
    usage: "shadowbox trim <trace> --output <output> [<options>]",
    discussion: """
      Keeps the readings from --from to before --to, on all channels. References, ignore zones and \
      the true path are cut too, and each cut is reported. Times count from the first reading that \
      is left, and the instant of recording moves with them.

      Visits and presences are clipped. A punch that is cut in two becomes an ignore zone. Totals of \
      a track (distance, moving time, splits) are dropped if positions are cut. Places stay.

      EXAMPLES:
        shadowbox trim walk.h5 -o part.h5 --from 10s --to 60s
        shadowbox trim walk.h5 -o noon.h5 --from 2024-06-07T12:00:00Z \\
          --to 2024-06-07T12:30:00Z
        shadowbox trim phone.h5 -o accelerometer.h5 --channels acceleration
      """)

  @OptionGroup var files: EditedTrace

  @Option(
    help: .init(
      "A time since the start of the trace such as 10s, or a date and time with zone.", "time"))
  var from: String?

  @Option(help: .init("Like --from; readings at this instant are cut.", "time")) var to: String?

  @Option(help: .init("Keep only these channels, separated by commas.", "channels"))
  var channels: String?

  @OptionGroup var writing: WritingOptions

  private var trace: String { files.trace }

  func run() async throws {
    try requireUse(
      from != nil || to != nil || channels != nil, "expected --from, --to or --channels")
    try files.edit(for: self) { file in
      let header = file.trace.header
      let chosen = try file.channels(named: channels).map(Set.init)
      // Zero, or the time of an earlier first reading.
      let first = TraceInstant(nanoseconds: min(file.trace.earliestMeasured ?? 0, 0))
      let start = try from.map { try instant($0, "--from", header) } ?? first
      let end = try to.map { try instant($0, "--to", header) } ?? header.end
      guard start < end || (to == nil && start == end) else {
        throw Failure(
          to == nil ? .badData : .wrongUse,
          "--from \(from ?? "0s"): expected a time before "
            + (to.map { "--to \($0)" } ?? "the end of \(trace) at \(header.end.seconds) s"))
      }
      let (part, removal) = file.trace.trimmed(to: start..<end, channels: chosen)
      try requireData(
        part.earliestMeasured != nil,
        "\(trace): expected readings from \(start.seconds) s to \(end.seconds) s, found none in "
          + file.trace.sizeText)
      let (result, zero) = try part.startingAtZero(place: trace)
      return (
        result,
        {
          terminal.say("  time zero is at \(fixed(Double(zero) / 1e9, 3)) s of \(trace)")
          for line in removal.statements { terminal.say("  \(line)") }
        }
      )
    }
  }

  private func instant(
    _ text: String, _ option: String, _ header: TraceHeader
  ) throws -> TraceInstant {
    if let time = Quantity.duration(of: text) { return TraceInstant.zero.advanced(by: time) }
    let nanoseconds = try parsed(
      text, of: option,
      EpochTime.expectation(
        for: text,
        otherwise: "a time such as 10s, or a date and time with zone such as 2024-06-07T12:00:00Z"),
      by: EpochTime.nanoseconds(of:))
    guard let epoch = header.epochNanoseconds else {
      throw badData(
        "\(option) \(text): expected a trace with a known wall clock, found none in \(trace); state a "
          + "time since its start, such as 10s")
    }
    return TraceInstant(nanoseconds: nanoseconds.subtractingClamped(epoch))
  }
}
