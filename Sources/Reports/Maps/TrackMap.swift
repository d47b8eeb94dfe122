import Detectors
import Diagnostics
import Evaluation
package import PageRuns
package import TraceModel

/// A trace of positions and what a detector made of it, for a map: the fixes, the true path, the
/// places and the events.
package struct TrackMap: Sendable {
  /// A fix that has a position.
  struct Point {
    /// From 0, among all fixes of the trace.
    var number: Int
    var fix: Fix
    var time: TraceInstant
    /// nil = the detector does not tell.
    var use: FixUse?

    var position: MapPosition {
      MapPosition(
        latitude: fix.latitude, longitude: fix.longitude,
        altitude: fix.altitude.isFinite ? fix.altitude : .nan)
    }
  }

  let header: TraceHeader
  /// The detector and its preset.
  let detector: String
  let measurements: [Measurement]
  let places: [Place]
  private(set) var events: [MapEvent] = []
  private let fixes: FixColumns
  private let uses: [FixUse]?
  /// The positions in `fixes` of those that are shown.
  private let shown: [Int]
  /// The fixes that have no position, and so are on no map.
  package let withoutPosition: Int
  /// Nanoseconds from 1970-01-01T00:00:00Z to the trace's zero; nil = the wall clock is not known.
  package let epoch: Int64?

  /// - Parameters:
  ///   - trace: with the channel `location`.
  ///   - run: of the detector on the trace.
  ///   - detector: its name and preset.
  ///   - acceptedOnly: whether only accepted fixes are shown.
  /// - Throws: if no fix has a position, or if fixes are to be left out and the detector does not
  ///   tell which ones it accepts.
  package init(
    _ trace: Trace, _ run: FixRun, detector: String, acceptedOnly: Bool = false
  ) throws {
    header = trace.header
    epoch = trace.header.epochNanoseconds
    (self.detector, measurements) = (detector, run.measurements)
    let fixes = trace[.location].flatMap { FixColumns($0) } ?? FixColumns()
    let uses = run.uses
    let placed = fixes.range.filter {
      Geodesy.isValid(latitude: fixes[$0].latitude, longitude: fixes[$0].longitude)
    }
    guard !placed.isEmpty else {
      throw Failure(
        .badData,
        "expected fixes with a position, found none in \(fixes.count); a map needs one")
    }
    guard !acceptedOnly || uses != nil else {
      throw Failure(
        .wrongUse,
        "--fixes accepted: expected a detector that tells which fixes it accepts, found \(detector)"
          + "; name track or checkin with --detector")
    }
    withoutPosition = fixes.count - placed.count
    shown = acceptedOnly ? placed.filter { uses?[$0] == .accepted } : placed
    guard !shown.isEmpty else {
      throw Failure(
        .badData,
        "expected fixes that \(detector) accepts, found none in \(fixes.count); leave --fixes out")
    }
    places = run.places.filter { Geodesy.isValid(latitude: $0.latitude, longitude: $0.longitude) }
    (self.fixes, self.uses) = (fixes, uses)
    // What the detector rejects is not where the person was.
    let hasAccepted = shown.contains { uses?[$0] == .accepted }
    let path = MapPath(
      points.filter { !hasAccepted || $0.use == .accepted }
        .map { ($0.time.nanoseconds, $0.position) })
    let truth = MapPath(reference.map { ($0.time.nanoseconds, $0.position) })
    events = MapEvent.events(
      of: header, run.detections, places: places, along: path, truth: truth)
  }

  /// The fixes that are shown, in the order of the trace.
  var points: some Sequence<Point> {
    shown.lazy.map { position in
      Point(
        number: position, fix: fixes[position], time: fixes.measured(at: position),
        use: uses?[position])
    }
  }

  /// Whether it is known which fixes are accepted.
  var hasUses: Bool { uses != nil }

  /// The true path in the order of time; empty = it is not known.
  var reference: some Sequence<(time: TraceInstant, position: MapPosition)> {
    let track = header.track ?? ReferenceTrack(times: [], latitudes: [], longitudes: [])
    return track.times.indices.lazy
      .filter { Geodesy.isValid(latitude: track.latitudes[$0], longitude: track.longitudes[$0]) }
      .map { index in
        (
          time: TraceInstant(nanoseconds: track.times[index]),
          position: MapPosition(
            latitude: track.latitudes[index], longitude: track.longitudes[index])
        )
      }
  }

  // MARK: Texts

  /// The instant as a date and time in UTC; nil = the wall clock is not known.
  func date(_ instant: TraceInstant) -> String? {
    epoch.map { EpochTime.text(of: $0.addingClamped(instant.nanoseconds)) }
  }

  /// `track/default: distance 5012.31 m; 610 fixes: 600 accepted, 10 rejected`.
  var summary: String { "\(detectorSummary); \(fixSummary)" }

  /// What the detector measured and reported: `track/default: distance 5012.31 m, 5 events`.
  package var detectorSummary: String {
    // The fixes are counted elsewhere.
    let others = measurements.filter { uses == nil || !["accepted", "refused"].contains($0.name) }
    let figures = others.map { one in
      one.unit.isEmpty
        ? "\(one.name) \(number(one.value))" : "\(one.name) \(fixed(one.value, 2)) \(one.unit)"
    }
    let count = events.count { !$0.isReference }
    return "\(detector): " + (figures + [counted(count, "event")]).joined(separator: ", ")
  }

  /// `610 fixes: 600 accepted, 10 rejected`, of those that are shown.
  package var fixSummary: String {
    let total = counted(shown.count, "fix").replacing("fixs", with: "fixes")
    guard let uses else { return total }
    let counts = FixUse.allCases.compactMap { use in
      let count = shown.count { uses[$0] == use }
      return count == 0 ? nil : "\(count) \(use.rawValue)"
    }
    return total + ": " + counts.joined(separator: ", ")
  }
}
