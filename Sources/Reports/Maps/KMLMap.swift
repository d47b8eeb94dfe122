import Diagnostics
import Evaluation
import PageRuns
import TraceFormats
import TraceModel

/// A map as KML 2.2 (OGC 07-147r2). If the wall clock is known, Google's `gx:Track` has the times and
/// values of all fixes.
enum KMLMap {
  /// The beginning of a file of Shadowbox.
  static let mark = """
    \(XMLElement.heading)<kml xmlns="http://www.opengis.net/kml/2.2" \
    xmlns:gx="http://www.google.com/kml/ext/2.2">
    <Document id="shadowbox-track">
    """

  static func write(_ map: TrackMap, to sink: (String) throws -> Void) throws {
    try sink(head(map))
    try writeTrack(map, to: sink)
    if map.hasUses {
      let accepted = map.points.lazy.filter { $0.use == .accepted }
      try writeLine(accepted.map(\.position), "accepted fixes", "accepted", to: sink)
    }
    try writeLine(map.reference.lazy.map(\.position), "true path", "reference", to: sink)
    try writeFolder("places", map.places, to: sink) { place($0) }
    try writeFolder("events", map.events.filter { !$0.isReference }, to: sink) { event($0, map) }
    try writeFolder("true events", map.events.filter(\.isReference), to: sink) { event($0, map) }
    try writeFolder("rejected fixes", map.points.lazy.filter { $0.use == .rejected }, to: sink) {
      rejected($0, map)
    }
    try sink("</Document>\n</kml>\n")
  }

  private static func head(_ map: TrackMap) -> String {
    let lines: [(String, MapColor, Int)] = [
      ("track", .other, 2), ("accepted", .accepted, 4), ("reference", .reference, 4),
    ]
    let points: [(String, MapColor, String)] = [
      ("event", .accepted, "1.0"), ("true-event", .reference, "1.0"), ("place", .other, "1.0"),
      ("rejected", .rejected, "0.5"),
    ]
    let styles =
      lines.map { id, color, width in
        "<Style id=\"\(id)\"><LineStyle><color>\(color.kml())</color><width>\(width)</width>"
          + "</LineStyle></Style>\n"
      }
      + points.map { id, color, scale in
        "<Style id=\"\(id)\"><IconStyle><color>\(color.kml())</color><scale>\(scale)</scale><Icon>"
          + "<href>https://maps.google.com/mapfiles/kml/shapes/placemark_circle.png</href></Icon>"
          + "</IconStyle><LabelStyle><scale>\(id == "rejected" ? "0" : "0.8")</scale></LabelStyle>"
          + "<LineStyle><color>\(color.kml())</color><width>2</width></LineStyle>"
          + "<PolyStyle><color>\(color.kml(opacity: "20"))</color></PolyStyle></Style>\n"
      }
    let columns = columns.map {
      "<gx:SimpleArrayField name=\"\($0.name)\" type=\"\($0.type)\"><displayName>\($0.title)"
        + "</displayName></gx:SimpleArrayField>"
    }
    return """
      \(mark)
      <name>\(XMLText.escaped(map.header.id))</name>
      <description>\(XMLText.escaped(map.summary))</description>
      \(styles.joined())<Schema id="fix">\(columns.joined())</Schema>

      """
  }

  private static func writeFolder<Item>(
    _ name: String, _ items: some Sequence<Item>, to sink: (String) throws -> Void,
    _ text: (Item) -> String
  ) throws {
    var isOpen = false
    for item in items {
      if !isOpen { try sink("<Folder><name>\(name)</name>\n") }
      isOpen = true
      try sink(text(item))
    }
    if isOpen { try sink("</Folder>\n") }
  }

  // MARK: Lines

  private typealias Column = (
    name: String, title: String, type: String, text: (TrackMap.Point) -> String
  )

  /// The values of the fixes besides position and time.
  private static var columns: [Column] {
    func text(_ value: Double) -> String { value.isFinite ? MapText.decimal(value) : "" }
    return [
      ("use", "Use", "string", { $0.use?.rawValue ?? "" }),
      ("accuracy", "Accuracy (m)", "double", { text($0.fix.horizontalAccuracy) }),
      ("speed", "Speed (m/s)", "double", { text($0.fix.speed) }),
      ("speed_accuracy", "Speed accuracy (m/s)", "double", { text($0.fix.speedAccuracy) }),
      ("course", "Course (degrees)", "double", { text($0.fix.course) }),
    ]
  }

  private static func writeTrack(_ map: TrackMap, to sink: (String) throws -> Void) throws {
    guard map.epoch != nil else {
      return try writeLine(map.points.lazy.map(\.position), "all fixes", "track", to: sink)
    }
    try sink("<Placemark><name>all fixes</name><styleUrl>#track</styleUrl><gx:Track>\n")
    for point in map.points { try sink("<when>\(map.date(point.time) ?? "")</when>\n") }
    for point in map.points {
      try sink("<gx:coord>" + MapText.coordinates(point.position, " ") + "</gx:coord>\n")
    }
    try sink("<ExtendedData><SchemaData schemaUrl=\"#fix\">\n")
    for column in columns {
      // Empty columns are left out.
      guard map.points.contains(where: { !column.text($0).isEmpty }) else { continue }
      try sink("<gx:SimpleArrayData name=\"\(column.name)\">\n")
      for point in map.points { try sink("<gx:value>" + column.text(point) + "</gx:value>\n") }
      try sink("</gx:SimpleArrayData>\n")
    }
    try sink("</SchemaData></ExtendedData></gx:Track></Placemark>\n")
  }

  private static func writeLine(
    _ positions: some Sequence<MapPosition>, _ name: String, _ style: String,
    to sink: (String) throws -> Void
  ) throws {
    let parts = MapShape.parts(of: positions)
    guard !parts.isEmpty else { return }
    try sink("<Placemark><name>\(name)</name><styleUrl>#\(style)</styleUrl><MultiGeometry>\n")
    for part in parts {
      try sink("<LineString><tessellate>1</tessellate><coordinates>\n")
      for position in part { try sink(MapText.coordinates(position) + "\n") }
      try sink("</coordinates></LineString>\n")
    }
    try sink("</MultiGeometry></Placemark>\n")
  }

  // MARK: Points

  private static func point(_ position: MapPosition) -> String {
    "<Point><coordinates>\(MapText.coordinates(position))</coordinates></Point>"
  }

  private static func place(_ place: Place) -> String {
    let ring = MapShape.circle(around: place.position, radiusMeters: place.radius)
    let fence = ring.map { ring in
      "<Polygon><tessellate>1</tessellate><outerBoundaryIs><LinearRing><coordinates>"
        + ring.map { MapText.coordinates($0) }.joined(separator: " ")
        + "</coordinates></LinearRing></outerBoundaryIs></Polygon>"
    }
    return "<Placemark><name>place \(place.id)</name>"
      + (place.radius.isFinite ? "<description>radius \(number(place.radius)) m</description>" : "")
      + "<styleUrl>#place</styleUrl><MultiGeometry>\(point(place.position))\(fence ?? "")"
      + "</MultiGeometry></Placemark>\n"
  }

  private static func event(_ event: MapEvent, _ map: TrackMap) -> String {
    let start = map.date(event.time)
    let time =
      if let start, let end = event.end.flatMap(map.date) {
        "<TimeSpan><begin>\(start)</begin><end>\(end)</end></TimeSpan>"
      } else {
        start.map(stamp) ?? ""
      }
    return "<Placemark><name>\(XMLText.escaped(event.name))</name>"
      + "<description>\(XMLText.escaped(event.note))</description>\(time)"
      + "<styleUrl>#\(event.isReference ? "true-event" : "event")</styleUrl>"
      + point(event.position) + "</Placemark>\n"
  }

  private static func rejected(_ fix: TrackMap.Point, _ map: TrackMap) -> String {
    let accuracy = fix.fix.horizontalAccuracy
    return "<Placemark><name>rejected fix</name><description>fix \(fix.number), at "
      + "\(fixed(fix.time.seconds, 3)) s"
      + (accuracy.isFinite ? ", accuracy \(fixed(accuracy, 1)) m" : "") + "</description>"
      + (map.date(fix.time).map(stamp) ?? "") + "<styleUrl>#rejected</styleUrl>"
      + point(fix.position) + "</Placemark>\n"
  }

  private static func stamp(_ date: String) -> String {
    "<TimeStamp><when>\(date)</when></TimeStamp>"
  }
}
