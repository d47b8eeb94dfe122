internal import GSL
internal import Scoring
internal import TraceModel

struct Aligner {
  private let options: ClockAlignment.Options
  private let signal: AlignmentSignal
  private let rate: Double
  private let method: Interpolation.Method
  private let first: UniformSignal
  private let second: AlignmentSignal.Samples

  /// The largest grid, to limit memory: 3.8 days at 100 Hz.
  private static let mostTicks = 1 << 25

  init(_ a: Trace, _ b: Trace, _ options: ClockAlignment.Options) throws(TraceError) {
    self.options = options
    guard
      let signal = options.signal
        ?? AlignmentSignal.allCases.first(where: { $0.isIn(a) && $0.isIn(b) }),
      signal.isIn(a), signal.isIn(b)
    else {
      let found = [a, b].map { trace in
        let names = trace.header.channels.map(\.channel.name)
        return names.isEmpty ? "nothing" : names.joined(separator: ", ")
      }
      throw TraceError(
        place: "\(a.header.id) and \(b.header.id)",
        expected: "\(options.signal?.rawValue ?? "acceleration, rotation or speed") in both",
        found: found.joined(separator: " and "))
    }
    self.signal = signal
    // Speed between fixes is already a mean; sensor signals are smooth at their rate.
    method = signal == .speed ? .linear : .cubic
    let (one, other) = signal.samples(a, b)
    let rates = [one, other].compactMap { ChannelTiming(measuredTimes: $0.times).rate }
    guard rates.count == 2, let highest = rates.max() else {
      throw TraceError(
        place: "\(a.header.id) and \(b.header.id)", expected: "at least two readings in each",
        found: "\(one.times.count) and \(other.times.count)")
    }
    rate = options.rate ?? min(highest, 200)
    guard Resampling.rates.contains(rate) else {
      throw TraceError(
        place: "\(a.header.id) and \(b.header.id)",
        expected: "readings at \(Resampling.rates.lowerBound) Hz or more", found: "\(rate) Hz")
    }
    first = try UniformSignal(one, rate: rate, method: method, limit: Self.mostTicks)
    second = other
  }

  func run() throws -> ClockAlignment {
    let whole = try onGrid(shiftedBy: Line(height: 0, slope: 0, middle: 0))
    let known = min(
      first.values.count { $0.isFinite }, whole.values.count { $0.isFinite })
    let reach = options.largestOffset.map { Int64(min($0 * rate, 1e15).rounded(.up)) } ?? .max / 4
    let correlation = try MaskedCorrelation(
      first, whole, lags: -reach...reach, leastCommon: Double(known) / 3)
    guard let peak = correlation.peak() else {
      throw TraceError(
        place: "align", expected: "a correlation peak",
        found: correlation.values.contains { $0.isFinite }
          ? "a maximum at the edge of the search range"
          : "recordings with too little overlap",
        remedy: "check that they overlap in time, or pass a larger --max-offset")
    }
    var result = ClockAlignment(signal, rate: rate, peak: (peak.lag / rate, peak.value))
    let chance = try CorrelationChance(correlation, of: first, whole)
    result.probability = chance.probability(of: peak)
    if let other = correlation.secondPeak(beside: peak) {
      result.secondOffset = other.lag / rate
      result.secondCorrelation = other.value
      result.secondDistance = chance.distance(of: peak, above: other)
    }
    try refine(&result, start: peak.lag / rate)
    return result
  }

  /// A window's middle in seconds on the second trace's axis, and the offset that it finds.
  struct Window {
    var middle: Double
    var offset: Double
  }

  private func refine(_ result: inout ClockAlignment, start: Double) throws {
    var line = Line(height: start, slope: 0, middle: 0)
    var kept: [Window] = []
    for _ in 0..<2 {
      let (windows, count, length) = try self.windows(around: line)
      result.windows = count
      result.windowLength = length
      kept = Self.withoutOutliers(windows)
      guard let better = Line(through: kept, slopes: kept.count >= ClockAlignment.leastWindows)
      else { return }
      line = better
    }
    result.windowsUsed = kept.count
    result.middle = line.middle
    result.offset.value = line.height
    guard kept.count >= ClockAlignment.leastWindows else { return }
    result.drift = ClockAlignment.Estimate(value: line.slope * 1e6)
    try bootstrap(kept, line, &result)
  }

  /// Returns the offset that each window finds relative to `line`.
  private func windows(
    around line: Line
  ) throws -> (found: [Window], count: Int, length: Double) {
    let moved = try onGrid(shiftedBy: line)
    let low = max(first.start, moved.start)
    let high = min(first.start + Int64(first.values.count), moved.start + Int64(moved.values.count))
    guard low < high else { return ([], 0, 0) }
    let common = Double(high - low) / rate
    let base = signal == .speed ? 120.0 : 20.0
    // At least three windows, so that one jolt does not decide for a short recording.
    let length = max(min(base, common / 3), common / 60)
    let ticks = max(Int(length * rate), 3)
    // The effect of a clock that is 200 ppm wrong over half of the recording.
    let reach = Int64(((signal == .speed ? 15 : 0.5) + 1e-4 * common) * rate) + 3
    var found: [Window] = []
    var count = 0
    var start = low
    while start + Int64(ticks) <= high {
      defer { start += Int64(ticks) }
      let window = moved.slice(from: start, count: ticks)
      guard window.values.count(where: \.isFinite) * 2 > ticks else { continue }
      count += 1
      let around = first.slice(from: start - reach, count: ticks + 2 * Int(reach))
      let correlation = try MaskedCorrelation(
        around, window, lags: -reach...reach, leastCommon: Double(ticks) / 2)
      guard let peak = correlation.peak(), peak.value >= ClockAlignment.leastCorrelation else {
        continue
      }
      // On the first trace's axis; on the second's it is earlier by the line.
      let place = (Double(start) + Double(ticks) / 2) / rate
      let middle = line.source(of: place)
      found.append(Window(middle: middle, offset: line.value(at: middle) + peak.lag / rate))
    }
    return (found, count, length)
  }

  private func onGrid(shiftedBy line: Line) throws(TraceError) -> UniformSignal {
    var moved = second
    moved.times = second.times.map { time in
      let shift = Int64(nanosecondsFromSeconds: line.value(at: Double(time) / 1e9)) ?? 0
      return time.addingClamped(shift)
    }
    return try UniformSignal(moved, rate: rate, method: method, limit: Self.mostTicks)
  }

  /// Removes windows beyond four scaled median deviations from the median line, which are rare
  /// among good windows (Hampel's identifier).
  private static func withoutOutliers(_ windows: [Window]) -> [Window] {
    guard windows.count >= 3 else { return windows }
    var kept = windows
    for _ in 0..<3 {
      guard let line = Line(through: kept, slopes: kept.count >= ClockAlignment.leastWindows) else {
        return kept
      }
      // The height is the median, which one bad window does not move.
      let rests = windows.map { $0.offset - line.value(at: $0.middle) }
      let middle = median(rests)
      let spread = 1.4826 * median(rests.map { abs($0 - middle) })
      let next = zip(windows, rests).filter { abs($0.1 - middle) <= max(4 * spread, 1e-6) }
        .map(\.0)
      guard next.count >= 3, next.count != kept.count else { return next.count >= 3 ? next : kept }
      kept = next
    }
    return kept
  }

  private static func median(_ values: [Double]) -> Double { Sample.median(values) ?? 0 }

  private func bootstrap(
    _ windows: [Window], _ line: Line, _ result: inout ClockAlignment
  ) throws {
    var random = SeededGenerator(seed: options.seed)
    var heights: [Double] = []
    var slopes: [Double] = []
    for _ in 0..<options.resamples {
      let chosen = windows.indices.map { _ in
        windows[Int(random.next() % UInt64(windows.count))]
      }
      guard let drawn = Line(through: chosen, slopes: true) else { continue }
      heights.append(drawn.value(at: line.middle))
      slopes.append(drawn.slope * 1e6)
    }
    let n = Double(windows.count)
    guard
      let student = Distributions.studentQuantile(
        (1 + options.confidence) / 2, degreesOfFreedom: n - 2)
    else { return }
    // Φ(-x), the share that is excluded on either side.
    let share = Math.erfc((n / (n - 2)).squareRoot() * student / 2.0.squareRoot()) / 2
    result.offset.interval = Self.interval(heights, share)
    result.drift?.interval = Self.interval(slopes, share)
  }

  private static func interval(_ values: [Double], _ share: Double) -> ClosedRange<Double>? {
    let sorted = values.sorted()
    guard let low = Sample.quantile(share, ofSorted: sorted),
      let high = Sample.quantile(1 - share, ofSorted: sorted)
    else { return nil }
    return low...high
  }
}

/// An offset that changes linearly over time.
struct Line {
  /// The offset in seconds at `middle`.
  var height: Double
  /// The slope in seconds per second.
  var slope: Double
  /// The time in seconds at which the line has its height.
  var middle: Double

  init(height: Double, slope: Double, middle: Double) {
    self.height = height
    self.slope = slope
    self.middle = middle
  }

  /// Fits a line by least squares; level without `slopes`, and if all windows lie at one time. Nil
  /// without windows.
  init?(through windows: [Aligner.Window], slopes: Bool) {
    guard !windows.isEmpty else { return nil }
    let n = Double(windows.count)
    middle = windows.reduce(0) { $0 + $1.middle } / n
    height = windows.reduce(0) { $0 + $1.offset } / n
    var (products, squares) = (0.0, 0.0)
    for window in windows {
      products += (window.middle - middle) * (window.offset - height)
      squares += (window.middle - middle) * (window.middle - middle)
    }
    slope = slopes && squares > 0 ? products / squares : 0
  }

  func value(at time: Double) -> Double { height + slope * (time - middle) }

  /// Returns the time that the line maps to `time`.
  func source(of time: Double) -> Double { (time - height + slope * middle) / (1 + slope) }
}
