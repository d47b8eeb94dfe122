internal import Scoring

/// Checks for new people: intervals decide.
extension CheckDraft {
  /// The tests that decide a check. More is better, whatever the figure.
  struct Tests {
    /// 1 = a rise of the figure is worse, -1 = a fall is.
    var sign: Double
    var fail: Test
    /// That of ``fail``, except for standard bounds.
    var pass: Test
    /// Of a gain beyond the bound.
    var gain: Test
    var isShare: Bool
  }

  struct Test {
    var value: PairedContrast
    /// The lowest allowed value.
    var least: Double
    /// How far above ``least`` a figure is that has not changed.
    var margin: Double

    var isAbove: Bool { value.probability(above: least) <= AccuracyGate.level }
    var isBelow: Bool { value.probability(below: least) <= AccuracyGate.level }
  }

  mutating func prepare(_ figure: FigureComparison) {
    let sign = Self.sign(figure, bound.limit)
    switch bound.limit {
    case .atLeast(let least): judgeInterval(figure, least, isLeast: true)
    case .atMost(let most): judgeInterval(figure, most, isLeast: false)
    case .change: prepare(figure, sign, share: 0)
    case .share(let share): prepare(figure, sign, share: abs(share))
    }
  }

  private mutating func prepare(_ figure: FigureComparison, _ sign: Double, share: Double) {
    check.difference = figure.difference
    guard isJudgeable(figure) else { return }
    guard !figure.isEqual else {
      check.reason = "equal for each of \(figure.clusterText)"
      return
    }
    let passLimit = bound.passLimit(of: figure)
    guard let fail = figure.test(bound.limit, sign),
      let gain = figure.test(bound.limit, sign, ofGain: true),
      let pass = figure.test(passLimit ?? bound.limit, sign)
    else { return }
    check.passBound = passLimit?.text
    if share > 0, let value = figure.pair.contrast(factor: 1 + sign * share) {
      // The interval of the difference is not the one that decides.
      check.difference = Estimate(figure.pair.difference)
      check.beyond = Estimate(
        value.value, value.interval, by: .pairedStudent, clusters: value.clusters)
    }
    tests = Tests(sign: sign, fail: fail, pass: pass, gain: gain, isShare: share > 0)
    self.figure = figure
    check.clusterText = figure.clusterText
  }

  /// Whether there is an interval. Too few people are an error; too unequal ones are inconclusive.
  private mutating func isJudgeable(_ figure: FigureComparison) -> Bool {
    guard !figure.isEqual || figure.pair.parts.count < PairedRatio.fewest,
      let reason = figure.noInterval
    else { return true }
    let isTooFew = figure.pair.parts.count < PairedRatio.fewest || figure.base == nil
    check.verdict = isTooFew ? .error : .inconclusive
    check.reason =
      reason + (isTooFew ? "" : "; would decide: as much of the others, or people who differ")
    return false
  }

  private mutating func judgeInterval(
    _ figure: FigureComparison, _ end: Double, isLeast: Bool
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
    let isShown = isLeast ? lower >= end : upper <= end
    let isRefuted = isLeast ? upper < end : lower > end
    check.verdict = isShown ? .pass : isRefuted ? .fail : .inconclusive
    check.reason =
      "interval of the head \(Self.short(lower)) to \(Self.short(upper)), \(figure.clusterText)"
    if check.verdict == .inconclusive, let value = estimate.value {
      check.reason +=
        "; " + Self.outlook(figure, value, interval, bound: end, isLeast: isLeast)
    }
  }

  private static func short(_ value: Double) -> String {
    guard value.isFinite else { return "\(value)" }
    let scale = abs(value) < 10 ? 1e4 : 100
    return "\((value * scale).rounded() / scale)"
  }

  /// Decides the checks for new people with Holm's adjustment for their number.
  static func decide(_ drafts: inout [CheckDraft]) {
    let probabilities = drafts.map { draft in
      draft.tests.map { $0.fail.value.probability(below: $0.fail.least) }
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
    guard let tests, let figure else { return }
    let level = AccuracyGate.level
    check.probability = probability
    check.detectableEffect = tests.fail.value.detectableEffect(
      level: level / Double(max(1, number)), power: AccuracyGate.power)
    check.chanceOfRed = tests.fail.chanceOfRed(level / Double(max(1, number)))
    let verdict: (GateVerdict, reason: String) =
      if probability <= level {
        (.fail, "the whole interval lies beyond the bound")
      } else if tests.gain.isAbove {
        (.improved, "better by more than the bound")
      } else if tests.pass.isAbove {
        (.pass, "the interval lies within the bound")
      } else if plain <= level {
        (
          .inconclusive,
          "beyond the bound alone, but not over \(number) checks (p \(Self.short(probability)))"
        )
      } else {
        (.inconclusive, "undecided, the interval contains the bound")
      }
    (check.verdict, check.reason) = verdict
    // More is better in both tests, and the interval of a share is not that of the difference.
    if tests.isShare, check.verdict != .pass {
      let isGain = check.verdict == .improved
      let value = isGain ? tests.gain.value : tests.fail.value
      let sign = isGain ? 1.0 : -1
      let bounds = value.interval.map { [sign * $0.lower, sign * $0.upper].sorted() }
      let isOpen = check.verdict == .inconclusive
      let text = bounds.map {
        " (\(Self.short($0[0])) to \(Self.short($0[1]))\(isOpen ? ", above 0 is beyond it" : ""))"
      }
      check.reason += isGain ? ", exceeding it by " : isOpen ? "; distance from the bound " : " by "
      check.reason += "\(Self.short(sign * value.value))\(text ?? "")"
    }
    check.reason += ", \(check.clusterText)"
    if check.verdict == .inconclusive {
      check.reason += "; " + Self.outlook(figure, tests, of: number)
    }
  }
}

extension FigureComparison {
  /// The test of a margin or a share; nil for other limits, and without an interval.
  func test(
    _ limit: GateBound.Limit, _ sign: Double, ofGain: Bool = false
  ) -> CheckDraft.Test? {
    let direction = ofGain ? -1.0 : 1
    let (margin, share): (Double, Double)
    switch limit {
    case .change(let change): (margin, share) = (abs(change), 0)
    case .share(let own): (margin, share) = (0, abs(own))
    case .atLeast, .atMost: return nil
    }
    // A share of a base below 0, such as that of an early delay, is a share of its size.
    let side = (base ?? 0) < 0 ? -1.0 : 1
    return pair.contrast(factor: 1 + direction * sign * side * share).map {
      CheckDraft.Test(
        value: $0.oriented(sign), least: -direction * margin,
        margin: margin + share * abs(base ?? 0))
    }
  }
}

extension CheckDraft.Test {
  /// The probability that this test fails at this level although nothing has changed.
  fileprivate func chanceOfRed(_ level: Double) -> Double? {
    guard value.standardError > 0 else { return 0 }
    return Distributions.studentQuantile(1 - level, degreesOfFreedom: value.degreesOfFreedom)
      .flatMap {
        Distributions.studentTail(
          above: $0 + margin / value.standardError, degreesOfFreedom: value.degreesOfFreedom)
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
