/// A parsed start tag or empty element.
struct XMLTag {
  struct Fault: Error {
    var expected: String
    var found: String
    var remedy = XMLTag.invalid
  }

  static let invalid = "check the program that wrote it: the XML is invalid"

  /// The name without its prefix.
  private(set) var name: Range<Int>
  private(set) var qualifiedName: Range<Int>
  private(set) var isEmpty = false

  /// The limit of attributes in a tag: each is compared with all others.
  private static let mostAttributes = 256

  /// - Parameter range: the tag with its brackets.
  init(
    _ bytes: Span<UInt8>, _ range: Range<Int>, into attributes: inout [XMLScanner.Attribute]
  ) throws(Fault) {
    attributes.removeAll(keepingCapacity: true)
    let end = range.upperBound - 1
    qualifiedName = try XMLTag.name(bytes, range.lowerBound + 1..<end)
    name = XMLTag.localName(bytes, qualifiedName)
    var position = qualifiedName.upperBound
    while true {
      let gap = position
      while position < end, bytes[position].isBlank { position += 1 }
      if position == end { return }
      if bytes[position] == 0x2F, position + 1 == end {
        isEmpty = true
        return
      }
      let attribute = try XMLTag.attribute(bytes, position..<end)
      guard position > gap else {
        throw Fault(expected: "a blank before an attribute", found: Excerpt.of(bytes, range))
      }
      guard attributes.count < XMLTag.mostAttributes else {
        throw Fault(
          expected: "at most \(XMLTag.mostAttributes) attributes", found: Excerpt.of(bytes, range),
          remedy: "remove those that are not needed")
      }
      for other in attributes
      where other.qualifiedName.count == attribute.qualifiedName.count
        && zip(other.qualifiedName, attribute.qualifiedName).allSatisfy({ bytes[$0] == bytes[$1] })
      {
        throw Fault(
          expected: "each attribute once", found: Excerpt.of(bytes, other.qualifiedName) + " twice")
      }
      attributes.append(attribute)
      position = attribute.value.upperBound + 1
    }
  }

  private static func attribute(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) throws(Fault) -> XMLScanner.Attribute {
    let qualifiedName = try name(bytes, range)
    let end = range.upperBound
    var position = qualifiedName.upperBound
    while position < end, bytes[position].isBlank { position += 1 }
    let hasEquals = position < end && bytes[position] == 0x3D
    if hasEquals { position += 1 }
    while position < end, bytes[position].isBlank { position += 1 }
    guard hasEquals, position < end, bytes[position] == 0x22 || bytes[position] == 0x27 else {
      throw Fault(expected: "an attribute with a value in quotes", found: Excerpt.of(bytes, range))
    }
    let start = position + 1
    let quote = bytes[position]
    position = start
    while position < end, bytes[position] != quote {
      if bytes[position] == 0x3C {
        throw Fault(expected: "a value without <", found: Excerpt.of(bytes, range))
      }
      position += 1
    }
    guard position < end else {
      throw Fault(expected: "a closing quote", found: Excerpt.of(bytes, range))
    }
    return XMLScanner.Attribute(
      name: localName(bytes, qualifiedName), qualifiedName: qualifiedName, value: start..<position)
  }

  /// Returns the name at the front of `range`. Letters and signs beyond ASCII are not
  /// distinguished.
  private static func name(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Fault) -> Range<Int> {
    var end = range.lowerBound
    while end < range.upperBound, isNameByte(bytes[end], isFirst: end == range.lowerBound) {
      end += 1
    }
    guard end > range.lowerBound else {
      throw Fault(expected: "a name", found: Excerpt.of(bytes, range))
    }
    return range.lowerBound..<end
  }

  static func isNameByte(_ byte: UInt8, isFirst: Bool) -> Bool {
    let isLetter = (byte | 0x20) &- 0x61 < 26
    if isLetter || byte == 0x5F || byte == 0x3A || byte >= 0x80 { return true }
    return !isFirst && (byte.isDigit || byte == 0x2D || byte == 0x2E)
  }

  private static func localName(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    for position in range where bytes[position] == 0x3A { return position + 1..<range.upperBound }
    return range
  }

  /// Returns the character of the reference at the front of `range`, and its end.
  static func reference(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) -> (scalar: Unicode.Scalar, next: Int)? {
    // The longest is &#x10FFFF; but leading zeros are allowed.
    for position in range.prefix(16) where bytes[position] == .semicolon {
      let name = text(bytes, range.lowerBound + 1..<position)
      return scalar(named: name).map { ($0, position + 1) }
    }
    return nil
  }

  private static func scalar(named name: String) -> Unicode.Scalar? {
    let named: [String: Unicode.Scalar] = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]
    if let scalar = named[name] { return scalar }
    let isHex = name.hasPrefix("#x")
    guard name.hasPrefix("#"), let first = name.utf8.dropFirst(isHex ? 2 : 1).first,
      first != 0x2B, first != 0x2D,
      let value = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10),
      value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value)
    else { return nil }
    return Unicode.Scalar(value)
  }

  /// Returns the value of `encoding="…"` in an XML declaration.
  static func encoding(in declaration: String) -> String? {
    let bytes = Array(declaration.utf8)
    guard let start = bytes.firstRange(of: "encoding".utf8)?.upperBound else { return nil }
    let value = bytes[start...].drop { $0 != 0x22 && $0 != 0x27 }
    guard let quote = value.first else { return nil }
    return String(decoding: value.dropFirst().prefix { $0 != quote }, as: UTF8.self)
  }
}
