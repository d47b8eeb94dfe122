import TraceModel

@testable import AppEngines
@testable import FightApp

extension FightModel {
  /// The outcome of a fight, from the view of the challenger, who moves first.
  struct Outcome: Hashable {
    var first: BasicProfile
    var second: BasicProfile
    var firstWins: Bool
    /// The hits of both.
    var hits: Int
    var seconds: Double
  }

  /// Returns the fight of a seed: two people and the outcome.
  static func fight(seed: UInt64) -> Outcome {
    var random = SeededGenerator(seed: seed)
    let first = fighter(0, random: &random)
    let second = fighter(1, random: &random)
    var bout = Bout(begun: .zero)
    // What counts before the fight is not modelled: both begin without a history.
    var hardest = [FightSide.origin: 0.0, .recipient: 0]
    var now = TraceInstant.zero
    while let turn = bout.turn {
      let fighter = turn == .origin ? first : second
      now = now.advanced(bySeconds: fighter.quickness * random.uniform(0.7...1.3))
      let punch = PunchReport(
        magnitude: swing(of: fighter, random: &random), thrown: now, move: bout.moves)
      // Only a swing that is too weak is refused.
      do throws(Refusal) {
        let blow = try bout.strike(
          by: turn, punch, at: now, hardest: hardest[turn, default: 0], rules: .default)
        hardest[turn] = max(hardest[turn, default: 0], blow.magnitude(of: punch))
      } catch {
        now = now.advanced(bySeconds: 1)
      }
    }
    return Outcome(
      first: first.profile, second: second.profile, firstWins: bout.winner == .origin,
      hits: bout.moves, seconds: now.seconds)
  }

  /// Draws the peak of a swing in m s-2.
  private static func swing(of fighter: SimulatedFighter, random: inout SeededGenerator) -> Double {
    let speed = fighter.handSpeed * random.uniform(0.75...1.25)
    let share = min(1, fighter.accuracy * random.uniform(0.6...1.4))
    let peak = .pi / 2 * speed * share / random.uniform(0.06...0.09)
    return min(peak, PunchLimits.largestMagnitude)
  }
}

extension FightOdds {
  /// The seeds of the fights that ``fitted`` was fitted on.
  static let fittingSeeds: ClosedRange<UInt64> = 1...40_000

  /// Fits the model on simulated fights; nil if there are too few.
  static func fit(seeds: some Sequence<UInt64>) -> FightOdds? {
    let fights = seeds.map(FightModel.fight(seed:))
    return LogisticFit.fit(
      fights.map { differences($0.first, $0.second) }, fights.map(\.firstWins))
  }
}

/// Logistic regression by maximum likelihood: Newton's method, which is iteratively reweighted
/// least squares here (McCullagh and Nelder, Generalized Linear Models, 2nd ed. 1989, 4.4).
enum LogisticFit {
  /// Returns the maximum-likelihood coefficients.
  ///
  /// - Parameters:
  ///   - features: the features of each observation; all of one length.
  ///   - outcomes: the outcome of each observation.
  /// - Returns: nil if there is no unique maximum: too few observations, a feature that depends on
  ///   others, or one that separates the outcomes perfectly.
  static func fit(_ features: [[Double]], _ outcomes: [Bool]) -> FightOdds? {
    precondition(features.count == outcomes.count)
    guard let width = features.first?.count else { return nil }
    var odds = FightOdds(intercept: 0, weights: Array(repeating: 0, count: width))
    for _ in 0..<30 {
      let (information, gradient) = sums(features, outcomes, odds)
      guard let step = solved(information, gradient) else { return nil }
      odds.intercept += step[0]
      for index in 0..<width { odds.weights[index] += step[index + 1] }
      if (step.map(abs).max() ?? 0) < 1e-10 { return odds }
    }
    return nil
  }

  /// Returns the negated Hessian (upper triangle, by rows) and the gradient of the log likelihood at
  /// the coefficients, the intercept first.
  private static func sums(
    _ features: [[Double]], _ outcomes: [Bool], _ odds: FightOdds
  ) -> (information: [Double], gradient: [Double]) {
    let count = odds.weights.count + 1
    var gradient = Array(repeating: 0.0, count: count)
    var information = Array(repeating: 0.0, count: count * count)
    for (row, outcome) in zip(features, outcomes) {
      let chance = odds.probability(row)
      let residual = (outcome ? 1 : 0) - chance
      let variance = chance * (1 - chance)
      let values = [1] + row
      for i in values.indices {
        gradient[i] += residual * values[i]
        let scaled = variance * values[i]
        for j in i..<count { information[i * count + j] += scaled * values[j] }
      }
    }
    return (information, gradient)
  }

  /// Solves A x = b for a symmetric positive definite A, given by its upper triangle, by Cholesky
  /// decomposition; nil if A is not positive definite.
  private static func solved(_ upper: [Double], _ right: [Double]) -> [Double]? {
    let size = right.count
    var factor = upper
    var solution = right
    for i in 0..<size {
      for j in i..<size {
        var sum = upper[i * size + j]
        for k in 0..<i { sum -= factor[k * size + i] * factor[k * size + j] }
        if i == j {
          // Relative to the entry: only rounding errors remain of a dependent column.
          guard sum > 1e-12 * upper[i * size + i], sum.isFinite else { return nil }
          factor[i * size + i] = sum.squareRoot()
        } else {
          factor[i * size + j] = sum / factor[i * size + i]
        }
      }
    }
    for i in 0..<size {
      for k in 0..<i { solution[i] -= factor[k * size + i] * solution[k] }
      solution[i] /= factor[i * size + i]
    }
    for i in (0..<size).reversed() {
      for k in i + 1..<size { solution[i] -= factor[i * size + k] * solution[k] }
      solution[i] /= factor[i * size + i]
    }
    return solution
  }
}
