import Diagnostics
import Evaluation
import PageRuns
import TraceFormats
import TraceModel

/// A map as GPX 1.1 (topografix.com/GPX/1/1).
///
/// The fixes are the first track, with one segment, because some programs read only that. The true path
/// is a second track. Places, events and rejected fixes are waypoints. The element `type` of all these
/// begins with `shadowbox:`, so that `GPXReader` reads neither the true path as fixes nor events as
/// places.
enum GPXMap {
  /// The beginning of a file of Shadowbox.
  static let mark = "\(XMLElement.heading)<gpx version=\"1.1\" creator=\"shadowbox "

  static func write(_ map: TrackMap, to sink: (String) throws -> Void) throws {
    try sink(head(map))
    for place in map.places { try sink(waypoint(place)) }
    for event in map.events { try sink(waypoint(event, map)) }
    for point in map.points where point.use == .rejected {
      try sink(
        "  \(start("wpt", point.position))\(time(point.time, map))<name>rejected fix</name>"
          + "<type>\(GPXType.rejectedFix)</type>\(extensions(point, map))</wpt>\n")
    }
    try sink("  <trk>\n" + names(map.header.id, map) + kind(map.header.activity) + "    <trkseg>\n")
    for point in map.points {
      let head = "      " + start("trkpt", point.position) + time(point.time, map)
      try sink(head + extensions(point, map) + "</trkpt>\n")
    }
    try sink("    </trkseg>\n  </trk>\n")
    try writeReference(map, to: sink)
    try sink("</gpx>\n")
  }

  private static func writeReference(_ map: TrackMap, to sink: (String) throws -> Void) throws {
    guard map.header.track != nil else { return }
    try sink("  <trk>\n    <name>true path</name>\n" + kind(GPXType.truePath) + "    <trkseg>\n")
    for point in map.reference {
      try sink(
        "      " + start("trkpt", point.position) + time(point.time, map)
          + elapsedExtension(point.time, map) + "</trkpt>\n")
    }
    try sink("    </trkseg>\n  </trk>\n")
  }

  // MARK: Elements

  private static func head(_ map: TrackMap) -> String {
    let date = map.date(.zero).map { "    <time>\($0)</time>\n" } ?? ""
    return """
      \(mark)\(Tool.version)" xmlns="http://www.topografix.com/GPX/1/1"
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"
        xmlns:shadowbox="urn:shadowbox:gpx:1">
        <metadata>
          <name>\(XMLText.escaped(map.header.id))</name>
          <desc>\(XMLText.escaped(map.summary))</desc>
      \(date)  </metadata>

      """
  }

  private static func names(_ name: String, _ map: TrackMap) -> String {
    let device = map.header.device
    return "    <name>\(XMLText.escaped(name))</name>\n"
      + "    <desc>\(XMLText.escaped(map.summary))</desc>\n"
      + (device.isEmpty ? "" : "    <src>\(XMLText.escaped(device))</src>\n")
  }

  private static func kind(_ text: String) -> String {
    text.isEmpty ? "" : "    <type>\(XMLText.escaped(text))</type>\n"
  }

  private static func waypoint(_ place: Place) -> String {
    let radius = place.radius
    return "  \(start("wpt", place.position))<name>place \(place.id)</name>"
      + (radius.isFinite ? "<desc>radius \(number(radius)) m</desc>" : "")
      + "<type>\(GPXType.place)</type>"
      + (radius.isFinite
        ? "<extensions><shadowbox:radius>\(MapText.decimal(radius))</shadowbox:radius></extensions>"
        : "") + "</wpt>\n"
  }

  private static func waypoint(_ event: MapEvent, _ map: TrackMap) -> String {
    let type = GPXType.event(event.kind, isTrue: event.isReference)
    return "  \(start("wpt", event.position))\(time(event.time, map))"
      + "<name>\(XMLText.escaped(event.name))</name><desc>\(XMLText.escaped(event.note))</desc>"
      + "<type>\(XMLText.escaped(type))</type>\(elapsedExtension(event.time, map))</wpt>\n"
  }

  private static func start(_ name: String, _ position: MapPosition) -> String {
    // The schema requires longitudes below 180.
    let longitude = position.longitude == 180 ? -180 : position.longitude
    let tag =
      "<" + name + " lat=\"" + MapText.decimal(position.latitude) + "\" lon=\""
      + MapText.decimal(longitude) + "\">"
    return tag + (position.altitude.map { "<ele>" + MapText.decimal($0) + "</ele>" } ?? "")
  }

  private static func time(_ instant: TraceInstant, _ map: TrackMap) -> String {
    map.date(instant).map { "<time>\($0)</time>" } ?? ""
  }

  /// The seconds since the trace's start, without a wall clock: the element `time` needs a date.
  private static func elapsed(_ instant: TraceInstant, _ map: TrackMap) -> String {
    map.epoch == nil ? own("elapsed", decimalSeconds(instant.nanoseconds)) : ""
  }

  private static func elapsedExtension(_ instant: TraceInstant, _ map: TrackMap) -> String {
    map.epoch == nil ? "<extensions>\(elapsed(instant, map))</extensions>" : ""
  }

  private static func own(_ name: String, _ text: String) -> String {
    "<shadowbox:\(name)>\(text)</shadowbox:\(name)>"
  }

  /// The values besides the position. An accuracy in metres is not an `hdop`.
  private static func extensions(_ point: TrackMap.Point, _ map: TrackMap) -> String {
    let fix = point.fix
    let hasSpeed = fix.speed.isFinite && fix.speed >= 0
    let hasCourse = fix.course >= 0 && fix.course < 360
    var text = ""
    // Garmin's elements have no codes for invalid values.
    if hasSpeed || hasCourse {
      text += "<gpxtpx:TrackPointExtension>"
      if hasSpeed { text += "<gpxtpx:speed>" + MapText.decimal(fix.speed) + "</gpxtpx:speed>" }
      if hasCourse { text += "<gpxtpx:course>" + MapText.decimal(fix.course) + "</gpxtpx:course>" }
      text += "</gpxtpx:TrackPointExtension>"
    }
    func add(_ name: String, _ value: Double) {
      if value.isFinite { text += own(name, MapText.decimal(value)) }
    }
    if !hasSpeed { add("speed", fix.speed) }
    if !hasCourse { add("course", fix.course) }
    add("accuracy", fix.horizontalAccuracy)
    add("speedAccuracy", fix.speedAccuracy)
    if let use = point.use { text += own("use", use.rawValue) }
    text += elapsed(point.time, map)
    return text.isEmpty ? "" : "<extensions>" + text + "</extensions>"
  }
}
