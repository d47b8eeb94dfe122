import Detectors
import TraceModel

/// Finds jumps between fixes that are too fast to be real.
///
/// A leg counts if it is fast both in absolute terms and compared with the legs around it, so that
/// a train ride does not count and a jump in a walk does.
enum TeleportCheck {
  /// The speed limit on foot in m s-1; the peak of the world record is 12.3.
  static let fastestOnFoot = 12.5
  /// The factor over the median speed of the surrounding legs.
  static let factor = 5.0
  /// The surroundings in nanoseconds, before and after.
  static let neighbourhood: Int64 = 30_000_000_000
  /// The largest number of legs before and after: enough for a stable median, however many fixes
  /// fall into the time.
  static let mostNeighbours = 100
  /// The speed in m s-1 above which receivers do not work; a faster leg always counts.
  static let fastest = PlausibleRange.speed
  /// The shortest jump in metres; shorter ones are noise between buildings.
  static let shortestLeg = 30.0
  /// The shortest interval in nanoseconds for which a speed is meaningful.
  static let shortestTime: Int64 = 100_000_000

  static func finding(_ fixes: FixColumns, _ times: ChannelTimes) -> Finding? {
    guard !times.areTooFew else { return nil }
    let legs = legs(fixes)
    let speeds = legs.map(\.speed)
    let jumps = legs.indices.filter { index in
      let leg = legs[index]
      guard leg.length >= shortestLeg, leg.speed > fastestOnFoot else { return false }
      return leg.speed > fastest || leg.speed > factor * usual(around: index, legs, speeds)
    }
    guard let first = jumps.first, let last = jumps.last,
      let worst = jumps.max(by: { legs[$0].speed < legs[$1].speed })
    else { return nil }
    let leg = legs[worst]
    return Finding(
      "teleports", .warning, place: Channel.location.name,
      start: TraceInstant(nanoseconds: legs[first].start),
      end: TraceInstant(nanoseconds: legs[last].end), count: jumps.count,
      message: "\(counted(jumps.count, "jump")) faster than \(figure(fastestOnFoot, 1)) m/s and "
        + "\(figure(factor, 0)) times the usual speed nearby; the worst: "
        + "\(figure(leg.length, 0)) m in \(interval(leg.end.subtractingClamped(leg.start))) "
        + "(\(figure(leg.speed, 0)) m/s) at \(seconds(leg.start)).")
  }

  private struct Leg {
    var start: Int64
    var end: Int64
    var length: Double
    var speed: Double
  }

  /// Returns the legs between neighbouring fixes with a position, in the order of time.
  private static func legs(_ fixes: FixColumns) -> [Leg] {
    let positions = fixes.range
      .filter { fixes.values[$0].isPosition }
      .sorted { (fixes.measuredTimes[$0], $0) < (fixes.measuredTimes[$1], $1) }
    return zip(positions, positions.dropFirst()).map { from, to in
      let (a, b) = (fixes.values[from], fixes.values[to])
      let length = Position(a).distance(to: Position(b))
      let (start, end) = (fixes.measuredTimes[from], fixes.measuredTimes[to])
      let elapsed = max(end.subtractingClamped(start), shortestTime)
      return Leg(start: start, end: end, length: length, speed: length / Double(elapsed) * 1e9)
    }
  }

  private static func usual(around index: Int, _ legs: [Leg], _ speeds: [Double]) -> Double {
    let from = legs[index].start.subtractingClamped(neighbourhood)
    let to = legs[index].end.addingClamped(neighbourhood)
    let low = max(legs.partitioningIndex { $0.end >= from }, index - mostNeighbours)
    let high = min(legs.partitioningIndex { $0.start > to }, index + mostNeighbours + 1)
    return Sample.median(Array(speeds[low..<max(low, high)])) ?? 0
  }
}
