import ArgumentParser
import Diagnostics
import Evaluation
import Foundation
import Pacing
import Reports
import Scoring
import Speed

struct GateTimingOptions: ParsableArguments {
  @Flag(help: "Compare accuracy only.") var noTiming = false

  @Option(help: .init("Pairs of processes for the timing, fixed beforehand; default: 16.", "count"))
  var pairs: Int?

  @Flag(help: "Run a fleet of each side in real time too, and report missed periods.")
  var fleet = false

  @Option(
    help: .init(
      "Compare the base with itself this many times, and store the false alarms in the history.",
      "count"))
  var equalSides: Int?

  func plan(_ rules: GateRules) -> SpeedPlan {
    var plan = SpeedPlan()
    plan.pairs = pairs ?? plan.pairs
    plan.timeMargin = rules.time ?? plan.timeMargin
    plan.programMargin = rules.programTime ?? plan.programMargin
    plan.wallMargin = rules.programWall ?? plan.wallMargin
    plan.instructionMargin = rules.instructions ?? plan.instructionMargin
    if fleet || rules.missedPeriods != nil {
      plan.fleet = SpeedPlan.Fleet(margin: rules.missedPeriods)
    }
    return plan
  }
}

extension GateSide {
  /// The program for the comparison of speed; nil = stored results.
  var speedSide: SpeedSide? {
    results == nil ? SpeedSide(title, executable: program, arguments: arguments) : nil
  }
}

/// The timing half of a gate, measured or not.
struct GateTiming {
  var comparison: SpeedComparison?
  var checks: [GateCheck] = []
  var notes: [String] = []

  init(notes: [String] = []) { self.notes = notes }

  init(_ comparison: SpeedComparison, _ rules: GateRules) {
    self.comparison = comparison
    notes = comparison.notes
    checks = comparison.checks
    let missing = comparison.instructionsMissing ?? "no entry has a count"
    if let instructions = rules.instructions,
      comparison.entries.allSatisfy({ $0.instructionRatio == nil })
    {
      let limit = GateBound.Limit.share(instructions).text
      checks.append(Self.unmeasured("instructions", limit, missing))
    }
    // `time` is about detectors, the bounds of programs about programs.
    let programs = comparison.entries.count { $0.wallRatio != nil }
    for (name, share, isMeasured) in [
      ("time", rules.time, programs < comparison.entries.count),
      ("program_time", rules.programTime, programs > 0),
      ("program_wall", rules.programWall, programs > 0),
    ] where !isMeasured {
      guard let share else { continue }
      checks.append(
        Self.unmeasured(
          name, GateBound.Limit.share(share).text,
          programs > 0 ? "all entries are programs: state program_time" : "no entry is a program"))
    }
  }

  /// Nothing can be timed: each stated bound of timing becomes an error.
  init(_ nothing: NothingToTime, _ rules: GateRules) {
    notes = [SpeedComparison.notTimed(nothing.leftOut) ?? "Not timed: there is no entry"]
    checks = rules.statedTiming.map { Self.unmeasured($0.name, $0.text, "no entry can be timed") }
  }

  private static func unmeasured(_ name: String, _ limit: String, _ reason: String) -> GateCheck {
    GateCheck(
      entry: "", origin: "", name: name, bound: limit, population: nil, verdict: .error,
      reason: "a bound is stated, but nothing is measured: " + reason)
  }
}

extension SpeedComparison {
  /// A check for each entry's time and instructions, and for all entries together.
  var checks: [GateCheck] {
    let own = entries.flatMap { entry -> [GateCheck] in
      let name = entry.headEntry ?? entry.entry
      let times = GateCheck(
        entry: name, origin: "", name: "time_per_sample", unit: "ns",
        base: entry.base.processor.median, head: entry.head.processor.median,
        bound: bound(timeMargin(of: entry)), population: nil,
        verdict: GateVerdict(entry.timeVerdict), reason: Self.text(entry.ratio),
        detectableEffect: entry.ratio.smallestEffect)
      if let ratio = entry.wallRatio, let verdict = entry.wallVerdict {
        return [
          times,
          GateCheck(
            entry: name, origin: "", name: "wall_time_per_sample", unit: "ns",
            base: entry.base.wall.median, head: entry.head.wall.median,
            bound: bound(plan.wallMargin), population: nil, verdict: GateVerdict(verdict),
            reason: Self.text(ratio), detectableEffect: ratio.smallestEffect),
        ]
      }
      guard let ratio = entry.instructionRatio, let verdict = entry.instructionVerdict else {
        return [times]
      }
      let instructions = GateCheck(
        entry: name, origin: "", name: "instructions_per_sample", base: entry.base.instructions,
        head: entry.head.instructions, bound: bound(plan.instructionMargin), population: nil,
        verdict: GateVerdict(verdict), reason: "ratio \(fixed(ratio, 4)), counted")
      return [times, instructions]
    }
    let all = GateCheck(
      entry: "all entries", origin: "", name: "time_per_sample", unit: "1",
      head: ratio.value, bound: bound(timeMargin), population: nil,
      // The verdict of the mean alone: the entries have checks of their own.
      verdict: GateVerdict(SpeedVerdict(ratio.interval, margin: timeMargin)),
      reason: Self.text(ratio), detectableEffect: ratio.smallestEffect)
    return own + [all] + fleetChecks
  }

  private var fleetChecks: [GateCheck] {
    guard let fleets, let margin = plan.fleet?.margin, let verdict = fleets.verdict else {
      return []
    }
    return [
      GateCheck(
        entry: "all entries", origin: "", name: "missed_periods", base: fleets.base.missedShare,
        head: fleets.head.missedShare, bound: GateBound.Limit.change(margin).text, population: nil,
        verdict: GateVerdict(verdict),
        reason: "of \(fleets.head.deliveries) deliveries in real time")
    ]
  }

  private func bound(_ margin: Double) -> String { GateBound.Limit.share(margin).text }

  private static func text(_ ratio: Ratio) -> String {
    "ratio \(fixed(ratio.value, 3)) (\(fixed(ratio.lower, 3))-\(fixed(ratio.upper, 3)))"
  }

  /// The range of the smallest slowdowns that the entries' comparisons detect.
  private var effects: String? {
    let known = entries.compactMap { entry in
      entry.ratio.smallestEffect.map { (entry.headEntry ?? entry.entry, $0) }
    }
    guard let least = known.min(by: { $0.1 < $1.1 }), let largest = known.max(by: { $0.1 < $1.1 })
    else { return nil }
    func text(_ effect: (String, Double)) -> String {
      "\(fixed(effect.1 * 100, 1)) % (\(effect.0))"
    }
    let range = known.count > 1 ? "\(text(least)) to \(text(largest))" : text(least)
    return "Slowdown seen with power 0.8: \(range)"
  }

  /// The entries that were not timed, by reason; nil = none.
  static func notTimed(_ leftOut: [SpeedWork.LeftOut]) -> String? {
    let names = leftOut.inGroups(by: \.reason).map { group in
      "\(group.map(\.entry).joined(separator: ", ")): \(group[0].reason)"
    }
    return names.isEmpty ? nil : "Not timed: " + names.joined(separator: "; ")
  }

  /// The entries that were not compared, the load of the machine, and the smallest slowdown that the
  /// comparison detects.
  var notes: [String] {
    var lines: [String] = []
    if let instructionsMissing { lines.append("Instructions: \(instructionsMissing)") }
    if let notTimed = Self.notTimed(notCompared) { lines.append(notTimed) }
    let loads = load.map { fixed($0, 2) }.joined(separator: " to ")
    let processors = counted(ProcessInfo.processInfo.activeProcessorCount, "processor")
    lines.append(
      "Timing: \(plan.pairs) pairs of processes, A B B A"
        + (loads.isEmpty ? "" : ", load \(loads) on \(processors)"))
    if let effects { lines.append(effects) }
    if let fleets, plan.fleet?.margin == nil {
      let sides = [fleets.base, fleets.head].map { "\($0.missed) of \($0.deliveries)" }
      lines.append(
        "Missed periods in real time: base \(sides[0]), head \(sides[1]); no bound "
          + "(missed_periods)")
    }
    return lines
  }
}

extension GateVerdict {
  init(_ verdict: SpeedVerdict) {
    self =
      switch verdict {
      case .pass: .pass
      case .fail: .fail
      case .improved: .improved
      case .inconclusive: .inconclusive
      }
  }
}
