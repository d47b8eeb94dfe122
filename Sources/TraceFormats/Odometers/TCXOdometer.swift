import TraceModel

/// Reads the distances of the track points of a TCX file (Training Center XML, Garmin): times and
/// accumulated distances, also of points without a position.
struct TCXOdometer: ~Copyable {
  private var scanner: XMLScanner
  /// The names of the open elements, as far as they matter.
  private var open: [Element] = []
  private var text: [UInt8] = []
  private var point = Point()

  private enum Element {
    case trackPoint, time, distance, other
  }

  private struct Point {
    var line = 0
    /// ns since 1970.
    var time: Int64?
    /// m; nil = not stated.
    var distance: Double?
    var damage: TraceError?
  }

  private init(_ source: consuming ByteSource) { scanner = XMLScanner(source) }

  /// - Parameters: see ``OdometerFile/read(strict:_:)``.
  static func read(
    _ source: consuming ByteSource, strict: Bool,
    _ take: (Int64, Double) throws(TraceError) -> Void
  ) throws(TraceError) -> OdometerReport {
    var reader = TCXOdometer(source)
    var report = OdometerReport()
    do throws(TraceError) {
      while let point = try reader.next() {
        if let damage = point.damage {
          if strict { throw damage }
          report.losses.add(damage)
        } else if let time = point.time, let distance = point.distance,
          !isUnknownDistance(distance)
        {
          report.readings += 1
          try take(time, distance)
        } else if point.time != nil {
          report.unknown += 1
        }
      }
    } catch {
      if strict || error.kind != .badData { throw error }
      report.losses.add(error)
    }
    return report
  }

  /// The next track point; nil = there is none.
  private mutating func next() throws(TraceError) -> Point? {
    while true {
      switch try scanner.next() {
      case .finished: return nil
      case .start:
        text.removeAll(keepingCapacity: true)
        open.append(element)
        if open.last == .trackPoint {
          point = Point()
          point.line = scanner.line
        }
      case .text:
        if open.last == .time || open.last == .distance { try scanner.appendText(to: &text) }
      case .end:
        switch open.popLast() {
        case .time: setTime()
        case .distance: setDistance()
        case .trackPoint:
          if point.time == nil, point.distance != nil, point.damage == nil {
            lose("a time", found: "a distance without one")
          }
          return point
        case .other, nil: break
        }
      }
    }
  }

  /// The kind of the element that starts. The lap around track points has a distance of its own.
  private var element: Element {
    let name = scanner.source.buffer[scanner.name]
    if name.elementsEqual("Trackpoint".utf8) { return .trackPoint }
    guard open.last == .trackPoint else { return .other }
    if name.elementsEqual("Time".utf8) { return .time }
    return name.elementsEqual("DistanceMeters".utf8) ? .distance : .other
  }

  private mutating func setTime() {
    let range = trimmed(text.span, 0..<text.count)
    guard let time = CivilTime(text.span, range) else {
      return lose(CivilTime.expectation(text.span, range), found: Excerpt.of(text.span, range))
    }
    point.time = time.nanoseconds
  }

  private mutating func setDistance() {
    switch NumberText(text.span, 0..<text.count) {
    case .number(let value) where value.isFinite && value >= 0: point.distance = value
    case .missing: break
    case .number, .malformed:
      lose("a distance of zero or more", found: Excerpt.of(text.span, 0..<text.count))
    }
  }

  private mutating func lose(_ expected: String, found: String) {
    guard point.damage == nil else { return }
    point.damage = TraceError(
      place: "\(scanner.source.name):\(point.line): odometer", expected: expected, found: found)
  }
}
