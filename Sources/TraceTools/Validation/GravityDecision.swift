import Scoring
package import TraceModel

/// Whether an acceleration channel includes gravity, judged from its readings and compared with
/// what the file states.
///
/// The mean vector of a window in which the device is still is gravity, or zero if gravity was
/// removed. A window is still up to a certain spread. A recording without enough still windows is
/// judged by its quietest tenth: over a second even the accelerations of a moving hand nearly
/// cancel.
package struct GravityDecision: Sendable, Hashable {
  package enum Verdict: String, Sendable, Hashable, CaseIterable, Codable {
    case included, removed, unclear
    /// The readings look like g, not m s-2.
    case includedInG = "included, in g"
  }

  package let channel: Channel
  /// The statement of the channel's name.
  package let stated: Verdict
  package let found: Verdict
  /// The median over the windows of the magnitude of the mean vector, in m s-2; nil = too few
  /// windows.
  package let restingMagnitude: Double?
  /// The 95 % interval of the median in m s-2, by order statistics; nil = too few windows.
  package let interval: ClosedRange<Double>?
  /// The number of windows that were used, and of all windows.
  package let windowsUsed: Int
  package let windows: Int
  /// Whether the windows are still; otherwise they are the quietest tenth.
  package let isAtRest: Bool

  /// The length of a window in nanoseconds, if it then has enough readings.
  static let windowLength: Int64 = 1_000_000_000
  static let fewestReadings = 8
  static let fewestWindows = 5
  /// The largest spread of a still window in m s-2 (root of the summed variances); walking has 2 or
  /// more.
  static let stillSpread = 0.5
  /// The spread in m s-2 above which the quietest tenth is not at rest.
  static let busySpread = 5.0
  /// The range around gravity in m s-2: uncalibrated sensors are off by up to 0.8, windows with
  /// movement by 2.
  static let included = 7.0...13.0
  /// The largest mean over a second, in m s-2, after a phone removed gravity from the data of a
  /// moving hand.
  static let largestRemoved = 3.0
  /// The range of gravity in g, and the largest spread of a window as a share of its magnitude.
  static let oneG = 0.9...1.1
  static let stillShareOfG = 0.1

  /// Creates the decision; nil = the channel is not an acceleration, or has no readings. O(n log
  /// n).
  package init?(_ channel: Channel, _ block: ChannelBlock) {
    guard channel == .acceleration || channel == .userAcceleration,
      let columns = VectorColumns(block), !columns.isEmpty
    else { return nil }
    self.channel = channel
    stated = channel == .acceleration ? .included : .removed
    let all = GravityDecision.windows(columns)
    windows = all.count
    let still = all.filter { $0.spread <= Self.stillSpread }
    isAtRest = still.count >= Self.fewestWindows
    let quietest = all.sorted { $0.spread < $1.spread }
      .prefix(max(Self.fewestWindows, all.count / 10))
    let used = isAtRest ? still : Array(quietest)
    windowsUsed = used.count
    guard used.count >= Self.fewestWindows, let magnitude = Sample.median(used.map(\.magnitude))
    else {
      (found, restingMagnitude, interval) = (.unclear, nil, nil)
      return
    }
    restingMagnitude = magnitude
    let bounds = GravityDecision.bounds(used.map(\.magnitude).sorted())
    interval = bounds
    found = GravityDecision.verdict(magnitude, bounds, used)
  }

  private static func verdict(
    _ magnitude: Double, _ bounds: ClosedRange<Double>, _ used: [Window]
  ) -> Verdict {
    let steady = used.filter { $0.spread <= stillShareOfG * $0.magnitude }
    if oneG.contains(magnitude), oneG.contains(bounds.lowerBound), oneG.contains(bounds.upperBound),
      steady.count * 2 > used.count
    {
      return .includedInG
    }
    guard let spread = Sample.median(used.map(\.spread)), spread <= busySpread else {
      return .unclear
    }
    if included.contains(bounds.lowerBound), included.contains(bounds.upperBound) {
      return .included
    }
    return bounds.upperBound <= largestRemoved ? .removed : .unclear
  }

  /// Returns the interval of the median; the whole range for few values.
  private static func bounds(_ sorted: [Double]) -> ClosedRange<Double> {
    let all = 1...sorted.count
    let ranks = Distributions.quantileRanks(of: sorted.count, fraction: 0.5, level: 0.95) ?? all
    return sorted[ranks.lowerBound - 1]...sorted[ranks.upperBound - 1]
  }

  private struct Window {
    var spread: Double
    var magnitude: Double
  }

  private static func windows(_ columns: VectorColumns) -> [Window] {
    let period = ChannelTiming(measuredTimes: columns.measuredTimes[columns.range]).medianInterval
    let enough = (period ?? 0).multipliedReportingOverflow(by: Int64(fewestReadings) * 2)
    let length = max(windowLength, enough.overflow ? .max : enough.partialValue)
    var windows: [Window] = []
    var sums = Sums()
    for position in columns.range {
      let time = columns.measuredTimes[position]
      if sums.count > 0, time < sums.start || time.subtractingClamped(sums.start) >= length {
        if let window = sums.window { windows.append(window) }
        sums = Sums()
      }
      sums.add(columns[position], time)
    }
    if let window = sums.window { windows.append(window) }
    return windows
  }

  /// The sums over the readings of a window, without NaN.
  private struct Sums {
    var start: Int64 = 0
    var count = 0
    // Deviations from the first reading, so that little is lost in the squares.
    private var origin = SIMD3<Double>.zero
    private var sum = SIMD3<Double>.zero
    private var squares = 0.0

    mutating func add(_ value: Vector3, _ time: Int64) {
      guard value.x.isFinite, value.y.isFinite, value.z.isFinite else { return }
      let force = SIMD3(Double(value.x), Double(value.y), Double(value.z))
      if count == 0 { (start, origin) = (time, force) }
      sum += force - origin
      squares += squared(force - origin)
      count += 1
    }

    var window: Window? {
      guard count >= GravityDecision.fewestReadings else { return nil }
      let mean = sum / Double(count)
      let variance = max(0, squares / Double(count) - squared(mean))
      return Window(
        spread: variance.squareRoot(), magnitude: squared(origin + mean).squareRoot())
    }

    private func squared(_ vector: SIMD3<Double>) -> Double {
      vector.x * vector.x + vector.y * vector.y + vector.z * vector.z
    }
  }
}

extension GravityDecision {
  /// The reason for the decision, one sentence without a full stop.
  package var reason: String {
    guard let restingMagnitude, let interval else {
      return "\(counted(windows, "window")) of 1 s are too few to decide"
    }
    let which = isAtRest ? "still" : "quietest"
    return "a median of \(figure(restingMagnitude, 2)) m/s2 (95 % interval "
      + "\(figure(interval.lowerBound, 2)) to \(figure(interval.upperBound, 2))) over "
      + "\(windowsUsed) \(which) windows of \(windows)"
  }

  static func finding(_ channel: Channel, _ block: ChannelBlock) -> Finding? {
    guard let decision = GravityDecision(channel, block), decision.found != .unclear,
      decision.found != decision.stated
    else { return nil }
    let statement = "The channel states that gravity is \(decision.stated.rawValue), but "
    if decision.found == .includedInG {
      return Finding(
        "wrong-unit", .error, place: channel.name, count: block.count,
        message: statement + "its readings at rest are about 1, with \(decision.reason): "
          + "they look like g recorded as m/s2.")
    }
    return Finding(
      "gravity-mismatch", .error, place: channel.name, count: block.count,
      message: statement + "its readings show that it is \(decision.found.rawValue): "
        + "\(decision.reason).")
  }
}
