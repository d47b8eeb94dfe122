import Detectors
import TestSupport
import Testing
import TraceModel

@Suite struct CheckInDetectorTests {
  typealias Parameters = CheckInDetector.Parameters

  static func place(
    _ id: Int32, east: Double, north: Double = 0, rank: Int32 = 0, radius: Double = .nan
  ) -> Place {
    let position = LocationScript.frame.position(of: PlanarVector(east: east, north: north))
    return Place(
      id: id, latitude: position.latitude, longitude: position.longitude, radius: radius,
      rank: rank)
  }

  static func checkIn(
    _ parameters: Parameters, _ places: [Place], _ build: (inout LocationScript) -> Void
  ) -> (detector: CheckInDetector, detections: [Detection<CheckInEvent>]) {
    var script = LocationScript()
    build(&script)
    var detector = CheckInDetector(parameters, places: places)
    let detections = script.run(&detector)
    return (detector, detections)
  }

  /// `prompt 3` and so on.
  static func log(_ detections: [Detection<CheckInEvent>]) -> [String] {
    detections.map { detection in
      detection.event.kind + (detection.event.place.map { " \($0)" } ?? "")
    }
  }

  // MARK: The original's constants

  @Test(arguments: [
    (Parameters.goHike, 59.999, true), (.goHike, 60.001, false),
  ])
  func radii(parameters: Parameters, distance: Double, prompts: Bool) throws {
    // A radius that the place states does not count.
    let (_, detections) = Self.checkIn(parameters, [Self.place(1, east: 0, radius: 500)]) {
      $0.fix(0, east: 0, north: distance)
    }
    #expect(Self.log(detections) == (prompts ? ["prompt 1"] : []))
    if let prompt = detections.first { #expect(abs(prompt.event.value - distance) < 1e-4) }
  }

  @Test func exactlyTheRadiusDoesNotPrompt() {
    let place = Self.place(1, east: 0)
    var script = LocationScript()
    script.fix(0, east: 60)
    let fix = script.columns[0]
    let distance = Geodesy.distance(
      latitude: place.latitude, longitude: place.longitude, toLatitude: fix.latitude,
      longitude: fix.longitude)
    for (radius, count) in [(distance, 0), (distance.nextUp, 1)] {
      var parameters = Parameters.goHike
      parameters.radius = radius
      var detector = CheckInDetector(parameters, places: [place])
      #expect(script.run(&detector).count == count)
    }
  }

  @Test(arguments: [(14.999_999_999, 1), (15.0, 0), (15.000_000_001, 0), (0, 1), (-1, 1)])
  func youngerThanFifteenSeconds(age: Double, count: Int) {
    for parameters in [Parameters.goHike, .fences] {
      var parameters = parameters
      parameters.dwell = 0
      parameters.requiresConfirmation = true
      let (_, detections) = Self.checkIn(parameters, [Self.place(1, east: 0)]) {
        $0.fix(100, east: 0, age: age)
      }
      #expect(detections.count == count)
    }
  }

  /// The original compares the absolute age. The default takes what is from the future, for clocks
  /// that are ahead.
  @Test(arguments: [
    (14.999_999_999, 1, 1), (15.0, 0, 1), (3600, 0, 1), (86_399.9, 0, 1), (86_400, 0, 0),
  ])
  func theLeadOfAFixIsLimited(lead: Double, original: Int, other: Int) {
    for (parameters, count) in [
      (Parameters.goHike, original), (.goHikeSeptember2013, original),
      (.fences, other), (Parameters(), other),
    ] {
      var parameters = parameters
      parameters.dwell = 0
      parameters.requiresConfirmation = true
      let (_, detections) = Self.checkIn(parameters, [Self.place(1, east: 0)]) {
        $0.fix(100_000, east: 0, age: -lead)
      }
      #expect(detections.count == count, "\(parameters.maximumLead)")
    }
    var parameters = Parameters.goHike
    parameters.maximumLead = 0
    let (_, none) = Self.checkIn(parameters, [Self.place(1, east: 0)]) {
      $0.fix(100_000, east: 0, age: -lead)
    }
    #expect(none.isEmpty)
  }

  @Test(arguments: [(39.999, 0), (40.001, 1)])
  func aFixIsDeliveredAfterFortyMeters(step: Double, count: Int) {
    // From 99 m away to inside the circle.
    let (_, detections) = Self.checkIn(.goHikeSeptember2013, [Self.place(1, east: 0)]) {
      $0.fix(0, east: 99)
      $0.fix(30, east: 99 - step)
    }
    #expect(detections.count == count)
    let (_, all) = Self.checkIn(.goHike, [Self.place(1, east: 0)]) {
      $0.fix(0, east: 99)
      $0.fix(30, east: 99 - step)
    }
    #expect(all.count == 1)
  }

  // iOS delivers a fix once the device has moved by at least the distance.
  @Test func exactlyFortyMetersAreDelivered() throws {
    let longitudes = try #require(LocationScript.longitudes(at: 40))
    let rows = [(longitudes.below, 0), (longitudes.exact, 1), (longitudes.above, 1)]
    // 89 m away at longitude 0, 49 m at the second fix.
    let place = Place(id: 1, latitude: 0, longitude: 0.0008, radius: .nan, rank: 0)
    for (longitude, count) in rows {
      let (_, detections) = Self.checkIn(.goHikeSeptember2013, [place]) {
        $0.fix(0, latitude: 0, longitude: 0)
        $0.fix(30, latitude: 0, longitude: longitude)
      }
      #expect(detections.count == count, "\(longitude)")
    }
  }

  @Test func aStaleFixStillMovesTheFilterOn() {
    // The service delivers it, the app then throws it away.
    let (_, detections) = Self.checkIn(.goHikeSeptember2013, [Self.place(1, east: 0)]) {
      $0.fix(0, east: 100)
      $0.fix(1, east: 55, age: 20)
      $0.fix(30, east: 50)
    }
    #expect(detections.isEmpty)
  }

  @Test(arguments: [500.0, -1, .nan, .infinity])
  func theOriginalIgnoresTheAccuracy(accuracy: Double) {
    let (_, detections) = Self.checkIn(.goHike, [Self.place(1, east: 0)]) {
      $0.fix(0, east: 59, accuracy: accuracy)
    }
    #expect(Self.log(detections) == ["prompt 1"])
  }

  // MARK: The original's flow

  static let route = [
    place(30, east: 104, rank: 2), place(10, east: 0, rank: 0), place(20, east: 52, rank: 1),
  ]

  @Test func aVisitIsRecordedOnContinue() throws {
    let (detector, detections) = Self.checkIn(.goHike, Self.route) {
      $0.fix(5, east: 10, age: 2)
      $0.act(.confirm, 9)
      $0.act(.continue, 12)
    }
    #expect(Self.log(detections) == ["prompt 10", "confirm 10", "visit 10"])
    let visit = try #require(detections.last)
    #expect(visit.onset == LocationScript.instant(5))
    #expect(visit.emitted == LocationScript.instant(12))
    #expect(abs(visit.event.value - 10) < 1e-6)
    #expect(detections[0].onset == LocationScript.instant(5))
    #expect(detections[0].emitted == LocationScript.instant(7))
    #expect(detector.visitedPlaces == [10])
    #expect(detector.nextPlace == 20)
    #expect(detector.measurements == [Measurement("visited", 1, unit: "")])
  }

  @Test(arguments: [
    ([Action.continue], ["prompt 10"]),
    ([.arm, .pause, .resume, .disarm], ["prompt 10"]),
    ([.confirm, .confirm], ["prompt 10", "confirm 10"]),
    ([.continue, .confirm], ["prompt 10", "confirm 10"]),
    ([.confirm, .cancel, .continue], ["prompt 10", "confirm 10"]),
    ([.cancel, .confirm, .continue], ["prompt 10"]),
    ([.confirm, .continue, .continue, .cancel], ["prompt 10", "confirm 10", "visit 10"]),
  ])
  func actionsOutOfOrderAreIgnored(actions: [Action], expected: [String]) {
    let (_, detections) = Self.checkIn(.goHike, Self.route) {
      $0.act(.confirm, 0)
      $0.act(.continue, 0)
      $0.fix(1, east: 0)
      for (index, action) in actions.enumerated() { $0.act(action, 2 + Double(index)) }
    }
    #expect(Self.log(detections) == expected)
  }

  @Test(arguments: [[Action.cancel], [.confirm, .cancel]])
  func aCancelArmsAgain(actions: [Action]) {
    let (_, detections) = Self.checkIn(.goHike, Self.route) {
      $0.fix(0, east: -50)
      for action in actions { $0.act(action, 1) }
      $0.fix(10, east: -5)
      $0.act(.confirm, 11)
      $0.act(.continue, 12)
    }
    #expect(
      Self.log(detections).filter { $0 != "confirm 10" } == ["prompt 10", "prompt 10", "visit 10"])
  }

  @Test func theRouteGoesByRankAndFinishesOnce() {
    // Circles overlap: each place prompts at the fix after the one before it was recorded.
    let (detector, detections) = Self.checkIn(.goHike, Self.route) {
      for (index, east) in [104.0, 52, 0, 52, 104, 52, 0].enumerated() {
        let second = 100 * Double(index)
        $0.fix(second, east: east)
        $0.act(.confirm, second + 5)
        $0.act(.continue, second + 6)
      }
    }
    #expect(
      Self.log(detections).filter { !$0.hasPrefix("confirm") } == [
        "prompt 10", "visit 10", "prompt 20", "visit 20", "prompt 30", "visit 30", "finished",
      ])
    // At 52 m the first place is within 60 m, at 104 m it is not.
    #expect(detections[0].onset == LocationScript.instant(100))
    #expect(detector.isFinished)
    #expect(detector.nextPlace == nil)
    #expect(detector.visitedPlaces == [10, 20, 30])
  }

  @Test func whileAPromptIsOpenThereIsNoOther() {
    for parameters in [Parameters.goHike, Parameters()] {
      let (detector, detections) = Self.checkIn(parameters, Self.route) {
        for second in 0..<200 { $0.fix(Double(second), east: Double(second)) }
      }
      #expect(Self.log(detections).filter { $0.hasPrefix("prompt") } == ["prompt 10"])
      #expect(detector.promptedPlace == 10)
      #expect(!detector.isPromptConfirmed)
    }
  }

  @Test func placesWithOneIdAreOne() {
    let places = [
      Self.place(2, east: 0, rank: 3), Self.place(1, east: 0, rank: 0),
      Self.place(1, east: 500, rank: 4), Self.place(3, east: 0, rank: 3),
    ]
    let (detector, detections) = Self.checkIn(.goHike, places) {
      for index in 0..<6 {
        $0.fix(100 * Double(index), east: index % 2 == 0 ? 0 : 41)
        $0.act(.confirm, 100 * Double(index) + 1)
        $0.act(.continue, 100 * Double(index) + 2)
      }
    }
    #expect(
      Self.log(detections).filter { $0.hasPrefix("visit") || $0 == "finished" }
        == ["visit 1", "visit 2", "visit 3", "finished"])
    #expect(detector.visitedPlaces == [1, 2, 3])
  }

  @Test func withoutPlacesNothingIsFinished() {
    let (detector, detections) = Self.checkIn(.fences, []) { $0.fix(0, east: 0) }
    #expect(detections.isEmpty && !detector.isFinished && detector.nextPlace == nil)
  }

  // MARK: The default

  @Test(arguments: [
    (50.0, true), (50.001, false), (-1, false), (.nan, true), (0, true), (.infinity, false),
  ])
  func theDefaultChecksTheAccuracy(accuracy: Double, prompts: Bool) {
    let (_, detections) = Self.checkIn(Parameters(), [Self.place(1, east: 0)]) {
      for second in 0..<10 { $0.fix(Double(second), east: 0, accuracy: accuracy) }
    }
    #expect(Self.log(detections) == (prompts ? ["prompt 1"] : []))
  }

  @Test func noPositionIsRefused() {
    for (latitude, longitude) in [(Double.nan, 0.0), (0, .nan), (91, 0), (0, 181), (.infinity, 0)] {
      for parameters in [Parameters.goHike, Parameters()] {
        let places = [Place(id: 1, latitude: 0, longitude: 0, radius: .nan, rank: 0)]
        let (_, detections) = Self.checkIn(parameters, places) { script in
          for second in 0..<5 {
            script.add(
              Fix(latitude: latitude, longitude: longitude, horizontalAccuracy: 5),
              measured: LocationScript.instant(Double(second)),
              arrived: LocationScript.instant(Double(second)))
          }
        }
        #expect(detections.isEmpty)
      }
    }
  }

  @Test func aSmallPlaceCanBeEnteredWithAPoorFix() {
    // At most 0.43 is reachable: an absolute 0.85 would never prompt.
    let (_, near) = Self.checkIn(.careful, [Self.place(1, east: 0, radius: 15)]) {
      for second in 0..<5 { $0.fix(Double(second), east: 2, accuracy: 20) }
    }
    #expect(Self.log(near) == ["prompt 1"])
    let (_, far) = Self.checkIn(.careful, [Self.place(1, east: 0, radius: 15)]) {
      for second in 0..<5 { $0.fix(Double(second), east: 14, accuracy: 20) }
    }
    #expect(far.isEmpty)
  }

  @Test(arguments: [(1.999, 0), (2.0, 1)])
  func enteringIsHeld(hold: Double, count: Int) throws {
    let (_, detections) = Self.checkIn(.careful, [Self.place(1, east: 0)]) {
      $0.fix(0, east: 200)
      $0.fix(10, east: 0)
      $0.fix(10 + hold, east: 0, age: 1)
    }
    #expect(detections.count == count)
    if let prompt = detections.first {
      #expect(prompt.onset == LocationScript.instant(10))
      #expect(prompt.emitted == LocationScript.instant(10 + hold + 1))
    }
  }

  /// The default asks at the first fix, unless that is a jump or inaccurate for the place: the next
  /// one confirms the jump, and after two seconds an inaccurate one counts too.
  @Test(arguments: [(66.0, 5.0, 10.0), (300, 5, 11), (66, 19, 10), (66, 30, 12)])
  func aDoubtfulFixIsConfirmed(from: Double, accuracy: Double, prompted: Double) {
    let (_, detections) = Self.checkIn(Parameters(), [Self.place(1, east: 0)]) {
      for second in 0..<10 { $0.fix(Double(second), east: from, accuracy: 5) }
      for second in 10..<15 {
        $0.fix(Double(second), east: 52, accuracy: accuracy)
      }
    }
    #expect(detections.first?.emitted == LocationScript.instant(prompted), "\(detections)")
    #expect(detections.first?.onset == LocationScript.instant(10))
  }

  @Test func oneWildFixInsideIsNotAVisit() {
    for parameters in [Parameters(), .careful] {
      let (_, detections) = Self.checkIn(parameters, [Self.place(1, east: 0)]) {
        for second in 0..<30 { $0.fix(Double(second), east: second == 15 ? 0 : 300) }
      }
      #expect(detections.isEmpty)
    }
    let (_, original) = Self.checkIn(.goHike, [Self.place(1, east: 0)]) {
      for second in 0..<30 { $0.fix(Double(second), east: second == 15 ? 0 : 300) }
    }
    #expect(Self.log(original) == ["prompt 1"])
  }

  @Test func exitIsHeldAndReported() throws {
    var parameters = Parameters()
    parameters.requiresConfirmation = false
    let (_, detections) = Self.checkIn(parameters, [Self.place(1, east: 0)]) {
      for second in 0..<20 { $0.fix(Double(second), east: 0) }
      // A wild fix outside, on the edge, back inside, then away.
      $0.fix(20, east: 300)
      for second in 21..<40 { $0.fix(Double(second), east: 60) }
      for second in 40..<50 { $0.fix(Double(second), east: 10) }
      for second in 50..<70 { $0.fix(Double(second), east: 100) }
    }
    #expect(Self.log(detections) == ["prompt 1", "visit 1", "finished", "exit 1"])
    let exit = try #require(detections.last)
    #expect(exit.onset == LocationScript.instant(50))
    #expect(exit.emitted == LocationScript.instant(60))
    #expect(abs(exit.event.value - 100) < 1e-3)
  }

  @Test func theWalkerChoosesTheNearest() {
    // 20 and 30 are both certain; the walker stands nearer to 30.
    let (_, detections) = Self.checkIn(Parameters(), Self.route) {
      for second in 0..<5 { $0.fix(Double(second), east: 90) }
      $0.act(.confirm, 5)
      $0.act(.continue, 6)
      for second in 7..<10 { $0.fix(Double(second), east: 90) }
    }
    #expect(Self.log(detections) == ["prompt 30", "confirm 30", "visit 30", "prompt 20"])
    var ranked = Parameters()
    ranked.order = .firstUnvisited
    let (_, none) = Self.checkIn(ranked, Self.route) {
      for second in 0..<5 { $0.fix(Double(second), east: 90) }
    }
    #expect(none.isEmpty)
  }

  /// By default the next fix prompts again; a pause is for those who want no nagging.
  @Test(arguments: [(0.0, 10.0), (60, 70)]) func aCancelPauses(pause: Double, again: Double) {
    var parameters = Parameters()
    #expect(parameters.cancelPause == 0)
    parameters.cancelPause = pause
    let (_, detections) = Self.checkIn(parameters, [Self.place(1, east: 0)]) {
      for second in 0..<10 { $0.fix(Double(second), east: 0) }
      $0.act(.cancel, 9.5)
      for second in 10..<75 { $0.fix(Double(second), east: 0) }
    }
    #expect(Self.log(detections) == ["prompt 1", "prompt 1"])
    #expect(
      detections.map(\.emitted) == [LocationScript.instant(0), LocationScript.instant(again)])
  }

  @Test func leavingEndsThePauseAfterACancel() {
    var parameters = Parameters()
    parameters.cancelPause = 60
    let (_, detections) = Self.checkIn(parameters, [Self.place(1, east: 0)]) {
      for second in 0..<3 { $0.fix(Double(second), east: 0) }
      $0.act(.cancel, 2.5)
      for second in 3..<15 { $0.fix(Double(second), east: 200) }
      for second in 15..<20 { $0.fix(Double(second), east: 0) }
    }
    #expect(Self.log(detections) == ["prompt 1", "exit 1", "prompt 1"])
    // The way back of 200 m in a second is a jump, and confirmed.
    #expect(detections.last?.emitted == LocationScript.instant(16))
  }

  @Test func aPlaceIsVisitedOnceUnlessItIsAFence() {
    let build: (inout LocationScript) -> Void = {
      for second in 0..<200 { $0.fix(Double(second), east: second / 50 % 2 == 0 ? 0 : 300) }
    }
    var once = Parameters()
    once.requiresConfirmation = false
    let place = Self.place(1, east: 0)
    let (_, detections) = Self.checkIn(once, [place], build)
    #expect(Self.log(detections) == ["prompt 1", "visit 1", "finished", "exit 1"])
    let (_, fence) = Self.checkIn(.fences, [place], build)
    #expect(
      Self.log(fence) == [
        "prompt 1", "visit 1", "finished", "exit 1", "prompt 1", "visit 1", "exit 1",
      ])
  }

  @Test(arguments: [(119.0, 0), (120, 1)])
  func aStopLastsTwoMinutes(last: Double, count: Int) {
    let (_, detections) = Self.checkIn(.stops, [Self.place(1, east: 0)]) {
      for second in stride(from: 0, through: last, by: 1) { $0.fix(second, east: 0) }
      for second in 121..<200 { $0.fix(Double(second), east: 300) }
    }
    #expect(detections.count { $0.event.type == .visit } == count)
  }

  @Test(arguments: [(4.0, true), (5.0, true), (5.1, false)])
  func thePlacePassedBetweenTwoFixes(gap: Double, prompts: Bool) throws {
    var parameters = Parameters()
    parameters.dwell = 0
    let (_, detections) = Self.checkIn(parameters, [Self.place(1, east: 0, radius: 15)]) {
      $0.fix(10, east: -30, north: 3)
      $0.fix(10 + gap, east: 30, north: 3)
    }
    #expect(Self.log(detections) == (prompts ? ["prompt 1"] : []))
    if let prompt = detections.first {
      #expect(prompt.event.isInferred && prompt.event.originalLabel == "inferred")
      #expect(abs(prompt.event.value - 3) < 1e-3)
      #expect(abs(prompt.onset.seconds - (10 + gap / 2)) < 1e-3)
      #expect(prompt.emitted == LocationScript.instant(10 + gap))
    }
  }

  // MARK: Laws

  @Test func presetsAndFields() throws {
    #expect(
      CheckInDetector.presets.map(\.name) == [
        "default", "careful", "goHike", "goHike2013-09", "fences", "stops",
      ])
    for preset in CheckInDetector.presets {
      var parameters = preset.parameters(for: TraceHeader(id: "", origin: .synthetic))
      let copy = parameters
      for field in CheckInDetector.parameterFields {
        try field.set(field.value(in: parameters), in: &parameters)
      }
      #expect(parameters == copy)
    }
    let names = Set(CheckInDetector.parameterFields.map(\.name))
    let stored = Mirror(reflecting: Parameters()).children.compactMap(\.label)
    #expect(names == Set(stored.map(kebabCase)))
  }

  static func parameters(_ preset: String) throws -> Parameters {
    try #require(CheckInDetector.preset(named: preset))
      .parameters(for: TraceHeader(id: "", origin: .synthetic))
  }

  /// Places around the walk of a script.
  static func places(along script: LocationScript) -> [Place] {
    stride(from: 0, to: script.columns.count, by: 60).enumerated().map { rank, position in
      let fix = script.columns[position]
      return Place(
        id: Int32(100 - rank), latitude: fix.latitude, longitude: fix.longitude,
        radius: rank % 2 == 0 ? .nan : 25, rank: Int32(rank))
    }
  }

  @Test(arguments: ["default", "goHike", "fences"], [1, 2, 3] as [UInt64])
  func blocksAndShiftsChangeNothing(preset: String, seed: UInt64) throws {
    let parameters = try Self.parameters(preset)
    let script = LocationScript.walk(seed: seed, actionChance: 0.3)
    let places = Self.places(along: script)
    var whole = CheckInDetector(parameters, places: places)
    let expected = script.run(&whole)
    #expect(expected.contains { $0.event.type == .prompt }, "seed \(seed)")
    for size in [1, 7, 64] {
      var detector = CheckInDetector(parameters, places: places.reversed())
      #expect(script.run(&detector, blockSize: size) == expected, "seed \(seed)")
    }
    var streamed = CheckInDetector(parameters, places: places)
    #expect(script.stream(&streamed) == expected, "seed \(seed)")
    let shift: Int64 = -3_600_123_456_789
    var earlier = CheckInDetector(parameters, places: places)
    #expect(
      script.shifted(byNanoseconds: shift).run(&earlier)
        == expected.map {
          Detection(
            onset: $0.onset.advanced(byNanoseconds: shift),
            emitted: $0.emitted.advanced(byNanoseconds: shift), event: $0.event)
        }, "seed \(seed)")
    for detection in expected {
      #expect(detection.onset <= detection.emitted, "seed \(seed)")
    }
  }

  @Test(arguments: CheckInDetector.presets.map(\.name))
  func emptyInputGivesNoDetections(preset: String) throws {
    let (detector, detections) = Self.checkIn(try Self.parameters(preset), Self.route) { _ in }
    #expect(detections.isEmpty && detector.visitedPlaces.isEmpty && detector.nextPlace == 10)
  }

  @Test(.longer, arguments: CheckInDetector.presets.map(\.name))
  func invalidValuesDoNotTrap(preset: String) throws {
    let seed: UInt64 = 123
    let count = LongTests.count(quick: 5_000, long: 20_000)
    let script = LocationScript.nonsense(seed: seed, count: count)
    let wild = [0, -1, 90, -90, 1e300, Double.nan, .infinity]
    var places = [
      Self.place(0, east: 0), Self.place(1, east: 20, rank: 1, radius: 5),
      Self.place(2, east: 0, rank: .max, radius: .infinity),
    ]
    for (index, value) in wild.enumerated() {
      places.append(
        Place(
          id: Int32(10 + index), latitude: value, longitude: wild[(index + 3) % wild.count],
          radius: wild[(index + 5) % wild.count], rank: Int32(index % 3)))
    }
    let parameters = try Self.parameters(preset)
    var detector = CheckInDetector(parameters, places: places)
    let detections = script.run(&detector, blockSize: 100)
    #expect(!detections.isEmpty, "seed \(seed)")
    #expect(detections.count { $0.event.type == .finished } <= 1, "seed \(seed)")
    if !parameters.revisits {
      let visits = detections.filter { $0.event.type == .visit }.map(\.event.place)
      #expect(Set(visits).count == visits.count, "seed \(seed): a visit recorded twice")
    }
  }
}
