import Testing
import TraceModel
import TraceTools

@Suite struct TrimmingTests {
  private func labelled() -> Trace {
    var trace = motion((0...100).map { $0 * 1_000_000_000 })
    trace.header.references = [
      ReferenceSet(
        task: .punch,
        events: [
          ReferenceEvent(onset: instant(5)), ReferenceEvent(onset: instant(9), offset: instant(11)),
          ReferenceEvent(onset: instant(30)), ReferenceEvent(onset: instant(60)),
        ]),
      ReferenceSet(
        task: .visit, events: [ReferenceEvent(onset: instant(8), offset: instant(90), place: 1)]),
    ]
    trace.header.ignoreZones = [
      IgnoreZone(onset: instant(1), offset: instant(2)),
      IgnoreZone(onset: instant(55), offset: instant(70)),
    ]
    trace.header.track = ReferenceTrack(
      times: [0, 20_000_000_000, 80_000_000_000], latitudes: [1, 2, 3], longitudes: [4, 5, 6])
    return trace
  }

  @Test func everythingIsCutAlike() {
    let (part, removal) = labelled().trimmed(to: instant(10)..<instant(60))
    #expect(part.vectors.x.first == 10)
    #expect(part.vectors.x.last == 59)
    #expect(part.header.end == instant(60))
    let punches = part.header.reference(.punch)?.events.map(\.onset)
    #expect(punches == [instant(30)])
    let visit = part.header.reference(.visit)?.events.first
    #expect(visit?.onset == instant(10) && visit?.offset == instant(60))
    // The rest of the punch that is cut in two, and of the zone.
    #expect(
      part.header.ignoreZones == [
        IgnoreZone(onset: instant(10), offset: instant(11)),
        IgnoreZone(onset: instant(55), offset: instant(60)),
      ])
    #expect(part.header.track?.latitudes == [2])
    #expect(removal.readings == [.userAcceleration: 51])
    #expect(removal.events == [.punch: 3])
    #expect(removal.clippedEvents == [.visit: 1])
    #expect(removal.ignoreZones == 1)
    #expect(removal.trackPoints == 2)
  }

  @Test func theWholeStaysAsItIs() {
    let trace = labelled()
    let (part, removal) = trace.trimmed(to: .zero..<trace.header.end)
    #expect(part == trace)
    #expect(removal.isEmpty)
  }

  @Test func totalsGoWithPositions() {
    var trace = walk()
    trace.header.references = [
      ReferenceSet(
        task: .distance,
        events: [ReferenceEvent(onset: .zero, offset: trace.header.end, value: 3000)])
    ]
    let (part, removal) = trace.trimmed(to: .zero..<instant(100))
    #expect(part.header.references.isEmpty)
    #expect(removal.tasks == [.distance])
    let kept = trace.trimmed(to: .zero..<trace.header.end, channels: [.location])
    #expect(kept.trace.header.reference(.distance) != nil)
    #expect(kept.trace.header.channels.map(\.channel) == [.location])
    #expect(kept.removal.readings == [.acceleration: 2404])
  }

  @Test func totalsGoWithPositionsOfEachKind() {
    let times = TimeColumns(measured: [0, 5])
    let metres = ScalarColumns(times: times, values: [Scalar(value: 0), Scalar(value: 9)])
    let positions = LocalColumns(
      times: times, values: [LocalPosition(x: 0, y: 0), LocalPosition(x: 9, y: 0)])
    for (channel, block) in [
      (Channel.local, ChannelBlock.local(positions)), (.odometer, .scalar(metres)),
    ] {
      var trace = motion([0, 5])
      trace.set(block, for: channel)
      trace.header.references = [
        ReferenceSet(task: .distance, events: [ReferenceEvent(onset: .zero, value: 9)])
      ]
      let span = TraceInstant.zero..<instant(4e-9)
      #expect(trace.trimmed(to: span).removal.tasks == [.distance])
    }
  }

  @Test func zeroMovesToTheFirstReading() {
    let part = labelled().trimmed(to: instant(9.5)..<instant(60)).trace
    let (trace, zero) = part.startingAtZero()
    #expect(zero == 10_000_000_000)
    #expect(trace.earliestMeasured == 0)
    #expect(trace.header.end == instant(50))
    #expect(trace.header.reference(.punch)?.events.first?.onset == instant(20))
    #expect(trace.header.ignoreZones.first?.onset == instant(-0.5))
    #expect(trace.shifted(byNanoseconds: zero) == part)
  }

  @Test func lateArrivalsStayWithTheirMeasurement() {
    var trace = motion([])
    var columns = VectorColumns()
    for (measured, arrived) in [(0, 5), (10, 35), (20, 35), (30, 35)] as [(Int64, Int64)] {
      columns.append(Vector3(x: 1, y: 2, z: 3), measured: measured, arrived: arrived)
    }
    trace.set(.vector(columns), for: .userAcceleration)
    trace.header.end = TraceInstant(nanoseconds: 40)
    let part = trace.trimmed(
      to: TraceInstant(nanoseconds: 5)..<TraceInstant(nanoseconds: 25)
    ).trace
    #expect(part.vectors.measuredTimes == [10, 20])
    #expect(part.header.end == TraceInstant(nanoseconds: 35), "no reading after the end")
  }

  @Test func timesAtTheEndsOfTheAxisDoNotTrap() {
    let trace = motion([.min, 0, .max])
    let (shifted, zero) = trace.startingAtZero()
    #expect(zero == .min)
    #expect(shifted.vectors.measuredTimes == [-1, .max, .max], "clamped")
    let window = TraceInstant(nanoseconds: .min)..<TraceInstant(nanoseconds: .max)
    #expect(trace.trimmed(to: window).trace.vectors.count == 3)
  }
}
