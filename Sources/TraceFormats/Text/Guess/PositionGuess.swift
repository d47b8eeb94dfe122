import TraceModel

/// Finds the columns of positions of a table, and other values of a receiver.
struct PositionGuess {
  private let sample: TableSample
  /// The times of the sample in seconds; empty = unknown.
  private let seconds: [Double]

  init(_ sample: TableSample, seconds: [Double]) {
    self.sample = sample
    self.seconds = seconds
  }

  /// Latitude and longitude; nil = no names indicate any.
  var coordinates: ColumnReading? {
    let (latitudes, longitudes) = (sample.columns(Self.latitudes), sample.columns(Self.longitudes))
    guard let latitude = latitudes.first, let longitude = longitudes.first else { return nil }
    let several = [latitudes, longitudes].first { $0.count > 1 }
    let (unit, doubt) = angleUnit(latitude, longitude)
    let hemispheres = hemispheres
    return ColumnReading(
      entries: [
        sample.entry(.field(0, of: .location), latitude, unit),
        sample.entry(.field(1, of: .location), longitude, unit),
      ],
      doubt: several.map { "several columns for one coordinate, \(sample.quoted($0))" }
        ?? (hemispheres.isEmpty
          ? doubt
          : "the hemispheres in \(sample.quoted(hemispheres)), which a mapping cannot read"),
      evidence: unit == "semicircles" && sample.names[latitude].unit == nil
        ? "\(sample.quoted([latitude, longitude])) beyond 180 are in semicircles" : nil,
      rewriting: hemispheres.isEmpty ? nil : "write signed degrees")
  }

  /// The columns of the letters that give coordinates their sign; empty unless both have one, for a
  /// column of N alone may be a flag.
  private var hemispheres: [Int] {
    let columns = [["N", "S"], ["E", "W"]].map { letters in
      sample.names.indices.first { column in
        let cells = sample.rows.lazy.map { $0[column] }.filter { !$0.isEmpty }
        return !cells.isEmpty && cells.allSatisfy { letters.contains($0.uppercased()) }
      }
    }
    return columns.contains(nil) ? [] : columns.compactMap(\.self)
  }

  /// Returns the fields of fixes whose positions are in `unit`, each by itself.
  func fields(besidePositionsIn unit: String?) -> [ColumnReading] {
    guard let path = Path(sample, seconds, unit) else { return [] }
    return [
      altitude, accuracy(Self.accuracies, .field(3, of: .location)), speed(path),
      accuracy(Self.speedAccuracies, .field(5, of: .location)), course, distance(path),
    ].compactMap(\.self)
  }

  // MARK: Coordinates

  private func angleUnit(_ latitude: Int, _ longitude: Int) -> (unit: String?, doubt: String?) {
    let columns = [latitude, longitude]
    let shown = sample.quoted(columns)
    let stated = columns.compactMap { sample.names[$0].unit }
    if !stated.isEmpty {
      let isKnown =
        stated.count == 2 && stated[0] == stated[1]
        && Quantity.angle.unit(named: stated[0]) != nil
      guard isKnown else { return (nil, "no common unit of angles in \(shown)") }
      // Degrees are the default of a mapping.
      return (stated[0] == "deg" ? nil : stated[0], nil)
    }
    let extremes = columns.map { sample.values($0).map(abs).max() ?? .nan }
    guard columns.allSatisfy(sample.isNumeric) else { return (nil, "no numbers in \(shown)") }
    if extremes[0] <= 90, extremes[1] <= 180 {
      // A place within two degrees of 0° N 0° E, or radians.
      let mayBeRadians = extremes[0] <= .pi / 2 && extremes[1] <= .pi
      let doubt = "\(shown) so small that they may be radians, or no position at all"
      return (mayBeRadians ? "deg|rad" : nil, mayBeRadians ? doubt : nil)
    }
    let areWhole = columns.allSatisfy { sample.values($0).allSatisfy { $0 == $0.rounded() } }
    guard areWhole, extremes[0] <= 0x1p30, extremes[1] <= 0x1p31 else {
      return (nil, "values beyond 90 or 180 degrees in \(shown)")
    }
    // These are FIT's own names; elsewhere whole numbers may be ten-millionths of a degree.
    let isFIT = sample.names[latitude].key == "position_lat"
    return isFIT
      ? ("semicircles", nil)
      : ("deg|semicircles", "whole numbers of an unknown scale in \(shown)")
  }

  // MARK: Fields

  /// Returns the only column with one of the names, or the one that FIT calls enhanced.
  private func column(_ keys: [String]) -> Int? {
    let columns = sample.columns(keys).filter(sample.isNumeric)
    let enhanced = columns.filter { sample.names[$0].key.utf8.starts(with: "enhanced".utf8) }
    if enhanced.count == 1 { return enhanced[0] }
    return columns.count == 1 ? columns[0] : nil
  }

  /// The altitude, in metres unless the name states another unit.
  private var altitude: ColumnReading? {
    guard let column = column(Self.altitudes) else { return nil }
    return length(column, .field(2, of: .location), isPlausible: (-500...12_000).contains)
  }

  private func accuracy(_ keys: [String], _ target: CSVTarget) -> ColumnReading? {
    guard let column = column(keys) else { return nil }
    guard target == .field(5, of: .location) else { return length(column, target) { _ in true } }
    let unit = sample.names[column].unit
    let isKnown = unit.map { Quantity.speed.unit(named: $0) != nil } ?? true
    return ColumnReading(
      entries: [sample.entry(target, column, unit)], doubt: isKnown ? nil : unitDoubt(column))
  }

  private func length(
    _ column: Int, _ target: CSVTarget, isPlausible: (Double) -> Bool
  ) -> ColumnReading {
    let unit = sample.names[column].unit
    let isKnown = unit.map { Quantity.length.unit(named: $0) != nil }
    let isFine = isKnown ?? sample.values(column).allSatisfy(isPlausible)
    return ColumnReading(
      entries: [sample.entry(target, column, unit)], doubt: isFine ? nil : unitDoubt(column),
      evidence: unit == nil ? "\(sample.quoted([column])) states no unit and is read as m" : nil)
  }

  private func unitDoubt(_ column: Int) -> String {
    "no clear unit of \(sample.quoted([column]))"
  }

  /// The course in degrees, if the values are too large for radians and within a turn.
  private var course: ColumnReading? {
    guard let column = column(Self.courses) else { return nil }
    let unit = sample.names[column].unit
    let values = sample.values(column)
    let areDegrees = values.allSatisfy { abs($0) <= 360 } && values.contains { abs($0) > 2 * .pi }
    let isFine = unit.map { Quantity.angle.unit(named: $0) != nil } ?? areDegrees
    return ColumnReading(
      entries: [sample.entry(.field(6, of: .location), column, unit)],
      doubt: isFine ? nil : unitDoubt(column))
  }

  /// The speed, in the unit of its name or the one that agrees with the positions.
  private func speed(_ path: Path) -> ColumnReading? {
    guard let column = column(Self.speeds) else { return nil }
    if let unit = sample.names[column].unit {
      return ColumnReading(
        entries: [sample.entry(.field(4, of: .location), column, unit)],
        doubt: Quantity.speed.unit(named: unit) == nil ? unitDoubt(column) : nil)
    }
    let ratio = path.speedRatio(sample.numbers[column])
    let fitting = [("m/s", 1), ("km/h", 3.6)].filter { Self.isNear(ratio, $0.1, within: 1.3) }
    let unit = fitting.first?.0
    return ColumnReading(
      entries: [sample.entry(.field(4, of: .location), column, unit ?? "m/s|km/h")],
      doubt: unit == nil ? unitDoubt(column) : nil,
      evidence: unit.map { "\(sample.quoted([column])) agrees with the positions in \($0)" })
  }

  /// The distance since the start, in the unit of its name or the one that agrees with the
  /// positions.
  private func distance(_ path: Path) -> ColumnReading? {
    guard let column = column(Self.distances) else { return nil }
    let target = CSVTarget.field(0, of: .odometer)
    let values = sample.values(column)
    guard zip(values, values.dropFirst()).allSatisfy(<=) else {
      return ColumnReading(
        entries: [sample.entry(target, column, sample.names[column].unit)],
        doubt: "a distance in \(sample.quoted([column])) that decreases")
    }
    if let unit = sample.names[column].unit {
      return ColumnReading(
        entries: [sample.entry(target, column, unit)],
        doubt: Quantity.length.unit(named: unit) == nil ? unitDoubt(column) : nil)
    }
    let ratio = path.distanceRatio(sample.numbers[column])
    let perMeter = [("m", 1), ("km", 0.001), ("mi", 1 / 1609.344), ("ft", 1 / 0.3048)]
    let unit = perMeter.first { Self.isNear(ratio, $0.1, within: 1.25) }?.0
    return ColumnReading(
      entries: [sample.entry(target, column, unit ?? "m|km")],
      doubt: unit == nil ? unitDoubt(column) : nil,
      evidence: unit.map { "\(sample.quoted([column])) agrees with the positions in \($0)" })
  }

  private static func isNear(_ ratio: Double?, _ expected: Double, within factor: Double) -> Bool {
    ratio.map { (expected / factor...expected * factor).contains($0) } ?? false
  }

  // MARK: Names

  static let latitudes = [
    "lat", "latitude", "position_lat", "position_latitude", "gps_lat", "gps_latitude",
    "location_lat", "location_latitude",
  ]
  static let longitudes = [
    "lon", "lng", "long", "longitude", "position_long", "position_lon", "position_lng",
    "position_longitude", "gps_lon", "gps_lng", "gps_long", "gps_longitude", "location_lon",
    "location_lng", "location_longitude",
  ]
  private static let altitudes = [
    "ele", "elevation", "alt", "altitude", "enhanced_altitude", "gps_altitude", "gps_alt",
    "location_altitude",
  ]
  private static let accuracies = [
    "accuracy", "horizontal_accuracy", "hacc", "h_acc", "gps_accuracy", "location_accuracy",
  ]
  private static let speedAccuracies = ["speed_accuracy", "gps_speed_accuracy"]
  private static let speeds = [
    "speed", "velocity", "enhanced_speed", "gps_speed", "ground_speed", "location_speed",
  ]
  private static let courses = [
    "course", "bearing", "gps_course", "gps_bearing", "location_course", "location_bearing",
  ]
  private static let distances = [
    "distance", "odometer", "total_distance", "cumulative_distance",
  ]
}

/// The path from fix to fix of a sample.
private struct Path {
  private let seconds: [Double]
  /// Metres from the fix before; NaN = unknown.
  private let steps: [Double]

  init?(_ sample: TableSample, _ seconds: [Double], _ unit: String?) {
    guard let latitude = sample.columns(PositionGuess.latitudes).first,
      let longitude = sample.columns(PositionGuess.longitudes).first
    else { return nil }
    let perRadian: [String: Double] = ["rad": 1, "semicircles": 0x1p31 / .pi]
    let scale = 1 / (perRadian[unit ?? ""] ?? 180 / .pi)
    let (north, east) = (sample.numbers[latitude], sample.numbers[longitude])
    self.seconds = seconds
    steps = north.indices.dropLast().map { index in
      // A plane approximates small steps on a sphere of the mean Earth radius (IUGG 1980).
      let up = (north[index + 1] - north[index]) * scale
      let across = (east[index + 1] - east[index]) * scale * Math.cos(north[index] * scale)
      return 6_371_009 * (up * up + across * across).squareRoot()
    }
  }

  /// Stated speed per m/s of the positions, the median while moving; nil = too little movement.
  func speedRatio(_ speeds: [Double]) -> Double? {
    guard seconds.count == speeds.count else { return nil }
    let ratios = steps.indices.compactMap { index -> Double? in
      let moved = steps[index] / (seconds[index + 1] - seconds[index])
      let ratio = speeds[index + 1] / moved
      return moved > 0.5 && moved.isFinite && ratio > 0 ? ratio : nil
    }
    return ratios.count >= 10 ? median(ratios) : nil
  }

  /// Stated distance per metre of the positions; nil = too little movement.
  func distanceRatio(_ distances: [Double]) -> Double? {
    let known = steps.indices.filter {
      !(steps[$0] + distances[$0] + distances[$0 + 1]).isNaN
    }
    let moved = known.reduce(0) { $0 + steps[$1] }
    let stated = known.reduce(0) { $0 + distances[$1 + 1] - distances[$1] }
    return moved >= 50 ? stated / moved : nil
  }
}
