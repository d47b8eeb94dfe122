public import TraceModel

/// The stretches of a recording in which the sensor moves.
///
/// The signal is cut into parts of a quarter of a second. The deviation of a part is that of its
/// magnitude; the tenth percentile over all parts is the quiet level of the recording. A part moves
/// if its deviation is above three times that level, but at least ``least`` and at most ``most``.
/// Parts with less than ``longestPause`` between them are one stretch.
///
/// Feed the readings in any order; memory grows with the recorded time, not with the readings.
public struct Movement: Sendable {
  /// The length of a part, in ns.
  public static let part: Int64 = 250_000_000
  /// In m s-2, above the noise of an accelerometer at rest, which is a few hundredths.
  public static let least = 0.2
  /// In m s-2, movement even in a recording without a quiet part: a walk has one to three.
  public static let most = 1.0
  /// The longest pause within a stretch, in ns.
  public static let longestPause: Int64 = 1_000_000_000
  /// The minimum number of readings for the deviation of a part.
  private static let fewest = 3

  /// The sums of one part, by Welford's recurrence (Technometrics 4, 1962).
  private struct Part {
    var number: Int64
    var count = 0.0
    var mean = 0.0
    var squares = 0.0

    mutating func add(_ magnitude: Double) {
      count += 1
      let difference = magnitude - mean
      mean += difference / count
      squares += difference * (magnitude - mean)
    }

    var deviation: Double? {
      count >= Double(Movement.fewest) ? (squares / (count - 1)).squareRoot() : nil
    }
  }

  private var parts: [Part] = []

  public init() {}

  /// Uses the user acceleration, or else the acceleration; nil without both.
  public init?(_ trace: Trace) {
    guard let block = trace[.userAcceleration] ?? trace[.acceleration],
      let columns = VectorColumns(block)
    else { return nil }
    let (times, x, y, z) = (columns.times.measured, columns.x, columns.y, columns.z)
    for index in columns.range {
      add(Vector3(x: x[index], y: y[index], z: z[index]), at: times[index])
    }
  }

  /// Adds a reading; one that is not finite is left out.
  /// - Parameter time: in ns.
  public mutating func add(_ reading: Vector3, at time: Int64) {
    let (x, y, z) = (Double(reading.x), Double(reading.y), Double(reading.z))
    let magnitude = (x * x + y * y + z * z).squareRoot()
    guard magnitude.isFinite, time >= 0 else { return }
    let number = time / Self.part
    if parts.last?.number != number { parts.append(Part(number: number)) }
    parts[parts.count - 1].add(magnitude)
  }

  /// In ns, ascending and disjoint; nil if fewer than half of the parts have enough readings.
  public var stretches: [Range<Int64>]? {
    let known = parts.compactMap { part in part.deviation.map { (part.number, $0) } }
    guard !known.isEmpty, 2 * known.count >= parts.count else { return nil }
    let sorted = known.map(\.1).sorted()
    let quiet = sorted[sorted.count / 10]
    let limit = min(max(3 * quiet, Self.least), Self.most)
    let moving = known.filter { $0.1 > limit }.map { $0.0 }.sorted()
    var stretches: [Range<Int64>] = []
    for number in moving {
      let start = number.multipliedReportingOverflow(by: Self.part).partialValue
      let end = start.addingClamped(Self.part)
      if let last = stretches.last, start - last.upperBound < Self.longestPause {
        stretches[stretches.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else {
        stretches.append(start..<end)
      }
    }
    return stretches
  }
}
