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

  private static func feature(_ geometry: String, _ members: Members) -> String {
    "{\"type\":\"Feature\",\"geometry\":{" + geometry + "},\"properties\":{" + members.text + "}}"
  }

  private static func facts(_ map: TrackMap) -> Members {
    var members = Members()
    members.add("name", map.header.id)
    members.add("activity", map.header.activity)
    members.add("device", map.header.device)
    members.add("detector", map.detector)
    let measurements = map.measurements.filter(\.value.isFinite).map { measurement in
      var own = Members()
      own.add("name", measurement.name)
      own.add("value", measurement.value)
      own.add("unit", measurement.unit)
      return "{" + own.text + "}"
    }
    members.add("measurements", json: "[" + measurements.joined(separator: ",") + "]")
    members.add("time", map.date(.zero))
    return members
  }

  /// nil with fewer than two positions.
  private static func line(
    _ positions: some Sequence<MapPosition>, _ kind: String, _ color: MapColor,
    _ facts: Members = Members()
  ) -> String? {
    let parts = MapShape.parts(of: positions).map { part in
      "[" + part.map(coordinates).joined(separator: ",") + "]"
    }
    guard let first = parts.first else { return nil }
    var members = Members(kind: kind)
    members.append(facts)
    members.add("stroke", color.web)
    members.add("stroke-width", 3)
    let several = "[" + parts.joined(separator: ",") + "]"
    return feature(
      parts.count == 1
        ? "\"type\":\"LineString\",\"coordinates\":" + first
        : "\"type\":\"MultiLineString\",\"coordinates\":" + several, members)
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
    var members = Members(kind: "fence")
    members.add("place", Double(place.id))
    members.add("radius_m", place.radius)
    members.add("stroke", MapColor.other.web)
    members.add("fill-opacity", 0.1)
    let list = ring.map(coordinates).joined(separator: ",")
    return feature("\"type\":\"Polygon\",\"coordinates\":[[" + list + "]]", members)
  }

  private static func feature(_ place: Place) -> String {
    var members = Members(kind: "place")
    members.add("name", "place \(place.id)")
    members.add("place", Double(place.id))
    members.add("rank", Double(place.rank))
    members.add("radius_m", place.radius)
    return feature(point(place.position), members)
  }

  private static func feature(_ event: MapEvent, _ map: TrackMap) -> String {
    var members = Members(kind: event.isReference ? "true event" : "event")
    members.add("name", event.name)
    members.add("event", event.kind)
    members.add("label", event.label)
    members.add("value", event.value)
    members.add("place", event.place.map(Double.init) ?? .nan)
    members.add("time", map.date(event.time))
    members.add("end", event.end.flatMap(map.date))
    members.add("elapsed_s", event.time)
    members.add("end_elapsed_s", event.end)
    members.add("emitted_elapsed_s", event.emitted)
    members.add("marker-color", (event.isReference ? MapColor.reference : .accepted).web)
    return feature(point(event.position), members)
  }

  private static func feature(_ point: TrackMap.Point, _ map: TrackMap) -> String {
    let fix = point.fix
    var members = Members(kind: "fix")
    members.add("number", Double(point.number))
    members.add("use", point.use?.rawValue)
    members.add("time", map.date(point.time))
    members.add("elapsed_s", point.time)
    members.add("accuracy_m", fix.horizontalAccuracy)
    members.add("speed_m_per_s", fix.speed)
    members.add("speed_accuracy_m_per_s", fix.speedAccuracy)
    members.add("course_deg", fix.course)
    if point.use == .rejected { members.add("marker-color", MapColor.rejected.web) }
    return feature(self.point(point.position), members)
  }
}

/// The members of a JSON object, without absent values.
private struct Members {
  private(set) var text = ""

  init(kind: String? = nil) { add("kind", kind) }

  mutating func append(_ other: Members) {
    guard !other.text.isEmpty else { return }
    text += (text.isEmpty ? "" : ",") + other.text
  }

  mutating func add(_ name: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    add(name, json: MapText.json(value))
  }

  /// JSON has neither NaN nor infinity.
  mutating func add(_ name: String, _ value: Double) {
    guard value.isFinite else { return }
    let whole = value.rounded() == value && abs(value) < 1e15
    add(name, json: whole ? String(Int64(value)) : MapText.decimal(value))
  }

  /// Adds the exact seconds since the trace's start.
  mutating func add(_ name: String, _ instant: TraceInstant?) {
    guard let instant else { return }
    add(name, json: decimalSeconds(instant.nanoseconds))
  }

  mutating func add(_ name: String, json value: String) {
    text += text.isEmpty ? "\"" : ",\""
    text += name
    text += "\":"
    text += value
  }
}
