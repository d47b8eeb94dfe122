import Detectors
package import TraceModel

/// Writes the input lines of an external detector (traces/FORMAT.md).
package enum ExecLines {
  package static func start(
    _ header: TraceHeader, _ parameters: [(name: String, value: Double)], to bytes: inout [UInt8]
  ) {
    let id = header.id.unicodeScalars.map { $0.value < 0x20 ? "?" : String($0) }.joined()
    bytes += Array("start \(id)\n".utf8)
    for (name, value) in parameters { bytes += Array("parameter \(name) \(value)\n".utf8) }
    for place in header.places {
      append("place", to: &bytes)
      append(place.id, to: &bytes)
      for value in [place.latitude, place.longitude, place.radius] { append(value, to: &bytes) }
      append(place.rank, to: &bytes)
      endLine(&bytes)
    }
  }

  /// Writes the reading at a position of the block.
  package static func sample(
    _ number: Int, _ block: ChannelBlock, at position: Int, to bytes: inout [UInt8]
  ) {
    append("sample", to: &bytes)
    append(number, to: &bytes)
    let measured = block.measuredTimes[position]
    append(measured, to: &bytes)
    append(block.arrivedTimes?[position] ?? measured, to: &bytes)
    append(block, at: position, to: &bytes)
    endLine(&bytes)
  }

  package static func action(
    _ number: Int, _ action: Action, at time: TraceInstant, to bytes: inout [UInt8]
  ) {
    append("action", to: &bytes)
    append(number, to: &bytes)
    append(time.nanoseconds, to: &bytes)
    append(action.name, to: &bytes)
    endLine(&bytes)
  }

  package static func end(_ number: Int, at time: TraceInstant, to bytes: inout [UInt8]) {
    append("end", to: &bytes)
    append(number, to: &bytes)
    append(time.nanoseconds, to: &bytes)
    endLine(&bytes)
  }

  private static func append(
    _ block: ChannelBlock, at position: Int, to bytes: inout [UInt8]
  ) {
    switch block {
    case .vector(let columns):
      let vector = columns[position]
      for value in [vector.x, vector.y, vector.z] { append(Double(value), to: &bytes) }
    case .fix(let columns):
      let fix = columns[position]
      for value in [
        fix.latitude, fix.longitude, fix.altitude, fix.horizontalAccuracy, fix.speed,
        fix.speedAccuracy, fix.course,
      ] { append(value, to: &bytes) }
    case .local(let columns):
      for value in [columns[position].x, columns[position].y] { append(value, to: &bytes) }
    case .scalar(let columns):
      for value in [columns[position].value, columns[position].accuracy] {
        append(value, to: &bytes)
      }
    case .heartbeat(let columns):
      append(columns[position].peer, to: &bytes)
      append(columns[position].sequence, to: &bytes)
    case .action(let columns): append(columns[position].name, to: &bytes)
    }
  }

  // A space ends each field; the end of the line replaces the last one.

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: " "))
  }

  private static func append(_ number: some BinaryInteger, to bytes: inout [UInt8]) {
    append(String(number), to: &bytes)
  }

  /// Writes the shortest decimal that parses to the same double. A float is written as the equal
  /// double, so that it also parses to the recorded float.
  private static func append(_ number: Double, to bytes: inout [UInt8]) {
    append(number.isNaN ? "nan" : number.description, to: &bytes)
  }

  private static func endLine(_ bytes: inout [UInt8]) {
    bytes[bytes.count - 1] = UInt8(ascii: "\n")
  }
}
