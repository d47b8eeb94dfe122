import Files
public import TraceModel

/// Writes a channel of a trace as CSV.
public enum CSVWriter {
  /// Writes one line per reading: `time_ns` (what to read back), `time_s` (for people),
  /// `arrived_ns` where the channel has arrival times, then the values in SI units under the names
  /// of their mapping targets. Numbers have the fewest digits that read back the same; an unknown
  /// value is an empty cell, NaN in a required value is written as `NaN`.
  ///
  /// The file appears under its name when it is complete. ``mapping(for:of:)`` returns the mapping
  /// that reads it.
  ///
  /// - Throws: where the trace has no such channel, or the file cannot be written.
  public static func write(_ trace: Trace, channel: Channel, to path: String) throws(TraceError) {
    guard let block = trace[channel] else {
      throw TraceError(
        place: trace.header.id, expected: "the channel \(channel.name)",
        found: trace.header.channels.isEmpty
          ? "no channels" : trace.header.channels.map(\.channel.name).joined(separator: ", "))
    }
    let file = try AtomicFile(path: path)
    try write(block, of: channel) { line throws(TraceError) in try file.write(line) }
    try file.commit()
  }

  /// The parts of a trace that the CSV of one channel does not hold, for messages.
  /// - Parameter name: the channel; nil = the only one.
  package static func leftOut(of header: TraceHeader, channel name: String?) -> [String] {
    let written = name ?? header.channels.first?.channel.name
    var names = header.channels.map(\.channel.name).filter { $0 != written }
    names += header.references.map { "reference \($0.task.rawValue)" }
    names += header.counts.map { "count of \($0.task.rawValue)" }
    if header.track != nil { names.append("reference track") }
    if !header.places.isEmpty { names.append("places") }
    if !header.ignoreZones.isEmpty { names.append("ignore zones") }
    return names + ["subject, device and the other facts of the header"]
  }

  /// Returns the mapping with which ``CSVReader`` reads the output of ``write(_:channel:to:)``; nil
  /// for actions, which a plain CSV cannot hold.
  public static func mapping(for channel: Channel, of trace: Trace) -> CSVMapping? {
    guard channel != .action, let block = trace[channel] else { return nil }
    var entries = [CSVMapping.Entry(target: .time, column: "time_ns", unit: "ns")]
    if block.arrivedTimes != nil {
      entries.append(CSVMapping.Entry(target: .arrived, column: "arrived_ns", unit: "ns"))
    }
    for name in columns(of: channel) {
      guard let target = CSVTarget(name: name) else { continue }
      entries.append(CSVMapping.Entry(target: target, column: name))
    }
    return CSVMapping(entries: entries)
  }

  static func write(
    _ block: ChannelBlock, of channel: Channel,
    to sink: (String) throws(TraceError) -> Void
  ) throws(TraceError) {
    let hasArrivals = block.arrivedTimes != nil
    let names = ["time_ns", "time_s"] + (hasArrivals ? ["arrived_ns"] : []) + columns(of: channel)
    try sink(names.joined(separator: ",") + "\n")
    for position in block.range {
      let time = block.measuredTimes[position]
      var cells = ["\(time)", decimalSeconds(time)]
      if let arrived = block.arrivedTimes { cells.append("\(arrived[position])") }
      cells += texts(block.value(at: position), of: channel)
      try sink(cells.joined(separator: ",") + "\n")
    }
  }

  private static func columns(of channel: Channel) -> [String] {
    switch channel {
    case .acceleration, .userAcceleration, .rotationRate: CSVTarget.axes
    case .action: ["action"]
    default: CSVTarget.names.first { $0.channel == channel }?.names ?? []
    }
  }

  private static func texts(_ value: Reading.Value, of channel: Channel) -> [String] {
    switch value {
    case .vector(let vector): [vector.x, vector.y, vector.z].map(text)
    case .fix(let fix):
      [text(fix.latitude), text(fix.longitude)]
        + fixFields.dropFirst(2).map { optionalText($0(fix)) }
    case .local(let position): [text(position.x), text(position.y)]
    case .scalar(let scalar):
      [text(scalar.value)] + (channel == .heading ? [optionalText(scalar.accuracy)] : [])
    case .heartbeat(let heartbeat): ["\(heartbeat.peer)", "\(heartbeat.sequence)"]
    case .touch(let touch):
      [text(touch.x), text(touch.y), touch.phase.name, "\(touch.pointer)"]
    case .action(let action): [action.name]
    }
  }

  private static func optionalText(_ value: Double) -> String { value.isNaN ? "" : text(value) }

  private static func text(_ value: some BinaryFloatingPoint & CustomStringConvertible) -> String {
    value.isNaN ? "NaN" : value.description
  }
}

/// Returns nanoseconds as seconds, exact, with as few decimals as possible: `-0.00209425`.
package func decimalSeconds(_ nanoseconds: Int64) -> String {
  let (seconds, fraction) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
  let sign = nanoseconds < 0 ? "-" : ""
  if fraction == 0 { return sign + String(seconds) }
  var digits = String(fraction)
  digits = String(repeating: "0", count: 9 - digits.utf8.count) + digits
  while digits.last == "0" { digits.removeLast() }
  return "\(sign)\(seconds).\(digits)"
}
