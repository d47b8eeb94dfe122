internal import GSL
package import TraceModel

/// The offset between the clocks of two devices, from what both measured on one body.
///
/// 1. Both signals are put on a common grid; the shift with the best correlation
///    (``MaskedCorrelation``: only over ticks that both have) is the first guess. It must exceed
///    what unrelated signals of the same smoothness reach at some shift (``probability``), and the
///    second-best peak (``secondDistance``).
/// 2. The second signal is cut into windows; each finds its own shift nearby, refined by a parabola.
///    Outliers (beyond 4 scaled median deviations) are left out, and a line is drawn through the
///    rest: its height in the middle is the offset, its slope the drift.
/// 3. The second signal is put on the grid again, corrected by that line, so that the remaining
///    shift is near zero, where a parabola has no bias. Step 2 is repeated.
/// 4. Windows are resampled with replacement and a line is fitted to each sample: the result is the
///    percentile interval, widened for few windows (Hesterberg, The American Statistician 69, 2015,
///    doi 10.1080/00031305.2015.1089789).
///
/// The interval covers differences between windows. It cannot show an error that all windows share,
/// such as a filter in one device that delays its signal.
package struct ClockAlignment: Sendable {
  package struct Options: Sendable, Hashable {
    /// The signal; nil = the first one that both traces have.
    package var signal: AlignmentSignal?
    /// The rate of the common grid in Hz; nil = the higher of the two rates, at most 200.
    package var rate: Double?
    /// The largest offset that is searched, in seconds; nil = any.
    package var largestOffset: Double?
    package var confidence = 0.95
    package var resamples = 2000
    package var seed: UInt64 = 1

    package init() {}
  }

  package enum Verdict: String, Hashable, Sendable, Codable {
    case aligned
    /// Another shift fits about as well.
    case ambiguous
    /// No shift fits better than chance.
    case unrelated
    /// At least half of the windows disagree with the whole, or any window where there are fewer
    /// than ``leastWindows``.
    case inconsistent
  }

  /// An estimate with its interval; the interval is nil below ``leastWindows`` windows.
  package struct Estimate: Sendable, Hashable {
    package var value: Double
    package var interval: ClosedRange<Double>?
  }

  /// The number of windows that an uncertainty and a drift require.
  package static let leastWindows = 5
  /// The share of the first peak above which a second peak makes the alignment ambiguous.
  package static let largestSecondShare = 0.9
  package static let leastCorrelation = 0.3
  /// The largest probability of such a correlation between unrelated signals.
  package static let largestProbability = 1e-3
  /// The distance in standard errors up to which a second peak makes the alignment ambiguous.
  /// Between unrelated signals the highest peak leads by more in about one of a thousand pairs.
  package static let leastDistance = 3.0
  /// Nanoseconds that no alignment can tell from 0.
  private static let rounding: Int64 = 10_000

  package var signal: AlignmentSignal
  /// The rate of the common grid in Hz.
  package var rate: Double
  /// The seconds to add to the second trace's times to get the first one's, in the middle of the
  /// common time; the axes are those of the arguments of ``align(_:_:options:)``.
  package var offset: Estimate
  /// The correction of the second clock's speed in parts per million; nil below ``leastWindows``.
  package var drift: Estimate?
  /// The time on the second trace's axis at which ``offset`` holds, in seconds.
  package var middle = 0.0
  /// The best correlation over the whole and its offset, before windows and drift.
  package let peak: (offset: Double, correlation: Double)
  /// The second-best peak's offset in seconds and its correlation; nil where there is no other.
  package var secondOffset: Double?
  package var secondCorrelation: Double?
  /// An upper bound of the probability that unrelated signals correlate this much at any searched
  /// offset.
  package var probability = 1.0
  /// The distance between the best and the second-best correlation in standard errors; nil if there
  /// is no other.
  package var secondDistance: Double?
  /// The number of windows that agree with the whole, and of all windows.
  package var windowsUsed = 0
  package var windows = 0
  /// The length of a window in seconds.
  package var windowLength = 0.0

  package var verdict: Verdict {
    if peak.correlation < Self.leastCorrelation { return .unrelated }
    if let secondCorrelation, secondCorrelation > Self.largestSecondShare * peak.correlation {
      return .ambiguous
    }
    if probability > Self.largestProbability { return .unrelated }
    if let secondDistance, secondDistance <= Self.leastDistance { return .ambiguous }
    let needed = windows < Self.leastWindows ? max(windows, 1) : windows / 2 + 1
    return windowsUsed < needed ? .inconsistent : .aligned
  }

  /// - Parameter second: a trace on the same axis as `first`, as far as the clocks are right.
  /// - Throws: kind `.badData` if the traces have no common signal, or too little of it.
  package static func align(
    _ first: Trace, _ second: Trace, options: Options = Options()
  ) throws(TraceError) -> ClockAlignment {
    let work = try Aligner(first, second, options)
    do {
      return try work.run()
    } catch let error as TraceError {
      throw error
    } catch {
      throw TraceError(
        place: "align", expected: "signals that can be correlated", found: "\(error)")
    }
  }

  /// Returns the time on the first trace's axis for a time on the second's.
  /// - Parameter correctsDrift: whether the drift is applied too, or the offset alone.
  package func time(of nanoseconds: Int64, correctsDrift: Bool) -> Int64 {
    var shift = offset.value
    if correctsDrift, let drift {
      shift += drift.value * 1e-6 * (Double(nanoseconds) / 1e9 - middle)
    }
    return nanoseconds.addingClamped(Int64(nanosecondsFromSeconds: shift) ?? 0)
  }

  /// Returns the second trace on the first one's clock. If the first wall clock is known, the
  /// second trace keeps its own zero and the epoch states it. Otherwise its times count from the
  /// first trace's zero.
  /// - Parameters:
  ///   - trace: the second trace, as it was aligned.
  ///   - names: of the files, for messages.
  /// - Throws: kind `.badData` if the times cannot be stated.
  package func aligned(
    _ trace: Trace, to first: TraceHeader, correctsDrift: Bool,
    names: (first: String, second: String)
  ) throws(TraceError) -> Trace {
    var result = trace.mappingTimes { time(of: $0, correctsDrift: correctsDrift) }
    result.header.isEpochKnown = first.isEpochKnown
    result.header.epoch = first.epoch
    if first.isEpochKnown { return try result.startingAtZero(place: names.second).trace }
    let earliest = result.earliestMeasured ?? 0
    // Of one clock, the offset is a rounding error.
    if (-Self.rounding..<0).contains(earliest) { return result.mappingTimes { $0 - earliest } }
    guard earliest >= 0 else {
      throw TraceError(
        place: names.second,
        expected: "a start after \(names.first), which has no wall clock",
        found: "an earlier one",
        remedy: "align in the opposite order: shadowbox align \(names.second) \(names.first)")
    }
    return result
  }

  init(_ signal: AlignmentSignal, rate: Double, peak: (offset: Double, correlation: Double)) {
    self.signal = signal
    self.rate = rate
    offset = Estimate(value: peak.offset)
    self.peak = peak
  }
}
