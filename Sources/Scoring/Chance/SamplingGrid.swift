public import TraceModel

/// The instants at which a detector can fire: the samples of its channel, or the ticks of a clock.
///
/// A window of 150 ms on either side of a sample of 20 Hz holds seven samples; moved by a part of a
/// step it holds six. So detections have to be shifted by whole steps: otherwise those of a detector
/// that fires at random look better than the same ones shifted.
public struct SamplingGrid: Hashable, Sendable {
  /// In ns, ascending and distinct; empty = only the step is known.
  let samples: [Int64]
  /// In ns, where the samples are not known; 1 = any time.
  let step: Int64
  /// In ns: a step for recordings that are too short for ``step``.
  let finest: Int64

  /// - Parameter samples: the measured times in ns, in any order.
  /// - Complexity: O(n) for ascending times.
  public init(samples: some Collection<Int64>) {
    var distinct: [Int64] = []
    distinct.reserveCapacity(samples.count)
    var isOrdered = true
    for time in samples where distinct.last != time {
      if let last = distinct.last, last > time { isOrdered = false }
      distinct.append(time)
    }
    self.samples = isOrdered ? distinct : Set(distinct).sorted()
    (step, finest) = (1, 1)
  }

  /// The clock of the detections of several recordings whose samples are not known, such as those of
  /// label files. Where they are few, the references show it too; and where no recording has two, the
  /// times from its start.
  /// - Parameters: the times of each recording in ns, ascending.
  public init(detections: [[Int64]], references: [[Int64]]) {
    samples = []
    let count = detections.reduce(0) { $0 + Self.differences($1).count }
    let series = detections + (count < Self.fewestDifferences ? references : [])
    let isAlone = series.allSatisfy { $0.count < 2 }
    let shown = isAlone ? series.map { [0] + $0 } : series
    (step, finest) = (Self.commonStep(shown), Self.finestStep(shown))
  }

  /// Whether the times of a recording show its own clock.
  /// - Parameter times: in ns, ascending.
  public static func isShown(by times: [Int64]) -> Bool {
    differences(times).count >= fewestDifferences
  }

  /// The samples of the user acceleration, or else of the acceleration; nil without both.
  public init?(_ trace: Trace) {
    guard let block = trace[.userAcceleration] ?? trace[.acceleration],
      let columns = VectorColumns(block), !columns.range.isEmpty
    else { return nil }
    self.init(samples: columns.times.measured[columns.range])
  }
}

// MARK: The step of a clock

extension SamplingGrid {
  /// The smallest number of differences that show a clock.
  static let fewestDifferences = 8
  /// The share of the differences that are whole steps: a few events may lie elsewhere, and each
  /// of them spoils two.
  static let leastShare = 0.8
  /// In ns: the error of times that were computed in binary fractions.
  private static let slack = 1000.0

  /// Returns the largest step of which nearly all differences within a series are multiples, up to
  /// the rounding of the times; 1 = none is known. Whole milliseconds and usual rates are tried.
  static func commonStep(_ series: [[Int64]]) -> Int64 {
    let differences = series.flatMap(Self.differences)
    guard differences.count > 1 else { return 1 }
    let digit = resolution(of: differences)
    for period in periods {
      let isExact = abs(period.remainder(dividingBy: digit)) < 1
      // Rounding makes a difference too long or too short by a digit.
      guard isExact || period >= 6 * digit else { continue }
      let tolerance = max(isExact ? 0 : digit, slack)
      if holds(for: differences, { abs($0.remainder(dividingBy: period)) <= tolerance }),
        isExact || isShown(period, digit, by: differences)
      {
        return wholeSteps(period, digit)
      }
    }
    return differences.reduce(0, greatestCommonDivisor)
  }

  /// Whether rounded differences show a period. Those of a detector with a rhythm are a few multiples of
  /// it, which also fit one of the periods by chance, or the rhythm.
  private static func isShown(_ period: Double, _ digit: Double, by differences: [Int64]) -> Bool {
    let multiples = Set(differences.map { (Double($0) / period).rounded() }).count
    // One too short, one right and one too long of all the multiples of the digit.
    let share = min(3 * digit / period, 1)
    let chance = (0..<min(multiples, 100)).reduce(Double(periods.count)) { chance, _ in
      chance * share
    }
    return chance < 0.01
  }

  /// The step of the digits in which nearly all differences are written, in ns; 1 = none is known.
  static func finestStep(_ series: [[Int64]]) -> Int64 {
    let differences = series.flatMap(Self.differences)
    return differences.count > 1 ? Int64(resolution(of: differences)) : 1
  }

  static func differences(_ times: [Int64]) -> [Int64] {
    zip(times.dropFirst(), times).map { $0.subtractingClamped($1) }.filter { $0 > 0 }
  }

  /// In ns, descending: whole milliseconds up to 1 s, and the periods of rates in Hz.
  private static var periods: [Double] {
    // The last are those of NTSC video, and of sensors whose clock has 32,768 Hz.
    let further: [Double] = [
      512, 1000, 24000 / 1001, 30000 / 1001, 60000 / 1001, 51.2, 102.4, 204.8,
    ]
    let rates = (1...256).map { Double($0) } + further
    let milliseconds = (1...1000).map { Double($0) * 1e6 }
    return (milliseconds + rates.map { 1e9 / $0 }).sorted(by: >)
  }

  /// Returns the power of ten of which nearly all differences are multiples, in ns.
  private static func resolution(of differences: [Int64]) -> Double {
    var digit: Int64 = 1
    while digit < 1_000_000_000,
      holds(for: differences, { $0.truncatingRemainder(dividingBy: Double(digit) * 10) == 0 })
    {
      digit *= 10
    }
    return Double(digit)
  }

  private static func holds(
    for differences: [Int64], _ condition: (Double) -> Bool
  ) -> Bool {
    var left = Int(Double(differences.count) * (1 - leastShare))
    for difference in differences where !condition(Double(difference)) {
      left -= 1
      if left < 0 { return false }
    }
    return true
  }

  /// Returns the smallest number of periods that rounded times can be shifted by: three frames of
  /// 1/30 s are 100 ms, while one of them would round anew.
  private static func wholeSteps(_ period: Double, _ digit: Double) -> Int64 {
    for count in 1...64 {
      let step = Double(count) * period
      if abs(step.remainder(dividingBy: digit)) < 0.001 * digit {
        return Int64((step / digit).rounded() * digit)
      }
    }
    return Int64(period.rounded())
  }
}

private func greatestCommonDivisor(_ one: Int64, _ other: Int64) -> Int64 {
  var (one, other) = (one, other)
  while other != 0 { (one, other) = (other, one % other) }
  return one
}

// MARK: The axis

/// The axis on which detections are shifted: it counts samples, or nanoseconds where the samples are
/// not known. Sensors are not exact, and a whole number of samples is no whole number of periods.
struct ShiftAxis {
  /// The positions of a sample: enough for the time between two.
  private static let perSample: Int64 = 1 << 20
  /// The smallest number of steps in a shift, so that shifts differ.
  static let fewestSteps = 50

  private let samples: [Int64]
  /// A mean period in ns.
  private let period: Double
  /// The step of shifts in positions.
  private(set) var step: Int64
  private var smallest: Int64

  /// - Parameters:
  ///   - detections: ascending, in ns. A detector may decide less often than the sensor samples.
  ///   - references: ascending, in ns. They show the step where there are few detections.
  init(_ grid: SamplingGrid?, detections: [Int64], references: [Int64]) {
    samples = (grid?.samples.count ?? 0) > 1 ? grid?.samples ?? [] : []
    period =
      samples.isEmpty
      ? 1 : Double(samples[samples.count - 1] - samples[0]) / Double(samples.count - 1)
    (step, smallest) = (max(grid?.step ?? 1, 1), grid?.finest ?? 1)
    let series = [detections] + (SamplingGrid.isShown(by: detections) ? [] : [references])
    if !samples.isEmpty {
      (step, smallest) = (Self.perSample * samplesPerStep(series), Self.perSample)
    } else if grid == nil {
      (step, smallest) = (SamplingGrid.commonStep(series), SamplingGrid.finestStep(series))
    }
  }

  /// Returns how many samples are between two decisions of the detector.
  private func samplesPerStep(_ series: [[Int64]]) -> Int64 {
    let differences = series.flatMap { SamplingGrid.differences($0.map(position)) }
    guard differences.count >= SamplingGrid.fewestDifferences else { return 1 }
    return (2...64 as ClosedRange<Int64>).reversed().first { count in
      let others = differences.count { $0 % (count * Self.perSample) != 0 }
      return Double(others) <= (1 - SamplingGrid.leastShare) * Double(differences.count)
    } ?? 1
  }

  /// Returns the position of a time; later times have no smaller ones.
  func position(of time: Int64) -> Int64 {
    guard let first = samples.first, let last = samples.last else { return time }
    func beyond(_ distance: Int64) -> Int64 {
      Int64(clamping: Double(distance) / period * Double(Self.perSample))
    }
    guard time >= first else { return beyond(time.subtractingClamped(first)) }
    let end = Int64(samples.count - 1) * Self.perSample
    guard time < last else { return end.addingClamped(beyond(time.subtractingClamped(last))) }
    let next = samples.partitioningIndex { $0 > time }
    let (before, after) = (samples[next - 1], samples[next])
    let part = Double(time - before) / Double(after - before) * Double(Self.perSample)
    return Int64(next - 1) * Self.perSample + min(Int64(part), Self.perSample - 1)
  }

  func positions(of window: ClosedRange<Int64>) -> ClosedRange<Int64> {
    position(of: window.lowerBound)...position(of: window.upperBound)
  }

  /// Returns the number of steps of the longest shift.
  /// - Parameters:
  ///   - furthest: the wanted length in positions.
  ///   - most: the largest possible one.
  func steps(_ furthest: Double, most: Double) -> (count: Double, step: Int64) {
    let wanted = min(max(furthest, Double(Self.fewestSteps) * Double(step)), most)
    // A step that is no small part of the recording leaves too few shifts.
    let one = samples.isEmpty ? 1 : Self.perSample
    let step = [step, smallest].first { wanted >= 10 * Double($0) } ?? one
    return (wanted / Double(step), step)
  }
}

extension Int64 {
  /// The nearest representable number; NaN = 0.
  fileprivate init(clamping value: Double) {
    self = Int64(exactly: value.rounded(.down)) ?? (value > 0 ? .max : value < 0 ? .min : 0)
  }
}
