import TraceModel

/// A mapping resolved against a header line.
struct CSVPlan {
  struct TimeColumn {
    var index: Int
    var unit: CSVUnit
    var name: String
  }

  struct NumberColumn {
    var index: Int
    /// The position among the values of a record.
    var slot: Int
    var multiplier: Double
    var divisor: Double
    /// The largest magnitude that is in range.
    var limit: Double
    var isRequired: Bool
    var isWhole: Bool
    /// Whether the cells are words for the phases of a touch.
    var isPhase: Bool
    var name: String
  }

  /// The values of a channel: `width` slots from `base`, the first `required` of which must be given.
  struct ChannelPlan {
    var channel: Channel
    var base: Int
    var width: Int
    var required: Int
  }

  private(set) var time: TimeColumn
  private(set) var arrived: TimeColumn?
  /// The column of the dates of `time`, if they have their own column.
  private(set) var date: Int?
  private(set) var numbers: [NumberColumn] = []
  private(set) var channels: [ChannelPlan] = []
  private(set) var split: Int?
  private(set) var reference: Int?
  private(set) var metadata: [(field: CSVMetadata.Field, index: Int)] = []
  private(set) var unmapped: [String] = []
  let columnCount: Int
  /// Whether times count from 1970.
  let isAbsolute: Bool

  /// The number of values of a record.
  var slotCount: Int { channels.last.map { $0.base + $0.width } ?? 0 }

  /// - Parameter place: the header line, for messages.
  init(header: [String], options: CSVOptions, place: String) throws(TraceError) {
    var columns = ColumnNames(header, place: place)
    let entries = options.mapping?.entries ?? []
    guard let timeEntry = entries.first(where: { $0.target == .time }) else {
      throw .mapping("a column for time", found: "none", remedy: "add time=column[unit]")
    }
    columnCount = header.count
    var timed = timeEntry
    if let entry = entries.first(where: { $0.target == .date }) {
      date = try CSVPlan.dateColumn(entry, of: &timed, &columns)
    }
    time = try CSVPlan.timeColumn(timed, &columns)
    if let entry = entries.first(where: { $0.target == .arrived }) {
      arrived = try CSVPlan.timeColumn(entry, &columns)
    }
    isAbsolute = options.epochUnix || time.unit == .iso8601
    if let arrived, !options.epochUnix, (arrived.unit == .iso8601) != (time.unit == .iso8601) {
      throw .mapping(
        "the same clock for time and arrived", found: "an ISO date and a number",
        remedy: "pass --epoch unix if the numbers are Unix times")
    }
    let axes = try CSVPlan.axesChannel(entries, options)
    for entry in entries { try addNumber(entry, axes: axes, &columns) }
    try checkRequired()
    if let name = options.splitBy { split = try columns.index(of: name) }
    if let name = options.referenceColumn { reference = try columns.index(of: name) }
    for entry in options.metadata.entries {
      metadata.append((entry.field, try columns.index(of: entry.column)))
    }
    unmapped = columns.unused
  }

  /// Resolves the date column; the time is then a time of the day.
  private static func dateColumn(
    _ entry: CSVMapping.Entry, of time: inout CSVMapping.Entry, _ columns: inout ColumnNames
  ) throws(TraceError) -> Int {
    for unit in [entry.unit, time.unit] where unit != nil && unit != "iso" {
      throw .mapping(
        of: "date", "a date and a time of the day, both iso", found: Excerpt.of(unit ?? ""),
        remedy: "write date=column,time=column")
    }
    time.unit = "iso"
    return try columns.index(of: entry.column)
  }

  private static func timeColumn(
    _ entry: CSVMapping.Entry, _ columns: inout ColumnNames
  ) throws(TraceError) -> TimeColumn {
    let unit = try unit(of: entry, .time)
    let index = try columns.index(of: entry.column)
    return TimeColumn(index: index, unit: unit, name: columns.names[index])
  }

  private static func unit(
    of entry: CSVMapping.Entry, _ quantity: Quantity
  ) throws(TraceError) -> CSVUnit {
    let name = entry.unit ?? quantity.units[0].name
    guard let unit = quantity.unit(named: name) else {
      let names = quantity.units.map(\.name).joined(separator: ", ")
      throw .mapping(
        of: entry.target.name, "a unit of \(quantity.rawValue): \(names)", found: Excerpt.of(name),
        remedy: Quantity.allUnitNames.contains(name)
          ? "state the unit of the column" : "quote a column name that ends with a bracket")
    }
    return unit
  }

  /// The channel of `x`, `y` and `z`; nil = they are not mapped.
  private static func axesChannel(
    _ entries: [CSVMapping.Entry], _ options: CSVOptions
  ) throws(TraceError) -> Channel? {
    let axes = entries.filter(\.isBareAxis)
    guard !axes.isEmpty else { return nil }
    let isRotation = axes.contains { entry in
      entry.unit.map { Quantity.rotationRate.unit(named: $0) != nil } ?? false
    }
    let stated = options.gravity?.channel
    guard let channel = options.channel ?? (isRotation ? .rotationRate : stated) else {
      throw .mapping(
        "a statement whether accelerations include gravity", found: "none",
        remedy: "pass --gravity included or --gravity removed")
    }
    guard [.acceleration, .userAcceleration, .rotationRate].contains(channel) else {
      throw .mapping(
        "a channel with x, y and z", found: channel.name,
        remedy: "pass --channel acceleration, user_acceleration or rotation_rate")
    }
    if let stated, channel != .rotationRate, channel != stated {
      throw .mapping(
        "\(stated.name), as --gravity states", found: channel.name,
        remedy: "pass --gravity or --channel, not both")
    }
    return channel
  }

  private mutating func addNumber(
    _ entry: CSVMapping.Entry, axes: Channel?, _ columns: inout ColumnNames
  ) throws(TraceError) {
    guard case .value(let field, let named) = entry.target, let channel = named ?? axes else {
      return
    }
    let unit = try CSVPlan.unit(of: entry, Quantity(field, of: channel))
    guard case .factor(let multiplier, let divisor) = unit else { return }
    let owner = plan(for: channel)
    guard !numbers.contains(where: { $0.slot == owner.base + field }) else {
      throw .mapping(
        "each axis of \(channel.name) once", found: "\(entry.target.name) twice",
        remedy: "map one column to it")
    }
    let index = try columns.index(of: entry.column)
    numbers.append(
      NumberColumn(
        index: index, slot: owner.base + field, multiplier: multiplier, divisor: divisor,
        limit: CSVPlan.limit(channel, field), isRequired: field < owner.required,
        isWhole: channel == .heartbeat || channel == .touch && field >= 2,
        isPhase: channel == .touch && field == 2, name: columns.names[index]))
  }

  /// Returns the channel's slots, which are reserved at the first call.
  private mutating func plan(for channel: Channel) -> ChannelPlan {
    if let plan = channels.first(where: { $0.channel == channel }) { return plan }
    let (width, required) =
      switch ChannelBlock(emptyFor: channel) {
      case .vector: (3, 3)
      case .fix: (7, 2)
      case .local: (2, 2)
      case .touch: (4, 3)
      case .scalar, .heartbeat, .action: (2, 1)
      }
    let plan = ChannelPlan(channel: channel, base: slotCount, width: width, required: required)
    channels.append(plan)
    return plan
  }

  private static func limit(_ channel: Channel, _ field: Int) -> Double {
    switch (ChannelBlock(emptyFor: channel), field) {
    case (.vector, _): Double(Float.greatestFiniteMagnitude)
    case (.fix, 0): 90
    case (.fix, 1): 180
    case (.heartbeat, 0), (.touch, 3): Double(Int32.max)
    // Up to here a `Double` represents every whole number.
    case (.heartbeat, _): 0x1p53
    default: .greatestFiniteMagnitude
    }
  }

  /// Inverts the sign of all values.
  mutating func negate() { for index in numbers.indices { numbers[index].multiplier.negate() } }

  private func checkRequired() throws(TraceError) {
    guard !channels.isEmpty else {
      throw .mapping(
        "a column other than time", found: "none", remedy: "add e.g. x=ax[g],y=ay[g],z=az[g]")
    }
    for plan in channels {
      for slot in plan.base..<(plan.base + plan.required)
      where !numbers.contains(where: { $0.slot == slot }) {
        throw .mapping(
          CSVPlan.requirement(plan.channel), found: "one of them unmapped",
          remedy: "map a column to each")
      }
    }
  }

  private static func requirement(_ channel: Channel) -> String {
    switch ChannelBlock(emptyFor: channel) {
    case .vector: "x, y and z of \(channel.name)"
    case .fix: "latitude and longitude"
    case .local: "local.x and local.y"
    case .touch: "touch.x, touch.y and phase"
    case .heartbeat: "peer of \(channel.name)"
    case .scalar, .action: "a value of \(channel.name)"
    }
  }
}

extension TraceError {
  /// An error of the mapping, or of its entry for a target.
  static func mapping(
    of target: String? = nil, _ expected: String, found: String, remedy: String
  ) -> TraceError {
    TraceError(
      place: target.map { "mapping of \($0)" } ?? "mapping", expected: expected, found: found,
      remedy: remedy)
  }
}

/// The names of the header line, and which of them are used.
private struct ColumnNames {
  let names: [String]
  private let place: String
  private var used: Set<Int> = []

  init(_ names: [String], place: String) { (self.names, self.place) = (names, place) }

  var unused: [String] { names.indices.filter { !used.contains($0) }.map { names[$0] } }

  /// Returns the position of the column `name`, or of the column with the number `#number`.
  mutating func index(of name: String) throws(TraceError) -> Int {
    let matches = names.indices.filter { names[$0] == name }
    if matches.count > 1 {
      throw TraceError(
        place: place, expected: "one column \(Excerpt.of(name))", found: "\(matches.count)",
        remedy: "use the column number, e.g. #\(matches[0] + 1)")
    }
    guard let index = matches.first ?? numbered(name) else {
      let known = names.prefix(100).map { Excerpt.of($0) }.joined(separator: ", ")
      throw TraceError(
        place: place, expected: "a column \(Excerpt.of(name))",
        found: names.count > 100 ? "\(names.count) others: \(known), …" : known,
        remedy: "correct the column name, or pass --separator")
    }
    used.insert(index)
    return index
  }

  private func numbered(_ name: String) -> Int? {
    guard name.first == "#", let number = Int(name.dropFirst()), names.indices.contains(number - 1)
    else { return nil }
    return number - 1
  }
}
