import Foundation
import HDF5
import Testing
import TraceModel

@testable import TraceFormats

/// Touches and the size of the screen in files that other programs wrote.
@Suite struct NativeTouchTests {
  private let folder: NativeTestFolder

  init() throws { folder = try NativeTestFolder() }

  /// The attributes and columns of a trace with two touches, written column by column.
  private func write(
    screen: [(String, Double)] = [], codes: [Int8] = [7, 3], meanings: String = "ended began",
    hasPointer: Bool = false
  ) throws -> String {
    let path = folder.file("a.h5")
    let file = try HDF5File.create(atomicallyAt: path)
    let root = try file.root()
    let texts = [
      ("schema", "shadowbox-trace/1"), ("id", "t"), ("origin", "recorded"),
      ("recorded_at", TraceHeader.unknownEpoch),
    ]
    for (name, text) in texts { try root.setAttribute(name, text) }
    try root.setAttribute("epoch_known", 0 as Int8)
    try root.setAttribute("end", 9 as Int64)
    for (name, side) in screen { try root.setAttribute(name, side) }
    let group = try root.createGroup("touch")
    let table = TableWriter(group, count: 2)
    let epoch = TraceHeader.unknownEpoch
    let times = try table.makeDimension(NativeSchema.time.asTime(epoch: epoch), of: Int64.self)
    try times.write([1, 2] as [Int64], at: [0], count: [2])
    for name in ["x", "y"] {
      let column = NativeColumn(name, units: "1", longName: name)
      let dataset = try table.makeColumn(column, of: Float.self)
      try dataset.write([1.5, 2] as [Float], at: [0], count: [2])
    }
    let phases = try table.makeColumn(NativeSchema.phase, of: Int8.self)
    try phases.write(codes, at: [0], count: [2])
    try phases.setAttribute("flag_values", [3, 7] as [Int8])
    try phases.setAttribute("flag_meanings", meanings)
    if hasPointer {
      let pointers = try table.makeColumn(NativeSchema.pointer, of: Int32.self)
      try pointers.write([5, 5] as [Int32], at: [0], count: [2])
    }
    try table.finish()
    try root.close()
    try file.commit()
    return path
  }

  /// The words decide, not the numbers; a file without pointers has one finger.
  @Test(arguments: [false, true])
  func itsTouchesAreRead(hasPointer: Bool) throws {
    let trace = try NativeTrace.read(write(hasPointer: hasPointer))
    let touches = try #require(trace[.touch].flatMap { TouchColumns($0) })
    let pointer: Int32 = hasPointer ? 5 : 0
    #expect(
      touches.values == [
        Touch(x: 1.5, y: 1.5, phase: .began, pointer: pointer),
        Touch(x: 2, y: 2, phase: .ended, pointer: pointer),
      ])
    #expect(trace.header.screen == nil)
  }

  @Test func anUnknownPhaseIsRefused() throws {
    let path = try write(meanings: "ended hovered")
    let error = #expect(throws: TraceError.self) { try NativeTrace.read(path) }
    #expect(error?.place == "\(path):/touch/phase")
    #expect(error?.found == "7 ('hovered') in row 0")
  }

  @Test func bothSidesOfTheScreenAreStated() throws {
    let both = [("screen_width", 375.0), ("screen_height", 667.5)]
    let screen = try NativeTrace.readHeader(write(screen: both)).screen
    #expect(screen == ScreenSize(width: 375, height: 667.5))
    let cases: [(screen: [(String, Double)], place: String, found: String)] = [
      ([both[0]], "/@screen_height", "one of them"), ([both[1]], "/@screen_width", "one of them"),
      ([("screen_width", -1), both[1]], "/@screen_width", "-1.0"),
      ([both[0], ("screen_height", .nan)], "/@screen_height", "nan"),
    ]
    for (screen, place, found) in cases {
      let path = try write(screen: screen)
      let error = #expect(throws: TraceError.self) { try NativeTrace.readHeader(path) }
      #expect(error?.place == path + ":" + place)
      #expect(error?.found == found)
    }
  }
}
