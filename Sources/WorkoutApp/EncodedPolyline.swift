public import AppEngines
public import TraceModel

/// A line of coordinates as text: Google's "Encoded Polyline Algorithm Format"
/// (developers.google.com/maps/documentation/utilities/polylinealgorithm).
public enum EncodedPolyline {
  /// The decimal places of a degree. The text does not contain them, so encoder and decoder must
  /// agree.
  public enum Precision: Int, CaseIterable, Hashable, Sendable, Codable {
    /// About a metre: the original format.
    case five = 5
    /// About a decimetre, used by routing services.
    case six = 6

    var scale: Double { self == .five ? 1e5 : 1e6 }
  }

  /// - Throws: if a point is not a valid position. No points give an empty text. O(n).
  public static func encode(
    _ points: [Coordinate], precision: Precision = .five
  ) throws(TraceError) -> String {
    var bytes: [UInt8] = []
    var last = (latitude: 0, longitude: 0)
    for (index, point) in points.enumerated() {
      guard point.isValid else {
        throw TraceError(
          place: "point \(index + 1)",
          expected: "a latitude within 90° and a longitude within 180°",
          found: "\(point.latitude), \(point.longitude)")
      }
      let latitude = Int((point.latitude * precision.scale).rounded())
      let longitude = Int((point.longitude * precision.scale).rounded())
      append(latitude - last.latitude, to: &bytes)
      append(longitude - last.longitude, to: &bytes)
      last = (latitude, longitude)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Throws: if the text is truncated, contains an invalid character, or leaves the range of
  ///   positions. O(n).
  public static func decode(
    _ text: String, precision: Precision = .five
  ) throws(TraceError) -> [Coordinate] {
    let bytes = Array(text.utf8)
    var points: [Coordinate] = []
    var position = 0
    var (latitude, longitude) = (0, 0)
    while position < bytes.count {
      let start = position
      latitude += try number(bytes, &position)
      longitude += try number(bytes, &position)
      let point = Coordinate(
        latitude: Double(latitude) / precision.scale,
        longitude: Double(longitude) / precision.scale)
      guard point.isValid else {
        throw TraceError(
          place: "character \(start + 1)", expected: "a position on Earth",
          found: "\(point.latitude), \(point.longitude)",
          remedy: "decode it with precision \(precision == .five ? 6 : 5)")
      }
      points.append(point)
    }
    return points
  }

  /// Appends a value: the sign goes to the lowest bit, then groups of five bits from the lowest,
  /// each but the last with 0x20, shifted to the printable characters.
  private static func append(_ value: Int, to bytes: inout [UInt8]) {
    var rest = value < 0 ? ~(value << 1) : value << 1
    while rest >= 0x20 {
      bytes.append(UInt8(0x20 | (rest & 0x1F)) + 63)
      rest >>= 5
    }
    bytes.append(UInt8(rest) + 63)
  }

  private static func number(
    _ bytes: [UInt8], _ position: inout Int
  ) throws(TraceError) -> Int {
    var value = 0
    // 360° at six places need 30 bits with the sign, so more than seven groups are invalid.
    for shift in stride(from: 0, to: 35, by: 5) {
      guard position < bytes.count else {
        throw TraceError(
          place: "character \(position + 1)", expected: "the rest of a number",
          found: "the text's end", remedy: "copy the whole text")
      }
      let byte = bytes[position]
      guard (63...126).contains(byte) else {
        throw TraceError(
          place: "character \(position + 1)", expected: "a character from ? to ~",
          found: "byte \(byte)")
      }
      position += 1
      let group = Int(byte) - 63
      value |= (group & 0x1F) << shift
      if group < 0x20 { return value & 1 == 1 ? ~(value >> 1) : value >> 1 }
    }
    throw TraceError(
      place: "character \(position)", expected: "a number of at most seven characters",
      found: "a longer one")
  }
}
