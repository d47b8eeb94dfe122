import TraceModel

/// A parsed sentence: its address and fields, with the checksum verified.
struct NMEASentence {
  /// The faults of a sentence as a whole.
  enum Damage: Equatable {
    case noAddress
    case wrongChecksum(stated: UInt8, found: UInt8)
    case cut
  }

  /// The sentences about a fix, by the ASCII letters of their names.
  enum Kind: UInt32 {
    case other = 0
    case rmc = 0x524D43, gga = 0x474741, gll = 0x474C4C, gns = 0x474E53
    case vtg = 0x565447, gsa = 0x475341, zda = 0x5A4441
  }

  let bytes: [UInt8]
  /// In `bytes`; the address is the first.
  private(set) var fields: [Range<Int>] = []
  private(set) var isChecked = false
  private(set) var damage: Damage?

  init(_ bytes: [UInt8], ending: NMEAScanner.Ending) {
    self.bytes = bytes
    let star = bytes.firstIndex(of: 0x2A)
    split(0..<(star ?? bytes.count))
    guard hasAddress else {
      damage = .noAddress
      return
    }
    switch (ending, star) {
    case (.checksum, let star?): check(star)
    case (.line, nil): break
    default: damage = .cut
    }
  }

  /// `GPRMC`, `PTFTTX`.
  var address: String { String(decoding: bytes[fields[0]], as: UTF8.self) }

  /// The address as a number, for comparison.
  var addressKey: UInt64 { fields[0].prefix(8).reduce(0) { $0 << 8 | UInt64(bytes[$1]) } }

  /// The kind, for any talker: two characters, then the kind. Proprietary sentences start with P.
  var kind: Kind {
    guard fields[0].count == 5, bytes[0] != 0x50 else { return .other }
    return Kind(rawValue: bytes[2...4].reduce(0) { $0 << 8 | UInt32($1) }) ?? .other
  }

  /// Returns the field's bytes; empty if the sentence has fewer fields.
  func field(_ index: Int) -> Range<Int> {
    fields.indices.contains(index) ? trimmed(bytes.span, fields[index]) : 0..<0
  }

  func text(_ index: Int) -> String { TraceFormats.text(bytes.span, field(index)) }

  /// Returns the field's only byte; nil = it is empty or longer.
  func letter(_ index: Int) -> UInt8? {
    let range = field(index)
    return range.count == 1 ? bytes[range.lowerBound] : nil
  }

  private var hasAddress: Bool {
    let address = fields[0]
    return (3...16).contains(address.count) && fields.count > 1
      && address.allSatisfy { bytes[$0].isDigit || (0x41...0x5A).contains(bytes[$0]) }
  }

  private mutating func split(_ range: Range<Int>) {
    var start = range.lowerBound
    for position in range where bytes[position] == .comma {
      fields.append(start..<position)
      start = position + 1
    }
    fields.append(start..<range.upperBound)
  }

  private mutating func check(_ star: Int) {
    guard star + 3 == bytes.count, let high = hexadecimal(bytes[star + 1]),
      let low = hexadecimal(bytes[star + 2])
    else {
      damage = .cut
      return
    }
    let stated = high << 4 | low
    let found = bytes[..<star].reduce(0, ^)
    isChecked = true
    if stated != found { damage = .wrongChecksum(stated: stated, found: found) }
  }
}

extension NMEASentence {
  /// A field without the expected content.
  struct BadField: Error {
    var expected: String
    var found: String
  }

  /// Nanoseconds of the day of `hhmmss[.s…]`; nil = the field is empty.
  func timeOfDay(_ index: Int) throws(BadField) -> Int64? {
    let range = field(index)
    if range.isEmpty { return nil }
    guard let hour = digits(range, 0), let minute = digits(range, 2),
      let second = digits(range, 4), hour < 24, minute < 60, second < 60,
      let fraction = fraction(range.dropFirst(6))
    else { throw BadField(expected: "a time as hhmmss.ss", found: excerpt(index)) }
    return (hour * 3600 + minute * 60 + second) * 1_000_000_000 + fraction
  }

  /// Days from 1970-01-01 of `ddmmyy`; nil = the field is empty. Years count from 1980, when GPS
  /// time began.
  func date(_ index: Int) throws(BadField) -> Int64? {
    let range = field(index)
    if range.isEmpty { return nil }
    guard range.count == 6, let day = digits(range, 0), let month = digits(range, 2),
      let year = digits(range, 4),
      let days = CivilTime.validDays(year: year < 80 ? 2000 + year : 1900 + year, month, day)
    else { throw BadField(expected: "a date as ddmmyy", found: excerpt(index)) }
    return days
  }

  /// Days from 1970-01-01 of the fields day, month and year from `index` on; nil = one is empty.
  func longDate(_ index: Int) throws(BadField) -> Int64? {
    let ranges = (0..<3).map { field(index + $0) }
    if ranges.contains(where: \.isEmpty) { return nil }
    guard ranges[0].count == 2, ranges[1].count == 2, ranges[2].count == 4,
      let day = digits(ranges[0], 0), let month = digits(ranges[1], 0),
      let century = digits(ranges[2], 0), let year = digits(ranges[2], 2),
      case let full = century * 100 + year,
      let days = CivilTime.validDays(year: full, month, day),
      // The years that 64 bits of nanoseconds around 1970 cover.
      (1970...2261).contains(full)
    else {
      throw BadField(
        expected: "a date as dd,mm,yyyy in the years 1970 to 2261",
        found: ranges.map { Excerpt.of(bytes.span, $0) }.joined(separator: ","))
    }
    return days
  }

  /// Degrees of `dddmm.mmmm` and the field behind it, `positive` or `negative`; nil = both are empty.
  func angle(
    _ index: Int, limit: Double, positive: UInt8, negative: UInt8
  ) throws(BadField) -> Double? {
    let range = field(index)
    if range.isEmpty, field(index + 1).isEmpty { return nil }
    let side = letter(index + 1)
    guard side == positive || side == negative, let magnitude = degrees(range),
      magnitude <= limit
    else {
      let letters = String(decoding: [positive, 0x2C, negative], as: UTF8.self)
      throw BadField(
        expected: "degrees and minutes up to \(Int(limit)), then one of \(letters)",
        found: excerpt(index) + "," + excerpt(index + 1))
    }
    return side == negative ? -magnitude : magnitude
  }

  /// Returns the number; NaN = the field is empty.
  func number(_ index: Int, _ expected: String) throws(BadField) -> Double {
    let range = field(index)
    if range.isEmpty { return .nan }
    guard case .number(let value) = NumberText(bytes.span, range), value.isFinite else {
      throw BadField(expected: expected, found: excerpt(index))
    }
    return value
  }

  private func excerpt(_ index: Int) -> String { Excerpt.of(bytes.span, field(index)) }

  /// Degrees and minutes are one number, kept as an integer to 1e-11 minutes.
  private func degrees(_ range: Range<Int>) -> Double? {
    guard let number = DecimalNumber(bytes.span, range), !number.isNegative,
      range.allSatisfy({ bytes[$0].isDigit || bytes[$0] == 0x2E }),
      let scaled = number.scaled(byPowerOfTen: 11)
    else { return nil }
    let (whole, minutes) = scaled.quotientAndRemainder(dividingBy: 10_000_000_000_000)
    guard minutes < 6_000_000_000_000 else { return nil }
    // Both parts in 60ths of 1e-11 degrees, which a Double holds exactly: one rounding.
    return Double(whole * 6_000_000_000_000 + minutes) / 6e12
  }

  private func digits(_ range: Range<Int>, _ offset: Int) -> Int64? {
    let start = range.lowerBound + offset
    guard start + 2 <= range.upperBound, bytes[start].isDigit, bytes[start + 1].isDigit else {
      return nil
    }
    return Int64(bytes[start] - 0x30) * 10 + Int64(bytes[start + 1] - 0x30)
  }

  /// Nanoseconds of `.s…`; digits beyond the ninth are dropped.
  private func fraction(_ range: Range<Int>) -> Int64? {
    guard let first = range.first else { return 0 }
    guard bytes[first] == 0x2E, range.dropFirst().allSatisfy({ bytes[$0].isDigit }) else {
      return nil
    }
    var value: Int64 = 0
    for offset in 1...9 {
      let digit = offset < range.count ? Int64(bytes[first + offset] - 0x30) : 0
      value = value * 10 + digit
    }
    return value
  }
}
