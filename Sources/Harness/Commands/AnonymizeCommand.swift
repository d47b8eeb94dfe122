import ArgumentParser
import Detectors
import Diagnostics
import Foundation
import Reports
import TraceModel
import TraceTools

struct AnonymizeCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymize", abstract: "Removes identity and home from a native trace.",
    usage: "shadowbox anonymize <trace> --output <output> [<options>]",
    discussion: """
      Cuts all readings within --radius of the start and the end of the trace, or of each --home, on \
      all channels, with the places, labels and true path there. --move moves and turns the whole \
      track to another place on earth and keeps distances; then only --radius and --home cut. The \
      names of person, device and source are dropped unless --keep names them.

      The changes are reported and stored in the header's source, without any position. Facts that \
      cannot be hidden are reported too. Read the report: a track may still lead home.

      EXAMPLES:
        shadowbox anonymize run.h5 -o shared.h5
        shadowbox anonymize run.h5 -o shared.h5 --home 46.0511,14.5051 --radius 500m \\
          --shift-time
        shadowbox anonymize run.h5 -o shared.h5 --move --radius 200m --keep device
      """)

  @OptionGroup var files: EditedTrace

  @Option(help: "The radius of the cut around a hidden place; default: 200m, with --move nothing.")
  var radius: String?

  @Option(help: .init("A hidden place, instead of start and end; may be repeated.", "lat,lon"))
  var home: [String] = []

  @Flag(help: "Move the track to another place and keep distances.") var move = false

  @Option(help: "The seed of the place of --move; default: random. It is not stored.")
  var seed: UInt64?

  @Flag(help: "Remove date and time of day.") var shiftTime = false

  @Option(
    help: .init(
      "A fact to keep: id, subject, device, source, attributes (of channels), original-labels.",
      "fact"), transform: oneOf)
  var keep: [Anonymization.Fact] = []

  @Option(help: "The trace's new name; default: \(Anonymization.anonymousID).") var id: String?
  @OptionGroup var writing: WritingOptions

  func run() async throws {
    let step = try self.step()
    try files.edit(for: self) { file in
      var random = SeededGenerator(seed: seed ?? UInt64.random(in: .min ... .max))
      var outcome = try step.apply(to: file.trace, using: &random)
      try outcome.trace.header.moveEpoch(byNanoseconds: outcome.zero, place: file.path)
      if let id { outcome.trace.header.id = id }
      return (outcome.trace, { [outcome] in report(outcome) })
    }
  }

  private func step() throws -> Anonymization {
    try requireUse(id != "", "--id: expected a name, found an empty text")
    try requireUse(
      id == nil || !keep.contains(.id), "--id and --keep id: expected only one of the two")
    try refuse("--seed", seed != nil, without: "--move", move)
    let meters = try radius.map {
      try quantity($0, .meters, of: "--radius", "a distance such as 200m")
    }
    var step = Anonymization(radius: meters ?? (move && home.isEmpty ? nil : 200))
    step.homes = try home.map { text in
      try parsed(
        text, of: "--home", "latitude and longitude in degrees, e.g. 46.0511,14.5051", by: position)
    }
    step.moves = move
    step.hidesTime = shiftTime
    step.kept = Set(keep)
    return step
  }

  private func position(_ text: String) -> Anonymization.Position? {
    let numbers = text.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
      abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    return Anonymization.Position(latitude: latitude, longitude: longitude)
  }

  private static let mostStretches = 10

  private func report(_ outcome: Anonymization.Outcome) {
    for statement in outcome.statements { terminal.say("  \(statement)") }
    for stretch in outcome.stretches.prefix(Self.mostStretches) {
      terminal.say(
        "    \(fixed(stretch.lowerBound.seconds, 1)) s to \(fixed(stretch.upperBound.seconds, 1)) s of "
          + files.trace)
    }
    let others = outcome.stretches.count - Self.mostStretches
    if others > 0 {
      terminal.say("    and \(counted(others, "further stretch", "further stretches"))")
    }
    for line in outcome.removal.statements { terminal.say("  \(line)") }
    terminal.warn("  not hidden:")
    for warning in outcome.warnings { terminal.warn("    \(warning)") }
  }
}
