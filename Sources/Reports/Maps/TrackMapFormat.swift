/// The formats in which a map is written.
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

  /// Passes the text to `sink`, in parts. O(fixes), with memory for the lines of the map.
  package func write(_ map: TrackMap, to sink: (String) throws -> Void) throws {
    switch self {
    case .gpx: try GPXMap.write(map, to: sink)
    case .geoJSON: try GeoJSONMap.write(map, to: sink)
    case .kml: try KMLMap.write(map, to: sink)
    }
  }
}
