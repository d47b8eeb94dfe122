import Foundation
import TestSupport
import Testing
import TraceFormats
import TraceModel

/// The commands on touches.
@Suite struct TileDragCommandTests {
  @Test func commandsKnowTouches() throws {
    let scratch = try Scratch()
    let made = try Program.run(
      ["synth", "drags", "--duration", "60s", "-o", "a.h5"], in: scratch.url)
    #expect(made.status == 0, "\(made.errors)")
    let replayed = try Program.run(["replay", "a.h5", "--format", "csv"], in: scratch.url)
    #expect(replayed.status == 0, "\(replayed.errors)")
    #expect(replayed.errors.contains("tiledrag/default"))
    #expect(replayed.output.contains(",drop,"))
    let info = try Program.run(["info", "a.h5"], in: scratch.url)
    #expect(info.output.contains("screen: 320 x 568 points"), "\(info.output)")
    #expect(info.output.contains(" cancelled by 2 pointers"), "\(info.output)")
    let checked = try Program.run(["validate", "a.h5"], in: scratch.url)
    #expect(checked.status == 0, "\(checked.output)")
  }

  /// A CSV of touches becomes a trace with its screen, and the same CSV again.
  @Test func aTableOfTouchesIsConverted() throws {
    let scratch = try Scratch()
    var lines = ["t,x,y,phase,pointer", "0,40,426,began,0"]
    for row in 1..<20 { lines.append("\(Double(row) / 50),\(40 + row),\(426 - 4 * row),moved,0") }
    lines.append("0.4,60,353,ended,0")
    try scratch.write(lines.joined(separator: "\n") + "\n", to: "drag.csv")
    let made = try Program.run(
      ["convert", "drag.csv", "--screen", "320x568", "-o", "drag.h5"], in: scratch.url)
    #expect(made.status == 0, "\(made.errors)")
    let trace = try NativeTrace.read(scratch.path("drag.h5"))
    #expect(trace.header.screen == ScreenSize(width: 320, height: 568))
    #expect(trace[.touch]?.count == 21)
    let again = try Program.run(["convert", "drag.h5", "-o", "again.csv"], in: scratch.url)
    #expect(again.status == 0, "\(again.errors)")
    let header = try scratch.text(of: "again.csv").split(separator: "\n").first
    #expect(header == "time_ns,time_s,touch.x,touch.y,phase,pointer")
    let replayed = try Program.run(["replay", "drag.h5", "--format", "csv"], in: scratch.url)
    #expect(replayed.output.contains(",drop,"), "\(replayed.output)\(replayed.errors)")
    for size in ["320", "320x", "9x568", "320x568x2", "wide"] {
      let refused = try Program.run(
        ["convert", "drag.csv", "--screen", size, "-o", "no.h5"], in: scratch.url)
      #expect(refused.status == 64 && refused.errors.contains("--screen"), "\(size)")
    }
  }
}
