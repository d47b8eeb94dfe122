import TraceModel

/// Finds the columns of a table that are x, y and z of accelerations and rotation rates.
struct AxesGuess {
  struct Found {
    var channel: Channel
    var reading: ColumnReading
  }

  let sample: TableSample
  /// The channel of `x`, `y`, `z` that the user states.
  let stated: Channel?

  /// The groups of three columns; empty = no names indicate any.
  var found: [Found] {
    var found: [Found] = []
    if let columns = columns(Self.accelerations) ?? bare(of: .acceleration) {
      found.append(acceleration(columns))
    }
    if let columns = columns(Self.userAccelerations) {
      found.append(inNamedUnit(columns, .userAcceleration, isNamed: !found.isEmpty))
    }
    if let columns = columns(Self.rotationRates) ?? bare(of: .rotationRate) {
      found.append(inNamedUnit(columns, .rotationRate, isNamed: true))
    }
    return found
  }

  /// The only three columns whose keys are one of the patterns.
  private func columns(_ patterns: [String]) -> [Int]? {
    let triples = patterns.compactMap { pattern -> [Int]? in
      let axes = ["x", "y", "z"].map { axis in
        sample.columns([pattern.map { $0 == "*" ? axis : String($0) }.joined()])
      }
      return axes.allSatisfy { $0.count == 1 } ? axes.map { $0[0] } : nil
    }
    return triples.first { columns in columns.allSatisfy(sample.isNumeric) }
  }

  /// Returns the columns `x`, `y` and `z`, whose names are not specific: their unit decides the
  /// channel.
  private func bare(of channel: Channel) -> [Int]? {
    guard let columns = columns(Self.bareNames) else { return nil }
    let units = columns.compactMap { sample.names[$0].unit }
    let fits =
      units.isEmpty
      ? (stated == .rotationRate) == (channel == .rotationRate)
      : units.allSatisfy { Quantity(0, of: channel).has($0) == true }
    return fits ? columns : nil
  }

  /// The unit that all three names state. `isOpen` = no name states one.
  private func unit(_ columns: [Int], _ quantity: Quantity) -> (name: String?, isOpen: Bool) {
    let units = columns.map { sample.names[$0].unit }
    guard let unit = units[0] else { return (nil, units.allSatisfy { $0 == nil }) }
    let isCommon = units.allSatisfy { $0 == unit } && quantity.has(unit) == true
    return (isCommon ? unit : nil, false)
  }

  private func entries(_ columns: [Int], _ channel: Channel?, unit: String?) -> [CSVMapping.Entry] {
    columns.enumerated().map { axis, column in
      sample.entry(.value(axis, of: channel), column, unit)
    }
  }

  /// Reads a quantity whose values do not show their unit, so that the names have to state it.
  private func inNamedUnit(_ columns: [Int], _ channel: Channel, isNamed: Bool) -> Found {
    let quantity = Quantity(0, of: channel)
    let unit = unit(columns, quantity).name
    let known = quantity == .rotationRate ? "rad/s|deg/s" : "m/s2|g"
    let entries = entries(columns, isNamed ? channel : nil, unit: unit ?? known)
    let doubt = unit == nil ? "no common unit in \(sample.quoted(columns))" : nil
    return Found(channel: channel, reading: ColumnReading(entries: entries, doubt: doubt))
  }

  private func acceleration(_ columns: [Int]) -> Found {
    let (unit, isOpen) = unit(columns, .acceleration)
    let magnitude = MagnitudeSummary(columns.map { sample.numbers[$0] })
    let fitting = Self.readings.filter { reading in
      (isOpen || unit == reading.unit) && (stated == nil || stated == reading.channel)
        && (reading.unit == unit && stated == reading.channel
          || magnitude.allows(reading.channel, unit: reading.unit, isNamed: unit != nil))
    }
    guard fitting.count == 1 else {
      let entries = entries(columns, nil, unit: unit ?? "m/s2|g")
      return Found(
        channel: stated ?? .acceleration,
        reading: ColumnReading(entries: entries, doubt: doubt(columns, unit, isOpen, magnitude)))
    }
    let isEvident = unit == nil || stated == nil
    let state = fitting[0].channel == .acceleration ? "with" : "without"
    let evidence =
      "\(sample.quoted(columns)) with a median magnitude of "
      + "\(rounded(magnitude.median)) are in \(fitting[0].unit), \(state) gravity"
    return Found(
      channel: fitting[0].channel,
      reading: ColumnReading(
        entries: entries(columns, nil, unit: fitting[0].unit),
        evidence: isEvident ? evidence : nil))
  }

  private func doubt(
    _ columns: [Int], _ unit: String?, _ isOpen: Bool, _ magnitude: MagnitudeSummary
  ) -> String {
    let start = sample.quoted(columns)
    guard unit != nil || isOpen else { return "no common unit in \(start)" }
    let values =
      magnitude.count < MagnitudeSummary.fewest
      ? "too few values (\(magnitude.count))" : "a median magnitude of \(rounded(magnitude.median))"
    return unit == nil
      ? "\(start) without a unit and with \(values)"
      : "\(start) in \(unit ?? "") with \(values), which leaves gravity open"
  }

  private static let readings: [(unit: String, channel: Channel)] = [
    ("g", .acceleration), ("m/s2", .acceleration), ("mg", .acceleration), ("g", .userAcceleration),
    ("m/s2", .userAcceleration), ("mg", .userAcceleration),
  ]

  // `*` is the axis.
  private static let bareNames = ["*", "*_axis", "axis_*"]
  private static let accelerations = [
    "a*", "acc_*", "acc*", "accel_*", "accel*", "acceleration_*", "acceleration*",
    "accelerometer_*", "accelerometer*", "a_*", "*_acc", "*_accel", "*_acceleration",
    "accelerometer_acceleration_*", "total_acceleration_*", "raw_acceleration_*",
  ]
  private static let userAccelerations = [
    "user_acceleration_*", "user_accel_*", "user_acc_*", "linear_acceleration_*",
    "linear_accel_*", "linear_acc_*", "lin_acc_*", "linacc_*", "linacc*",
  ]
  private static let rotationRates = [
    "rotation_rate_*", "gyro_*", "gyro*", "gyr_*", "gyr*", "gyroscope_*", "gyroscope*",
    "angular_velocity_*", "omega_*",
  ]
}

struct MagnitudeSummary {
  let count: Int
  let median: Double
  /// The length of the mean vector: gravity remains, movement cancels out.
  private let mean: Double
  /// The median magnitude of the quarter of short windows that change least: the sensor at rest.
  private let atRest: Double

  /// Fewer vectors show nothing.
  static let fewest = 10
  private static let window = 10

  /// - Parameter axes: the values of x, y and z by record.
  init(_ axes: [[Double]]) {
    let vectors = axes[0].indices.map { row in axes.map { $0[row] } }
      .filter { vector in vector.allSatisfy { !$0.isNaN } }
    let lengths = vectors.map { vector in Self.length(vector) }
    count = vectors.count
    median = Sample.median(lengths) ?? .nan
    mean = Self.length(
      (0..<3).map { axis in
        vectors.reduce(0) { $0 + $1[axis] } / Double(max(vectors.count, 1))
      })
    let starts = stride(from: 0, through: lengths.count - Self.window, by: Self.window)
    let windows = starts.map { lengths[$0..<$0 + Self.window] }
      .map { window -> (spread: Double, level: Double?) in
        ((window.max() ?? 0) - (window.min() ?? 0), Sample.median(Array(window)))
      }
      .sorted { $0.spread < $1.spread }
    let quiet = windows.prefix((windows.count + 3) / 4).compactMap(\.level)
    atRest = Sample.median(quiet) ?? .nan
  }

  /// Whether the magnitudes are those of a sensor of that unit, with or without gravity.
  ///
  /// Without a unit in the names, only gravity shows it. The margins cover the error of a sensor
  /// and the movements of a person, and are far below the ratio of 9.8 between the units. A scale
  /// of 1000 may be raw counts or mg.
  func allows(_ channel: Channel, unit: String, isNamed: Bool) -> Bool {
    guard count >= Self.fewest else { return false }
    let gravity = ["g": 1, "m/s2": standardGravity, "mg": 1000][unit] ?? .nan
    if channel == .userAcceleration {
      return isNamed && atRest < 0.2 * gravity && mean < 0.2 * gravity
    }
    guard isNamed || unit != "mg" else { return false }
    let isSteady = (0.8 * gravity...1.2 * gravity).contains(mean)
    let isAtRest = (0.85 * gravity...1.15 * gravity).contains(atRest) && mean > 0.3 * gravity
    return (0.85 * gravity...1.2 * gravity).contains(median) && (isSteady || isAtRest)
  }

  private static func length(_ vector: [Double]) -> Double {
    vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
  }
}
