import Detectors
import Testing
import TraceModel

/// The inputs of an app to the detector: earlier visits, and the walker's next place.
@Suite struct CheckInTargetTests {
  private func detector(_ parameters: CheckInDetector.Parameters = .goHike) -> CheckInDetector {
    let places = (0..<3).map {
      CheckInDetectorTests.place(Int32($0) + 1, east: Double($0) * 200, rank: Int32($0))
    }
    return CheckInDetector(parameters, places: places)
  }

  private func visit(_ place: Int32, _ detector: inout CheckInDetector, at second: Double) {
    var script = LocationScript()
    script.fix(second, east: Double(place - 1) * 200)
    script.act(.confirm, second + 1)
    script.act(.continue, second + 2)
    _ = script.run(&detector)
  }

  @Test func chosenPlaceIsNextAndThenTheOrderWraps() {
    var detector = detector()
    #expect(detector.nextPlace == 1)
    let isChosen = detector.choose(2)
    #expect(isChosen && detector.nextPlace == 2)
    for (place, next) in [(Int32(2), Int32(3)), (3, 1)] {
      visit(place, &detector, at: Double(place) * 10)
      #expect(detector.nextPlace == next)
    }
    // What was visited, and what is not there.
    let choices = [detector.choose(2), detector.choose(9)]
    #expect(choices == [false, false] && detector.nextPlace == 1)
    visit(1, &detector, at: 50)
    #expect(detector.nextPlace == nil && detector.isFinished)
  }

  @Test func earlierVisitsPromptNoMore() {
    var detector = detector()
    detector.markVisited([1, 9])
    #expect(detector.visitedPlaces == [1] && detector.nextPlace == 2 && !detector.isFinished)
    var script = LocationScript()
    script.fix(1, east: 0)
    script.fix(2, east: 200)
    let detections = script.run(&detector)
    #expect(CheckInDetectorTests.log(detections) == ["prompt 2"])
    detector.markVisited([2, 3])
    #expect(detector.isFinished)
  }

  @Test func noPlacesAreNeverFinished() {
    var detector = CheckInDetector(.goHike, places: [])
    detector.markVisited([1])
    let isChosen = detector.choose(1)
    #expect(!detector.isFinished && !isChosen && detector.nextPlace == nil)
  }
}
