import TraceModel

/// A track point in the form that nearly all programs write. It is read in one pass over its bytes,
/// many times faster than with ``XMLScanner``.
///
/// A point is plain if its tags have no attributes other than `lat` and `lon`, its text has no
/// references, and there is nothing to report: every value is well formed and in range, and every
/// element is used or already listed as left out. Any other point is left to the general method, which
/// reports errors and gives the same values for a plain point.
struct PlainPoint {
  private(set) var fix = Fix(latitude: .nan, longitude: .nan)
  private(set) var time: Int64?
  private(set) var lacksZone = false
  private(set) var dilution = Double.nan
  /// Line ends before the point.
  private(set) var linesBefore = 0
  /// Line ends before the point and in it.
  private(set) var lines = 0
  /// The position after the last byte that was read.
  private(set) var position: Int
  private let limit: Int
  private let context: Context

  /// The options that decide whether an element is used.
  struct Context {
    var takesDilution: Bool
    /// The names of elements that were listed as left out.
    var unmapped: Set<UInt128>
  }

  /// The depth inside a point: extensions, a vendor's group, its groups.
  private static let greatestDepth = 8

  /// Reads the point at the front of `range`, after blanks; nil = it is not a plain point, or not
  /// completely in `range`.
  init?(_ bytes: Span<UInt8>, _ range: Range<Int>, _ context: Context) {
    position = range.lowerBound
    limit = range.upperBound
    self.context = context
    skipBlanks(bytes)
    linesBefore = lines
    guard position < limit, bytes[position] == 0x3C else { return nil }
    position += 1
    let start = position
    guard GPXElement(readName(bytes), inside: .segment) == .trackPoint else { return nil }
    let name = start..<position
    guard let isEmpty = readPlace(bytes) else { return nil }
    guard isEmpty || readContent(bytes, of: .trackPoint, 0, name, depth: 0) else { return nil }
  }

  /// Reads the element's content and its end tag.
  private mutating func readContent(
    _ bytes: Span<UInt8>, of element: GPXElement, _ key: UInt128, _ name: Range<Int>, depth: Int
  ) -> Bool {
    var isLeaf = true
    while true {
      let start = position
      while position < limit, bytes[position] != 0x3C {
        if bytes[position] == .lineFeed { lines += 1 }
        if bytes[position] == 0x26 { return false }
        position += 1
      }
      let text = start..<position
      position += 1
      guard position < limit else { return false }
      if bytes[position] == 0x2F {
        return skipEndTag(bytes, name) && (!isLeaf || setValue(of: element, key, bytes, text))
      }
      isLeaf = false
      guard depth < PlainPoint.greatestDepth, readElement(bytes, inside: element, depth: depth + 1)
      else { return false }
    }
  }

  /// Reads an element from its name on.
  private mutating func readElement(
    _ bytes: Span<UInt8>, inside parent: GPXElement, depth: Int
  ) -> Bool {
    let start = position
    let key = readName(bytes)
    let name = start..<position
    guard !name.isEmpty, let element = GPXElement(key, inside: parent), position + 1 < limit
    else { return false }
    if bytes[position] == 0x3E {
      position += 1
      return readContent(bytes, of: element, key, name, depth: depth)
    }
    guard bytes[position] == 0x2F, bytes[position + 1] == 0x3E else { return false }
    position += 2
    return setValue(of: element, key, bytes, position..<position)
  }

  /// Moves past the name at the position, if there is one; returns its key, without the prefix.
  private mutating func readName(_ bytes: Span<UInt8>) -> UInt128 {
    var key: UInt128 = 0
    let start = position
    var hasPrefix = false
    while position < limit {
      let byte = bytes[position]
      guard XMLTag.isNameByte(byte, isFirst: position == start) else { break }
      if byte == 0x3A, !hasPrefix {
        hasPrefix = true
        key = 0
      } else {
        key = GPXElement.key(key, adding: byte)
      }
      position += 1
    }
    return key
  }

  /// Moves from the slash of an end tag to its end, if it has that name and no blank.
  private mutating func skipEndTag(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
    let end = position + 1 + name.count
    guard end < limit, bytes[end] == 0x3E else { return false }
    for offset in 0..<name.count
    where bytes[position + 1 + offset] != bytes[name.lowerBound + offset] { return false }
    position = end + 1
    return true
  }

  private mutating func skipBlanks(_ bytes: Span<UInt8>) {
    while position < limit, bytes[position].isBlank {
      if bytes[position] == .lineFeed { lines += 1 }
      position += 1
    }
  }

  /// Reads `lat` and `lon`, in either order, and the end of the tag; returns whether that ended the
  /// element too.
  private mutating func readPlace(_ bytes: Span<UInt8>) -> Bool? {
    while true {
      let gap = position
      skipBlanks(bytes)
      guard position + 5 < limit else { return nil }
      let first = bytes[position]
      if first == 0x3E || first == 0x2F {
        guard first == 0x3E || bytes[position + 1] == 0x3E, !fix.latitude.isNaN,
          !fix.longitude.isNaN
        else { return nil }
        position += first == 0x3E ? 1 : 2
        return first == 0x2F
      }
      // The letters of `lat="` and `lon="`.
      let letters = (bytes[position + 1], bytes[position + 2])
      let quote = bytes[position + 4]
      guard position > gap, first == 0x6C, bytes[position + 3] == 0x3D,
        quote == 0x22 || quote == 0x27
      else { return nil }
      position += 5
      if letters == (0x61, 0x74), fix.latitude.isNaN {
        guard let value = readDegrees(bytes, quote, limit: 90) else { return nil }
        fix.latitude = value
      } else if letters == (0x6F, 0x6E), fix.longitude.isNaN {
        guard let value = readDegrees(bytes, quote, limit: 180) else { return nil }
        fix.longitude = value
      } else {
        return nil
      }
    }
  }

  /// Reads a number and the quote behind it.
  private mutating func readDegrees(
    _ bytes: Span<UInt8>, _ quote: UInt8, limit greatest: Double
  ) -> Double? {
    let start = position
    while position < limit, bytes[position] != quote {
      // Neither belongs to a number; the first would make the tag malformed.
      if bytes[position] == 0x3C || bytes[position] == .lineFeed { return nil }
      position += 1
    }
    guard position < limit, case .number(let value) = NumberText(bytes, start..<position),
      abs(value) <= greatest
    else { return nil }
    position += 1
    return value
  }

  /// Reads the text of an element without child elements; returns false if there is something to
  /// report.
  private mutating func setValue(
    of element: GPXElement, _ key: UInt128, _ bytes: Span<UInt8>, _ text: Range<Int>
  ) -> Bool {
    switch element {
    case .elevation: return setNumber(&fix.altitude, bytes, text)
    case .speed: return setNumber(&fix.speed, bytes, text)
    case .course: return setNumber(&fix.course, bytes, text)
    case .accuracy: return setNumber(&fix.horizontalAccuracy, bytes, text)
    case .speedAccuracy: return setNumber(&fix.speedAccuracy, bytes, text)
    case .dilution where context.takesDilution: return setNumber(&dilution, bytes, text)
    case .time: return setTime(bytes, trimmed(bytes, text))
    case .other, .extensions, .dilution, .type:
      return context.unmapped.contains(key) || trimmed(bytes, text).isEmpty
    case .gpx, .track, .segment, .trackPoint, .waypoint, .route: return true
    }
  }

  private func setNumber(_ value: inout Double, _ bytes: Span<UInt8>, _ text: Range<Int>) -> Bool {
    switch NumberText(bytes, text) {
    case .number(let number) where number.isFinite: value = number
    case .missing: value = .nan
    case .number, .malformed: return false
    }
    return true
  }

  private mutating func setTime(_ bytes: Span<UInt8>, _ text: Range<Int>) -> Bool {
    if text.isEmpty { return true }
    guard let civil = CivilTime(bytes, text), !civil.isLeapSecond else { return false }
    time = civil.nanoseconds
    if !civil.hasZone { lacksZone = true }
    return true
  }
}
