import TraceModel

/// Takes out what no sensor gives: the reading where its value or its position is broken, else the
/// broken value alone. Does nothing where so much is broken that another unit is likelier.
enum BrokenValueStep {
  /// Where a reading holds a broken value, ascending.
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
    case .heartbeat, .action: []
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
        "leaves out \(counted(positionless.count, "fix", "fixes")) and takes the broken values out "
        + "of \(broken.count - positionless.count)"
    } else {
      block = block.leavingOut(broken)
      repair = "leaves out \(counted(broken.count, "reading"))"
    }
    return Finding(
      "broken-values", .error, place: channel.name, start: start, end: end, count: broken.count,
      message: "\(counted(broken.count, "reading")) with what no sensor gives, the first: "
        + "\(example).", repair: repair)
  }

  private static func hasBrokenPart(_ fix: Fix) -> Bool {
    // A value that was not given is NaN before and after.
    func isChanged(_ value: KeyPath<Fix, Double>) -> Bool {
      !fix[keyPath: value].isNaN
        && PlausibleRange.withoutBrokenValues(fix)[keyPath: value].isNaN
    }
    return isChanged(\.altitude) || isChanged(\.horizontalAccuracy) || isChanged(\.speed)
      || isChanged(\.speedAccuracy) || isChanged(\.course)
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
    case .heartbeat, .action: ""
    }
  }
}

/// Leaves out fixes at latitude 0, longitude 0, which receivers state for "none", in a recording
/// that was made elsewhere.
enum NullPositionStep {
  /// Degrees, a decimetre: a true fix in the Gulf of Guinea hits it not even by chance.
  static let nearest = 1e-6
  /// Degrees: a recording with most of its fixes so near was made there.
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
        + "0, far from the others: no position.",
      repair: "leaves out \(counted(null.count, "fix", "fixes"))")
  }

  /// Whether a fix states what receivers state for "none".
  static func isNull(_ fix: Fix) -> Bool { isWithin(nearest, fix) }

  private static func isWithin(_ degrees: Double, _ fix: Fix) -> Bool {
    abs(fix.latitude) <= degrees && abs(fix.longitude) <= degrees
  }
}

/// Leaves out readings that were measured at the time of an earlier one and are its copy to the last
/// bit, values that no receiver gives aside: the repair of those must not make new copies. The first
/// of them stays.
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
        + "\(copies.count == 1 ? "is a copy" : "are copies") of another of the same time.",
      repair: "leaves out \(counted(copies.count, "copy", "copies"))")
  }

  /// Ascending.
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

  /// Equal for values that are the same to the last bit.
  private static func bits(_ value: Reading.Value) -> [UInt64] {
    switch value {
    case .vector(let vector):
      [vector.x, vector.y, vector.z].map { UInt64($0.bitPattern) }
    case .fix(let fix): bits(PlausibleRange.withoutBrokenValues(fix))
    case .local(let position): [position.x.bitPattern, position.y.bitPattern]
    case .scalar(let scalar): [scalar.value.bitPattern, scalar.accuracy.bitPattern]
    case .heartbeat(let beat):
      [UInt64(bitPattern: Int64(beat.peer)), UInt64(bitPattern: beat.sequence)]
    case .action(let action): [UInt64(bitPattern: Int64(action.rawValue))]
    }
  }

  /// What is not given is so in one way: NaN has many bit patterns.
  private static func bits(_ fix: Fix) -> [UInt64] {
    [
      fix.latitude, fix.longitude, fix.altitude, fix.horizontalAccuracy, fix.speed,
      fix.speedAccuracy, fix.course,
    ].map { $0.isNaN ? Double.nan.bitPattern : $0.bitPattern }
  }
}

/// Puts readings into the order of their arrival; those that arrived together keep theirs.
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
      message: "\(counted(backward.count, "reading")) before the time of the reading before, by up "
        + "to \(interval(back)), the first after \(seconds(times[first - 1])).",
      repair: "puts the readings in order")
  }
}

/// Moves different readings of one time apart: evenly over the time to the next reading, at most
/// over a period each. The first of them keeps its time.
///
/// This invents times, so it is done only when asked; not on a channel with arrival times, whose
/// readings would be measured after they arrived, nor on one with too few times to have a period.
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
      message: "\(counted(moved.count, "reading")) at the time of the reading before.",
      repair: "moves \(counted(moved.count, "reading")) towards the next, by at most "
        + "\(interval(period)) each")
  }
}

/// Moves a trace's end to its last reading where it lies before it.
enum EndStep {
  static func apply(to trace: inout Trace) -> Finding? {
    let latest = trace.header.channels.compactMap { trace[$0.channel] }
      .flatMap { [$0.measuredTimes[$0.range].max(), $0.arrivals[$0.range].max()] }
      .compactMap(\.self).max()
    let end = trace.header.end
    guard let latest, latest > end.nanoseconds else { return nil }
    trace.header.end = TraceInstant(nanoseconds: latest)
    return Finding(
      "end-before-last-reading", .error, place: "header", start: end,
      end: TraceInstant(nanoseconds: latest),
      message: "The recording is stated to end at \(seconds(end.nanoseconds)), its last reading is "
        + "of \(seconds(latest)).",
      repair: "moves the end to the last reading")
  }
}
