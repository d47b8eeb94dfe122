import TraceModel

// Text comes from a command line or a file; Embedded Swift has neither.
#if !hasFeature(Embedded)
  /// Parses numbers with units: `2g`, `19.6m/s2`, `250ms`, `60 m`, `1.5`.
  package enum Quantity {
    /// The factors to the internal units.
    private static let factors: [ParameterUnit: [String: Double]] = [
      .metersPerSecondSquared: ["m/s2": 1, "m/s^2": 1, "g": standardGravity],
      .seconds: ["s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60, "h": 3600],
      .meters: ["m": 1, "km": 1000, "ft": 0.3048, "mi": 1609.344],
      .metersPerSecond: ["m/s": 1, "km/h": 1 / 3.6, "mph": 0.44704],
      .hertz: ["Hz": 1, "kHz": 1000],
      .one: ["": 1],
    ]

    /// Returns the value in the internal unit, which is also the unit of a bare number.
    package static func value(of text: String, unit: ParameterUnit) -> Double? {
      let trimmed = text.filter { $0 != " " }
      let split = trimmed.lastIndex { $0.isNumber || $0 == "." }.map { trimmed.index(after: $0) }
      guard let split else { return nil }
      // The last digit may belong to the unit (m/s2): take the longest number that leaves a unit.
      for (name, factor) in (factors[unit] ?? [:]).sorted(by: { $0.key.count > $1.key.count }) {
        guard trimmed.hasSuffix(name), let number = Double(trimmed.dropLast(name.count)),
          (number * factor).isFinite
        else { continue }
        return number * factor
      }
      guard split == trimmed.endIndex, let number = Double(trimmed), number.isFinite else {
        return nil
      }
      return number
    }

    /// Parses a share of zero or more such as `10%` or `0.1`.
    package static func share(of text: String) -> Double? {
      let isPercent = text.hasSuffix("%")
      guard let value = Double(isPercent ? String(text.dropLast()) : text), value >= 0,
        value.isFinite
      else { return nil }
      return isPercent ? value / 100 : value
    }

    package static func names(of unit: ParameterUnit) -> [String] {
      (factors[unit] ?? [:]).keys.sorted()
    }

    /// Parses `LOW..HIGH`; returns nil unless the ends are in order.
    package static func range(of text: String, unit: ParameterUnit) -> ClosedRange<Double>? {
      let ends = text.split(separator: "..", omittingEmptySubsequences: false)
        .map { value(of: String($0), unit: unit) }
      guard ends.count == 2, let lower = ends[0], let upper = ends[1], lower <= upper else {
        return nil
      }
      return lower...upper
    }

    /// Parses a duration such as `150ms`; returns nil for a negative one.
    package static func duration(of text: String) -> Duration? {
      guard let seconds = value(of: text, unit: .seconds), seconds >= 0,
        let nanoseconds = Int64(nanosecondsFromSeconds: seconds)
      else { return nil }
      return .nanoseconds(nanoseconds)
    }
  }

  extension ParameterKind {
    /// Parses a value of this kind.
    /// - Throws: ``ParameterError`` with the expected form.
    package func parse(_ text: String, name: String) throws(ParameterError) -> ParameterValue {
      switch self {
      case .number(let unit, _):
        guard let number = Quantity.value(of: text, unit: unit) else {
          let units = Quantity.names(of: unit).filter { !$0.isEmpty }
          throw ParameterError(
            name: name,
            expected: units.isEmpty
              ? "a number" : "a number, with or without a unit (\(units.joined(separator: ", ")))",
            found: "\"\(text)\"")
        }
        return .number(number)
      case .flag:
        switch text.lowercased() {
        case "true", "yes", "on", "1": return .flag(true)
        case "false", "no", "off", "0": return .flag(false)
        default: throw ParameterError(name: name, expected: "true or false", found: "\"\(text)\"")
        }
      case .choice: return .choice(text)
      case .profiles:
        throw ParameterError(name: name, expected: "a file that can be read here", found: text)
      }
    }
  }
#endif

extension ParameterKind {
  /// The unit of a number; ``ParameterUnit/one`` for all other kinds.
  package var unit: ParameterUnit {
    if case .number(let unit, _) = self { unit } else { .one }
  }

  /// The unit and the accepted values, as they follow a value in a help text.
  package var help: String {
    switch self {
    case .number(let unit, let range):
      "\(unit.rawValue) (\(ParameterValue.number(range.lowerBound)) to "
        + "\(ParameterValue.number(range.upperBound)))"
    case .flag: " (true, false)"
    case .choice(let choices): " (\(choices.joined(separator: ", ")))"
    case .profiles: " (a file)"
    }
  }
}

#if !hasFeature(Embedded)
  extension ParameterValue: Codable {
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .choice(try container.decode(String.self))
      }
    }

    /// Writes a flag, a number or a text; a number that is not finite is a text.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .number(let number) where number.isFinite: try container.encode(number)
      case .flag(let flag): try container.encode(flag)
      case .number, .choice, .profiles: try container.encode(description)
      }
    }
  }
#endif
