import ArgumentParser
import Detectors
import Diagnostics
import GSL
import Reports
import TraceModel
import TraceTools

struct ResampleCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "resample", abstract: "Resamples channels of a native trace to a uniform rate.",
    discussion: """
      New readings lie at multiples of the period from the trace's zero. Gaps longer than --max-gap \
      stay (default: ten median intervals, at least 200 ms), or are filled with straight lines by \
      --fill-gaps. The method fills shorter gaps, which also hides gaps at the boundaries of labels.

      A lower rate passes a low-pass first (Kaiser's sinc, symmetric: flat to 0.4 of the new rate, \
      -60 dB from half of it). Linear interpolation attenuates high frequencies (by an eighth at \
      40 Hz of 200 Hz); --method cubic keeps them. The channel's attribute resampling holds the \
      method. References, places and the other channels stay. Arrival times are dropped: a value \
      between two readings depends on both.

      EXAMPLES:
        shadowbox resample watch.h5 -o watch-50.h5 --rate 50Hz
        shadowbox resample phone.h5 -o phone-100.h5 --rate 100Hz --method akima \\
          --max-gap 150ms
        shadowbox resample walk.h5 -o walk-1hz.h5 --rate 1Hz --channels location \\
          --max-gap 15s
      """)

  @OptionGroup var files: EditedTrace
  @Option(help: "The new rate, e.g. 50Hz.") var rate: String

  @Option(
    help: .init(
      "Interpolation; location supports linear only.",
      "linear|akima|steffen|cubic"), transform: oneOf)
  var method: Interpolation.Method = .linear

  @Option(help: .init("The longest gap that the method fills, e.g. 200ms.", "time"))
  var maxGap: String?

  @Flag(help: "Fill longer gaps with straight lines.") var fillGaps = false

  @Flag(help: "Use no low-pass before a lower rate: high frequencies alias.")
  var noAntiAlias = false

  @Option(
    help: .init(
      "The channels, separated by commas; default: accelerations and rotation rate.", "channels"))
  var channels: String?

  @OptionGroup var gravity: GravityOptions
  @OptionGroup var writing: WritingOptions

  func run() async throws {
    let step = try self.step()
    _ = try gravity.parameters()
    try files.edit(for: self) { file in
      var file = file
      let replaces = try gravity.apply(to: &file.trace, file.path)
      let chosen = try file.channels(named: channels) ?? motionChannels(of: file)
      let result = try Failure.naming(file.path) { try file.trace.resampled(chosen, by: step) }
      let before = file.trace
      return (
        result.trace,
        {
          if replaces { terminal.warn("  replaced: channel user_acceleration") }
          for (channel, outcome) in zip(chosen, result.outcomes) {
            report(channel, before[channel], outcome)
          }
        }
      )
    }
  }

  private func step() throws -> Resampling {
    let rate = try quantity(
      rate, .hertz, of: "--rate", "a rate from 0.001 to 1000000 Hz, such as 50Hz",
      where: Resampling.rates.contains)
    var step = Resampling(
      rate: rate, method: method, fillsGaps: fillGaps, isAntiAliased: !noAntiAlias)
    step.maximumGap = try time(maxGap, of: "--max-gap", isAboveZero: true)
    return step
  }

  private func motionChannels(of file: TraceFile) throws -> [Channel] {
    let motion: [Channel] = [.acceleration, .userAcceleration, .rotationRate]
    let found = motion.filter { file.trace[$0] != nil }
    guard found.isEmpty else { return found }
    throw badData(
      "\(file.path): expected acceleration or rotation rate, found "
        + "\(channelNames(of: file.trace.header)); choose with --channels")
  }

  private func report(_ channel: Channel, _ before: ChannelBlock?, _ outcome: Resampling.Outcome) {
    let rate = outcome.rateBefore.map { " at \(fixed($0, 2)) Hz" } ?? ""
    terminal.say(
      "  \(channel.name): \(before?.count ?? 0) readings\(rate) -> \(outcome.block.count): "
        + outcome.name)
    if !outcome.gaps.isEmpty {
      let longest = outcome.gaps.map { $0.upperBound.subtractingClamped($0.lowerBound) }.max() ?? 0
      let what = fillGaps ? "filled (\(outcome.filled) ticks)" : "kept"
      terminal.say(
        "    \(counted(outcome.gaps.count, "gap")) \(what), the longest "
          + "\(fixed(Double(longest) / 1e9, 3)) s")
    }
    if outcome.missing > 0 {
      terminal.say("    \(counted(outcome.missing, "reading")) without a value")
    }
    if outcome.duplicated > 0 {
      terminal.say(
        "    \(counted(outcome.duplicated, "duplicate time")), taken as one reading each")
    }
    if outcome.isolated > 0 {
      terminal.warn(
        "    \(counted(outcome.isolated, "reading")) between two gaps dropped: no sample time there"
      )
    }
    if before?.arrivedTimes != nil { terminal.say("    arrival times dropped") }
  }
}
