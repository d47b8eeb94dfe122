public import TraceModel

/// Reads plain CSV files: any columns, mapped by name to channels.
public enum CSVReader {
  /// Reads the traces of a CSV with a header line: one, or one per value of
  /// ``CSVOptions/splitBy``.
  ///
  /// Times are kept to the nanosecond that the text names. Each trace counts from the earliest
  /// measured time of its channels; of an absolute clock (ISO, `--epoch unix`) that becomes its
  /// epoch. ``ImportedTrace/origin`` is what was subtracted. Duplicated and backward times are kept
  /// and counted.
  ///
  /// A damaged record (a wrong number of cells, a malformed number) is left out and counted. An
  /// empty file, a mapping that does not fit the header, and a record of more than 1 MiB throw; so
  /// does the first damaged record under ``CSVOptions/strict``, and a split that finds no value.
  ///
  /// - Complexity: O(n), with memory for the readings and one record.
  public static func read(
    _ path: String, options: CSVOptions
  ) throws(TraceError) -> [ImportedTrace] {
    try read(ByteSource(path: path), options: options)
  }

  /// - Parameter observe: is called with every record before the next one is read.
  static func read(
    _ source: consuming ByteSource, options: CSVOptions,
    observing observe: (borrowing DelimitedScanner, RecordTimes) -> Void = { _, _ in }
  ) throws(TraceError) -> [ImportedTrace] {
    let name = source.name
    let separator = try separator(options.separator)
    var options = options
    let inferred = try inferredMapping(of: &source, separator, options)
    if let inferred { options.adopt(inferred) }
    var scanner = try DelimitedScanner(source, separator: separator)
    guard try scanner.next() else {
      throw TraceError(
        place: "\(name):1", expected: "a header line", found: "an empty file",
        remedy: "check the recording")
    }
    if let damage = RecordReader.damage(of: scanner, columnCount: nil) { throw damage }
    let plan = try CSVPlan(header: scanner.texts, options: options, place: scanner.place)
    var parts = CSVParts(plan: plan, options: options)
    var reader = RecordReader(plan: plan, options: options)
    while try scanner.next() {
      do throws(TraceError) {
        let times = try reader.read(scanner)
        try parts.add(times, reader.values, scanner)
        observe(scanner, times)
      } catch {
        // A full disk is not a damaged record.
        if options.strict || error.kind == .inputOutput { throw error }
        parts.addLoss(error)
      }
    }
    var traces = try parts.finish(fileName: name)
    for index in traces.indices { traces[index].report.add(inferred) }
    if let inferred, !options.sort {
      try requireOrder(of: traces, inferred, isSplit: options.splitBy != nil, name)
    }
    return traces
  }

  /// An inferred mapping takes a table as one recording, whose times increase.
  private static func requireOrder(
    of traces: [ImportedTrace], _ inferred: InferredMapping, isSplit: Bool, _ name: String
  ) throws(TraceError) {
    let backward = traces.reduce(0) { $0 + $1.report.backwardTimes }
    guard backward > 0 else { return }
    let columns = (traces.first?.report.unmappedColumns ?? []).prefix(8).joined(separator: ", ")
    let splitting =
      isSplit || columns.isEmpty
      ? "" : "--split-by COLUMN if a column divides the table into recordings (\(columns)), "
    throw TraceError(
      place: name, expected: "times that increase",
      found: "\(backward) earlier than the one before",
      remedy: "pass \(splitting)--sort if records are out of order, or \(inferred.commandLine) "
        + "to keep them")
  }

  /// Returns the inferred mapping; nil = a mapping is stated, or the file is empty.
  private static func inferredMapping(
    of source: inout ByteSource, _ separator: UInt8?, _ options: CSVOptions
  ) throws(TraceError) -> InferredMapping? {
    guard options.mapping == nil else { return nil }
    let head = try source.peek(ByteSource.chunkSize)
    guard !head.isEmpty else { return nil }
    let sample = try TableSample(
      head: head, isWhole: head.count < ByteSource.chunkSize, separator: separator,
      name: source.name)
    return try CSVMappingGuess(sample, options: options).mapping(place: source.name)
  }

  private static func separator(_ stated: Character?) throws(TraceError) -> UInt8? {
    guard let stated else { return nil }
    guard let byte = stated.asciiValue, byte != .quote, byte != .lineFeed, !byte.isDigit else {
      throw TraceError(
        place: "separator", expected: "a comma, a semicolon or a tab",
        found: Excerpt.of(String(stated)), remedy: "omit it to detect the separator")
    }
    return byte
  }
}

/// The times of one record, in nanoseconds of the file's clock.
struct RecordTimes {
  var measured: Int64
  var arrived: Int64
  /// Whether a time was a date without a zone.
  var lacksZone = false
  /// The number of leap seconds among the times.
  var leapSeconds = 0
}

/// Turns the cells of a record into numbers.
struct RecordReader {
  private let plan: CSVPlan
  private let nanIsMissing: Bool
  /// The values of the last record, in the plan's slots; NaN = missing or not mapped.
  private(set) var values: [Double]
  /// A date and a time of day from two columns.
  private var joined: [UInt8] = []
  /// The number of cells of a whole record.
  var columnCount: Int { plan.columnCount }

  init(plan: CSVPlan, options: CSVOptions) {
    self.plan = plan
    nanIsMissing = options.nanIsMissing
    values = [Double](repeating: .nan, count: plan.slotCount)
  }

  /// - Throws: the damage of the record, with its place.
  mutating func read(_ scanner: borrowing DelimitedScanner) throws(TraceError) -> RecordTimes {
    if let damage = RecordReader.damage(of: scanner, columnCount: plan.columnCount) { throw damage }
    var times = RecordTimes(measured: 0, arrived: 0)
    times.measured =
      if let date = plan.date {
        try time(plan.time, on: date, scanner, &times)
      } else {
        try time(plan.time, scanner, &times)
      }
    times.arrived = times.measured
    if let arrived = plan.arrived { times.arrived = try time(arrived, scanner, &times) }
    for index in plan.numbers.indices {
      values[plan.numbers[index].slot] = try value(index, scanner)
    }
    return times
  }

  /// Returns the damage of the record as a whole; nil = none.
  static func damage(of scanner: borrowing DelimitedScanner, columnCount: Int?) -> TraceError? {
    switch scanner.fault {
    case .openQuote:
      return scanner.fault(
        "a closing quote", found: "the end of the file",
        remedy: "close the quote: the text after it is not read")
    case .textAfterQuote(let position):
      let bytes = scanner.source.buffer.span
      return scanner.fault(
        "a separator after the closing quote", found: Excerpt.of(bytes, position..<position + 1),
        remedy: "double a quote inside quotes")
    case nil: break
    }
    guard let columnCount, scanner.cells.count != columnCount else { return nil }
    return scanner.fault(
      "\(columnCount) cells", found: "\(scanner.cells.count)",
      remedy: "check the separators in the line")
  }

  private func time(
    _ column: CSVPlan.TimeColumn, _ scanner: borrowing DelimitedScanner, _ times: inout RecordTimes
  ) throws(TraceError) -> Int64 {
    let bytes = scanner.source.buffer.span
    let range = scanner.cells[column.index].range
    if case .decimal(let power) = column.unit {
      let allowsComma = scanner.separator != .comma
      let number = DecimalNumber(bytes, trimmed(bytes, range), allowsComma: allowsComma)
      // The least and the largest integer stand for a missing time.
      if let nanoseconds = number?.scaled(byPowerOfTen: power),
        nanoseconds != .min, nanoseconds != .max
      {
        return nanoseconds
      }
      throw damage(column.name, expected: "a time", range, scanner)
    }
    guard let civil = CivilTime(bytes, range) else {
      throw damage(column.name, expected: CivilTime.expectation(bytes, range), range, scanner)
    }
    return take(civil, &times)
  }

  private func take(_ civil: CivilTime, _ times: inout RecordTimes) -> Int64 {
    if !civil.hasZone { times.lacksZone = true }
    if civil.isLeapSecond { times.leapSeconds += 1 }
    return civil.nanoseconds
  }

  /// A time whose date is in another cell.
  private mutating func time(
    _ column: CSVPlan.TimeColumn, on date: Int, _ scanner: borrowing DelimitedScanner,
    _ times: inout RecordTimes
  ) throws(TraceError) -> Int64 {
    let bytes = scanner.source.buffer.span
    joined.removeAll(keepingCapacity: true)
    for position in trimmed(bytes, scanner.cells[date].range) { joined.append(bytes[position]) }
    joined.append(.space)
    for position in trimmed(bytes, scanner.cells[column.index].range) {
      joined.append(bytes[position])
    }
    guard let civil = CivilTime(joined.span, 0..<joined.count) else {
      throw scanner.fault(
        "a date such as 2022-05-01, and a time of the day in column \(Excerpt.of(column.name))",
        found: "\(Excerpt.of(scanner.text(date))) and \(Excerpt.of(scanner.text(column.index)))",
        remedy: dateRemedy(scanner.bytes(date), takesDate: true))
    }
    return take(civil, &times)
  }

  private func value(
    _ index: Int, _ scanner: borrowing DelimitedScanner
  ) throws(TraceError) -> Double {
    let range = scanner.cells[plan.numbers[index].index].range
    let text = NumberText(
      scanner.source.buffer.span, range, allowsComma: scanner.separator != .comma)
    if case .number(let number) = text {
      let value = number * plan.numbers[index].multiplier / plan.numbers[index].divisor
      if abs(value) <= plan.numbers[index].limit, !plan.numbers[index].isWhole { return value }
    }
    return try checkedValue(plan.numbers[index], text, range, scanner)
  }

  /// - Throws: if the column does not allow the value.
  private func checkedValue(
    _ column: CSVPlan.NumberColumn, _ text: NumberText, _ range: Range<Int>,
    _ scanner: borrowing DelimitedScanner
  ) throws(TraceError) -> Double {
    if column.isPhase { return try phase(column, range, scanner) }
    switch text {
    case .number(let number):
      let value = number * column.multiplier / column.divisor
      if column.isWhole, value != value.rounded() {
        throw damage(column.name, expected: "a whole number", range, scanner)
      }
      if abs(value) <= column.limit { return value }
      let isBounded = column.limit < .greatestFiniteMagnitude
      let limit = Float(column.limit)
      throw damage(
        column.name,
        expected: isBounded ? "a number from \(-limit) to \(limit)" : "a finite number",
        range, scanner)
    case .missing where nanIsMissing || !column.isRequired: return .nan
    case .missing, .malformed:
      throw damage(column.name, expected: "a number", range, scanner)
    }
  }

  /// Returns the code of a phase; NaN = the cell is empty, where the options allow that.
  private func phase(
    _ column: CSVPlan.NumberColumn, _ range: Range<Int>, _ scanner: borrowing DelimitedScanner
  ) throws(TraceError) -> Double {
    let bytes = scanner.source.buffer.span
    let word = text(bytes, trimmed(bytes, range))
    if let phase = Touch.Phase(anyName: word) { return Double(phase.rawValue) }
    if word.isEmpty, nanIsMissing { return .nan }
    throw damage(column.name, expected: "began, moved, ended or cancelled", range, scanner)
  }

  private func damage(
    _ column: String, expected: String, _ range: Range<Int>, _ scanner: borrowing DelimitedScanner
  ) -> TraceError {
    let bytes = scanner.source.buffer.span
    return scanner.fault(
      "\(expected) in column \(Excerpt.of(column))", found: Excerpt.of(bytes, range),
      remedy: remedy(column, bytes, range))
  }

  /// Returns the remedy for the most frequent mistake: a date and time mapped as seconds.
  private func remedy(_ column: String, _ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    if CivilTime(bytes, range) != nil { return "map a date and time as time=\(column)[iso]" }
    return dateRemedy(range.map { bytes[$0] })
  }
}

/// Returns the remedy for a text that is not an ISO date and time; empty = it is not a date at all.
///
/// - Parameter takesDate: whether an ISO date without a time of day is right.
private func dateRemedy(_ text: [UInt8], takesDate: Bool = false) -> String {
  let words = text.split { $0.isBlank || $0 == 0x54 }
  let parts = (words.first ?? []).split(omittingEmptySubsequences: false) {
    (0x2D...0x2F).contains($0)
  }
  guard parts.count == 3,
    parts.allSatisfy({ (1...4).contains($0.count) && $0.allSatisfy(\.isDigit) })
  else { return "" }
  guard text.contains(0x2D), parts.map(\.count) == [4, 2, 2] else {
    // `01.05.2022`, `5/1/22`.
    return "write dates as YYYY-MM-DD: the order of day and month is not guessed"
  }
  return takesDate || words.count > 1 ? "" : "map the time of day too: date=column,time=column"
}
