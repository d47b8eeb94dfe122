import Detectors
import Testing
import TraceModel

@Suite struct JumpDetectorTests {
  /// The onsets in ms, of readings 10 ms apart.
  private func onsets(_ x: [Float], from start: Int64 = 0, block: Int = 1000) -> [Int64] {
    var detector = JumpDetector(JumpDetector.Parameters(), places: [])
    var detections: [Detection<PlainEvent>] = []
    for first in stride(from: 0, to: x.count, by: block) {
      var columns = VectorColumns()
      for index in first..<min(first + block, x.count) {
        let time = start + Int64(index) * 10_000_000
        columns.append(Acceleration(x: x[index], y: 0, z: 0), measured: time, arrived: time)
      }
      detector.ingest(contentsOf: columns, into: &detections)
    }
    return detections.map { $0.onset.nanoseconds / 1_000_000 }
  }

  @Test(
    arguments: [
      ([], []),
      ([100], []),  // nothing to compare the first reading with
      ([0, 25, 0], []),  // not above the threshold
      ([0, 26, 0], [10]),
      ([0, 5, 10, 40, 0], [30]),  // the second jump is within the rest
      ([0, .nan, 100, 130], [30]),  // what is undefined is no jump
    ] as [([Float], [Int64])])
  func jumpsAreDetected(x: [Float], expected: [Int64]) {
    #expect(onsets(x) == expected)
  }

  private static let noise = (0..<500).map { Float(($0 * 7919) % 61) }

  @Test(arguments: [1, 2, 7, 499])
  func theSizeOfBlocksChangesNothing(block: Int) {
    #expect(!onsets(Self.noise).isEmpty)
    #expect(onsets(Self.noise, block: block) == onsets(Self.noise))
  }

  @Test func aShiftInTimeShiftsTheDetections() {
    let shifted = onsets(Self.noise, from: 7_000_000_000)
    #expect(shifted == onsets(Self.noise).map { $0 + 7000 })
  }
}
