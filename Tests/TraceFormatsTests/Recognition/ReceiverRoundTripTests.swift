import Foundation
import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

/// Tracks from a seed in every format of receivers and in plain CSV: the reader returns what was
/// written, every column survives the native format, equal input gives equal bytes, and content
/// without a place in a trace is listed.
@Suite struct ReceiverRoundTripTests {
  enum Kind: String, CaseIterable, Sendable {
    case gpx, nmea, gpslogger, csv
  }

  struct Point {
    /// Nanoseconds since 1970.
    var time: Int64
    var latitude: String
    var longitude: String
    var altitude: String
    var speed: String
    var course: String
  }

  @Test(.longer, arguments: Kind.allCases, 1...LongTests.count(quick: 4, long: 10))
  func everyColumnStays(kind: Kind, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let points = Self.points(&generator)
    let folder = try RecordingFolder()
    let path = try folder.write(Self.text(kind, points), to: "track.txt")
    var options = RecordingOptions()
    if kind == .csv {
      options.csv = CSVOptions(
        mapping: try CSVMapping(
          parsing: "time=t[iso],latitude=la,longitude=lo,altitude=al,speed=sp,course=co"))
    }
    let recording = try RecordingReader.read(path, options: options)
    let imported = recording.traces[0]
    #expect(recording.recognition.format.rawValue == kind.rawValue, "seed \(seed)")
    #expect(imported.report.losses.count == 0 && imported.report.samples == points.count)
    let unmapped = imported.report.unmappedColumns
    #expect(unmapped.contains(Self.extra(kind)), "seed \(seed): \(unmapped)")

    let trace = try imported.trace
    let fixes = try #require(trace[.location].flatMap { FixColumns($0) })
    let start = try #require(points.first).time
    #expect(fixes.measuredTimes == points.map { $0.time - start }, "seed \(seed)")
    for (fix, point) in zip(fixes.values, points) {
      let scale = kind == .nmea ? 1852.0 / 3600 : 1
      let expected = [
        Self.degrees(point.latitude, kind), Self.degrees(point.longitude, kind),
        Double(point.altitude), (Double(point.speed) ?? .nan) * scale, Double(point.course),
      ]
      let found = [fix.latitude, fix.longitude, fix.altitude, fix.speed, fix.course]
      for (value, wanted) in zip(found, expected) {
        // Minutes and knots are converted, which rounds; everything else is exact.
        let tolerance = kind == .nmea ? 1e-13 * abs(wanted ?? .nan) : 0
        #expect(abs(value - (wanted ?? .nan)) <= tolerance, "seed \(seed): \(point)")
      }
    }

    var files: [Data] = []
    for name in ["a.h5", "b.h5"] {
      let again = try RecordingReader.read(path, options: options).traces[0]
      try NativeTrace.write(again.source, to: folder.path(name))
      files.append(try Data(contentsOf: URL(filePath: folder.path(name))))
    }
    #expect(files[0] == files[1], "seed \(seed)")
    let back = try NativeTrace.read(folder.path("a.h5"))
    #expect(back.header == trace.header, "seed \(seed)")
    #expect("\(back[.location] as Any)" == "\(trace[.location] as Any)", "seed \(seed)")
  }

  private static func points(_ generator: inout SeededGenerator) -> [Point] {
    func below(_ bound: UInt64) -> Int { Int(generator.next() % bound) }
    func text(_ thousandths: Int) -> String {
      let digits = String(1000 + abs(thousandths) % 1000).dropFirst()
      return "\(thousandths < 0 ? "-" : "")\(abs(thousandths) / 1000).\(digits)"
    }
    // From the start of a second on, so that no time of day rolls over.
    var time: Int64 = 1_651_399_200_000_000_000
    return (0..<(1 + below(400))).map { _ in
      time += Int64(1 + below(20_000)) * 1_000_000
      return Point(
        time: time, latitude: "46.\(1_000_000 + below(8_999_999))",
        longitude: "13.\(1_000_000 + below(8_999_999))", altitude: text(below(3_000_000) - 100_000),
        speed: text(below(40_000)), course: text(below(360_000)))
    }
  }

  /// Of NMEA the digits are those of minutes: `46.1234567` stands for 46 degrees 12.34567 minutes.
  private static func degrees(_ text: String, _ kind: Kind) -> Double? {
    guard kind == .nmea else { return Double(text) }
    let (whole, minutes) = parts(text)
    return Double(whole).flatMap { degrees in Double(minutes).map { degrees + $0 / 60 } }
  }

  private static func parts(_ text: String) -> (degrees: String, minutes: String) {
    let digits = text.dropFirst(3)
    // The first digit would make minutes beyond 59.
    let first = (Int(String(digits.prefix(1))) ?? 0) % 6
    let rest = digits.dropFirst()
    return (String(text.prefix(2)), "\(first)\(rest.prefix(1)).\(rest.dropFirst(1))")
  }

  /// The content of the text that a trace cannot hold.
  private static func extra(_ kind: Kind) -> String {
    switch kind {
    case .gpx: "hr"
    case .nmea: "PGRME"
    case .gpslogger: "battery"
    case .csv: "hr"
    }
  }

  private static func text(_ kind: Kind, _ points: [Point]) -> String {
    switch kind {
    case .gpx:
      let body = points.map { point in
        "<trkpt lat=\"\(point.latitude)\" lon=\"\(point.longitude)\"><ele>\(point.altitude)</ele>"
          + "<time>\(CivilTime.text(nanoseconds: point.time))</time><speed>\(point.speed)</speed>"
          + "<course>\(point.course)</course><extensions><hr>99</hr></extensions></trkpt>\n"
      }
      return "<gpx version=\"1.0\"><trk><trkseg>\n\(body.joined())</trkseg></trk></gpx>\n"
    case .nmea:
      let lines = points.flatMap { point in
        let iso = Array(CivilTime.text(nanoseconds: point.time).utf8)
        func cut(_ range: Range<Int>) -> String { String(decoding: iso[range], as: UTF8.self) }
        let fraction = String(decoding: iso[19...].dropLast(), as: UTF8.self)
        let clock = cut(11..<13) + cut(14..<16) + cut(17..<19) + fraction
        let date = cut(8..<10) + cut(5..<7) + cut(2..<4)
        let (latitude, longitude) = (parts(point.latitude), parts(point.longitude))
        let place =
          "\(latitude.degrees)\(latitude.minutes),N,0\(longitude.degrees)\(longitude.minutes),E"
        return [
          sentence("GPGGA,\(clock),\(place),1,08,0.9,\(point.altitude),M,46.9,M,,"),
          sentence("GPRMC,\(clock),A,\(place),\(point.speed),\(point.course),\(date),,,A"),
          sentence("PGRME,15.0,M,22.5,M,15.0,M"),
        ]
      }
      return lines.joined(separator: "\r\n") + "\r\n"
    case .gpslogger:
      let rows = points.map { point in
        "\(CivilTime.text(nanoseconds: point.time)),\(point.latitude),\(point.longitude),"
          + "\(point.altitude),4,\(point.course),\(point.speed),7,gps,,,,,,,,88,\n"
      }
      return GPSLoggerReaderTests.headers[1] + "\n" + rows.joined()
    case .csv:
      let rows = points.map { point in
        "\(CivilTime.text(nanoseconds: point.time));\(point.latitude);\(point.longitude);"
          + "\(point.altitude);\(point.speed);\(point.course);99\n"
      }
      return "t;la;lo;al;sp;co;hr\n" + rows.joined()
    }
  }
}
