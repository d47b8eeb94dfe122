import Detectors
import Replay
import Testing
import TraceModel

/// What holds for every delivery, on random traces and with random parts.
@Suite struct DeliveryLawTests {
  /// Two sensors, fixes and actions at random times; arrivals are later than measured in half of
  /// the traces.
  private func randomTrace(_ random: inout SeededGenerator) -> Trace {
    var header = TraceHeader(id: "random", origin: .synthetic)
    header.end = TraceInstant(nanoseconds: 10_000 * millisecond)
    var trace = Trace(header: header)
    let isLate = random.unit() < 0.5
    func times() -> TimeColumns {
      var time = Int64.random(in: -50...50, using: &random) * millisecond
      var arrival = Int64.min
      var columns = VectorColumns()
      for _ in 0..<Int.random(in: 0...80, using: &random) {
        time += [0, 1, 7_000_000, 20_000_000, 400_000_000].randomElement(using: &random)!
        arrival = max(arrival, time + (isLate ? Int64.random(in: 0...9_999, using: &random) : 0))
        columns.append(Vector3(x: 0, y: 0, z: 0), measured: time, arrived: arrival)
      }
      return columns.times
    }
    for channel in [Channel.acceleration, .userAcceleration] {
      let times = times()
      let values = times.measured.indices.map(Float.init)
      trace.set(.vector(VectorColumns(times: times, x: values, y: values, z: values)), for: channel)
    }
    let fixTimes = times()
    trace.set(
      .fix(
        FixColumns(
          times: fixTimes,
          values: fixTimes.measured.indices.map {
            // No NaN, which would be equal to nothing.
            Fix(
              latitude: Double($0) * 1e-5 * random.unit(), longitude: 15, altitude: 0,
              horizontalAccuracy: 5, speed: 0, speedAccuracy: 0, course: 0)
          })), for: .location)
    let actionTimes = times()
    trace.set(
      .action(
        ActionColumns(times: actionTimes, values: actionTimes.measured.map { _ in .confirm })),
      for: .action)
    return trace
  }

  private func randomDelivery(_ random: inout SeededGenerator) -> Delivery {
    var delivery = Delivery()
    func maybe(_ change: (inout Delivery) -> Void) {
      if random.unit() < 0.4 { change(&delivery) }
    }
    func scope() -> DeliveryScope { DeliveryScope.allCases.randomElement(using: &random)! }
    func rule() -> SleepRule { SleepRule.allCases.randomElement(using: &random)! }
    maybe { $0.minInterval = random.unit() }
    maybe { $0.minDistance = 5 * random.unit() }
    maybe { ($0.lost, $0.lostBurst) = (random.unit() / 3, 1 + 4 * random.unit()) }
    maybe { $0.duplicated = random.unit() / 2 }
    maybe { $0.delay = random.unit() / 4 }
    maybe { $0.jitter = random.unit() / 4 }
    maybe { ($0.late, $0.lateDelay) = (random.unit() / 2, random.unit()) }
    maybe { $0.batchCount = 20 * random.unit() }
    maybe { $0.batchLatency = random.unit() }
    maybe { $0.tick = random.unit() / 8 }
    maybe { ($0.awake, $0.asleep, $0.sleepSpread) = (random.unit(), random.unit(), random.unit()) }
    maybe { $0.holdLimit = 4 * random.unit() }
    (delivery.transport, delivery.queue) = (scope(), scope())
    (delivery.sensorsAsleep, delivery.locationAsleep) = (rule(), rule())
    return delivery
  }

  private func apply(
    _ delivery: Delivery, _ trace: Trace, seed: UInt64 = 1, device: Int = 0
  ) -> (trace: Trace, report: DeliveryReport) {
    delivery.apply(to: trace, seed: seed, device: DeviceID(device))
  }

  private static let channels: [Channel] = [.acceleration, .userAcceleration, .location]

  @Test func holdOnRandomTraces() throws {
    for seed in UInt64(0)..<400 {
      var random = SeededGenerator(seed: seed)
      let trace = randomTrace(&random)
      let delivery = randomDelivery(&random)
      let (delivered, report) = apply(delivery, trace, seed: seed)
      let again = apply(delivery, trace, seed: seed)
      #expect(again.trace == delivered && again.report == report, "seed \(seed)")
      #expect(delivered.header.end == trace.header.end)
      #expect(report.channels.map(\.channel) == Self.channels)
      for channel in Self.channels {
        try checkChannel(channel, of: trace, delivered, report, "seed \(seed), \(channel)")
      }
      // What a person does is not delayed.
      #expect(delivered[.action] == trace[.action], "seed \(seed)")
    }
  }

  private func checkChannel(
    _ channel: Channel, of trace: Trace, _ delivered: Trace, _ report: DeliveryReport,
    _ comment: Comment
  ) throws {
    let old = try #require(trace[channel])
    let new = try #require(delivered[channel])
    let counts = try #require(report[channel])
    #expect(counts.recorded == old.count, comment)
    #expect(counts.delivered == new.count, comment)
    let sum =
      counts.delivered + counts.lost + counts.throttled + counts.dropped + counts.undelivered
    #expect(sum - counts.duplicated == counts.recorded, comment)
    let arrived = new.arrivedTimes ?? new.measuredTimes
    #expect(arrived == arrived.sorted(), comment)
    #expect(zip(arrived, new.measuredTimes).allSatisfy { $0 >= $1 }, comment)
    if counts.delivered < counts.recorded || old.arrivedTimes != new.arrivedTimes {
      #expect(arrived.allSatisfy { $0 <= delivered.header.end.nanoseconds }, comment)
    }
    #expect(
      counts.longestWait == zip(arrived, new.measuredTimes).map { $0 - $1 }.max(), comment)
    // No reading is invented, and none comes more than twice.
    var left: [String: Int] = [:]
    for position in old.range {
      left["\(old.measuredTimes[position]) \(old.value(at: position))", default: 0] += 2
    }
    for position in new.range {
      left["\(new.measuredTimes[position]) \(new.value(at: position))", default: 0] -= 1
    }
    #expect(left.values.allSatisfy { $0 >= 0 }, comment)
    #expect(left.values.count { $0 == 0 } <= counts.duplicated, comment)
  }

  @Test func theIdealOneIsTheIdentity() throws {
    #expect(Delivery().isIdeal)
    for seed in UInt64(0)..<50 {
      var random = SeededGenerator(seed: seed)
      let trace = randomTrace(&random)
      let (delivered, report) = apply(Delivery(), trace, seed: seed)
      #expect(delivered == trace, "seed \(seed)")
      #expect(report.channels.allSatisfy { $0.delivered == $0.recorded }, "seed \(seed)")
      // Parts that are there but have no one to concern, and queues of one, change nothing.
      var idle = Delivery()
      (idle.lost, idle.transport, idle.batchCount, idle.awake) = (1, .network, 1, 5)
      #expect(apply(idle, trace, seed: seed).trace == trace, "seed \(seed)")
    }
  }

  @Test func seedsAndDevicesDiffer() throws {
    let samples = Array(Int64(0)..<200)
    let lossy = delivery { $0.lost = 0.5 }
    var seen: Set<[[Int64]]> = []
    for seed in UInt64(0)..<20 {
      for device in 0..<5 {
        seen.insert(
          times(
            apply(lossy, trace(samples: samples, end: 200), seed: seed, device: device).trace)
        )
      }
    }
    #expect(seen.count == 100)
  }

  @Test func aChannelDoesNotDependOnAnother() throws {
    for seed in UInt64(0)..<100 {
      var random = SeededGenerator(seed: seed)
      let trace = randomTrace(&random)
      let delivery = randomDelivery(&random)
      let whole = apply(delivery, trace, seed: seed).trace
      for channel in Self.channels {
        var alone = trace
        for other in Self.channels where other != channel { alone.remove(other) }
        #expect(
          apply(delivery, alone, seed: seed).trace[channel] == whole[channel], "seed \(seed)")
      }
    }
    // Two equal channels have independent draws.
    var twins = trace(samples: Array(Int64(0)..<200), end: 200)
    twins.set(try #require(twins[.userAcceleration]), for: .acceleration)
    let lossy = apply(delivery { $0.lost = 0.5 }, twins).trace
    #expect(times(lossy, .acceleration) != times(lossy, .userAcceleration))
    // But they sleep together.
    let sleepy = apply(
      delivery {
        ($0.awake, $0.asleep, $0.sleepSpread, $0.sensorsAsleep) = (0.03, 0.01, 1, .drop)
      }, twins
    ).trace
    #expect(times(sleepy, .acceleration) == times(sleepy, .userAcceleration))
    #expect(times(sleepy, .acceleration).count == 150)
  }

  @Test func extremesDoNotTrap() throws {
    let extremes: [Int64] = [
      .min, .min + 1, -9_200_000_000_000_000_000, -1, 0, 1, 9_200_000_000_000_000_000, .max - 1,
      .max,
    ]
    var deliveries = Delivery.presets.map(\.delivery)
    for field in Delivery.fields {
      guard case .number(_, let range) = field.kind else { continue }
      for bound in [range.lowerBound, range.upperBound] {
        for base in [Delivery(), Delivery.preset(named: "harsh")?.delivery ?? Delivery()] {
          var delivery = base
          try field.set(.number(bound), in: &delivery)
          deliveries.append(delivery)
        }
      }
    }
    // Values that no suite can state.
    for value in [Double.nan, -.infinity, .infinity, -1, 1e-300, 1e300] {
      for path in Self.numbers {
        var delivery = Delivery.preset(named: "harsh")?.delivery ?? Delivery()
        delivery[keyPath: path] = value
        deliveries.append(delivery)
      }
    }
    for end in [Int64.min, 0, .max] {
      var trace = Trace(header: TraceHeader(id: "extreme", origin: .synthetic))
      trace.header.end = TraceInstant(nanoseconds: end)
      let times = TimeColumns(measured: extremes)
      trace.set(.vector(VectorColumns()), for: .acceleration)
      trace.set(
        .vector(
          VectorColumns(
            times: times, x: extremes.map(Float.init), y: extremes.map(Float.init),
            z: extremes.map(Float.init))), for: .userAcceleration)
      trace.set(
        .fix(
          FixColumns(
            times: times,
            values: extremes.map { Fix(latitude: Double($0), longitude: .infinity) })),
        for: .location)
      for delivery in deliveries {
        let report = apply(delivery, trace).report
        for counts in report.channels {
          let sum =
            counts.delivered + counts.lost + counts.throttled + counts.dropped
            + counts.undelivered - counts.duplicated
          #expect(sum == counts.recorded)
        }
        #expect(report[.acceleration]?.longestWait == nil)
      }
    }
  }

  private static var numbers: [WritableKeyPath<Delivery, Double>] {
    [
      \.minInterval, \.minDistance, \.lost, \.lostBurst, \.duplicated, \.delay, \.jitter, \.late,
      \.lateDelay, \.batchCount, \.batchLatency, \.tick, \.awake, \.asleep, \.sleepSpread,
      \.holdLimit, \.clockStep, \.clockStepAt, \.clockDrift,
    ]
  }

  /// It is left to the run to say so, where it reads the channel.
  @Test func backwardArrivalsStayBackward() {
    let bad = trace(samples: [0, 10, 20, 15, 30], end: 100)
    let delivered = apply(delivery { $0.delay = 1 }, bad).trace
    #expect(delivered == bad)
    #expect(throws: TraceError.self) {
      try VirtualRun<SilenceDetector>.run(.init(), on: MemorySource(delivered))
    }
  }
}

/// The deliveries that have a name.
@Suite struct DeliveryPresetTests {
  @Test func valuesAreWithinTheirFields() throws {
    let names = Delivery.presets.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Set(Delivery.fields.map(\.name)).count == Delivery.fields.count)
    for preset in Delivery.presets {
      // Built again from the ideal one by names and values, ranges checked.
      var again = Delivery()
      for field in Delivery.fields { try field.set(field.value(in: preset.delivery), in: &again) }
      #expect(again == preset.delivery, "\(preset.name)")
      #expect(preset.delivery.isIdeal == (preset.name == "ideal"), "\(preset.name)")
      if !preset.delivery.isIdeal {
        #expect(!preset.assumed.isEmpty)
        #expect(preset.published.allSatisfy { $0.hasSuffix(")") }, "\(preset.name)")
      }
    }
  }

  /// Three thousand readings fill Android's queue only where they come at 300 Hz or more: at
  /// 100 Hz the latency of 10 s is over after 1,001 of them.
  @Test func androidsQueueIsFullOrItsLatencyIsOver() throws {
    let preset = try #require(Delivery.preset(named: "android-batched")).delivery
    func batches(_ interval: Int) throws -> [Int64: Int] {
      let samples = Array(stride(from: Int64(0), to: 40_000, by: interval))
      let delivered = preset.apply(to: trace(samples: samples, end: 40_000)).trace
      return times(delivered).reduce(into: [:]) { $0[$1[1], default: 0] += 1 }
    }
    // 0...10,000 ms, 10,010...20,010, 20,020...30,020; the fourth would come at 40,030.
    #expect(try batches(10) == [10_000: 1001, 20_010: 1001, 30_020: 1001])
    // At 500 Hz 3,000 readings take 5,998 ms; six times that, and the seventh is cut off.
    #expect(
      try batches(2) == [
        5998: 3000, 11_998: 3000, 17_998: 3000, 23_998: 3000, 29_998: 3000, 35_998: 3000,
      ])
  }
}
