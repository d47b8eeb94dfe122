import Testing
import TraceModel

@testable import TraceTools

/// Sequences of touches, and what `validate` says about them.
@Suite struct TouchCheckTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// Phases by finger: `0b` began, `m` moved, `e` ended, `c` cancelled.
    var touches: String
    /// Codes with their counts.
    var expected: [String]
    var testDescription: String { name }
  }

  private static func columns(_ text: String) -> TouchColumns {
    var columns = TouchColumns()
    for (index, word) in text.split(separator: " ").enumerated() {
      let phase: Touch.Phase =
        switch word.last {
        case "b": .began
        case "m": .moved
        case "e": .ended
        default: .cancelled
        }
      columns.append(
        Touch(x: 1, y: 2, phase: phase, pointer: Int32(word.dropLast()) ?? -1),
        measured: Int64(index) * 16_000_000, arrived: Int64(index) * 16_000_000)
    }
    return columns
  }

  @Test(arguments: [
    Case(name: "nothing", touches: "", expected: []),
    Case(name: "drags", touches: "0b 0m 0m 0e 0b 0e 7b 7c", expected: []),
    Case(name: "late start", touches: "0m 0e 0b 0e", expected: ["touch-without-began x2"]),
    Case(name: "lost end", touches: "0b 0m 0b 0e", expected: ["touch-began-twice x1"]),
    Case(name: "ended twice", touches: "0b 0e 0c", expected: ["touch-without-began x1"]),
    Case(
      name: "two fingers", touches: "0b 0m 1b 0m 1m 0e 1e", expected: ["touch-pointers x4"]),
    Case(
      name: "mixed pointers", touches: "0b 1m 0e",
      expected: ["touch-without-began x1", "touch-pointers x1"]),
    Case(name: "still down", touches: "0b 0m", expected: ["touch-left-down x1"]),
  ])
  func findings(of each: Case) {
    var header = TraceHeader(id: "a", origin: .recorded)
    header.screen = ScreenSize(width: 320, height: 568)
    let found = TouchCheck.findings(Self.columns(each.touches), header)
    #expect(found.map { "\($0.code) x\($0.count)" } == each.expected)
  }

  @Test(arguments: [
    (0.0, 0.0, false), (319, 567, false), (-320, 1136, false), (-321, 5, true), (641, 5, true),
    (5, -569, true), (5, 1137, true), (.infinity, 5, true), (.nan, 5, false),
  ])
  func coordinatesAreNearTheScreen(x: Double, y: Double, isAbsurd: Bool) {
    let screen = ScreenSize(width: 320, height: 568)
    #expect(TouchCheck.isAbsurd(Touch(x: x, y: y, phase: .moved), on: screen) == isAbsurd)
  }

  @Test func aTraceWithoutAScreenIsReported() throws {
    var trace = Trace(header: TraceHeader(id: "a", origin: .recorded))
    var columns = Self.columns("0b 0m 0e")
    columns.append(Touch(x: 3e5, y: 2, phase: .began), measured: 50_000_000, arrived: 50_000_000)
    columns.append(Touch(x: .nan, y: 2, phase: .ended), measured: 60_000_000, arrived: 60_000_000)
    trace.set(.touch(columns), for: .touch)
    trace.header.end = TraceInstant(nanoseconds: 60_000_000)
    let found = Validation.findings(in: trace).filter { $0.place == "touch" }
    #expect(found.map(\.code) == ["touch-coordinates", "no-screen", "missing-samples"])
    #expect(found.map(\.severity) == [.error, .warning, .warning])
    #expect(
      found[0].message
        == "1 of 5 touches at impossible coordinates; they are points from the top left corner, "
        + "not pixels.")
  }
}
