public import TraceModel

/// The quantities that a detector measured over a track; nil = not measured.
public struct TrackMeasurement: Hashable, Sendable, Codable {
  /// The distance in m.
  public var distance: Double?
  /// The moving time in s.
  public var movingTime: Double?
  /// The ascent in m.
  public var ascent: Double?

  public init(distance: Double? = nil, movingTime: Double? = nil, ascent: Double? = nil) {
    (self.distance, self.movingTime, self.ascent) = (distance, movingTime, ascent)
  }

  /// The pace in s/m.
  fileprivate var pace: Double? {
    guard let movingTime, let distance, distance > 0 else { return nil }
    return movingTime / distance
  }
}

/// The distance counted by a detector up to an instant.
public struct DistancePoint: Hashable, Sendable, Codable {
  public var instant: TraceInstant
  /// The distance since the start in m.
  public var distance: Double

  public init(instant: TraceInstant, distance: Double) {
    self.instant = instant
    self.distance = distance
  }
}

/// The distance in metres between two positions, each a latitude and a longitude in degrees.
public typealias PositionDistance = (Double, Double, Double, Double) -> Double

/// The agreement of the tracker's figures with the ground truth of one trace.
///
/// The true distance, moving time and ascent are the sums of the values of the reference's events;
/// a sum with an unknown part is unknown. Undefined figures are nil, never NaN.
///
/// ```swift
/// var header = TraceHeader(id: "run", origin: .recorded)
/// let course = ReferenceEvent(onset: .zero, value: 5000)
/// header.references = [ReferenceSet(task: .distance, events: [course], valueUnits: "m")]
/// let score = TrackScore(header: header, measured: TrackMeasurement(distance: 5100)) {
///   Geodesy.distance(latitude: $0, longitude: $1, toLatitude: $2, longitude: $3)
/// }
/// score.distanceError  // 2.0
/// ```
public struct TrackScore: Hashable, Sendable, Codable {
  /// The true distance in m; nil if unknown.
  public var trueDistance: Double?
  /// The true moving time in s; nil if unknown.
  public var trueMovingTime: Double?
  /// The signed error in %: 100 (measured - true) / true; nil if the true distance is zero.
  public var distanceError: Double?
  /// The signed error of the moving time in %: 100 (measured - true) / true.
  public var movingTimeError: Double?
  /// The signed error of moving time / distance in %: 100 (measured - true) / true.
  public var paceError: Double?
  /// Measured - true, in m and not in %, because a flat course has no ascent.
  public var ascentError: Double?
  /// The signed errors of the splits in ns, in the order of the references. Splits match one to one
  /// by cumulative distance, which may differ by 1 m.
  public var splitErrors: [Int64] = []
  public var missedSplits = 0
  /// The distance in m that the detector counted while the device stood still, see
  /// ``standingNanoseconds``; nil if it did not stand still or the distance over time is unknown.
  public var standingGain: Double?
  /// The time in ns during which the device stood still: the whole trace if the true distance is
  /// zero, otherwise the stretches of 10 s or more with a true speed below 0.1 m/s.
  public var standingNanoseconds: Int64 = 0
  /// The distance in metres of each valid fix from the true path, which is interpolated linearly;
  /// without fixes beyond the path's ends and in ignore zones.
  public var horizontalErrors: [Double] = []
  /// The share of the recorded time between valid fixes at most 10 s apart, in %; nil = no time.
  public var coverage: Double?

  public init() {}

  /// - Parameters:
  ///   - header: the header of the trace with references, true path, ignore zones and end.
  ///   - detections: of every kind; `split` is used, with the cumulative distance in m as its
  ///     value.
  ///   - fixes: the fixes as the device reported them; a fix with a negative accuracy or without
  ///     coordinates is invalid.
  public init(
    header: TraceHeader, measured: TrackMeasurement, detections: [DetectionRecord] = [],
    progress: [DistancePoint] = [], fixes: FixColumns? = nil, distance: PositionDistance
  ) {
    let truth = TrackMeasurement(
      distance: total(header.reference(.distance)),
      movingTime: total(header.reference(.movingTime)), ascent: total(header.reference(.ascent)))
    trueDistance = truth.distance
    trueMovingTime = truth.movingTime
    distanceError = percentError(measured.distance, truth.distance)
    movingTimeError = percentError(measured.movingTime, truth.movingTime)
    paceError = percentError(measured.pace, truth.pace)
    ascentError = difference(measured.ascent, truth.ascent)
    let zones = ZoneUnion(header.ignoreZones)
    scoreSplits(header, detections)
    scoreStanding(header, isStill: truth.distance == 0, progress, distance)
    if let fixes { scoreFixes(fixes, header, zones, distance) }
  }

  public var splitError: TimePercentiles? { TimePercentiles(of: splitErrors) }

  /// The distance counted per hour of standing still, in m.
  public var gainPerStandingHour: Double? {
    guard let standingGain, standingNanoseconds > 0 else { return nil }
    return standingGain / hours(ofNanoseconds: standingNanoseconds)
  }

  /// The median and the 95th percentile of the horizontal error in m.
  public var horizontalError: (p50: Double, p95: Double)? {
    let sorted = horizontalErrors.sorted()
    guard let p50 = Sample.quantile(0.5, ofSorted: sorted),
      let p95 = Sample.quantile(0.95, ofSorted: sorted)
    else { return nil }
    return (p50, p95)
  }

  /// The speed in m/s below which the device stands still: a tenth of a slow walk.
  static let standingSpeed = 0.1
  /// The shortest stand in ns.
  static let shortestStand = 10_000_000_000 as Int64
  /// In ns. A longer interval is a gap, which the tracker excludes from the moving time.
  static let longestFixInterval = 10_000_000_000 as Int64
  /// The maximum difference of the cumulative distances of a split in m.
  static let splitTolerance = 1.0

  /// A split with its cumulative distance in whole millimetres.
  private typealias Split = (millimeters: Int64, onset: TraceInstant)

  /// The splits to match. Splits are matched by distance, as events are by time.
  private static func splits(
    _ header: TraceHeader, _ detections: [DetectionRecord]
  ) -> (references: [Split], detections: [Split]) {
    let zones = ZoneUnion(header.ignoreZones)
    let references = header.reference(.split)?.events ?? []
    return (
      splitMarks(references.filter { !zones.contains($0.onset) }.map { ($0.onset, $0.value) }),
      splitMarks(detections.filter { $0.kind == "split" }.map { ($0.onset, $0.value) })
    )
  }

  private static var splitMargin: EventTolerance {
    EventTolerance(either: .nanoseconds(Int64(splitTolerance * 1000)))
  }

  /// - Throws: if too many splits are within a metre of each other.
  static func requireFeasibleSplits(
    _ header: TraceHeader, _ detections: [DetectionRecord]
  ) throws(TraceError) {
    let (references, detections) = splits(header, detections)
    try EventMatching.requireFeasible(
      references.map { EventSpan(onset: $0.millimeters, offset: $0.millimeters) },
      detections.map { $0.millimeters }, splitMargin,
      [(Array(references.indices), Array(detections.indices))], place: header.id)
  }

  private mutating func scoreSplits(_ header: TraceHeader, _ detections: [DetectionRecord]) {
    let (references, detections) = Self.splits(header, detections)
    let matching = EventMatching(
      spans: references.map { EventSpan(onset: $0.millimeters, offset: $0.millimeters) },
      times: detections.map { $0.millimeters }, tolerance: Self.splitMargin,
      groups: [(Array(references.indices), Array(detections.indices))])
    splitErrors = matching.pairs.map {
      references[$0.reference].onset.nanoseconds(to: detections[$0.detection].onset)
    }
    missedSplits = references.count - matching.pairs.count
  }

  private mutating func scoreStanding(
    _ header: TraceHeader, isStill: Bool, _ progress: [DistancePoint],
    _ distance: PositionDistance
  ) {
    let stands =
      isStill
      ? [0...max(header.end.nanoseconds, 0)]
      : header.track.map { standingStretches(of: $0, distance) } ?? []
    standingNanoseconds = stands.reduce(0) {
      $0.addingClamped($1.upperBound.subtractingClamped($1.lowerBound))
    }
    let curve = progress.filter { $0.distance.isFinite }.sorted { $0.instant < $1.instant }
    guard !curve.isEmpty, standingNanoseconds > 0 else { return }
    let gain = stands.reduce(0) {
      $0 + counted(curve, at: $1.upperBound) - counted(curve, at: $1.lowerBound)
    }
    standingGain = gain.isFinite ? gain : nil
  }

  private mutating func scoreFixes(
    _ fixes: FixColumns, _ header: TraceHeader, _ zones: ZoneUnion, _ distance: PositionDistance
  ) {
    var times: [Int64] = []
    for position in fixes.range where fixes[position].isValid {
      let (fix, instant) = (fixes[position], fixes.measured(at: position))
      times.append(instant.nanoseconds)
      guard let track = header.track, !zones.contains(instant),
        let truth = interpolatedPosition(of: track, at: instant.nanoseconds)
      else { continue }
      let error = distance(truth.latitude, truth.longitude, fix.latitude, fix.longitude)
      if error.isFinite { horizontalErrors.append(error) }
    }
    coverage = coveredShare(of: header.end.nanoseconds, times.sorted()).map { 100 * $0 }
  }
}

extension Fix {
  fileprivate var isValid: Bool {
    latitude.isFinite && longitude.isFinite && !(horizontalAccuracy < 0)
  }
}

private func total(_ reference: ReferenceSet?) -> Double? {
  guard let reference, !reference.events.isEmpty else { return nil }
  let sum = reference.events.reduce(0) { $0 + $1.value }
  return sum.isFinite ? sum : nil
}

private func difference(_ measured: Double?, _ truth: Double?) -> Double? {
  guard let measured, let truth else { return nil }
  let error = measured - truth
  return error.isFinite ? error : nil
}

private func percentError(_ measured: Double?, _ truth: Double?) -> Double? {
  guard let error = difference(measured, truth), let truth, truth > 0 else { return nil }
  let percent = 100 * error / truth
  return percent.isFinite ? percent : nil
}

/// Returns the splits with a cumulative distance, in its order.
private func splitMarks(
  _ splits: [(onset: TraceInstant, meters: Double)]
) -> [(millimeters: Int64, onset: TraceInstant)] {
  splits.filter { abs($0.meters) < 1e15 }
    .map { (Int64(($0.meters * 1000).rounded()), $0.onset) }.sorted(by: <)
}

/// Returns the stretches of the minimum length with every step below the standing speed.
private func standingStretches(
  of track: ReferenceTrack, _ distance: PositionDistance
) -> [ClosedRange<Int64>] {
  var stretches: [ClosedRange<Int64>] = []
  var start: Int?
  func close(at end: Int) {
    guard let first = start else { return }
    start = nil
    let (from, to) = (track.times[first], track.times[end])
    if to.subtractingClamped(from) >= TrackScore.shortestStand { stretches.append(from...to) }
  }
  for next in track.times.indices.dropFirst() {
    let step = distance(
      track.latitudes[next - 1], track.longitudes[next - 1], track.latitudes[next],
      track.longitudes[next])
    let seconds = Double(track.times[next].subtractingClamped(track.times[next - 1])) / 1e9
    if seconds >= 0, step <= TrackScore.standingSpeed * seconds {
      start = start ?? next - 1
    } else {
      close(at: next - 1)
    }
  }
  if let last = track.times.indices.last { close(at: last) }
  return stretches
}

/// Returns the distance counted at an instant: linear between the points, constant beyond the ends.
private func counted(_ curve: [DistancePoint], at nanoseconds: Int64) -> Double {
  let next = curve.partitioningIndex { $0.instant.nanoseconds > nanoseconds }
  guard next > 0 else { return curve[0].distance }
  guard next < curve.count else { return curve[next - 1].distance }
  let (before, after) = (curve[next - 1], curve[next])
  let fraction =
    Double(nanoseconds.subtractingClamped(before.instant.nanoseconds))
    / Double(before.instant.nanoseconds(to: after.instant))
  return before.distance + fraction * (after.distance - before.distance)
}

/// Returns a position on the path, the shorter way around the earth; nil beyond its ends.
private func interpolatedPosition(
  of track: ReferenceTrack, at nanoseconds: Int64
) -> (latitude: Double, longitude: Double)? {
  let next = track.times.partitioningIndex { $0 > nanoseconds }
  guard next > 0 else { return nil }
  let before = next - 1
  guard track.times[before] != nanoseconds else {
    return (track.latitudes[before], track.longitudes[before])
  }
  guard next < track.times.count else { return nil }
  let fraction =
    Double(nanoseconds.subtractingClamped(track.times[before]))
    / Double(track.times[next].subtractingClamped(track.times[before]))
  let turn = (track.longitudes[next] - track.longitudes[before]).remainder(dividingBy: 360)
  return (
    track.latitudes[before] + fraction * (track.latitudes[next] - track.latitudes[before]),
    track.longitudes[before] + fraction * turn
  )
}

private func coveredShare(of duration: Int64, _ times: [Int64]) -> Double? {
  guard duration > 0 else { return nil }
  let within = times.map { min(max($0, 0), duration) }
  let covered = zip(within, within.dropFirst()).reduce(0 as Int64) { sum, pair in
    let interval = pair.1 - pair.0
    return interval <= TrackScore.longestFixInterval ? sum + interval : sum
  }
  return Double(covered) / Double(duration)
}
