import Detectors
import GSLSearch
import Testing

@testable import Tuning

@Suite struct SearchSpaceTests {
  private let window = SearchDimension(
    "window", .number(range: 0.1...0.4, isLogarithmic: false, values: 4))

  @Test func aGridIsEveryCombination() throws {
    let space = SearchSpace([
      window, SearchDimension("rule", .choice(["a", "b"])), SearchDimension("on", .flag),
    ])
    let all = try space.points(.grid, by: GSLSearch()).map(space.settings)
    #expect(space.gridCount == 16)
    #expect(Set(all).count == 16)
    #expect(all[0] == ["window": .number(0.1), "rule": .choice("a"), "on": .flag(false)])
    #expect(Set(all.compactMap { $0["window"] }) == [0.1, 0.2, 0.3, 0.4].map { .number($0) }.asSet)
  }

  @Test func byRatioTheMiddleIsTheGeometricOne() {
    let dimension = SearchDimension(
      "rate", .number(range: 1...100, isLogarithmic: true, values: 3))
    #expect(dimension.places.map(dimension.value) == [.number(1), .number(10), .number(100)])
  }

  @Test func sobolStaysWithinAndBeginsInTheMiddle() throws {
    let space = SearchSpace([window, SearchDimension("rule", .choice(["a", "b", "c"]))])
    let points = try space.points(.sobol(64), by: GSLSearch()).map(space.settings)
    #expect(points.count == 64)
    #expect(points[0] == ["window": .number(0.25), "rule": .choice("b")])
    for case .number(let value)? in points.map({ $0["window"] }) {
      #expect((0.1...0.4).contains(value))
    }
    // Each choice about as often as the others.
    for choice in ["a", "b", "c"] {
      #expect((20...23).contains(points.count { $0["rule"] == .choice(choice) }))
    }
  }

  @Test func withoutDimensionsThereAreNoPoints() throws {
    #expect(try SearchSpace().points(.sobol(8), by: GSLSearch()).isEmpty)
    #expect(SearchSpace().gridCount == 1)
  }

  @Test func numbersCanBeWrittenDown() {
    let dimension = SearchDimension("x", .number(range: 0...1, isLogarithmic: false, values: 2))
    #expect(dimension.value(at: 1.0 / 3) == .number(0.333333))
  }
}

extension Array where Element: Hashable {
  fileprivate var asSet: Set<Element> { Set(self) }
}
