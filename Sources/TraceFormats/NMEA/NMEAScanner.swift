import TraceModel

/// Finds the sentences of NMEA 0183 in a log that may also have comments, other text before a
/// sentence and binary messages.
///
/// A sentence runs from `$` (or `!` at the start of a line) to its checksum, or without one to the
/// end of the line. Bytes are read once; only one sentence is kept.
struct NMEAScanner: ~Copyable {
  enum Event {
    case sentence
    /// A line that ends like a sentence and has no start.
    case fragment
    case finished
  }

  enum Ending {
    case checksum, line, file
    /// The start of the next one.
    case start
    /// A byte that is not printable ASCII.
    case binary
    case tooLong
  }

  /// The counts of other content of the log.
  struct Others {
    /// The bytes of runs that are not only printable ASCII.
    var binaryBytes = 0
    /// The lines with text and no sentence, without comments.
    var textLines = 0
    /// The lines with text and a sentence.
    var linesWithText = 0
  }

  /// Ten times the limit of the standard (82): some receivers exceed it, none by this much.
  static let longest = 820

  private var source: ByteSource
  /// The bytes after the `$`, including the checksum.
  private(set) var sentence: [UInt8] = []
  private(set) var ending = Ending.line
  /// The line of the sentence or fragment, from 1.
  private(set) var eventLine = 1
  private(set) var others = Others()

  private var line = 1
  private var lastWasReturn = false
  private var isComment = false
  /// The number of bytes of the line outside sentences, and whether all of them are printable.
  private var otherBytes = 0
  private var isPrintable = true
  private var hasSentence = false
  /// The last three bytes outside of sentences, as one number.
  private var tail: UInt32 = 0

  init(_ source: consuming ByteSource) { self.source = source }

  var name: String { source.name }

  mutating func next() throws(TraceError) -> Event {
    while true {
      if source.position == source.end, try !source.fill() {
        return endLine() ? .fragment : .finished
      }
      let byte = source.buffer[source.position]
      if byte == .lineFeed || byte == .carriageReturn {
        let isFragment = endLine()
        passNewline(byte)
        if isFragment { return .fragment }
        continue
      }
      lastWasReturn = false
      source.advance(to: source.position + 1)
      if isComment, !isControl(byte) { continue }
      isComment = false
      let isAtStart = otherBytes == 0 && !hasSentence
      if byte == 0x24 || byte == 0x21 && isAtStart {
        try readSentence()
        return .sentence
      }
      if byte == 0x23, isAtStart {
        isComment = true
      } else if !byte.isBlank || otherBytes > 0 {
        addOther(byte)
      }
    }
  }

  private mutating func readSentence() throws(TraceError) {
    sentence.removeAll(keepingCapacity: true)
    eventLine = line
    hasSentence = true
    ending = .file
    while true {
      if source.position == source.end, try !source.fill() { return }
      let byte = source.buffer[source.position]
      switch byte {
      case .lineFeed, .carriageReturn: ending = .line
      case 0x24: ending = .start
      case 0x20...0x7E where sentence.count < NMEAScanner.longest:
        source.advance(to: source.position + 1)
        sentence.append(byte)
        guard sentence.count >= 3, sentence[sentence.count - 3] == 0x2A else { continue }
        ending = .checksum
      case 0x20...0x7E: ending = .tooLong
      default: ending = .binary
      }
      return
    }
  }

  /// Counts bytes that looked like a sentence and are not.
  mutating func countSentenceAsBinary() { others.binaryBytes += sentence.count + 1 }

  private mutating func addOther(_ byte: UInt8) {
    otherBytes += 1
    tail = tail << 8 & 0xFF_FFFF | UInt32(byte)
    if !(0x20...0x7E).contains(byte), byte != .tab { isPrintable = false }
  }

  /// Returns whether the line is a fragment of a sentence.
  private mutating func endLine() -> Bool {
    defer {
      (otherBytes, isPrintable, hasSentence, isComment, tail) = (0, true, false, false, 0)
    }
    guard otherBytes > 0 else { return false }
    if !isPrintable {
      others.binaryBytes += otherBytes
      return false
    }
    if hasSentence {
      others.linesWithText += 1
      return false
    }
    let (star, high, low) = (UInt8(tail >> 16), UInt8(tail >> 8 & 0xFF), UInt8(tail & 0xFF))
    if star == 0x2A, hexadecimal(high) != nil, hexadecimal(low) != nil {
      eventLine = line
      return true
    }
    others.textLines += 1
    return false
  }

  private mutating func passNewline(_ byte: UInt8) {
    if byte == .carriageReturn || !lastWasReturn { line += 1 }
    lastWasReturn = byte == .carriageReturn
    source.advance(to: source.position + 1)
  }

  private func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != .tab || byte == 0x7F }
}

/// The value of a hexadecimal digit; nil = it is not one.
func hexadecimal(_ byte: UInt8) -> UInt8? {
  Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
}
