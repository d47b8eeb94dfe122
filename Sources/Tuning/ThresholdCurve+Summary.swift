internal import Scoring
internal import TraceModel

extension ThresholdCurve {
  /// The mean over the references of the best precision at which so many of them are found: the
  /// area under the envelope of precision against recall (Everingham et al., The Pascal Visual
  /// Object Classes Challenge, IJCV 88, 2010, section 4.2). References that no threshold finds
  /// count as zero. Nil without a reference. O(n + references).
  public var averagePrecision: Double? {
    guard references > 0 else { return nil }
    // The best precision with exactly so many hits; then with so many or more.
    var best = [Double](repeating: 0, count: references + 1)
    for index in thresholds.indices {
      if let precision = counts(at: index).precision.estimate {
        best[truePositives[index]] = max(best[truePositives[index]], precision)
      }
    }
    var (sum, envelope) = (0.0, 0.0)
    for hits in stride(from: references, to: 0, by: -1) {
      envelope = max(envelope, best[hits])
      sum += envelope
    }
    return sum / Double(references)
  }

  /// The mean of the recall that a budget of false alarms per hour allows, over budgets from
  /// `range`, evenly on a logarithmic axis: what Dollár et al. (Pedestrian Detection, TPAMI 34,
  /// 2012) call the log-average miss rate, taken from 1. Nil without references or hours.
  /// O(n log n).
  public func meanRecall(budgets range: ClosedRange<Double>) -> Double? {
    precondition(range.lowerBound > 0 && range.lowerBound < range.upperBound)
    let hours = Double(scoredNanoseconds) / 3.6e12
    guard references > 0, hours > 0 else { return nil }
    let steps = thresholds.indices
      .map { (rate: Double(falsePositives[$0]) / hours, hits: truePositives[$0]) }
      .sorted { ($0.rate, -$0.hits) < ($1.rate, -$1.hits) }
    var sum = 0.0
    var (most, from) = (0, range.lowerBound)
    for step in steps {
      guard step.rate <= range.upperBound else { break }
      if step.rate > from {
        sum += Double(most) * Math.log(step.rate / from)
        from = step.rate
      }
      most = max(most, step.hits)
    }
    sum += Double(most) * Math.log(range.upperBound / from)
    return sum / Double(references) / Math.log(range.upperBound / range.lowerBound)
  }

  /// The step with the largest number of hits among those with at most so many false alarms an
  /// hour; of several the one with the fewest false alarms, then the lowest threshold. Nil where
  /// none is within the budget, or there is no hour.
  public func mostRecall(falseAlarmsPerHour budget: Double) -> Int? {
    let allowed = budget * Double(scoredNanoseconds) / 3.6e12
    guard scoredNanoseconds > 0 else { return nil }
    return thresholds.indices.filter { Double(falsePositives[$0]) <= allowed }.min {
      (-truePositives[$0], falsePositives[$0], $0) < (-truePositives[$1], falsePositives[$1], $1)
    }
  }

  /// The step with the highest F1; of several the lowest threshold. Nil where F1 is nowhere
  /// defined.
  public var highestF1: Int? {
    let scores = thresholds.indices.compactMap { index in
      counts(at: index).f1.estimate.map { (index, $0) }
    }
    return scores.max { ($0.1, -$0.0) < ($1.1, -$1.0) }?.0
  }

  /// Of all steps that count the same as one, the one with the widest ``span(of:)``, where an error
  /// of the threshold matters least; of several the lowest. O(n), and O(n) for each that counts the
  /// same where the curve is not exact.
  public func widest(countingAs index: Int) -> Int {
    let alike = thresholds.indices.filter { counts(at: $0) == counts(at: index) }
    func width(_ index: Int) -> Double {
      let span = span(of: index)
      return span.upperBound - span.lowerBound
    }
    return alike.max { (width($0), -$0) < (width($1), -$1) } ?? index
  }

  /// The thresholds that count the same as a step, from the first to the last; where the curve is
  /// exact, up to and without the second, except for the last step. Where it is not, the
  /// neighbours that were tried and count the same. O(n).
  public func span(of index: Int) -> ClosedRange<Double> {
    guard isExact else {
      let alike = neighbours(of: index)
      return thresholds[alike.lowerBound]...thresholds[alike.upperBound]
    }
    return thresholds[index]...(index + 1 < count ? thresholds[index + 1] : upper)
  }

  /// The threshold to take of ``span(of:)``: its middle, where no error of either side matters much;
  /// of the last step its lower end, for the other may lie far beyond anything; where the curve is
  /// not exact, the middle one of those that were tried. O(n).
  public func middle(of index: Int) -> Double {
    guard isExact else {
      let alike = neighbours(of: index)
      return thresholds[(alike.lowerBound + alike.upperBound) / 2]
    }
    let span = span(of: index)
    guard index + 1 < count else { return span.lowerBound }
    let middle = span.lowerBound + (span.upperBound - span.lowerBound) / 2
    // Between two neighbouring numbers there is none.
    return middle < span.upperBound ? middle : span.lowerBound
  }

  private func neighbours(of index: Int) -> ClosedRange<Int> {
    var (first, last) = (index, index)
    while first > 0, counts(at: first - 1) == counts(at: index) { first -= 1 }
    while last + 1 < count, counts(at: last + 1) == counts(at: index) { last += 1 }
    return first...last
  }
}
