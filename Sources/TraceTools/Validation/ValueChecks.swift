import TraceModel

enum MissingCheck {
  /// The percentage of readings above which missing ones are a warning.
  static let largeShare = 1

  static func finding(_ channel: Channel, _ block: ChannelBlock) -> Finding? {
    let missing = block.range.filter { isMissing(block, $0) }
    return block.finding(
      "missing-samples", missing.count * 100 > largeShare * block.count ? .warning : .note,
      of: channel.name, at: missing,
      "\(share(missing.count, of: block.count)) are missing (NaN).")
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
    case .touch(let columns): columns.values[position].x.isNaN || columns.values[position].y.isNaN
    case .heartbeat, .action: false
    }
  }
}

/// Finds channels with so many impossible values that a wrong unit is more likely than damage.
enum UnitCheck {
  /// The percentage of readings up to which broken values are repaired: see ``BrokenValueStep``.
  static let mostBroken = 1
  /// The number of broken readings that is always repaired, however short the recording.
  static let alwaysBroken = 3

  static func isDamage(_ broken: Int, of all: Int) -> Bool {
    broken <= max(alwaysBroken, all * mostBroken / 100)
  }

  /// - Parameter block: a channel whose broken values are not repaired.
  static func finding(_ channel: Channel, _ block: ChannelBlock) -> Finding? {
    let broken = BrokenValueStep.positions(channel, block)
    guard let first = broken.first else { return nil }
    return Finding(
      "wrong-unit", .error, place: channel.name,
      start: TraceInstant(nanoseconds: block.measuredTimes[first]), count: broken.count,
      message: "\(share(broken.count, of: block.count)) have impossible values"
        + "\(guess(channel)); convert again with the right unit.")
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

/// Finds codes that phones use for unknown values. They stay in the trace, because detectors are
/// measured on them.
enum InvalidCodeCheck {
  static func findings(_ fixes: FixColumns) -> [Finding] {
    let codes: [(String, KeyPath<Fix, Double>, Finding.Severity)] = [
      ("horizontal_accuracy", \.horizontalAccuracy, .warning), ("speed", \.speed, .note),
      ("speed_accuracy", \.speedAccuracy, .note), ("course", \.course, .note),
    ]
    return codes.compactMap { name, value, severity in
      let positions = fixes.range.filter { fixes.values[$0][keyPath: value] < 0 }
      let meaning = severity == .warning ? "the position is invalid" : "the value is unknown"
      return ChannelBlock.fix(fixes).finding(
        "invalid-values", severity, of: "location/\(name)", at: positions,
        "\(share(positions.count, of: fixes.count, "fixes")) have a negative \(name), "
          + "which on phones means that \(meaning).")
    }
  }
}
