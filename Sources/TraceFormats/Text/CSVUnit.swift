import TraceModel

/// The quantity of a column, which decides its possible units.
enum Quantity: String, CaseIterable {
  case time, acceleration
  case rotationRate = "rotation rate"
  case angle, length, speed, pressure
  /// Points of a screen.
  case points
  /// A whole number, or a word for one.
  case count

  /// The units by name; the first one is the stored unit and the default.
  var units: [(name: String, unit: CSVUnit)] {
    switch self {
    case .time:
      [
        ("s", .decimal(power: 9)), ("ms", .decimal(power: 6)), ("us", .decimal(power: 3)),
        ("ns", .decimal(power: 0)), ("iso", .iso8601),
      ]
    case .acceleration:
      [
        ("m/s2", .si), ("m/s^2", .si), ("g", .factor(standardGravity)),
        ("mg", .factor(standardGravity, over: 1000)),
      ]
    case .rotationRate: [("rad/s", .si), ("deg/s", .factor(.pi, over: 180))]
    case .angle:
      // FIT states positions in semicircles: 2^31 of them are 180 degrees (FIT SDK, Profile.xlsx).
      [("deg", .si), ("rad", .factor(180, over: .pi)), ("semicircles", .factor(180, over: 0x1p31))]
    case .length:
      // The international foot and mile of 1959.
      [("m", .si), ("km", .factor(1000)), ("ft", .factor(0.3048)), ("mi", .factor(1609.344))]
    case .speed: [("m/s", .si), ("km/h", .factor(1, over: 3.6))]
    case .pressure: [("Pa", .si), ("hPa", .factor(100)), ("kPa", .factor(1000))]
    case .points: [("pt", .si)]
    case .count: [("1", .si)]
    }
  }

  func unit(named name: String) -> CSVUnit? { units.first { $0.name == name }?.unit }

  /// Whether this is a unit of the quantity; nil if no unit is stated.
  func has(_ unit: String?) -> Bool? { unit.map { self.unit(named: $0) != nil } }

  static let allUnitNames = Set(allCases.flatMap { $0.units.map(\.name) })

  /// The quantity of a value of a channel.
  init(_ index: Int, of channel: Channel) {
    switch (channel, index) {
    case (.acceleration, _), (.userAcceleration, _): self = .acceleration
    case (.rotationRate, _): self = .rotationRate
    case (.location, 2...3), (.local, _), (.odometer, _): self = .length
    case (.location, 4...5): self = .speed
    case (.location, _), (.heading, _): self = .angle
    case (.pressure, _): self = .pressure
    case (.touch, 0...1): self = .points
    case (.touch, _), (.heartbeat, _), (.action, _): self = .count
    }
  }
}

/// The conversion of a cell's text to a value.
enum CSVUnit: Hashable {
  /// value · multiplier / divisor; two numbers, because 1/3.6 cannot be written exactly.
  case factor(Double, over: Double = 1)
  /// A time: nanoseconds are the number · 10^power.
  case decimal(power: Int)
  case iso8601

  static let si = CSVUnit.factor(1)
}

/// The target of a column in a mapping.
enum CSVTarget: Hashable {
  case time, arrived
  /// The date that belongs to a time of the day in another column.
  case date
  /// A value of a channel by its index, in the order of its type's declaration: an axis, or a field
  /// of a fix, a scalar, a heartbeat or a touch. Nil = the channel that the options name.
  case value(Int, of: Channel?)

  init?(name: String) {
    guard let target = CSVTarget.all.first(where: { $0.name == name })?.target else { return nil }
    self = target
  }

  var name: String { CSVTarget.all.first { $0.target == self }?.name ?? "" }

  /// Whether the target is a value of a channel and not a time.
  var isReading: Bool { if case .value = self { true } else { false } }

  static let axes = ["x", "y", "z"]

  /// The names of the values of each channel that a mapping can have.
  static let names: [(channel: Channel, names: [String])] = [
    (.acceleration, axes.map { "acceleration.\($0)" }),
    (.userAcceleration, axes.map { "user_acceleration.\($0)" }),
    (.rotationRate, axes.map { "rotation_rate.\($0)" }), (.location, location),
    (.local, ["local.x", "local.y"]), (.odometer, ["distance"]), (.pressure, ["pressure"]),
    (.heading, ["heading", "heading_accuracy"]), (.heartbeat, ["peer", "sequence"]),
    (.touch, ["touch.x", "touch.y", "phase", "pointer"]),
  ]
  private static let location = [
    "latitude", "longitude", "altitude", "horizontal_accuracy", "speed", "speed_accuracy", "course",
  ]

  static let all: [(name: String, target: CSVTarget)] =
    [("time", .time), ("arrived", .arrived), ("date", .date)]
    + axes.enumerated().map { ($1, .value($0, of: nil)) }
    + names.flatMap { channel, names in
      names.enumerated().map { ($1, .value($0, of: channel)) }
    }
}

extension Touch.Phase {
  /// Reads the names that phones, browsers and recorders use, in any case: `began`, `down`, `start`,
  /// `touchstart`; `moved`, `move`, `stationary`; `ended`, `up`, `end`; `cancelled`, `canceled`,
  /// `cancel`. Numbers are refused: iOS and Android count the phases differently.
  init?(anyName name: some StringProtocol) {
    var word = name.lowercased()[...]
    if word.hasPrefix("touch") { word.removeFirst(5) }
    switch word {
    case "began", "begin", "down", "start": self = .began
    case "moved", "move", "stationary": self = .moved
    case "ended", "end", "up": self = .ended
    case "cancelled", "canceled", "cancel": self = .cancelled
    default: return nil
    }
  }
}
