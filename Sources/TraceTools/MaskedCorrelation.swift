internal import GSL
internal import Scoring
internal import TraceModel

/// A signal on a grid of ticks; missing values are NaN.
struct UniformSignal {
  /// The tick of the first value.
  var start: Int64
  var values: [Double]

  /// Resamples to a grid, across gaps of up to ten median intervals (at least 200 ms).
  /// - Throws: if more than `limit` ticks are needed.
  init(
    _ samples: AlignmentSignal.Samples, rate: Double, method: Interpolation.Method, limit: Int
  ) throws(TraceError) {
    let knots = Knots(samples.times, [samples.values])
    let step = Resampling(rate: rate, method: method, isAntiAliased: true)
    let plan = try ResamplingPlan(step, knots.times, of: .acceleration, isFiltered: true)
    start = plan.pieces.first?.ticks.lowerBound ?? 0
    let end = plan.pieces.last?.ticks.upperBound ?? 0
    let valued = plan.pieces.reduce(0) { $0 + $1.ticks.count }
    // The time is that of all ticks, and a gap has them at no cost to the file.
    let most = min(limit, (1 << 18) + 64 * min(valued, 200 * knots.times.count))
    guard end.subtractingClamped(start) <= most else {
      throw TraceError(
        place: "align",
        expected: "recordings of at most \(most) ticks at \(rate) Hz"
          + (most < limit ? " for \(knots.times.count) readings" : ""),
        found: "a recording of \(Double(end.subtractingClamped(start)) / rate) s",
        remedy: "cut it with shadowbox trim, or pass a lower --rate")
    }
    values = [Double](repeating: .nan, count: Int(end - start))
    for piece in plan.pieces {
      let found = try plan.values(of: piece, knots.times, knots.columns[0], method)
      let place = Int(piece.ticks.lowerBound - start)
      values.replaceSubrange(place..<place + found.count, with: found)
    }
  }

  init(start: Int64, values: [Double]) {
    self.start = start
    self.values = values
  }

  /// The ticks from `first` on, NaN where there are none.
  func slice(from first: Int64, count: Int) -> UniformSignal {
    let offset = first - start
    return UniformSignal(
      start: first,
      values: (0..<count).map { index in
        let place = offset + Int64(index)
        return place >= 0 && place < values.count ? values[Int(place)] : .nan
      })
  }

  var isEmpty: Bool { !values.contains { $0.isFinite } }
}

/// Pearson's correlation of two signals at each shift, over the ticks that both have: masked
/// normalised cross-correlation (Padfield, IEEE Transactions on Image Processing 21, 2012, doi
/// 10.1109/TIP.2011.2181402), in one dimension.
struct MaskedCorrelation {
  /// The first lag, in ticks: `second` shifted by a lag lies on `first`.
  let firstLag: Int64
  /// The correlation at each lag; NaN if too few ticks are common, or if a signal is constant.
  let values: [Double]
  /// The number of common ticks at each lag.
  let common: [Double]

  /// - Parameters:
  ///   - lags: the lags to compute.
  ///   - leastCommon: common ticks that a lag must have.
  init(
    _ first: UniformSignal, _ second: UniformSignal, lags: ClosedRange<Int64>, leastCommon: Double
  ) throws(GSLError) {
    let shift = first.start - second.start
    let lowest = max(lags.lowerBound, shift - Int64(second.values.count - 1))
    let highest = min(lags.upperBound, shift + Int64(first.values.count - 1))
    firstLag = lowest
    guard lowest <= highest else {
      (values, common) = ([], [])
      return
    }
    let sums = LagSums(
      length: CrossCorrelation.length(for: first.values.count, second.values.count),
      lags: Int(lowest - shift)...Int(highest - shift))
    (values, common) = try Self.correlation(
      Scaled(first.values), Scaled(second.values), at: sums, max(leastCommon, 3))
  }

  private static func correlation(
    _ a: Scaled, _ b: Scaled, at sums: LagSums, _ leastCommon: Double
  ) throws(GSLError) -> (values: [Double], common: [Double]) {
    // A spectrum or the sums of all lags take 8 bytes for each of up to four times the ticks: each is
    // freed after its last use. First the squares become variances, then the products a covariance.
    let maskB = try sums.spectrum(of: b.mask)
    let maskA = try sums.spectrum(of: a.mask)
    let common = try sums.of(maskA, maskB).map { $0.rounded() }
    var varianceA = try sums.of(sums.spectrum(of: a.squares), maskB)
    var varianceB = try sums.of(maskA, sums.spectrum(of: b.squares))
    let signalA = try sums.spectrum(of: a.values)
    let sumA = try sums.of(signalA, maskB)
    for index in sumA.indices { varianceA[index] -= sumA[index] * sumA[index] / common[index] }
    let signalB = try sums.spectrum(of: b.values)
    let sumB = try sums.of(maskA, signalB)
    for index in sumB.indices { varianceB[index] -= sumB[index] * sumB[index] / common[index] }
    var values = try sums.of(signalA, signalB)
    for (index, n) in common.enumerated() {
      // Both signals have a variance of 1 over all ticks: smaller values are rounding errors.
      guard n >= leastCommon, varianceA[index] > 1e-6 * n, varianceB[index] > 1e-6 * n
      else {
        values[index] = .nan
        continue
      }
      let covariance = values[index] - sumA[index] * sumB[index] / n
      values[index] = covariance / (varianceA[index] * varianceB[index]).squareRoot()
    }
    return (values, common)
  }

  /// The cross-correlation of two spectra at some lags.
  private struct LagSums {
    let length: Int
    let lags: ClosedRange<Int>

    func spectrum(of values: [Double]) throws(GSLError) -> CrossCorrelation.Spectrum {
      try CrossCorrelation.Spectrum(of: values, length: length)
    }

    func of(
      _ first: CrossCorrelation.Spectrum, _ second: CrossCorrelation.Spectrum
    ) throws(GSLError) -> [Double] {
      let sums = try CrossCorrelation.sums(first, second)
      return lags.map { sums[$0 < 0 ? length + $0 : $0] }
    }
  }

  /// A signal with mean 0 and variance 1, and 0 where it is missing.
  private struct Scaled {
    let values: [Double]
    let mask: [Double]
    var squares: [Double] { values.map { $0 * $0 } }

    init(_ values: [Double]) {
      let known = values.filter(\.isFinite)
      let mean = Sample.mean(known) ?? 0
      let deviation = Sample.standardDeviation(known) ?? 0
      let scale = deviation > 0 ? 1 / deviation : 0
      self.values = values.map { $0.isFinite ? ($0 - mean) * scale : 0 }
      mask = values.map { $0.isFinite ? 1 : 0 }
    }
  }

  /// A local maximum, in fractional ticks.
  struct Peak {
    var lag: Double
    var value: Double
    var index: Int
  }

  /// Returns the highest value, refined by the parabola through it and its neighbours; nil if there
  /// is none, or if it is the first or last of a run of lags, because the true maximum may lie
  /// beyond.
  func peak(where isCandidate: (Int) -> Bool = { _ in true }) -> Peak? {
    var best: Int?
    for index in values.indices where isCandidate(index) && values[index].isFinite {
      if best.map({ values[index] > values[$0] }) ?? true { best = index }
    }
    guard let best, best > 0, best + 1 < values.count else { return nil }
    let (before, top, after) = (values[best - 1], values[best], values[best + 1])
    guard before.isFinite, after.isFinite else { return nil }
    let curvature = before - 2 * top + after
    let shift = curvature < 0 ? (before - after) / (2 * curvature) : 0
    return Peak(
      lag: Double(firstLag) + Double(best) + min(max(shift, -0.5), 0.5), value: top, index: best)
  }

  /// Returns the best peak outside the range around `peak` where the correlation stays above half
  /// of it.
  func secondPeak(beside peak: Peak) -> Peak? {
    var (low, high) = (peak.index, peak.index)
    while low > 0, values[low - 1] > peak.value / 2 { low -= 1 }
    while high + 1 < values.count, values[high + 1] > peak.value / 2 { high += 1 }
    func isTop(_ index: Int) -> Bool {
      guard index > 0, index + 1 < values.count else { return false }
      return values[index] >= values[index - 1] && values[index] >= values[index + 1]
    }
    return self.peak { ($0 < low || $0 > high) && isTop($0) }
  }
}

/// The significance of a correlation between autocorrelated signals, whose ticks are not
/// independent observations.
struct CorrelationChance {
  /// The number of ticks per independent observation: the sum over all lags of the product of the
  /// two autocorrelations (Bartlett, Supplement to the Journal of the Royal Statistical Society 8,
  /// 1946, doi 10.2307/2983611), at least 1.
  let ticksPerObservation: Double
  private let correlation: MaskedCorrelation

  init(
    _ correlation: MaskedCorrelation, of first: UniformSignal, _ second: UniformSignal
  ) throws(GSLError) {
    self.correlation = correlation
    // Beyond a third, as for the lags themselves, the overlap is too small.
    let reach = Int64(min(first.values.count, second.values.count) / 3)
    let (a, b) = (try Self.autocorrelation(first, reach), try Self.autocorrelation(second, reach))
    let sum = zip(a, b).reduce(0) { $1.0.isFinite && $1.1.isFinite ? $0 + $1.0 * $1.1 : $0 }
    ticksPerObservation = max(sum, 1)
  }

  private static func autocorrelation(
    _ signal: UniformSignal, _ reach: Int64
  ) throws(GSLError) -> [Double] {
    try MaskedCorrelation(signal, signal, lags: -reach...reach, leastCommon: 0).values
  }

  /// Returns an upper bound of the probability that two unrelated signals correlate as at `peak` at
  /// any searched lag: Fisher's transform with Bonferroni's bound over the independent lags.
  func probability(of peak: MaskedCorrelation.Peak) -> Double {
    let lags = correlation.values.count { $0.isFinite }
    let trials = max(Double(lags) / ticksPerObservation, 1)
    let score = Self.fisher(peak.value) * observations(at: peak).squareRoot()
    return min(1, trials * Math.erfc(score / 2.0.squareRoot()) / 2)
  }

  /// Returns the distance of `peak` above `other` in standard errors.
  func distance(of peak: MaskedCorrelation.Peak, above other: MaskedCorrelation.Peak) -> Double {
    (Self.fisher(peak.value) - Self.fisher(other.value))
      * min(observations(at: peak), observations(at: other)).squareRoot()
  }

  private func observations(at peak: MaskedCorrelation.Peak) -> Double {
    max(correlation.common[peak.index] / ticksPerObservation - 3, 0)
  }

  /// The inverse hyperbolic tangent, which makes correlations nearly normal.
  private static func fisher(_ correlation: Double) -> Double {
    let bounded = min(max(correlation, -1 + 1e-15), 1 - 1e-15)
    return Math.log((1 + bounded) / (1 - bounded)) / 2
  }
}
