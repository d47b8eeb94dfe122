import Testing

/// Checks that a value is what the comment of an example says: the same text, or the same numbers as
/// far as digits are written. What stands behind a comma or after the last number is for the reader.
func expect(
  _ value: Any?, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let found = value.map { "\($0)" } ?? "nil"
  let number = /-?\d+(\.\d+)?/
  let expected = text.matches(of: number).map { $0.output.0 }
  let actual = found.matches(of: number).compactMap { Double($0.output.0) }
  let isSame =
    !expected.isEmpty && expected.count <= actual.count
    && zip(expected, actual).allSatisfy { digits, actual in
      let decimals = digits.firstIndex(of: ".").map { digits[$0...].count - 1 } ?? 0
      var unit = 1.0
      for _ in 0..<decimals { unit /= 10 }
      return abs(actual - (Double(digits) ?? .nan)) <= 0.51 * unit * (decimals > 0 ? 1 : 0) + 1e-12
    }
  #expect(isSame || found == text, "\(found)", sourceLocation: sourceLocation)
}
