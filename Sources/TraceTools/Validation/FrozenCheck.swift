import TraceModel

/// Finds a sensor that repeats itself: over a whole channel, or a stretch of it.
enum FrozenCheck {
  /// The readings and nanoseconds for which an inertial sensor may repeat a value: noise alone
  /// changes the last digit many times per second.
  static let longestRun = 20
  static let longestTime: Int64 = 1_000_000_000

  static func finding(
    _ channel: Channel, _ block: ChannelBlock, _ times: ChannelTimes
  ) -> Finding? {
    guard channel.isSensor, block.count >= ChannelTimes.fewestReadings else { return nil }
    let runs = runs(block)
    guard let longest = runs.max(by: { $0.count < $1.count }) else { return nil }
    if longest.count == block.count { return constant(channel, block, times) }
    guard channel.isInertial else { return nil }
    let frozen = runs.filter { run in
      let from = block.measuredTimes[run.lowerBound]
      return run.count >= longestRun
        && block.measuredTimes[run.upperBound - 1].subtractingClamped(from) >= longestTime
    }
    guard let first = frozen.first else { return nil }
    let readings = frozen.reduce(0) { $0 + $1.count }
    return Finding(
      "frozen", .warning, place: channel.name,
      start: TraceInstant(nanoseconds: block.measuredTimes[first.lowerBound]),
      end: TraceInstant(nanoseconds: block.measuredTimes[first.upperBound - 1]),
      count: readings,
      message: "\(counted(frozen.count, "stretch", "stretches")) of 1 s or more with identical "
        + "values on all axes, \(readings) readings "
        + "(\(percent(readings, of: block.count))), the longest \(longest.count) readings: the "
        + "sensor stopped, or the values were filled in.")
  }

  /// An accelerometer that never moves is broken; a position, a heading or a pressure may rest.
  private static func constant(
    _ channel: Channel, _ block: ChannelBlock, _ times: ChannelTimes
  ) -> Finding {
    Finding(
      "constant", channel.isInertial ? .error : .note, place: channel.name,
      start: times.sorted.first.map { TraceInstant(nanoseconds: $0) },
      end: times.sorted.last.map { TraceInstant(nanoseconds: $0) }, count: block.count,
      message: "All \(block.count) readings are identical: \(text(block)).")
  }

  /// Returns maximal runs of at least two equal values; NaN equals nothing.
  private static func runs(_ block: ChannelBlock) -> [Range<Int>] {
    switch block {
    case .vector(let columns):
      return runs(columns.range) { columns[$0] == columns[$1] }
    case .fix(let columns):
      return runs(columns.range) {
        columns[$0].latitude == columns[$1].latitude
          && columns[$0].longitude == columns[$1].longitude
      }
    case .local(let columns):
      return runs(columns.range) { columns.values[$0] == columns.values[$1] }
    case .scalar(let columns):
      return runs(columns.range) { columns[$0].value == columns[$1].value }
    case .heartbeat, .touch, .action: return []
    }
  }

  private static func runs(_ range: Range<Int>, isSame: (Int, Int) -> Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = range.lowerBound
    for position in range.dropFirst() where !isSame(position - 1, position) {
      if position - start > 1 { runs.append(start..<position) }
      start = position
    }
    if range.upperBound - start > 1 { runs.append(start..<range.upperBound) }
    return runs
  }

  private static func text(_ block: ChannelBlock) -> String {
    switch block.value(at: block.range.lowerBound) {
    case .vector(let value): "\(value.x), \(value.y), \(value.z)"
    case .fix(let fix): "\(fix.latitude), \(fix.longitude)"
    case .local(let position): "\(position.x), \(position.y)"
    case .scalar(let scalar): "\(scalar.value)"
    case .heartbeat, .touch, .action: ""
    }
  }
}
