/// The late and missed deliveries of each device of a run, in flat arrays by the device's number.
///
/// A delivery on time touches one integer of four bytes: devices come in any order, so the smaller the
/// array, the nearer to the processor it is.
struct DeviceTiming: Sendable {
  /// They wrap after 4,294,967,295 deliveries of a device: at 100 Hz, after 497 days.
  private var counts: [UInt32]
  /// Without `count`, which is in `counts`; of late deliveries only.
  private var broken: [TimingCounts]

  /// - Parameter devices: their number; there may be more.
  init(devices: Int) {
    counts = Array(repeating: 0, count: devices)
    broken = Array(repeating: TimingCounts(), count: devices)
  }

  /// Counts steps. Without the checks of arrays, which would cost more than the sums: a large fleet has
  /// millions of deliveries per second.
  mutating func add(_ steps: [PendingStep], allowedLateness: Int64) {
    let most = steps.reduce(0) { max($0, $1.device) }
    if !steps.isEmpty, Int(most) >= counts.count { grow(to: Int(most)) }
    counts.withUnsafeMutableBufferPointer { counts in
      broken.withUnsafeMutableBufferPointer { broken in
        for step in steps {
          let (device, lateness) = (Int(step.device), step.began &- step.due)
          counts[device] &+= step.count
          if lateness > allowedLateness {
            broken[device].late &+= Int(step.count)
            broken[device].longest = max(broken[device].longest, lateness)
          }
        }
      }
    }
  }

  mutating func addDeadline(of device: Int, lateness: Int64, isLate: Bool, isMissed: Bool) {
    if device >= counts.count { grow(to: device) }
    counts[device] &+= 1
    if isLate { broken[device].addLate(1, by: lateness) }
    if isMissed { broken[device].missed += 1 }
  }

  @inline(never)
  mutating func addMissed(_ count: Int, of device: Int) {
    if device >= counts.count { grow(to: device) }
    broken[device].missed += count
  }

  @inline(never)
  private mutating func grow(to device: Int) {
    let more = device + 1 - counts.count
    counts += Array(repeating: 0, count: more)
    broken += Array(repeating: TimingCounts(), count: more)
  }

  /// By device; of those without a delivery, `count` is 0.
  var devices: [TimingCounts] {
    zip(counts, broken).map { count, broken in
      var device = broken
      device.count = Int(count)
      return device
    }
  }
}

package struct WorstDevice: Hashable, Sendable {
  package let device: Int
  package let counts: TimingCounts
  package let devices: Int
  /// Whether its own timing is worse than the limits, and not only the worst of many by chance.
  package let isShown: Bool

  /// Returns the device with the most improbable numbers of late and missed deliveries; among equal
  /// ones that with the longest lateness, then the first. nil if there are fewer than two devices, or
  /// none has a late or missed delivery.
  ///
  /// The worst of 60,000 devices has 26 late deliveries of 1,000 in the mean if each delivery of all is
  /// late with a probability of 1 %. The limits therefore count as broken for a device only where its
  /// numbers have a probability below 5 % / (2 n): with n devices and two limits each, that is at most
  /// 5 % for any of them (Bonferroni), if deliveries are late independently of each other.
  /// - Complexity: O(n), with a tail of the binomial distribution for each pair of numbers that occurs.
  init?(of all: [TimingCounts], by chance: TimingChance) {
    devices = all.count { $0.count > 0 }
    guard devices > 1 else { return nil }
    var known: [TimingCounts: Double] = [:]
    func probability(_ counts: TimingCounts) -> Double {
      var key = counts
      key.longest = 0
      if let found = known[key] { return found }
      let found = min(chance.ofLate(counts), chance.ofMissed(counts))
      known[key] = found
      return found
    }
    var worst: (device: Int, probability: Double)?
    for (device, counts) in all.enumerated() where counts.late + counts.missed > 0 {
      let probability = probability(counts)
      if let found = worst,
        (found.probability, -all[found.device].longest) <= (probability, -counts.longest)
      {
        continue
      }
      worst = (device, probability)
    }
    guard let worst else { return nil }
    device = worst.device
    counts = all[worst.device]
    isShown = worst.probability < TimingChance.level / Double(2 * devices)
  }
}
