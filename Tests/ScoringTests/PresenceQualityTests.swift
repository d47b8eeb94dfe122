import TestSupport
import Testing
import TraceModel

@testable import Scoring

@Suite struct PresenceQualityTests {
  /// A second in milliseconds, so that hand-made timelines read in seconds.
  private func seconds(_ count: Int64) -> Int64 { count * 1_000_000_000 }

  private func there(_ from: Int64, _ to: Int64, _ peer: Int32? = 1) -> ReferenceEvent {
    reference(from * 1000, to: to * 1000, place: peer)
  }

  private func reported(_ kind: String, _ time: Int64, _ peer: Int32? = 1) -> DetectionRecord {
    DetectionRecord(onset: .zero, emitted: at(time * 1000), kind: kind, place: peer)
  }

  /// Alternating from `present` on, at these seconds.
  private func toggles(_ times: [Int64]) -> [DetectionRecord] {
    times.enumerated().map { reported($0.offset % 2 == 0 ? "present" : "absent", $0.element) }
  }

  private func quality(
    _ references: [ReferenceEvent], _ detections: [DetectionRecord], zones: [IgnoreZone] = []
  ) -> PresenceQuality {
    PresenceQuality(
      references: references, detections: detections, ignoreZones: zones,
      exposure: Exposure(duration: .seconds(3600)))
  }

  @Test func nothingIsUndefined() {
    let none = quality([], [])
    #expect(none == PresenceQuality())
    #expect(none.detection == Delays() && none.mistakeDuration == nil && none.arrival == Delays())
    #expect(none.queryAccuracy == nil && none.mistakeRate.estimate == nil)
    #expect(none.found.estimate == nil && none.seen.estimate == nil)
  }

  // There from 100 to 200; until when it counts as there.
  @Test(
    arguments: [
      // Suspected for good before it goes: found at once, after a mistake.
      ([101, 190], 0, 1, [10]), ([101, 210], 10, 0, []), ([101, 200], 0, 0, []),
      // A late heartbeat makes it trusted again: only the last suspicion counts.
      ([101, 210, 212, 225], 25, 0, []),
      // Corrected mistakes.
      ([101, 150, 155, 160, 161, 205], 5, 2, [5, 1]),
      // Trusted to the end, or up to the end, and never trusted.
      ([101], nil, 0, []), ([101, 3600], nil, 0, []), ([101, 3599], 3399, 0, []), ([], nil, 0, []),
      // Trusted before it came, but not since: at the very arrival it is too late.
      ([50, 60], nil, 0, []), ([50, 100], nil, 1, [100]), ([50, 101], 0, 1, [99]),
      // Trusted only after it has gone.
      ([203, 210], 10, 0, []),
    ] as [([Int64], Int64?, Int, [Int64])])
  func aDeparture(times: [Int64], delay: Int64?, mistakes: Int, lasting: [Int64]) {
    let result = quality([there(100, 200)], toggles(times))
    #expect(result.departures == 1)
    #expect(result.detectionTimes == (delay.map { [seconds($0)] } ?? []))
    #expect(result.mistakes == mistakes)
    #expect(result.mistakeDurations == lasting.map(seconds))
  }

  // Present from 0 to 100 and again from 120: detections in between.
  @Test(
    arguments: [
      ([1, 110, 121], 10, 1, 0), ([1, 119, 121], 19, 1, 0),
      // At the very return it is too late, and a mistake besides.
      ([1, 120, 121], nil, 1, 1), ([1, 125, 126], nil, 0, 1), ([1], nil, 0, 0),
    ] as [([Int64], Int64?, Int64, Int)])
  func aReturn(times: [Int64], delay: Int64?, wait: Int64, mistakes: Int) {
    let result = quality([there(0, 100), there(120, 4000)], toggles(times))
    #expect(result.departures == 1)
    #expect(result.detectionTimes == (delay.map { [seconds($0)] } ?? []))
    #expect(result.mistakes == mistakes)
    #expect(result.arrivals == 2)
    #expect(result.arrivalTimes == [seconds(1), seconds(wait)])
  }

  @Test func hoursAndAccuracyAreOfTheTimeInWhichPeersWereThere() throws {
    let result = quality(
      [there(0, 1800), there(900, 2700, 2)],
      toggles([90, 1800]) + [reported("present", 1000, 2), reported("absent", 2000, 2)])
    #expect(result.presentNanoseconds == seconds(3600))
    #expect(result.trustedNanoseconds == seconds(1710 + 1000))
    #expect(try #require(result.queryAccuracy) == 2710.0 / 3600)
    #expect(result.mistakeRate == PoissonRate(count: 1, hours: 1))
    #expect(result.mistakeDurations == [seconds(700)])
    #expect(result.arrivalTimes == [seconds(90), seconds(100)])
    #expect(result.detectionTimes == [0, 0])
  }

  @Test func aPeerThatWasNotThereIsAFalseArrival() {
    let result = quality(
      [there(100, 200)],
      toggles([50, 60, 101, 210, 220, 230]) + [reported("present", 7, 9), reported("absent", 8, 9)])
    #expect(result.falseArrivals == 3)
    #expect(result.detectionTimes == [seconds(30)])
    #expect(result.mistakes == 0)
  }

  @Test func anArrivalMayNeverBeSeen() {
    let result = quality([there(100, 110), there(300, 310)], toggles([110, 120, 305, 315]))
    #expect(result.seen == Proportion(successes: 1, trials: 2))
    #expect(result.arrivalTimes == [seconds(5)])
    #expect(result.falseArrivals == 1)
  }

  @Test func stretchesThatTouchAreOne() {
    let result = quality(
      [there(100, 200), there(200, 250), there(240, 300)], toggles([100, 305]))
    #expect(result.departures == 1 && result.arrivals == 1)
    #expect(result.presentNanoseconds == seconds(200))
    #expect(result.detectionTimes == [seconds(5)])
  }

  @Test func aPeerThatStaysHasNotDeparted() {
    let stays = quality([there(100, 3600)], toggles([100, 3590]))
    #expect(stays.departures == 0)
    #expect(stays.mistakeDurations == [seconds(10)])
    let goesBefore = quality([there(100, 3598)], toggles([100, 3599]))
    #expect(goesBefore.detectionTimes == [seconds(1)])
    // Trust that ends with the recording is not a suspicion, and later detections do not count.
    for end in [3600, 3601] as [Int64] {
      let found = quality([there(100, 3598)], toggles([100, end]))
      #expect(found.found == Proportion(successes: 0, trials: 1))
      #expect(found.missedDepartures == [seconds(2)])
    }
  }

  // The zone holds its ends.
  @Test(arguments: [(200, 205, 0), (190, 200, 0), (201, 210, 1), (190, 199, 1)])
  func aDepartureInAnIgnoreZoneIsLeftOut(from: Int64, to: Int64, departures: Int) {
    let result = quality(
      [there(100, 200)], toggles([100, 210]), zones: [zone(from * 1000, to * 1000)])
    #expect(result.departures == departures && result.detectionTimes.count == departures)
    #expect(result.presentNanoseconds == seconds(100 - max(min(to, 200) - min(from, 200), 0)))
    #expect(result.trustedNanoseconds == result.presentNanoseconds)
  }

  @Test func whatHasNoPlaceOrAnotherKindIsNotRead() {
    let result = quality(
      [there(100, 200), there(0, 3000, nil)],
      [
        reported("present", 100), reported("absent", 150, nil), reported("visit", 160),
        reported("absent", 203),
      ])
    #expect(result.departures == 1 && result.mistakes == 0)
    #expect(result.detectionTimes == [seconds(3)])
    #expect(quality([there(100, 100), there(200, 150)], []) == PresenceQuality())
  }

  @Test func anyTimesAreTaken() {
    let extremes = [Int64.min, -1, 0, 1, .max].map { TraceInstant(nanoseconds: $0) }
    let events = extremes.flatMap { onset in
      extremes.map { ReferenceEvent(onset: onset, offset: $0, place: 1) }
    }
    let detections = extremes.map {
      DetectionRecord(onset: $0, emitted: $0, kind: "present", place: 1)
    }
    for recorded in [0, 1, Int64.max] {
      let result = PresenceQuality(
        references: events, detections: detections,
        ignoreZones: [IgnoreZone(onset: extremes[0], offset: extremes[1])],
        exposure: Exposure(duration: .nanoseconds(recorded)))
      #expect(result.presentNanoseconds <= recorded)
    }
  }

  @Test func poolingAddsUp() throws {
    let one = quality([there(100, 200)], toggles([101, 150, 160, 210]))
    let other = quality([there(0, 500)], toggles([3]))
    let both = PresenceQuality.pooled([one, other])
    #expect(both.found == Proportion(successes: 1, trials: 2))
    #expect(both.mistakes == 1 && both.mistakeDurations == [seconds(10)])
    let mean = try #require(Clustered(both).figures[.detectionTime.mean])
    #expect(mean.value == 10 && mean.interval == nil)
    #expect(both.arrivalTimes == [seconds(1), seconds(3)])
    #expect(both.presentNanoseconds == seconds(600))
    #expect(both.trustedNanoseconds == seconds(89 + 497))
    #expect(PresenceQuality.pooled([]) == PresenceQuality())
  }

  /// Against a program that looks at every tick: `Tests/Fixtures/presence_quality.py`.
  @Test func agreesWithTheTickByTickOracle() throws {
    let cases = try Fixtures.cases(of: "presence_quality.json", as: OracleCase.self)
    #expect(cases.count == 150)
    for expected in cases {
      let result = expected.quality
      #expect(result.departures == expected.departures, "\(expected)")
      #expect(result.mistakes == expected.mistakes, "\(expected)")
      #expect(result.arrivals == expected.arrivals, "\(expected)")
      #expect(result.presentNanoseconds / 1_000_000 == expected.present, "\(expected)")
      #expect(result.trustedNanoseconds / 1_000_000 == expected.trusted, "\(expected)")
      #expect(result.falseArrivals == expected.falseArrivals, "\(expected)")
      for (found, ticks) in [
        (result.detectionTimes, expected.detectionTimes),
        (result.mistakeDurations, expected.mistakeDurations),
        (result.arrivalTimes, expected.arrivalTimes),
      ] {
        #expect(found.sorted() == ticks.map { $0 * 1_000_000 }, "\(expected)")
      }
    }
  }
}

/// A case of the oracle; a tick is a millisecond.
private struct OracleCase: Decodable {
  struct Stay: Decodable {
    var peer: Int32
    var onset: Int64
    var offset: Int64
  }

  struct Change: Decodable {
    var peer: Int32
    var isPresent: Bool
    var emitted: Int64
  }

  struct Zone: Decodable {
    var onset: Int64
    var offset: Int64
  }

  var end: Int
  var references: [Stay]
  var detections: [Change]
  var zones: [Zone]
  var departures: Int
  var mistakes: Int
  var arrivals: Int
  var present: Int64
  var trusted: Int64
  var falseArrivals: Int
  var detectionTimes: [Int64]
  var mistakeDurations: [Int64]
  var arrivalTimes: [Int64]

  var quality: PresenceQuality {
    PresenceQuality(
      references: references.map { reference($0.onset, to: $0.offset, place: $0.peer) },
      detections: detections.map {
        DetectionRecord(
          onset: .zero, emitted: at($0.emitted), kind: $0.isPresent ? "present" : "absent",
          place: $0.peer)
      },
      ignoreZones: zones.map { zone($0.onset, $0.offset) },
      exposure: Exposure(duration: .milliseconds(end)))
  }
}
