import TraceModel

/// Finds the column of times of a table, with its unit and its zero.
struct TimeGuess {
  /// One interpretation of a column.
  struct Candidate {
    var reading: ColumnReading
    /// The times of the sample in seconds; NaN = missing.
    var seconds: [Double]
    /// Whether numbers count from 1970.
    var isUnix = false
    /// The better clock has the lower rank.
    var rank: Int

    /// The intervals between the times that are known.
    private var intervals: [Double] {
      let times = seconds.filter { !$0.isNaN }
      return zip(times.dropFirst(), times).map(-)
    }

    /// The typical interval between distinct times.
    var step: Double? { Sample.median(intervals.filter { $0 > 0 }) }

    /// The number of times that repeat the previous one.
    var repeats: Int { intervals.count { $0 == 0 } }
  }

  /// The kind of data, which decides the plausible intervals. Each range spans less than a factor
  /// of 1000, the ratio of two units of time, so that at most one unit fits.
  enum Sampling {
    /// Accelerations and rotation rates: more than 10 Hz, up to 2 kHz. Ticks of 100 ns at 100 Hz would
    /// be 10 Hz in microseconds.
    case motion
    /// Positions and pressures: every 0.05 s to 49 s.
    case positions

    var intervals: ClosedRange<Double> { self == .motion ? 0.0005...0.099 : 0.05...49 }
  }

  let sample: TableSample
  let sampling: Sampling
  /// Whether the user states that numbers count from 1970.
  let isUnixStated: Bool

  /// The best column of times; nil = no name indicates one.
  var best: Candidate? {
    let found = dated + sample.columns(Self.keys).compactMap(candidate)
    let certain = found.filter { $0.reading.doubt == nil }.enumerated().sorted {
      ($0.element.repeats, $0.element.rank, $0.offset)
        < ($1.element.repeats, $1.element.rank, $1.offset)
    }.map(\.element)
    guard var best = certain.first else { return found.first }
    if let other = certain.dropFirst().first(where: { !Self.agree(best, $0) }) {
      let columns = [best, other].map { Excerpt.of($0.reading.entries.last?.column ?? "") }
      best.reading.doubt = "times in \(columns[0]) and \(columns[1]) that do not agree"
    }
    return best
  }

  /// Whether two clocks show the same time from the first record to the last.
  private static func agree(_ first: Candidate, _ second: Candidate) -> Bool {
    let common = zip(first.seconds, second.seconds).filter { !$0.0.isNaN && !$0.1.isNaN }
    guard let start = common.first, let end = common.last else { return true }
    let spans = (end.0 - start.0, end.1 - start.1)
    let slack = 2 * max(first.step ?? 0, second.step ?? 0) + 0.02 * abs(spans.0)
    return abs(spans.0 - spans.1) <= slack
  }

  private func candidate(_ column: Int) -> Candidate? {
    if sample.isNumeric(column) { return numeric(column) }
    let texts = sample.rows.map { $0[column] }
    var reading = ColumnReading(entries: [sample.entry(.time, column, "iso")])
    if let (seconds, hasZone) = Self.civil(texts) {
      return Candidate(reading: reading, seconds: seconds, rank: hasZone ? 1 : 3)
    }
    // A time of the day belongs to the date in another column.
    let isTimeOfDay = texts.allSatisfy { Self.civil("2000-01-01 " + $0) != nil || $0.isEmpty }
    guard !isTimeOfDay, let first = texts.first(where: { !$0.isEmpty }) else { return nil }
    let expected = EpochTime.expectation(for: first, otherwise: "ISO 8601 (YYYY-MM-DD hh:mm:ss)")
    reading.doubt = "times such as \(Excerpt.of(first)), which are not \(expected)"
    reading.rewriting = "write the times in that form"
    return Candidate(reading: reading, seconds: [], rank: 3)
  }

  /// A number: the unit from the name, otherwise from the size and the interval of the values.
  private func numeric(_ column: Int) -> Candidate? {
    let name = sample.names[column]
    let stated = name.unit ?? Self.unitKeys[name.key]
    let powers = Self.powers.filter { stated == nil || stated == $0.unit }
    guard !powers.isEmpty else { return nil }
    let values = sample.values(column)
    let step = Sample.median(zip(values.dropFirst(), values).map(-).filter { $0 > 0 })
    let readings = powers.flatMap { power in
      [false, true].filter { isUnix in
        fits(values, step, power.seconds, isUnix: isUnix, isStated: stated != nil)
      }.map { (power, isUnix: $0) }
    }
    let shown =
      "\(Excerpt.of(name.text)) from \(rounded(values.first ?? 0))"
      + (step.map { " in steps of \(rounded($0))" } ?? "")
    guard readings.count == 1, let (power, isUnix) = readings.first else {
      let units = (readings.isEmpty ? powers : readings.map(\.0)).map(\.unit)
      var seen: Set<String> = []
      let unit = units.filter { seen.insert($0).inserted }.joined(separator: "|")
      return Candidate(
        reading: ColumnReading(
          entries: [sample.entry(.time, column, unit)], doubt: "times of unclear unit, \(shown)"),
        seconds: [], isUnix: readings.contains { $0.isUnix }, rank: 3)
    }
    let isEvident = stated == nil || isUnix && !isUnixStated
    let meaning = "\(power.unit)\(isUnix ? " since 1970" : "")"
    return Candidate(
      reading: ColumnReading(
        entries: [sample.entry(.time, column, power.unit)],
        evidence: isEvident ? "\(shown) is in \(meaning)" : nil),
      seconds: sample.numbers[column].map { $0 * power.seconds }, isUnix: isUnix,
      rank: isUnix ? 0 : 2)
  }

  /// Whether the values can be times of a unit that lasts `unit` seconds.
  private func fits(
    _ values: [Double], _ step: Double?, _ unit: Double, isUnix: Bool, isStated: Bool
  ) -> Bool {
    if isUnixStated, isStated || !isUnix { return isUnix }
    let low = (values.min() ?? 0) * unit
    let high = (values.max() ?? 0) * unit
    // No device runs for 31 years.
    let isInRange =
      isUnix
      ? (isUnixStated ? Self.tenDigits : Self.unixTimes).contains(low...high)
      : max(abs(low), abs(high)) < 1e9
    guard isInRange, !isStated else { return isInRange }
    guard let interval = step.map({ $0 * unit }) else { return false }
    // The number of the record may be called time, too.
    if !isUnix, sampling == .motion, step == 1 { return false }
    // The size of times since 1970 shows their unit too, so a tracker may sleep for hours.
    let isTracker = isUnix && sampling == .positions
    return (isTracker ? 0.0001...86400 : sampling.intervals).contains(interval)
  }

  /// From September 2001, the first ten-digit second, to 2099.
  private static let tenDigits = 1e9...4.1e9
  /// From 2008 to 2039. Numbers of other clocks have the size of earlier and later ones: FIT counts
  /// from the end of 1989, others from 1904 and 1900.
  private static let unixTimes = 1.2e9...2.2e9

  /// A date in one column and the time of the day in another.
  private var dated: [Candidate] {
    sample.columns(Self.dateKeys).flatMap { date in
      sample.columns(Self.keys).compactMap { time in
        guard date != time, !sample.isNumeric(time) else { return nil }
        let texts = sample.rows.map { "\($0[date]) \($0[time])" }
        guard let (seconds, hasZone) = Self.civil(texts) else { return nil }
        return Candidate(
          reading: ColumnReading(
            entries: [sample.entry(.date, date, nil), sample.entry(.time, time, nil)]),
          seconds: seconds, rank: hasZone ? 1 : 3)
      }
    }
  }

  /// ISO times in seconds since 1970; nil = more than a few cells are not times.
  private static func civil(_ texts: [String]) -> (seconds: [Double], hasZone: Bool)? {
    let times = texts.map { civil($0) }
    let count = times.count { $0 != nil }
    guard count > 0, (times.count - count) * 10 <= times.count else { return nil }
    let hasZone = times.allSatisfy { $0?.hasZone ?? true }
    return (times.map { $0.map { Double($0.nanoseconds) / 1e9 } ?? .nan }, hasZone)
  }

  private static func civil(_ text: String) -> CivilTime? {
    let bytes = Array(text.utf8)
    return CivilTime(bytes.span, 0..<bytes.count)
  }

  private static let powers: [(unit: String, seconds: Double)] = [
    ("s", 1), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9),
  ]
  /// Names that are a unit themselves.
  private static let unitKeys: [String: String] = [
    "seconds": "s", "secs": "s", "sec": "s", "seconds_elapsed": "s", "millis": "ms", "ms": "ms",
    "milliseconds": "ms", "us": "us", "microseconds": "us", "ns": "ns", "nanoseconds": "ns",
  ]
  private static let dateKeys = ["date", "day", "utc_date", "date_utc", "local_date"]
  private static let keys =
    [
      "time", "timestamp", "t", "ts", "elapsed", "elapsed_time", "time_elapsed", "datetime",
      "date_time", "date", "epoch", "epoch_time", "unix", "unixtime", "unix_time",
      "unix_timestamp", "time_unix", "utc", "utc_time", "time_utc", "timestamp_utc", "iso_time",
      "time_iso", "gps_time", "sensor_time", "sensor_timestamp", "sample_time", "record_time",
      "measured", "measured_time",
    ] + unitKeys.keys.sorted()
}
