public import TraceModel

extension Delivery {
  /// Returns the trace as the app receives it, and a report. Each channel is in the order of its
  /// arrivals, with ties in the order of the trace; measured times may then decrease.
  ///
  /// The random draws depend on the seed, the device, the channel and the part of the delivery, so
  /// channels do not influence each other. The sleep times of the app are the same for all channels
  /// of a device.
  ///
  /// A channel whose arrivals decrease in `trace` is unchanged: a run that reads it reports the
  /// error.
  ///
  /// O(n log n). No time traps; sums are clamped to the axis.
  public func apply(
    to trace: Trace, seed: UInt64 = 1, device: DeviceID = DeviceID(0)
  ) -> (trace: Trace, report: DeliveryReport) {
    let chance = SeededGenerator(seed: seed).branch("device \(device.index)")
    var delivered = trace
    var report = DeliveryReport()
    for info in trace.header.channels {
      guard let block = trace[info.channel], let group = DeliveryGroup(info.channel) else {
        continue
      }
      var shipment = Shipment(of: block, channel: info.channel)
      if affects(group), block.isInOrder {
        run(&shipment, of: block, group: group, end: trace.header.end.nanoseconds, chance: chance)
        delivered.set(shipment.block(from: block), for: info.channel, attributes: info.attributes)
      }
      report.channels.append(shipment.report)
    }
    return (delivered, report)
  }

  /// Whether any part changes channels of this group.
  func affects(_ group: DeliveryGroup) -> Bool {
    if group == .location, minInterval > 0 || minDistance > 0 { return true }
    let isTransported = lost > 0 || duplicated > 0 || delay > 0 || jitter > 0 || late > 0
    if transport.contains(group), isTransported { return true }
    let isQueued = batchCount >= 2 || batchLatency > 0 || tick > 0
    if queue.contains(group), isQueued { return true }
    if asleep > 0, sleepRule(of: group) != .deliver { return true }
    return clockStep != 0 || clockDrift != 0
  }

  func sleepRule(of group: DeliveryGroup) -> SleepRule {
    switch group {
    case .sensors: sensorsAsleep
    case .location: locationAsleep
    case .network: networkAsleep
    }
  }

  /// Applies the parts in order.
  private func run(
    _ shipment: inout Shipment, of block: ChannelBlock, group: DeliveryGroup, end: Int64,
    chance: SeededGenerator
  ) {
    let own = chance.branch(shipment.report.channel.name)
    if group == .location, minInterval > 0 || minDistance > 0 {
      shipment.throttle(
        interval: nanoseconds(minInterval), distance: minDistance, fixes: FixColumns(block))
    }
    let wanted = shipment.positions
    if transport.contains(group) {
      shipment.lose(lost, burst: count(lostBurst), chance: own)
      shipment.duplicate(duplicated, chance: own)
      shipment.delay(nanoseconds(delay), jitter: jitter, chance: own)
      shipment.overtake(late, by: nanoseconds(lateDelay), chance: own)
    }
    if queue.contains(group) {
      shipment.batch(
        count: batchCount < 1 ? nil : count(batchCount),
        latency: batchLatency > 0 ? nanoseconds(batchLatency) : nil)
      shipment.fetch(everyTick: nanoseconds(tick))
    }
    if let schedule = sleepSchedule(chance: chance.branch("sleep")) {
      shipment.suspend(
        schedule, rule: sleepRule(of: group), limit: holdLimit < 1 ? nil : count(holdLimit))
    }
    shipment.end(at: end)
    if group != .network { shipment.markUnfed(of: block, wanted: wanted, end: end) }
    shipment.setClock(
      step: nanoseconds(clockStep), at: nanoseconds(clockStepAt), drift: clockDrift)
  }

  private func sleepSchedule(chance: SeededGenerator) -> SleepSchedule? {
    let asleep = nanoseconds(asleep)
    guard asleep > 0 else { return nil }
    return SleepSchedule(
      awake: max(nanoseconds(awake), 0), asleep: asleep, spread: sleepSpread, chance: chance)
  }
}

/// Converts a parameter in seconds to nanoseconds, clamped.
private func nanoseconds(_ seconds: Double) -> Int64 {
  Int64(nanosecondsFromSeconds: seconds) ?? (seconds > 0 ? .max : seconds < 0 ? .min : 0)
}

/// Converts a parameter to a count of at least 1.
private func count(_ value: Double) -> Int { value < 1e15 ? Int(max(value, 1)) : .max }

extension SeededGenerator {
  /// Returns a generator for `name` that is independent of past and future draws of this one and of
  /// all other branches.
  func branch(_ name: String) -> SeededGenerator {
    // FNV-1a (Fowler, Noll, Vo): the name's hash must be the same in every process.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return branch(hash)
  }

  /// Returns such a generator for a number.
  func branch(_ key: UInt64) -> SeededGenerator {
    var root = self
    var keyed = SeededGenerator(seed: root.next() ^ key)
    return keyed.split()
  }
}
