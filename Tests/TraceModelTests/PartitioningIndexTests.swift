import Testing
import TraceModel

@Suite struct PartitioningIndexTests {
  @Test func agreesWithALinearSearch() {
    for count in 0...9 {
      let values = (0..<count).map { $0 / 2 }
      for limit in -1...5 {
        let expected = values.firstIndex { $0 >= limit } ?? values.endIndex
        #expect(values.partitioningIndex { $0 >= limit } == expected, "\(values) \(limit)")
      }
    }
  }

  @Test func slicesKeepTheirIndices() {
    let values = [9, 9, 1, 2, 3, 9][2..<5]
    #expect(values.partitioningIndex { $0 > 1 } == 3)
    #expect(values.partitioningIndex { $0 > 5 } == 5)
  }
}
