import Histogram

/// Whether the timing of a run is valid, with the reasons if not. The detections are always valid.
///
/// Deliveries and deadlines are judged together, then deadlines alone, so that thousands of readings do
/// not hide the few deadlines, then each device.
package struct TimingVerdict: Hashable, Sendable {
  package enum Outcome: String, Hashable, Sendable {
    case valid = "VALID"
    case invalid = "INVALID"
    /// No limit is broken, but there are too few deliveries to bound the 99th percentile.
    case insufficient = "INSUFFICIENT"
    /// Nothing was delivered, or there is no period to compare the lateness with.
    case notJudged = "NOT JUDGED"
  }

  package enum Fault: String, Hashable, Sendable {
    case late, missed
    case lateDeadlines = "late_deadlines"
    case missedDeadlines = "missed_deadlines"
    case device
  }

  /// The period in nanoseconds between two deliveries of the fastest channel at the run's rate; nil
  /// = unknown.
  package let period: Double?
  /// The 99th percentile of the lateness in ns, of deliveries and deadlines; nil with fewer than
  /// ``TimingCounts/fewest`` instants.
  package let lateness: UInt64?
  /// Deliveries and deadlines.
  package let all: TimingCounts
  package let deadlines: TimingCounts
  /// The number of deliveries and deadlines, with each batch as one.
  package let instants: Int
  /// nil without a device that has late deliveries, or with a single device.
  package let worstDevice: WorstDevice?
  /// Whether the rate stayed the same.
  let hasOnePeriod: Bool
  package let limits: TimingLimits
  package let outcome: Outcome
  /// The broken limits; empty if the timing is not invalid.
  package let faults: [Fault]

  /// - Parameter hasOnePeriod: false = the rate was changed meanwhile, so nothing can be judged.
  package init(_ timing: TimingRecorder, hasOnePeriod: Bool = true) {
    self.hasOnePeriod = hasOnePeriod
    period = hasOnePeriod ? timing.terms.period : nil
    limits = timing.terms.limits
    all = timing.all
    deadlines = timing.deadlines
    instants = timing.instants
    lateness =
      instants < TimingCounts.fewest ? nil : timing.latenessOfAll.valueAtPercentile(99)
    guard all.count > 0, period != nil else {
      (outcome, faults, worstDevice) = (.notJudged, [], nil)
      return
    }
    let chance = TimingChance(missed: limits.missed, batch: Double(all.count) / Double(instants))
    worstDevice = WorstDevice(of: timing.devices, by: chance)
    let faults =
      TimingVerdict.faults(all, isEnough: instants >= TimingCounts.fewest, chance)
      + TimingVerdict.faultsOfDeadlines(deadlines, chance)
      + (worstDevice?.isShown == true ? [.device] : [])
    self.faults = faults
    outcome =
      !faults.isEmpty ? .invalid : instants < TimingCounts.fewest ? .insufficient : .valid
  }

  /// The same where a table has it, too: with ten deliveries or more beyond it.
  package var shownLateness: UInt64? { all.count >= 1000 ? lateness : nil }

  /// The shares against the limits. What was missed breaks its limit only where chance does not explain
  /// it, in any number: 1 of 462 is more than 0.1 %, and comes with a probability of 37 %. So does what was
  /// late of too few deliveries.
  private static func faults(
    _ counts: TimingCounts, isEnough: Bool, _ chance: TimingChance
  ) -> [Fault] {
    guard let late = counts.lateShare else { return [] }
    let isLate =
      isEnough
      ? late > TimingCounts.allowedLateShare : chance.ofLate(counts) < TimingChance.level
    let isMissed = chance.ofMissed(counts) < TimingChance.level
    return (isLate ? [.late] : []) + (isMissed ? [.missed] : [])
  }

  /// As deliveries, one after another. A missed one is too many in any number up to 1,000: it is a
  /// wrong answer of its own, and no run has enough of them to wait for a proof.
  private static func faultsOfDeadlines(
    _ deadlines: TimingCounts, _ chance: TimingChance
  ) -> [Fault] {
    let chance = TimingChance(missed: chance.missed, batch: 1)
    let isEnough = deadlines.count >= TimingCounts.fewest
    let isLate = faults(deadlines, isEnough: isEnough, chance).contains(.late)
    let isMissed = deadlines.missedShare.map { $0 > chance.missed } ?? false
    return (isLate ? [.lateDeadlines] : []) + (isMissed ? [.missedDeadlines] : [])
  }
}
