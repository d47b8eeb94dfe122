import TraceModel

/// A pull scanner for the part of well-formed XML 1.0 in UTF-8 that recordings need.
///
/// It checks that tags match and attributes are well formed. It reads the five predefined entities,
/// character references, CDATA, comments and processing instructions, and throws at the first fault.
/// A document type is skipped; one with declarations is refused, so nothing is ever expanded or
/// fetched. Namespaces are not resolved: names come without their prefixes.
struct XMLScanner: ~Copyable {
  enum Event {
    /// ``name`` and ``attributes`` are set; an empty element gives an end too.
    case start
    /// The innermost open element ended.
    case end
    /// Text was found: see ``appendText(to:)``; an element may have several.
    case text
    case finished
  }

  struct Attribute {
    /// The name without its prefix.
    var name: Range<Int>
    var qualifiedName: Range<Int>
    var value: Range<Int>
  }

  /// The nesting limit; a track point of a GPX has a depth of five.
  static let greatestDepth = 256

  private(set) var source: ByteSource
  /// The line on which the last event began, from 1.
  private(set) var line = 1
  /// The local name of the element that started, in the source's buffer.
  private(set) var name = 0..<0
  private(set) var attributes: [Attribute] = []
  /// The line of the first byte that is not read.
  private(set) var nextLine = 1
  private var text: XMLToken?
  private var openNames: [UInt8] = []
  private var openStarts: [Int] = []
  private var endsElement = false
  private var hasRoot = false

  init(_ source: consuming ByteSource) { self.source = source }

  var place: String { "\(source.name):\(line)" }

  /// Refuses XML of many levels for programs whose work grows with the square of these. What else is wrong
  /// with it, or that it is no XML, is theirs to say.
  static func requireShallow(_ source: consuming ByteSource) throws(TraceError) {
    var scanner = XMLScanner(source)
    do throws(TraceError) {
      while try scanner.next() != .finished {}
    } catch {
      if scanner.openStarts.count >= greatestDepth { throw error }
    }
  }

  /// Reads the next event. The values of the previous one become invalid.
  mutating func next() throws(TraceError) -> Event {
    if endsElement {
      endsElement = false
      close()
      return .end
    }
    while let token = try nextToken() {
      switch token.kind {
      case .text, .cdata:
        if try isText(token) { return .text }
      case .start:
        try open(token)
        return .start
      case .end:
        try checkEnd(token)
        close()
        return .end
      case .instruction: try checkEncoding(token)
      case .comment, .doctype: break
      case .declarations:
        throw fault(
          "a document without own declarations", found: "a document type with declarations",
          remedy: "remove it: GPX needs none")
      case .unclosed: throw cutShort("the end of the tag that begins here")
      }
    }
    guard openStarts.isEmpty else {
      line = nextLine
      throw cutShort("</\(innermostName)>")
    }
    guard hasRoot else { throw cutShort("an element") }
    return .finished
  }

  /// Whether the next event begins with the first of the ``unread`` bytes.
  var isBetweenTags: Bool { !endsElement }

  /// The bytes in the buffer after the last event.
  var unread: Range<Int> { source.position..<source.end }

  /// Continues after whole elements that were read by other means and have `lines` line ends.
  mutating func skip(to position: Int, lines: Int) {
    source.advance(to: position)
    nextLine += lines
  }

  /// Appends the text of the last event, with entities replaced.
  func appendText(to bytes: inout [UInt8]) throws(TraceError) {
    guard let text else { return }
    if text.kind == .cdata {
      let brackets = (opening: "<![CDATA[".utf8.count, closing: "]]>".utf8.count)
      let content = text.range.dropFirst(brackets.opening).dropLast(brackets.closing)
      bytes.append(contentsOf: source.buffer[content])
    } else {
      try append(text.range, to: &bytes)
    }
  }

  /// Returns the value of an attribute, with entities replaced; nil = the element has no such
  /// attribute.
  func attribute(_ name: [UInt8]) throws(TraceError) -> [UInt8]? {
    for attribute in attributes where holds(source.buffer.span, attribute.name, name) {
      var value: [UInt8] = []
      try append(attribute.value, to: &value)
      return value
    }
    return nil
  }

  private func cutShort(_ expected: String) -> TraceError {
    fault(
      expected, found: "the end of the file",
      remedy: "copy the file again: it is truncated; xmllint --recover closes open elements")
  }

  private func malformed(_ expected: String, found: String) -> TraceError {
    fault(expected, found: found, remedy: XMLTag.invalid)
  }

  func fault(_ expected: String, found: String, remedy: String = "") -> TraceError {
    TraceError(place: place, expected: expected, found: found, remedy: remedy)
  }

  private mutating func nextToken() throws(TraceError) -> XMLToken? {
    while true {
      let token = XMLToken(source.buffer.span, source.position..<source.end, isLast: source.isAtEnd)
      if let token {
        line = nextLine
        for position in token.range where source.buffer[position] == .lineFeed { nextLine += 1 }
        source.advance(to: token.range.upperBound)
        return token
      }
      if source.isAtEnd { return nil }
      _ = try source.fill(token: "a tag or a text", line: nextLine)
    }
  }

  /// Whether a token is text of an element; text outside the root must be blank.
  private mutating func isText(_ token: XMLToken) throws(TraceError) -> Bool {
    text = token
    if !openStarts.isEmpty { return true }
    guard token.kind == .text, trimmed(source.buffer.span, token.range).isEmpty else {
      throw fault(
        "a tag", found: Excerpt.of(source.buffer.span, token.range),
        remedy: "remove the content outside the root element")
    }
    return false
  }

  private mutating func open(_ token: XMLToken) throws(TraceError) {
    guard !openStarts.isEmpty || !hasRoot else {
      throw malformed("one root element", found: "a second one")
    }
    guard openStarts.count < XMLScanner.greatestDepth else {
      throw fault("at most \(XMLScanner.greatestDepth) nested elements", found: "more")
    }
    hasRoot = true
    // Moved out and back, so that the array can be written while the buffer is borrowed.
    var attributes: [Attribute] = []
    swap(&attributes, &self.attributes)
    defer { swap(&attributes, &self.attributes) }
    do {
      let tag = try XMLTag(source.buffer.span, token.range, into: &attributes)
      name = tag.name
      endsElement = tag.isEmpty
      openStarts.append(openNames.count)
      openNames.append(contentsOf: source.buffer[tag.qualifiedName])
    } catch {
      throw fault(error.expected, found: error.found, remedy: error.remedy)
    }
  }

  private func checkEnd(_ token: XMLToken) throws(TraceError) {
    let found = trimmed(source.buffer.span, token.range.dropFirst(2).dropLast())
    guard let start = openStarts.last else {
      throw malformed("no further tag", found: Excerpt.of(source.buffer.span, token.range))
    }
    guard openNames[start...].elementsEqual(source.buffer[found]) else {
      throw malformed("</\(innermostName)>", found: Excerpt.of(source.buffer.span, token.range))
    }
  }

  private mutating func close() {
    guard let start = openStarts.popLast() else { return }
    openNames.removeSubrange(start...)
  }

  private var innermostName: String {
    String(decoding: openNames[(openStarts.last ?? 0)...], as: UTF8.self)
  }

  /// Refuses a declared encoding other than UTF-8.
  private func checkEncoding(_ token: XMLToken) throws(TraceError) {
    let declaration = TraceFormats.text(source.buffer.span, token.range)
    guard declaration.hasPrefix("<?xml "), let encoding = XMLTag.encoding(in: declaration),
      !["utf-8", "utf8", "us-ascii", "ascii"].contains(encoding.lowercased())
    else { return }
    throw fault(
      "UTF-8", found: Excerpt.of(encoding), remedy: "convert it with iconv -f \(encoding) -t UTF-8")
  }

  private func append(_ range: Range<Int>, to result: inout [UInt8]) throws(TraceError) {
    let bytes = source.buffer.span
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = bytes[position]
      if byte != 0x26 {
        result.append(byte)
        position += 1
      } else if let (scalar, next) = XMLTag.reference(bytes, position..<range.upperBound) {
        result.append(contentsOf: String(scalar).utf8)
        position = next
      } else {
        throw malformed(
          "&amp;, &lt;, &gt;, &quot;, &apos; or a character number",
          found: Excerpt.of(bytes, position..<min(position + 12, range.upperBound)))
      }
    }
  }
}

struct XMLToken {
  enum Kind {
    case text, cdata, start, end, comment, instruction, doctype
    /// A document type with an internal subset.
    case declarations
    /// The file ended before the token did.
    case unclosed
  }

  var kind: Kind
  /// The token with its brackets.
  var range: Range<Int>

  /// The token at the front of `range`; nil = there is none, or not all of it yet.
  init?(_ bytes: Span<UInt8>, _ range: Range<Int>, isLast: Bool) {
    guard let first = range.first else { return nil }
    let (kind, end) = XMLToken.extent(bytes, range, isText: bytes[first] != 0x3C)
    if let end, end < range.upperBound || isLast || kind != .text {
      (self.kind, self.range) = (kind, first..<end)
    } else if isLast {
      (self.kind, self.range) = (.unclosed, range)
    } else {
      return nil
    }
  }

  private static let openings: [(opening: [UInt8], kind: Kind, closing: [UInt8])] = [
    (Array("</".utf8), .end, Array(">".utf8)), (Array("<!--".utf8), .comment, Array("-->".utf8)),
    (Array("<?".utf8), .instruction, Array("?>".utf8)),
    (Array("<![CDATA[".utf8), .cdata, Array("]]>".utf8)),
  ]

  /// Returns the kind of the token at the front of `range` and its end; nil = the end is not in
  /// `range`.
  private static func extent(
    _ bytes: Span<UInt8>, _ range: Range<Int>, isText: Bool
  ) -> (Kind, Int?) {
    if isText {
      var position = range.lowerBound
      while position < range.upperBound, bytes[position] != 0x3C { position += 1 }
      return (.text, position)
    }
    for (opening, kind, closing) in openings where holds(bytes, range, opening, atStart: true) {
      let content = range.dropFirst(opening.count)
      return (kind, end(bytes, content, of: closing))
    }
    if holds(bytes, range, [0x3C, 0x21], atStart: true) { return documentType(bytes, range) }
    return (.start, endOfTag(bytes, range))
  }

  private static func end(_ bytes: Span<UInt8>, _ range: Range<Int>, of closing: [UInt8]) -> Int? {
    var position = range.lowerBound
    while position + closing.count <= range.upperBound {
      let end = position + closing.count
      if holds(bytes, position..<end, closing) { return end }
      position += 1
    }
    return nil
  }

  /// Returns the position after the `>` outside quotes.
  private static func endOfTag(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    var quote: UInt8 = 0
    for position in range {
      let byte = bytes[position]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == 0x3E {
        return position + 1
      } else if byte == 0x22 || byte == 0x27 {
        quote = byte
      }
    }
    return nil
  }

  /// This also covers a comment or CDATA of which the chunk has only the beginning.
  private static func documentType(_ bytes: Span<UInt8>, _ range: Range<Int>) -> (Kind, Int?) {
    guard let end = endOfTag(bytes, range) else { return (.doctype, nil) }
    for position in range.lowerBound..<end where bytes[position] == 0x5B {
      return (.declarations, end)
    }
    return (.doctype, end)
  }
}
