internal import Scoring

/// What an undecided check for new people shows all the same, and what would decide it.
extension CheckDraft {
  /// - Parameter number: the number of checks of the gate, over which Holm adjusts a FAIL.
  static func outlook(_ figure: FigureComparison, _ tests: Tests, of number: Int) -> String {
    let change = figure.test(.change(0), tests.sign)
    let significance =
      change?.isBelow == true
      ? "significantly worse" : change?.isAbove == true ? "significantly better" : nil
    let most = leastMargin(figure, tests).map { margin in
      let share = GateBound.Limit.share(margin).text.dropFirst()
      let verb = tests.sign > 0 ? "rises" : "falls"
      return "\(verb) by at most " + (tests.isShare ? share : "\(margin)")
    }
    let shown = [most, significance].compactMap(\.self).joined(separator: ", ")
    return
      (shown.isEmpty ? "neither a breach of the bound nor its absence is shown" : "shown: \(shown)")
      + "; would decide: " + (most == nil ? "" : "that bound, or ")
      + people(figure, tests, number)
  }

  /// The smallest margin of the bound's kind with which these data pass, with two digits, rounded up.
  private static func leastMargin(_ figure: FigureComparison, _ tests: Tests) -> Double? {
    func passes(_ margin: Double) -> Bool {
      figure.test(tests.isShare ? .share(margin) : .change(margin), tests.sign)?.isAbove ?? false
    }
    var high = tests.isShare ? (tests.sign < 0 ? 1 : 10) : figure.unit == "1" ? 1 : 1e6
    guard passes(high) else { return nil }
    var low = 0.0
    while high - low > 1e-4 * high, high > 1e-6 {
      let middle = (low + high) / 2
      if passes(middle) { high = middle } else { low = middle }
    }
    return rounded(high, .up)
  }

  /// With two significant digits.
  private static func rounded(_ value: Double, _ rule: FloatingPointRoundingRule) -> Double {
    guard value != 0, value.isFinite else { return value }
    var scale = 1.0
    while abs(value) * scale < 10 { scale *= 10 }
    while abs(value) * scale >= 100 { scale /= 10 }
    return (value * scale).rounded(rule) / scale
  }

  /// The people with whom the check probably passes if nothing has changed, or, where the figure is
  /// beyond the bound, probably fails if the difference stays.
  private static func people(
    _ figure: FigureComparison, _ tests: Tests, _ number: Int
  ) -> String {
    let excess = tests.fail.least - tests.fail.value.value
    if excess > 0 {
      return figure.people(tests.fail.value.standardError / excess, level / Double(number))
        + " in all, with FAIL if the difference stays"
    }
    guard tests.pass.margin > 0 else { return "a bound with a margin" }
    return figure.people(tests.pass.value.standardError / tests.pass.margin, level)
      + " in all, with PASS if nothing has changed"
  }

  private static var level: Double { AccuracyGate.level }

  /// What the interval of the head shows of an absolute bound, and who would decide if it stays.
  static func outlook(
    _ figure: FigureComparison, _ value: Double, _ interval: Interval, bound: Double, isLeast: Bool
  ) -> String {
    let end = isLeast ? interval.lower : interval.upper
    let isGood = isLeast == (value > bound)
    let half = abs(value - (isGood == isLeast ? interval.lower : interval.upper))
    let quantile =
      Distributions.studentQuantile(
        1 - level, degreesOfFreedom: Double(figure.pair.parts.count - 1)) ?? .infinity
    return "shown: \(isLeast ? "at least" : "at most") \(rounded(end, isLeast ? .down : .up)); "
      + "would decide: that bound, or "
      + figure.people(half / quantile / abs(value - bound), level) + " in all if the figure stays"
  }
}

extension FigureComparison {
  /// The number of people, in words, with whom a difference is probably found.
  /// - Parameter ratio: the standard error with these people / the distance to be found.
  fileprivate func people(_ ratio: Double, _ level: Double) -> String {
    let count = Double(pair.parts.count)
    let noun = clusterKind == .people ? "people" : "recordings"
    var people = 10_000.0
    for _ in 0..<8 {
      let factor = PairedContrast.detectable(level: level, people: Int(people)) * ratio
      guard factor * factor * count <= 10_000 else { return "over 10,000 \(noun)" }
      people = max((factor * factor * count).rounded(.up), count + 1)
    }
    return "about \(Int(people)) \(noun)"
  }
}
