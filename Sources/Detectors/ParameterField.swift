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

/// The values that a parameter accepts.
public enum ParameterKind: Hashable, Sendable {
  /// A finite number in the closed range.
  case number(unit: ParameterUnit, range: ClosedRange<Double>)
  case flag
  case choice([String])
  /// The name of a file with the profiles of people.
  case profiles
}

/// A parameter of a detector: its name, meaning, accepted values and access.
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
    ParameterField(
      name: name, summary: summary, kind: .number(unit: unit, range: range),
      read: { .number(value(at: place, in: $0, startingWith: 0)) },
      write: { parameters, value in
        if case .number(let number) = value { place(&parameters) { $0 = number } }
      })
  }

  package static func flag(
    _ name: String, at place: @escaping Place<Bool>, _ summary: String
  ) -> ParameterField {
    ParameterField(
      name: name, summary: summary, kind: .flag,
      read: { .flag(value(at: place, in: $0, startingWith: false)) },
      write: { parameters, value in
        if case .flag(let flag) = value { place(&parameters) { $0 = flag } }
      })
  }

  /// Returns a parameter whose values are the cases of a string enumeration.
  package static func choice<Choice>(
    _ name: String, at place: @escaping Place<Choice>, _ summary: String
  ) -> ParameterField
  where Choice: CaseIterable & RawRepresentable & Sendable, Choice.RawValue == String {
    ParameterField(
      name: name, summary: summary, kind: .choice(Choice.allCases.map { $0.rawValue }),
      read: { parameters in
        var text = ""
        var copy = parameters
        place(&copy) { text = $0.rawValue }
        return .choice(text)
      },
      write: { parameters, value in
        if case .choice(let text) = value, let choice = Choice(rawValue: text) {
          place(&parameters) { $0 = choice }
        }
      })
  }

  /// Returns a parameter that holds what people have shown.
  package static func profiles(
    _ name: String, at place: @escaping Place<ProfileSet?>, _ summary: String
  ) -> ParameterField {
    ParameterField(
      name: name, summary: summary, kind: .profiles,
      read: {
        .profiles(
          value(at: place, in: $0, startingWith: nil) ?? ProfileSet(source: "", people: [:]))
      },
      write: { parameters, value in
        if case .profiles(let profiles) = value { place(&parameters) { $0 = profiles } }
      })
  }

  private static func value<Value>(
    at place: Place<Value>, in parameters: Parameters, startingWith value: Value
  ) -> Value {
    var (copy, value) = (parameters, value)
    place(&copy) { value = $0 }
    return value
  }

  public func value(in parameters: Parameters) -> ParameterValue {
    read(parameters)
  }

  /// Sets the parameter if `value` is of the right kind and in range.
  /// - Throws: ``ParameterError`` with the accepted values.
  public func set(_ value: ParameterValue, in parameters: inout Parameters) throws(ParameterError) {
    switch (kind, value) {
    case (.number(let unit, let range), .number(let number)):
      guard range.contains(number) else {
        throw ParameterError(
          name: name,
          expected: "\(range.lowerBound) to \(range.upperBound)"
            + (unit == .one ? "" : " \(unit.rawValue)"),
          found: "\(value)")
      }
    case (.flag, .flag), (.profiles, .profiles): break
    case (.choice(let choices), .choice(let text)):
      guard choices.contains(text) else {
        throw ParameterError(
          name: name, expected: "one of \(choices.joined(separator: ", "))", found: text)
      }
    case (.number, _): throw ParameterError(name: name, expected: "a number", found: "\(value)")
    case (.flag, _):
      throw ParameterError(name: name, expected: "true or false", found: "\(value)")
    case (.choice(let choices), _):
      throw ParameterError(
        name: name, expected: "one of \(choices.joined(separator: ", "))", found: "\(value)")
    case (.profiles, _):
      throw ParameterError(name: name, expected: "a file written by enroll", found: "\(value)")
    }
    write(&parameters, value)
  }
}

extension ParameterField {
  /// The same as the form with a key path, for a detector that is also built into the module of a
  /// page: Embedded Swift has no key paths.
  public static func number(
    _ name: String, get: @escaping @Sendable (Parameters) -> Double,
    set: @escaping @Sendable (inout Parameters, Double) -> Void, unit: ParameterUnit = .one,
    range: ClosedRange<Double>, _ summary: String
  ) -> ParameterField {
    number(name, at: place(get, set), unit: unit, range: range, summary)
  }

  /// The same as the form with a key path, for a detector that is also built into the module of a
  /// page.
  public static func flag(
    _ name: String, get: @escaping @Sendable (Parameters) -> Bool,
    set: @escaping @Sendable (inout Parameters, Bool) -> Void, _ summary: String
  ) -> ParameterField {
    flag(name, at: place(get, set), summary)
  }

  /// The same as the form with a key path, for a detector that is also built into the module of a
  /// page.
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
    ) -> ParameterField {
      flag(name, at: { $1(&$0[keyPath: path]) }, summary)
    }

    /// Returns a parameter whose values are the cases of a string enumeration.
    public static func choice<Choice>(
      _ name: String, _ path: any WritableKeyPath<Parameters, Choice> & Sendable, _ summary: String
    ) -> ParameterField
    where Choice: CaseIterable & RawRepresentable & Sendable, Choice.RawValue == String {
      choice(name, at: { $1(&$0[keyPath: path]) }, summary)
    }

    /// Returns a parameter that holds what people have shown.
    public static func profiles(
      _ name: String, _ path: any WritableKeyPath<Parameters, ProfileSet?> & Sendable,
      _ summary: String
    ) -> ParameterField {
      profiles(name, at: { $1(&$0[keyPath: path]) }, summary)
    }
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
}

extension Array {
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

/// An invalid value for a parameter.
public struct ParameterError: Error, Hashable, Sendable, CustomStringConvertible {
  public var name: String
  public var expected: String
  public var found: String

  public init(name: String, expected: String, found: String) {
    self.name = name
    self.expected = expected
    self.found = found
  }

  public var description: String {
    "parameter \(name): expected \(expected), found \(found)"
  }
}

/// Converts a parameter in seconds to nanoseconds, clamped.
func nanoseconds(_ seconds: Double) -> Int64 {
  Int64(nanosecondsFromSeconds: seconds) ?? (seconds > 0 ? .max : 0)
}
