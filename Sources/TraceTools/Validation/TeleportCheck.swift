import Detectors
import TraceModel

/// Fixes between which nobody travels so fast.
///
/// A leg counts where it is fast by itself and beside what the recording does around it, so that a
/// train is no teleport and a jump in a walk is one.
enum TeleportCheck {
  /// m s-1: nobody has run as fast (12.3 is the record's peak).
  static let fastestOnFoot = 12.5
  /// Beside the median of the legs around, in time.
  static let factor = 5.0
  /// Nanoseconds either way.
  static let neighbourhood: Int64 = 30_000_000_000
  /// Legs either way, of which a median is steady: however many fixes fall into the time.
  static let mostNeighbours = 100
  /// m s-1: beyond it, no receiver works and no neighbours are asked.
  static let fastest = PlausibleRange.speed
  /// Metres: shorter jumps are the noise of a receiver between houses.
  static let shortestLeg = 30.0
  /// Nanoseconds: two fixes nearer than this are one moment, for which a speed means nothing.
  static let shortestTime: Int64 = 100_000_000

  static func findings(_ fixes: FixColumns, _ times: ChannelTimes) -> [Finding] {
    guard !times.areTooFew else { return [] }
    let legs = legs(fixes)
    let speeds = legs.map(\.speed)
    let jumps = legs.indices.filter { index in
      let leg = legs[index]
      guard leg.length >= shortestLeg, leg.speed > fastestOnFoot else { return false }
      return leg.speed > fastest || leg.speed > factor * usual(around: index, legs, speeds)
    }
    guard let first = jumps.first, let last = jumps.last,
      let worst = jumps.max(by: { legs[$0].speed < legs[$1].speed })
    else { return [] }
    let leg = legs[worst]
    return [
      Finding(
        "teleports", .warning, place: Channel.location.name,
        start: TraceInstant(nanoseconds: legs[first].start),
        end: TraceInstant(nanoseconds: legs[last].end), count: jumps.count,
        message: "\(counted(jumps.count, "jump")) faster than \(figure(fastestOnFoot, 1)) m/s and "
          + "\(figure(factor, 0)) times what is usual around; the worst: "
          + "\(figure(leg.length, 0)) m in \(interval(leg.end.subtractingClamped(leg.start))) "
          + "(\(figure(leg.speed, 0)) m/s) at \(seconds(leg.start)).")
    ]
  }

  private struct Leg {
    var start: Int64
    var end: Int64
    var length: Double
    var speed: Double
  }

  /// Between neighbouring fixes with a position, in the order of time.
  private static func legs(_ fixes: FixColumns) -> [Leg] {
    let positions = fixes.range
      .filter { position in
        let fix = fixes.values[position]
        return Geodesy.isValid(latitude: fix.latitude, longitude: fix.longitude)
          && !(fix.horizontalAccuracy < 0)
      }
      .sorted { (fixes.measuredTimes[$0], $0) < (fixes.measuredTimes[$1], $1) }
    return zip(positions, positions.dropFirst()).map { from, to in
      let (a, b) = (fixes.values[from], fixes.values[to])
      let length = Geodesy.distance(
        latitude: a.latitude, longitude: a.longitude, toLatitude: b.latitude,
        longitude: b.longitude)
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
    return median(Array(speeds[low..<max(low, high)])) ?? 0
  }
}
