/// A confusion matrix over matched events.
///
/// ```swift
/// let matrix = ConfusionMatrix([("hook", "hook"), ("hook", "straight")])
/// matrix.count(reference: "hook", detection: "straight")  // 1
/// ```
public struct ConfusionMatrix: Hashable, Sendable, Codable {
  /// All labels of both sides, sorted. The empty label is a detection without a class.
  public private(set) var labels: [String] = []
  /// One row per reference label and one column per detected label, both in the order of `labels`.
  public private(set) var counts: [[Int]] = []

  public init() {}

  /// O(n log n) for n pairs, plus a count for each pair of labels.
  public init(_ pairs: [(reference: String, detection: String)]) {
    self.init(labels: Set(pairs.flatMap { [$0.reference, $0.detection] }))
    let places = places
    for pair in pairs {
      if let row = places[pair.reference], let column = places[pair.detection] {
        counts[row][column] += 1
      }
    }
  }

  private init(labels: Set<String>) {
    self.labels = labels.sorted()
    let row = [Int](repeating: 0, count: labels.count)
    counts = Array(repeating: row, count: labels.count)
  }

  /// Returns the count of a pair; 0 for a label that does not occur.
  public func count(reference: String, detection: String) -> Int {
    guard let row = labels.firstIndex(of: reference), let column = labels.firstIndex(of: detection)
    else { return 0 }
    return counts[row][column]
  }

  /// The share of matched events with the correct class.
  public var accuracy: Proportion {
    Proportion(
      successes: counts.indices.reduce(0) { $0 + counts[$1][$1] },
      trials: counts.reduce(0) { $0 + $1.reduce(0, +) })
  }

  public static func pooled(_ matrices: [ConfusionMatrix]) -> ConfusionMatrix {
    var sum = ConfusionMatrix(labels: Set(matrices.flatMap { $0.labels }))
    let places = sum.places
    for matrix in matrices {
      let positions = matrix.labels.compactMap { places[$0] }
      for (row, counts) in zip(positions, matrix.counts) {
        for (column, count) in zip(positions, counts) { sum.counts[row][column] += count }
      }
    }
    return sum
  }

  /// Whether there is a count for each pair of labels: a stored matrix may be anything.
  var isConsistent: Bool {
    Set(labels).count == labels.count
      && ([counts.count] + counts.map { $0.count }).allSatisfy { $0 == labels.count }
  }

  private var places: [String: Int] {
    Dictionary(uniqueKeysWithValues: zip(labels, labels.indices))
  }
}
