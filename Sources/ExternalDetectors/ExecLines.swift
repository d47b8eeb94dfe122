import Detectors
package import TraceModel

/// Writes the input lines of an external detector (traces/FORMAT.md) into its buffer.
package enum ExecLines {
  package static func start(
    _ header: TraceHeader, _ parameters: [(name: String, value: Double)], to bytes: inout [UInt8]
  ) {
    let id = header.id.unicodeScalars.map { $0.value < 0x20 ? "?" : String($0) }.joined()
    put(["start", id], to: &bytes)
    for (name, value) in parameters { put(["parameter", name], [value], to: &bytes) }
    for place in header.places {
      let numbers = [place.latitude, place.longitude, place.radius].map(text)
      put(["place", "\(place.id)"] + numbers + ["\(place.rank)"], to: &bytes)
    }
  }

  /// Writes the reading at a position of the block.
  package static func sample(
    _ number: Int, _ block: ChannelBlock, at position: Int, to bytes: inout [UInt8]
  ) {
    let measured = block.measuredTimes[position]
    let arrived = block.arrivedTimes?[position] ?? measured
    put(
      ["sample", number.description, measured.description, arrived.description],
      block.value(at: position), to: &bytes)
  }

  /// Writes a reading of a companion.
  package static func companion(_ number: Int, _ reading: Reading, to bytes: inout [UInt8]) {
    let times = [reading.measured, reading.arrived].map(\.nanoseconds.description)
    put(["companion", number.description, reading.channel.name] + times, reading.value, to: &bytes)
  }

  package static func action(
    _ number: Int, _ action: Action, at time: TraceInstant, to bytes: inout [UInt8]
  ) { put(["action", "\(number)", "\(time.nanoseconds)", action.name], to: &bytes) }

  package static func end(_ number: Int, at time: TraceInstant, to bytes: inout [UInt8]) {
    put(["end", "\(number)", "\(time.nanoseconds)"], to: &bytes)
  }

  /// The shortest decimal that parses to the same double. A float is written as the equal double, so
  /// that it also parses to the recorded float.
  private static func text(_ number: Double) -> String { number.isNaN ? "nan" : number.description }

  private static func put(_ words: [String], _ value: Reading.Value, to bytes: inout [UInt8]) {
    switch value {
    case .vector(let vector):
      put(words, [Double(vector.x), Double(vector.y), Double(vector.z)], to: &bytes)
    case .fix(let fix):
      let quality = [fix.horizontalAccuracy, fix.speed, fix.speedAccuracy, fix.course]
      put(words, [fix.latitude, fix.longitude, fix.altitude] + quality, to: &bytes)
    case .local(let position): put(words, [position.x, position.y], to: &bytes)
    case .scalar(let scalar): put(words, [scalar.value, scalar.accuracy], to: &bytes)
    case .heartbeat(let heartbeat):
      put(words + ["\(heartbeat.peer)", "\(heartbeat.sequence)"], to: &bytes)
    case .touch(let touch):
      put(words + [text(touch.x), text(touch.y), touch.phase.name, "\(touch.pointer)"], to: &bytes)
    case .action(let action): put(words + [action.name], to: &bytes)
    }
  }

  private static func put(_ words: [String], _ numbers: [Double] = [], to bytes: inout [UInt8]) {
    for word in words {
      bytes.append(contentsOf: word.utf8)
      bytes.append(UInt8(ascii: " "))
    }
    for number in numbers {
      bytes.append(contentsOf: text(number).utf8)
      bytes.append(UInt8(ascii: " "))
    }
    bytes[bytes.count - 1] = UInt8(ascii: "\n")
  }
}
