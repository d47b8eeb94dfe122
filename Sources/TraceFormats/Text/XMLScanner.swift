import TraceModel

/// A pull scanner for well-formed XML 1.0 in UTF-8, as far as recordings need it.
///
/// It checks that tags are matched and attributes are well formed, knows the five predefined
/// entities and character references, CDATA, comments and processing instructions, and throws at
/// the first thing that is not well formed. A document type is passed over; one with declarations
/// is refused, so nothing is ever expanded or fetched. Namespaces are not resolved: names come
/// without their prefixes.
struct XMLScanner: ~Copyable {
  enum Event {
    /// ``name`` and ``attributes`` are set; an empty element gives an end too.
    case start
    /// The innermost open element ended.
    case end
    /// ``appendText(to:)`` gives what was found; an element may have several.
    case text
    case finished
  }

  struct Attribute {
    /// Without the prefix.
    var name: Range<Int>
    var qualifiedName: Range<Int>
    var value: Range<Int>
  }

  /// A track point of a GPX lies five deep.
  static let greatestDepth = 256

  private(set) var source: ByteSource
  /// The line on which the last event began, from 1.
  private(set) var line = 1
  /// The local name of the element that started, in the source's buffer.
  private(set) var name = 0..<0
  private(set) var attributes: [Attribute] = []
  /// The line of the first byte that is not read.
  private(set) var nextLine = 1
  private var text = XMLToken(kind: .text, range: 0..<0)
  private var openNames: [UInt8] = []
  private var openStarts: [Int] = []
  private var endsElement = false
  private var hasRoot = false

  init(_ source: consuming ByteSource) {
    self.source = source
  }

  var place: String { "\(source.name):\(line)" }

  /// Reads on to the next event. What the one before gave is void.
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
          "a document without declarations of its own", found: "a document type with them",
          remedy: "remove it: GPX needs none")
      case .unclosed: throw cutShort("the end of what begins here")
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

  /// What the buffer holds behind the last event.
  var unread: Range<Int> { source.position..<source.end }

  /// Goes on behind whole elements that were read by other means, with so many line ends in them.
  mutating func skip(to position: Int, lines: Int) {
    source.advance(to: position)
    nextLine += lines
  }

  /// Adds the text of the last event, entities replaced.
  func appendText(to bytes: inout [UInt8]) throws(TraceError) {
    if text.kind == .cdata {
      let brackets = (opening: "<![CDATA[".utf8.count, closing: "]]>".utf8.count)
      let content = text.range.dropFirst(brackets.opening).dropLast(brackets.closing)
      bytes.append(contentsOf: source.buffer[content])
    } else {
      try append(text.range, to: &bytes)
    }
  }

  /// The value of an attribute, entities replaced; nil = the element has none of that name.
  func attribute(_ name: [UInt8]) throws(TraceError) -> [UInt8]? {
    for attribute in attributes where isEqual(attribute.name, name) {
      var value: [UInt8] = []
      try append(attribute.value, to: &value)
      return value
    }
    return nil
  }

  private func cutShort(_ expected: String) -> TraceError {
    fault(
      expected, found: "the end of the file",
      remedy: "copy the file again: it is cut short; xmllint --recover closes what is open")
  }

  private func malformed(_ expected: String, found: String) -> TraceError {
    fault(expected, found: found, remedy: "check the program that wrote it: this is no valid XML")
  }

  func fault(_ expected: String, found: String, remedy: String = "") -> TraceError {
    TraceError(place: place, expected: expected, found: found, remedy: remedy)
  }

  private func isEqual(_ range: Range<Int>, _ name: [UInt8]) -> Bool {
    guard range.count == name.count else { return false }
    for offset in name.indices where source.buffer[range.lowerBound + offset] != name[offset] {
      return false
    }
    return true
  }

  private mutating func nextToken() throws(TraceError) -> XMLToken? {
    while true {
      let token = XMLToken(
        source.buffer.span, source.position..<source.end, isLast: source.isAtEnd)
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

  /// Whether a token is text of an element; what stands outside the root must be blank.
  private mutating func isText(_ token: XMLToken) throws(TraceError) -> Bool {
    text = token
    if !openStarts.isEmpty { return true }
    guard token.kind == .text, trimmed(source.buffer.span, token.range).isEmpty else {
      throw fault(
        "a tag", found: Excerpt.of(source.buffer.span, token.range),
        remedy: "remove what is outside of the outermost element")
    }
    return false
  }

  private mutating func open(_ token: XMLToken) throws(TraceError) {
    guard !openStarts.isEmpty || !hasRoot else {
      throw malformed("one outermost element", found: "a second one")
    }
    guard openStarts.count < XMLScanner.greatestDepth else {
      throw fault("at most \(XMLScanner.greatestDepth) elements inside each other", found: "more")
    }
    hasRoot = true
    // Moved out and back, so that the array is written while the buffer is borrowed.
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
      throw malformed(error.expected, found: error.found)
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

  /// Refuses what is not UTF-8 by its own word.
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
        result.append(contentsOf: Array(String(scalar).utf8))
        position = next
      } else {
        throw malformed(
          "&amp;, &lt;, &gt;, &quot;, &apos; or a character's number",
          found: Excerpt.of(bytes, position..<min(position + 12, range.upperBound)))
      }
    }
  }
}

/// A stretch of XML between which and the next nothing else can stand.
struct XMLToken {
  enum Kind {
    case text, cdata, start, end, comment, instruction, doctype
    /// A document type with an internal subset.
    case declarations
    /// The file ended before the token did.
    case unclosed
  }

  var kind: Kind
  /// All of it, with its brackets.
  var range: Range<Int>

  init(kind: Kind, range: Range<Int>) {
    self.kind = kind
    self.range = range
  }

  /// The token at the front of `range`; nil = there is none, or not all of it yet.
  init?(_ bytes: Span<UInt8>, _ range: Range<Int>, isLast: Bool) {
    guard let first = range.first else { return nil }
    let (kind, end) = XMLToken.extent(bytes, range, isText: bytes[first] != 0x3C)
    if let end, end < range.upperBound || isLast || kind != .text {
      self.init(kind: kind, range: first..<end)
    } else if isLast {
      self.init(kind: .unclosed, range: range)
    } else {
      return nil
    }
  }

  private static let openings: [(opening: [UInt8], kind: Kind, closing: [UInt8])] = [
    (Array("</".utf8), .end, Array(">".utf8)), (Array("<!--".utf8), .comment, Array("-->".utf8)),
    (Array("<?".utf8), .instruction, Array("?>".utf8)),
    (Array("<![CDATA[".utf8), .cdata, Array("]]>".utf8)),
  ]

  /// What begins at the front of `range`, and where it ends; nil = not in `range`.
  private static func extent(
    _ bytes: Span<UInt8>, _ range: Range<Int>, isText: Bool
  ) -> (Kind, Int?) {
    if isText {
      var position = range.lowerBound
      while position < range.upperBound, bytes[position] != 0x3C { position += 1 }
      return (.text, position)
    }
    for (opening, kind, closing) in openings where starts(bytes, range, with: opening) {
      let content = range.dropFirst(opening.count)
      return (kind, end(bytes, content, of: closing))
    }
    if starts(bytes, range, with: [0x3C, 0x21]) { return documentType(bytes, range) }
    return (.start, endOfTag(bytes, range))
  }

  private static func starts(
    _ bytes: Span<UInt8>, _ range: Range<Int>, with prefix: [UInt8]
  ) -> Bool {
    guard range.count >= prefix.count else { return false }
    for offset in prefix.indices where bytes[range.lowerBound + offset] != prefix[offset] {
      return false
    }
    return true
  }

  private static func end(
    _ bytes: Span<UInt8>, _ range: Range<Int>, of closing: [UInt8]
  ) -> Int? {
    var position = range.lowerBound
    while position + closing.count <= range.upperBound {
      if starts(bytes, position..<range.upperBound, with: closing) {
        return position + closing.count
      }
      position += 1
    }
    return nil
  }

  /// Behind the `>` that is not in quotes.
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

  /// Also for what only begins like a comment or CDATA because the chunk ends there.
  private static func documentType(_ bytes: Span<UInt8>, _ range: Range<Int>) -> (Kind, Int?) {
    guard let end = endOfTag(bytes, range) else { return (.doctype, nil) }
    for position in range.lowerBound..<end where bytes[position] == 0x5B {
      return (.declarations, end)
    }
    return (.doctype, end)
  }
}

/// A start tag or an empty element, taken apart.
struct XMLTag {
  /// What is not well formed about a tag.
  struct Fault: Error {
    var expected: String
    var found: String
  }

  /// Without the prefix.
  private(set) var name: Range<Int>
  private(set) var qualifiedName: Range<Int>
  private(set) var isEmpty = false

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
      for other in attributes
      where XMLTag.isSame(bytes, other.qualifiedName, attribute.qualifiedName) {
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

  /// The name at the front of `range`. Letters beyond ASCII are not told from signs.
  private static func name(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) throws(Fault) -> Range<Int> {
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

  private static func isSame(
    _ bytes: Span<UInt8>, _ left: Range<Int>, _ right: Range<Int>
  ) -> Bool {
    guard left.count == right.count else { return false }
    for (a, b) in zip(left, right) where bytes[a] != bytes[b] { return false }
    return true
  }

  /// The character that the reference at the front of `range` stands for, and where it ends.
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
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    let isHex = name.hasPrefix("#x")
    guard name.hasPrefix("#"), let first = name.utf8.dropFirst(isHex ? 2 : 1).first,
      first != 0x2B, first != 0x2D,
      let value = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10),
      value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value)
    else { return nil }
    return Unicode.Scalar(value)
  }

  /// The value of `encoding="…"` in an XML declaration.
  static func encoding(in declaration: String) -> String? {
    let bytes = Array(declaration.utf8)
    let word = Array("encoding".utf8)
    guard
      let start = bytes.indices.first(where: { bytes[$0...].starts(with: word) })
    else { return nil }
    let value = bytes[(start + word.count)...].drop { $0 != 0x22 && $0 != 0x27 }
    guard let quote = value.first else { return nil }
    return String(decoding: value.dropFirst().prefix { $0 != quote }, as: UTF8.self)
  }
}
