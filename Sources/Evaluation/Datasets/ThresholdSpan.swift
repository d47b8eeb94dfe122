package import Diagnostics
package import Detectors
package import Foundation

/// Which parameter is the threshold, and which values of it are looked at.
package struct ThresholdSpan: Hashable, Sendable {
  package var parameter: String
  package var unit: ParameterUnit
  package var range: ClosedRange<Double>
  /// Nil = all of the range; else ascending.
  package var points: [Double]?

  /// How many points a detector that has to be run for each gets if nobody says how many.
  package static let defaultPoints = 50
  /// Beyond it a run for each point takes hours, and a picture shows no more.
  package static let mostPoints = 100_000

  /// The span that `text` names: `threshold`, `threshold=10..60`, `threshold=1g..6g:200`. Without
  /// a range, the parameter's own; without a number of points, all where the sweep is exact.
  /// - Parameter text: nil = the detector's own threshold.
  package init(_ text: String?, of detector: AnyDetector) throws {
    let option = "--threshold" + (text.map { " \($0)" } ?? "")
    let parts = (text ?? "").split(separator: "=", maxSplits: 1).map(String.init)
    guard
      let name = parts.first ?? detector.exactSweep?.parameter ?? detector.statedThreshold
    else {
      throw Failure(
        .wrongUse,
        "detector \(detector.name): name the parameter that is its threshold, with the range to "
          + "look at: --threshold \(detector.exampleSpan)")
    }
    guard let info = detector.parameters.first(where: { $0.name == name }) else {
      guard !name.contains("..") else {
        throw Failure(
          .wrongUse, "\(option): expected a parameter before its range: \(detector.exampleSpan)")
      }
      throw Failure.unknown(
        "parameter of detector \(detector.name)", name, known: detector.parameters.map(\.name),
        place: option)
    }
    guard case .number(let unit, let whole) = info.kind else {
      throw Failure(.wrongUse, "\(option): expected a parameter that is a number")
    }
    parameter = name
    self.unit = unit
    range = whole
    let isExact = name == detector.exactSweep?.parameter
    if !isExact, parts.count < 2 {
      throw Failure(
        .wrongUse,
        "\(option): detector \(detector.name) is run again for each value of \(name): name a range, "
          + "e.g. --threshold \(name)=\(detector.exampleRange(of: name))")
    }
    var count = isExact ? nil : Self.defaultPoints
    if parts.count > 1 {
      (range, count) = try Self.range(parts[1], unit: unit, within: whole, count, option)
    }
    points = count.map { Self.points(range, $0) }
  }

  /// Evenly spaced, both ends among them; fewer where the range does not hold so many numbers.
  package static func points(_ range: ClosedRange<Double>, _ count: Int) -> [Double] {
    guard count > 1, range.lowerBound < range.upperBound else { return [range.lowerBound] }
    let width = range.upperBound - range.lowerBound
    var points = (0..<count - 1).map { range.lowerBound + width * Double($0) / Double(count - 1) }
    points.append(range.upperBound)
    // Not a set: what rounding has put past its neighbour goes too.
    var ascending = [points[0]]
    for point in points.dropFirst() where point > ascending[ascending.count - 1] {
      if point <= range.upperBound { ascending.append(point) }
    }
    return ascending
  }

  private static func range(
    _ text: String, unit: ParameterUnit, within whole: ClosedRange<Double>, _ count: Int?,
    _ option: String
  ) throws -> (ClosedRange<Double>, Int?) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    let ends = parts[0].components(separatedBy: "..").map { Quantity.value(of: $0, unit: unit) }
    guard ends.count == 2, let lower = ends[0], let upper = ends[1], lower <= upper,
      (upper - lower).isFinite
    else {
      throw Failure(
        .wrongUse, "\(option): expected a range such as 10..60 or 10..60:200, the lower end first")
    }
    guard whole.contains(lower), whole.contains(upper) else {
      throw Failure(
        .wrongUse,
        "\(option): expected values from \(ParameterValue.number(whole.lowerBound)) to "
          + "\(ParameterValue.number(whole.upperBound)) \(unit.rawValue)")
    }
    guard parts.count > 1 else { return (lower...upper, count) }
    guard let count = Int(parts[1]), (1...mostPoints).contains(count) else {
      throw Failure(
        .wrongUse, "\(option): expected a number of points from 1 to \(mostPoints) after the colon")
    }
    return (lower...upper, count)
  }

  /// With its unit, e.g. `30.5 m/s2`.
  package func text(of value: Double) -> String {
    "\(ParameterValue.number(value))" + (unit == .one ? "" : " \(unit.rawValue)")
  }
}

extension AnyDetector {
  /// What could stand after `--threshold`.
  package var exampleSpan: String {
    let name =
      parameters.first {
        if case .number = $0.kind { true } else { false }
      }?.name ?? "name"
    return "\(name)=\(exampleRange(of: name))"
  }

  fileprivate func exampleRange(of name: String) -> String {
    guard let info = parameters.first(where: { $0.name == name }),
      case .number(let unit, let range) = info.kind, case .number(let value) = info.defaultValue
    else { return "1..10:50" }
    let lower = ParameterValue.number(max(range.lowerBound, value / 2))
    let upper = ParameterValue.number(min(range.upperBound, value * 2))
    return "\(lower)\(unit.rawValue)..\(upper)\(unit.rawValue):50"
  }
}
