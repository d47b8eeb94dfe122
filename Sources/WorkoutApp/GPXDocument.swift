import AppEngines

/// A track as GPX 1.1 (topografix.com/GPX/1/1): one `trk`, a `trkseg` for each stretch between
/// pauses, times in UTC, elevations if stated.
public enum GPXDocument {
  /// Returns the GPX text: degrees with seven decimals (a centimetre), metres with two.
  /// O(locations).
  public static func text(of record: Workout.Record) -> String {
    let summary = record.summary
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<gpx version="1.1" creator="shadowbox" xmlns="http://www.topografix.com/GPX/1/1""#
        + #" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance""#
        + #" xsi:schemaLocation="http://www.topografix.com/GPX/1/1"#
        + #" http://www.topografix.com/GPX/1/1/gpx.xsd">"#,
      "  <metadata>", "    <author><name>\(escaped(summary.creatorName))</name></author>",
      "    <time>\(Workout.Text.timestamp(summary.start))</time>", "  </metadata>", "  <trk>",
      "    <name>\(escaped(summary.id.description))</name>",
      "    <type>\(summary.sport.rawValue)</type>",
    ]
    for segment in record.segments where !segment.isEmpty {
      lines.append("    <trkseg>")
      for location in segment { lines.append("      " + point(location)) }
      lines.append("    </trkseg>")
    }
    return (lines + ["  </trk>", "</gpx>", ""]).joined(separator: "\n")
  }

  private static func point(_ location: Workout.Location) -> String {
    let coordinate = location.coordinate
    let latitude = DecimalText.text(coordinate.latitude, decimals: 7) ?? "0"
    let longitude = DecimalText.text(gpxLongitude(coordinate.longitude), decimals: 7) ?? "0"
    let elevation = location.altitude.flatMap { DecimalText.text($0, decimals: 2) }
    let elevationText = elevation.map { "<ele>\($0)</ele>" } ?? ""
    let time = "<time>\(Workout.Text.timestamp(location.time))</time>"
    return "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\">\(elevationText)\(time)</trkpt>"
  }

  /// Returns a longitude for the schema, which requires less than 180: the date line is -180.
  private static func gpxLongitude(_ longitude: Double) -> Double {
    longitude > 180 - 5e-8 ? -180 : longitude
  }

  /// Escapes characters for XML and removes those that XML cannot contain.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}",
        "\u{10000}"..."\u{10FFFF}":
        result.unicodeScalars.append(scalar)
      default: break
      }
    }
    return result
  }
}
