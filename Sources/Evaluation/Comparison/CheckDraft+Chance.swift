internal import Scoring

/// How often a check of these recordings fails by chance: if detections flip, and each flip is for
/// the better as often as for the worse.
extension CheckDraft {
  mutating func addChance(
    _ entry: ResultComparison.Entry, _ figure: FigureComparison?, _ comparison: ResultComparison
  ) {
    guard let figure, let flips = Self.flips(entry, figure, comparison) else { return }
    let sum = figure.pair.base
    let most: Double
    switch bound.limit {
    case .change(let count) where bound.subject == .lost: most = count
    case .change(let margin): most = (Double(flips.count) + abs(margin) * sum.exposure) / 2
    case .share(let share): most = (Double(flips.count) + abs(share) * sum.count) / 2
    case .atLeast, .atMost: return
    }
    // Rounding must not decide here either.
    check.chanceOfRed =
      Distributions.binomialProbability(
        ofAtLeast: Int(min(most + 1e-9, Double(flips.count)).rounded(.down)) + 1, in: flips.count,
        0.5) ?? 0
    check.flips = flips.isSeen ? flips.count : nil
  }

  /// The flips of hits, or of false alarms; nil for figures of neither.
  private static func flips(
    _ entry: ResultComparison.Entry, _ figure: FigureComparison, _ comparison: ResultComparison
  ) -> (count: Int, isSeen: Bool)? {
    let isRecall = figure.figure == .recall
    guard isRecall || figure.figure.numerator == FigureDefinition.falseAlarmsPerHour.numerator
    else { return nil }
    if comparison.entries.contains(where: { comparison.balance(of: $0).isChanged }) {
      let balance = comparison.balance(of: entry)
      return (isRecall ? balance.references.count : balance.falseAlarms.count, true)
    }
    let sum = figure.pair.base
    let one = sum.count * GateReport.assumedFlips
    return (Int((2 * (isRecall ? min(one, sum.exposure - sum.count) : one)).rounded(.up)), false)
  }
}

extension GateReport {
  /// The share of hits, and of false alarms, that is taken to be lost where no detection has flipped;
  /// as many are taken to be found.
  public static let assumedFlips = 0.05

  /// How often a gate as this one fails by chance, over its checks of one population.
  public struct ChanceOfRed: Sendable, Encodable {
    /// The probability that at least one of the checks fails.
    public var share: Double
    /// The flips of hits and false alarms that it rests on; nil = assumed, or for new people.
    public var flips: Int?

    /// The numbers of gates per week for which ``perYear(gates:)`` is printed.
    public static let gatesPerWeek = [5, 20]

    /// The expected number of such gates per year that fail.
    public func perYear(gates: Int) -> Double { share * Double(gates) * 52 }
  }

  /// nil where it is not known for any check.
  public func chanceOfRed(_ population: GateBound.Population) -> ChanceOfRed? {
    let known = checks.filter { $0.population == population && $0.chanceOfRed != nil }
    guard !known.isEmpty else { return nil }
    let flips = known.compactMap(\.flips)
    return ChanceOfRed(
      share: 1 - known.reduce(1) { $0 * (1 - ($1.chanceOfRed ?? 0)) },
      flips: flips.isEmpty ? nil : flips.reduce(0, +))
  }
}
