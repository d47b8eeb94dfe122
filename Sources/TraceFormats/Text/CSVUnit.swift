import TraceModel

/// The quantity of a column, which decides its possible units.
enum Quantity: String {
  case time
  case acceleration
  case rotationRate = "rotation rate"
  case angle
  case length
  case speed
  case pressure
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
      [
        ("deg", .si), ("rad", .factor(180, over: .pi)), ("semicircles", .factor(180, over: 0x1p31)),
      ]
    case .length:
      // The international foot and mile of 1959.
      [
        ("m", .si), ("km", .factor(1000)), ("ft", .factor(0.3048)), ("mi", .factor(1609.344)),
      ]
    case .speed: [("m/s", .si), ("km/h", .factor(1, over: 3.6))]
    case .pressure: [("Pa", .si), ("hPa", .factor(100)), ("kPa", .factor(1000))]
    case .points: [("pt", .si)]
    case .count: [("1", .si)]
    }
  }

  func unit(named name: String) -> CSVUnit? {
    units.first { $0.name == name }?.unit
  }

  static let allUnitNames: Set<String> = {
    let all: [Quantity] = [
      .time, .acceleration, .rotationRate, .angle, .length, .speed, .pressure, .points,
      .count,
    ]
    return Set(all.flatMap { $0.units.map(\.name) })
  }()
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
  case time
  case arrived
  /// The date that belongs to a time of the day in another column.
  case date
  /// Axis 0, 1, 2 of a vector channel; nil = the channel that the options name.
  case axis(Int, of: Channel?)
  /// A field of a fix, of a scalar, of a heartbeat or of a touch, in the order of its type's declaration.
  case field(Int, of: Channel)

  init?(name: String) {
    guard let target = CSVTarget.all.first(where: { $0.name == name })?.target else { return nil }
    self = target
  }

  var name: String {
    CSVTarget.all.first { $0.target == self }?.name ?? ""
  }

  /// The quantity, if the target alone decides it.
  var quantity: Quantity? {
    switch self {
    case .time, .arrived, .date: .time
    case .axis(_, let channel): channel.map { $0 == .rotationRate ? .rotationRate : .acceleration }
    case .field(0...1, .location), .field(6, .location): .angle
    case .field(2...3, .location): .length
    case .field(_, .location): .speed
    case .field(_, .odometer), .field(_, .local): .length
    case .field(_, .pressure): .pressure
    case .field(0...1, .touch): .points
    case .field(_, .heartbeat), .field(_, .touch): .count
    case .field: .angle
    }
  }

  private static let axes = ["x", "y", "z"]
  private static let fixFields = [
    "latitude", "longitude", "altitude", "horizontal_accuracy", "speed", "speed_accuracy", "course",
  ]

  private static let touchFields = ["touch.x", "touch.y", "phase", "pointer"]

  static let all: [(name: String, target: CSVTarget)] = {
    var all: [(String, CSVTarget)] = [("time", .time), ("arrived", .arrived), ("date", .date)]
    all += axes.enumerated().map { ($1, .axis($0, of: nil)) }
    for channel in [Channel.acceleration, .userAcceleration, .rotationRate] {
      all += axes.enumerated().map { ("\(channel.name).\($1)", .axis($0, of: channel)) }
    }
    all += fixFields.enumerated().map { ($1, .field($0, of: .location)) }
    all += [("local.x", .field(0, of: .local)), ("local.y", .field(1, of: .local))]
    all += [("distance", .field(0, of: .odometer)), ("pressure", .field(0, of: .pressure))]
    all += [("heading", .field(0, of: .heading)), ("heading_accuracy", .field(1, of: .heading))]
    all += [("peer", .field(0, of: .heartbeat)), ("sequence", .field(1, of: .heartbeat))]
    all += touchFields.enumerated().map { ($1, .field($0, of: .touch)) }
    return all
  }()
}
