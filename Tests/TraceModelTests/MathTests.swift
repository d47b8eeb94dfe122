import Foundation
import TestSupport
import Testing

@testable import TraceModel

#if canImport(Glibc)
  import Glibc
#endif

/// The functions against 60 digits (`Tests/Python/mathematics.py values` writes the fixture), against
/// another library on many more numbers, and by their laws.
@Suite struct MathTests {
  enum Function: String, CaseIterable, Sendable {
    case sin, cos, tan, atan2, exp, expm1, log, log1p, erf, erfc

    /// In units of the last place, as the doc comments state it.
    var bound: Double {
      switch self {
      case .sin, .cos, .atan2, .exp, .expm1, .log, .log1p: 1.05
      case .tan, .erf: 2
      case .erfc: 4
      }
    }

    func callAsFunction(_ x: Double, _ y: Double = 1) -> Double {
      switch self {
      case .sin: Math.sin(x)
      case .cos: Math.cos(x)
      case .tan: Math.tan(x)
      case .atan2: Math.atan2(x, y)
      case .exp: Math.exp(x)
      case .expm1: Math.expm1(x)
      case .log: Math.log(x)
      case .log1p: Math.log1p(x)
      case .erf: Math.erf(x)
      case .erfc: Math.erfc(x)
      }
    }

    /// The same of the C library, which is off by an ulp or so itself.
    func library(_ x: Double, _ y: Double = 1) -> Double {
      switch self {
      case .sin: Foundation.sin(x)
      case .cos: Foundation.cos(x)
      case .tan: Foundation.tan(x)
      case .atan2: Foundation.atan2(x, y)
      case .exp: Foundation.exp(x)
      case .expm1: Foundation.expm1(x)
      case .log: Foundation.log(x)
      case .log1p: Foundation.log1p(x)
      case .erf: Foundation.erf(x)
      case .erfc: Foundation.erfc(x)
      }
    }

    /// Magnitudes to try, and whether negative numbers are tried, too.
    var range: (low: Double, high: Double, isSigned: Bool) {
      switch self {
      case .sin, .cos, .tan: (1e-8, 1e6, true)
      case .atan2: (1e-5, 1e5, true)
      case .exp, .expm1: (1e-8, 700, true)
      case .log: (1e-300, 1e300, false)
      case .log1p: (1e-16, 1e16, false)
      case .erf: (1e-8, 6, true)
      case .erfc: (1e-8, 26, true)
      }
    }
  }

  private struct Row {
    var function: Function
    var argument: Double
    var second: Double
    var value: Double
    var rest: Double
  }

  private static func rows() throws -> [Row] {
    let text = try String(
      contentsOf: Fixtures.folder.appending(path: "mathematics.csv"), encoding: .utf8)
    return try text.split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: ",")
      let numbers = try fields.dropFirst().map { try #require(Double($0)) }
      return Row(
        function: try #require(Function(rawValue: String(fields[0]))), argument: numbers[0],
        second: numbers[1], value: numbers[2], rest: numbers[3])
    }
  }

  @Test func withinItsBoundOfSixtyDigits() throws {
    let rows = try Self.rows()
    #expect(Set(rows.map(\.function)) == Set(Function.allCases))
    for row in rows {
      let found = row.function(row.argument, row.second)
      let error = abs((found - row.value) / row.value.ulp - row.rest)
      #expect(
        error <= row.function.bound,
        "\(row.function) of \(row.argument), \(row.second): \(found), off by \(error) ulp")
    }
  }

  @Test(.longer, arguments: Function.allCases)
  func likeTheLibraryOfTheMachine(function: Function) {
    var generator = SeededGenerator(seed: 41)
    let (low, high, isSigned) = function.range
    for _ in 0..<LongTests.count(quick: 20_000, long: 2_000_000) {
      let size = low * Foundation.pow(high / low, generator.uniform(0...1))
      let x = isSigned && generator.uniform(0...1) < 0.5 ? -size : size
      let y = generator.uniform(-5...5)
      let (found, expected) = (function(x, y), function.library(x, y))
      // A library is within an ulp or two itself.
      let error = abs(found - expected) / expected.ulp
      if error > function.bound + 1.5 {
        Issue.record("\(function) of \(x), \(y): \(found), expected \(expected)")
      }
    }
  }

  /// As IEEE 754 and C, annex F, have them.
  @Test(arguments: Function.allCases)
  func specialValuesAreThoseOfC(function: Function) {
    let special = [
      0, -0.0, 1, -1, 0.5, -2, 1e-320, -1e-320, 1e308, -1e308, .infinity, -.infinity, .nan, 710,
      -746, 5e-324, 27.5, -27.5, 0x1p54, .pi,
    ]
    for x in special {
      for y in function == .atan2 ? special : [1] {
        let (found, expected) = (function(x, y), function.library(x, y))
        if expected.isNaN {
          #expect(found.isNaN, "\(function) of \(x), \(y)")
        } else if expected.isInfinite || expected == 0 {
          #expect(
            found == expected && found.sign == expected.sign,
            "\(function) of \(x), \(y): \(found), expected \(expected)")
        } else {
          #expect(
            abs(found - expected) <= (function.bound + 1) * expected.ulp,
            "\(function) of \(x), \(y): \(found), expected \(expected)")
        }
      }
    }
  }

  @Test func anglesOfAnySize() {
    var generator = SeededGenerator(seed: 7)
    for x in [0, -0.0, 1e-9, -1e-9, 0.785, 0.786, -2.4, 4, 5.5] {
      #expect(Math.sineAndCosine(x) == (Math.sin(x), Math.cos(x)), "\(x)")
    }
    for _ in 0..<20_000 {
      // Any finite number, by its bits.
      let x = Double(bitPattern: generator.next())
      guard x.isFinite else { continue }
      let (sine, cosine) = (Math.sin(x), Math.cos(x))
      #expect(abs(sine * sine + cosine * cosine - 1) < 1e-15, "\(x)")
      #expect(Math.sin(-x) == -sine && Math.cos(-x) == cosine, "\(x)")
      #expect(Math.sineAndCosine(x) == (sine, cosine), "\(x)")
      #expect(abs(sine - Foundation.sin(x)) <= 2 * sine.ulp, "\(x)")
    }
  }

  /// Both ways around a boundary at which another polynomial, or another quadrant, begins.
  @Test(arguments: [
    (Function.atan2, [0.4375, 0.6875, 1.1875, 2.4375]), (.erf, [0.75]), (.erfc, [0.25, 0.75]),
    (.log, [0.7071067811865476, 1.4142135623730951, 1]), (.log1p, [-0.2928, 0.4142, 1]),
    (.exp, [0.34657359027997264, 1.0397207708399179]), (.expm1, [0.34657359027997264, 45]),
  ])
  func nothingStepsBackWhereAnotherPieceBegins(function: Function, places: [Double]) {
    for place in places {
      let sign: Double = function == .erfc ? -1 : 1
      var (x, last) = (place - 50 * place.ulp, -Double.infinity)
      for _ in 0..<100 {
        let value = sign * function(x)
        #expect(value >= last - 2 * value.ulp, "\(function) of \(x)")
        last = max(last, value)
        x = x.nextUp
      }
    }
  }
}
