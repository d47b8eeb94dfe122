import TraceModel

/// The values that one sentence states about a fix.
struct NMEAStatement {
  enum Validity {
    case fix, void, unstated
  }

  /// Nanoseconds of the UTC day.
  var time: Int64?
  /// Days from 1970-01-01.
  var date: Int64?
  var validity = Validity.unstated
  /// NaN where a value is not stated.
  var fix = Fix(latitude: .nan, longitude: .nan)
  var dilution = Double.nan

  private static let metresPerSecondPerKnot = 1852.0 / 3600

  /// - Throws: the field that is malformed.
  init(_ sentence: NMEASentence) throws(NMEASentence.BadField) {
    switch sentence.kind {
    case .rmc: try readRMC(sentence)
    case .gga: try readGGA(sentence)
    case .gll: try readGLL(sentence)
    case .gns: try readGNS(sentence)
    case .vtg: try readVTG(sentence)
    case .gsa: dilution = try sentence.number(16, "an HDOP")
    case .zda:
      time = try sentence.timeOfDay(1)
      date = try sentence.longDate(2)
    case .other: break
    }
  }

  private mutating func readRMC(_ sentence: NMEASentence) throws(NMEASentence.BadField) {
    time = try sentence.timeOfDay(1)
    validity = try NMEAStatement.status(2, sentence)
    try readPosition(3, sentence)
    fix.speed = try sentence.number(7, "a speed") * NMEAStatement.metresPerSecondPerKnot
    fix.course = try sentence.number(8, "a course")
    date = try sentence.date(9)
  }

  private mutating func readGGA(_ sentence: NMEASentence) throws(NMEASentence.BadField) {
    time = try sentence.timeOfDay(1)
    try readPosition(2, sentence)
    switch sentence.letter(6) {
    case 0x30: validity = .void
    case let quality? where quality.isDigit: validity = .fix
    case nil where sentence.field(6).isEmpty: validity = .unstated
    default:
      throw NMEASentence.BadField(
        expected: "a quality from 0 to 9", found: Excerpt.of(sentence.text(6)))
    }
    dilution = try sentence.number(8, "an HDOP")
    fix.altitude = try sentence.number(9, "an altitude")
    guard fix.altitude.isNaN || sentence.field(10).isEmpty || sentence.letter(10) == 0x4D else {
      throw NMEASentence.BadField(
        expected: "an altitude in M", found: Excerpt.of(sentence.text(10)))
    }
  }

  private mutating func readGLL(_ sentence: NMEASentence) throws(NMEASentence.BadField) {
    try readPosition(1, sentence)
    time = try sentence.timeOfDay(5)
    validity = try NMEAStatement.status(6, sentence)
  }

  private mutating func readGNS(_ sentence: NMEASentence) throws(NMEASentence.BadField) {
    time = try sentence.timeOfDay(1)
    try readPosition(2, sentence)
    // One letter for each system; a fix of any system counts.
    let modes = sentence.field(6)
    if !modes.isEmpty { validity = modes.allSatisfy { sentence.bytes[$0] == 0x4E } ? .void : .fix }
    dilution = try sentence.number(8, "an HDOP")
    fix.altitude = try sentence.number(9, "an altitude")
  }

  private mutating func readVTG(_ sentence: NMEASentence) throws(NMEASentence.BadField) {
    // Without these letters it is the form from before version 2, which has other fields.
    guard sentence.field(2).isEmpty || sentence.letter(2) == 0x54 else { return }
    fix.course = try sentence.number(1, "a course")
    fix.speed = try sentence.number(5, "a speed in knots") * NMEAStatement.metresPerSecondPerKnot
    if fix.speed.isNaN { fix.speed = try sentence.number(7, "a speed in km/h") / 3.6 }
    if sentence.letter(9) == 0x4E { (fix.course, fix.speed) = (.nan, .nan) }
  }

  private mutating func readPosition(
    _ index: Int, _ sentence: NMEASentence
  ) throws(NMEASentence.BadField) {
    let latitude = try sentence.angle(index, limit: 90, positive: 0x4E, negative: 0x53)
    let longitude = try sentence.angle(index + 2, limit: 180, positive: 0x45, negative: 0x57)
    guard let latitude, let longitude else { return }
    (fix.latitude, fix.longitude) = (latitude, longitude)
  }

  private static func status(
    _ index: Int, _ sentence: NMEASentence
  ) throws(NMEASentence.BadField) -> Validity {
    switch sentence.letter(index) {
    case 0x41: return .fix
    case 0x56: return .void
    case nil where sentence.field(index).isEmpty: return .unstated
    default:
      throw NMEASentence.BadField(
        expected: "a status of A or V", found: Excerpt.of(sentence.text(index)))
    }
  }
}

/// The sentences of one fix: consecutive ones with the same time.
struct NMEAEpoch {
  let line: Int
  let time: Int64?
  private(set) var date: Int64?
  private var fix = Fix(latitude: .nan, longitude: .nan)
  private var dilution = Double.nan
  /// Whether an RMC states a fix; it overrules the other sentences.
  private var minimum: NMEAStatement.Validity?
  private var hasFix = false
  private var hasGroundTrack = false
  private var addresses: [UInt64] = []

  init(line: Int, time: Int64?) { (self.line, self.time) = (line, time) }

  /// Whether the sentence is about this fix. A talker sends each kind of sentence once per fix: if a
  /// receiver that states whole seconds has several fixes per second, a repeated one starts the next.
  func takes(_ statement: NMEAStatement, _ sentence: NMEASentence) -> Bool {
    statement.time == time && !addresses.contains(sentence.addressKey)
  }

  mutating func add(_ statement: NMEAStatement, _ sentence: NMEASentence) {
    addresses.append(sentence.addressKey)
    if sentence.kind == .rmc { minimum = statement.validity }
    if statement.validity != .void {
      hasFix = true
      if date == nil { date = statement.date }
      if fix.latitude.isNaN {
        (fix.latitude, fix.longitude) = (statement.fix.latitude, statement.fix.longitude)
      }
    }
    addDetails(statement)
  }

  /// Adds the values of a sentence without a time.
  mutating func addDetails(_ statement: NMEAStatement) {
    if fix.altitude.isNaN { fix.altitude = statement.fix.altitude }
    if fix.speed.isNaN { fix.speed = statement.fix.speed }
    if fix.course.isNaN { fix.course = statement.fix.course }
    if dilution.isNaN { dilution = statement.dilution }
  }

  /// Adds the values of a VTG, which states no time; false = the fix already has a VTG, so this one
  /// belongs to the next fix.
  mutating func addGroundTrack(_ statement: NMEAStatement) -> Bool {
    guard !hasGroundTrack else { return false }
    hasGroundTrack = true
    addDetails(statement)
    return true
  }

  /// - Parameter timeOfDay: the time that the date belongs to, within half a day of the fix.
  mutating func setDate(_ date: Int64, at timeOfDay: Int64?) {
    guard self.date == nil else { return }
    self.date = date - NMEAClock.days(from: time ?? 0, to: timeOfDay ?? time ?? 0)
  }

  /// The fix; nil = there was none. An RMC decides if there is one, because one of several talkers may
  /// have no fix of its own.
  func finished(metersPerHDOP: Double?) -> Fix? {
    guard minimum.map({ $0 != .void }) ?? hasFix, !fix.latitude.isNaN else { return nil }
    var fix = fix
    if let metersPerHDOP { fix.horizontalAccuracy = dilution * metersPerHDOP }
    return fix
  }
}
