/// A confusion matrix over matched events.
public struct ConfusionMatrix: Hashable, Sendable, Encodable {
  /// All labels of both sides, sorted. The empty label, which comes first, is a detection without a
  /// class.
  public private(set) var labels: [String] = []
  /// One row per reference label and one column per detected label, both in the order of `labels`.
  public private(set) var counts: [[Int]] = []

  public init() {}

  /// Creates a matrix with one count per pair. O(n log n) for n pairs, and a count for each pair of
  /// labels.
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

  /// Returns the sum of several matrices.
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

  /// The rows and columns by their labels.
  private var places: [String: Int] {
    Dictionary(uniqueKeysWithValues: zip(labels, labels.indices))
  }
}

#if !hasFeature(Embedded)
  extension ConfusionMatrix: Decodable {
    private enum CodingKeys: CodingKey { case labels, counts }

    /// - Throws: also if there is not a count for each pair of labels.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      labels = try values.decode([String].self, forKey: .labels)
      counts = try values.decode([[Int]].self, forKey: .counts)
      guard Set(labels).count == labels.count,
        ([counts.count] + counts.map(\.count)).allSatisfy({ $0 == labels.count })
      else {
        throw DecodingError.dataCorruptedError(
          forKey: .counts, in: values, debugDescription: "expected a count for each pair of labels")
      }
    }
  }
#endif
