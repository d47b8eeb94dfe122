import Detectors
import Testing
import TraceModel

@Suite struct TrackDetectorTests {
  static func track(
    _ parameters: TrackDetector.Parameters, _ build: (inout LocationScript) -> Void
  ) -> (detector: TrackDetector, detections: [Detection<TrackEvent>]) {
    var script = LocationScript()
    build(&script)
    var detector = TrackDetector(parameters)
    let detections = script.run(&detector)
    return (detector, detections)
  }

  // MARK: The original's constants

  @Test(arguments: [(4.999, 1, 0.0), (5.001, 2, 5.001)])
  func triDeliversAfterFiveMeters(east: Double, accepted: Int, distance: Double) {
    let (detector, _) = Self.track(.tri) {
      $0.fix(0, east: 0)
      $0.fix(1, east: east)
    }
    #expect(detector.acceptedCount == accepted)
    #expect(abs(detector.distance - distance) < 1e-6)
    #expect(detector.refusedCount == 0)
  }

  // iOS delivers a fix once the device has moved by at least the distance.
  @Test func exactlyFiveMetersAreDelivered() throws {
    let longitudes = try #require(LocationScript.longitudes(at: 5))
    let rows = [(longitudes.below, 1), (longitudes.exact, 2), (longitudes.above, 2)]
    for (longitude, accepted) in rows {
      let (detector, _) = Self.track(.tri) {
        $0.fix(0, latitude: 0, longitude: 0)
        $0.fix(1, latitude: 0, longitude: longitude)
      }
      #expect(detector.acceptedCount == accepted, "\(longitude)")
    }
  }

  @Test func triFiltersFromTheLastDeliveredFix() {
    // 3 + 3 m is delivered; a delivered fix that is refused still moves the filter on.
    let (detector, _) = Self.track(.tri) {
      for (second, east) in [0.0, 3, 6, 9].enumerated() { $0.fix(Double(second), east: east) }
      $0.fix(4, east: 12, accuracy: 30)
      $0.fix(5, east: 16)
      $0.fix(6, east: 18)
    }
    #expect(detector.acceptedCount == 3)
    #expect(detector.refusedCount == 1)
    #expect(abs(detector.distance - 18) < 1e-3)
  }

  @Test(arguments: [
    // accuracy, Tri, default, raw
    (19.999, true, true, true), (20.0, false, true, true), (-1.0, true, false, true),
    (Double.nan, true, true, true), (.infinity, false, false, true), (0, true, true, true),
    (50, false, true, true), (50.001, false, false, true), (-.infinity, true, false, true),
  ])
  func accuracyRules(accuracy: Double, tri: Bool, standard: Bool, raw: Bool) {
    let presets: [(TrackDetector.Parameters, Bool)] = [
      (.tri, tri), (TrackDetector.Parameters(), standard), (.raw, raw),
    ]
    for (parameters, isAccepted) in presets {
      let (detector, _) = Self.track(parameters) { $0.fix(0, east: 0, accuracy: accuracy) }
      #expect(detector.acceptedCount == (isAccepted ? 1 : 0))
      #expect(detector.refusedCount == (isAccepted ? 0 : 1))
    }
  }

  /// 100 m in 50 s, a pause in which 300 m are moved, 100 m in 50 s.
  static func pausedRun(_ script: inout LocationScript) {
    for second in 0...50 { script.fix(Double(second), east: 2 * Double(second), speed: 2) }
    script.act(.pause, 50.5)
    for second in 51...109 {
      script.fix(Double(second), east: 100 + 5 * Double(second - 50), speed: 5)
    }
    script.act(.resume, 109.5)
    for second in 110...160 {
      script.fix(Double(second), east: 400 + 2 * Double(second - 110), speed: 2)
    }
  }

  @Test func triCountsMovementInAPause() {
    let (detector, _) = Self.track(.tri, Self.pausedRun)
    #expect(abs(detector.distance - 500) < 5)
  }

  @Test func theDefaultDoesNot() {
    let (detector, _) = Self.track(TrackDetector.Parameters(), Self.pausedRun)
    #expect(abs(detector.distance - 200) < 1)
    #expect(detector.duration == 100)
    #expect(detector.movingTime == 100)
    #expect(detector.elapsed == 160)
    let (raw, _) = Self.track(.raw, Self.pausedRun)
    #expect(abs(raw.distance - 200) < 0.1)
  }

  @Test func aFixFromBeforeThePauseThatArrivesInItCounts() {
    let (detector, _) = Self.track(.raw) {
      $0.fix(0, east: 0)
      $0.act(.pause, 10.5)
      $0.fix(10, east: 20, age: 1)
      $0.fix(11, east: 30)
      $0.act(.resume, 15)
      $0.fix(14, east: 40, age: 2)
      $0.fix(17, east: 50)
      $0.fix(18, east: 53)
    }
    #expect(abs(detector.distance - 23) < 1e-3)
    #expect(detector.acceptedCount == 4)
  }

  @Test func aPauseWithinAnUnseenStretchStillCutsTheTrack() {
    // Paused, resumed and paused again before the stretch's only fix arrives.
    let (detector, _) = Self.track(.raw) {
      $0.fix(0, east: 0)
      $0.act(.pause, 1)
      $0.act(.resume, 2)
      $0.act(.pause, 4)
      $0.fix(3, east: 100, age: 2)
      $0.act(.resume, 6)
      $0.fix(7, east: 200)
    }
    #expect(detector.distance == 0)
    #expect(detector.acceptedCount == 3)
  }

  @Test func triCountsTheTicksOfItsTimer() {
    let (detector, _) = Self.track(.tri) {
      $0.fix(100, east: 0)
      $0.fix(105, east: 10)
      $0.act(.pause, 109.7)
      $0.act(.pause, 112)
      $0.act(.resume, 200)
      $0.act(.resume, 202)
      $0.fix(203.9, east: 20)
    }
    // 9.7 s and 3.9 s.
    #expect(detector.duration == 12)
    #expect(detector.movingTime == 12)
    #expect(abs(detector.elapsed - 103.9) < 1e-9)
  }

  /// Ten miles at 7.6 minutes each, straight east, a fix every 4 s: so long that the metre or two
  /// by which the estimator begins do not show in the pace.
  static func tenMiles(_ script: inout LocationScript) {
    let speed = 1609.344 / 456
    for index in 0...1140 {
      script.fix(4 * Double(index), east: 4 * speed * Double(index), speed: speed)
    }
  }

  @Test(arguments: [
    // 7:36; Tri rounds the minutes to 8:36.
    ("default", Pace.Rule.exact, 456.0), ("tri", .tri, 516), ("raw", .exact, 456),
  ])
  func pace(preset: String, rule: Pace.Rule, seconds: Double) throws {
    let parameters = try #require(TrackDetector.preset(named: preset))
      .parameters(for: TraceHeader(id: "", origin: .synthetic))
    #expect(parameters.paceRule == rule)
    let (detector, _) = Self.track(parameters, Self.tenMiles)
    let pace = try #require(detector.measurements.first { $0.name == "pace" })
    #expect(pace == Measurement("pace", seconds, unit: "s/mi"))
  }

  @Test func thePaceIsThatOfTheMovingTime() {
    let (detector, _) = Self.track(TrackDetector.Parameters()) {
      Self.tenMiles(&$0)
      for index in 1...300 { $0.fix(4560 + 4 * Double(index), east: 16_093.44, speed: 0) }
    }
    #expect(detector.duration == 5760)
    // The step of 4 s in which one stops counts as moving.
    #expect(detector.movingTime == 4564)
    #expect(detector.pace?.description == "7:36")
  }

  @Test(arguments: TrackDetector.presets.map(\.name))
  func zeroDistanceHasNoPace(preset: String) throws {
    let parameters = try #require(TrackDetector.preset(named: preset))
      .parameters(for: TraceHeader(id: "", origin: .synthetic))
    let (detector, _) = Self.track(parameters) {
      for second in 0...60 { $0.fix(Double(second), east: 0, speed: 0) }
    }
    #expect(detector.pace == nil)
    #expect(!detector.measurements.contains { $0.name == "pace" })
  }

  // MARK: The default's rules

  @Test func theDefaultRefusesInvalidFixes() {
    let (detector, _) = Self.track(TrackDetector.Parameters()) {
      $0.fix(0, east: 0)
      for (latitude, longitude) in [
        (Double.nan, 14.25), (46.5, .nan), (90.1, 14.25), (46.5, 180.1), (.infinity, 0),
      ] {
        $0.add(
          Fix(latitude: latitude, longitude: longitude, horizontalAccuracy: 5),
          measured: LocationScript.instant(1), arrived: LocationScript.instant(1))
      }
      $0.fix(2, east: 3)
      $0.fix(2, east: 50)
      $0.fix(1, east: 50)
    }
    #expect(detector.acceptedCount == 2)
    #expect(detector.refusedCount == 7)
  }

  // The motion filter requires increasing times, independent of the parameter.
  @Test func theFusedEstimatorNeverRunsBackward() {
    var parameters = TrackDetector.Parameters()
    parameters.refusesBackwardTimes = false
    let (detector, _) = Self.track(parameters) {
      for second in 0...60 {
        $0.fix(Double(second), east: 2 * Double(second), speed: 2)
        if second == 20 { $0.fix(20, east: 41, speed: 2) }
        if second == 40 { $0.fix(39.5, east: 79, speed: 2) }
      }
    }
    #expect(detector.refusedCount == 2)
    #expect(abs(detector.distance - 120) < 1)
    #expect(detector.movingTime == 60)
  }

  @Test(arguments: [1e9, 1e155, 1e300, .greatestFiniteMagnitude])
  func anAccuracyBeyondTheEarth(accuracy: Double) {
    var parameters = TrackDetector.Parameters()
    parameters.accuracyRule = .any
    let (detector, _) = Self.track(parameters) {
      for second in 0...60 {
        $0.fix(
          Double(second), east: 2 * Double(second),
          accuracy: (30...31).contains(second) ? accuracy : 5, speed: 2)
      }
    }
    #expect(abs(detector.distance - 120) < 1)
  }

  @Test func aTimeFromTheFutureSilencesNineFixes() {
    let (detector, _) = Self.track(TrackDetector.Parameters()) {
      $0.fix(1e6, east: 0, speed: 2)
      for second in 0...29 { $0.fix(Double(second), east: 2 * Double(second), speed: 2) }
    }
    #expect(detector.refusedCount == 9)
    #expect(detector.acceptedCount == 22)
    #expect(abs(detector.distance - 40) < 1)
    #expect(detector.duration == 20)
  }

  @Test func aGapCountsAsDistanceButNotAsMoving() {
    let (detector, _) = Self.track(TrackDetector.Parameters()) {
      for second in 0...20 { $0.fix(Double(second), east: 3 * Double(second), speed: 3) }
      for second in 50...70 { $0.fix(Double(second), east: 3 * Double(second), speed: 3) }
    }
    #expect(abs(detector.distance - 210) < 1)
    #expect(detector.movingTime == 40)
    #expect(detector.duration == 70)
  }

  /// A tunnel: the stated speeds at both ends say that the person moves in it. Along a bend the
  /// chord is too short, and with inaccurate fixes the speeds correct it. Without a speed, standing at an end, or after more than a
  /// minute the gap is one.
  @Test(arguments: [
    (30.0, 3.0, 3.0, true), (60, 3, 3, true), (60.5, 3, 3, false), (30, 0.1, 3, false),
    (30, 3, 0.1, false), (30, -1, 3, false), (30, 3, -1, false),
  ])
  func movementAtBothEndsOfAGapIsMovementInIt(
    gap: Double, before: Double, after: Double, moves: Bool
  ) {
    let (detector, _) = Self.track(TrackDetector.Parameters()) {
      for second in 0...20 {
        let speed = second == 20 ? before : 3
        $0.fix(Double(second), east: 3 * Double(second), speed: speed, speedAccuracy: 0.1)
      }
      // On half a circle, the chord of 3 m/s is 2/pi of the way.
      let chord = 60 + 3 * gap * 0.6366
      for second in 0...10 {
        let speed = second == 0 ? after : 3
        let time = 20 + gap + Double(second)
        $0.fix(
          time, east: chord + 3 * Double(second), accuracy: 40, speed: speed, speedAccuracy: 0.1)
      }
    }
    let line = 3 * gap * 0.6366
    let counted = detector.distance - 90
    #expect((detector.movingTime > 28 + gap) == moves, "\(detector.movingTime)")
    if moves {
      #expect(counted > line + 0.1 * gap && counted < 3 * gap)
    } else {
      #expect(counted < line + 1.5)
    }
  }

  @Test func aShortTunnelIsNotStanding() {
    // 12 s at 2 m/s are within the noise of fixes of 15 m.
    let (detector, _) = Self.track(TrackDetector.Parameters()) {
      for second in 0...20 {
        $0.fix(
          Double(second), east: 2 * Double(second), accuracy: 15, speed: 2, speedAccuracy: 0.2)
      }
      for second in 32...50 {
        $0.fix(
          Double(second), east: 2 * Double(second), accuracy: 15, speed: 2, speedAccuracy: 0.2)
      }
    }
    #expect(abs(detector.distance - 100) < 2)
    #expect(detector.movingTime == 50)
  }

  @Test(arguments: [(10.0, 11.0), (10.001, 1.0)])
  func tenSecondsAreNotYetAGap(gap: Double, moving: Double) {
    let (detector, _) = Self.track(TrackDetector.Parameters()) {
      $0.fix(0, east: 0, speed: 3)
      $0.fix(1, east: 3, speed: 3)
      $0.fix(1 + gap, east: 3 + 3 * gap, speed: 3)
    }
    #expect(abs(detector.movingTime - moving) < 1e-9)
  }

  @Test func anOutlierIsRefused() {
    let (detector, _) = Self.track(TrackDetector.Parameters()) {
      for second in 0...60 {
        $0.fix(Double(second), east: 2 * Double(second), north: second == 30 ? 80 : 0, speed: 2)
      }
    }
    #expect(detector.refusedCount == 1)
    #expect(abs(detector.distance - 120) < 1)
  }

  @Test func aJumpIsNotMovement() {
    // After three fixes that do not fit the filter believes them, but not the 5 km.
    let build: (inout LocationScript) -> Void = {
      for second in 0...60 {
        $0.fix(Double(second), east: 2 * Double(second) + (second > 30 ? 5000 : 0), speed: 2)
      }
    }
    let (detector, splits) = Self.track(TrackDetector.Parameters(), build)
    #expect(detector.refusedCount == 2)
    #expect(abs(detector.distance - 114) < 1)
    #expect(splits.isEmpty)
    let (raw, rawSplits) = Self.track(.raw, build)
    #expect(abs(raw.distance - 5120) < 5)
    #expect(rawSplits.map(\.event.value) == [1000, 2000, 3000, 4000, 5000])
  }

  @Test func aLeapAcrossTheGlobeHasNoSplits() {
    let (detector, splits) = Self.track(.raw) {
      $0.fix(0, east: 0)
      $0.add(
        Fix(latitude: -46, longitude: -160), measured: LocationScript.instant(1),
        arrived: LocationScript.instant(1))
    }
    #expect(detector.distance > 1.9e7)
    #expect(splits.isEmpty)
  }

  // MARK: Splits

  @Test func splitsAreInterpolated() {
    var parameters = TrackDetector.Parameters.raw
    parameters.splits = .both
    // 7 m/s north, a fix every 4 s, each arriving half a second late.
    let (_, splits) = Self.track(parameters) {
      for index in 0...120 {
        let second = 4 * Double(index)
        $0.fix(second, east: 0, north: 7 * second, age: 0.5)
      }
    }
    #expect(splits.map(\.event.label) == ["km", "mile", "km", "km", "mile"])
    #expect(splits.map(\.event.value) == [1000, 1609.344, 2000, 3000, 3218.688])
    #expect(splits.allSatisfy { $0.event.kind == "split" })
    for split in splits {
      // The plane of the script is good to 1e-4 here.
      #expect(abs(split.onset.seconds - split.event.value / 7) < 0.1)
      let next = (split.onset.seconds / 4).rounded(.up) * 4 + 0.5
      #expect(split.emitted == LocationScript.instant(next))
    }
  }

  @Test func aMarkInTheMiddleOfALongLeg() {
    let (detector, splits) = Self.track(.raw) {
      $0.fix(10, east: 0)
      $0.fix(20, east: 0, north: 2400)
    }
    #expect(splits.count == 2)
    for (index, split) in splits.enumerated() {
      let expected = 10 + 10 * Double(index + 1) * 1000 / detector.distance
      #expect(abs(split.onset.seconds - expected) < 1e-8)
    }
  }

  // MARK: Accuracy, on errors as receivers have them

  /// 20 min at 1 Hz with errors that drift over a minute (4 m) and jitter (0.7 m).
  static func simulated(
    seed: UInt64, speed: Double, hasSpeed: Bool, parameters: TrackDetector.Parameters
  ) -> (detector: TrackDetector, truth: Double) {
    var generator = SeededGenerator(seed: seed)
    var truth = 0.0
    let (detector, _) = track(parameters) { script in
      let memory = Math.exp(-1 / 60)
      let drive = 4 * (1 - memory * memory).squareRoot()
      var error = PlanarVector(
        east: generator.normal(standardDeviation: 4), north: generator.normal(standardDeviation: 4))
      var (east, north, heading) = (0.0, 0.0, 0.0)
      for second in 0..<1200 {
        script.fix(
          Double(second), east: east + error.east + generator.normal(standardDeviation: 0.7),
          north: north + error.north + generator.normal(standardDeviation: 0.7), accuracy: 5.7,
          speed: hasSpeed ? abs(speed + generator.normal(standardDeviation: 0.15)) : .nan)
        heading += generator.normal(standardDeviation: 0.05)
        east += speed * Math.cos(heading)
        north += speed * Math.sin(heading)
        truth += speed
        error.east = memory * error.east + generator.normal(standardDeviation: drive)
        error.north = memory * error.north + generator.normal(standardDeviation: drive)
      }
    }
    return (detector, truth)
  }

  @Test(arguments: [
    // speed, has speed, largest error of the default, least error of the raw sum (shares)
    (1.4, true, 0.01, 0.3), (3.3, true, 0.01, 0.05), (1.4, false, 0.04, 0.3),
    (3.3, false, 0.03, 0.05),
  ])
  func errorOfTheDistance(speed: Double, hasSpeed: Bool, most: Double, least: Double) {
    for seed: UInt64 in 1...4 {
      let (detector, truth) = Self.simulated(
        seed: seed, speed: speed, hasSpeed: hasSpeed, parameters: TrackDetector.Parameters())
      #expect(abs(detector.distance / truth - 1) < most, "seed \(seed)")
      #expect(abs(detector.movingTime - 1199) < 30, "seed \(seed)")
      let (raw, _) = Self.simulated(
        seed: seed, speed: speed, hasSpeed: hasSpeed, parameters: .raw)
      #expect(raw.distance / truth - 1 > least, "seed \(seed)")
    }
  }

  @Test(arguments: [(true, 100.0), (false, 150.0)])
  func standingGainsLittle(hasSpeed: Bool, most: Double) {
    for seed: UInt64 in 1...4 {
      let (detector, _) = Self.simulated(
        seed: seed, speed: 0, hasSpeed: hasSpeed, parameters: TrackDetector.Parameters())
      #expect(detector.distance < most, "seed \(seed)")
      #expect(detector.movingTime < 240, "seed \(seed)")
      let (raw, _) = Self.simulated(seed: seed, speed: 0, hasSpeed: hasSpeed, parameters: .raw)
      #expect(raw.distance > 1000, "seed \(seed)")
    }
  }

  // MARK: Laws

  @Test func presetsAndFields() throws {
    #expect(TrackDetector.presets.map(\.name) == ["default", "tri", "raw"])
    let header = TraceHeader(id: "", origin: .synthetic)
    for preset in TrackDetector.presets {
      var parameters = preset.parameters(for: header)
      let copy = parameters
      for field in TrackDetector.parameterFields {
        try field.set(field.value(in: parameters), in: &parameters)
      }
      #expect(parameters == copy)
    }
    let names = Set(TrackDetector.parameterFields.map(\.name))
    let stored = Mirror(reflecting: TrackDetector.Parameters()).children.compactMap(\.label)
    #expect(names == Set(stored.map(kebabCase)))
  }

  @Test func emptyInputGivesNoDetections() {
    for preset in TrackDetector.presets {
      let parameters = preset.parameters(for: TraceHeader(id: "", origin: .synthetic))
      let (detector, detections) = Self.track(parameters) { _ in }
      #expect(detections.isEmpty)
      #expect(detector.measurements.allSatisfy { $0.value == 0 })
      #expect(
        detector.measurements.map(\.name)
          == ["distance", "duration", "moving_time", "elapsed", "accepted", "refused"])
    }
  }

  @Test(arguments: TrackDetector.presets.map(\.name), [1, 2, 3] as [UInt64])
  func blocksAndShiftsChangeNothing(preset: String, seed: UInt64) throws {
    let parameters = try #require(TrackDetector.preset(named: preset))
      .parameters(for: TraceHeader(id: "", origin: .synthetic))
    let script = LocationScript.walk(seed: seed, count: 2000)
    var whole = TrackDetector(parameters)
    let expected = script.run(&whole)
    #expect(!expected.isEmpty && whole.distance > 1000, "seed \(seed)")
    for size in [1, 7, 64] {
      var detector = TrackDetector(parameters)
      #expect(script.run(&detector, blockSize: size) == expected, "seed \(seed)")
      #expect(detector.measurements == whole.measurements, "seed \(seed)")
    }
    var streamed = TrackDetector(parameters)
    #expect(script.stream(&streamed) == expected, "seed \(seed)")
    let shift: Int64 = 86_400_123_456_789
    var later = TrackDetector(parameters)
    let moved = script.shifted(byNanoseconds: shift).run(&later)
    #expect(
      moved
        == expected.map {
          Detection(
            onset: $0.onset.advanced(byNanoseconds: shift),
            emitted: $0.emitted.advanced(byNanoseconds: shift), event: $0.event)
        }, "seed \(seed)")
    #expect(later.measurements == whole.measurements, "seed \(seed)")
  }

  @Test(arguments: TrackDetector.presets.map(\.name))
  func invalidValuesDoNotTrap(preset: String) throws {
    let seed: UInt64 = 99
    var parameters = try #require(TrackDetector.preset(named: preset))
      .parameters(for: TraceHeader(id: "", origin: .synthetic))
    parameters.splits = .both
    let script = LocationScript.nonsense(seed: seed, count: 20_000)
    var detector = TrackDetector(parameters)
    _ = script.run(&detector, blockSize: 100)
    for measurement in detector.measurements {
      #expect(measurement.value.isFinite && measurement.value >= 0, "seed \(seed) \(measurement)")
    }
    #expect(detector.acceptedCount > 1000, "seed \(seed)")
  }

  /// Any value of a field, its bounds among them; numbers evenly over their magnitudes.
  private static func setAnything(
    _ field: ParameterField<TrackDetector.Parameters>,
    in parameters: inout TrackDetector.Parameters, _ generator: inout SeededGenerator
  ) throws {
    let value: ParameterValue =
      switch field.kind {
      case .flag: .flag(generator.unit() < 0.5)
      case .profiles: .profiles(ProfileSet(source: "", people: [:]))
      case .choice(let choices): .choice(choices[Int(generator.unit() * Double(choices.count))])
      case .number(_, let range):
        switch generator.unit() {
        case ..<0.2: .number(range.lowerBound)
        case ..<0.4: .number(range.upperBound)
        default:
          .number(
            range.lowerBound
              + (range.upperBound - range.lowerBound) * Math.exp(-generator.uniform(0...12)))
        }
      }
    try field.set(value, in: &parameters)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func anyParametersDoNotTrap(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var parameters = TrackDetector.Parameters()
    for field in TrackDetector.parameterFields {
      try Self.setAnything(field, in: &parameters, &generator)
    }
    if seed.isMultiple(of: 2) {
      parameters.estimator = .fused
      parameters.refusesBackwardTimes = false
    }
    let scripts = [
      LocationScript.walk(seed: seed).disordered(seed: seed),
      LocationScript.nonsense(seed: seed, count: 500),
    ]
    for script in scripts {
      var detector = TrackDetector(parameters)
      for detection in script.run(&detector) { #expect(detection.event.value.isFinite) }
      for measurement in detector.measurements {
        #expect(
          measurement.value.isFinite && measurement.value >= 0,
          "seed \(seed) \(measurement) \(parameters)")
      }
    }
  }
}
