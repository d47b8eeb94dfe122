import Diagnostics
public import Detectors
import TraceModel
public import Tuning

/// The settings of a sweep: all combinations of values of some parameters and of tolerances.
///
/// ```swift
/// let texts = ["refractory=0.2s,400ms", "tolerance=50ms,150ms"]
/// let grid = try SweepGrid(texts, of: AnyDetector(PunchDetector.self), threshold: "threshold")
/// grid.combinations[1].name  // refractory 0.2 s, tolerance 150 ms
/// ```
public struct SweepGrid: Hashable, Sendable {
  public struct Axis: Hashable, Sendable {
    public var name: String
    public var values: [ParameterValue]
    public var unit: ParameterUnit
  }

  public struct Combination: Hashable, Sendable {
    public var name: String
    public var settings: ParameterSettings
    /// Nil = the tolerance of the sweep.
    public var tolerance: Duration?
  }

  public private(set) var axes: [Axis] = []
  public private(set) var tolerances: [Duration] = []

  /// The limit of combinations; more are a task for a search.
  public static let mostCombinations = 1000

  /// - Parameter texts: one text per axis, such as `refractory=0.2s,0.4s` or `tolerance=50ms,150ms`.
  public init(_ texts: [String], of detector: AnyDetector, threshold: String) throws {
    var seen: Set<String> = []
    for text in texts {
      let option = "--grid \(text)"
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let values = (parts.count > 1 ? parts[1] : "")
        .split(separator: ",", omittingEmptySubsequences: false)
        .map { $0.withoutBlanks }
      let name = parts[0].withoutBlanks
      guard !name.isEmpty, values.allSatisfy({ !$0.isEmpty }) else {
        throw Failure(
          .wrongUse, "\(option): expected a parameter and its values, e.g. refractory=0.2s,0.4s")
      }
      guard seen.insert(name).inserted else {
        throw Failure(.wrongUse, "\(option): duplicate parameter \(name)")
      }
      guard name != threshold else {
        throw Failure(
          .wrongUse, "\(option): \(name) is the threshold, which the sweep varies; remove it")
      }
      if name == "tolerance" {
        tolerances = try Self.unique(values.map { try Self.tolerance($0, option) }, option)
      } else {
        axes.append(try Self.axis(name, values, of: detector, option))
      }
    }
    let count = (axes.map(\.values.count) + [max(1, tolerances.count)]).reduce(1, *)
    guard count <= Self.mostCombinations else {
      throw Failure(
        .wrongUse,
        "--grid: expected at most \(Self.mostCombinations) combinations, found \(count); use "
          + "tune --search instead")
    }
  }

  /// All combinations; the last axis varies fastest.
  public var combinations: [Combination] {
    var all = [Combination(name: "", settings: [:])]
    func cross<Value>(_ values: [Value], _ name: (inout Combination, Value) -> String) {
      all = all.flatMap { combination in
        values.map { value in
          var next = combination
          let text = name(&next, value)
          next.name += (next.name.isEmpty ? "" : ", ") + text
          return next
        }
      }
    }
    for axis in axes {
      cross(axis.values) { combination, value in
        combination.settings[axis.name] = value
        return "\(axis.name) \(value)\(axis.unit.suffix)"
      }
    }
    guard !tolerances.isEmpty else { return all }
    cross(tolerances) { combination, tolerance in
      combination.tolerance = tolerance
      return "tolerance \(ParameterValue.number(Double(tolerance.nanoseconds) / 1e6)) ms"
    }
    return all
  }

  private static func tolerance(_ text: String, _ option: String) throws -> Duration {
    guard let duration = Quantity.duration(of: text) else {
      throw Failure(.wrongUse, "\(option): expected times such as 50ms, found \(text)")
    }
    return duration
  }

  private static func axis(
    _ name: String, _ texts: [String], of detector: AnyDetector, _ option: String
  ) throws -> Axis {
    let info = try detector.parameter(name, further: ["tolerance"], place: option)
    let values: [ParameterValue]
    do {
      values = try texts.map { try info.kind.parse($0, name: name) }
    } catch {
      throw Failure(.wrongUse, "\(option): \(error)")
    }
    return Axis(name: name, values: try unique(values, option), unit: info.kind.unit)
  }

  private static func unique<Value: Hashable>(
    _ values: [Value], _ option: String
  ) throws -> [Value] {
    guard Set(values).count == values.count else {
      throw Failure(.wrongUse, "\(option): expected different values, found duplicates")
    }
    return values
  }
}

extension Substring {
  fileprivate var withoutBlanks: String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let text = drop(while: isBlank)
    guard let last = text.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(text[...last])
  }
}
