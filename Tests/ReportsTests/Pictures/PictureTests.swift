@testable import Reports
@testable import Evaluation
import Diagnostics
import Foundation
import TestSupport
import Testing

/// Pictures as matplotlib draws them: only with `SHADOWBOX_PYTHON`, as `make test` sets it. Each takes
/// two seconds: the quick run draws the fullest and the emptiest.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["SHADOWBOX_PYTHON"] != nil))
struct PictureTests {
  /// To find an interpreter with matplotlib takes as long as half a picture.
  private static let drawer = Result { try PictureDrawer() }

  @Test(
    .longer,
    arguments: ["several", "empty", "one", "bare"].prefix(LongTests.count(quick: 1, long: 4)))
  func drawsSweeps(name: String) throws {
    let picture =
      switch name {
      case "one": Samples.curve
      case "several": Samples.severalCurves
      case "bare": Samples.bareCurve
      default: Samples.emptyCurve
      }
    try expectPicture(picture, widths: 1500...2200, heights: 1200...1900)
  }

  /// One person has no folds; of 40 the last are drawn as one.
  @Test(.longer, arguments: [6, 1, 40].prefix(LongTests.count(quick: 1, long: 3)))
  func drawsTunings(people: Int) async throws {
    let picture = try await Samples.tuning(people: people)
    try expectPicture(picture, widths: 1500...2200, heights: 1300...2800)
  }

  @Test(
    .longer, .longRun,
    arguments: [("svg", "<?xml"), ("pdf", "%PDF-")])
  func drawsVectors(ending: String, beginning: String) throws {
    let scratch = try Scratch()
    try Self.drawer.get().draw(Samples.curve, to: scratch.path("p.\(ending)"))
    #expect(try scratch.bytes(of: "p.\(ending)").starts(with: Data(beginning.utf8)))
  }

  /// Equal figures give equal bytes, of the format that the name states.
  @Test(.longer) func isDeterministic() throws {
    let scratch = try Scratch()
    for ending in LongTests.areWanted ? ["png", "svg"] : ["svg"] {
      for name in ["a", "b"] {
        try Self.drawer.get().draw(Samples.severalCurves, to: scratch.path("\(name).\(ending)"))
      }
      #expect(try scratch.bytes(of: "a.\(ending)") == scratch.bytes(of: "b.\(ending)"))
    }
    #expect(try scratch.bytes(of: "a.svg").starts(with: Data("<?xml".utf8)))
  }

  private func expectPicture(
    _ picture: Picture, widths: ClosedRange<Int>, heights: ClosedRange<Int>
  ) throws {
    let scratch = try Scratch()
    try Self.drawer.get().draw(picture, to: scratch.path("p.png"))
    let bytes = [UInt8](try scratch.bytes(of: "p.png"))
    // PNG specification, sections 5.2 and 11.2.2: the signature, then width and height.
    try #require(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    func number(at start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(widths.contains(number(at: 16)))
    #expect(heights.contains(number(at: 20)))
    // Empty panels alone would take less.
    #expect(bytes.count > 30_000)
    if let folder = ProcessInfo.processInfo.environment["SHADOWBOX_KEEP_PICTURES"] {
      try Data(bytes).write(to: URL(filePath: folder).appending(path: "\(UUID()).png"))
    }
  }
}
