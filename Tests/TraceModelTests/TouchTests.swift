import Foundation
import Testing
import TraceModel

@Suite struct TouchTests {
  @Test func phasesAreKnownByName() {
    for phase in Touch.Phase.allCases { #expect(Touch.Phase(name: phase.name) == phase) }
    #expect(Touch.Phase(name: "Began") == nil && Touch.Phase(name: "") == nil)
    #expect(Touch.Phase.allCases.filter(\.isLast) == [.ended, .cancelled])
  }

  @Test(arguments: [
    (10.0, 10.0, true), (320, 568, true), (100_000, 100_000, true), (9.99, 568, false),
    (320, 100_001, false), (0, 0, false), (-320, 568, false), (.nan, 568, false),
    (320, .infinity, false),
  ])
  func aScreenHasASize(width: Double, height: Double, isValid: Bool) throws {
    #expect((ScreenSize(width: width, height: height) != nil) == isValid)
    guard width.isFinite, height.isFinite else { return }
    let json = Data("{\"width\": \(width), \"height\": \(height)}".utf8)
    let decoded = try? JSONDecoder().decode(ScreenSize.self, from: json)
    #expect(decoded == ScreenSize(width: width, height: height))
  }

  /// At one instant, an armed detector still sees the touch before the release of the button.
  @Test func touchesComeBeforeActions() {
    #expect(Channel.touch < .action && Channel.allCases.last == .action)
    #expect(Channel(name: "touch") == .touch)
  }

  @Test func blocksAreSlicedJoinedAndGathered() throws {
    var columns = TouchColumns()
    for index in 0..<5 {
      columns.append(
        Touch(x: Double(index), y: 0, phase: .moved), measured: Int64(index),
        arrived: Int64(index) + 1)
    }
    let block = ChannelBlock.touch(columns)
    let joined = try #require(ChannelBlock(joining: [block[0..<2], block[2..<5]], of: .touch))
    #expect(joined == block)
    #expect(ChannelBlock(joining: [block, .action(ActionColumns())], of: .touch) == nil)
    let gathered = block.gathering([3, 1])
    #expect(gathered.measuredTimes == [3, 1] && gathered.arrivedTimes == [4, 2])
    #expect(gathered.value(at: 0) == .touch(columns[3]))
    #expect(ChannelBlock(emptyFor: .touch) == .touch(TouchColumns()))
  }
}
