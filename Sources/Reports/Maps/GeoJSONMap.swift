import Detectors
import Diagnostics
import Evaluation
import PageRuns
import TraceFormats
import TraceModel

/// A map as GeoJSON (RFC 7946) with colours as in simplestyle-spec 1.1.0, one feature per line.
///
/// Lines are cut at the antimeridian. Numbers that the device did not state are left out.
enum GeoJSONMap {
  /// The first bytes of a file of Shadowbox: a foreign member, as 6.1 allows.
  static let mark = "{\"type\":\"FeatureCollection\",\"generator\":\"shadowbox "

  static func write(_ map: TrackMap, to sink: (String) throws -> Void) throws {
    var isFirst = true
    func add(_ feature: String?) throws {
      guard let feature else { return }
      try sink((isFirst ? "" : ",\n") + feature)
      isFirst = false
    }
    let name = MapText.json(map.header.id)
    try sink("\(mark)\(Tool.version)\",\"name\":\(name),\"features\":[\n")
    try add(line(map.points.lazy.map(\.position), "track", .other, facts(map)))
    if map.hasUses {
      let accepted = map.points.lazy.filter { $0.use == .accepted }
      try add(line(accepted.map(\.position), "accepted", .accepted))
    }
    try add(line(map.reference.lazy.map(\.position), "true path", .reference))
    for place in map.places {
      try add(circle(place))
      try add(feature(place))
    }
    for event in map.events { try add(feature(event, map)) }
    for point in map.points { try add(feature(point, map)) }
    try sink("\n]}\n")
  }

  // MARK: Features

  /// The members of a JSON object; those without a value are left out.
  private typealias Members = [(name: String, value: String?)]

  private static func joined(_ members: Members) -> String {
    members.compactMap { name, value in value.map { "\"" + name + "\":" + $0 } }
      .joined(separator: ",")
  }

  private static func feature(_ geometry: String, _ members: Members) -> String {
    "{\"type\":\"Feature\",\"geometry\":{" + geometry + "},\"properties\":{" + joined(members)
      + "}}"
  }

  private static func facts(_ map: TrackMap) -> Members {
    let measurements = map.measurements.filter(\.value.isFinite).map { one in
      "{"
        + joined([("name", text(one.name)), ("value", number(one.value)), ("unit", text(one.unit))])
        + "}"
    }
    return [
      ("name", text(map.header.id)), ("activity", text(map.header.activity)),
      ("device", text(map.header.device)), ("detector", text(map.detector)),
      ("measurements", "[" + measurements.joined(separator: ",") + "]"),
      ("time", text(map.date(.zero))),
    ]
  }

  /// nil with fewer than two positions.
  private static func line(
    _ positions: some Sequence<MapPosition>, _ kind: String, _ color: MapColor,
    _ facts: Members = []
  ) -> String? {
    let parts = MapShape.parts(of: positions).map { part in
      "[" + part.map(coordinates).joined(separator: ",") + "]"
    }
    guard let first = parts.first else { return nil }
    let several = "[" + parts.joined(separator: ",") + "]"
    return feature(
      parts.count == 1
        ? "\"type\":\"LineString\",\"coordinates\":" + first
        : "\"type\":\"MultiLineString\",\"coordinates\":" + several,
      [("kind", text(kind))] + facts + [("stroke", text(color.web)), ("stroke-width", "3")])
  }

  private static func point(_ position: MapPosition) -> String {
    "\"type\":\"Point\",\"coordinates\":" + coordinates(position)
  }

  private static func coordinates(_ position: MapPosition) -> String {
    "[" + MapText.coordinates(position) + "]"
  }

  private static func circle(_ place: Place) -> String? {
    guard let ring = MapShape.circle(around: place.position, radiusMeters: place.radius) else {
      return nil
    }
    let list = ring.map(coordinates).joined(separator: ",")
    return feature(
      "\"type\":\"Polygon\",\"coordinates\":[[" + list + "]]",
      [
        ("kind", text("fence")), ("place", "\(place.id)"), ("radius_m", number(place.radius)),
        ("stroke", text(MapColor.other.web)), ("fill-opacity", "0.1"),
      ])
  }

  private static func feature(_ place: Place) -> String {
    feature(
      point(place.position),
      [
        ("kind", text("place")), ("name", text("place \(place.id)")), ("place", "\(place.id)"),
        ("rank", "\(place.rank)"), ("radius_m", number(place.radius)),
      ])
  }

  private static func feature(_ event: MapEvent, _ map: TrackMap) -> String {
    feature(
      point(event.position),
      [
        ("kind", text(event.isReference ? "true event" : "event")), ("name", text(event.name)),
        ("event", text(event.kind)), ("label", text(event.label)), ("value", number(event.value)),
        ("place", event.place.map { "\($0)" }), ("time", text(map.date(event.time))),
        ("end", text(event.end.flatMap(map.date))), ("elapsed_s", elapsed(event.time)),
        ("end_elapsed_s", elapsed(event.end)), ("emitted_elapsed_s", elapsed(event.emitted)),
        ("marker-color", text((event.isReference ? MapColor.reference : .accepted).web)),
      ])
  }

  private static func feature(_ point: TrackMap.Point, _ map: TrackMap) -> String {
    let fix = point.fix
    let color = point.use == .rejected ? MapColor.rejected.web : nil
    return feature(
      self.point(point.position),
      [
        ("kind", text("fix")), ("number", "\(point.number)"), ("use", text(point.use?.rawValue)),
        ("time", text(map.date(point.time))), ("elapsed_s", elapsed(point.time)),
        ("accuracy_m", number(fix.horizontalAccuracy)), ("speed_m_per_s", number(fix.speed)),
        ("speed_accuracy_m_per_s", number(fix.speedAccuracy)), ("course_deg", number(fix.course)),
        ("marker-color", text(color)),
      ])
  }

  // MARK: Values

  private static func text(_ value: String?) -> String? {
    value.flatMap { $0.isEmpty ? nil : MapText.json($0) }
  }

  /// nil for NaN and infinity.
  private static func number(_ value: Double) -> String? {
    guard value.isFinite else { return nil }
    let isWhole = value.rounded() == value && abs(value) < 1e15
    return isWhole ? String(Int64(value)) : MapText.decimal(value)
  }

  /// The exact seconds since the trace's start.
  private static func elapsed(_ instant: TraceInstant?) -> String? {
    instant.map { decimalSeconds($0.nanoseconds) }
  }
}
