import Detectors
import TraceModel

/// The readings of a channel in transport, in the order of their arrival.
struct Shipment {
  struct Parcel {
    var position: Int
    var measured: Int64
    var arrived: Int64
  }

  private(set) var parcels: [Parcel]
  private(set) var report: ChannelDelivery

  init(of block: ChannelBlock, channel: Channel) {
    let measured = block.measuredTimes
    let arrived = block.arrivedTimes ?? measured
    parcels = block.range.map {
      Parcel(position: $0, measured: measured[$0], arrived: arrived[$0])
    }
    report = ChannelDelivery(channel: channel)
    report.recorded = parcels.count
    countDelivered()
  }

  /// Returns the remaining readings as columns.
  func block(from block: ChannelBlock) -> ChannelBlock {
    let isDelayed = parcels.contains { $0.arrived != $0.measured }
    return block.gathering(
      parcels.map(\.position),
      times: TimeColumns(
        measured: parcels.map(\.measured), arrived: isDelayed ? parcels.map(\.arrived) : nil))
  }

  /// Sorts by arrival. Ties are broken by position: Swift does not guarantee a stable sort.
  private mutating func sort() {
    let order = parcels.indices.sorted {
      (parcels[$0].arrived, $0) < (parcels[$1].arrived, $1)
    }
    parcels = order.map { parcels[$0] }
  }

  private mutating func countDelivered() {
    report.delivered = parcels.count
    report.longestWait = parcels.map { $0.arrived.subtractingClamped($0.measured) }.max()
  }

  /// Omits the fixes that are too soon after the last delivered one, or too near to it.
  /// - Parameter distance: the minimum distance in metres; 0 = any, also for invalid positions.
  mutating func throttle(interval: Int64, distance: Double, fixes: FixColumns?) {
    var last: (arrived: Int64, fix: Fix?)?
    func isFarEnough(_ fix: Fix?) -> Bool {
      guard distance > 0, let fix else { return true }
      guard let before = last?.fix else {
        // No distance can be measured from here, so this fix must not suppress the following ones.
        return Position(fix).isValid
      }
      return Position(before).distance(to: Position(fix)) >= distance
    }
    parcels = parcels.filter { parcel in
      let isSoon = last.map { parcel.arrived.subtractingClamped($0.arrived) < interval } ?? false
      let fix = fixes?[parcel.position]
      guard !isSoon, isFarEnough(fix) else { return false }
      last = (parcel.arrived, fix)
      return true
    }
    report.throttled = report.recorded - parcels.count
  }

  mutating func lose(_ probability: Double, burst: Int, chance: SeededGenerator) {
    guard probability > 0 else { return }
    var random = chance.branch("lost")
    var remaining = 0
    let before = parcels.count
    parcels = parcels.filter { _ in
      // Drawn each time, so that a longer burst does not shift later losses.
      let startsLoss = random.unit() < probability
      if remaining == 0, startsLoss { remaining = burst }
      guard remaining > 0 else { return true }
      remaining -= 1
      return false
    }
    report.lost = before - parcels.count
  }

  mutating func duplicate(_ probability: Double, chance: SeededGenerator) {
    guard probability > 0 else { return }
    var random = chance.branch("duplicated")
    let before = parcels.count
    parcels = parcels.flatMap { random.unit() < probability ? [$0, $0] : [$0] }
    report.duplicated = parcels.count - before
  }

  /// - Parameter jitter: the mean of the additional delay in seconds.
  mutating func delay(_ delay: Int64, jitter: Double, chance: SeededGenerator) {
    guard delay > 0 || jitter > 0 else { return }
    var random = chance.branch("jitter")
    var last = Int64.min
    for index in parcels.indices {
      // The inverse of the distribution function: s ((1 - u)^(-1/4) - 1), s = 3 means.
      let tail = 1 / (1 - random.unit()).squareRoot().squareRoot() - 1
      let extra = max(Int64(nanosecondsFromSeconds: 3 * jitter * tail) ?? .max, 0)
      last = max(last, parcels[index].arrived.addingClamped(delay).addingClamped(extra))
      parcels[index].arrived = last
    }
  }

  mutating func overtake(_ probability: Double, by delay: Int64, chance: SeededGenerator) {
    guard probability > 0 else { return }
    var random = chance.branch("late")
    for index in parcels.indices where random.unit() < probability {
      parcels[index].arrived = parcels[index].arrived.addingClamped(delay)
      report.late += 1
    }
    sort()
  }

  /// - Parameters:
  ///   - count: the length of the queue in readings; nil = unlimited.
  ///   - latency: the maximum waiting time in ns; nil = only a full queue is delivered.
  mutating func batch(count: Int?, latency: Int64?) {
    guard count != nil || latency != nil else { return }
    var start = 0
    while start < parcels.count {
      let due = latency.map { parcels[start].arrived.addingClamped($0) }
      var end = start
      while end < parcels.count, end - start < count ?? .max,
        due.map({ parcels[end].arrived <= $0 }) ?? true
      {
        end += 1
      }
      let isFull = end - start == count
      guard let delivery = isFull ? parcels[end - 1].arrived : due else {
        // The queue waits for readings that never arrive.
        report.undelivered += end - start
        parcels.removeSubrange(start...)
        return
      }
      for index in start..<end { parcels[index].arrived = delivery }
      start = end
    }
  }

  /// - Parameter tick: the period in ns; 0 = immediately.
  mutating func fetch(everyTick tick: Int64) {
    guard tick > 0 else { return }
    for index in parcels.indices {
      let time = parcels[index].arrived
      let past = time % tick
      // Round up to the next multiple: the remainder has the sign of the time.
      let wait = past > 0 ? tick - past : -past
      parcels[index].arrived = time.addingClamped(wait)
    }
  }
}

/// The sleep times of the app: once per cycle, at its end or somewhat earlier.
struct SleepSchedule {
  /// The awake time in nanoseconds, 0 or more.
  let awake: Int64
  /// The sleep time in nanoseconds, above 0.
  let asleep: Int64
  /// The spread, 0...1.
  let spread: Double
  let chance: SeededGenerator

  /// Returns when the app wakes up if it sleeps at `time`; nil if it is awake.
  func wakeUp(after time: Int64) -> Int64? {
    let cycle = awake.addingClamped(asleep)
    let remainder = time % cycle
    let elapsed = remainder < 0 ? remainder + cycle : remainder
    let sleepStart = awake - shift(inCycleFrom: time.subtractingClamped(elapsed))
    guard elapsed >= sleepStart, elapsed - sleepStart < asleep else { return nil }
    return time.addingClamped(asleep - (elapsed - sleepStart))
  }

  /// Returns how much earlier the sleep begins in the cycle that starts at `start`.
  private func shift(inCycleFrom start: Int64) -> Int64 {
    guard spread > 0 else { return 0 }
    var random = chance.branch(UInt64(bitPattern: start))
    let shift = Double(awake) * spread * random.unit()
    return min(Int64(exactly: shift.rounded(.down)) ?? awake, awake)
  }
}

extension Shipment {
  /// - Parameter limit: the number of readings kept per sleep; nil = all.
  mutating func suspend(_ schedule: SleepSchedule, rule: SleepRule, limit: Int?) {
    guard rule != .deliver else { return }
    var kept: [Parcel] = []
    var start = 0
    while start < parcels.count {
      let wakeUp = schedule.wakeUp(after: parcels[start].arrived)
      var end = start + 1
      guard let wakeUp else {
        kept.append(parcels[start])
        start = end
        continue
      }
      while end < parcels.count, schedule.wakeUp(after: parcels[end].arrived) == wakeUp { end += 1 }
      let held = rule == .drop ? 0 : min(limit ?? .max, end - start)
      if !report.channel.isSensor {
        report.unfed.append(wakeUp.subtractingClamped(schedule.asleep)...wakeUp)
      }
      for var parcel in parcels[(end - held)..<end] {
        parcel.arrived = wakeUp
        kept.append(parcel)
      }
      report.held += held
      report.dropped += end - start - held
      start = end
    }
    parcels = kept
  }

  mutating func end(at end: Int64) {
    let before = parcels.count
    parcels.removeAll { $0.arrived > end }
    report.undelivered += before - parcels.count
    countDelivered()
  }

  /// The positions in the block of the readings that are not omitted so far.
  var positions: [Int] { parcels.map(\.position) }

  /// Records the stretches in which the app received no readings, from the first lost reading to
  /// the next that arrives, if the silence is longer than three periods.
  ///
  /// An omitted fix counts as lost if the last fix before it that was not omitted is lost;
  /// otherwise the service was watching and would have delivered a fix that the app wants. Times
  /// are those of the sensor, so a wait or a wrong clock changes nothing.
  /// - Parameter wanted: the positions of the readings that the service did not omit.
  mutating func markUnfed(of block: ChannelBlock, wanted: [Int], end: Int64) {
    let first = block.range.lowerBound
    var isLost = [Bool?](repeating: nil, count: block.count)
    for position in wanted { isLost[position - first] = true }
    for parcel in parcels { isLost[parcel.position - first] = false }
    guard isLost.contains(true) else { return }
    var readings: [(time: Int64, isLost: Bool)] = []
    readings.reserveCapacity(block.count)
    for position in block.range {
      let before = readings.last?.isLost ?? false
      readings.append((block.measuredTimes[position], isLost[position - first] ?? before))
    }
    if !zip(readings, readings.dropFirst()).allSatisfy({ $0.time <= $1.time }) {
      readings.sort { ($0.time, $0.isLost ? 1 : 0) < ($1.time, $1.isLost ? 1 : 0) }
    }
    let period = SensorPeriod(wanted.map { block.measuredTimes[$0] }.sorted()[...])
    var (last, start): (Int64?, Int64?)
    func close(at time: Int64) {
      guard let lost = start, time > lost else { return }
      guard period.isSilence(time.subtractingClamped(last ?? lost)) else { return }
      report.unfed.append(lost...time)
    }
    for (time, isLost) in readings {
      if isLost {
        start = start ?? time
      } else {
        close(at: time)
        (last, start) = (time, nil)
      }
    }
    close(at: end)
  }

  /// - Parameter drift: parts per million.
  mutating func setClock(step: Int64, at instant: Int64, drift: Double) {
    guard step != 0 || drift != 0 else { return }
    for index in parcels.indices {
      let time = parcels[index].measured
      let gain = (Double(time) * (drift / 1_000_000)).rounded(.toNearestOrEven)
      var shown = time.addingClamped(Int64(exactly: gain) ?? (gain < 0 ? .min : .max))
      if time >= instant { shown = shown.addingClamped(step) }
      parcels[index].measured = shown
    }
  }
}
