internal import GSL
internal import TraceModel

/// Ticks at the multiples of a period from the trace's zero.
struct TickGrid {
  /// The period in nanoseconds.
  let period: Double
  private let wholePeriod: Int64?

  init(rate: Double) {
    period = 1e9 / rate
    wholePeriod = Int64(exactly: period)
  }

  func time(of tick: Int64) -> Int64 {
    if let wholePeriod {
      let (time, overflow) = tick.multipliedReportingOverflow(by: wholePeriod)
      return overflow ? (tick < 0 ? .min : .max) : time
    }
    return Int64(exactly: (Double(tick) * period).rounded()) ?? (tick < 0 ? .min : .max)
  }

  func first(notBefore time: Int64) -> Int64 {
    var tick = Int64((Double(time) / period).rounded(.down)) - 1
    while self.time(of: tick) < time { tick += 1 }
    return tick
  }

  func last(notAfter time: Int64) -> Int64 {
    var tick = Int64((Double(time) / period).rounded(.up)) + 1
    while self.time(of: tick) > time { tick -= 1 }
    return tick
  }
}

/// The ticks of a channel that get a value, and the readings that they depend on.
struct ResamplingPlan {
  struct Piece {
    /// The range of knots that the curve is fitted to.
    var knots: Range<Int>
    var ticks: Range<Int64>
    var isGap = false
  }

  /// The largest ratio of rates: the low-pass has 19 times as many weights on each side.
  private static let largestFactor = 100_000.0

  let grid: TickGrid
  private(set) var pieces: [Piece] = []
  private let filter: AntiAliasFilter?
  private var result: Resampling.Outcome

  /// - Parameter times: strictly increasing.
  init(
    _ step: Resampling, _ times: [Int64], of channel: Channel, isFiltered: Bool
  ) throws(TraceError) {
    grid = TickGrid(rate: step.rate)
    let timing = ChannelTiming(measuredTimes: times)
    let median = timing.medianInterval ?? 0
    let (tenMedians, overflow) = median.multipliedReportingOverflow(by: 10)
    let limit = step.maximumGap?.nanoseconds ?? max(overflow ? .max : tenMedians, 200_000_000)
    // A clock that runs slightly fast does not count as a higher rate.
    let factor = (timing.rate ?? 0) / step.rate
    let isLowered = isFiltered && factor > 1.05
    guard !isLowered || factor <= Self.largestFactor else {
      throw TraceError(
        place: channel.name, expected: "at least 1/\(Int(Self.largestFactor)) of the original rate",
        found: "\(step.rate) Hz of \(timing.rate ?? 0) Hz",
        remedy: "resample in two steps, or pass --no-anti-alias")
    }
    filter = isLowered ? AntiAliasFilter(factor: Int(factor.rounded(.up))) : nil
    result = Resampling.Outcome(
      block: ChannelBlock(emptyFor: channel),
      name: Self.name(of: step, limit: limit, isFiltered: filter != nil), rateBefore: timing.rate)
    findPieces(times, limit: limit, fills: step.fillsGaps)
    try requireSpace(channel, times.count)
  }

  private static func name(of step: Resampling, limit: Int64, isFiltered: Bool) -> String {
    "\(step.method.rawValue) to \(step.rate) Hz, gaps over \(Double(limit) / 1e9) s "
      + (step.fillsGaps ? "filled with straight lines" : "kept")
      + (isFiltered ? ", \(AntiAliasFilter.name)" : "")
  }

  private mutating func findPieces(_ times: [Int64], limit: Int64, fills: Bool) {
    var start = 0
    for index in times.indices {
      let isLast = index == times.count - 1
      guard isLast || times[index + 1].subtractingClamped(times[index]) > limit else { continue }
      let first = grid.first(notBefore: times[start])
      let last = grid.last(notAfter: times[index])
      if first <= last { pieces.append(Piece(knots: start..<index + 1, ticks: first..<last + 1)) }
      if first > last { result.isolated += index + 1 - start }
      guard !isLast else { return }
      result.gaps.append(times[index]..<times[index + 1])
      let inside = last + 1..<max(grid.first(notBefore: times[index + 1]), last + 1)
      if fills, !inside.isEmpty {
        pieces.append(Piece(knots: index..<index + 2, ticks: inside, isGap: true))
        result.filled = Int(Int64(result.filled).addingClamped(Int64(inside.count)))
      }
      start = index + 1
    }
  }

  private func requireSpace(_ channel: Channel, _ readings: Int) throws(TraceError) {
    let ticks = pieces.reduce(0.0) { sum, piece in
      sum + Double(piece.ticks.count) * Double(piece.isGap ? 1 : filter?.factor ?? 1)
    }
    let most = min(
      Resampling.mostTicks, Resampling.freeTicks + Resampling.ticksForEach * readings)
    guard ticks > Double(most) else { return }
    throw TraceError(
      place: channel.name, expected: "at most \(most) ticks for \(readings) readings",
      found: "\(Int64(min(ticks, 1e18)))",
      remedy: "use a lower rate, cut the trace with shadowbox trim, or omit --fill-gaps")
  }

  func outcome(_ block: ChannelBlock) -> Resampling.Outcome {
    var outcome = result
    outcome.block = block
    return outcome
  }

  func values(
    of piece: Piece, _ times: [Int64], _ values: [Double], _ method: Interpolation.Method
  ) throws(TraceError) -> [Double] {
    let origin = times[piece.knots.lowerBound]
    func seconds(_ time: Int64) -> Double {
      let (difference, overflow) = time.subtractingReportingOverflow(origin)
      return (overflow ? Double(time) - Double(origin) : Double(difference)) / 1e9
    }
    let x = times[piece.knots].map(seconds)
    let y = Array(values[piece.knots])
    guard x.count > 1 else { return piece.ticks.map { _ in y[0] } }
    let method = piece.isGap || x.count < method.minimumCount ? .linear : method
    let end = x[x.count - 1]
    do {
      let curve = try Interpolation(method, x: x, y: y)
      guard let filter, !piece.isGap else {
        return try curve.values(
          at: piece.ticks.map { min(max(seconds(grid.time(of: $0)), 0), end) })
      }
      return try filtered(curve, by: filter, piece.ticks, start: seconds, end: end)
    } catch {
      // The knots are finite and increase, so only numbers that are too large can fail.
      throw TraceError(
        place: "resampling", expected: "readings that can be interpolated",
        found: "\(error)")
    }
  }

  /// The curve on a grid finer by the filter's factor, from the first of its ticks to the last within
  /// the stretch, filtered at the ticks.
  private func filtered(
    _ curve: Interpolation, by filter: AntiAliasFilter, _ ticks: Range<Int64>,
    start seconds: (Int64) -> Double, end: Double
  ) throws(GSLError) -> [Double] {
    guard let first = ticks.first, let last = ticks.last else { return [] }
    let fine = grid.period / 1e9 / Double(filter.factor)
    let (start, stop) = (seconds(grid.time(of: first)), seconds(grid.time(of: last)))
    let before = Int(start / fine)
    let after = Int((end - stop) / fine)
    let count = before + Int(last - first) * filter.factor + after + 1
    let samples = try curve.values(
      at: (0..<count).map { min(max(start + Double($0 - before) * fine, 0), end) })
    return ticks.indices.map { tick in
      filter.value(at: before + Int(tick - first) * filter.factor, of: samples)
    }
  }
}
