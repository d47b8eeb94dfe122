public import TraceModel

extension ExchangeFault {
  /// The kinds with the form of their text.
  public static let forms = [
    "lose:1-server:12", "delay:server-1:7:0.35s", "duplicate:1-2:3", "cut:1:10s:20s",
    "restart:1:35s:20s", "restart:1:35s:new", "clock:1:35s:-60s", "drift:1:40ppm",
  ]

  /// Reads a fault, e.g. `delay:server-1:7:0.35s`. Times are decimal seconds (`s`) or milliseconds
  /// (`ms`) with at most nanoseconds; phones and messages count from 1.
  ///
  /// - Throws: with the part of the text that is wrong, what was expected there, and what was
  ///   found.
  public init(parsing text: String) throws(TraceError) {
    var parts = FaultParts(text)
    switch try parts.next("a kind of fault: \(FaultParts.kinds)", { Kind(rawValue: String($0)) }) {
    case .lose: self = .lose(try parts.message())
    case .duplicate:
      let message = try parts.message()
      let time = parts.isAtEnd ? 0 : try parts.time("a time above 0, such as 0.2s") { $0 > 0 }
      self = .duplicate(message, after: time)
    case .delay:
      let message = try parts.message()
      self = .delay(message, by: try parts.time("a time above 0, such as 0.35s") { $0 > 0 })
    case .cut:
      let endpoint = try parts.endpoint()
      let start = try parts.time("the start of the cut, such as 10s") { $0 >= 0 }
      let end = try parts.time("an end later than the start, such as 20s") { $0 > start }
      self = .cut(
        endpoint, from: TraceInstant(nanoseconds: start), to: TraceInstant(nanoseconds: end))
    case .restart:
      let (endpoint, time) = (try parts.endpoint(), try parts.instant())
      self = .restart(endpoint, at: time, try parts.state())
    case .clock:
      let (phone, time) = (try parts.phone(), try parts.instant())
      self = .clock(
        phone: phone, at: time, by: try parts.time("a step other than 0, such as -60s") { $0 != 0 })
    case .drift: self = .drift(phone: try parts.phone(), try parts.drift())
    }
    try parts.end()
  }

  /// Returns the whole number of a text of digits only; nil if it is not one or too large.
  static func wholeNumber(_ text: Substring) -> Int? {
    // `Int` alone would read a sign too.
    text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
  }
}

/// The parts of a fault's text, which are separated by colons.
private struct FaultParts {
  static let kinds = ExchangeFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")

  private let text: String
  private let parts: [Substring]
  private var position = 0

  init(_ text: String) {
    self.text = text
    parts = text.split(separator: ":", omittingEmptySubsequences: false)
  }

  /// An error about the part that was read last.
  func error(_ expected: String, _ found: String) -> TraceError {
    TraceError(
      place: "fault \"\(text)\", part \(position)", expected: expected, found: found,
      remedy: position <= 1 ? "write, for example, \(ExchangeFault.forms[0])" : "")
  }

  mutating func next<Value>(
    _ expected: String, _ read: (Substring) -> Value?
  ) throws(TraceError) -> Value {
    position += 1
    guard position <= parts.count else { throw error(expected, "the end of the text") }
    guard let value = read(parts[position - 1]) else {
      throw error(expected, "\"\(parts[position - 1])\"")
    }
    return value
  }

  var isAtEnd: Bool { position == parts.count }

  mutating func end() throws(TraceError) {
    guard position == parts.count else {
      position += 1
      throw error("the end of the text", "\"\(parts[position - 1])\"")
    }
  }

  mutating func message() throws(TraceError) -> MessageNumber {
    let link = try next("a link such as 1-server, server-1 or 1-2") { NetworkLink($0) }
    let number = try next("the number of a message on the link, from 1") {
      ExchangeFault.wholeNumber($0).flatMap { $0 >= 1 ? $0 : nil }
    }
    return MessageNumber(link, number)
  }

  mutating func endpoint() throws(TraceError) -> Endpoint {
    try next("server, or the number of a phone from 1") { Endpoint($0) }
  }

  mutating func phone() throws(TraceError) -> Int {
    try next("the number of a phone from 1") { Endpoint($0)?.phone }
  }

  mutating func instant() throws(TraceError) -> TraceInstant {
    TraceInstant(nanoseconds: try time("a time of the log, such as 35s") { $0 >= 0 })
  }

  mutating func time(
    _ expected: String, where isValid: (Int64) -> Bool = { _ in true }
  ) throws(TraceError) -> Int64 {
    try next(expected) { part in FaultParts.time(part).flatMap { isValid($0) ? $0 : nil } }
  }

  mutating func state() throws(TraceError) -> ExchangeFault.RestoredState {
    try next("new, or the age of the restored state, such as 20s") { part in
      if part == "new" { return .new }
      return FaultParts.time(part).flatMap { $0 >= 0 ? .age($0) : nil }
    }
  }

  mutating func drift() throws(TraceError) -> Int64 {
    let limit = DeviceClock.largestDrift / 1000
    return try next("a drift other than 0 within ±\(limit)ppm, such as 40ppm") { part in
      guard part.hasSuffix("ppm"), let drift = FaultParts.decimal(part.dropLast(3), places: 3),
        drift != 0, drift.magnitude <= DeviceClock.largestDrift.magnitude
      else { return nil }
      return drift
    }
  }

  private static func time(_ text: Substring) -> Int64? {
    if text.hasSuffix("ms") { return decimal(text.dropLast(2), places: 6) }
    return text.hasSuffix("s") ? decimal(text.dropLast(), places: 9) : nil
  }

  /// Returns a decimal number times 10^places; nil if it is not a number, too large, or has more
  /// decimals.
  private static func decimal(_ text: Substring, places: Int) -> Int64? {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0)
      .split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let whole = parts.first, !whole.isEmpty else { return nil }
    let fraction = parts.count == 2 ? parts[1] : "0"
    guard !fraction.isEmpty, fraction.utf8.count <= places else { return nil }
    let digits = whole + fraction + String(repeating: "0", count: places - fraction.utf8.count)
    guard digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int64((isNegative ? "-" : "") + digits)
  }
}
