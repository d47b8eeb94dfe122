import Detectors
import Replay
import Testing
import TraceModel

/// Each fix is compared with each place, so both together have a limit.
@Suite struct ManyPlacesTests {
  @Test(arguments: [(1000, false), (1_000_000, true)])
  func placesTimesFixesAreLimited(places: Int, isRefused: Bool) throws {
    var header = TraceHeader(id: "city", origin: .synthetic)
    header.places = (0..<places).map {
      Place(id: Int32($0), latitude: 47, longitude: 8, radius: 20, rank: 0)
    }
    var fixes = FixColumns()
    for second in 0..<200 {
      let time = Int64(second) * 1_000_000_000
      fixes.append(Fix(latitude: 46, longitude: 8), measured: time, arrived: time)
    }
    header.end = .zero.advanced(bySeconds: 200)
    var trace = Trace(header: header)
    trace.set(.fix(fixes), for: .location)
    func run() throws {
      _ = try VirtualRun<CheckInDetector>.run(.init(), on: MemorySource(trace))
    }
    guard isRefused else { return try run() }
    let error = #expect(throws: TraceError.self) { try run() }
    #expect(error?.found == "1000000 places and 200 fixes")
    // A track has no use for places.
    _ = try VirtualRun<TrackDetector>.run(.init(), on: MemorySource(trace))
  }
}
