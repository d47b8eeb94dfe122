import Files
import TraceModel

/// Bytes of a text file, read a chunk at a time.
///
/// A scanner works on `buffer[position..<end]`. If a record or token is incomplete, it calls
/// ``fill()``, which moves the unread bytes to the front and reads more, so that memory is bounded
/// by the longest record and not by the file. A UTF-8 byte order mark is skipped.
struct ByteSource: ~Copyable {
  static let chunkSize = 1 << 18

  /// The file's path as the user gave it, for messages.
  let name: String
  private(set) var buffer: [UInt8]
  /// The first unread byte.
  private(set) var position = 0
  /// The position after the last byte that was read.
  private(set) var end = 0
  /// Whether the last byte of the file is in the buffer.
  private(set) var isAtEnd = false
  private let input: any ByteInput
  /// The records that a table may have in the bytes read so far; packed ones are limited.
  private(set) var mostRecords = Int.max

  /// - Parameter path: a text file, which may be packed with gzip.
  init(path: String) throws(TraceError) {
    try self.init(unpacking: PeekedInput(FileInput(path: path)), name: path)
  }

  /// - Parameters:
  ///   - input: text, or text packed with gzip; nothing of it has been read.
  ///   - name: the file, for messages.
  init(unpacking input: PeekedInput, name: String) throws(TraceError) {
    if try GzipInput.recognises(input.peek(2)) {
      try self.init(GzipInput(input, name: name), name: name)
    } else {
      try self.init(input, name: name)
    }
  }

  /// Text that comes through an open descriptor, which stays open.
  init(descriptor: Int32, name: String) throws(TraceError) {
    try self.init(FileInput(duplicating: descriptor, name: name), name: name)
  }

  /// - Parameter chunk: the number of bytes per read; the result never depends on it.
  init(bytes: [UInt8], name: String, chunk: Int = ByteSource.chunkSize) throws(TraceError) {
    try self.init(MemoryInput(bytes, chunk: chunk), name: name)
  }

  private init(_ input: any ByteInput, name: String) throws(TraceError) {
    (self.input, self.name) = (input, name)
    buffer = [UInt8](repeating: 0, count: ByteSource.chunkSize)
    try readMark()
  }

  /// Marks everything before `next` as read.
  mutating func advance(to next: Int) {
    precondition(position <= next && next <= end)
    position = next
  }

  /// Reads another chunk after the unread bytes, which move to the front, so that earlier positions
  /// become invalid. Returns false if there are no more bytes.
  mutating func fill() throws(TraceError) -> Bool {
    guard !isAtEnd else { return false }
    if position > 0 {
      for offset in 0..<(end - position) { buffer[offset] = buffer[position + offset] }
      end -= position
      position = 0
    }
    if end == buffer.count { buffer.append(contentsOf: [UInt8](repeating: 0, count: buffer.count)) }
    let count = try input.read(into: &buffer, at: end)
    end += count
    isAtEnd = count == 0
    if let packed = input.packedBytes { mostRecords = ReaderBudget.freeRecords + packed }
    return !isAtEnd
  }

  /// Returns the next `count` unread bytes, or all if there are fewer; they stay unread.
  mutating func peek(_ count: Int) throws(TraceError) -> [UInt8] {
    while end - position < count, try fill() {}
    return Array(buffer[position..<min(end, position + count)])
  }

  /// Fills for an incomplete token that begins at `position`.
  ///
  /// - Throws: where the token is longer than ``ReaderBudget/token``.
  mutating func fill(token: String, line: Int) throws(TraceError) -> Bool {
    guard end - position <= ReaderBudget.token else {
      throw TraceError(
        place: "\(name):\(line)", expected: "\(token) of at most 1 MiB", found: "a longer one",
        remedy: "check for a missing closing quote or bracket")
    }
    return try fill()
  }

  private mutating func readMark() throws(TraceError) {
    while end < 3, try fill() {}
    let head = buffer[0..<min(end, 3)]
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    let place = name
    func refused(_ expected: String, _ found: String, _ remedy: String) -> TraceError {
      TraceError(place: place, expected: expected, found: found, remedy: remedy)
    }
    if GzipInput.recognises(head) {
      throw refused("text in the gzip data", "gzip data again", "unpack it with gunzip")
    }
    if head.starts(with: [0x50, 0x4B, 0x03]) {
      throw refused("text", "a zip archive", "unpack it with unzip")
    }
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      throw refused("UTF-8 text", "UTF-16", "convert it with iconv -f UTF-16 -t UTF-8")
    }
  }
}

/// The parts of a file's path.
enum FilePath {
  /// `walk` of `hikes/walk.gpx`: the last component without its last extension.
  static func stem(_ path: String) -> String {
    let name = lastComponent(path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// Excerpts of input for messages: short, and without control characters.
enum Excerpt {
  private static let longest = 40

  static func of(_ text: some StringProtocol) -> String {
    let shown = text.unicodeScalars.prefix(longest).map { scalar in
      isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }
    let isLonger = !text.unicodeScalars.dropFirst(longest).isEmpty
    return "\"\(shown.joined())\(isLonger ? "…" : "")\""
  }

  static func of(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    of(text(bytes, range.prefix(longest * 4)))
  }

  /// The first eight of some texts.
  static func list(_ texts: [String]) -> String {
    texts.prefix(8).map { of($0) }.joined(separator: ", ") + (texts.count > 8 ? ", …" : "")
  }
}

/// Returns the bytes of `range` as a string; bytes that are not UTF-8 become U+FFFD.
func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
  String(decoding: range.map { bytes[$0] }, as: UTF8.self)
}

/// ASCII characters by name.
extension UInt8 {
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let tab: UInt8 = 0x09
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let comma: UInt8 = 0x2C
  static let semicolon: UInt8 = 0x3B

  var isDigit: Bool { self &- 0x30 < 10 }
  /// Space, tab, line feed or carriage return.
  var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}

/// Whether the bytes of `range` are `expected`, or begin with it.
func holds(
  _ bytes: Span<UInt8>, _ range: Range<Int>, _ expected: [UInt8], atStart: Bool = false
) -> Bool {
  guard range.count == expected.count || atStart && range.count > expected.count else {
    return false
  }
  for offset in expected.indices where bytes[range.lowerBound + offset] != expected[offset] {
    return false
  }
  return true
}

/// Returns `range` without the blanks at its ends.
func trimmed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
  var low = range.lowerBound
  var high = range.upperBound
  while low < high, bytes[low].isBlank { low += 1 }
  while low < high, bytes[high - 1].isBlank { high -= 1 }
  return low..<high
}

/// Returns the first position in `range` of one of two bytes, or its end.
///
/// Eight bytes are compared in one step: in `x - 0x01…01 & ~x & 0x80…80` the lowest bit that is set
/// marks the lowest byte of `x` that is zero (H. S. Warren, Hacker's Delight, 2nd ed., 6-1).
func firstPosition(
  of first: UInt8, or second: UInt8, _ bytes: Span<UInt8>, _ range: Range<Int>
) -> Int {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let (firsts, seconds) = (ones &* UInt64(first), ones &* UInt64(second))
  var position = range.lowerBound
  let raw = bytes.bytes
  while position + 8 <= range.upperBound {
    let word = UInt64(
      littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
    let (a, b) = (word ^ firsts, word ^ seconds)
    let found = ((a &- ones) & ~a | (b &- ones) & ~b) & (ones &* 0x80)
    if found != 0 { return position + found.trailingZeroBitCount / 8 }
    position += 8
  }
  while position < range.upperBound, bytes[position] != first, bytes[position] != second {
    position += 1
  }
  return position
}
