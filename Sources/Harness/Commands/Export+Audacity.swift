import Diagnostics
import Files
import Reports
import TraceModel

/// A signal as a sound and its references as a label track, for an audio editor.
extension ExportCommand {
  func exportSounds() throws {
    try export(.sound, "sounds") { input in
      let file = try TraceFile(reading: input)
      let header = file.trace.header
      let chosen = try file.channels(named: channels)
      let usual = [Channel.userAcceleration, .acceleration].first { header.info($0) != nil }
      guard let channel = chosen?.first ?? usual, (chosen?.count ?? 1) == 1,
        let columns = file.trace[channel].flatMap({ VectorColumns($0) })
      else {
        throw badData(
          "\(input): expected one channel with three axes, found "
            + (chosen?.map(\.name).joined(separator: ", ") ?? channelNames(of: header))
            + "; name it with --channels")
      }
      return (
        header.id,
        try Failure.naming(input) {
          try SignalSound(
            columns, unit: channel == .rotationRate ? "rad/s" : "m/s2", end: header.end,
            name: "\(header.id) \(channel.name)")
        }
      )
    } write: { input, sound, target, name in
      try outputFiles.write(sound.bytes, to: target)
      terminal.say(
        "\(input) -> \(name): \(fixed(sound.seconds, 1)) s at \(sound.rate) Hz, x, y, z and magnitude; "
          + "1 is \(fixed(sound.scale, 2))"
          + (sound.gaps > 0 ? "; silent in \(counted(sound.gaps, "gap"))" : ""))
    }
  }

  func exportLabelTracks() throws {
    try export(.labelTrack, "label tracks") { input in
      let file = try TraceFile(reading: input)
      let references = file.trace.header.references
      let named = try reference.map { name in
        guard let found = references.first(where: { $0.task.rawValue == name }) else {
          throw Failure.unknown(
            "reference of \(input)", name, known: references.map(\.task.rawValue),
            place: "--reference")
        }
        return found
      }
      guard let set = named ?? (references.count == 1 ? references[0] : nil) else {
        let tasks = references.map(\.task.rawValue).joined(separator: ", ")
        throw badData(
          "\(input): expected one reference to write, found "
            + (references.isEmpty ? "none" : "\(tasks); name it with --reference"))
      }
      return (file.trace.header.id, set)
    } write: { input, set, target, name in
      let text = try Failure.placing(input) { try AudacityLabels.text(of: set.events) }
      try outputFiles.prepared(text, at: target).commit()
      terminal.say(
        "\(input) -> \(name): reference \(set.task.rawValue), \(counted(set.events.count, "event"))"
      )
      let lost = [
        ("hands", set.events.contains { $0.hand != .unknown }),
        ("places", set.events.contains { $0.place != nil }),
        ("values", set.events.contains { !$0.value.isNaN }),
        ("classes", set.events.contains { $0.label != $0.originalLabel }),
      ].filter(\.1).map(\.0)
      if !lost.isEmpty { terminal.say("  not copied: \(lost.joined(separator: ", "))") }
    }
  }
}
