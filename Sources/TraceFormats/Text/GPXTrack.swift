import TraceModel

/// A track point that was read without damage.
struct GPXPoint {
  var time: Int64?
  var fix: Fix
  /// The line on which it begins.
  var line: Int
}

/// The track and segment in the file, both from 1.
struct GPXSegment: Equatable {
  var track: Int
  var number: Int
}

/// The points that were left out: their number, and the first ones.
struct GPXLosses {
  private(set) var count = 0
  private(set) var first: [(line: Int, error: TraceError)] = []

  mutating func add(_ error: TraceError, line: Int) {
    count += 1
    if first.count < ImportReport.Losses.mostKept { first.append((line, error)) }
  }
}

/// The track points of a GPX, in file order.
///
/// If no point has a time, points get assumed times if the options allow it; if some have a time, those
/// without are left out. Only the last point may decide this. So points get assumed times until one has
/// its own time, and are then discarded: memory stays bounded.
struct GPXTrack {
  private let options: GPXOptions
  private(set) var assembly = TraceAssembly()
  private var location: TraceAssembly.Handle
  /// Points in the assembly.
  private(set) var count = 0
  /// Whether a point with a time was found.
  private(set) var isTimed = false
  /// The points without a time. They are damaged only if another point has a time.
  private(set) var untimed = GPXLosses()
  /// The counts of times that do not increase.
  private(set) var times = ImportReport()
  private var lastTime: Int64?
  private var segment: GPXSegment?
  /// The starts of the first segments.
  private var starts: [(segment: GPXSegment, time: Int64, line: Int)] = []
  private var startCount = 0

  private static let mostListed = 20

  init(_ options: GPXOptions) {
    self.options = options
    location = assembly.open(.location)
  }

  /// - Throws: under ``GPXOptions/strict`` if a point has no time and another has one; if the
  ///   assembly cannot be written.
  mutating func add(
    _ point: GPXPoint, in segment: GPXSegment, fileName: String
  ) throws(TraceError) {
    if let time = point.time {
      if !isTimed { try dropAssumed() }
      return try append(point, at: time, in: segment)
    }
    let error = TraceError(
      place: "\(fileName):\(point.line)", expected: "a time", found: "a point without one")
    if isTimed, options.strict { throw error }
    untimed.add(error, line: point.line)
    guard !isTimed, let interval = options.assumeInterval, interval > .zero else { return }
    let time = lastTime?.addingClamped(interval.nanoseconds) ?? 0
    try append(point, at: time, in: segment)
  }

  private mutating func dropAssumed() throws(TraceError) {
    if options.strict, let first = untimed.first.first { throw first.error }
    isTimed = true
    guard count > 0 else { return }
    assembly = TraceAssembly()
    location = assembly.open(.location)
    (count, times, lastTime) = (0, ImportReport(), nil)
    (segment, starts, startCount) = (nil, [], 0)
  }

  private mutating func append(
    _ point: GPXPoint, at time: Int64, in segment: GPXSegment
  ) throws(TraceError) {
    times.count(time, after: lastTime)
    lastTime = time
    count += 1
    if segment != self.segment {
      self.segment = segment
      startCount += 1
      if starts.count < GPXTrack.mostListed { starts.append((segment, time, point.line)) }
    }
    try assembly.append(point.fix, to: location, measured: time, arrived: time)
  }

  /// Adds the distances of the device's odometer.
  /// - Returns: nil if the points have no times of their own, to which the odometer's could refer.
  mutating func add(_ odometer: OdometerFile) throws(TraceError) -> OdometerReport? {
    guard isTimed else { return nil }
    // The channel is opened with the first reading: without one there is no odometer.
    var handle: TraceAssembly.Handle?
    return try odometer.read(strict: options.strict) { time, meters throws(TraceError) in
      let own = handle ?? assembly.open(.odometer)
      handle = own
      try assembly.append(Scalar(value: meters), to: own, measured: time, arrived: time)
    }
  }

  /// - Throws: if there are points without any time, and no time may be assumed.
  mutating func finish(fileName: String) throws(TraceError) {
    guard !isTimed, untimed.count > 0 else { return }
    guard let interval = options.assumeInterval else {
      throw TraceError(
        place: fileName, expected: "times",
        found: "none in \(untimed.count) track points",
        remedy: "pass --assume-interval 1s to set times")
    }
    guard interval > .zero else {
      throw TraceError(
        place: "interval", expected: "more than 0 s from point to point", found: "\(interval)")
    }
    untimed = GPXLosses()
  }

  /// Returns notes on where each segment starts, if there are several.
  var segmentNotes: [String] {
    guard startCount > 1 else { return [] }
    let origin = assembly.earliest ?? 0
    var notes = starts.map { start in
      "Track \(start.segment.track), segment \(start.segment.number) starts at "
        + "\(decimalSeconds(start.time.subtractingClamped(origin))) s (line \(start.line))."
    }
    let further = startCount - starts.count
    if further > 0 { notes.append("\(further) more segments follow.") }
    return notes
  }
}
