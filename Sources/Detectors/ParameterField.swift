import TraceModel

/// The unit of a parameter's value in code; a command line may use another unit.
public enum ParameterUnit: String, Hashable, Sendable, Codable {
  case metersPerSecondSquared = "m/s2"
  case seconds = "s"
  case meters = "m"
  case metersPerSecond = "m/s"
  case hertz = "Hz"
  case one = ""
}

/// The value of a parameter of any type.
///
/// ```swift
/// ParameterValue.number(30).description  // 30
/// ParameterValue.flag(true).double == nil  // true
/// ```
public enum ParameterValue: Hashable, Sendable, CustomStringConvertible {
  case number(Double)
  case flag(Bool)
  case choice(String)
  case profiles(ProfileSet)

  public var description: String {
    switch self {
    case .number(let value):
      value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
    case .flag(let value): "\(value)"
    case .choice(let value): value
    case .profiles(let profiles): profiles.source
    }
  }

  /// The number; nil for a flag or a choice.
  public var double: Double? {
    if case .number(let value) = self { value } else { nil }
  }
}

public enum ParameterKind: Hashable, Sendable {
  /// A finite number in the closed range.
  case number(unit: ParameterUnit, range: ClosedRange<Double>)
  case flag
  case choice([String])
  /// The name of a file with the profiles of people.
  case profiles

  /// What a message states as expected in place of a refused value.
  fileprivate func expectation(for value: ParameterValue) -> String {
    switch self {
    case .number(let unit, let range) where value.double != nil:
      "\(range.lowerBound) to \(range.upperBound)"
        + (unit == .one ? "" : " \(unit.rawValue)")
    case .number: "a number"
    case .flag: "true or false"
    case .choice(let choices): "one of \(choices.joined(separator: ", "))"
    case .profiles: "a file written by enroll"
    }
  }
}

/// A parameter of a detector: its name, meaning, accepted values and access.
///
/// ```swift
/// var parameters = PresenceDetector.Parameters()
/// let expiry = PresenceDetector.parameterFields.first { $0.name == "expiry" }
/// try expiry?.set(.number(8), in: &parameters)
/// parameters.expiry  // 8.0
/// (try? expiry?.set(.number(-1), in: &parameters)) == nil  // true
/// ```
public struct ParameterField<Parameters: Sendable>: Sendable {
  public let name: String
  /// A one-line summary for `--help`.
  public let summary: String
  public let kind: ParameterKind
  private let read: @Sendable (Parameters) -> ParameterValue
  private let write: @Sendable (inout Parameters, ParameterValue) -> Void

  /// How a field accesses its value: it calls the function with the value's place in the
  /// parameters, as `{ $1(&$0.threshold) }` does. Embedded Swift has no key paths.
  package typealias Place<Value> = @Sendable (inout Parameters, (inout Value) -> Void) -> Void

  package static func number(
    _ name: String, at place: @escaping Place<Double>, unit: ParameterUnit = .one,
    range: ClosedRange<Double>, _ summary: String
  ) -> ParameterField {
    field(
      name, .number(unit: unit, range: range), at: place, summary, read: { .number($0) },
      write: { $0.double })
  }

  package static func flag(
    _ name: String, at place: @escaping Place<Bool>, _ summary: String
  ) -> ParameterField {
    field(name, .flag, at: place, summary, read: { .flag($0) }) {
      if case .flag(let flag) = $0 { flag } else { nil }
    }
  }

  /// Returns a parameter whose values are the cases of a string enumeration.
  package static func choice<Choice>(
    _ name: String, at place: @escaping Place<Choice>, _ summary: String
  ) -> ParameterField
  where Choice: CaseIterable & RawRepresentable & Sendable, Choice.RawValue == String {
    let choices = Choice.allCases.map { $0.rawValue }
    return field(name, .choice(choices), at: place, summary, read: { .choice($0.rawValue) }) {
      if case .choice(let text) = $0 { Choice(rawValue: text) } else { nil }
    }
  }

  /// Returns a parameter that holds what people have shown.
  package static func profiles(
    _ name: String, at place: @escaping Place<ProfileSet?>, _ summary: String
  ) -> ParameterField {
    field(
      name, .profiles, at: place, summary,
      read: { .profiles($0 ?? ProfileSet(source: "", people: [:])) }
    ) {
      if case .profiles(let profiles) = $0 { profiles } else { nil }
    }
  }

  private static func field<Value>(
    _ name: String, _ kind: ParameterKind, at place: @escaping Place<Value>, _ summary: String,
    read: @escaping @Sendable (Value) -> ParameterValue,
    write: @escaping @Sendable (ParameterValue) -> Value?
  ) -> ParameterField {
    ParameterField(
      name: name, summary: summary, kind: kind,
      read: { parameters in
        var (copy, found) = (parameters, ParameterValue.flag(false))
        place(&copy) { found = read($0) }
        return found
      },
      write: { parameters, value in
        if let value = write(value) { place(&parameters) { $0 = value } }
      })
  }

  public func value(in parameters: Parameters) -> ParameterValue { read(parameters) }

  /// Sets the parameter if `value` is of the right kind and in range.
  /// - Throws: ``ParameterError`` with the accepted values.
  public func set(_ value: ParameterValue, in parameters: inout Parameters) throws(ParameterError) {
    switch (kind, value) {
    case (.number(_, let range), .number(let number)) where range.contains(number): break
    case (.choice(let choices), .choice(let text)) where choices.contains(text): break
    case (.flag, .flag), (.profiles, .profiles): break
    default:
      throw ParameterError(name: name, expected: kind.expectation(for: value), found: "\(value)")
    }
    write(&parameters, value)
  }
}

// The same as with a key path, for a detector that is also built into the module of a page: Embedded
// Swift has no key paths.
extension ParameterField {
  public static func number(
    _ name: String, get: @escaping @Sendable (Parameters) -> Double,
    set: @escaping @Sendable (inout Parameters, Double) -> Void, unit: ParameterUnit = .one,
    range: ClosedRange<Double>, _ summary: String
  ) -> ParameterField { number(name, at: place(get, set), unit: unit, range: range, summary) }

  public static func flag(
    _ name: String, get: @escaping @Sendable (Parameters) -> Bool,
    set: @escaping @Sendable (inout Parameters, Bool) -> Void, _ summary: String
  ) -> ParameterField { flag(name, at: place(get, set), summary) }

  public static func choice<Choice>(
    _ name: String, get: @escaping @Sendable (Parameters) -> Choice,
    set: @escaping @Sendable (inout Parameters, Choice) -> Void, _ summary: String
  ) -> ParameterField
  where Choice: CaseIterable & RawRepresentable & Sendable, Choice.RawValue == String {
    choice(name, at: place(get, set), summary)
  }

  private static func place<Value>(
    _ get: @escaping @Sendable (Parameters) -> Value,
    _ set: @escaping @Sendable (inout Parameters, Value) -> Void
  ) -> Place<Value> {
    { parameters, change in
      var value = get(parameters)
      change(&value)
      set(&parameters, value)
    }
  }
}

#if !hasFeature(Embedded)
  extension ParameterField {
    public static func number(
      _ name: String, _ path: any WritableKeyPath<Parameters, Double> & Sendable,
      unit: ParameterUnit = .one, range: ClosedRange<Double>, _ summary: String
    ) -> ParameterField {
      number(name, at: { $1(&$0[keyPath: path]) }, unit: unit, range: range, summary)
    }

    public static func flag(
      _ name: String, _ path: any WritableKeyPath<Parameters, Bool> & Sendable, _ summary: String
    ) -> ParameterField { flag(name, at: { $1(&$0[keyPath: path]) }, summary) }

    public static func choice<Choice>(
      _ name: String, _ path: any WritableKeyPath<Parameters, Choice> & Sendable, _ summary: String
    ) -> ParameterField
    where Choice: CaseIterable & RawRepresentable & Sendable, Choice.RawValue == String {
      choice(name, at: { $1(&$0[keyPath: path]) }, summary)
    }

    public static func profiles(
      _ name: String, _ path: any WritableKeyPath<Parameters, ProfileSet?> & Sendable,
      _ summary: String
    ) -> ParameterField { profiles(name, at: { $1(&$0[keyPath: path]) }, summary) }
  }
#endif

/// A parameter with the value that a run uses.
public struct ResolvedParameter: Hashable, Sendable, Encodable {
  public var name: String
  public var value: ParameterValue
  /// The unit of the value; empty = none.
  public var unit: String
}

extension Array {
  /// Returns the parameters with their values, without empty sets of profiles.
  package func resolved<Parameters>(in parameters: Parameters) -> [ResolvedParameter]
  where Element == ParameterField<Parameters> {
    compactMap {
      let value = $0.value(in: parameters)
      if case .profiles(let profiles) = value, profiles.people.isEmpty { return nil }
      return ResolvedParameter(name: $0.name, value: value, unit: $0.kind.unit.rawValue)
    }
  }

  /// Returns the parameters with changed values. Unknown names and values that a field does not
  /// accept are ignored: the caller has checked them.
  package func changed<Parameters>(
    by changes: [String: ParameterValue], in parameters: Parameters
  ) -> Parameters where Element == ParameterField<Parameters> {
    var parameters = parameters
    for field in self {
      if let value = changes[field.name] { try? field.set(value, in: &parameters) }
    }
    return parameters
  }
}

public struct ParameterError: Error, Hashable, Sendable, CustomStringConvertible {
  public var name: String
  public var expected: String
  public var found: String

  public init(name: String, expected: String, found: String) {
    self.name = name
    self.expected = expected
    self.found = found
  }

  public var description: String { "parameter \(name): expected \(expected), found \(found)" }
}

/// Converts a parameter in seconds to nanoseconds, clamped.
func nanoseconds(_ seconds: Double) -> Int64 {
  Int64(nanosecondsFromSeconds: seconds) ?? (seconds > 0 ? .max : 0)
}
