import Detectors
import TestSupport
import Testing
import TraceModel

@testable import TraceTools

@Suite struct AnonymizationTests {
  private func distance(_ a: Fix, _ b: Fix) -> Double {
    Geodesy.distance(
      latitude: a.latitude, longitude: a.longitude, toLatitude: b.latitude, longitude: b.longitude)
  }

  private func apply(
    _ step: Anonymization, to trace: Trace, seed: UInt64 = 1
  ) throws
    -> Anonymization.Outcome
  {
    var random = SeededGenerator(seed: seed)
    return try step.apply(to: trace, using: &random)
  }

  /// The law: no remaining fix lies within the radius, and no fix outside the radius and the cut
  /// stretches is lost.
  @Test(.longer, arguments: 1...LongTests.count(quick: 6, long: 20) as ClosedRange<UInt64>)
  func noFixIsLeftWithinTheRadius(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let trace = walk(meters: random.uniform(500...3000), seed: seed)
    let radius = random.uniform(50...400)
    var step = Anonymization(radius: radius)
    let fixes = trace.fixes.all
    var hidden = [fixes[0], fixes[fixes.count - 1]]
    if seed % 2 == 0 {
      hidden = [fixes[Int(random.next() % 600)]]
      step.homes = hidden.map { .init(latitude: $0.latitude, longitude: $0.longitude) }
    }
    let outcome = try apply(step, to: trace)
    for fix in outcome.trace.fixes.all {
      for place in hidden { #expect(distance(fix, place) > radius, "seed \(seed)") }
    }
    let far = fixes.filter { fix in hidden.allSatisfy { distance(fix, $0) > radius } }
    #expect(outcome.trace.fixes.count == far.count, "seed \(seed)")
    // No reading of another channel lies between fixes that were cut.
    let kept = Set(outcome.trace.fixes.measuredTimes)
    let motion = try #require(outcome.trace[.acceleration].flatMap { VectorColumns($0) })
    let whole: Int64 = 1_000_000_000
    for time in motion.measuredTimes {
      let floor = time - time % whole
      let isLast = floor == 600 * whole
      #expect(kept.contains(floor) && (time == floor || isLast || kept.contains(floor + whole)))
    }
    #expect(outcome.trace.earliestMeasured == 0)
  }

  /// The law: a move keeps distances.
  @Test(.longer, arguments: 1...LongTests.count(quick: 6, long: 20) as ClosedRange<UInt64>)
  func aMoveKeepsDistances(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let trace = walk(
      latitude: random.uniform(-70...70), longitude: random.uniform(-180...179), meters: 20_000,
      seed: seed)
    var step = Anonymization(radius: nil)
    step.moves = true
    let outcome = try apply(step, to: trace, seed: seed)
    let (before, after) = (trace.fixes.all, outcome.trace.fixes.all)
    try #require(before.count == after.count)
    #expect(distance(before[0], after[0]) > 10_000, "seed \(seed)")
    for _ in 0..<200 {
      let (a, b) = (Int(random.next() % 601), Int(random.next() % 601))
      let (old, new) = (distance(before[a], before[b]), distance(after[a], after[b]))
      #expect(abs(new - old) <= 1e-7 * old + 1e-6, "seed \(seed): \(old) m, \(new) m")
    }
    #expect(try #require(outcome.distortion) < 1e-7)
    // The course still matches the track.
    let index = 100
    let (old, new) = (before[index], before[index + 150])
    let direction = Geodesy.initialBearing(
      latitude: old.latitude, longitude: old.longitude, toLatitude: new.latitude,
      longitude: new.longitude)
    let moved = Geodesy.initialBearing(
      latitude: after[index].latitude, longitude: after[index].longitude,
      toLatitude: after[index + 150].latitude, longitude: after[index + 150].longitude)
    let turned = after[index].course - before[index].course
    #expect(abs((moved - direction - turned).remainder(dividingBy: 360)) < 0.4, "seed \(seed)")
  }

  @Test func distortionOfALongTrackIsReportedOrRefused() throws {
    var step = Anonymization(radius: nil)
    step.moves = true
    let long = walk(latitude: 40, longitude: 10, meters: 300_000)
    let outcome = try apply(step, to: long)
    let distortion = try #require(outcome.distortion)
    #expect(distortion > 1e-9 && distortion < 1e-5)
    #expect(throws: TraceError.self) {
      try apply(step, to: walk(latitude: 0, longitude: 10, meters: 6_000_000))
    }
  }

  @Test func everythingInTheCutStretchGoes() throws {
    var trace = walk()
    let start = trace.fixes.all[0]
    trace.header.places = [
      Place(id: 1, latitude: start.latitude, longitude: start.longitude, radius: 50, rank: 0),
      Place(
        id: 2, latitude: start.latitude + 0.01, longitude: start.longitude, radius: 50, rank: 1),
    ]
    trace.header.references = [
      ReferenceSet(
        task: .visit,
        events: [
          ReferenceEvent(onset: .zero, offset: instant(5), place: 1),
          ReferenceEvent(onset: instant(300), offset: instant(310), originalLabel: "gym", place: 2),
        ]),
      ReferenceSet(task: .distance, events: [ReferenceEvent(onset: .zero, value: 3000)]),
    ]
    trace.header.track = ReferenceTrack(
      times: [0, 300_000_000_000], latitudes: [start.latitude, start.latitude + 0.01],
      longitudes: [start.longitude, start.longitude])
    (trace.header.subject, trace.header.device) = ("Somebody", "Phone 7")
    (trace.header.source, trace.header.isEpochKnown) = ("diary", true)
    trace.header.epoch = "2024-06-07T12:00:00Z"
    var step = Anonymization(radius: 200)
    step.hidesTime = true
    step.kept = [.device]
    let outcome = try apply(step, to: trace)
    let header = outcome.trace.header
    #expect(header.places.map(\.id) == [2])
    #expect(header.reference(.visit)?.events.map(\.place) == [2])
    #expect(header.reference(.visit)?.events.map(\.originalLabel) == [""])
    #expect(header.reference(.distance) == nil)
    #expect(header.track?.times.count == 1)
    #expect(header.subject == "" && header.device == "Phone 7" && header.id == "anonymous")
    #expect(!header.isEpochKnown && header.epoch == TraceHeader.unknownEpoch)
    #expect(header.source.hasPrefix("anonymized: cut within 200.0 m of start and end"))
    #expect(!header.source.contains("diary"))
    #expect(header.end.nanoseconds == outcome.trace.vectors.measuredTimes.max())
    #expect(outcome.removal.places == 1)
    #expect(outcome.removal.tasks == [.distance])
    #expect(!outcome.warnings.isEmpty)
    #expect(outcome.stretches.count == 2)
  }

  /// A way past a home, over and over: each long reference falls into as many parts.
  @Test(arguments: [(10, true), (1200, false)])
  func partsOfReferencesAreLimited(references: Int, isCut: Bool) throws {
    var trace = walk()
    var fixes = FixColumns()
    for index in 0..<2000 {
      let latitude = index % 4 < 2 ? 46.05 : 46.06
      let time = Int64(index) * 1_000_000_000
      fixes.append(
        Fix(latitude: latitude, longitude: 14.5, altitude: 300, horizontalAccuracy: 5, speed: 2),
        measured: time, arrived: time)
    }
    trace.set(.fix(fixes), for: .location)
    trace.remove(.acceleration)
    trace.header.end = instant(2000)
    trace.header.references = [
      ReferenceSet(
        task: .presence,
        events: (0..<references).map {
          ReferenceEvent(onset: .zero, offset: instant(2000), place: Int32($0))
        })
    ]
    var step = Anonymization(radius: 200)
    step.homes = [.init(latitude: 46.05, longitude: 14.5)]
    guard isCut else {
      let error = #expect(throws: TraceError.self) { try apply(step, to: trace) }
      #expect(error?.expected == "at most 500000 parts of references between what is hidden")
      return
    }
    let outcome = try apply(step, to: trace)
    let events = try #require(outcome.trace.header.reference(.presence)?.events)
    #expect(events.count == references * 500)
    // Between two fixes outside, which are 1 s apart, or from the last one to the end.
    let lengths = Set(events.map { ($0.offset.nanoseconds - $0.onset.nanoseconds) / 1000 })
    #expect(lengths.isSubset(of: [1_000_000, 2_000_000]))
    // Nobody has come or gone there: all ends but the last lie in an ignore zone.
    let zones = outcome.trace.header.ignoreZones
    let seen = events.filter { event in
      event.offset < outcome.trace.header.end
        && !zones.contains { $0.onset <= event.offset && event.offset <= $0.offset }
    }
    #expect(seen.isEmpty)
  }

  @Test func whatIsNotHiddenIsNamed() throws {
    var trace = walk()
    let beats = HeartbeatColumns(
      times: TimeColumns(measured: [300_000_000_000]), values: [Heartbeat(peer: 7, sequence: 18)])
    trace.set(.heartbeat(beats), for: .heartbeat, attributes: ["resampling": "by hand", "a": "b"])
    let outcome = try apply(Anonymization(radius: 200), to: trace)
    for text in [
      "the ids of peers and the numbers of their heartbeats remain",
      "heartbeat@resampling remains: \"by hand\"",
    ] { #expect(outcome.warnings.contains(text), "\(outcome.warnings)") }
  }

  @Test func theOdometerHidesTheDistanceToTheStart() throws {
    var trace = walk()
    var odometer = ScalarColumns()
    for index in 0...600 {
      let time = Int64(index) * 1_000_000_000
      odometer.append(Scalar(value: Double(index) * 5), measured: time, arrived: time)
    }
    trace.set(.scalar(odometer), for: .odometer)
    let outcome = try apply(Anonymization(radius: 200), to: trace)
    let counts = try #require(outcome.trace[.odometer].flatMap { ScalarColumns($0) })
    #expect(counts[counts.range.lowerBound].value == 0)
    #expect(counts[counts.range.lowerBound + 1].value == 5)
  }

  @Test func anEmptyResultIsRefusedAndMissingPositionsAreReported() throws {
    #expect(throws: TraceError.self) { try apply(Anonymization(radius: 1e6), to: walk()) }
    let outcome = try apply(Anonymization(radius: 200), to: motion([0, 10]))
    #expect(outcome.statements.contains("nothing cut: no positions"))
    #expect(outcome.trace.vectors.count == 2)
  }

  /// The first fix of a receiver is off; the home is where the next fixes are.
  @Test(arguments: [(0.0, 0.0), (46.1, 14.9), (46.05, 14.6)])
  func aWrongFirstFixStillHidesTheHome(latitude: Double, longitude: Double) throws {
    var trace = walk()
    var fixes = FixColumns()
    for (second, fix) in trace.fixes.all.enumerated() {
      let time = Int64(second) * 1_000_000_000
      var fix = fix
      if second == 0 || second == 600 { (fix.latitude, fix.longitude) = (latitude, longitude) }
      fixes.append(fix, measured: time, arrived: time)
    }
    trace.set(.fix(fixes), for: .location)
    let outcome = try apply(Anonymization(radius: 200), to: trace)
    let home = Fix(latitude: 46.05, longitude: 14.5)
    let nearest = outcome.trace.fixes.all.map { distance($0, home) }.min()
    #expect(try #require(nearest) > 180)
  }

  /// Without fixes, or before the first of them, the true path and the places lead home.
  @Test func pathAndPlacesAreHiddenWithoutFixesToo() throws {
    var trace = motion([0, 10_000_000_000, 20_000_000_000])
    trace.header.track = ReferenceTrack(
      times: [0, 10_000_000_000, 20_000_000_000], latitudes: [46.05, 46.06, 46.07],
      longitudes: [14.5, 14.5, 14.5])
    trace.header.places = [
      Place(id: 1, latitude: 46.05, longitude: 14.5, radius: 50, rank: 0),
      Place(id: 2, latitude: 46.06, longitude: 14.5, radius: 50, rank: 1),
    ]
    var step = Anonymization(radius: 200)
    let ends = try apply(step, to: trace)
    #expect(ends.trace.header.track?.latitudes == [46.06])
    #expect(ends.trace.header.places.map(\.id) == [2])
    trace.header.track = nil
    trace.header.references = [
      ReferenceSet(
        task: .visit,
        events: [
          ReferenceEvent(onset: instant(1), offset: instant(2), place: 1),
          ReferenceEvent(onset: instant(10), offset: instant(12), place: 2),
        ]),
      ReferenceSet(task: .distance, events: [ReferenceEvent(onset: .zero, value: 3000)]),
    ]
    step.homes = [.init(latitude: 46.05, longitude: 14.5)]
    let home = try apply(step, to: trace).trace.header
    #expect(home.places.map(\.id) == [2])
    #expect(home.reference(.visit)?.events.map(\.place) == [2])
    #expect(home.reference(.distance) != nil, "no reading is cut")
    step = Anonymization(radius: nil)
    step.moves = true
    let moved = try apply(step, to: trace)
    let places = moved.trace.header.places
    #expect(abs(places[0].latitude - 46.05) > 0.01 || abs(places[0].longitude - 14.5) > 0.01)
    #expect(try #require(moved.distortion) < 1e-7)
  }

  /// A place whose circle reaches the home reveals it.
  @Test func aPlaceThatReachesIntoTheHiddenCircleGoes() throws {
    var trace = walk()
    // 222 m to the south.
    trace.header.places = [
      Place(id: 1, latitude: 46.048, longitude: 14.5, radius: 60, rank: 0),
      Place(id: 2, latitude: 46.048, longitude: 14.5, radius: 1, rank: 0),
    ]
    var step = Anonymization(radius: 200)
    step.homes = [.init(latitude: 46.05, longitude: 14.5)]
    #expect(try apply(step, to: trace).trace.header.places.map(\.id) == [2])
  }

  @Test func anOdometerThatBeginsWithoutACountIsSetToZeroToo() throws {
    var trace = walk()
    var odometer = ScalarColumns()
    for index in 0...600 {
      let time = Int64(index) * 1_000_000_000
      odometer.append(
        Scalar(value: index < 100 ? .nan : Double(index) * 5), measured: time, arrived: time)
    }
    trace.set(.scalar(odometer), for: .odometer)
    let outcome = try apply(Anonymization(radius: 200), to: trace)
    let counts = try #require(outcome.trace[.odometer].flatMap { ScalarColumns($0) })
    #expect(counts.range.map { counts[$0].value }.first(where: \.isFinite) == 0)
  }

  /// A position that the device marks as invalid may still be home.
  @Test func invalidFixesAreCutToo() throws {
    var trace = walk()
    var fixes = FixColumns()
    for fix in trace.fixes.all.enumerated() {
      var value = fix.element
      value.horizontalAccuracy = -1
      let time = Int64(fix.offset) * 1_000_000_000
      fixes.append(value, measured: time, arrived: time)
    }
    trace.set(.fix(fixes), for: .location)
    let outcome = try apply(Anonymization(radius: 200), to: trace)
    for fix in outcome.trace.fixes.all { #expect(distance(fix, fixes[0]) > 200) }
  }

  /// There and back, to the rounding of degrees; scale 1 at the anchor.
  @Test(arguments: [(46.05, 14.5), (0, 0), (-33.9, 151.2), (69.6, 18.9), (60, -180)])
  func gaussSphereHasAnInverse(latitude: Double, longitude: Double) {
    let sphere = GaussSphere(latitude: latitude, longitude: longitude)
    for (north, east) in [(0, 0), (0.5, 0.3), (-0.7, 1), (1, -1)] as [(Double, Double)] {
      let point = sphere.onSphere(latitude: latitude + north, longitude: longitude + east)
      let back = sphere.onEllipsoid(latitude: point.latitude, longitude: point.longitude)
      #expect(abs(back.latitude - latitude - north) < 1e-12)
      #expect(abs((back.longitude - longitude - east).remainder(dividingBy: 360)) < 1e-12)
    }
    let anchor = sphere.onSphere(latitude: latitude, longitude: longitude)
    let north = sphere.onSphere(latitude: latitude + 0.001, longitude: longitude)
    let meters = Geodesy.distance(
      latitude: latitude, longitude: longitude, toLatitude: latitude + 0.001, longitude: longitude)
    #expect(abs((north.latitude - anchor.latitude) * sphere.radius / meters - 1) < 1e-7)
  }
}
