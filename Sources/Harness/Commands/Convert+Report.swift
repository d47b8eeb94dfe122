import Diagnostics
import TraceFormats
import TraceModel

/// The messages about a recording that was written.
extension ConvertCommand {
  func report(
    _ imported: [Imported], _ recognised: RecordingFile.Recognised, to terminal: Terminal
  ) {
    let samples = imported.reduce(0) { sum, each in
      sum + each.header.channels.reduce(0) { $0 + $1.count }
    }
    let channels = imported.map(\.header.channels.count).max() ?? 0
    let seconds = imported.reduce(0) { $0 + $1.trace.header.end.seconds }
    let what = imported.count == 1 ? "1 trace" : "\(imported.count) traces"
    terminal.say(
      "\(input) -> \(output): \(what), \(samples) readings"
        + (channels > 1 ? " in \(channels) channels" : "") + ", \(fixed(seconds, 1)) s")
    if importing.from == nil, recognised.format != .own(.native) {
      terminal.say("  read as \(recognised.reason)")
    }
    for each in imported {
      let prefix = imported.count == 1 ? "  " : "  \(each.trace.header.id): "
      reportReadings(of: each, prefix, to: terminal)
      reportLosses(of: each, prefix, to: terminal)
      reportReferences(of: each, prefix, to: terminal)
    }
    let names = imported.flatMap {
      $0.trace.report.unmappedColumns + $0.unread + leftOut(of: $0.header)
    }
    if !names.isEmpty {
      var seen: Set<String> = []
      let ordered = names.filter { seen.insert($0).inserted }
      terminal.say("  not taken over: \(ordered.joined(separator: ", "))")
    }
  }

  private func reportReadings(of each: Imported, _ prefix: String, to terminal: Terminal) {
    let report = each.trace.report
    if report.missing > 0 { terminal.say("\(prefix)\(report.missing) missing samples") }
    if report.duplicatedTimes > 0 {
      let what = repairing.repair ? "" : ", kept as they are"
      terminal.say("\(prefix)\(report.duplicatedTimes) duplicated times\(what)")
    }
    if report.backwardTimes > 0 {
      let isInOrder = sort || repairing.repair
      let what = isInOrder ? "put in order" : "kept as they are; --sort reorders them"
      terminal.say("\(prefix)\(report.backwardTimes) backward times, \(what)")
    }
    for finding in report.findings { terminal.say("\(prefix)\(finding.message)") }
    for note in report.notes + each.repairs { terminal.say(prefix + note) }
  }

  private func reportLosses(of each: Imported, _ prefix: String, to terminal: Terminal) {
    let report = each.trace.report
    // A warning alone needs its place.
    let warning = common.quiet ? "\(input): " + prefix.drop { $0 == " " } : prefix
    if report.losses.count > 0 {
      terminal.warn("\(warning)\(report.losses.count) damaged records were left out:")
      for loss in report.losses.first { terminal.warn("    \(loss)") }
      let rest = report.losses.count - report.losses.first.count
      if rest > 0 { terminal.warn("    and \(rest) more") }
    }
    if each.labelsOutside > 0 {
      terminal.warn("\(warning)\(each.labelsOutside) labels lie outside the recording: left out")
    }
    if !each.replaced.isEmpty {
      terminal.warn("\(warning)replaced: \(each.replaced.joined(separator: ", "))")
    }
  }

  private func reportReferences(of each: Imported, _ prefix: String, to terminal: Terminal) {
    if let set = each.trace.header.reference(.punch),
      reference != nil || importing.referenceColumn != nil
    {
      terminal.say("\(prefix)\(set.events.count) reference punches")
    }
  }

  /// The parts of a trace that a CSV of one channel does not hold.
  private func leftOut(of header: TraceHeader) -> [String] {
    guard writesCSV else { return [] }
    let written = importing.channel ?? header.channels.first?.channel.name
    var names = header.channels.map(\.channel.name).filter { $0 != written }
    names += header.references.map { "reference \($0.task.rawValue)" }
    if header.track != nil { names.append("reference track") }
    if !header.places.isEmpty { names.append("places") }
    if !header.ignoreZones.isEmpty { names.append("ignore zones") }
    return names + ["subject, device and the other facts of the header"]
  }
}
