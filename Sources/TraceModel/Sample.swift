/// Summaries of a sample; nil if it is too small or contains a value that is not finite.
package enum Sample {
  /// Returns the arithmetic mean; nil for an empty sample. O(n).
  package static func mean(_ sample: [Double]) -> Double? {
    guard !sample.isEmpty else { return nil }
    // Not the sum over the count: it may overflow.
    var mean = 0.0
    for (index, value) in sample.enumerated() { mean += (value - mean) / Double(index + 1) }
    return mean.isFinite ? mean : nil
  }

  /// Returns the standard deviation with n - 1 in the denominator; nil for fewer than two values.
  package static func standardDeviation(_ sample: [Double]) -> Double? {
    guard sample.count >= 2, let mean = mean(sample) else { return nil }
    let squares = sample.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = (squares / Double(sample.count - 1)).squareRoot()
    return deviation.isFinite ? deviation : nil
  }

  /// Returns the quantile by linear interpolation between order statistics: Hyndman and Fan's type
  /// 7 (The American Statistician 50, 1996), which is NumPy's default.
  ///
  /// ```swift
  /// Sample.quantile(0.5, ofSorted: [1, 2, 4, 8])  // 3.0
  /// ```
  /// - Parameter fraction: 0 to 1; outside it the result is nil.
  /// - Parameter sample: in ascending order.
  package static func quantile(_ fraction: Double, ofSorted sample: [Double]) -> Double? {
    guard !sample.isEmpty, fraction >= 0, fraction <= 1, sample.allSatisfy({ $0.isFinite }) else {
      return nil
    }
    let place = fraction * Double(sample.count - 1)
    let index = Int(place)
    guard index + 1 < sample.count else { return sample[sample.count - 1] }
    let share = place - Double(index)
    return (1 - share) * sample[index] + share * sample[index + 1]
  }

  /// Returns the median: of an even number of values, the mean of the two in the middle. nil without
  /// values; NaN is not allowed. O(n log n).
  package static func median(_ sample: [Double]) -> Double? {
    guard !sample.isEmpty else { return nil }
    let sorted = sample.sorted()
    // Halved before they are added, as the sum may overflow.
    return sorted[(sorted.count - 1) / 2] / 2 + sorted[sorted.count / 2] / 2
  }
}

/// Returns the percentile by nearest rank: the value at position ⌈percent n / 100⌉, counted from 1.
/// It is always one of the values, so it is the same on every machine. nil for an empty sample.
///
/// ```swift
/// nearestRank(50, ofSorted: [1, 2, 4, 8])  // 2
/// ```
/// - Precondition: `percent` lies in 1...100.
public func nearestRank<Value>(_ percent: Int, ofSorted sample: [Value]) -> Value? {
  precondition((1...100).contains(percent))
  guard !sample.isEmpty else { return nil }
  // Split into 100 q + r elements, so that no product overflows.
  let (hundreds, rest) = sample.count.quotientAndRemainder(dividingBy: 100)
  return sample[hundreds * percent + (rest * percent + 99) / 100 - 1]
}
