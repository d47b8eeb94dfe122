/// A confusion matrix over matched events.
public struct ConfusionMatrix: Hashable, Sendable, Codable {
  /// All labels of both sides, sorted. The empty label, which comes first, is a detection without a
  /// class.
  public private(set) var labels: [String] = []
  /// One row per reference label and one column per detected label, both in the order of `labels`.
  public private(set) var counts: [[Int]] = []

  public init() {}

  /// Creates a matrix with one count per pair.
  public init(_ pairs: [(reference: String, detection: String)]) {
    self.init(labels: Set(pairs.flatMap { [$0.reference, $0.detection] }))
    for pair in pairs { add(1, pair.reference, pair.detection) }
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

  /// Returns the sum of several matrices.
  public static func pooled(_ matrices: [ConfusionMatrix]) -> ConfusionMatrix {
    var sum = ConfusionMatrix(labels: Set(matrices.flatMap(\.labels)))
    for matrix in matrices {
      for (row, reference) in matrix.labels.enumerated() {
        for (column, detection) in matrix.labels.enumerated() {
          sum.add(matrix.counts[row][column], reference, detection)
        }
      }
    }
    return sum
  }

  private mutating func add(_ count: Int, _ reference: String, _ detection: String) {
    guard let row = labels.firstIndex(of: reference), let column = labels.firstIndex(of: detection)
    else { return }
    counts[row][column] += count
  }
}
