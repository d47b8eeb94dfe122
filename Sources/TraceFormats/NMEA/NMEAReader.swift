public import TraceModel

/// Reads logs of NMEA 0183 sentences from any talker.
public enum NMEAReader {
  /// Reads RMC, GGA, GNS, GLL, VTG, GSA and ZDA into the channel `location`: one fix for each time
  /// of the day that sentences state one after the other, with latitude and longitude, altitude
  /// above mean sea level, speed and course. The first sentence that states a value counts.
  ///
  /// Sentences with a wrong checksum, truncated ones and those with a malformed field are left out
  /// and counted. A sentence without a checksum is read and counted, unless others of its kind have
  /// one, which shows that its end is missing. A time at which the receiver had no fix (RMC status
  /// V, quality 0) is counted as missing. Dates come from RMC and ZDA; a time that goes back by
  /// more than half a day without one belongs to the next day. Without any date the trace's epoch
  /// is unknown and its times count from midnight.
  ///
  /// Comments (`#`), other text and binary messages between the sentences are skipped and counted.
  /// A file without a sentence throws, as does the first damaged one under
  /// ``RecordingOptions/strict``.
  ///
  /// - Complexity: O(n), with memory for one sentence besides the readings.
  public static func read(
    _ path: String, options: RecordingOptions = RecordingOptions()
  ) throws(TraceError) -> ImportedTrace {
    try read(ByteSource(path: path), options: options)
  }

  static func read(
    _ source: consuming ByteSource, options: RecordingOptions
  ) throws(TraceError) -> ImportedTrace {
    var scanner = NMEAScanner(source)
    var builder = NMEABuilder(options: options, fileName: scanner.name)
    reading: while true {
      switch try scanner.next() {
      case .sentence:
        let sentence = NMEASentence(scanner.sentence, ending: scanner.ending)
        if sentence.damage == .noAddress, scanner.ending == .binary {
          scanner.countSentenceAsBinary()
        } else {
          try builder.add(sentence, ending: scanner.ending, line: scanner.eventLine)
        }
      case .fragment: try builder.addFragment(line: scanner.eventLine)
      case .finished: break reading
      }
    }
    return try builder.finish(others: scanner.others)
  }

  /// Returns why the first bytes of a file are NMEA 0183; nil = they are not.
  package static func recognise(_ head: [UInt8]) -> String? {
    guard let source = try? ByteSource(bytes: head, name: "") else { return nil }
    var scanner = NMEAScanner(source)
    var (right, known) = (0, 0)
    while let event = try? scanner.next(), event != .finished {
      guard event == .sentence else { continue }
      let sentence = NMEASentence(scanner.sentence, ending: scanner.ending)
      guard sentence.damage == nil else { continue }
      if sentence.isChecked { right += 1 }
      if sentence.kind != .other, sentence.fields.count > 4 { known += 1 }
    }
    if right > 0 { return "sentences with right checksums at its start (\(right))" }
    return known > 0 ? "sentences about fixes at its start (\(known))" : nil
  }
}

private struct NMEABuilder {
  private let options: RecordingOptions
  private let fileName: String
  private var assembly = TraceAssembly()
  private let location: TraceAssembly.Handle
  private var report = ImportReport()
  private var clock = NMEAClock()
  private var epoch: NMEAEpoch?
  /// A VTG that came before the first sentence of its fix.
  private var early: NMEAStatement?
  private var tally = NMEATally()
  private var lastTime: Int64?

  init(options: RecordingOptions, fileName: String) {
    (self.options, self.fileName) = (options, fileName)
    location = assembly.open(.location)
  }

  mutating func add(
    _ sentence: NMEASentence, ending: NMEAScanner.Ending, line: Int
  ) throws(TraceError) {
    report.recordsRead += 1
    if let damage = sentence.damage {
      if case .wrongChecksum = damage { tally.wrongChecksums += 1 }
      return try lose(explained(damage, sentence, ending, line))
    }
    guard tally.noteChecksum(sentence) else {
      return try lose(explained(.cut, sentence, ending, line))
    }
    let statement: NMEAStatement
    do throws(NMEASentence.BadField) {
      statement = try NMEAStatement(sentence)
    } catch {
      return try lose(fault(line, "\(error.expected) in \(sentence.address)", found: error.found))
    }
    tally.note(sentence, statement, takesHDOP: options.gpx.metersPerHDOP != nil)
    try add(statement, sentence, line)
  }

  private mutating func add(
    _ statement: NMEAStatement, _ sentence: NMEASentence, _ line: Int
  ) throws(TraceError) {
    switch sentence.kind {
    case .rmc, .gga, .gll, .gns:
      if epoch?.takes(statement, sentence) != true {
        try endEpoch()
        epoch = NMEAEpoch(line: line, time: statement.time)
        if let early { _ = epoch?.addGroundTrack(early) }
        early = nil
      }
      epoch?.add(statement, sentence)
    case .vtg:
      if epoch?.addGroundTrack(statement) != true { early = statement }
    case .gsa: epoch?.addDetails(statement)
    case .zda:
      guard let date = statement.date else { return }
      // The date belongs to a time without a fix.
      if epoch == nil, let time = statement.time { _ = clock.time(of: time, date: date) }
      epoch?.setDate(date, at: statement.time)
    case .other: break
    }
  }

  mutating func addFragment(line: Int) throws(TraceError) {
    report.recordsRead += 1
    try lose(
      fault(
        line, "a sentence that begins with $", found: "the end of a sentence",
        remedy: "check the connection to the receiver"))
  }

  private func fault(
    _ line: Int, _ expected: String, found: String, remedy: String = ""
  ) -> TraceError {
    TraceError(place: "\(fileName):\(line)", expected: expected, found: found, remedy: remedy)
  }

  private mutating func lose(_ error: TraceError) throws(TraceError) {
    if options.strict { throw error }
    report.losses.add(error)
  }

  private func explained(
    _ damage: NMEASentence.Damage, _ sentence: NMEASentence, _ ending: NMEAScanner.Ending,
    _ line: Int
  ) -> TraceError {
    switch damage {
    case .noAddress:
      return fault(
        line, "a sentence such as $GPRMC,…",
        found: Excerpt.of("$" + String(decoding: sentence.bytes, as: UTF8.self)))
    case .wrongChecksum(let stated, let found):
      return fault(
        line, "\(sentence.address) with the checksum \(twoDigits(stated))",
        found: "bytes with the checksum \(twoDigits(found))",
        remedy: "check the connection to the receiver: the sentence is damaged")
    case .cut:
      let found =
        switch ending {
        case .start: "the start of the next sentence"
        case .binary: "a byte that is not text"
        case .file: "the end of the file"
        case .tooLong: "more than \(NMEAScanner.longest) characters"
        case .line, .checksum: "no two-digit checksum at the end"
        }
      return fault(line, "a complete sentence \(sentence.address)", found: found)
    }
  }

  private mutating func endEpoch() throws(TraceError) {
    guard let epoch else { return }
    self.epoch = nil
    guard let fix = epoch.finished(metersPerHDOP: options.gpx.metersPerHDOP) else {
      report.missing += 1
      return
    }
    guard let timeOfDay = epoch.time else {
      return try lose(fault(epoch.line, "a time for the fix", found: "none"))
    }
    let time = clock.time(of: timeOfDay, date: epoch.date)
    report.count(time, after: lastTime)
    lastTime = time
    report.samples += 1
    try assembly.append(fix, to: location, measured: time, arrived: time)
  }

  mutating func finish(others: NMEAScanner.Others) throws(TraceError) -> ImportedTrace {
    try endEpoch()
    guard report.recordsRead > 0 else {
      throw TraceError(
        place: fileName, expected: "NMEA 0183 sentences such as $GPRMC,…",
        found: "none in \(others.textLines) lines of text and \(others.binaryBytes) other bytes",
        remedy: "set the receiver to NMEA, or read its own format with --from gpsbabel:FORMAT")
    }
    report.unmappedColumns = tally.unmapped
    report.findings = findings(others)
    report.notes = tally.notes + (clock.hasDate ? [] : [NMEABuilder.noDate])
    var header = TraceHeader(id: options.id ?? FilePath.stem(fileName), origin: .recorded)
    header.source = FilePath.lastComponent(fileName)
    let origin = assembly.earliest ?? 0
    let absolute = clock.absolute(origin)
    if let absolute, report.samples > 0 {
      header.epoch = CivilTime.text(nanoseconds: absolute)
      header.isEpochKnown = true
    }
    var imported = try assembly.finish(header, report: report, sort: options.sort)
    if let absolute { imported.origin = absolute }
    return imported
  }

  private static let noDate =
    "No sentence states a date: the times count from the midnight before the first fix."

  private func findings(_ others: NMEAScanner.Others) -> [Finding] {
    var findings: [Finding] = []
    func add(_ code: String, _ severity: Finding.Severity, _ count: Int, _ message: String) {
      guard count > 0 else { return }
      findings.append(Finding(code, severity, place: fileName, count: count, message: message))
    }
    add(
      "bad-checksum", .error, tally.wrongChecksums,
      "\(tally.wrongChecksums) of \(report.recordsRead) sentences have a wrong checksum and are "
        + "left out.")
    add(
      "no-checksum", .note, tally.unchecked,
      "\(tally.unchecked) sentences have no checksum, so damage to them is not detected.")
    add(
      "void-fix", .note, report.missing,
      "The receiver had no fix at \(report.missing) times (void sentences: \(tally.voids)).")
    add(
      "binary-data", .note, others.binaryBytes,
      "\(others.binaryBytes) bytes between the sentences are not text and are skipped.")
    add(
      "other-text", .note, others.textLines,
      "\(others.textLines) lines of text are not sentences and are skipped.")
    add(
      "extra-text", .note, others.linesWithText,
      "\(others.linesWithText) lines have text next to their sentence, such as the time of logging, "
        + "which is skipped.")
    let leap = NMEAClock.weekRollover / 7
    add(
      "gps-week-rollover", .warning, clock.rollovers,
      "The date jumps by \(leap) weeks \(clock.rollovers) times: the receiver's week number "
        + "rolled over. Times are unchanged.")
    add(
      "gps-week-rollover", .warning, clock.isBeforeFirstRollover ? 1 : 0,
      "The date is before 1999-08-22, which is typical after a rollover of the week number; if so, "
        + "the recording is \(leap) weeks younger. Times are unchanged.")
    return findings
  }
}

private func twoDigits(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
}

/// A clock that turns times of the day into times over several days.
///
/// The clock counts nanoseconds from the midnight before the first fix, because that may come
/// before the first date.
struct NMEAClock {
  /// Days from 1970-01-01 of that midnight.
  private var firstDay: Int64?
  private var day: Int64 = 0
  private var lastTime: Int64?
  private(set) var rollovers = 0

  private static let dayLength: Int64 = 86_400_000_000_000
  /// The days in the 1024 weeks of the GPS week number, which rolled over on 1999-08-22.
  static let weekRollover: Int64 = 7168
  private static let firstRollover = CivilTime.days(year: 1999, month: 8, day: 22)

  var hasDate: Bool { firstDay != nil }

  private(set) var isBeforeFirstRollover = false

  /// - Parameter date: nil = it is inferred from the previous fix.
  mutating func time(of timeOfDay: Int64, date: Int64?) -> Int64 {
    day += NMEAClock.days(from: lastTime ?? timeOfDay, to: timeOfDay)
    lastTime = timeOfDay
    if let date { setDay(date, inferred: day) }
    return NMEAClock.nanoseconds(day, timeOfDay)
  }

  /// Nanoseconds since 1970 of a time of this clock; nil = no date is known.
  func absolute(_ time: Int64) -> Int64? { firstDay.map { NMEAClock.nanoseconds($0, time) } }

  /// The days from one time to the next, so that at most half a day lies between them: 1 = the
  /// second belongs to the next day, -1 = to the day before.
  static func days(from timeOfDay: Int64, to next: Int64) -> Int64 {
    if next < timeOfDay - dayLength / 2 { return 1 }
    return next > timeOfDay + dayLength / 2 ? -1 : 0
  }

  private mutating func setDay(_ date: Int64, inferred: Int64) {
    if date < NMEAClock.firstRollover { isBeforeFirstRollover = true }
    guard let firstDay else {
      self.firstDay = date - inferred
      return
    }
    day = date - firstDay
    let leap = abs(day - inferred)
    let rest = (leap + 1) % NMEAClock.weekRollover
    if leap > 1, rest <= 2 { rollovers += 1 }
  }

  private static func nanoseconds(_ days: Int64, _ rest: Int64) -> Int64 {
    let (product, overflow) = days.multipliedReportingOverflow(by: dayLength)
    return (overflow ? (days < 0 ? .min : .max) : product).addingClamped(rest)
  }
}

/// The counts of everything other than fixes.
private struct NMEATally {
  var wrongChecksums = 0
  private(set) var unchecked = 0
  private(set) var unmapped: [String] = []
  private var seen: Set<UInt64> = []
  /// The kinds of sentences that have a checksum.
  private var checked: Set<UInt64> = []
  private var seenDetails: Set<String> = []
  private var voidCounts: [(key: UInt64, address: String, count: Int)] = []
  private var others = 0

  /// The largest number of kinds that are counted: more than any receiver sends. A damaged log may
  /// have any number.
  private static let mostListed = 100

  /// False = the sentence has no checksum and others of its kind have one: its end is missing.
  mutating func noteChecksum(_ sentence: NMEASentence) -> Bool {
    if sentence.isChecked {
      if checked.count < NMEATally.mostListed { checked.insert(sentence.addressKey) }
      return true
    }
    guard !checked.contains(sentence.addressKey) else { return false }
    unchecked += 1
    return true
  }

  mutating func note(_ sentence: NMEASentence, _ statement: NMEAStatement, takesHDOP: Bool) {
    if sentence.kind == .other { return list(sentence) }
    if statement.validity == .void { countVoid(sentence) }
    for (name, index) in NMEATally.details(of: sentence.kind)
    where !sentence.field(index).isEmpty && !(takesHDOP && name == "hdop") {
      if seenDetails.insert(name).inserted { unmapped.append(name) }
    }
  }

  /// How often each kind of sentence stated that there was no fix: `GPRMC 6, GPGGA 6`.
  var voids: String { voidCounts.map { "\($0.address) \($0.count)" }.joined(separator: ", ") }

  var notes: [String] { others > 0 ? ["\(others) sentences of other kinds are left out too."] : [] }

  private mutating func list(_ sentence: NMEASentence) {
    if seen.contains(sentence.addressKey) { return }
    if seen.count < NMEATally.mostListed {
      seen.insert(sentence.addressKey)
      unmapped.append(sentence.address)
    } else {
      others += 1
    }
  }

  private mutating func countVoid(_ sentence: NMEASentence) {
    let key = sentence.addressKey
    if let index = voidCounts.firstIndex(where: { $0.key == key }) {
      voidCounts[index].count += 1
    } else if voidCounts.count < NMEATally.mostListed {
      voidCounts.append((key, sentence.address, 1))
    }
  }

  /// Fields that have no place in a trace.
  private static func details(of kind: NMEASentence.Kind) -> [(name: String, index: Int)] {
    switch kind {
    case .rmc: [("magnetic variation", 10)]
    case .gga:
      [
        ("fix quality", 6), ("satellites", 7), ("hdop", 8), ("geoid separation", 11),
        ("age of corrections", 13),
      ]
    case .gns:
      [("satellites", 7), ("hdop", 8), ("geoid separation", 10), ("age of corrections", 11)]
    case .gsa: [("satellites", 3), ("pdop", 15), ("hdop", 16), ("vdop", 17)]
    case .vtg: [("magnetic course", 3)]
    case .zda: [("local zone", 5)]
    case .gll, .other: []
    }
  }
}
