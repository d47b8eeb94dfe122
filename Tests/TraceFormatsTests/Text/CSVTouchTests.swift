import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

@Suite struct CSVTouchTests {
  private func touches(_ imported: ImportedTrace) throws -> [Touch] {
    try #require(imported.trace[.touch].flatMap { TouchColumns($0) }).values
  }

  @Test func readsTouchesInAnyoneWords() throws {
    let text = """
      ms,px,py,what,finger
      16,10.5,20,Began,3
      32,11,21,move,3
      33,11,21,stationary,3
      48,12,22,touchend,3
      50,1,1,DOWN,4
      60,1,1,canceled,4

      """
    let imported = try csv(
      text, "time=ms[ms],touch.x=px,touch.y=py,phase=what,pointer=finger")[0]
    #expect(
      try touches(imported) == [
        Touch(x: 10.5, y: 20, phase: .began, pointer: 3),
        Touch(x: 11, y: 21, phase: .moved, pointer: 3),
        Touch(x: 11, y: 21, phase: .moved, pointer: 3),
        Touch(x: 12, y: 22, phase: .ended, pointer: 3),
        Touch(x: 1, y: 1, phase: .began, pointer: 4),
        Touch(x: 1, y: 1, phase: .cancelled, pointer: 4),
      ])
    #expect(try imported.trace[.touch]?.measuredTimes.last == 44_000_000)
    #expect(imported.report.losses.count == 0)
  }

  /// Damaged rows are left out and counted; an empty pointer is the first finger.
  @Test func damagedTouchesAreCounted() throws {
    let text =
      "t,x,y,p,f\n0,1,2,began,\n1,1,2,0,\n2,1,2,,\n3,,2,moved,\n4,1,2,moved,1.5\n"
      + "5,1,2,moved,3e9\n6,1,2,ended,0\n"
    let imported = try csv(text, "time=t,touch.x=x,touch.y=y,phase=p,pointer=f")[0]
    #expect(
      try touches(imported) == [
        Touch(x: 1, y: 2, phase: .began), Touch(x: 1, y: 2, phase: .ended),
      ])
    #expect(imported.report.losses.count == 5)
    let first = try #require(imported.report.losses.first.first)
    #expect(first.expected == "began, moved, ended or cancelled in column \"p\"")
    let missing = try csv(text, "time=t,touch.x=x,touch.y=y,phase=p") { $0.nanIsMissing = true }[0]
    // The empty phase and the empty x are missing, the phase 0 is damaged.
    #expect(missing.report.missing == 2 && missing.report.losses.count == 1)
  }

  @Test(arguments: [
    ("time=t,touch.x=x,touch.y=y", "touch.x, touch.y and phase"),
    ("time=t,touch.x=x,phase=p", "touch.x, touch.y and phase"),
    ("time=t,touch.x=x[m],touch.y=y,phase=p", "a unit of points: pt"),
  ])
  func aMappingNeedsPositionAndPhase(mapping: String, expected: String) throws {
    let error = #expect(throws: TraceError.self) { try csv("t,x,y,p\n0,1,2,began\n", mapping) }
    #expect(error?.expected == expected)
  }

  /// A column of phases decides that x and y are points of the screen.
  @Test func columnsOfTouchesAreRecognised() throws {
    var lines = ["t,x,y,phase,pointer", "0,10,20,began,0"]
    for row in 1..<20 { lines.append("\(Double(row) / 60),\(10 + row),20,moved,0") }
    lines.append("0.35,30,20,ended,0")
    let sample = try TableSample(
      head: Array((lines.joined(separator: "\n") + "\n").utf8), isWhole: true, separator: nil,
      name: "drag.csv")
    let inferred = try CSVMappingGuess(sample, options: CSVOptions(mapping: nil))
      .mapping(place: "drag.csv")
    #expect(
      inferred.mapping.description
        == "time=t[s],touch.x=x,touch.y=y,phase=phase,pointer=pointer")
    #expect(inferred.gravity == nil && inferred.leftOut.isEmpty)
  }

  /// Words of another vocabulary do not make touches of positions.
  @Test func otherWordsAreNoPhases() throws {
    let rows = (0..<20).map { ["\(Double($0) / 10)", "\($0)", "5", $0 < 9 ? "stance" : "swing"] }
    let sample = TableSample(header: ["t", "x (m)", "y (m)", "phase"], rows: rows)
    let inferred = try CSVMappingGuess(sample, options: CSVOptions(mapping: nil))
      .mapping(place: "walk.csv")
    #expect(inferred.mapping.description.contains("local.x="))
    #expect(!inferred.mapping.description.contains("touch"))
  }
}
