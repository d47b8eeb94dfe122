import TraceModel

/// Readings that hold nothing.
enum MissingCheck {
  /// Of the readings, in %: more are a hole in what is measured.
  static let largeShare = 1

  static func findings(_ channel: Channel, _ block: ChannelBlock) -> [Finding] {
    let missing = block.range.filter { isMissing(block, $0) }
    guard let first = missing.first, let last = missing.last else { return [] }
    return [
      Finding(
        "missing-samples", missing.count * 100 > largeShare * block.count ? .warning : .note,
        place: channel.name, start: TraceInstant(nanoseconds: block.measuredTimes[first]),
        end: TraceInstant(nanoseconds: block.measuredTimes[last]), count: missing.count,
        message: "\(missing.count) of \(block.count) readings "
          + "(\(percent(missing.count, of: block.count))) are missing (NaN).")
    ]
  }

  private static func isMissing(_ block: ChannelBlock, _ position: Int) -> Bool {
    switch block {
    case .vector(let columns):
      columns.x[position].isNaN || columns.y[position].isNaN || columns.z[position].isNaN
    case .fix(let columns):
      columns.values[position].latitude.isNaN || columns.values[position].longitude.isNaN
    case .local(let columns):
      columns.values[position].x.isNaN || columns.values[position].y.isNaN
    case .scalar(let columns): columns.values[position].value.isNaN
    case .heartbeat, .action: false
    }
  }
}

/// Values so often beyond what a sensor gives that another unit is likelier than damage.
enum UnitCheck {
  /// Of the readings, in %. Up to it broken values are repaired: see ``BrokenValueStep``.
  static let mostBroken = 1
  /// However short the recording.
  static let alwaysBroken = 3

  /// Whether so many broken readings are damage.
  static func isDamage(_ broken: Int, of all: Int) -> Bool {
    broken <= max(alwaysBroken, all * mostBroken / 100)
  }

  /// - Parameter block: a channel whose broken values are not repaired.
  static func findings(_ channel: Channel, _ block: ChannelBlock) -> [Finding] {
    let broken = BrokenValueStep.positions(channel, block)
    guard let first = broken.first else { return [] }
    return [
      Finding(
        "wrong-unit", .error, place: channel.name,
        start: TraceInstant(nanoseconds: block.measuredTimes[first]), count: broken.count,
        message: "\(broken.count) of \(block.count) readings "
          + "(\(percent(broken.count, of: block.count))) hold what no sensor gives"
          + "\(guess(channel)): convert again with the right unit.")
    ]
  }

  private static func guess(_ channel: Channel) -> String {
    switch channel {
    case .rotationRate: ", which looks like deg/s recorded as rad/s"
    case .pressure: ", which looks like hPa recorded as Pa"
    case .acceleration, .userAcceleration: ", which looks like mg recorded as m/s2"
    default: ""
    }
  }
}

/// Codes by which a phone says that it does not know: kept, because what a detector makes of them
/// is what is measured.
enum InvalidCodeCheck {
  static func findings(_ fixes: FixColumns) -> [Finding] {
    let codes: [(String, KeyPath<Fix, Double>, Finding.Severity)] = [
      ("horizontal_accuracy", \.horizontalAccuracy, .warning), ("speed", \.speed, .note),
      ("speed_accuracy", \.speedAccuracy, .note), ("course", \.course, .note),
    ]
    return codes.compactMap { name, value, severity in
      let positions = fixes.range.filter { fixes.values[$0][keyPath: value] < 0 }
      guard let first = positions.first, let last = positions.last else { return nil }
      let meaning = severity == .warning ? "the position is not valid" : "not known"
      return Finding(
        "invalid-values", severity, place: "location/\(name)", start: fixes.measured(at: first),
        end: fixes.measured(at: last), count: positions.count,
        message: "\(positions.count) of \(fixes.count) fixes "
          + "(\(percent(positions.count, of: fixes.count))) state a \(name) below zero, which "
          + "phones mean as: \(meaning).")
    }
  }
}
