import TraceModel

/// Finds a channel with so few distinct times that it cannot be replayed in time.
enum FewTimesCheck {
  static func finding(_ times: ChannelTimes) -> Finding? {
    guard times.areTooFew else { return nil }
    let what = times.channel == .location ? "points" : "readings"
    return Finding(
      "few-distinct-times", .error, place: times.channel.name,
      start: times.sorted.first.map { TraceInstant(nanoseconds: $0) },
      end: times.sorted.last.map { TraceInstant(nanoseconds: $0) }, count: times.sorted.count,
      message: "\(counted(times.distinct, "distinct time")) for \(times.sorted.count) \(what): "
        + "the channel cannot be replayed in time.")
  }
}

/// Finds different readings at one time. Equal ones are repaired: see ``DuplicateStep``.
enum DuplicatedTimesCheck {
  static func finding(_ times: ChannelTimes, exactDuplicates: Int) -> Finding? {
    guard times.channel.isSensor, !times.areTooFew else { return nil }
    var duplicated = 0
    var runs: [(time: Int64, count: Int)] = []
    for (earlier, later) in times.steps where earlier == later {
      duplicated += 1
      if runs.last?.time == later {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((later, 2))
      }
    }
    guard let first = runs.first, let last = runs.last, duplicated > exactDuplicates,
      let longest = runs.max(by: { $0.count < $1.count })
    else { return nil }
    let unit = times.areWholeSeconds ? "second" : "time"
    let exact =
      exactDuplicates > 0 ? ", of which \(exactDuplicates) are copies that --repair removes" : ""
    return Finding(
      "duplicated-times", .warning, place: times.channel.name,
      start: TraceInstant(nanoseconds: first.time), end: TraceInstant(nanoseconds: last.time),
      count: duplicated,
      message: "\(counted(duplicated, "duplicate \(unit)")) "
        + "(\(percent(duplicated, of: times.sorted.count)) of the readings) at "
        + "\(counted(runs.count, "time")), at most \(longest.count) readings at one "
        + "(\(seconds(longest.time)))\(exact); --spread-times separates the rest.")
  }
}

extension ChannelTimes {
  /// Whether the clock counts whole seconds from the first reading on.
  fileprivate var areWholeSeconds: Bool {
    guard let first = sorted.first else { return false }
    return sorted.allSatisfy { $0.subtractingClamped(first) % 1_000_000_000 == 0 }
  }
}

/// Finds readings whose times are those of a batch's delivery, not of the measurement.
enum BatchCheck {
  /// The smallest batch; two readings at one time may be a coincidence.
  static let fewestReadings = 3
  /// The percentage of readings in batches below which nothing is reported: a stall of the system
  /// has little effect.
  static let smallestShare = 5

  static func finding(_ times: ChannelTimes) -> Finding? {
    guard times.channel.isInertial, !times.areTooFew, times.sorted.count >= 2 else { return nil }
    var batches: [Range<Int>] = []
    var start = 0
    for position in 1...times.sorted.count {
      let goesOn =
        position < times.sorted.count
        && times.sorted[position].subtractingClamped(times.sorted[position - 1]) <= times.together
      guard !goesOn else { continue }
      if position - start >= fewestReadings { batches.append(start..<position) }
      start = position
    }
    let readings = batches.reduce(0) { $0 + $1.count }
    guard let first = batches.first, let largest = batches.max(by: { $0.count < $1.count }),
      readings * 100 >= smallestShare * times.sorted.count
    else { return nil }
    return Finding(
      "batched-times", .warning, place: times.channel.name,
      start: TraceInstant(nanoseconds: times.sorted[first.lowerBound]), count: batches.count,
      message: "\(counted(batches.count, "batch", "batches")) of \(fewestReadings) or more "
        + "readings at nearly the same time hold \(readings) readings "
        + "(\(percent(readings, of: times.sorted.count))), the largest \(largest.count) at "
        + "\(seconds(times.sorted[largest.lowerBound])): these are times of delivery, not of measurement."
    )
  }
}

/// Finds stretches without readings.
enum GapCheck {
  /// The shortest gap in periods, as in ``ChannelTiming/gaps``: up to two missing readings are not
  /// reported.
  static let shortestGap: Int64 = 3
  /// The number of gaps that a message names.
  static let mostNamed = 3

  static func finding(_ times: ChannelTimes) -> Finding? {
    guard times.channel.isSensor, !times.areTooFew, let period = times.period else { return nil }
    let gaps = times.steps.filter { $1.subtractingClamped($0) / shortestGap > period }
    let byLength = gaps.sorted {
      ($1.1.subtractingClamped($1.0), $0.0) < ($0.1.subtractingClamped($0.0), $1.0)
    }
    guard let longest = byLength.first else { return nil }
    let length = longest.1.subtractingClamped(longest.0)
    let total = gaps.reduce(Int64(0)) {
      $0.addingClamped($1.1.subtractingClamped($1.0)).subtractingClamped(period)
    }
    let share = times.span > 0 ? Double(total) / Double(times.span) : 0
    let named = byLength.prefix(mostNamed)
      .map { "\(interval($0.1.subtractingClamped($0.0))) at \(seconds($0.0))" }
    let isLong = length >= longGap(times.channel) || share > largeShare(times.channel)
    return Finding(
      "gaps", isLong ? .warning : .note, place: times.channel.name,
      start: TraceInstant(nanoseconds: longest.0), end: TraceInstant(nanoseconds: longest.1),
      count: gaps.count,
      message: "\(counted(gaps.count, "gap")) longer than \(shortestGap) periods of "
        + "\(interval(period)), in total \(seconds(total)) without readings "
        + "(\(figure(100 * share, 2)) %); the longest: \(named.joined(separator: ", ")).")
  }

  /// Returns the length in nanoseconds that can hide an event: a punch takes a quarter of a second,
  /// a pause in a walk half a minute.
  private static func longGap(_ channel: Channel) -> Int64 {
    channel.isInertial ? 500_000_000 : 30_000_000_000
  }

  /// Returns the share of the time that is a warning: receivers lose the signal in tunnels and
  /// under roofs, accelerometers do not.
  private static func largeShare(_ channel: Channel) -> Double { channel.isInertial ? 0.01 : 0.1 }
}

/// Finds parts of a recording with another sampling rate, or with less regular sampling.
enum RateCheck {
  /// The number of intervals per rate: enough for a stable median, few enough to locate a change.
  static let blockLength = 64
  /// The factor, either way, that is a change; sensor clocks are off by a few percent.
  static let rateFactor = 1.25
  /// The share of the period above which filters that assume a rate are noticeably wrong.
  static let largeJitter = 0.25
  /// The factor by which the jitter of an irregular stretch exceeds that of the rest.
  static let jitterFactor = 5.0

  static func findings(_ times: ChannelTimes) -> [Finding] {
    guard times.channel.isSensor, !times.areTooFew, let period = times.period else { return [] }
    let blocks = blocks(of: times)
    let jitters = blocks.map { Double($0.timing.jitter ?? 0) / Double(period) }
    guard let usual = Sample.median(jitters) else { return [] }
    return [
      rateChange(times, period, blocks), irregularity(times, period, usual),
      jitterChange(times, zip(blocks, jitters), usual),
    ].compactMap(\.self)
  }

  private struct Block {
    var start: Int64
    var end: Int64
    var timing: ChannelTiming
  }

  private static func blocks(of times: ChannelTimes) -> [Block] {
    let distinct = times.sorted.isEmpty ? [] : [times.sorted[0]] + times.steps.filter(<).map(\.1)
    return stride(from: 0, to: distinct.count - blockLength, by: blockLength).map { start in
      let part = distinct[start...start + blockLength]
      return Block(
        start: distinct[start], end: distinct[start + blockLength],
        timing: ChannelTiming(measuredTimes: part))
    }
  }

  private static func rateChange(
    _ times: ChannelTimes, _ period: Int64, _ blocks: [Block]
  ) -> Finding? {
    let other = blocks.filter { block in
      guard let median = block.timing.medianInterval else { return false }
      let ratio = Double(median) / Double(period)
      return ratio > rateFactor || ratio < 1 / rateFactor
    }
    guard let first = other.first, let last = other.last else { return nil }
    let rates = other.compactMap(\.timing.rate)
    let (low, high) = (figure(rates.min() ?? 0, 2), figure(rates.max() ?? 0, 2))
    let ends = low == high ? "\(low) Hz" : "\(low) to \(high) Hz"
    return Finding(
      "rate-change", times.channel.isInertial ? .warning : .note, place: times.channel.name,
      start: TraceInstant(nanoseconds: first.start), end: TraceInstant(nanoseconds: last.end),
      count: other.count,
      message: "\(other.count) of \(blocks.count) stretches of \(blockLength) intervals were "
        + "sampled at \(ends), the recording at \(figure(1e9 / Double(period), 2)) Hz.")
  }

  /// - Parameter usual: the median of the stretches' jitters, which a change of rate does not
  ///   affect.
  private static func irregularity(
    _ times: ChannelTimes, _ period: Int64, _ usual: Double
  ) -> Finding? {
    guard usual > largeJitter else { return nil }
    return Finding(
      "irregular-times", times.channel.isInertial ? .warning : .note, place: times.channel.name,
      count: times.sorted.count,
      message: "One interval in ten differs from the period of \(interval(period)) by "
        + "\(figure(100 * usual, 0)) % or more (median over stretches of \(blockLength) "
        + "intervals).")
  }

  /// A single stretch is the boundary between two rates.
  private static func jitterChange(
    _ times: ChannelTimes, _ blocks: some Sequence<(Block, Double)>, _ usual: Double
  ) -> Finding? {
    let other = blocks.filter { $1 > largeJitter && $1 > jitterFactor * usual }
    guard times.channel.isInertial, other.count > 1, let first = other.first, let last = other.last
    else { return nil }
    return Finding(
      "jitter-change", .note, place: times.channel.name,
      start: TraceInstant(nanoseconds: first.0.start), end: TraceInstant(nanoseconds: last.0.end),
      count: other.count,
      message: "\(other.count) stretches of \(blockLength) intervals have a jitter of up to "
        + "\(figure(100 * (other.map(\.1).max() ?? 0), 0)) % of the period, the others of "
        + "\(figure(100 * usual, 1)) %.")
  }
}
