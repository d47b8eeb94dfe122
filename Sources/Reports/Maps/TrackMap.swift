import Detectors
import Diagnostics
import Evaluation
package import PageRuns
import Results
package import TraceModel

/// A trace of positions with the results of a detector, for a map: fixes, true path, places and events.
package struct TrackMap: Sendable {
  /// A fix that has a position.
  struct Point {
    /// From 0, among all fixes of the trace.
    var number: Int
    var fix: Fix
    var time: TraceInstant
    /// nil = the detector does not report it.
    var use: FixUse?

    var position: MapPosition {
      MapPosition(latitude: fix.latitude, longitude: fix.longitude, altitude: finite(fix.altitude))
    }
  }

  let header: TraceHeader
  /// With its preset.
  let detector: String
  let measurements: [Measurement]
  let places: [Place]
  private(set) var events: [MapEvent] = []
  private let fixes: FixColumns
  private let uses: [FixUse]?
  /// The positions of the shown fixes in `fixes`.
  private let shown: [Int]
  /// The number of fixes without a position, which no map shows.
  package let withoutPosition: Int
  /// Nanoseconds from 1970-01-01T00:00:00Z to the trace's zero; nil = not known.
  package let epoch: Int64?

  /// - Parameter detector: its name and preset.
  /// - Throws: without positions, or if the detector does not report accepted fixes that are requested.
  package init(_ trace: Trace, _ run: FixRun, detector: String, acceptedOnly: Bool = false) throws {
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
        .badData, "expected fixes with a position, found none in \(fixes.count); a map needs one")
    }
    guard !acceptedOnly || uses != nil else {
      throw Failure(
        .wrongUse,
        "--fixes accepted: expected a detector that reports which fixes it accepts, found \(detector)"
          + "; pass --detector track or --detector checkin")
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
    // The person was not at rejected fixes.
    let hasAccepted = shown.contains { uses?[$0] == .accepted }
    let path = MapPath(
      points.filter { !hasAccepted || $0.use == .accepted }
        .map { ($0.time.nanoseconds, $0.position) })
    let truth = MapPath(reference.map { ($0.time.nanoseconds, $0.position) })
    events = MapEvent.events(of: header, run.detections, places: places, along: path, truth: truth)
  }

  /// The shown fixes, in the order of the trace.
  var points: some Sequence<Point> {
    shown.lazy.map { position in
      Point(
        number: position, fix: fixes[position], time: fixes.measured(at: position),
        use: uses?[position])
    }
  }

  var hasUses: Bool { uses != nil }

  /// The true path in the order of time; empty = not known.
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

  /// The date and time in UTC; nil = the wall clock is not known.
  func date(_ instant: TraceInstant) -> String? {
    epoch.map { EpochTime.text(of: $0.addingClamped(instant.nanoseconds)) }
  }

  /// `track/default: distance 5012.31 m; 610 fixes: 600 accepted, 10 rejected`.
  var summary: String { "\(detectorSummary); \(fixSummary)" }

  /// E.g. `track/default: distance 5012.31 m, 5 events`.
  package var detectorSummary: String {
    // `fixSummary` counts the fixes.
    let others = measurements.filter { uses == nil || !["accepted", "refused"].contains($0.name) }
    let figures = others.map { one in
      one.unit.isEmpty
        ? "\(one.name) \(number(one.value))" : "\(one.name) \(fixed(one.value, 2)) \(one.unit)"
    }
    let count = events.count { !$0.isReference }
    return "\(detector): " + (figures + [counted(count, "event")]).joined(separator: ", ")
  }

  /// The counts of shown fixes: `610 fixes: 600 accepted, 10 rejected`.
  package var fixSummary: String {
    let total = counted(shown.count, "fix", "fixes")
    guard let uses else { return total }
    let counts = FixUse.allCases.compactMap { use in
      let count = shown.count { uses[$0] == use }
      return count == 0 ? nil : "\(count) \(use.rawValue)"
    }
    return total + ": " + counts.joined(separator: ", ")
  }
}

package enum TrackMapFormat: String, CaseIterable, Sendable {
  case gpx
  case geoJSON = "geojson"
  case kml

  package var outputKind: OutputKind {
    switch self {
    case .gpx: .gpx
    case .geoJSON: .geoJSON
    case .kml: .kml
    }
  }

  /// Passes the text to `sink` in parts. O(fixes), with memory for the lines of the map.
  package func write(_ map: TrackMap, to sink: (String) throws -> Void) throws {
    switch self {
    case .gpx: try GPXMap.write(map, to: sink)
    case .geoJSON: try GeoJSONMap.write(map, to: sink)
    case .kml: try KMLMap.write(map, to: sink)
    }
  }
}
