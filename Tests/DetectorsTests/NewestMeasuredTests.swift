import Detectors
import Testing
import TraceModel

/// A detection says when the newest reading that made it was measured, whenever that arrived.
@Suite struct NewestMeasuredTests {
  /// (kind, emitted, newest measured), s.
  private func rows<Event: DetectionEvent>(
    _ detections: [Detection<Event>]
  ) -> [(String, Double, Double)] {
    detections.map { ($0.event.kind, $0.emitted.seconds, $0.newestMeasured.seconds) }
  }

  private func same(_ left: [(String, Double, Double)], _ right: [(String, Double, Double)]) -> Bool
  {
    left.elementsEqual(right, by: ==)
  }

  @Test func checkInsThatFixesMake() {
    // A circle of 60 m, fixes that come 5 s late: in at 0, out at 100.
    var parameters = CheckInDetector.Parameters.goHike
    parameters.requiresConfirmation = false
    parameters.reportsExit = true
    parameters.exitHold = 0
    parameters.dwell = 0
    let (_, detections) = CheckInDetectorTests.checkIn(
      parameters, [CheckInDetectorTests.place(1, east: 0)]
    ) {
      $0.fix(0, east: 10, age: 5)
      $0.fix(100, east: 500, age: 5)
    }
    #expect(
      same(
        rows(detections),
        [("prompt", 5, 0), ("visit", 5, 0), ("finished", 5, 0), ("exit", 105, 100)]),
      "\(rows(detections))")
  }

  @Test func checkInsThatActionsMake() {
    let (_, detections) = CheckInDetectorTests.checkIn(
      .goHike, [CheckInDetectorTests.place(1, east: 0)]
    ) {
      $0.fix(0, east: 10, age: 5)
      $0.act(.confirm, 8)
      $0.act(.continue, 9)
    }
    #expect(
      same(
        rows(detections),
        [("prompt", 5, 0), ("confirm", 8, 8), ("visit", 9, 9), ("finished", 9, 9)]
      ),
      "\(rows(detections))")
  }

  @Test func splits() throws {
    let preset = try #require(TrackDetector.preset(named: "raw"))
    var parameters = preset.parameters(for: TraceHeader(id: "t", origin: .synthetic))
    parameters.splits = .kilometers
    var script = LocationScript()
    for step in 0...11 { script.fix(Double(step) * 30, east: Double(step) * 100, age: 7) }
    var detector = TrackDetector(parameters)
    let detections = script.run(&detector)
    // 1,000 m are passed between 300 s and 330 s, or at 300 s, as the plane has it.
    #expect(detections.count == 1)
    let split = try #require(detections.first)
    #expect([300.0, 330].contains(split.newestMeasured.seconds))
    #expect(split.emitted.seconds == split.newestMeasured.seconds + 7)
  }
}
