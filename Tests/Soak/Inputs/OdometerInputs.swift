import Diagnostics
import TraceFormats
import TraceModel

/// FIT files with definitions that change, sizes that lie, and damaged bytes.
struct FITInputs: Inputs {
  let ending = ".fit"

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<(1 + generator.below(2)) { bytes += file(&generator) }
    for _ in 0..<generator.below(3) where generator.isTrue(oneIn: 2) { damage(&bytes, &generator) }
    return bytes
  }

  private func file(_ generator: inout SeededGenerator) -> [UInt8] {
    var data: [UInt8] = []
    var sizes = [Int?](repeating: nil, count: 16)
    for _ in 0..<generator.count(30) {
      let local = generator.below(4)
      if sizes[local] == nil || generator.isTrue(oneIn: 10) {
        data += definition(local, &sizes, &generator)
      }
      let head = generator.isTrue(oneIn: 4) ? 0x80 | local << 5 | generator.below(32) : local
      data.append(UInt8(head))
      data += (0..<(sizes[local] ?? 0)).map { _ in byte(&generator) }
    }
    let size = UInt32(data.count + (generator.isTrue(oneIn: 20) ? generator.below(9) : 0))
    let isLong = generator.isTrue(oneIn: 2)
    var file: [UInt8] = [isLong ? 14 : 12, 0x10, 1, 0]
    file += bytes(size)
    file += Array(".FIT".utf8)
    if isLong { file += [0, 0] }
    return file + data + [0, 0]
  }

  /// Mostly a record with a time and a distance.
  private func definition(
    _ local: Int, _ sizes: inout [Int?], _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var fields: [[UInt8]] = [[253, 4, 0x86], [5, 4, 0x86], [0, 4, 0x85]]
    for _ in 0..<generator.below(4) {
      fields.append([byte(&generator), UInt8(generator.below(9)), byte(&generator)])
    }
    if generator.isTrue(oneIn: 4) { fields.removeFirst() }
    fields.shuffle(using: &generator)
    let developer = (0..<(generator.isTrue(oneIn: 4) ? 1 + generator.below(3) : 0)).map { _ in
      UInt8(generator.below(20))
    }
    let isBig = generator.isTrue(oneIn: 3)
    let message = generator.isTrue(oneIn: 8) ? byte(&generator) : 20
    sizes[local] =
      fields.reduce(0) { $0 + Int($1[1]) } + developer.reduce(0) { $0 + Int($1) }
    let head = 0x40 | (developer.isEmpty ? 0 : 0x20) | local
    var definition: [UInt8] = [UInt8(head), 0, isBig ? 1 : 0]
    definition += isBig ? [0, message] : [message, 0]
    definition.append(UInt8(fields.count))
    for field in fields { definition += field }
    guard !developer.isEmpty else { return definition }
    definition.append(UInt8(developer.count))
    for size in developer { definition += [0, size, 0] }
    return definition
  }

  private func byte(_ generator: inout SeededGenerator) -> UInt8 {
    generator.isTrue(oneIn: 6) ? 0xFF : UInt8(truncatingIfNeeded: generator.next())
  }

  private func bytes(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }

  private func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    let place = generator.below(bytes.count)
    switch generator.below(4) {
    case 0: bytes.removeSubrange(place...)
    case 1: bytes.insert(byte(&generator), at: place)
    default: bytes[place] = byte(&generator)
    }
    if bytes.isEmpty { bytes = [0x0E] }
  }

  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    readOdometer(path, format: "garmin_fit", &generator)
  }
}

/// TCX files whose elements are doubled, dropped, nested and left open.
struct TCXInputs: Inputs {
  let ending = ".tcx"

  func make(_ generator: inout SeededGenerator) -> [UInt8] {
    var text = "<?xml version=\"1.0\"?><TrainingCenterDatabase><Activities><Activity><Lap><Track>"
    for _ in 0..<generator.count(25) { text += point(&generator) }
    if !generator.isTrue(oneIn: 20) {
      text += "</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
    }
    var bytes = Array(text.utf8)
    if generator.isTrue(oneIn: 3) { generator.damage(&bytes) }
    return bytes
  }

  private func point(_ generator: inout SeededGenerator) -> String {
    let number = generator.isTrue(oneIn: 6) ? generator.number() : "\(generator.below(100_000))"
    var parts = [
      "<Time>\(generator.date())</Time>", "<DistanceMeters>\(number)</DistanceMeters>",
      "<Position><LatitudeDegrees>46</LatitudeDegrees></Position>",
    ]
    if generator.isTrue(oneIn: 8) { parts.append(generator.pick(parts)) }
    if generator.isTrue(oneIn: 8) { parts.removeFirst() }
    if generator.isTrue(oneIn: 8) { parts.append("<X><Time>\(generator.word())</Time></X>") }
    let end = generator.isTrue(oneIn: 3000) ? "" : "</Trackpoint>"
    return "<Trackpoint>" + parts.joined() + end
  }

  func read(_ path: String, _ generator: inout SeededGenerator) -> String? {
    readOdometer(path, format: "gtrnctr", &generator)
  }
}

extension Inputs {
  /// The reader goes on after damage, unless it is strict; what it then says about a loss is for people
  /// too.
  fileprivate func readOdometer(
    _ path: String, format: String, _ generator: inout SeededGenerator
  ) -> String? {
    message {
      var last: Int64 = 0
      let strict = generator.isTrue(oneIn: 2)
      let report = try OdometerFile(path, format: format)?.read(strict: strict) { time, meters in
        last = time
        if !meters.isFinite || meters < 0 { last = .min }
      }
      precondition(last != .min, "an odometer of a number that is no distance")
      if let loss = report?.firstLoss, generator.isTrue(oneIn: 8) { throw loss }
    }
  }
}
