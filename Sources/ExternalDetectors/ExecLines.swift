import Detectors
package import TraceModel

/// Writes the input lines of an external detector (traces/FORMAT.md).
package enum ExecLines {
  package static func start(
    _ header: TraceHeader, _ parameters: [(name: String, value: Double)], to bytes: inout [UInt8]
  ) {
    let id = header.id.unicodeScalars.map { $0.value < 0x20 ? "?" : String($0) }.joined()
    append(["start", id], to: &bytes)
    for (name, value) in parameters { append(["parameter", name, "\(value)"], to: &bytes) }
    for place in header.places {
      let numbers = [place.latitude, place.longitude, place.radius].map(text)
      append(["place", "\(place.id)"] + numbers + ["\(place.rank)"], to: &bytes)
    }
  }

  /// Writes the reading at a position of the block.
  package static func sample(
    _ number: Int, _ block: ChannelBlock, at position: Int, to bytes: inout [UInt8]
  ) {
    let measured = block.measuredTimes[position]
    let arrived = block.arrivedTimes?[position] ?? measured
    append(
      ["sample", "\(number)", "\(measured)", "\(arrived)"] + fields(of: block, at: position),
      to: &bytes)
  }

  package static func action(
    _ number: Int, _ action: Action, at time: TraceInstant, to bytes: inout [UInt8]
  ) {
    append(["action", "\(number)", "\(time.nanoseconds)", action.name], to: &bytes)
  }

  package static func end(_ number: Int, at time: TraceInstant, to bytes: inout [UInt8]) {
    append(["end", "\(number)", "\(time.nanoseconds)"], to: &bytes)
  }

  private static func fields(of block: ChannelBlock, at position: Int) -> [String] {
    switch block {
    case .vector(let columns):
      let vector = columns[position]
      return [vector.x, vector.y, vector.z].map { text(Double($0)) }
    case .fix(let columns):
      let fix = columns[position]
      return [
        fix.latitude, fix.longitude, fix.altitude, fix.horizontalAccuracy, fix.speed,
        fix.speedAccuracy, fix.course,
      ].map(text)
    case .local(let columns): return [columns[position].x, columns[position].y].map(text)
    case .scalar(let columns):
      return [columns[position].value, columns[position].accuracy].map(text)
    case .heartbeat(let columns):
      return ["\(columns[position].peer)", "\(columns[position].sequence)"]
    case .action(let columns): return [columns[position].name]
    }
  }

  /// Returns the shortest decimal that parses to the same double. A float is written as the equal
  /// double, so that it also parses to the recorded float.
  private static func text(_ number: Double) -> String {
    number.isNaN ? "nan" : number.description
  }

  private static func append(_ fields: [String], to bytes: inout [UInt8]) {
    for field in fields {
      bytes.append(contentsOf: field.utf8)
      bytes.append(UInt8(ascii: " "))
    }
    bytes[bytes.count - 1] = UInt8(ascii: "\n")
  }
}
