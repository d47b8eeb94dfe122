internal import Scoring
internal import TraceModel

extension ThresholdCurve {
  /// The average precision: the mean, over the references, of the best precision at which that many
  /// are found. This is the area under the envelope of precision against recall (Everingham et al.,
  /// The Pascal Visual Object Classes Challenge, IJCV 88, 2010, section 4.2). References that no
  /// threshold finds count as zero. nil without a reference. O(n + hits).
  public var averagePrecision: Double? {
    guard references > 0 else { return nil }
    // The best precision with exactly this many hits; then with this many or more.
    // Counts may state many more references than there are hits.
    let most = truePositives.max() ?? 0
    var best = [Double](repeating: 0, count: most + 1)
    for index in thresholds.indices {
      if let precision = counts(at: index).precision.estimate {
        best[truePositives[index]] = max(best[truePositives[index]], precision)
      }
    }
    var (sum, envelope) = (0.0, 0.0)
    for hits in stride(from: most, to: 0, by: -1) {
      envelope = max(envelope, best[hits])
      sum += envelope
    }
    return sum / Double(references)
  }

  /// Returns the mean recall over budgets of false alarms per hour from `range`, evenly spaced on a
  /// logarithmic axis: 1 minus the log-average miss rate of Dollár et al. (Pedestrian Detection,
  /// TPAMI 34, 2012). nil without references or hours. O(n log n).
  public func meanRecall(budgets range: ClosedRange<Double>) -> Double? {
    precondition(range.lowerBound > 0 && range.lowerBound < range.upperBound)
    let hours = scoredHours
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

  /// Returns the step with the most hits within a budget, then the fewest false alarms, then the
  /// lowest threshold; nil if no step is within it, or without recorded time.
  public func mostRecall(falseAlarmsPerHour budget: Double) -> Int? {
    let allowed = budget * Double(scoredNanoseconds) / 3.6e12
    guard scoredNanoseconds > 0 else { return nil }
    return thresholds.indices.filter { Double(falsePositives[$0]) <= allowed }.min {
      (-truePositives[$0], falsePositives[$0], $0) < (-truePositives[$1], falsePositives[$1], $1)
    }
  }

  /// The step with the highest F1, the lowest of several; nil if F1 is undefined everywhere.
  public var highestF1: Int? {
    let scores = thresholds.indices.compactMap { index in
      counts(at: index).f1.estimate.map { (index, $0) }
    }
    return scores.max { ($0.1, -$0.0) < ($1.1, -$1.0) }?.0
  }

  /// Returns the step with the widest ``span(of:)`` among those with the same counts, the lowest of
  /// several: an error of the threshold matters least there. O(n) per such step.
  public func widest(countingAs index: Int) -> Int {
    let alike = thresholds.indices.filter { counts(at: $0) == counts(at: index) }
    func width(_ index: Int) -> Double {
      let span = span(of: index)
      return span.upperBound - span.lowerBound
    }
    return alike.max { (width($0), -$0) < (width($1), -$1) } ?? index
  }

  /// Returns the range of thresholds with the counts of a step. On an exact curve the upper end is
  /// exclusive, except for the last step; otherwise both ends were tried. O(n).
  public func span(of index: Int) -> ClosedRange<Double> {
    guard isExact else {
      let alike = neighbours(of: index)
      return thresholds[alike.lowerBound]...thresholds[alike.upperBound]
    }
    return thresholds[index]...(index + 1 < count ? thresholds[index + 1] : upper)
  }

  /// Returns the middle of ``span(of:)``, or the middle one of those that were tried. For the last
  /// step it is the lower end: the upper one may be far beyond any sample. O(n).
  public func middle(of index: Int) -> Double {
    guard isExact else {
      let alike = neighbours(of: index)
      return thresholds[(alike.lowerBound + alike.upperBound) / 2]
    }
    let span = span(of: index)
    guard index + 1 < count else { return span.lowerBound }
    let middle = span.lowerBound + (span.upperBound - span.lowerBound) / 2
    // Two neighbouring numbers have none in between.
    return middle < span.upperBound ? middle : span.lowerBound
  }

  private func neighbours(of index: Int) -> ClosedRange<Int> {
    var (first, last) = (index, index)
    while first > 0, counts(at: first - 1) == counts(at: index) { first -= 1 }
    while last + 1 < count, counts(at: last + 1) == counts(at: index) { last += 1 }
    return first...last
  }
}
