internal import GSL
package import TraceModel

/// How far one device's clock is behind another's, from what both measured on one body.
///
/// 1. Both signals are put on a common grid; the shift with the best correlation
///    (``MaskedCorrelation``: only over ticks that both have) is the first guess. It must be more
///    than what unrelated signals that vary as slowly come to somewhere (``probability``), and stand
///    out from the second-best (``secondDistance``).
/// 2. The second signal is cut into windows; each finds its own shift nearby, refined by a parabola.
///    Outliers (beyond 4 scaled median deviations) are left out, and a line is drawn through the
///    rest: its height in the middle is the offset, its slope the drift.
/// 3. The second signal is put on the grid again by that line, so that what is left is near zero,
///    where a parabola has no bias, and step 2 is repeated.
/// 4. Windows are resampled with replacement, a line drawn through each choice: the interval is the
///    percentile one, widened for few windows (Hesterberg, The American Statistician 69, 2015, doi
///    10.1080/00031305.2015.1089789).
///
/// The interval covers what differs from window to window. What is the same in all of them (a filter
/// in one device that delays its signal) it cannot show.
package struct ClockAlignment: Sendable, Hashable {
  package struct Options: Sendable, Hashable {
    /// nil = the first that both traces have.
    package var signal: AlignmentSignal?
    /// Hz, of the common grid; nil = the higher of the two rates, at most 200.
    package var rate: Double?
    /// Seconds; offsets beyond it are not looked at. nil = any.
    package var largestOffset: Double?
    package var confidence = 0.95
    package var resamples = 2000
    package var seed: UInt64 = 1

    package init() {}
  }

  package enum Verdict: String, Hashable, Sendable, Codable {
    case aligned
    /// Another shift fits nearly as well, or not clearly less well.
    case ambiguous
    /// No shift fits better than chance makes it.
    case unrelated
    /// Half of the windows or more do not agree with the whole, or any of fewer than
    /// ``leastWindows``.
    case inconsistent
  }

  /// An estimate with its interval; the interval is nil below ``leastWindows`` windows.
  package struct Estimate: Sendable, Hashable {
    package var value: Double
    package var interval: ClosedRange<Double>?
  }

  /// Below so many windows nothing is said of the uncertainty, and no drift is looked for.
  package static let leastWindows = 5
  /// A second peak of more than this share of the first makes the alignment ambiguous.
  package static let largestSecondShare = 0.9
  /// A correlation of less than this is none.
  package static let leastCorrelation = 0.3
  /// Nor is one that unrelated signals have somewhere more often than this.
  package static let largestProbability = 1e-3
  /// A second peak of so many standard errors below the first, or fewer, makes the alignment
  /// ambiguous. Of unrelated signals, whose peaks are all of one kind, the highest leads by more
  /// once in some thousand pairs.
  package static let leastDistance = 3.0

  package var signal: AlignmentSignal
  /// Hz, of the common grid.
  package var rate: Double
  /// Seconds to add to the second trace's times for the first one's, in the middle of what both
  /// recorded; the axes are those that ``align(_:_:options:)`` was given.
  package var offset: Estimate
  /// By how much the second clock must be sped up, in parts per million; nil below
  /// ``leastWindows``.
  package var drift: Estimate?
  /// Seconds on the second trace's axis at which ``offset`` holds.
  package var middle: Double
  /// The best correlation over the whole, and where: before windows and drift.
  package var peak: (offset: Double, correlation: Double) {
    get { (peakOffset, peakCorrelation) }
    set { (peakOffset, peakCorrelation) = newValue }
  }
  private var peakOffset: Double
  private var peakCorrelation: Double
  /// The second-best peak's offset in seconds and its correlation; nil where there is no other.
  package var secondOffset: Double?
  package var secondCorrelation: Double?
  /// At most how likely unrelated signals are to correlate as much at any offset looked at.
  package var probability: Double
  /// By how many standard errors the best correlation is above the second-best; nil where there is
  /// no other.
  package var secondDistance: Double?
  /// Windows that agree with the whole, of all that there were.
  package var windowsUsed: Int
  package var windows: Int
  /// Seconds; each.
  package var windowLength: Double

  package var verdict: Verdict {
    if peakCorrelation < Self.leastCorrelation { return .unrelated }
    if let secondCorrelation, secondCorrelation > Self.largestSecondShare * peakCorrelation {
      return .ambiguous
    }
    if probability > Self.largestProbability { return .unrelated }
    if let secondDistance, secondDistance <= Self.leastDistance { return .ambiguous }
    let needed = windows < Self.leastWindows ? max(windows, 1) : windows / 2 + 1
    return windowsUsed < needed ? .inconsistent : .aligned
  }

  /// - Parameter second: on the same axis as `first`, as far as the clocks are to be trusted.
  /// - Throws: kind `.badData` where the two have no signal in common, or too little of it.
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

  /// The time on the first trace's axis of a time on the second's.
  /// - Parameter correctsDrift: whether the drift is applied too, or the offset alone.
  package func time(of nanoseconds: Int64, correctsDrift: Bool) -> Int64 {
    var shift = offset.value
    if correctsDrift, let drift {
      shift += drift.value * 1e-6 * (Double(nanoseconds) / 1e9 - middle)
    }
    return nanoseconds.addingClamped(Int64(nanosecondsFromSeconds: shift) ?? 0)
  }

  init(_ signal: AlignmentSignal, rate: Double, peak: (offset: Double, correlation: Double)) {
    self.signal = signal
    self.rate = rate
    offset = Estimate(value: peak.offset)
    middle = 0
    peakOffset = peak.offset
    peakCorrelation = peak.correlation
    probability = 1
    windowsUsed = 0
    windows = 0
    windowLength = 0
  }
}
