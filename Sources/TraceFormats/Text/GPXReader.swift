public import TraceModel

/// The options of reading a GPX.
public struct GPXOptions: Sendable, Hashable {
  /// The trace's id; nil = the file's name without its extension.
  public var id: String?
  /// Whether the first damaged point ends the reading.
  public var strict = false
  /// Whether points are sorted by time (stable).
  public var sort = false
  /// The interval between points of a file without any time; nil = such a file is refused.
  public var assumeInterval: Duration?
  /// Whether waypoints become the trace's places, in file order.
  public var waypointsAsPlaces = false
  /// The radius of these places in metres; NaN = the detector's own.
  public var waypointRadius = Double.nan
  /// Metres of horizontal accuracy per unit of HDOP, for points that state no accuracy; nil = HDOP,
  /// which is a factor and not a length, is left out and listed.
  public var metersPerHDOP: Double?

  public init() {}
}

/// Reads GPX 1.0 and 1.1.
public enum GPXReader {
  /// Reads the track points of a GPX into the channel `location`; several tracks and segments
  /// follow one another, and a note of the report states where each starts. A true path that
  /// Shadowbox exported becomes the true path again; see ``GPXType``.
  ///
  /// The reader uses latitude, longitude, elevation, time (UTC where no zone is written), speed,
  /// course and, in extensions of any vendor, `speed`, `course` or `bearing`, `accuracy` or `hAcc`,
  /// and `speedAccuracy`; other elements of a point are listed as unmapped. The earliest time
  /// becomes the trace's zero and epoch. Routes are not read.
  ///
  /// A point with a malformed or out-of-range value, or without a time where others have one, is
  /// left out and counted. XML that is not well formed, elements in places where GPX has none, and
  /// a file without points or without any time throw, as does the first damaged point under
  /// ``GPXOptions/strict``.
  ///
  /// - Complexity: O(n), with memory for the fixes and one tag.
  public static func read(
    _ path: String, options: GPXOptions = GPXOptions()
  ) throws(TraceError) -> ImportedTrace {
    try read(ByteSource(path: path), options: options)
  }

  /// Reads from a pipe, which stays open.
  /// - Parameters:
  ///   - name: for messages.
  ///   - odometer: the file that was converted to the GPX, with the distances that GPX cannot hold.
  package static func read(
    descriptor: Int32, name: String, options: GPXOptions, odometer: OdometerFile? = nil
  ) throws(TraceError) -> ImportedTrace {
    try read(ByteSource(descriptor: descriptor, name: name), options: options, odometer: odometer)
  }

  /// - Parameter takesPlainPoints: false = every point is read by the general method.
  static func read(
    _ source: consuming ByteSource, options: GPXOptions, takesPlainPoints: Bool = true,
    odometer: OdometerFile? = nil
  ) throws(TraceError) -> ImportedTrace {
    let name = source.name
    var scanner = XMLScanner(source)
    var builder = GPXBuilder(options: options)
    reading: while true {
      if takesPlainPoints { try builder.addPlainPoints(of: &scanner) }
      switch try scanner.next() {
      case .start: try builder.start(scanner)
      case .text: try builder.addText(scanner)
      case .end: try builder.end(scanner)
      case .finished: break reading
      }
    }
    return try builder.finish(fileName: name, odometer: odometer)
  }
}

/// The elements of a GPX that matter to the reader.
enum GPXElement {
  case gpx, track, segment, trackPoint, waypoint, route
  case extensions
  case elevation, time, speed, course, accuracy, speedAccuracy, dilution
  /// The type of a track or a waypoint.
  case type
  case other

  private static let byName: [(key: UInt128, element: GPXElement)] = [
    ("trkpt", .trackPoint), ("ele", .elevation), ("time", .time), ("trkseg", .segment),
    ("trk", .track), ("wpt", .waypoint), ("rte", .route), ("extensions", .extensions),
    ("speed", .speed), ("course", .course), ("bearing", .course), ("accuracy", .accuracy),
    ("hAcc", .accuracy), ("hacc", .accuracy), ("hdop", .dilution), ("gpx", .gpx),
    ("speedAccuracy", .speedAccuracy), ("type", .type),
  ].map { name, element in (name.utf8.reduce(0) { $0 << 8 | UInt128($1) }, element) }

  /// Returns a name of up to 16 bytes as a number, which is faster to compare; for a longer name, its
  /// last 16 bytes.
  static func key(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt128 {
    var key: UInt128 = 0
    for position in range { key = self.key(key, adding: bytes[position]) }
    return key
  }

  @inline(__always)
  static func key(_ key: UInt128, adding byte: UInt8) -> UInt128 { key << 8 | UInt128(byte) }

  /// Creates the element of that name inside `parent`; nil = it is not allowed there.
  init?(_ key: UInt128, inside parent: GPXElement?) {
    let named = GPXElement.byName.first { $0.key == key }?.element ?? .other
    switch (parent, named) {
    case (nil, .gpx), (.gpx, .track), (.gpx, .waypoint), (.gpx, .route), (.track, .segment),
      (.segment, .trackPoint):
      self = named
    case (nil, _): return nil
    case (.gpx, .segment), (.gpx, .trackPoint), (.track, .track), (.track, .trackPoint),
      (.segment, .track), (.segment, .segment), (.trackPoint, .track), (.trackPoint, .segment),
      (.trackPoint, .trackPoint):
      return nil
    case (.trackPoint, .elevation), (.trackPoint, .time), (.trackPoint, .speed),
      (.trackPoint, .course), (.trackPoint, .accuracy), (.trackPoint, .dilution),
      (.trackPoint, .extensions), (.extensions, .speed), (.extensions, .course),
      (.extensions, .accuracy), (.extensions, .speedAccuracy), (.track, .type),
      (.waypoint, .type):
      self = named
    // The content of a vendor's group counts as content of the extensions.
    case (.extensions, _): self = .extensions
    default: self = .other
    }
  }
}

private struct GPXBuilder {
  private let options: GPXOptions
  private var open: [GPXElement] = []
  private var track: GPXTrack
  private var segment = GPXSegment(track: 0, number: 0)
  private var trackCount = 0
  private var places: [Place] = []
  private var routeCount = 0
  private var waypointCount = 0
  /// The number of waypoints that are events of an export, and not places.
  private var eventCount = 0
  private var truePath = GPXTruePath()
  /// Whether the track that is read is the true path.
  private var isTruePath = false
  /// Whether the waypoint that is read is an event.
  private var isEvent = false
  private var report = ImportReport()
  private var damaged = GPXLosses()
  private var lacksZone = false
  private var leapSeconds = 0
  private var unmapped: Set<UInt128> = []

  // The point that is being read.
  private var point: GPXPoint?
  private var dilution = Double.nan
  private var damage: TraceError?
  /// The text of the innermost element, as long as it has no element in it.
  private var text: [UInt8] = []
  private var isLeaf = false
  private var leafName: (key: UInt128, name: String?) = (0, nil)

  init(options: GPXOptions) {
    self.options = options
    track = GPXTrack(options)
  }

  mutating func start(_ scanner: borrowing XMLScanner) throws(TraceError) {
    let key = GPXElement.key(scanner.source.buffer.span, scanner.name)
    guard let element = GPXElement(key, inside: open.last) else { throw misplaced(scanner) }
    open.append(element)
    text.removeAll(keepingCapacity: true)
    isLeaf = true
    switch element {
    case .track:
      trackCount += 1
      isTruePath = false
    case .route: routeCount += 1
    case .segment:
      let number = segment.track == trackCount ? segment.number + 1 : 1
      segment = GPXSegment(track: trackCount, number: number)
    case .trackPoint, .waypoint: try startPoint(scanner)
    case .other, .extensions, .dilution: nameLeaf(key, scanner)
    default: break
    }
  }

  mutating func addText(_ scanner: borrowing XMLScanner) throws(TraceError) {
    if isLeaf, point != nil || open.last == .type { try scanner.appendText(to: &text) }
  }

  mutating func end(_ scanner: borrowing XMLScanner) throws(TraceError) {
    guard let element = open.popLast() else { return }
    if isLeaf {
      if element == .type {
        setType(TraceFormats.text(text.span, trimmed(text.span, 0..<text.count)))
      } else if point != nil {
        setValue(of: element, scanner)
      }
    }
    isLeaf = false
    switch element {
    case .trackPoint: try endTrackPoint(scanner)
    case .waypoint: try endWaypoint()
    default: break
    }
  }

  private mutating func setType(_ type: String) {
    if open.last == .track { isTruePath = type == GPXType.truePath }
    if open.last == .waypoint { isEvent = GPXType.isEvent(type) }
  }

  private func misplaced(_ scanner: borrowing XMLScanner) -> TraceError {
    let name = Excerpt.of(scanner.source.buffer.span, scanner.name)
    if open.isEmpty {
      return scanner.fault(
        "the element \"gpx\"", found: name, remedy: "convert the file to GPX with gpsbabel")
    }
    return scanner.fault(
      "gpx, trk, trkseg and trkpt nested in this order", found: "\(name) elsewhere",
      remedy: "check the program that wrote the file")
  }

  /// Notes the name of an element that is left out, at its first occurrence.
  private mutating func nameLeaf(_ key: UInt128, _ scanner: borrowing XMLScanner) {
    guard point != nil, open.contains(.trackPoint), !unmapped.contains(key) else {
      leafName = (key, nil)
      return
    }
    leafName = (key, TraceFormats.text(scanner.source.buffer.span, scanner.name))
  }

  /// Reads the next points, as long as they are plain.
  mutating func addPlainPoints(of scanner: inout XMLScanner) throws(TraceError) {
    guard open.last == .segment, scanner.isBetweenTags else { return }
    let context = PlainPoint.Context(
      takesDilution: options.metersPerHDOP != nil, unmapped: unmapped)
    while let point = PlainPoint(scanner.source.buffer.span, scanner.unread, context) {
      report.recordsRead += 1
      if point.lacksZone { lacksZone = true }
      try add(
        GPXPoint(time: point.time, fix: point.fix, line: scanner.nextLine + point.linesBefore),
        dilution: point.dilution, fileName: scanner.source.name)
      scanner.skip(to: point.position, lines: point.lines)
    }
  }

  private mutating func startPoint(_ scanner: borrowing XMLScanner) throws(TraceError) {
    damage = nil
    dilution = .nan
    isEvent = false
    let latitude = try coordinate(scanner, "lat", 90)
    let longitude = try coordinate(scanner, "lon", 180)
    point = GPXPoint(fix: Fix(latitude: latitude, longitude: longitude), line: scanner.line)
  }

  private mutating func coordinate(
    _ scanner: borrowing XMLScanner, _ name: String, _ limit: Int
  ) throws(TraceError) -> Double {
    let value = try scanner.attribute(Array(name.utf8))
    if let value, case .number(let degrees) = NumberText(value.span, 0..<value.count),
      abs(degrees) <= Double(limit)
    {
      return degrees
    }
    let found = value.map { Excerpt.of(String(decoding: $0, as: UTF8.self)) } ?? "none"
    setDamage(scanner.fault("\(name) from \(-limit) to \(limit)", found: found))
    return .nan
  }

  private mutating func setDamage(_ error: TraceError) { if damage == nil { damage = error } }

  private mutating func setValue(of element: GPXElement, _ scanner: borrowing XMLScanner) {
    switch element {
    case .elevation: setNumber(\.altitude, "an elevation", scanner)
    case .speed: setNumber(\.speed, "a speed", scanner)
    case .course: setNumber(\.course, "a course", scanner)
    case .accuracy: setNumber(\.horizontalAccuracy, "an accuracy", scanner)
    case .speedAccuracy: setNumber(\.speedAccuracy, "an accuracy of the speed", scanner)
    case .dilution where options.metersPerHDOP != nil: dilution = number("an HDOP", scanner)
    case .time: setTime(scanner)
    case .other, .extensions, .dilution: listUnmapped()
    default: break
    }
  }

  private mutating func setNumber(
    _ field: WritableKeyPath<Fix, Double>, _ expected: String, _ scanner: borrowing XMLScanner
  ) {
    let value = number(expected, scanner)
    point?.fix[keyPath: field] = value
  }

  private mutating func number(_ expected: String, _ scanner: borrowing XMLScanner) -> Double {
    switch NumberText(text.span, 0..<text.count) {
    case .number(let value) where value.isFinite: return value
    case .missing: return .nan
    case .number, .malformed:
      setDamage(scanner.fault(expected, found: Excerpt.of(text.span, 0..<text.count)))
      return .nan
    }
  }

  private mutating func setTime(_ scanner: borrowing XMLScanner) {
    let range = trimmed(text.span, 0..<text.count)
    if range.isEmpty { return }
    if let time = CivilTime(text.span, range) {
      point?.time = time.nanoseconds
      if !time.hasZone { lacksZone = true }
      if time.isLeapSecond { leapSeconds += 1 }
    } else {
      setDamage(
        scanner.fault(
          CivilTime.expectation(text.span, range), found: Excerpt.of(text.span, range)))
    }
  }

  private mutating func listUnmapped() {
    guard let name = leafName.name, !trimmed(text.span, 0..<text.count).isEmpty,
      unmapped.insert(leafName.key).inserted
    else { return }
    report.unmappedColumns.append(name)
  }

  private mutating func endTrackPoint(_ scanner: borrowing XMLScanner) throws(TraceError) {
    guard let row = point else { return }
    point = nil
    report.recordsRead += 1
    if let damage { return try lose(damage, line: row.line) }
    try add(row, dilution: dilution, fileName: scanner.source.name)
  }

  private mutating func add(
    _ point: GPXPoint, dilution: Double, fileName: String
  ) throws(TraceError) {
    guard !isTruePath else { return truePath.add(point) }
    var point = point
    if let scale = options.metersPerHDOP, point.fix.horizontalAccuracy.isNaN {
      point.fix.horizontalAccuracy = dilution * scale
    }
    try track.add(point, in: segment, fileName: fileName)
  }

  private mutating func endWaypoint() throws(TraceError) {
    guard let row = point else { return }
    point = nil
    guard !isEvent else {
      eventCount += 1
      return
    }
    waypointCount += 1
    guard options.waypointsAsPlaces else { return }
    if let damage { return try lose(damage, line: row.line) }
    let index = Int32(clamping: places.count)
    places.append(
      Place(
        id: index, latitude: row.fix.latitude, longitude: row.fix.longitude,
        radius: options.waypointRadius, rank: index))
  }

  private mutating func lose(_ error: TraceError, line: Int) throws(TraceError) {
    if options.strict { throw error }
    damaged.add(error, line: line)
  }

  mutating func finish(
    fileName: String, odometer: OdometerFile?
  ) throws(TraceError) -> ImportedTrace {
    guard report.recordsRead > 0 || !places.isEmpty else {
      throw TraceError(
        place: fileName, expected: "track points",
        found: "\(waypointCount) waypoints, \(routeCount) routes and no track point",
        remedy: "record a track, or convert a route to a track with gpsbabel")
    }
    if waypointCount > 0, !options.waypointsAsPlaces {
      report.notes.append("Waypoints left out: \(waypointCount); --waypoints-as-places reads them.")
    }
    if eventCount > 0 {
      report.notes.append("Waypoints that are events of an export, left out: \(eventCount).")
    }
    if routeCount > 0 { report.notes.append("Routes left out: \(routeCount).") }
    try track.finish(fileName: fileName)
    report.losses = ImportReport.Losses(
      count: damaged.count + track.untimed.count,
      first: damaged.first + track.untimed.first)
    report.samples = track.count
    report.duplicatedTimes = track.times.duplicatedTimes
    report.backwardTimes = track.times.backwardTimes
    if !track.isTimed, track.count > 0 {
      let interval = decimalSeconds(options.assumeInterval?.nanoseconds ?? 0)
      report.notes.append("The points have no times: intervals of \(interval) s are assumed.")
    }
    if lacksZone { report.notes.append("Dates without a zone are read as UTC.") }
    report.notes += CivilTime.leapSecondNotes(leapSeconds)
    report.notes += track.segmentNotes

    if let odometer { try add(odometer) }
    var header = TraceHeader(id: options.id ?? FilePath.stem(fileName), origin: .recorded)
    header.source = FilePath.lastComponent(fileName)
    header.places = places
    report.notes += truePath.notes(isTimed: track.isTimed)
    if track.isTimed { header.track = truePath.track(from: track.assembly.earliest ?? 0) }
    return try track.assembly.finish(
      header, report: report, isAbsolute: track.isTimed, sort: options.sort)
  }

  private mutating func add(_ odometer: OdometerFile) throws(TraceError) {
    guard let found = try track.add(odometer) else {
      report.notes.append("The odometer is left out: the positions have no times of their own.")
      return
    }
    report.samples += found.readings
    report.notes += found.notes
    report.losses.add(found.losses)
  }
}
