import TraceModel

/// A linear classifier that assigns a vector of features to one of several kinds.
///
/// It is fitted to a few examples of one person and does not apply to other people.
///
/// ```swift
/// let model = KindModel(
///   fitting: [("hook", [4]), ("hook", [5]), ("jab", [1]), ("jab", [2])], shrinkage: 0.5)
/// model?.kinds  // ["hook", "jab"]
/// model?.probabilities([3])  // [0.5, 0.5]
/// ```
public struct KindModel: Hashable, Sendable, Codable {
  /// The names of the kinds, in alphabetical order.
  public let kinds: [String]
  /// A number per kind, which is added to its score.
  public let offsets: [Double]
  /// A number per kind and feature.
  public let weights: [[Double]]

  /// - Returns: nil unless there is an offset and a vector of weights per kind, the vectors have the
  ///   same length, and all numbers are finite.
  public init?(kinds: [String], offsets: [Double], weights: [[Double]]) {
    guard !kinds.isEmpty, kinds.count == offsets.count, kinds.count == weights.count,
      weights.allSatisfy({ $0.count == weights[0].count && $0.allSatisfy({ $0.isFinite }) }),
      offsets.allSatisfy({ $0.isFinite })
    else { return nil }
    (self.kinds, self.offsets, self.weights) = (kinds, offsets, weights)
  }

  #if !hasFeature(Embedded)
    /// - Throws: if the numbers are not those of a model.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let model = KindModel(
        kinds: try values.decode([String].self, forKey: .kinds),
        offsets: try values.decode([Double].self, forKey: .offsets),
        weights: try values.decode([[Double]].self, forKey: .weights))
      guard let model else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath,
            debugDescription: "an offset and weights of one length for each kind"))
      }
      self = model
    }
  #endif

  public var features: Int { weights[0].count }

  /// Returns the probability of each kind, given that it is one of them.
  /// - Parameter features: as many as ``features``.
  public func probabilities(_ features: [Double]) -> [Double] {
    let scores = kinds.indices.map { kind in
      zip(weights[kind], features).reduce(offsets[kind]) { $0 + $1.0 * $1.1 }
    }
    let highest = scores.max() ?? 0
    let shares = scores.map { Math.exp($0 - highest) }
    let sum = shares.reduce(0, +)
    return shares.map { $0 / sum }
  }
}

extension KindModel {
  /// Fits a linear discriminant: the kinds have a mean each, and one covariance, which is shrunk
  /// towards a multiple of the identity (Friedman, Regularized Discriminant Analysis, JASA 84, 1989),
  /// because there are more features than examples. All kinds are equally likely.
  ///
  /// - Parameters:
  ///   - examples: the kind and the features of each; vectors of one length of finite numbers.
  ///   - shrinkage: the weight of the identity, above 0 to 1.
  /// - Returns: nil for fewer than two kinds, or if no kind has two examples.
  public init?(fitting examples: [(kind: String, features: [Double])], shrinkage: Double) {
    let kinds = Set(examples.map { $0.kind }).sorted()
    guard kinds.count >= 2, examples.count > kinds.count, let size = examples.first?.features.count,
      size > 0
    else { return nil }
    let scale = KindModel.deviations(examples.map { $0.features })
    let scaled = examples.map { zip($0.features, scale).map { $0 / $1 } }
    let means = kinds.map { kind in
      KindModel.mean(zip(examples, scaled).filter { $0.0.kind == kind }.map { $0.1 })
    }
    var covariance = [[Double]](repeating: [Double](repeating: 0, count: size), count: size)
    for (example, vector) in zip(examples, scaled) {
      let mean = means[kinds.partitioningIndex { $0 >= example.kind }]
      let rest = zip(vector, mean).map { $0 - $1 }
      for row in 0..<size {
        for column in 0...row { covariance[row][column] += rest[row] * rest[column] }
      }
    }
    let freedom = Double(examples.count - kinds.count)
    let level = (0..<size).reduce(0) { $0 + covariance[$1][$1] } / freedom / Double(size)
    guard level > 0 else { return nil }
    for row in 0..<size {
      for column in 0...row { covariance[row][column] *= (1 - shrinkage) / freedom }
      covariance[row][row] += shrinkage * level
    }
    let factor = KindModel.cholesky(covariance)
    let weights = means.map { KindModel.solve(factor, $0) }
    self.init(
      kinds: kinds,
      offsets: zip(weights, means).map { weight, mean -> Double in
        -zip(weight, mean).reduce(0.0) { $0 + $1.0 * $1.1 } / 2
      },
      weights: weights.map { zip($0, scale).map { $0 / $1 } })
  }

  private static func mean(_ vectors: [[Double]]) -> [Double] {
    var sum = vectors[0]
    for vector in vectors.dropFirst() { sum = zip(sum, vector).map { $0 + $1 } }
    return sum.map { $0 / Double(vectors.count) }
  }

  /// The standard deviation of each feature; 1 for one that is the same in all examples.
  private static func deviations(_ vectors: [[Double]]) -> [Double] {
    let mean = mean(vectors)
    return mean.indices.map { feature in
      let squares = vectors.reduce(0) {
        $0 + ($1[feature] - mean[feature]) * ($1[feature] - mean[feature])
      }
      return squares > 0 ? (squares / Double(vectors.count)).squareRoot() : 1
    }
  }

  /// Returns the lower triangle L with L L' = the matrix. Reads only the matrix's lower triangle.
  private static func cholesky(_ matrix: [[Double]]) -> [[Double]] {
    var factor = matrix
    for row in matrix.indices {
      for column in 0...row {
        var sum = matrix[row][column]
        for inner in 0..<column { sum -= factor[row][inner] * factor[column][inner] }
        factor[row][column] = row == column ? sum.squareRoot() : sum / factor[column][column]
      }
    }
    return factor
  }

  /// Solves L L' x = right.
  private static func solve(_ factor: [[Double]], _ right: [Double]) -> [Double] {
    var vector = right
    for row in factor.indices {
      for column in 0..<row { vector[row] -= factor[row][column] * vector[column] }
      vector[row] /= factor[row][row]
    }
    for row in factor.indices.reversed() {
      for below in row + 1..<factor.count { vector[row] -= factor[below][row] * vector[below] }
      vector[row] /= factor[row][row]
    }
    return vector
  }
}
