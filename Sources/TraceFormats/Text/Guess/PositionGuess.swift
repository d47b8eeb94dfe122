import TraceModel

/// Finds the columns with positions and with other values of a receiver.
struct PositionGuess {
  let sample: TableSample
  /// The times of the sample in seconds; empty = unknown.
  let seconds: [Double]

  /// Latitude and longitude; nil = no names indicate any.
  var coordinates: ColumnReading? {
    let (latitudes, longitudes) = (sample.columns(Self.latitudes), sample.columns(Self.longitudes))
    guard let latitude = latitudes.first, let longitude = longitudes.first else { return nil }
    let several = [latitudes, longitudes].first { $0.count > 1 }
    let (unit, doubt) = angleUnit(latitude, longitude)
    let hemispheres = hemispheres
    return ColumnReading(
      entries: [
        sample.entry(.value(0, of: .location), latitude, unit),
        sample.entry(.value(1, of: .location), longitude, unit),
      ],
      doubt: several.map { "several columns for one coordinate, \(sample.quoted($0))" }
        ?? (hemispheres.isEmpty
          ? doubt
          : "the hemispheres in \(sample.quoted(hemispheres)), which a mapping cannot read"),
      evidence: unit == "semicircles" && sample.names[latitude].unit == nil
        ? "\(sample.quoted([latitude, longitude])) beyond 180 are in semicircles" : nil,
      rewriting: hemispheres.isEmpty ? nil : "write signed degrees")
  }

  /// The columns with the letters that give coordinates their sign; empty unless both coordinates
  /// have one, because a single column of N may be a flag.
  private var hemispheres: [Int] {
    let columns = [["N", "S"], ["E", "W"]].map { letters in
      sample.names.indices.first { column in
        let cells = sample.rows.lazy.map { $0[column] }.filter { !$0.isEmpty }
        return !cells.isEmpty && cells.allSatisfy { letters.contains($0.uppercased()) }
      }
    }
    return columns.contains(nil) ? [] : columns.compactMap(\.self)
  }

  /// Returns the other fields of fixes whose positions are in `unit`.
  func fields(besidePositionsIn unit: String?) -> [ColumnReading] {
    guard let path = Path(sample, seconds, unit) else { return [] }
    return [
      length(Self.altitudes, 2, isPlausible: (-500...12_000).contains),
      length(Self.accuracies, 3) { _ in true }, speed(path), speedAccuracy, course, distance(path),
    ].compactMap(\.self)
  }

  private func angleUnit(_ latitude: Int, _ longitude: Int) -> (unit: String?, doubt: String?) {
    let columns = [latitude, longitude]
    let shown = sample.quoted(columns)
    let stated = columns.compactMap { sample.names[$0].unit }
    if !stated.isEmpty {
      guard stated.count == 2, stated[0] == stated[1], Quantity.angle.has(stated[0]) == true else {
        return (nil, "no common unit of angles in \(shown)")
      }
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

  /// Returns the only column with one of the names, or the one that FIT calls enhanced.
  private func column(_ keys: [String]) -> Int? {
    let columns = sample.columns(keys).filter(sample.isNumeric)
    let enhanced = columns.filter { sample.names[$0].key.utf8.starts(with: "enhanced".utf8) }
    if enhanced.count == 1 { return enhanced[0] }
    return columns.count == 1 ? columns[0] : nil
  }

  /// An altitude or an accuracy, in metres unless the name states another unit.
  private func length(
    _ keys: [String], _ index: Int, isPlausible: (Double) -> Bool
  ) -> ColumnReading? {
    guard let column = column(keys) else { return nil }
    let unit = sample.names[column].unit
    return sample.reading(
      index, of: .location, column, in: unit,
      isClear: Quantity.length.has(unit) ?? sample.values(column).allSatisfy(isPlausible),
      evidence: unit == nil ? "\(sample.quoted([column])) states no unit and is read as m" : nil)
  }

  private var speedAccuracy: ColumnReading? {
    guard let column = column(Self.speedAccuracies) else { return nil }
    let unit = sample.names[column].unit
    return sample.reading(
      5, of: .location, column, in: unit, isClear: Quantity.speed.has(unit) ?? true)
  }

  /// The course in degrees, if the values are too large for radians and within a turn.
  private var course: ColumnReading? {
    guard let column = column(Self.courses) else { return nil }
    let unit = sample.names[column].unit
    let values = sample.values(column)
    let areDegrees = values.allSatisfy { abs($0) <= 360 } && values.contains { abs($0) > 2 * .pi }
    return sample.reading(
      6, of: .location, column, in: unit, isClear: Quantity.angle.has(unit) ?? areDegrees)
  }

  private func speed(_ path: Path) -> ColumnReading? {
    guard let column = column(Self.speeds) else { return nil }
    let ratio = path.speedRatio(sample.numbers[column])
    let unit = [("m/s", 1), ("km/h", 3.6)].first { Self.isNear(ratio, $0.1, within: 1.3) }?.0
    return agreeing(4, of: .location, column, unit, or: "m/s|km/h")
  }

  /// The distance since the start.
  private func distance(_ path: Path) -> ColumnReading? {
    guard let column = column(Self.distances) else { return nil }
    let values = sample.values(column)
    guard zip(values, values.dropFirst()).allSatisfy(<=) else {
      return ColumnReading(
        entries: [sample.entry(.value(0, of: .odometer), column, sample.names[column].unit)],
        doubt: "a distance in \(sample.quoted([column])) that decreases")
    }
    let ratio = path.distanceRatio(sample.numbers[column])
    let perMeter = [("m", 1), ("km", 0.001), ("mi", 1 / 1609.344), ("ft", 1 / 0.3048)]
    let unit = perMeter.first { Self.isNear(ratio, $0.1, within: 1.25) }?.0
    return agreeing(0, of: .odometer, column, unit, or: "m|km")
  }

  /// Reads a column in the unit of its name, or in the one that agrees with the positions.
  /// - Parameters:
  ///   - unit: the unit that agrees; nil = none.
  ///   - others: the units to propose if none agrees.
  private func agreeing(
    _ index: Int, of channel: Channel, _ column: Int, _ unit: String?, or others: String
  ) -> ColumnReading {
    let stated = sample.names[column].unit
    if let isKnown = Quantity(index, of: channel).has(stated) {
      return sample.reading(index, of: channel, column, in: stated, isClear: isKnown)
    }
    return sample.reading(
      index, of: channel, column, in: unit ?? others, isClear: unit != nil,
      evidence: unit.map { "\(sample.quoted([column])) agrees with the positions in \($0)" })
  }

  private static func isNear(_ ratio: Double?, _ expected: Double, within factor: Double) -> Bool {
    ratio.map { (expected / factor...expected * factor).contains($0) } ?? false
  }

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
  private static let distances = ["distance", "odometer", "total_distance", "cumulative_distance"]
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
    return ratios.count >= 10 ? Sample.median(ratios) : nil
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
