import Detectors
import Diagnostics
import Evaluation
import Files
import PageRuns
import Replay
import Reports
import TraceModel

/// Maps of a trace of positions, with the events of a detector.
extension ExportCommand {
  /// A trace as a map, and what the map lacks.
  private struct Content {
    var map: TrackMap
    /// Whether a prompt waits for an answer that never comes.
    var isUnanswered: Bool
    var leftOut: [String]
  }

  func exportMaps(as format: TrackMapFormat, _ registry: DetectorRegistry) throws {
    try requireUse(detector.gravityFilter == nil, "--gravity-filter has no effect on positions")
    let policy = try person.value()
    let start = try start.map { text in
      try parsed(
        text, of: "--start",
        EpochTime.expectation(
          for: text, otherwise: "a date and time with zone such as 2024-06-07T12:00:00Z"),
        by: EpochTime.nanoseconds(of:))
    }
    try export(format.outputKind, "maps") { input in
      var file = try TraceFile(reading: input)
      if let start {
        try requireUse(
          !file.trace.header.isEpochKnown,
          "--start: \(input) states when it starts, \(file.trace.header.epoch); leave it out")
        file.trace.header.setEpoch(nanoseconds: start)
      }
      return (file.trace.header.id, try content(of: file, policy, registry))
    } write: { input, content, target, name in
      try write(content, of: input, to: target, name, as: format)
    }
  }

  private func content(
    of file: TraceFile, _ policy: ScriptedPolicy?, _ registry: DetectorRegistry
  ) throws -> Content {
    let header = file.trace.header
    try requireData(
      header.info(.location) != nil,
      "\(file.path): expected channel location, which a map needs, found "
        + "\(channelNames(of: header)); export a trace of positions")
    // The default is the detector of positions, also if the trace has other channels.
    var positions = header
    positions.channels.removeAll { $0.channel != .location }
    let choice = try detector.choice(for: positions, registry)
    let registered = try registry.detector(named: choice.detector)
    try requireUse(
      registered.channel == .location,
      "--detector \(choice.title): expected a detector of channel location, found one of "
        + "\(registered.channel.name); name track or checkin, or leave it out")
    let run = try Failure.naming(file.path) {
      try registered.fixRun(choice, on: file.trace, options: RunOptions(policy: policy))
    }
    let map = try Failure.placing(file.path) {
      try TrackMap(file.trace, run, detector: choice.title, acceptedOnly: fixes == .accepted)
    }
    let kinds = Set(run.detections.map(\.kind))
    return Content(
      map: map,
      isUnanswered: policy == nil && file.trace[.action] == nil && kinds.contains("prompt")
        && !kinds.contains("visit"), leftOut: leftOut(of: file.trace) + file.unread)
  }

  private func leftOut(of trace: Trace) -> [String] {
    var names = trace.header.channels.map(\.channel.name).filter { $0 != Channel.location.name }
    if trace[.location]?.arrivedTimes != nil { names.append("arrival times") }
    names += trace.header.references.map(\.task).filter { ![.visit, .split].contains($0) }
      .map { "reference \($0.rawValue)" }
    if !trace.header.ignoreZones.isEmpty { names.append("ignore zones") }
    return names
  }

  private func write(
    _ content: Content, of input: String, to target: String, _ name: String,
    as format: TrackMapFormat
  ) throws {
    let output = try outputFiles.created(at: target)
    var size = 0
    try format.write(content.map) { text in
      size += text.utf8.count
      try output.write(text)
    }
    try output.commit()
    let kibibytes = grouped((Double(size) / 1024).rounded(.up))
    terminal.say("\(input) -> \(name): \(content.map.fixSummary), \(kibibytes) KiB")
    terminal.say("  \(content.map.detectorSummary)")
    if content.isUnanswered {
      terminal.say("  the prompts are not answered; --policy adds a scripted person who does")
    }
    if content.map.epoch == nil {
      terminal.warn(
        "\(input): unknown wall clock: points have seconds since the start instead of a time; state "
          + "the start with --start")
    }
    let count = content.map.withoutPosition
    if count > 0 {
      terminal.warn(
        "\(input): left out: \(counted(count, "fix", "fixes")) without a valid position")
    }
    terminal.reportLeftOut(content.leftOut)
  }
}
