import TraceModel

/// Reads the distances of the records of a FIT file (FIT Protocol, Garmin): times and accumulated
/// distances, also of records without a position.
///
/// Everything else is skipped by its stated size. Invalid values (all bits set) count as missing.
/// Developer fields and compressed timestamps are supported; several files may follow one another.
struct FITOdometer: ~Copyable {
  private var source: ByteSource
  /// The number of bytes of the file before those in the buffer.
  private var taken = 0
  private var definitions = [Definition?](repeating: nil, count: 16)
  /// The last stated time in s since FIT's epoch, for compressed timestamps.
  private var lastTime: UInt32?

  /// The layout of the data messages of a local type.
  private struct Definition {
    var size = 0
    var isBigEndian = false
    var isRecord = false
    /// The places of the fields within a message.
    var time: Field?
    var distance: Field?
  }

  /// An unsigned integer within a message.
  private struct Field {
    var offset: Int
    var size: Int
  }

  /// Numbers from FIT's profile.
  private enum Number {
    static let record = 20
    static let timestamp: UInt8 = 253
    static let distance: UInt8 = 5
    /// The sizes of unsigned integers by the number of their base type.
    static let unsignedSizes: [UInt8: Int] = [2: 1, 4: 2, 6: 4]
  }

  /// FIT's epoch, 1989-12-31T00:00:00Z, in s since 1970.
  private static let epoch: Int64 = 631_065_600
  /// Smaller times count from the device's start, not from the epoch.
  private static let firstTime: UInt32 = 0x1000_0000

  private init(_ source: consuming ByteSource) { self.source = source }

  /// - Parameters: see ``OdometerFile/read(strict:_:)``.
  static func read(
    _ source: consuming ByteSource, strict: Bool,
    _ take: (Int64, Double) throws(TraceError) -> Void
  ) throws(TraceError) -> OdometerReport {
    var reader = FITOdometer(source)
    var report = OdometerReport()
    do throws(TraceError) {
      repeat {
        try reader.readFile(&report, take)
      } while try !reader.source.peek(1).isEmpty
    } catch {
      if strict || error.kind != .badData { throw error }
      report.losses.add(error)
    }
    return report
  }

  private mutating func readFile(
    _ report: inout OdometerReport, _ take: (Int64, Double) throws(TraceError) -> Void
  ) throws(TraceError) {
    let start = taken
    let head = try bytes(12, "a header of FIT")
    guard head[0] >= 12, head[8..<12].elementsEqual(".FIT".utf8) else {
      throw fault("a header of FIT", found: "other bytes", at: start)
    }
    let size = head[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    _ = try bytes(Int(head[0]) - 12, "a header of FIT")
    definitions = [Definition?](repeating: nil, count: 16)
    let end = taken + size
    while taken < end { try readMessage(&report, take) }
    guard taken == end else {
      throw fault("a message that ends with its file", found: "one beyond it", at: end)
    }
    _ = try bytes(2, "a checksum")
  }

  private mutating func readMessage(
    _ report: inout OdometerReport, _ take: (Int64, Double) throws(TraceError) -> Void
  ) throws(TraceError) {
    let place = taken
    let head = try bytes(1, "a message")[0]
    if head & 0x80 != 0 {
      // A compressed timestamp: five bits of the time, of the local types 0 to 3.
      let last = lastTime ?? 0
      let step = (UInt32(head & 0x1F) &- last) & 0x1F
      let time = lastTime.map { $0 &+ step }
      if time != nil { lastTime = time }
      return try readData(Int(head >> 5 & 3), at: place, time, &report, take)
    }
    if head & 0x40 != 0 {
      return try readDefinition(Int(head & 15), hasDeveloperFields: head & 0x20 != 0)
    }
    try readData(Int(head & 15), at: place, nil, &report, take)
  }

  private mutating func readDefinition(_ local: Int, hasDeveloperFields: Bool) throws(TraceError) {
    let place = taken
    let head = try bytes(5, "a definition")
    guard head[1] <= 1 else {
      throw fault("0 or 1 as the byte order", found: "\(head[1])", at: place + 1)
    }
    var definition = Definition()
    definition.isBigEndian = head[1] == 1
    definition.isRecord = Int(Self.unsigned(head[2..<4], head[1] == 1)) == Number.record
    let fields = try bytes(3 * Int(head[4]), "the fields of a definition")
    for start in stride(from: 0, to: fields.count, by: 3) {
      let (number, size, type) = (fields[start], Int(fields[start + 1]), fields[start + 2])
      let field = Field(offset: definition.size, size: size)
      definition.size += size
      guard Number.unsignedSizes[type & 0x1F] == size else { continue }
      if number == Number.timestamp, size == 4 { definition.time = field }
      if number == Number.distance { definition.distance = field }
    }
    if hasDeveloperFields {
      let count = Int(try bytes(1, "the number of developer fields")[0])
      let own = try bytes(3 * count, "the developer fields of a definition")
      for start in stride(from: 0, to: own.count, by: 3) { definition.size += Int(own[start + 1]) }
    }
    definitions[local] = definition
  }

  /// - Parameter time: that of a compressed timestamp; nil = the message has its own, if any.
  private mutating func readData(
    _ local: Int, at place: Int, _ time: UInt32?, _ report: inout OdometerReport,
    _ take: (Int64, Double) throws(TraceError) -> Void
  ) throws(TraceError) {
    guard let definition = definitions[local] else {
      throw fault("a definition before the data of local type \(local)", found: "none", at: place)
    }
    let data = try bytes(definition.size, "a message")
    let own = Self.value(definition.time, of: data, definition)
    if let own { lastTime = own }
    guard definition.isRecord, let time = own ?? time, time >= Self.firstTime else { return }
    guard let distance = Self.value(definition.distance, of: data, definition) else {
      report.unknown += 1
      return
    }
    report.readings += 1
    try take((Self.epoch + Int64(time)) * 1_000_000_000, Double(distance) / 100)
  }

  /// The value of a field; nil = there is none, or it is invalid: all bits are set.
  private static func value(
    _ field: Field?, of data: [UInt8], _ definition: Definition
  ) -> UInt32? {
    guard let field else { return nil }
    let bytes = data[field.offset..<(field.offset + field.size)]
    return bytes.allSatisfy { $0 == 0xFF } ? nil : unsigned(bytes, definition.isBigEndian)
  }

  private static func unsigned(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) -> UInt32 {
    isBigEndian
      ? bytes.reduce(0) { $0 << 8 | UInt32($1) }
      : bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Takes the next bytes: a message has at most 127 KiB.
  private mutating func bytes(_ count: Int, _ expected: String) throws(TraceError) -> [UInt8] {
    let found = try source.peek(count)
    guard found.count == count else {
      throw fault(expected, found: "the end of the file", at: taken + found.count)
    }
    source.advance(to: source.position + count)
    taken += count
    return found
  }

  private func fault(_ expected: String, found: String, at place: Int) -> TraceError {
    TraceError(
      place: "\(source.name): odometer", expected: expected, found: "\(found) at byte \(place)",
      remedy: "copy the file again: it is truncated or damaged")
  }
}
