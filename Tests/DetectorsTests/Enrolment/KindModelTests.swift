@testable import Detectors
import Foundation
import Testing

/// The linear discriminant against scikit-learn and against laws.
@Suite struct KindModelTests {
  private typealias Example = (kind: String, features: [Double])

  private static let examples: [Example] =
    [[1.0, 2.0, 0.5], [1.5, 1.75, 0.25], [0.5, 2.5, 0.75], [1.25, 2.25, 0.0]].map { ("hook", $0) }
    + [[3.0, 0.5, 1.0], [3.5, 0.25, 1.5], [2.5, 1.0, 0.5], [3.25, 0.75, 1.25]]
    .map { ("straight", $0) }
    + [[2.0, 3.0, 4.0], [1.5, 3.5, 3.5], [2.5, 2.75, 4.5], [2.25, 3.25, 3.75]]
    .map { ("uppercut", $0) }

  private func near(_ left: [Double], _ right: [Double], _ relative: Double = 1e-9) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { abs($0 - $1) <= relative * max(abs($1), 1) }
  }

  /// Those of scikit-learn 1.5.2: `python Tests/Python/expected_discriminant.py`.
  @Test func theWeightsAreThoseOfScikitLearn() throws {
    let model = try #require(KindModel(fitting: Self.examples, shrinkage: 0.3))
    #expect(model.kinds == ["hook", "straight", "uppercut"])
    let weights = [
      [23.8167181542, 36.6692235466, 4.60261486394], [33.2884596592, 30.0553043716, 4.02861914422],
      [36.7933651654, 62.7661426326, 24.9735925877],
    ]
    for (own, expected) in zip(model.weights, weights) { #expect(near(own, expected)) }
    #expect(near(model.offsets, [-52.4766718247, -62.5054403896, -185.182016097]))
  }

  @Test func probabilitiesAreOfTheKindsAndNameTheExamples() throws {
    let model = try #require(KindModel(fitting: Self.examples, shrinkage: 0.3))
    for example in Self.examples {
      let probabilities = model.probabilities(example.features)
      let sum = probabilities.reduce(0, +)
      #expect(abs(sum - 1) < 1e-12)
      let best = probabilities.indices.max { probabilities[$0] < probabilities[$1] }
      #expect(best.map { model.kinds[$0] } == example.kind)
    }
    // Far away, where an exponential alone would overflow.
    let far = model.probabilities([1e6, -1e6, 1e6])
    let sum = far.reduce(0, +)
    #expect(far.allSatisfy { $0.isFinite })
    #expect(abs(sum - 1) < 1e-12)
  }

  @Test func unitsAndOrderOfTheExamplesDoNotMatter() throws {
    let model = try #require(KindModel(fitting: Self.examples, shrinkage: 0.3))
    let other = try #require(
      KindModel(
        fitting: Self.examples.reversed().map {
          ($0.kind, [$0.features[0] * 100, $0.features[1] / 8, $0.features[2] - 7])
        }, shrinkage: 0.3))
    for example in Self.examples {
      let left = model.probabilities(example.features)
      let right = other.probabilities(
        [example.features[0] * 100, example.features[1] / 8, example.features[2] - 7])
      #expect(near(left, right, 1e-6))
    }
  }

  @Test func aConstantFeatureHasNoEffect() throws {
    func best(_ model: KindModel, _ features: [Double]) -> String? {
      let probabilities = model.probabilities(features)
      return probabilities.indices.max { probabilities[$0] < probabilities[$1] }
        .map { model.kinds[$0] }
    }
    let model = try #require(
      KindModel(fitting: Self.examples.map { ($0.kind, $0.features + [5]) }, shrinkage: 0.3))
    for example in Self.examples {
      #expect(best(model, example.features + [5]) == example.kind)
    }
  }

  @Test func tooFewExamplesGiveNoModel() {
    let two = Array(Self.examples.prefix(4))
    #expect(KindModel(fitting: two, shrinkage: 0.3) == nil)
    #expect(KindModel(fitting: [], shrinkage: 0.3) == nil)
    // One of each kind: nothing tells how much a kind varies.
    #expect(
      KindModel(
        fitting: [Self.examples[0], Self.examples[4], Self.examples[8]], shrinkage: 0.3) == nil)
    #expect(
      KindModel(fitting: [("a", [1]), ("a", [1]), ("b", [1])], shrinkage: 0.3) == nil)
  }

  @Test func aModelComesBackFromItsText() throws {
    let model = try #require(KindModel(fitting: Self.examples, shrinkage: 0.3))
    let text = try JSONEncoder().encode(model)
    #expect(try JSONDecoder().decode(KindModel.self, from: text) == model)
  }

  @Test(arguments: [
    #"{"kinds":["a"],"offsets":[],"weights":[[1]]}"#,
    #"{"kinds":[],"offsets":[],"weights":[]}"#,
    #"{"kinds":["a","b"],"offsets":[0,0],"weights":[[1],[1,2]]}"#,
  ])
  func aTextThatIsNoModelIsRefused(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(KindModel.self, from: Data(text.utf8))
    }
  }
}
