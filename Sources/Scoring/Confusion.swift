/// How often each class was taken for each, over matched events.
public struct ConfusionMatrix: Hashable, Sendable, Codable {
  /// Every label of either side, sorted; the empty label, first, is a detection without a class.
  public private(set) var labels: [String] = []
  /// A row for each reference label, a column for each detected one, both in the order of
  /// `labels`.
  public private(set) var counts: [[Int]] = []

  public init() {}

  /// A count for each pair of labels.
  public init(_ pairs: [(reference: String, detection: String)]) {
    self.init(labels: Set(pairs.flatMap { [$0.reference, $0.detection] }))
    for pair in pairs { add(1, pair.reference, pair.detection) }
  }

  private init(labels: Set<String>) {
    self.labels = labels.sorted()
    let row = [Int](repeating: 0, count: labels.count)
    counts = Array(repeating: row, count: labels.count)
  }

  /// 0 for a label that did not occur.
  public func count(reference: String, detection: String) -> Int {
    guard let row = labels.firstIndex(of: reference), let column = labels.firstIndex(of: detection)
    else { return 0 }
    return counts[row][column]
  }

  /// How many of the matched events have their own class.
  public var accuracy: Proportion {
    Proportion(
      successes: counts.indices.reduce(0) { $0 + counts[$1][$1] },
      trials: counts.reduce(0) { $0 + $1.reduce(0, +) })
  }

  /// The sum of several matrices.
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
