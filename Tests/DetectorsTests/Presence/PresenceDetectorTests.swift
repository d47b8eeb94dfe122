import Detectors
import Testing
import TraceModel

@Suite struct PresenceDetectorTests {
  // MARK: Scripts

  /// A heartbeat that arrives at `time`, in seconds; sent 0.1 s before, unless said otherwise.
  struct Beat: Sendable {
    var time: Double
    var peer: Int32 = 1
    var sequence: Int64 = -1
    var sent: Double?

    var measured: TraceInstant { instant(sent ?? time - 0.1) }
    var arrived: TraceInstant { instant(time) }
  }

  /// What is expected: kind, peer, emitted, onset, in seconds.
  struct Said: Equatable, CustomStringConvertible {
    var kind: String
    var peer: Int32
    var emitted: Double
    var onset: Double

    init(_ kind: String, _ peer: Int32, _ emitted: Double, _ onset: Double) {
      self.kind = kind
      self.peer = peer
      self.emitted = emitted
      self.onset = onset
    }

    var description: String { "\(kind) \(peer) at \(emitted), onset \(onset)" }
  }

  static func instant(_ seconds: Double) -> TraceInstant {
    TraceInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  /// All detections of a script, up to an end.
  static func detections(
    _ beats: [Beat], _ parameters: PresenceDetector.Parameters, until end: Double = 1e6
  ) -> [Detection<PresenceEvent>] {
    var detector = PresenceDetector(parameters, places: [])
    var found: [Detection<PresenceEvent>] = []
    detector.ingest(contentsOf: columns(beats), into: &found)
    while let deadline = detector.deadline, deadline <= instant(end) {
      detector.advance(to: deadline, into: &found)
    }
    return found
  }

  static func columns(_ beats: [Beat], shift: Int64 = 0) -> HeartbeatColumns {
    var columns = HeartbeatColumns()
    for beat in beats {
      columns.append(
        Heartbeat(peer: beat.peer, sequence: beat.sequence),
        measured: beat.measured.nanoseconds + shift, arrived: beat.arrived.nanoseconds + shift)
    }
    return columns
  }

  static func said(
    _ beats: [Beat], _ parameters: PresenceDetector.Parameters, until end: Double = 1e6
  ) -> [Said] {
    detections(beats, parameters, until: end).map {
      Said($0.event.kind, $0.event.peer, $0.emitted.seconds, $0.onset.seconds)
    }
  }

  /// Heartbeats of a peer, one every `interval`.
  static func steady(
    _ range: ClosedRange<Double>, every interval: Double = 1, peer: Int32 = 1
  ) -> [Beat] {
    stride(from: range.lowerBound, through: range.upperBound, by: interval).map {
      Beat(time: $0, peer: peer)
    }
  }

  static func merged(_ scripts: [Beat]...) -> [Beat] {
    scripts.flatMap { $0 }.sorted { ($0.time, $0.peer) < ($1.time, $1.peer) }
  }

  // MARK: Tables

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var beats: [Beat]
    var end = 1e6
    var expected: @Sendable () -> [Said]

    var testDescription: String { name }
  }

  /// The app's rule: absent 10 s after the newest arrival of any heartbeat.
  @Test(arguments: [
    Case(name: "nothing", beats: []) { [] },
    Case(name: "one heartbeat", beats: [Beat(time: 1)]) {
      [Said("present", 1, 1, 0.9), Said("absent", 1, 11, 0.9)]
    },
    Case(name: "the trace ends before the deadline", beats: [Beat(time: 1)], end: 10.999) {
      [Said("present", 1, 1, 0.9)]
    },
    Case(name: "the trace ends at the deadline", beats: [Beat(time: 1)], end: 11) {
      [Said("present", 1, 1, 0.9), Said("absent", 1, 11, 0.9)]
    },
    Case(name: "a heartbeat at the deadline comes first", beats: [Beat(time: 1), Beat(time: 11)]) {
      [Said("present", 1, 1, 0.9), Said("absent", 1, 21, 10.9)]
    },
    Case(name: "a nanosecond later is too late", beats: [Beat(time: 1), Beat(time: 11.000000001)]) {
      [
        Said("present", 1, 1, 0.9), Said("absent", 1, 11, 0.9),
        Said("present", 1, 11.000000001, 10.900000001),
        Said("absent", 1, 21.000000001, 10.900000001),
      ]
    },
    Case(name: "a peer that returns", beats: [Beat(time: 1), Beat(time: 30), Beat(time: 32)]) {
      [
        Said("present", 1, 1, 0.9), Said("absent", 1, 11, 0.9), Said("present", 1, 30, 29.9),
        Said("absent", 1, 42, 31.9),
      ]
    },
    Case(
      name: "two peers, due together", beats: [Beat(time: 1, peer: 9), Beat(time: 1, peer: 4)]
    ) {
      [
        Said("present", 9, 1, 0.9), Said("present", 4, 1, 0.9),
        // In the order in which they came first.
        Said("absent", 9, 11, 0.9), Said("absent", 4, 11, 0.9),
      ]
    },
    Case(
      name: "one peer's heartbeat at another's deadline",
      beats: [Beat(time: 1, peer: 1), Beat(time: 11, peer: 2)]
    ) {
      [
        Said("present", 1, 1, 0.9), Said("present", 2, 11, 10.9), Said("absent", 1, 11, 0.9),
        Said("absent", 2, 21, 10.9),
      ]
    },
    Case(
      name: "a duplicate renews, a late one too, and neither is newer",
      beats: [
        Beat(time: 1, sequence: 0, sent: 0.9), Beat(time: 2, sequence: 2, sent: 1.9),
        Beat(time: 5, sequence: 2, sent: 1.9), Beat(time: 9, sequence: 1, sent: 1.4),
      ]
    ) { [Said("present", 1, 1, 0.9), Said("absent", 1, 19, 1.9)] },
  ])
  func fixedExpiry(_ test: Case) {
    #expect(Self.said(test.beats, .ticChatToe, until: test.end) == test.expected())
  }

  /// The same rule, but only what is newer is a sign of life.
  @Test(arguments: [
    Case(
      name: "a duplicate and a late heartbeat do not renew",
      beats: [
        Beat(time: 1, sequence: 0, sent: 0.9), Beat(time: 2, sequence: 2, sent: 1.9),
        Beat(time: 5, sequence: 2, sent: 1.9), Beat(time: 9, sequence: 1, sent: 1.4),
      ]
    ) { [Said("present", 1, 1, 0.9), Said("absent", 1, 12, 1.9)] },
    Case(
      name: "a late heartbeat does not bring back who has left",
      beats: [Beat(time: 1, sequence: 5, sent: 0.9), Beat(time: 13, sequence: 4, sent: 0.4)]
    ) { [Said("present", 1, 1, 0.9), Said("absent", 1, 11, 0.9)] },
    Case(
      name: "a restarted sender counts from the beginning",
      beats: [Beat(time: 1, sequence: 5), Beat(time: 3, sequence: 0)]
    ) { [Said("present", 1, 1, 0.9), Said("absent", 1, 13, 2.9)] },
    Case(
      name: "a sender whose clock is set back counts on",
      beats: [Beat(time: 10, sequence: 5), Beat(time: 12, sequence: 6, sent: 3)]
    ) { [Said("present", 1, 10, 9.9), Said("absent", 1, 22, 9.9)] },
    Case(
      name: "without a counter the time of sending decides",
      beats: [Beat(time: 1), Beat(time: 4, sent: 0.9), Beat(time: 5, sent: 0.8)]
    ) { [Said("present", 1, 1, 0.9), Said("absent", 1, 11, 0.9)] },
  ])
  func orderIsChecked(_ test: Case) {
    var parameters = PresenceDetector.Parameters.ticChatToe
    parameters.checksOrder = true
    #expect(Self.said(test.beats, parameters, until: test.end) == test.expected())
  }

  @Test func eventsStatePeerSilenceAndNewestReading() throws {
    let found = Self.detections(
      [Beat(time: 1, peer: 7), Beat(time: 3, peer: 7), Beat(time: 20, peer: 7)], .ticChatToe,
      until: 20)
    #expect(found.map(\.event.kind) == ["present", "absent", "present"])
    #expect(found.map(\.event.place) == [7, 7, 7])
    #expect(found[0].event.value.isNaN)
    #expect(found[1].event.value == 10 && found[2].event.value == 17)
    #expect(found[0].newestMeasured == Self.instant(0.9))
    // A deadline rests on no reading.
    #expect(found[1].newestMeasured == Self.instant(13))
  }

  // MARK: Accrual

  /// A peer alone, 21 heartbeats a second apart and so 20 intervals, then silence.
  private func accrual(
    _ change: (inout PresenceDetector.Parameters) -> Void = { _ in }
  ) -> PresenceDetector.Parameters {
    var parameters = PresenceDetector.Parameters()
    parameters.rule = .empirical
    parameters.expiry = 10
    parameters.threshold = 2
    parameters.warmUp = 20
    parameters.window = 40
    parameters.tailShare = 0.1
    parameters.minimumSilence = 0.5
    parameters.maximumSilence = 8
    change(&parameters)
    return parameters
  }

  @Test func aPeerIsGivenTheExpiryUntilItIsKnown() {
    let known = Self.steady(0...20)
    #expect(Self.said(known, accrual()).last == Said("absent", 1, 21, 19.9))
    let unknown = Self.steady(0...19)
    #expect(Self.said(unknown, accrual()).last == Said("absent", 1, 29, 18.9))
  }

  @Test func theFloorAndTheCapHold() {
    let steady = Self.steady(0...20)
    let floor = accrual { $0.minimumSilence = 3 }
    #expect(Self.said(steady, floor).last == Said("absent", 1, 23, 19.9))
    // Every other interval is 5 s: the tail is wide, and the cap holds.
    var uneven: [Beat] = []
    for index in 0..<20 {
      let start = Double(index) * 6
      uneven += [Beat(time: start), Beat(time: start + 1 + Double(index) / 8)]
    }
    let cap = accrual { $0.threshold = 16 }
    // The last one comes at 117.375.
    #expect(Self.said(uneven, cap).last == Said("absent", 1, 125.375, 117.275))
  }

  /// Eighteen intervals of 1 s and two of 3 s: the tail of a tenth starts at 1 s, and exceeds it by
  /// 2 s on average. 0.1 exp(-(t - 1) / 2) = 0.01 at t = 1 + 2 ln 10.
  @Test func theTailIsExponential() throws {
    var time = 0.0
    var beats = [Beat(time: 0)]
    for index in 0..<20 {
      time += index == 5 || index == 12 ? 3 : 1
      beats.append(Beat(time: time))
    }
    let said = Self.said(beats, accrual())
    let silence = 1 + 2 * 2.302585092994046
    #expect(abs(try #require(said.last).emitted - (time + silence)) < 2e-9)
    var detector = PresenceDetector(accrual(), places: [])
    var ignored: [Detection<PresenceEvent>] = []
    detector.ingest(contentsOf: Self.columns(beats), into: &ignored)
    func phi(_ silence: Double) -> Double? {
      detector.suspicion(of: 1, at: Self.instant(time + silence))
    }
    #expect(abs(try #require(phi(silence)) - 2) < 1e-9)
    #expect(abs(try #require(phi(1 + 2 * 3 * 2.302585092994046)) - 4) < 1e-9)
    #expect(try #require(phi(0.5)) == 0)
    #expect(phi(-1) == nil)
    #expect(detector.suspicion(of: 2, at: Self.instant(time)) == nil)
  }

  /// Longer intervals than are ever allowed were absences, and a batch is no interval.
  @Test func absencesAndBatchesAreNotLearned() {
    let absent = Self.steady(0...10) + Self.steady(40...50)
    #expect(Self.said(absent, accrual { $0.expiry = 8 }).last == Said("absent", 1, 51, 49.9))
    var batched: [Beat] = []
    for second in stride(from: 0.0, through: 20, by: 1) {
      for part in [0, 0.03, 0.06] {
        batched.append(Beat(time: second + part, sent: second + part))
      }
    }
    // 20 intervals of 0.94 s.
    let last = Self.said(batched, accrual()).last
    #expect(last == Said("absent", 1, 21, 20.06))
  }

  @Test func onlyTheNewestIntervalsCount() {
    let parameters = accrual { $0.window = 20 }
    let slow = Self.steady(0...60, every: 3)
    #expect(Self.said(slow, parameters).last == Said("absent", 1, 63, 59.9))
    let then = slow + Self.steady(61...80)
    #expect(Self.said(then, parameters).last == Said("absent", 1, 81, 79.9))
  }

  /// SciPy 1.17.1: mean and std (ddof=1) of 18 intervals of 1 s and two of 3 s are 1.2 and
  /// 0.6155870112510925; norm.isf(1e-2) = 2.3263478740408408, norm.isf(1e-8) = 5.612001244174789.
  @Test(arguments: [(2.0, 2.3263478740408408), (8, 5.612001244174789)])
  func normalIntervals(threshold: Double, quantile: Double) throws {
    var time = 0.0
    var beats = [Beat(time: 0)]
    for index in 0..<20 {
      time += index == 5 || index == 12 ? 3 : 1
      beats.append(Beat(time: time))
    }
    let parameters = accrual {
      $0.rule = .normal
      $0.threshold = threshold
    }
    let expected = time + 1.2 + 0.6155870112510925 * quantile
    #expect(abs(try #require(Self.said(beats, parameters).last).emitted - expected) < 2e-9)
    var detector = PresenceDetector(parameters, places: [])
    var ignored: [Detection<PresenceEvent>] = []
    detector.ingest(contentsOf: Self.columns(beats), into: &ignored)
    let phi = detector.suspicion(of: 1, at: Self.instant(expected))
    #expect(abs(try #require(phi) - threshold) < 1e-7)
  }

  // MARK: The observer

  /// Three steady peers that all fall silent at 30, and what is heard later.
  private func stall(_ later: [Beat], limit: Double = 30) -> [Said] {
    let parameters = accrual {
      $0.minimumSilence = 3
      $0.stallPeers = 2
      $0.stallLimit = limit
    }
    let beats = Self.merged(
      Self.steady(0...30, peer: 1), Self.steady(0...30, peer: 2), Self.steady(0...30, peer: 3),
      later)
    return Self.said(beats, parameters).filter { $0.emitted > 10 }
  }

  @Test func nobodyLeavesWhenTheObserverHearsNobody() {
    let heard = (1...3).map { Beat(time: 38, peer: Int32($0)) }
    let after = (1...3).flatMap { Self.steady(39...60, peer: Int32($0)) }
    // After the stall nothing is amiss, until all fall silent again; then the limit holds.
    let said = stall(Self.merged(heard, after))
    #expect(said.map(\.kind) == ["absent", "absent", "absent"])
    #expect(said.map(\.emitted) == [90, 90, 90])
    // The 8 s over the stall are not learned: the floor holds.
    let two = stall(
      Self.merged(heard, after.filter { $0.peer != 2 }, Self.steady(61...70, peer: 3)))
    #expect(two.first == Said("absent", 2, 41, 37.9))
    #expect(two.first { $0.peer == 1 } == Said("absent", 1, 63, 59.9))
  }

  @Test func peersStillSilentAfterAStallGetTheTimeOfTwoHeartbeats() {
    let said = stall(Self.merged(Self.steady(42...60, peer: 1), Self.steady(42...60, peer: 3)))
    #expect(said.first == Said("absent", 2, 44, 29.9))
  }

  @Test func aSuspectedStallEndsAtItsLimit() {
    #expect(
      stall([], limit: 20) == (1...3).map { Said("absent", $0, 50, 29.9) })
    // One that is too short for the deadline is none.
    #expect(stall([], limit: 3) == (1...3).map { Said("absent", $0, 33, 29.9) })
  }

  @Test func onePeerAloneDoesNotIndicateAStall() {
    let parameters = accrual { $0.stallPeers = 2 }
    #expect(Self.said(Self.steady(0...30), parameters).last == Said("absent", 1, 31, 29.9))
    // Nor do two, of whom one is on time.
    let other = Self.merged(Self.steady(0...30), Self.steady(0.5...40.5, peer: 2))
    #expect(
      Self.said(other, parameters, until: 41).last == Said("absent", 1, 31, 29.9))
  }

  @Test func stallsAreCounted() {
    var detector = PresenceDetector(accrual { $0.minimumSilence = 3 }, places: [])
    var ignored: [Detection<PresenceEvent>] = []
    let beats = Self.merged(
      Self.steady(0...30, peer: 1), Self.steady(0...30, peer: 2), [Beat(time: 42, peer: 1)])
    detector.ingest(contentsOf: Self.columns(beats), into: &ignored)
    #expect(
      detector.measurements == [
        Measurement("peers", 2, unit: ""), Measurement("stalls", 1, unit: ""),
      ])
    #expect(detector.presentPeers == [1, 2])
  }

  // MARK: Laws

  /// Any heartbeats at all, in the order of their arrival.
  static func anyBeats(_ random: inout SeededGenerator) -> [Beat] {
    let peers = 1 + Int(random.unit() * 12)
    var time = 0.0
    return (0..<400).map { _ in
      // Ties, and now and then a silence of everybody.
      let chance = random.unit()
      time += chance < 0.2 ? 0 : chance < 0.98 ? random.unit() * 0.6 : random.unit() * 20
      return Beat(
        time: (time * 1000).rounded() / 1000, peer: Int32(random.unit() * Double(peers)),
        sequence: Int64(random.unit() * 50) - 1, sent: time - random.unit() * 3)
    }
  }

  static func anyParameters(_ random: inout SeededGenerator) -> PresenceDetector.Parameters {
    var parameters = PresenceDetector.Parameters()
    parameters.rule = PresenceDetector.Rule.allCases[Int(random.unit() * 3)]
    parameters.warmUp = 2 + random.unit() * 10
    parameters.window = 2 + random.unit() * 30
    parameters.threshold = 1 + random.unit() * 3
    parameters.minimumSilence = random.unit() * 3
    parameters.maximumSilence = 2 + random.unit() * 10
    parameters.expiry = 1 + random.unit() * 10
    parameters.checksOrder = random.unit() < 0.5
    parameters.stallPeers = (random.unit() * 4).rounded()
    return parameters
  }

  static func run(
    _ detector: inout PresenceDetector, _ columns: HeartbeatColumns, limit: Int
  ) -> [Detection<PresenceEvent>] {
    var found: [Detection<PresenceEvent>] = []
    var rest = columns
    while !rest.isEmpty { detector.ingest(contentsOf: rest.popFirst(limit), into: &found) }
    while let deadline = detector.deadline {
      detector.advance(to: deadline, into: &found)
      #expect(detector.deadline.map { $0 > deadline } ?? true)
    }
    return found
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func blocksOfAnySizeAndShiftsInTimeChangeNothing(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let beats = Self.anyBeats(&random)
    let parameters = Self.anyParameters(&random)
    var whole = PresenceDetector(parameters, places: [])
    let found = Self.run(&whole, Self.columns(beats), limit: .max / 2)
    #expect(found.contains { $0.event.type == .absent }, "seed \(seed)")
    for limit in [1, 7] {
      var parts = PresenceDetector(parameters, places: [])
      #expect(Self.run(&parts, Self.columns(beats), limit: limit) == found, "seed \(seed)")
      #expect(parts.measurements == whole.measurements, "seed \(seed)")
    }
    let shift: Int64 = 123_456_789_012_345
    var shifted = PresenceDetector(parameters, places: [])
    let later = Self.run(&shifted, Self.columns(beats, shift: shift), limit: 64).map {
      Detection(
        onset: $0.onset.advanced(byNanoseconds: -shift),
        emitted: $0.emitted.advanced(byNanoseconds: -shift),
        newestMeasured: $0.newestMeasured.advanced(byNanoseconds: -shift), event: $0.event)
    }
    #expect(later == found, "seed \(seed)")
  }

  /// The events of a peer alternate, begin with `present`, and are in order of time.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func eventsOfAPeerAlternate(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let beats = Self.anyBeats(&random)
    let found = Self.detections(beats, Self.anyParameters(&random))
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.emitted <= $1.emitted }, "seed \(seed)")
    for (peer, events) in Dictionary(grouping: found, by: \.event.peer) {
      let kinds = events.map(\.event.type)
      #expect(
        kinds.enumerated().allSatisfy { $0.element == ($0.offset % 2 == 0 ? .present : .absent) },
        "seed \(seed), peer \(peer)")
      #expect(kinds.last == .absent, "seed \(seed), peer \(peer)")
    }
  }

  @Test(arguments: PresenceDetector.presets.map(\.name))
  func nothingGivesNothing(preset: String) throws {
    let parameters = try #require(PresenceDetector.preset(named: preset))
      .parameters(for: TraceHeader(id: "", origin: .recorded))
    var detector = PresenceDetector(parameters, places: [])
    var found: [Detection<PresenceEvent>] = []
    detector.ingest(contentsOf: HeartbeatColumns(), into: &found)
    detector.finish(at: Self.instant(100), into: &found)
    #expect(found.isEmpty && detector.deadline == nil && detector.presentPeers.isEmpty)
  }

  @Test func timesAndParametersWithoutSenseDoNotTrap() {
    for value in [0, -1, .nan, .infinity, 1e300] {
      for rule in PresenceDetector.Rule.allCases {
        var parameters = PresenceDetector.Parameters()
        parameters.rule = rule
        parameters.expiry = value
        parameters.threshold = value
        parameters.window = value
        parameters.warmUp = value
        parameters.tailShare = value
        parameters.minimumSilence = value
        parameters.maximumSilence = value
        parameters.stallLimit = value
        var detector = PresenceDetector(parameters, places: [])
        var found: [Detection<PresenceEvent>] = []
        for time in [Int64.min, -1, 0, 1, 1_000_000_000, .max] {
          detector.ingest(
            Heartbeat(peer: 1, sequence: .max), measured: TraceInstant(nanoseconds: .min),
            arrived: TraceInstant(nanoseconds: time), into: &found)
          detector.ingest(
            Heartbeat(peer: .min), measured: TraceInstant(nanoseconds: .max),
            arrived: TraceInstant(nanoseconds: time), into: &found)
        }
        #expect(found.first?.event.type == .present)
      }
    }
  }

  @Test func parametersHaveTheirNamesAndRanges() throws {
    let names = PresenceDetector.parameterFields.map(\.name)
    let stored = Mirror(reflecting: PresenceDetector.Parameters()).children.compactMap(\.label)
    #expect(names == stored.map(kebabCase))
    #expect(PresenceDetector.presets.map(\.name) == ["default", "ticChatToe", "phi"])
    for preset in PresenceDetector.presets {
      var parameters = preset.parameters(for: TraceHeader(id: "", origin: .recorded))
      let copy = parameters
      for field in PresenceDetector.parameterFields {
        try field.set(field.value(in: parameters), in: &parameters)
      }
      #expect(parameters == copy, "\(preset.name): a default out of its range")
    }
  }
}
