import TraceModel

/// Infers the mapping of a table of no known app.
///
/// A mapping is inferred only if names, units and values allow a single interpretation of the times
/// and of every group of accelerations and positions. Otherwise the error proposes the likely
/// mapping. A field with several interpretations, such as a speed without a unit, is left out with
/// a note.
struct CSVMappingGuess {
  private let sample: TableSample
  private let isUnixStated: Bool
  private let statedGravity: GravityStatement?
  private let isSplit: Bool
  private let axes: [AxesGuess.Found]
  private let time: TimeGuess.Candidate?
  private let coordinates: ColumnReading?
  private let touches: ColumnReading?
  /// Groups of columns that the trace can do without.
  private let extras: [ColumnReading]

  /// - Parameter options: the options that the user states; their mapping is ignored.
  init(_ sample: TableSample, options: CSVOptions) {
    self.sample = sample
    isUnixStated = options.epochUnix
    statedGravity = options.gravity
    isSplit = options.splitBy != nil
    axes = AxesGuess(sample: sample, stated: options.channel ?? options.gravity?.channel).found
    touches = TouchGuess(sample: sample).found
    let sampling: TimeGuess.Sampling = axes.isEmpty && touches == nil ? .positions : .motion
    time =
      TimeGuess(sample: sample, sampling: sampling, isUnixStated: options.epochUnix).best
    let positions = PositionGuess(sample: sample, seconds: time?.seconds ?? [])
    coordinates = positions.coordinates
    extras =
      positions.fields(besidePositionsIn: coordinates?.entries.first?.unit)
      + PlainFieldGuess(sample: sample, hasTouches: touches != nil).found
  }

  /// The only interpretation of the table.
  /// - Throws: if there is none, or more than one, with the likely mapping.
  func mapping(place: String) throws(TraceError) -> InferredMapping {
    let needed = self.needed
    let taken = needed + extras.filter { $0.doubt == nil }
    let entries = taken.flatMap(\.entries)
    guard let time, entries.contains(where: \.target.isReading),
      needed.allSatisfy({ $0.doubt == nil })
    else { throw error(place: place) }
    if let column = divider(time, entries) {
      throw .unclearColumns(
        place: place,
        found:
          "several recordings: times go back or repeat where \(sample.quoted([column])) changes",
        remedy: "pass --split-by '\(sample.reference(column))'")
    }
    return InferredMapping(
      mapping: CSVMapping(entries: entries), gravity: gravity, countsFromUnixEpoch: time.isUnix,
      evidence: taken.compactMap(\.evidence).map { "Inferred: \($0)." }, leftOut: leftOut)
  }

  /// The column that distinguishes several recordings in one table: its few values change wherever
  /// the times go back or repeat.
  private func divider(_ time: TimeGuess.Candidate, _ entries: [CSVMapping.Entry]) -> Int? {
    let seconds = time.seconds
    let breaks = seconds.indices.dropFirst().filter { seconds[$0] <= seconds[$0 - 1] }
    guard !isSplit, !breaks.isEmpty else { return nil }
    let taken = Set(entries.map(\.column))
    return sample.names.indices.first { column in
      guard !taken.contains(sample.reference(column)),
        breaks.allSatisfy({ sample.rows[$0][column] != sample.rows[$0 - 1][column] })
      else { return false }
      return Set(sample.rows.map { $0[column] }).count * 10 <= sample.rows.count
    }
  }

  /// The groups whose absence would make the trace empty or wrong.
  private var needed: [ColumnReading] {
    [time?.reading].compactMap(\.self) + axes.filter { !isOptional($0) }.map(\.reading)
      + [coordinates, touches].compactMap(\.self)
      + axes.filter { isOptional($0) && $0.reading.doubt == nil }.map(\.reading)
  }

  /// Rotation rates next to accelerations can be left out.
  private func isOptional(_ found: AxesGuess.Found) -> Bool {
    found.channel == .rotationRate && axes.contains { $0.channel != .rotationRate }
  }

  /// The value of `--gravity` for the entries `x`, `y` and `z`; nil = there are none.
  private var gravity: GravityStatement? {
    let plain = axes.first { $0.reading.entries.contains(where: \.isBareAxis) }
    return plain.map { $0.channel == .acceleration ? .included : .removed }
  }

  private var leftOut: [String] {
    let groups = extras + axes.filter(isOptional).map(\.reading)
    return groups.compactMap { group in
      group.doubt.map {
        "Left out: \($0); to keep it, pass --map with \(CSVMapping(entries: group.entries))."
      }
    }
  }

  private func error(place: String) -> TraceError {
    let groups =
      [time?.reading].compactMap(\.self) + axes.map(\.reading)
      + [coordinates, touches].compactMap(\.self) + extras
    let entries = groups.flatMap(\.entries)
    guard entries.contains(where: \.target.isReading) else {
      return .unclearColumns(
        place: place, found: columnList,
        remedy: "pass --map 'time=column[unit],x=column,y=column,z=column'")
    }
    let hasTime = entries.contains { $0.target == .time }
    let time = hasTime ? [] : [CSVMapping.Entry(target: .time, column: "COLUMN", unit: "s")]
    let proposal = InferredMapping.commandLine(
      time + entries, gravity: proposedGravity,
      countsFromUnixEpoch: isUnixStated || self.time?.isUnix == true)
    let doubts =
      (hasTime ? [] : ["no column of times among \(columnList)"])
      + groups.compactMap(\.doubt)
    let rewriting = groups.compactMap(\.rewriting).map { "\($0), then " }.joined()
    return .unclearColumns(
      place: place, found: doubts.isEmpty ? columnList : doubts.joined(separator: ", and "),
      remedy: "\(rewriting)pass \(proposal), corrected where it is wrong")
  }

  /// The value of `--gravity` that the user has to state or choose; nil = the option is not needed.
  private var proposedGravity: String? {
    guard let gravity else { return nil }
    if let statedGravity { return statedGravity.rawValue }
    return axes.allSatisfy { $0.reading.doubt == nil } ? gravity.rawValue : "included|removed"
  }

  private var columnList: String {
    guard !sample.names.isEmpty else { return "no header line" }
    let shown = sample.quoted(Array(sample.names.indices.prefix(20)))
    return "the columns \(shown)\(sample.names.count > 20 ? ", …" : "")"
  }
}

/// Finds columns that are a separate channel or belong to all channels.
private struct PlainFieldGuess {
  let sample: TableSample
  /// Whether `x` and `y` are those of touches.
  let hasTouches: Bool

  var found: [ColumnReading] { [arrived, local, pressure].compactMap(\.self) }

  /// The times of arrival, if the name states their unit.
  private var arrived: ColumnReading? {
    guard let column = sample.columns(["arrived"]).first, sample.isNumeric(column),
      let unit = sample.names[column].unit, Quantity.time.has(unit) == true
    else { return nil }
    return ColumnReading(entries: [sample.entry(.arrived, column, unit)])
  }

  /// The position in a local frame: `x` and `y` without `z`, if their names state the unit.
  private var local: ColumnReading? {
    let hasCoordinates = [PositionGuess.latitudes, PositionGuess.longitudes]
      .allSatisfy { !sample.columns($0).isEmpty }
    let pairs = [["local_x", "local_y"], ["x", "y"]].map { $0.map { sample.columns([$0]) } }
    guard !hasTouches, !hasCoordinates, sample.columns(["z", "local_z"]).isEmpty,
      let columns = pairs.first(where: { $0.allSatisfy { $0.count == 1 } })?.map({ $0[0] }),
      columns.allSatisfy(sample.isNumeric)
    else { return nil }
    let units = columns.map { sample.names[$0].unit }
    let isKnown = units[0] == units[1] && Quantity.length.has(units[0]) == true
    return ColumnReading(
      entries: columns.enumerated().map { axis, column in
        sample.entry(.value(axis, of: .local), column, units[axis])
      },
      doubt: isKnown ? nil : "no unit of length in \(sample.quoted(columns))")
  }

  /// The pressure, with the unit from the name or from the range: air on Earth has 300 to 1100 hPa.
  private var pressure: ColumnReading? {
    let columns = sample.columns(["pressure", "barometric_pressure", "air_pressure"])
    guard columns.count == 1, sample.isNumeric(columns[0]) else { return nil }
    let values = sample.values(columns[0])
    let ranges = [("Pa", 30_000.0...110_000.0), ("hPa", 300...1100), ("kPa", 30...110)]
    let fitting = ranges.first { range in values.allSatisfy(range.1.contains) }?.0
    let unit = sample.names[columns[0]].unit ?? fitting
    return sample.reading(
      0, of: .pressure, columns[0], in: unit, isClear: Quantity.pressure.has(unit) == true)
  }
}
