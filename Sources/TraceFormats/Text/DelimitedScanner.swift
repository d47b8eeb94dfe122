import Files
import TraceModel

/// The bytes of one cell in the scanner's buffer, without the quotes around them.
struct Cell {
  var range: Range<Int>
  /// Whether it has doubled quotes.
  var hasEscapes = false
}

/// Records of a CSV or TSV, one at a time (RFC 4180; lines may end with LF or CRLF, the last one
/// with the file). Empty lines are skipped.
struct DelimitedScanner: ~Copyable {
  /// The faults that make a whole record unreadable.
  enum Fault: Equatable {
    case textAfterQuote(at: Int)
    case openQuote
  }

  private(set) var source: ByteSource
  let separator: UInt8
  private let hasQuotes: Bool
  /// The cells of the record; valid until the next call of ``next()``.
  private(set) var cells: [Cell] = []
  /// The fault that makes the cells unusable.
  private(set) var fault: Fault?
  /// The line on which the record begins, from 1.
  private(set) var line = 0
  private var nextLine = 1
  private var records = 0

  /// - Parameter separator: nil = the comma, semicolon or tab, whichever the first line has most
  ///   often outside quotes; the comma if it has none.
  /// - Parameter hasQuotes: whether a quote at the start of a cell encloses it.
  init(
    _ source: consuming ByteSource, separator: UInt8?, hasQuotes: Bool = true
  ) throws(TraceError) {
    self.hasQuotes = hasQuotes
    if let separator {
      self.separator = separator
    } else {
      self.separator = try DelimitedScanner.separator(of: &source)
    }
    self.source = source
  }

  var place: String { "\(source.name):\(line)" }

  /// Reads the next record; false = there is none.
  mutating func next() throws(TraceError) -> Bool {
    // Moved out and back, so that the array can be written while the buffer is borrowed.
    var cells: [Cell] = []
    swap(&cells, &self.cells)
    defer { swap(&cells, &self.cells) }
    while true {
      let scan = DelimitedScanner.scan(
        source.buffer.span, source.position..<source.end, isLast: source.isAtEnd,
        separator: separator, hasQuotes: hasQuotes, into: &cells)
      if let scan {
        line = nextLine
        nextLine += scan.lines
        source.advance(to: scan.next)
        fault = scan.fault
        let isBlank = cells.count == 1 && cells[0].range.isEmpty && fault == nil
        if !isBlank {
          records += 1
          if records > source.mostRecords { throw tooMany() }
          return true
        }
      } else if source.isAtEnd {
        return false
      } else {
        _ = try source.fill(token: "a record", line: nextLine)
      }
    }
  }

  func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  var texts: [String] { cells.indices.map { text($0) } }

  /// Whether the cell has exactly these bytes, apart from blanks at its ends.
  func holds(_ index: Int, _ expected: [UInt8]) -> Bool {
    let cell = cells[index]
    if cell.hasEscapes { return bytes(index) == expected }
    let bytes = source.buffer.span
    return TraceFormats.holds(bytes, trimmed(bytes, cell.range), expected)
  }

  /// The bytes that ``text(_:)`` decodes.
  func bytes(_ index: Int) -> [UInt8] {
    let (bytes, cell) = (source.buffer.span, cells[index])
    var result: [UInt8] = []
    var isSecondQuote = false
    for position in trimmed(bytes, cell.range) {
      let byte = bytes[position]
      isSecondQuote = cell.hasEscapes && byte == .quote && !isSecondQuote
      if !isSecondQuote { result.append(byte) }
    }
    return result
  }

  /// The number in a cell; nil = it has another content.
  func decimal(_ index: Int) -> DecimalNumber? {
    let bytes = source.buffer.span
    return DecimalNumber(
      bytes, trimmed(bytes, cells[index].range), allowsComma: separator != .comma)
  }

  /// The nanoseconds in a cell with a time in seconds (`power` 9) or nanoseconds (0).
  func time(_ index: Int, power: Int) throws(TraceError) -> Int64 {
    if let time = decimal(index)?.scaled(byPowerOfTen: power) { return time }
    let bytes = source.buffer.span
    throw fault(
      "a time in \(power == 9 ? "seconds" : "nanoseconds")",
      found: Excerpt.of(bytes, trimmed(bytes, cells[index].range)))
  }

  private func tooMany() -> TraceError {
    fault(
      "at most \(ReaderBudget.freeRecords) records plus one for each packed byte",
      found: "more than any real recording packs into that size",
      remedy: "unpack the file yourself if you trust it")
  }

  /// - Throws: if more records than `limit` have been read.
  func require(atMost limit: Int, _ what: String) throws(TraceError) {
    guard records > limit else { return }
    throw fault(
      "at most \(limit) \(what) in a file", found: "more",
      remedy: "divide the file, or write equal labels that follow one another as one with an offset"
    )
  }

  func fault(_ expected: String, found: String, remedy: String = "") -> TraceError {
    TraceError(place: place, expected: expected, found: found, remedy: remedy)
  }

  private static func separator(of source: inout ByteSource) throws(TraceError) -> UInt8 {
    let candidates: [UInt8] = [.comma, .semicolon, .tab]
    while true {
      var counts = [0, 0, 0]
      var isQuoted = false
      var position = source.position
      while position < source.end, isQuoted || source.buffer[position] != .lineFeed {
        let byte = source.buffer[position]
        if byte == .quote { isQuoted.toggle() }
        if !isQuoted, let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
        position += 1
      }
      var isWhole = position < source.end
      if !isWhole { isWhole = try !source.fill(token: "a header line", line: 1) }
      if isWhole { return candidates[counts.firstIndex(of: counts.max() ?? 0) ?? 0] }
    }
  }

  private struct Scan {
    /// The position after the record's line end.
    var next: Int
    /// The number of line ends in the record.
    var lines: Int
    var fault: Fault?
  }

  /// Splits the record at the front of `range`; nil = `range` does not hold all of it.
  private static func scan(
    _ bytes: Span<UInt8>, _ range: Range<Int>, isLast: Bool, separator: UInt8, hasQuotes: Bool,
    into cells: inout [Cell]
  ) -> Scan? {
    cells.removeAll(keepingCapacity: true)
    guard !range.isEmpty else { return nil }
    let end = range.upperBound
    var position = range.lowerBound
    var lines = 1
    while true {
      if hasQuotes, position < end, bytes[position] == .quote {
        guard let cell = quotedCell(bytes, position..<end, isLast: isLast) else {
          return isLast ? Scan(next: end, lines: lines, fault: .openQuote) : nil
        }
        for inside in cell.range where bytes[inside] == .lineFeed { lines += 1 }
        cells.append(cell)
        position = cell.range.upperBound + 1
        if position < end, bytes[position] == .carriageReturn {
          if position + 1 == end, !isLast { return nil }
          if position + 1 == end || bytes[position + 1] == .lineFeed { position += 1 }
        }
        if position < end, bytes[position] != separator, bytes[position] != .lineFeed {
          let fault = Fault.textAfterQuote(at: position)
          return skipLine(bytes, position..<end, isLast: isLast, lines: lines, fault: fault)
        }
      } else {
        let start = position
        position = firstPosition(of: separator, or: .lineFeed, bytes, position..<end)
        if position == end, !isLast { return nil }
        let endsLine = position == end || bytes[position] == .lineFeed
        let hasReturn = endsLine && position > start && bytes[position - 1] == .carriageReturn
        cells.append(Cell(range: start..<(hasReturn ? position - 1 : position)))
      }
      if position == end { return Scan(next: end, lines: lines) }
      position += 1
      if bytes[position - 1] == .lineFeed { return Scan(next: position, lines: lines) }
    }
  }

  /// The cell whose opening quote is at the front of `range`; nil = its end is not in `range`, or
  /// is not distinguishable from a doubled quote.
  private static func quotedCell(_ bytes: Span<UInt8>, _ range: Range<Int>, isLast: Bool) -> Cell? {
    let end = range.upperBound
    let start = range.lowerBound + 1
    var position = start
    var hasEscapes = false
    while position < end {
      if bytes[position] != .quote {
        position += 1
      } else if position + 1 < end, bytes[position + 1] == .quote {
        hasEscapes = true
        position += 2
      } else if position + 1 == end, !isLast {
        return nil
      } else {
        return Cell(range: start..<position, hasEscapes: hasEscapes)
      }
    }
    return nil
  }

  private static func skipLine(
    _ bytes: Span<UInt8>, _ range: Range<Int>, isLast: Bool, lines: Int, fault: Fault
  ) -> Scan? {
    for position in range where bytes[position] == .lineFeed {
      return Scan(next: position + 1, lines: lines, fault: fault)
    }
    return isLast ? Scan(next: range.upperBound, lines: lines, fault: fault) : nil
  }
}
