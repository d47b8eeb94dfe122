import Detectors
package import TraceModel

/// The input lines of an external detector (traces/FORMAT.md).
///
/// A number is the shortest decimal that parses to the same double. A float is written as the equal
/// double, so that it also parses to the recorded float.
package enum ExecLines {
  package static func start(
    _ header: TraceHeader, _ parameters: [(name: String, value: Double)]
  ) -> String {
    let id = header.id.unicodeScalars.map { $0.value < 0x20 ? "?" : String($0) }.joined()
    let places = header.places.map {
      line("place", $0.id, $0.latitude, $0.longitude, $0.radius, $0.rank)
    }
    return line("start", id) + parameters.map { line("parameter", $0.name, $0.value) }.joined()
      + places.joined()
  }

  /// The reading at a position of the block.
  package static func sample(_ number: Int, _ block: ChannelBlock, at position: Int) -> String {
    let measured = block.measuredTimes[position]
    let arrived = block.arrivedTimes?[position] ?? measured
    return "sample \(number) \(measured) \(arrived) " + fields(of: block, at: position)
  }

  package static func action(_ number: Int, _ action: Action, at time: TraceInstant) -> String {
    line("action", number, time.nanoseconds, action.name)
  }

  package static func end(_ number: Int, at time: TraceInstant) -> String {
    line("end", number, time.nanoseconds)
  }

  private static func fields(of block: ChannelBlock, at position: Int) -> String {
    switch block {
    case .vector(let columns):
      let vector = columns[position]
      return line(Double(vector.x), Double(vector.y), Double(vector.z))
    case .fix(let columns):
      let fix = columns[position]
      return line(
        fix.latitude, fix.longitude, fix.altitude, fix.horizontalAccuracy, fix.speed,
        fix.speedAccuracy, fix.course)
    case .local(let columns): return line(columns[position].x, columns[position].y)
    case .scalar(let columns): return line(columns[position].value, columns[position].accuracy)
    case .heartbeat(let columns): return line(columns[position].peer, columns[position].sequence)
    case .action(let columns): return line(columns[position].name)
    }
  }

  private static func line(_ fields: any CustomStringConvertible...) -> String {
    fields.map(\.description).joined(separator: " ") + "\n"
  }
}
