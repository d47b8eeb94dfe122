import Testing
import TraceModel

@testable import TraceFormats

/// The other content that `export` writes is not read as fixes and places.
@Suite struct GPXTypeTests {
  private static func point(_ name: String, _ latitude: Double, second: Int?) -> String {
    let time = second.map { "<time>2022-05-01T12:00:0\($0)Z</time>" } ?? ""
    return "<\(name) lat=\"\(latitude)\" lon=\"14\">\(time)"
  }

  private static func track(_ type: String, _ seconds: [Int?]) -> String {
    let points = seconds.map { point("trkpt", type.isEmpty ? 46 : 47, second: $0) + "</trkpt>\n" }
    return "<trk><name>n</name>\(type)<trkseg>\n\(points.joined())</trkseg></trk>\n"
  }

  private func read(
    _ content: String, chunk: Int = ByteSource.chunkSize, interval: Duration? = nil
  ) throws(TraceError) -> ImportedTrace {
    var options = GPXOptions()
    options.waypointsAsPlaces = true
    options.assumeInterval = interval
    return try GPXReader.read(
      source("<gpx>\(content)</gpx>", name: "a.gpx", chunk: chunk), options: options)
  }

  private static let truePath = "<type> shadowbox:true path </type>"

  /// Before the fixes or after them; in blocks of any size.
  @Test(arguments: [true, false], [1, 7, 4096])
  func theTruePathIsNotAFix(isFirst: Bool, chunk: Int) throws {
    let parts = [Self.track(Self.truePath, [1, 2, 2, 4]), Self.track("", [3, 5])]
    let imported = try read((isFirst ? parts : parts.reversed()).joined(), chunk: chunk)
    let trace = try imported.trace
    #expect(trace[.location]?.measuredTimes == [0, 2_000_000_000])
    // It may begin before the first fix.
    #expect(
      trace.header.track?.times == [-2_000_000_000, -1_000_000_000, -1_000_000_000, 1_000_000_000])
    #expect(trace.header.track?.latitudes == [47, 47, 47, 47])
    #expect(imported.report.notes == ["True path: 4 points."])
    #expect(imported.report.losses.count == 0)
  }

  @Test(arguments: ["<type>running</type>", "<type>shadowbox:true</type>", "<type/>", ""])
  func anotherTypeIsATrackOfFixes(type: String) throws {
    let imported = try read(Self.track(type, [1, 2]) + Self.track(type, [3]))
    #expect(imported.header.info(.location)?.count == 3 && imported.header.track == nil)
  }

  @Test func aPointOutOfOrderIsLost() throws {
    let imported = try read(Self.track(Self.truePath, [4, 3, nil, 5]) + Self.track("", [3]))
    #expect(imported.header.track?.times == [1_000_000_000, 2_000_000_000])
    #expect(
      imported.report.notes == [
        "True path: 2 points; left out, without a time or out of order: 2."
      ])
  }

  /// Fixes with assumed times have no clock in common with the path.
  @Test func withoutTimesThereIsNoTruePath() throws {
    let text = Self.track(Self.truePath, [1, 2]) + Self.track("", [nil, nil])
    let imported = try read(text, interval: .seconds(1))
    #expect(imported.header.track == nil && imported.header.info(.location)?.count == 2)
    #expect(imported.report.notes.contains { $0.hasPrefix("True path: 0 points; left out") })
  }

  @Test func eventsAreNotPlaces() throws {
    let types = [
      "<type>shadowbox:place</type>", "<type>hut</type>", "", "<type>shadowbox:event split</type>",
      "<type>shadowbox:rejected fix</type>", "<type>shadowbox:true event visit</type>", "",
    ]
    let waypoints = types.enumerated().map { index, type in
      Self.point("wpt", Double(index), second: 1) + type + "</wpt>"
    }
    let imported = try read(waypoints.joined() + Self.track("", [3]))
    #expect(imported.header.places.map(\.latitude) == [0, 1, 2, 6])
    #expect(
      imported.report.notes == ["Waypoints that are events of an export, left out: 3."])
    #expect(GPXType.isEvent(GPXType.event("prompt", isTrue: false)))
    #expect(GPXType.isEvent(GPXType.event("prompt", isTrue: true)))
    #expect(GPXType.isEvent(GPXType.rejectedFix) && !GPXType.isEvent(GPXType.place))
  }

  @Test func theAccuracyOfTheSpeedIsRead() throws {
    let text =
      "<trk><trkseg>" + Self.point("trkpt", 46, second: 1)
      + "<extensions><x:speedAccuracy>0.25</x:speedAccuracy></extensions></trkpt></trkseg></trk>"
    let imported = try read(text)
    guard case .fix(let fixes)? = try imported.trace[.location] else {
      Issue.record("no fixes")
      return
    }
    #expect(fixes.values.map(\.speedAccuracy) == [0.25])
    #expect(imported.report.unmappedColumns.isEmpty)
    let lost = try read(text.replacing("0.25", with: "fast")).report.losses
    #expect(lost.count == 1)
    #expect(lost.first.first?.description.contains("an accuracy of the speed") == true)
  }
}
