import AppIO
import AppEngines
@testable import WorkoutApp
import Foundation
import Testing
import TraceFormats
import TraceModel

@Suite struct WorkoutExportTests {
  private func record(name: String = "Ann & <Bea>\u{1}") -> Workout.Record {
    func location(
      _ latitude: Double, _ longitude: Double, _ seconds: Int64, _ altitude: Double?
    )
      -> Workout.Location
    {
      Workout.Location(
        coordinate: Coordinate(latitude: latitude, longitude: longitude),
        altitude: altitude, time: WallTime(nanoseconds: seconds * 1_000_000_000 + 250_000_000))
    }
    let id = Workout.ActivityID(
      creator: Workout.UserID(rawValue: "ann"), installation: 7, number: 3)
    return Workout.Record(
      summary: Workout.Summary(
        id: id, creatorName: name, sport: .run, start: WallTime(seconds: 1_700_000_000),
        duration: 3, movingTime: 3, distance: 10),
      segments: [
        [
          location(46.5, 14.25, 1_700_000_000, 430.126),
          location(46.500_012_34, 14.249_999_96, 1_700_000_001, nil),
        ],
        [
          location(-0.000_000_3, -179.999_999_9, 1_700_000_100, -3.5),
          location(89.9, 1e-9, 1_700_000_101, 1e300),
        ],
      ])
  }

  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func written(_ record: Workout.Record) throws -> String {
    let path = folder.path("workout.gpx")
    try ActivityExport.writeGPX(record, to: path)
    return path
  }

  @Test func gpxIsReadBack() throws {
    let path = try written(record())
    let imported = try GPXReader.read(path)
    #expect(imported.report.recordsRead == 4)
    #expect(imported.report.notes.contains { $0.contains("segment") || $0.contains("Segment") })
    let trace = try imported.trace
    guard case .fix(let columns) = trace[.location] else {
      Issue.record("expected locations")
      return
    }
    let fixes = columns.range.map { columns[$0] }
    #expect(fixes.map(\.latitude) == [46.5, 46.500_012_3, -0.000_000_3, 89.9])
    #expect(fixes.map(\.longitude) == [14.25, 14.25, -179.999_999_9, 0])
    #expect(fixes[0].altitude == 430.13 && fixes[1].altitude.isNaN)
    #expect(fixes[2].altitude == -3.5 && fixes[3].altitude.isNaN)
    let seconds = columns.range.map { columns.measured(at: $0).seconds }
    #expect(seconds == [0, 1, 100, 101])
    #expect(trace.header.epoch == "2023-11-14T22:13:20.250Z")
  }

  /// The whole file: what gpxpy 1.6.2 reads as two segments of two points without complaint.
  @Test func gpxIsTheSchemas() throws {
    let text = try String(contentsOfFile: try written(record()), encoding: .utf8)
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines[0] == #"<?xml version="1.0" encoding="UTF-8"?>"#)
    #expect(lines[1].contains(#"version="1.1""#) && lines[1].contains("topografix.com/GPX/1/1"))
    #expect(lines[3] == "<author><name>Ann &amp; &lt;Bea&gt;</name></author>")
    #expect(lines.filter { $0 == "<trkseg>" }.count == 2)
    #expect(
      lines.contains(
        #"<trkpt lat="46.5000000" lon="14.2500000"><ele>430.13</ele>"#
          + "<time>2023-11-14T22:13:20.250Z</time></trkpt>"))
    #expect(!text.contains("e-") && !text.contains("e+"))
  }

  @Test func activityWithoutATrackIsRefused() throws {
    var swim = record()
    swim.segments = []
    let error = try #require(throws: TraceError.self) {
      try ActivityExport.writeGPX(swim, to: "/nowhere/swim.gpx")
    }
    #expect(error.found == "no location")
    #expect(throws: TraceError.self) {
      try ActivityExport.writeGPX(record(), to: "/nowhere/run.gpx")
    }
  }
}
