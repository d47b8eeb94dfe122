internal import TraceModel

/// A test, after each value, of whether a series has changed its level. It needs to know neither
/// level nor spread, and stays valid however often and however long it is read.
///
/// Without a change all orders of the values are equally likely, so the rank of each value among
/// those before it is independent of the other ranks and uniform (Rényi, Théorie des éléments
/// saillants d'une suite d'observations, Aarhus 1962). The test bets on ranks: for each place of a
/// change and each shift, a capital of 1 is multiplied by the likelihood ratio of each new rank,
/// see ``LogisticShift``. The mean capital is a martingale without a change, and ever exceeds 1/p
/// with a probability of at most p (Ville 1939; Vovk, Testing randomness online, Statistical
/// Science 36, 2021). Sums of such martingales over the place of the change are the e-detectors of
/// Shin, Ramdas and Rinaldo (NEJSDS 2, 2024); here their weights sum to 1, which bounds the
/// probability of any false alarm, not only its mean distance.
///
/// Equal values share the mean ratio of their ranks, which is what breaking ties at random yields
/// on average. So nothing here is random, and only the order of the values decides whether there is
/// a change: a single outlier is never a change, however far off it is.
///
/// Where neighbours are alike, e.g. because a machine is warm all day, more evidence is needed, see
/// ``BlockDependence``.
package struct ChangeTest: Sendable {
  /// The probability of any false alarm in all series of a history, of any length, without a change.
  package static let falseAlarmProbability = 0.05
  /// The autocorrelation from run to run that the test allows for, beside the blocks.
  package static let autocorrelation = BlockDependence.autocorrelation
  /// The fewest values that can show a change.
  package static let fewestValues = 8
  /// A series of several runs a day shows no change on fewer days.
  package static let fewestDays = BlockDependence.fewestBlocks
  /// The number of values before the first change that is looked for.
  package static let fewestBefore = 4
  /// The weights of the places fall like 1 / (n log² n), about as slowly as a finite sum allows.
  private static let flatness = 10.0
  /// A capital below this is dropped, which can only lower the sum.
  private static let leastCapital = 1e-9

  private static let bets = LogisticShift.shifts.map(LogisticShift.init)

  /// A place of a change: the number of values before it, and the capitals of its bets.
  private struct Place: Sendable {
    var before: Int
    var weight: Double
    var capitals: [Double]
    var mean: Double { capitals.reduce(0, +) / Double(capitals.count) }
  }

  /// The logarithm of the evidence that independent values need.
  private let limit: Double
  private var values: [Double] = []
  private var blocks: [Int] = []
  private var different: Set<Int> = []
  /// The number of values at which blocks are asked again.
  private var next = 0
  private var sorted: [Double] = []
  private var places: [Place] = []
  /// The mean capital.
  package private(set) var evidence = 1.0

  /// - Parameter probability: the probability of a false alarm in this series, above 0 and below 1.
  package init(falseAlarmProbability probability: Double = ChangeTest.falseAlarmProbability) {
    limit = -Math.log(probability)
  }

  /// Takes the next value. O(n) for the n-th one, and O(n²) for about one in 50.
  ///
  /// - Parameters:
  ///   - value: finite.
  ///   - block: the day of the value, in which values may be alike; nil = each value is a block.
  /// - Returns: the number of values before the change, by maximum likelihood of two Laplace
  ///   distributions of one spread: the place where the distances from the medians before and after
  ///   it have the least sum; nil = no change is shown. After a change the test is over: a new one
  ///   begins with the next value.
  package mutating func add(_ value: Double, block: Int? = nil) -> Int? {
    let below = sorted.partitioningIndex { !($0 < value) }
    let above = sorted.partitioningIndex { $0 > value }
    values.append(value)
    blocks.append(block ?? values.count)
    different.insert(blocks[blocks.count - 1])
    sorted.insert(value, at: above)
    let count = sorted.count
    if count - 1 >= Self.fewestBefore { open(before: count - 1) }
    let total = Double(count)
    bet((lower: Double(below) / total, upper: Double(above + 1) / total), count)
    // The weight of the places that are still to come.
    let rest = Self.remainder(from: max(count, Self.fewestBefore))
    evidence = places.reduce(rest) { $0 + $1.weight * $1.mean }
    let found = Math.log(evidence)
    guard found >= limit * BlockDependence.least, values.count >= next,
      BlockDependence.canTell(values.count, inBlocks: different.count), let place = place(),
      let factor = BlockDependence.factor(of: values, change: place, blocks: blocks)
    else { return nil }
    if found >= limit * factor { return place }
    // Blocks that vary much need many more values: to ask after each one would take the cube of all.
    next = values.count + values.count / 50
    return nil
  }

  /// Ranks alone would place a change too early after an extreme last value. O(n²).
  private func place() -> Int? {
    let before = MedianDistances(values).sums
    let after = Array(MedianDistances(values.reversed()).sums.reversed())
    return places.map(\.before).min {
      before[$0 - 1] + after[$0] < before[$1 - 1] + after[$1]
    }
  }

  /// The sum of the weights of all places from one on.
  private static func remainder(from before: Int) -> Double {
    Math.log(Double(fewestBefore) + flatness) / Math.log(Double(before) + flatness)
  }

  private mutating func open(before: Int) {
    places.append(
      Place(
        before: before,
        weight: Self.remainder(from: before) - Self.remainder(from: before + 1),
        capitals: [Double](repeating: 1, count: 2 * Self.bets.count)))
  }

  private mutating func bet(_ range: (lower: Double, upper: Double), _ count: Int) {
    let mirrored = (lower: 1 - range.upper, upper: 1 - range.lower)
    for index in places.indices {
      let after = Double(count - places[index].before) / Double(count)
      for (number, shift) in Self.bets.enumerated() {
        places[index].capitals[2 * number] *= shift.ratio(range, after: after)
        places[index].capitals[2 * number + 1] *= shift.ratio(mirrored, after: after)
      }
    }
    places.removeAll { $0.mean < Self.leastCapital }
  }
}

/// The sums of the distances from the median, of the first value, the first two, and so on. O(n²).
struct MedianDistances {
  private(set) var sums: [Double] = []

  init(_ values: [Double]) {
    var sorted: [Double] = []
    for value in values {
      sorted.insert(value, at: sorted.firstIndex { $0 > value } ?? sorted.count)
      // Pairs from the outside in: any value between the inner pair is a median.
      let count = sorted.count
      sums.append((0..<count / 2).reduce(0) { $0 + (sorted[count - 1 - $1] - sorted[$1]) })
    }
  }
}
