import Testing
import TraceModel

@testable import Scoring

/// Which detections of two runs are the same. FlipTests compares the whole list with a search through all.
@Suite struct DetectionPairsTests {
  private func detection(_ onset: Double, place: Int32? = nil) -> DetectionRecord {
    let time = TraceInstant(nanoseconds: Int64(onset * 1e9))
    return DetectionRecord(onset: time, emitted: time, kind: "visit", place: place)
  }

  private func pairs(
    _ base: [Double], _ head: [Double], within tolerance: EventTolerance?
  )
    -> DetectionPairs
  {
    DetectionPairs(
      from: base.map { detection($0) }, to: head.map { detection($0) }, within: tolerance)
  }

  @Test func aMoveWithinTheToleranceIsTheSameDetection() {
    let pairs = pairs([1, 5, 9], [1.25, 5.5, 9], within: EventTolerance(either: .seconds(0.25)))
    #expect(pairs.equal.map { [$0.base, $0.head] } == [[2, 2]])
    #expect(pairs.moved.map { [$0.base, $0.head] } == [[0, 0]])
    #expect(pairs.lost == [1] && pairs.gained == [1])
  }

  @Test func equalOnesComeFirst() {
    let pairs = pairs([0, 0.5], [0.5], within: EventTolerance(either: .seconds(1)))
    #expect(pairs.equal.map { [$0.base, $0.head] } == [[1, 0]])
    #expect(pairs.moved.isEmpty && pairs.lost == [0] && pairs.gained.isEmpty)
  }

  @Test func withoutAToleranceItIsASecond() {
    let pairs = pairs([0, 10], [1, 11.5], within: nil)
    #expect(pairs.moved.map { [$0.base, $0.head] } == [[0, 0]])
    #expect(pairs.lost == [1] && pairs.gained == [1])
  }

  @Test func detectionsOfTwoPlacesAreTwo() {
    let pairs = DetectionPairs(
      from: [detection(0, place: 3)], to: [detection(0.1, place: 4)], within: nil)
    #expect(pairs.lost == [0] && pairs.gained == [0])
  }
}
