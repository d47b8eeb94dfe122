import TraceModel

/// Writes little-endian numbers and columns of them; see ``PackedTrace``.
struct ByteWriter {
  var bytes: [UInt8] = []

  mutating func put(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func put(column: [some FixedWidthInteger]) {
    guard let first = column.first else { return }
    for shift in stride(from: 0, to: first.bitWidth, by: 8) {
      for value in column { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
  }

  mutating func put(numbers: [Double]) { put(column: numbers.map { $0.bitPattern }) }

  mutating func put(times: [Int64]) {
    var last: Int64 = 0
    var differences: [UInt64] = []
    for time in times {
      differences.append(UInt64(bitPattern: time &- last))
      last = time
    }
    put(column: differences)
  }

  mutating func put(_ text: String) {
    let utf8 = text.utf8.prefix(Int(UInt16.max))
    put(UInt16(utf8.count))
    bytes += utf8
  }
}

/// Reads what ``ByteWriter`` writes, and nothing beyond the end.
struct ByteReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var rest: Int { bytes.count - position }
  var isAtEnd: Bool { rest == 0 }

  static func fault(_ expected: String, found: String) -> TraceError {
    TraceError(place: "packed trace", expected: expected, found: found)
  }

  private mutating func skip(_ count: Int) throws(TraceError) -> Int {
    guard 0 <= count, count <= rest else {
      throw Self.fault("\(count) bytes at \(position)", found: "the end after \(rest)")
    }
    position += count
    return position - count
  }

  mutating func byte() throws(TraceError) -> UInt8 { bytes[try skip(1)] }

  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(TraceError) -> Value {
    let start = try skip(Value.bitWidth / 8)
    var value: Value = 0
    for place in 0..<Value.bitWidth / 8 {
      value |= Value(truncatingIfNeeded: bytes[start + place]) << (8 * place)
    }
    return value
  }

  /// Reads a number of elements, which must be there.
  /// - Parameter bytesEach: the fewest bytes that an element takes.
  mutating func count(bytesEach: Int) throws(TraceError) -> Int {
    let count = Int(try integer(UInt32.self))
    let (needed, isTooLarge) = count.multipliedReportingOverflow(by: bytesEach)
    guard !isTooLarge, needed <= rest else {
      throw Self.fault("\(count) elements at \(position)", found: "the end after \(rest) bytes")
    }
    return count
  }

  mutating func column<Value: FixedWidthInteger>(_ count: Int) throws(TraceError) -> [Value] {
    let width = Value.bitWidth / 8
    let start = try skip(count * width)
    var column = [Value](repeating: 0, count: count)
    for place in 0..<width {
      let plane = start + place * count
      for index in 0..<count {
        column[index] |= Value(truncatingIfNeeded: bytes[plane + index]) << (8 * place)
      }
    }
    return column
  }

  mutating func numbers(_ count: Int) throws(TraceError) -> [Double] {
    try column(count).map { (bits: UInt64) in Double(bitPattern: bits) }
  }

  mutating func floats(_ count: Int) throws(TraceError) -> [Float] {
    try column(count).map { (bits: UInt32) in Float(bitPattern: bits) }
  }

  mutating func times(_ count: Int) throws(TraceError) -> [Int64] {
    let differences: [UInt64] = try column(count)
    var time: Int64 = 0
    return differences.map {
      time &+= Int64(bitPattern: $0)
      return time
    }
  }

  mutating func bytes(_ count: Int) throws(TraceError) -> [UInt8] {
    let start = try skip(count)
    return Array(bytes[start..<start + count])
  }

  mutating func text() throws(TraceError) -> String {
    let count = Int(try integer(UInt16.self))
    let start = try skip(count)
    return String(decoding: bytes[start..<start + count], as: UTF8.self)
  }
}
