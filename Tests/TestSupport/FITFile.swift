/// Makes small FIT files, with the checksums that other programs ask for.
public enum FITFile {
  /// A field of a definition: its number in the profile, its size in bytes, its base type.
  public typealias Field = (number: UInt8, size: UInt8, type: UInt8)

  public static let time: Field = (253, 4, 0x86)
  public static let latitude: Field = (0, 4, 0x85)
  public static let longitude: Field = (1, 4, 0x85)
  public static let distance: Field = (5, 4, 0x86)

  /// 2022-05-01T10:00:00Z in seconds since FIT's epoch.
  public static let start: UInt32 = 1_020_333_600

  /// - Parameter headerSize: 12, or 14 with a checksum of the header.
  public static func file(_ messages: [[UInt8]], headerSize: Int = 14) -> [UInt8] {
    let data = messages.flatMap(\.self)
    var bytes: [UInt8] = [UInt8(headerSize), 0x10, 100, 0]
    bytes += little(UInt32(data.count)) + Array(".FIT".utf8)
    if headerSize == 14 { bytes += checksum(bytes) }
    bytes += data
    return bytes + checksum(bytes)
  }

  /// - Parameters:
  ///   - local: the local type, 0 to 15.
  ///   - message: the global number; 20 = record.
  ///   - developer: the sizes of developer fields.
  public static func definition(
    _ local: UInt8, message: UInt16 = 20, _ fields: [Field], isBigEndian: Bool = false,
    developer: [UInt8] = []
  ) -> [UInt8] {
    let number =
      isBigEndian
      ? [UInt8(message >> 8), UInt8(message & 255)]
      : [UInt8(message & 255), UInt8(message >> 8)]
    var bytes = [0x40 | local | (developer.isEmpty ? 0 : 0x20), 0, isBigEndian ? 1 : 0] + number
    bytes.append(UInt8(fields.count))
    for field in fields { bytes += [field.number, field.size, field.type] }
    if !developer.isEmpty {
      bytes.append(UInt8(developer.count))
      for (index, size) in developer.enumerated() { bytes += [UInt8(index), size, 0] }
    }
    return bytes
  }

  /// - Parameter values: of four bytes each.
  public static func data(
    _ local: UInt8, _ values: [UInt32], isBigEndian: Bool = false, developer: [UInt8] = []
  ) -> [UInt8] {
    [local] + values.flatMap { isBigEndian ? little($0).reversed() : little($0) } + developer
  }

  /// A message with a compressed timestamp.
  public static func compressed(_ local: UInt8, offset: UInt8, _ values: [UInt32]) -> [UInt8] {
    [0x80 | local << 5 | offset] + values.flatMap(little)
  }

  /// Degrees as semicircles: 2^31 are 180 degrees.
  public static func semicircles(_ degrees: Double) -> UInt32 {
    UInt32(bitPattern: Int32((degrees * 2_147_483_648 / 180).rounded()))
  }

  public static func little(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }

  /// FIT's checksum of 16 bits, bit by bit: the polynomial 0x8005, reflected.
  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var sum: UInt16 = 0
    for byte in bytes {
      sum ^= UInt16(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
    }
    return [UInt8(sum & 255), UInt8(sum >> 8)]
  }
}
