import Diagnostics
public import Detectors

/// The parameter that is the threshold, and the values to evaluate.
///
/// ```swift
/// let span = try ThresholdSpan("threshold=1g..6g:3", of: AnyDetector(PunchDetector.self))
/// span.points  // [9.80665, 34.323275, 58.8399]
/// ```
public struct ThresholdSpan: Hashable, Sendable {
  public var parameter: String
  public var unit: ParameterUnit
  public var range: ClosedRange<Double>
  /// The values in ascending order; nil = the whole range.
  public var points: [Double]?

  /// The default number of points for a detector that has to be run for each.
  public static let defaultPoints = 50
  /// The limit of points: with more, the runs take hours and a plot shows no more detail.
  public static let mostPoints = 100_000

  /// Parses `threshold`, `threshold=10..60` or `threshold=1g..6g:200`. The default range is the
  /// parameter's own; the default points are all values if the sweep is exact.
  /// - Parameter text: nil = the detector's own threshold.
  public init(_ text: String?, of detector: AnyDetector) throws {
    let option = "--threshold" + (text.map { " \($0)" } ?? "")
    let parts = (text ?? "").split(separator: "=", maxSplits: 1).map(String.init)
    guard
      let name = parts.first ?? detector.exactThreshold ?? detector.statedThreshold
    else {
      throw Failure(
        .wrongUse,
        "detector \(detector.name): expected the parameter that is the threshold and its range, "
          + "found none; add e.g. --threshold \(detector.exampleSpan)")
    }
    guard !name.contains("..") else {
      throw Failure(
        .wrongUse,
        "\(option): expected a parameter before the range, e.g. \(detector.exampleSpan)")
    }
    let info = try detector.parameter(name, place: option)
    guard case .number(let unit, let whole) = info.kind else {
      throw Failure(.wrongUse, "\(option): expected a numeric parameter, found another type")
    }
    parameter = name
    self.unit = unit
    range = whole
    let isExact = name == detector.exactThreshold
    if !isExact, parts.count < 2 {
      throw Failure(
        .wrongUse,
        "\(option): expected a range, because detector \(detector.name) runs once per value of "
          + "\(name); add e.g. --threshold \(name)=\(detector.exampleRange(of: name))")
    }
    var count = isExact ? nil : Self.defaultPoints
    if parts.count > 1 {
      (range, count) = try Self.range(parts[1], unit: unit, within: whole, count, option)
    }
    points = count.map { Self.points(range, $0) }
  }

  /// Returns evenly spaced points with both ends; fewer if the range holds fewer distinct numbers.
  public static func points(_ range: ClosedRange<Double>, _ count: Int) -> [Double] {
    guard count > 1, range.lowerBound < range.upperBound else { return [range.lowerBound] }
    let width = range.upperBound - range.lowerBound
    var points = (0..<count - 1).map { range.lowerBound + width * Double($0) / Double(count - 1) }
    points.append(range.upperBound)
    // Not a set: a point that rounding moved past its neighbour is dropped too.
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
    guard let range = Quantity.range(of: parts[0], unit: unit) else {
      throw Failure(
        .wrongUse, "\(option): expected a range LOW..HIGH such as 10..60 or 10..60:200")
    }
    guard whole.contains(range) else {
      throw Failure(.wrongUse, "\(option): expected \(unit.values(in: whole))")
    }
    guard (range.upperBound - range.lowerBound).isFinite else {
      throw Failure(
        .wrongUse, "\(option): expected a range whose ends differ by less than 1.8e308")
    }
    guard parts.count > 1 else { return (range, count) }
    guard let count = Int(parts[1]), (1...mostPoints).contains(count) else {
      throw Failure(
        .wrongUse, "\(option): expected a number of points from 1 to \(mostPoints) after the colon")
    }
    return (range, count)
  }

  /// Returns the value with its unit, e.g. `30.5 m/s2`.
  public func text(of value: Double) -> String { number(value) + unit.suffix }
}

extension ParameterUnit {
  var suffix: String { self == .one ? "" : " \(rawValue)" }

  /// The values of a range in words, for messages.
  func values(in range: ClosedRange<Double>) -> String {
    "values from \(number(range.lowerBound)) to \(number(range.upperBound)) \(rawValue)"
  }
}

extension AnyDetector {
  public var exampleSpan: String {
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
    let lower = number(max(range.lowerBound, value / 2))
    let upper = number(min(range.upperBound, value * 2))
    return "\(lower)\(unit.rawValue)..\(upper)\(unit.rawValue):50"
  }
}
