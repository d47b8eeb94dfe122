@testable import Reports
@testable import Evaluation
import Testing
import TraceModel

@Suite struct DotCanvasTests {
  @Test func dotsAreThoseOfUnicode() {
    // The Unicode Standard, section 21.1: U+2801 is dot 1, upper left; U+2880 dot 8, lower right.
    for (x, y, scalar) in [(0, 3, "⠁"), (0, 0, "⡀"), (1, 3, "⠈"), (1, 0, "⢀"), (1, 1, "⠠")] {
      var canvas = DotCanvas(columns: 1, rows: 1)
      canvas.set(x, y)
      #expect(canvas.lines(.braille) == [scalar])
      #expect(canvas.lines(.ascii) == ["."])
    }
  }

  @Test func linesHaveBothEndsAndStayInside() {
    var canvas = DotCanvas(columns: 2, rows: 2)
    canvas.line((0, 0), (3, 7))
    canvas.line((-5, 3), (100, 3))
    canvas.set(-1, 0)
    canvas.set(0, 8)
    #expect(canvas.lines(.braille) == [" ⡜", "⡝⠉"])
  }

  @Test func emptyLinesAreEmpty() {
    let canvas = DotCanvas(columns: 3, rows: 2)
    #expect(canvas.lines(.braille) == ["", ""])
    #expect(canvas.lines(.ascii) == ["", ""])
  }

  @Test(
    arguments: [
      (["LANG": "en_US.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false),
      ([:], false),
      (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], false), (["LC_CTYPE": "UTF-8", "LANG": "C"], true),
      (["LC_ALL": "", "LANG": "en_US.UTF-8"], true), (["LANG": "de_DE.ISO-8859-1"], false),
    ] as [([String: String], Bool)])
  func styleFollowsTheLocale(environment: [String: String], isUnicode: Bool) {
    #expect((DotCanvas.Style.fitting(environment) == .braille) == isUnicode)
  }

  @Test func aGapInARecordingIsAGapInItsCurve() throws {
    var columns = VectorColumns()
    for index in 0..<1000 where index < 300 || index >= 700 {
      let time = Int64(index) * 10_000_000
      columns.append(
        Vector3(x: index == 100 ? 30 : 1, y: 0, z: 0), measured: time, arrived: time)
    }
    var trace = Trace(header: TraceHeader(id: "t", origin: .recorded))
    trace.set(.vector(columns), for: .acceleration)
    let lines = TracePlot(width: 44, style: .ascii).text(of: trace).split(separator: "\n")
    #expect(lines.first == "  |acceleration|, 0 to 30.0 m/s2, over 10.0 s")
    let lowest = try #require(lines.last)
    // Forty cells for ten seconds: from 3 s to 7 s there is nothing.
    #expect(lowest.dropFirst(4 + 12).prefix(16).allSatisfy { $0 == " " })
    #expect(lowest.dropFirst(4 + 28).allSatisfy { $0 != " " })
    // The peak of a single reading is seen.
    #expect(lines.count == 1 + TracePlot.rowsOfCurve)
    #expect(lines[1].contains { $0 != " " })
  }

  @Test func aTrackHasItsTrueProportions() {
    var columns = FixColumns()
    // 2 km east, 1 km north: half as wide as high in degrees at this latitude.
    for (index, corner) in [(0.0, 0.0), (0.0, 2.0), (1.0, 2.0), (1.0, 0.0)].enumerated() {
      let fix = Fix(latitude: 60 + corner.0 / 111.42, longitude: 10 + corner.1 / 55.8)
      columns.append(fix, measured: Int64(index), arrived: Int64(index))
    }
    var trace = Trace(header: TraceHeader(id: "t", origin: .recorded))
    trace.set(.fix(columns), for: .location)
    let lines = TracePlot(width: 100, style: .braille).text(of: trace).split(separator: "\n")
    #expect(lines.first == "  track, 2.00 km by 1.00 km, north is up")
    // Dots are square: 48 high, so 95 wide, which are 48 cells.
    #expect(lines.count == 1 + TracePlot.rowsOfTrack)
    #expect(lines.dropFirst().map { $0.count - 4 }.max() == 48)
  }
}
