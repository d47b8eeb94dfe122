import Testing
import TraceModel

@Suite struct SortingTests {
  @Test func readingsComeInTheOrderOfTheirArrivalAndStayTogether() {
    var columns = VectorColumns()
    for (measured, arrived, x) in [(0, 5, 1), (9, 9, 2), (3, 4, 3), (4, 5, 4)]
      as [(Int64, Int64, Float)]
    {
      columns.append(Vector3(x: x, y: 0, z: 0), measured: measured, arrived: arrived)
    }
    var trace = Trace(header: TraceHeader(id: "t", origin: .recorded))
    trace.set(.vector(columns), for: .acceleration, attributes: ["a": "b"])
    trace.sortByArrival()
    let sorted = trace[.acceleration].flatMap { VectorColumns($0) }
    #expect(sorted?.x == [3, 1, 4, 2])
    #expect(sorted?.measuredTimes == [3, 0, 4, 9])
    #expect(sorted?.arrivedTimes == [4, 5, 5, 9])
    #expect(trace.header.info(.acceleration)?.attributes == ["a": "b"])
  }
}
