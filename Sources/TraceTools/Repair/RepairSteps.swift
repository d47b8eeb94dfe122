import TraceModel

/// Removes impossible values: the whole reading if its value or position is broken, otherwise only
/// the broken value. Does nothing if so many are broken that a wrong unit is more likely.
enum BrokenValueStep {
  /// Returns the positions of readings with a broken value, in ascending order.
  static func positions(_ channel: Channel, _ block: ChannelBlock) -> [Int] {
    switch block {
    case .vector(let columns):
      columns.range.filter { PlausibleRange.isBroken(columns[$0], of: channel) }
    case .scalar(let columns):
      columns.range.filter { PlausibleRange.isBroken(columns.values[$0], of: channel) }
    case .fix(let columns):
      columns.range.filter {
        let fix = columns.values[$0]
        return PlausibleRange.hasBrokenPosition(fix) || hasBrokenPart(fix)
      }
    case .local(let columns):
      columns.range.filter { PlausibleRange.isBroken(columns.values[$0]) }
    // Without one of its touches, a drag would never end: `validate` reports them.
    case .heartbeat, .touch, .action: []
    }
  }

  static func apply(to block: inout ChannelBlock, of channel: Channel) -> Finding? {
    let broken = positions(channel, block)
    guard let first = broken.first, UnitCheck.isDamage(broken.count, of: block.count) else {
      return nil
    }
    let (start, end) = block.times(of: broken)
    let example = text(block, first)
    let repair: String
    if case .fix(let columns) = block {
      let positionless = broken.filter {
        PlausibleRange.hasBrokenPosition(columns.values[$0])
      }
      block = .fix(clearing(columns, at: broken)).leavingOut(positionless)
      repair =
        "removes \(counted(positionless.count, "fix", "fixes")) and clears the impossible values of "
        + "\(broken.count - positionless.count)"
    } else {
      block = block.leavingOut(broken)
      repair = "removes \(counted(broken.count, "reading"))"
    }
    return Finding(
      "broken-values", .error, place: channel.name, start: start, end: end, count: broken.count,
      message: "\(counted(broken.count, "reading")) with impossible values, the first: "
        + "\(example).", repair: repair)
  }

  private static func hasBrokenPart(_ fix: Fix) -> Bool {
    // A missing value is NaN before and after.
    zip(fix.numbers, PlausibleRange.withoutBrokenValues(fix).numbers)
      .contains { !$0.isNaN && $1.isNaN }
  }

  private static func clearing(_ columns: FixColumns, at positions: [Int]) -> FixColumns {
    var values = columns.values
    for position in positions {
      values[position] = PlausibleRange.withoutBrokenValues(values[position])
    }
    return FixColumns(times: columns.times, values: values)[columns.range]
  }

  private static func text(_ block: ChannelBlock, _ position: Int) -> String {
    switch block.value(at: position) {
    case .vector(let value): "\(value.x), \(value.y), \(value.z)"
    case .scalar(let scalar): "\(scalar.value)"
    case .fix(let fix):
      "\(fix.latitude), \(fix.longitude), altitude \(fix.altitude), accuracy "
        + "\(fix.horizontalAccuracy), speed \(fix.speed), course \(fix.course)"
    case .local(let position): "\(position.x), \(position.y)"
    case .heartbeat, .touch, .action: ""
    }
  }
}

/// Removes fixes at latitude 0, longitude 0, which receivers use for "none", from a recording made
/// elsewhere.
enum NullPositionStep {
  /// The distance from 0, 0 in degrees, about a decimetre: a true fix in the Gulf of Guinea does
  /// not hit it by chance.
  static let nearest = 1e-6
  /// The distance in degrees within which most fixes of a recording made near 0, 0 lie.
  static let near = 1.0

  static func apply(to block: inout ChannelBlock) -> Finding? {
    guard case .fix(let columns) = block else { return nil }
    let null = columns.range.filter { isNull(columns.values[$0]) }
    let around = columns.range.count { isWithin(near, columns.values[$0]) }
    guard !null.isEmpty, around * 2 < columns.count else { return nil }
    let (start, end) = block.times(of: null)
    block = block.leavingOut(null)
    return Finding(
      "null-position", .warning, place: Channel.location.name, start: start, end: end,
      count: null.count,
      message:
        "\(counted(null.count, "fix", "fixes")) of \(columns.count) at latitude 0, longitude "
        + "0, far from the others: not positions.",
      repair: "removes \(counted(null.count, "fix", "fixes"))")
  }

  /// Whether a fix has the coordinates that receivers use for "none".
  static func isNull(_ fix: Fix) -> Bool { isWithin(nearest, fix) }

  private static func isWithin(_ degrees: Double, _ fix: Fix) -> Bool {
    abs(fix.latitude) <= degrees && abs(fix.longitude) <= degrees
  }
}

/// Removes readings that are bit-identical copies of an earlier one at the same time and keeps the
/// first. Impossible values are ignored in the comparison, because their repair must not create new
/// copies.
enum DuplicateStep {
  static func apply(to block: inout ChannelBlock, of channel: Channel) -> Finding? {
    guard channel.isSensor else { return nil }
    let copies = copies(in: block)
    guard !copies.isEmpty else { return nil }
    let (start, end) = block.times(of: copies)
    let all = block.count
    block = block.leavingOut(copies)
    return Finding(
      "duplicated-readings", .warning, place: channel.name, start: start, end: end,
      count: copies.count,
      message: "\(counted(copies.count, "reading")) of \(all) (\(percent(copies.count, of: all))) "
        + "\(copies.count == 1 ? "is a copy" : "are copies") of an earlier reading at the same time.",
      repair: "removes \(counted(copies.count, "copy", "copies"))")
  }

  /// The positions in ascending order.
  private static func copies(in block: ChannelBlock) -> [Int] {
    let times = block.measuredTimes
    let isInOrder = block.range.dropFirst().allSatisfy { times[$0 - 1] <= times[$0] }
    let order =
      isInOrder ? Array(block.range) : block.range.sorted { (times[$0], $0) < (times[$1], $1) }
    var copies: [Int] = []
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, times[order[end]] == times[order[start]] { end += 1 }
      if end - start > 1 {
        var seen: Set<[UInt64]> = []
        copies += order[start..<end].filter { !seen.insert(bits(block.value(at: $0))).inserted }
      }
      start = end
    }
    return copies.sorted()
  }

  /// A key that is equal for bit-identical values.
  private static func bits(_ value: Reading.Value) -> [UInt64] {
    switch value {
    case .vector(let vector):
      [vector.x, vector.y, vector.z].map { UInt64($0.bitPattern) }
    // Missing values have one key, although NaN has many bit patterns.
    case .fix(let fix):
      PlausibleRange.withoutBrokenValues(fix).numbers
        .map { $0.isNaN ? Double.nan.bitPattern : $0.bitPattern }
    case .local(let position): [position.x.bitPattern, position.y.bitPattern]
    case .scalar(let scalar): [scalar.value.bitPattern, scalar.accuracy.bitPattern]
    case .heartbeat(let beat):
      [UInt64(bitPattern: Int64(beat.peer)), UInt64(bitPattern: beat.sequence)]
    case .touch(let touch):
      [
        touch.x.bitPattern, touch.y.bitPattern, UInt64(bitPattern: Int64(touch.phase.rawValue)),
        UInt64(bitPattern: Int64(touch.pointer)),
      ]
    case .action(let action): [UInt64(bitPattern: Int64(action.rawValue))]
    }
  }
}

/// Sorts readings by arrival (stable).
enum OrderStep {
  static func apply(to block: inout ChannelBlock, of channel: Channel) -> Finding? {
    let times = block.arrivals
    let backward = block.range.dropFirst().filter { times[$0] < times[$0 - 1] }
    guard let first = backward.first else { return nil }
    let (start, end) = block.times(of: backward)
    let back = backward.map { times[$0 - 1].subtractingClamped(times[$0]) }.max() ?? 0
    block = block.gathering(block.range.sorted { (times[$0], $0) < (times[$1], $1) })
    return Finding(
      "backward-times", .error, place: channel.name, start: start, end: end,
      count: backward.count,
      message: "\(counted(backward.count, "reading")) earlier than the previous one, by up to "
        + "\(interval(back)), the first after \(seconds(times[first - 1])).",
      repair: "sorts the readings")
  }
}

/// Separates different readings at one time: spreads them evenly over the time to the next reading,
/// by at most one period each. The first one keeps its time.
///
/// This invents times, so it is done only on request. It skips channels with arrival times, whose
/// readings would be measured after they arrived, and channels with too few times for a period.
enum SpreadStep {
  static func apply(to block: inout ChannelBlock, of channel: Channel) -> Finding? {
    let times = ChannelTimes(channel, block)
    guard channel.isSensor, block.arrivedTimes == nil, !times.areTooFew, let period = times.period
    else { return nil }
    var spread = Array(block.measuredTimes[block.range])
    var moved: [Int] = []
    var start = 0
    while start < spread.count {
      var end = start + 1
      while end < spread.count, spread[end] == spread[start] { end += 1 }
      let count = Int64(end - start)
      let next = end < spread.count ? spread[end] : Int64.max
      let room = min(next.subtractingClamped(spread[start]) / count, period)
      if count > 1, room > 0 {
        for (index, position) in (start + 1..<end).enumerated() {
          spread[position] = spread[start].addingClamped(Int64(index + 1) * room)
          moved.append(block.range.lowerBound + position)
        }
      }
      start = end
    }
    guard !moved.isEmpty else { return nil }
    let (from, to) = block.times(of: moved)
    block = block.gathering(Array(block.range), times: TimeColumns(measured: spread))
    return Finding(
      "duplicated-times", .warning, place: channel.name, start: from, end: to, count: moved.count,
      message: "\(counted(moved.count, "reading")) at the time of the previous one.",
      repair: "moves \(counted(moved.count, "reading")) towards the next one, by at most "
        + "\(interval(period)) each")
  }
}

/// Moves a trace's end to its last reading if the end is earlier, or implausibly late.
enum EndStep {
  static func apply(to trace: inout Trace) -> Finding? {
    let end = trace.header.end
    guard let latest = trace.latestReading, latest > end.nanoseconds else { return limited(&trace) }
    trace.header.end = TraceInstant(nanoseconds: latest)
    return Finding(
      "end-before-last-reading", .error, place: "header", start: end,
      end: TraceInstant(nanoseconds: latest),
      message:
        "The header states an end at \(seconds(end.nanoseconds)), but the last reading is at "
        + "\(seconds(latest)).",
      repair: "moves the end to the last reading")
  }

  private static func limited(_ trace: inout Trace) -> Finding? {
    let (end, plausible) = (trace.header.end, trace.plausibleEnd)
    guard plausible != end else { return nil }
    trace.header.end = plausible
    return Finding(
      "end-far-beyond-last-reading", .error, place: "header", start: plausible, end: end,
      message:
        "The header states an end at \(seconds(end.nanoseconds)), but the last reading is at "
        + "\(seconds(plausible.nanoseconds)): the time after it counts as no recorded time.",
      repair: "moves the end to the last reading")
  }
}
