import TraceModel

/// A `--map` for a table that no app is known by, guessed from the names of its columns.
///
/// Only a guess: units are taken from the names where they stand there, that of the time from the
/// first record too, and a person has to say whether gravity is included.
struct MappingSuggestion {
  private let names: [String]
  /// The cells of the first record.
  private let cells: [String]

  init(_ names: [String], firstRecord cells: [String] = []) {
    self.names = names
    self.cells = cells
  }

  /// `time=t,x=ax[g],…`; nil = too little is known by its name.
  var mapping: String? {
    guard let time = column(Self.times) else { return nil }
    var entries = [timeEntry(time)]
    let axes = ["x", "y", "z"].compactMap { axis in
      column(Self.axes.map { axis + $0 } + Self.axisPrefixes.map { $0 + axis })
        .map { entry(axis, $0) }
    }
    if axes.count == 3 { entries += axes }
    if let latitude = column(["lat", "latitude"]), let longitude = column(Self.longitudes) {
      entries += [entry("latitude", latitude), entry("longitude", longitude)]
      let others = Self.fixFields.compactMap { field in
        column(field.names).map { entry(field.target, $0) }
      }
      entries += others
    }
    return entries.count > 1 ? entries.joined(separator: ",") : nil
  }

  func error(place: String) -> TraceError {
    let shownNames = names.prefix(20).map { Excerpt.of($0) }.joined(separator: ", ")
    let list = names.isEmpty ? "no header line" : "the columns \(shownNames)"
    let hasAxes = mapping.map { $0.utf8.firstRange(of: ",x=".utf8) != nil } ?? false
    let isRotation = mapping.map { $0.hasSuffix("[rad/s]") || $0.hasSuffix("[deg/s]") } ?? false
    let needsGravity = hasAxes && !isRotation
    let example = mapping ?? "time=column[unit],x=column,y=column,z=column"
    return TraceError(
      place: place, expected: "to be told which column is what",
      found: list + (names.count > 20 ? ", …" : ""),
      remedy: "pass --map '\(example)'" + (isUnixTime ? " --epoch unix" : "")
        + (needsGravity ? " --gravity included|removed" : "")
        + (mapping == nil ? "" : ", if that is what they are"))
  }

  private static let times = [
    "time", "timestamp", "t", "seconds", "seconds_elapsed", "datetime", "date", "time_s", "ts",
    "epoch", "unixtime",
  ]
  private static let axes = ["", "_acc", "acc", "-axis", " axis", "_axis"]
  private static let axisPrefixes = [
    "a", "acc", "acc_", "accel", "accel_", "accelerometer_", "acceleration", "acceleration_",
  ]
  private static let longitudes = ["lon", "lng", "long", "longitude"]
  private static let fixFields: [(target: String, names: [String])] = [
    ("altitude", ["ele", "elevation", "alt", "altitude"]),
    ("horizontal_accuracy", ["accuracy", "horizontal_accuracy", "hacc"]),
    ("distance", ["distance"]), ("speed", ["speed", "velocity"]),
    ("course", ["course", "bearing"]),
  ]

  /// The first column that is called so, a unit in brackets at its end left out of account.
  private func column(_ wanted: [String]) -> String? {
    for name in wanted {
      if let found = names.first(where: { Self.bare($0) == name }) { return found }
    }
    return nil
  }

  private static func bare(_ name: String) -> String {
    let bare = name.prefix { $0 != "(" && $0 != "[" }
    return bare.lowercased().trimmingSpaces()
  }

  private func timeEntry(_ name: String) -> String {
    let entry = entry("time", name)
    guard !entry.hasSuffix("]") else { return entry }
    return entry + (timeUnit(name).map { "[\($0)]" } ?? "")
  }

  /// By the first record: a date, or how large a number it is, as Unix times of this century are.
  private func timeUnit(_ name: String) -> String? {
    guard let index = names.firstIndex(of: name), cells.indices.contains(index) else { return nil }
    let bytes = Array(cells[index].utf8)
    if CivilTime(bytes.span, 0..<bytes.count) != nil { return "iso" }
    switch Double(cells[index]) ?? 0 {
    case 1e17...: return "ns"
    case 1e14...: return "us"
    case 1e11...: return "ms"
    default: return nil
    }
  }

  /// Whether the first time is a number that seconds since a start could not be.
  private var isUnixTime: Bool {
    guard let time = column(Self.times), let index = names.firstIndex(of: time),
      cells.indices.contains(index), let number = Double(cells[index])
    else { return false }
    return number > 1e9
  }

  private func entry(_ target: String, _ name: String) -> String {
    let needsQuotes = name.contains { ",[]\"=".contains($0) }
    let doubled = name.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"")
    let column = needsQuotes ? "\"\(doubled)\"" : name
    return "\(target)=\(column)" + (unit(of: name).map { "[\($0)]" } ?? "")
  }

  /// The unit that stands in brackets at the end of a name, if it is one that a mapping knows.
  private func unit(of name: String) -> String? {
    guard let open = name.lastIndex(where: { $0 == "(" || $0 == "[" }) else { return nil }
    let inside = String(name[name.index(after: open)...].dropLast())
    return Quantity.allUnitNames.contains(inside) ? inside : nil
  }
}
