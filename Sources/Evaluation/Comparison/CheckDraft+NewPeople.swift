internal import Scoring

/// Checks for new people: intervals decide.
extension CheckDraft {
  mutating func prepare(_ figure: FigureComparison) {
    let sign = Self.sign(figure, bound.limit)
    switch bound.limit {
    case .atLeast(let least): judgeInterval(figure, atLeast: least)
    case .atMost(let most): judgeInterval(figure, atMost: most)
    case .change(let margin): prepare(figure, sign, margin: abs(margin), share: 0)
    case .share(let share): prepare(figure, sign, margin: 0, share: abs(share))
    }
  }

  private mutating func prepare(
    _ figure: FigureComparison, _ sign: Double, margin: Double, share: Double
  ) {
    check.difference = figure.difference
    guard isJudgeable(figure) else { return }
    guard !figure.isEqual else {
      check.reason = "equal for each of \(figure.clusterText)"
      return
    }
    guard let value = figure.pair.contrast(factor: 1 + sign * share),
      var gain = figure.pair.contrast(factor: 1 - sign * share)
    else { return }
    if share > 0 {
      // The interval of the difference is not the one that decides.
      check.difference = Estimate(figure.pair.difference)
      check.beyond = Estimate(
        value.value, value.interval, by: .pairedStudent, clusters: value.clusters)
    }
    gain = gain.oriented(sign)
    gain.value -= margin
    contrast = (value.oriented(sign), -margin, gain)
    check.clusterText = figure.clusterText
  }

  /// Whether there is an interval. Too few people are an error; too unequal ones are inconclusive.
  private mutating func isJudgeable(_ figure: FigureComparison) -> Bool {
    guard !figure.isEqual || figure.pair.parts.count < PairedRatio.fewest,
      let reason = figure.noInterval
    else { return true }
    let isTooFew = figure.pair.parts.count < PairedRatio.fewest || figure.base == nil
    check.verdict = isTooFew ? .error : .inconclusive
    check.reason = reason
    return false
  }

  private mutating func judgeInterval(
    _ figure: FigureComparison, atLeast least: Double = -.infinity, atMost most: Double = .infinity
  ) {
    let estimate = figure.newPeopleEstimate
    guard estimate.method?.population == .newPeople, let interval = estimate.interval else {
      check.verdict = .error
      check.reason =
        figure.noInterval ?? "the figure of the head has no interval for new people"
      return
    }
    check.difference = nil
    check.detectableEffect = figure.pair.contrast(factor: 0).flatMap {
      $0.standardError > 0
        ? $0.detectableEffect(level: AccuracyGate.level, power: AccuracyGate.power) : nil
    }
    let (lower, upper) = (interval.lower, interval.upper)
    let isShown = lower >= least && upper <= most
    let isRefuted = upper < least || lower > most
    check.verdict = isShown ? .pass : isRefuted ? .fail : .inconclusive
    check.reason =
      "interval of the head \(Self.short(lower)) to \(Self.short(upper)), \(figure.clusterText)"
  }

  private static func signed(_ value: Double) -> String { (value > 0 ? "+" : "") + short(value) }

  private static func short(_ value: Double) -> String {
    guard value.isFinite else { return "\(value)" }
    let scale = abs(value) < 10 ? 1e4 : 100
    return "\((value * scale).rounded() / scale)"
  }

  /// Decides the checks for new people with Holm's adjustment for their number.
  static func decide(_ drafts: inout [CheckDraft]) {
    let probabilities = drafts.map { draft in
      draft.contrast.map { $0.value.probability(below: $0.least) }
    }
    let adjusted = holmAdjusted(probabilities)
    let number = probabilities.count { $0 != nil }
    for index in drafts.indices {
      guard let probability = adjusted[index] else { continue }
      drafts[index].decide(probability, plain: probabilities[index] ?? 1, of: number)
    }
  }

  /// - Parameters:
  ///   - probability: adjusted for the number of checks.
  ///   - plain: that of this check alone.
  private mutating func decide(_ probability: Double, plain: Double, of number: Int) {
    guard let contrast else { return }
    let level = AccuracyGate.level
    check.probability = probability
    check.detectableEffect = contrast.value.detectableEffect(
      level: level / Double(max(1, number)), power: AccuracyGate.power)
    if probability <= level {
      check.verdict = .fail
      check.reason = "the interval lies beyond the bound"
    } else if contrast.gain.probability(above: 0) <= level {
      check.verdict = .improved
      check.reason = "the interval lies beyond the bound on the better side"
    } else if contrast.value.probability(above: contrast.least) <= level {
      check.verdict = .pass
      check.reason = "the interval lies within the bound"
    } else {
      check.verdict = .inconclusive
      check.reason =
        plain <= level
        ? "beyond the bound alone, but not over \(number) checks (p \(Self.short(probability)))"
        : "the interval contains the bound"
    }
    check.reason += ", \(check.clusterText)"
    if let beyond = check.beyond, let value = beyond.value, let interval = beyond.interval {
      check.reason +=
        "; beyond it by \(Self.signed(value)) (\(Self.signed(interval.lower)) to "
        + "\(Self.signed(interval.upper)))"
    }
  }
}

extension PairedContrast {
  /// The contrast so that more is better.
  /// - Parameter sign: 1 = a rise is worse, -1 = a fall is.
  fileprivate func oriented(_ sign: Double) -> PairedContrast {
    var contrast = self
    contrast.value *= -sign
    return contrast
  }

  /// The one-sided probability of so high a value if the true one is `bound`.
  fileprivate func probability(above bound: Double) -> Double {
    var mirrored = self
    mirrored.value = -value
    return mirrored.probability(below: -bound)
  }
}
