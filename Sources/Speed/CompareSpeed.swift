import Diagnostics
package import Evaluation
import Files
import Foundation
import Scoring

/// Measures the speed of two programs side by side: interleaved blocks in pairs of new processes, then
/// instructions, then fleets in real time, as the plan says. It prints nothing.
///
/// The time is about that of 4 blocks per pair and entry, plus the start of the processes.
/// - Throws: ``Failure`` of kind `.childFailed` if a program crashes or does not answer, `.badData`
///   if traces differ, or the failure that a program reports. ``NothingToTime`` if no entry is measured
///   on both sides.
package func compareSpeed(
  base: SpeedSide, head: SpeedSide, plan: SpeedPlan = SpeedPlan(),
  observer: any WorkObserver = NoObserver()
) async throws -> SpeedComparison {
  try plan.check()
  let before = machineLoad()
  // Counts do not depend on the load, but blocks do: they are never measured at the same time.
  var measurement = SpeedMeasurement(base, head, plan)
  try measurement.measure(observer)
  var comparison = try measurement.comparison()
  if plan.countsInstructions {
    async let counted = instructions(of: base, plan)
    let headCounts = await instructions(of: head, plan)
    try comparison.add(await counted, headCounts)
  }
  observer.endProgress()
  comparison.load = [before, machineLoad()].compactMap(\.self)
  return comparison
}

private func instructions(
  of side: SpeedSide, _ plan: SpeedPlan
) async -> Result<[String: Double], any Error> {
  await withCheckedContinuation { continuation in
    // Waiting for a program takes seconds, so it must not block a thread of the tasks.
    let count: @Sendable () -> Void = {
      continuation.resume(returning: Result { try InstructionCounter(side, plan).perSample() })
    }
    if !SystemThread.start(count) { count() }
  }
}

/// The average load of the last minute; nil = not known.
private func machineLoad() -> Double? {
  var loads = [0.0]
  return getloadavg(&loads, 1) == 1 ? loads[0] : nil
}

private struct SpeedMeasurement {
  let base: SpeedSide
  let head: SpeedSide
  let plan: SpeedPlan
  private var readies: [SpeedReady] = []
  private var pairing: SpeedPairing?
  private var passes: [Int] = []
  /// Two blocks of each side, by entry, then by pair.
  private var blocks: [[(base: [SpeedBlock], head: [SpeedBlock])]] = []
  private var fleets: SpeedComparison.Fleets?

  init(_ base: SpeedSide, _ head: SpeedSide, _ plan: SpeedPlan) {
    (self.base, self.head, self.plan) = (base, head, plan)
  }

  mutating func measure(_ observer: any WorkObserver) throws {
    for pair in 0..<plan.pairs {
      try measurePair(pair)
      observer.progress(pair + 1, of: plan.pairs, "pairs of processes")
    }
  }

  private mutating func measurePair(_ number: Int) throws {
    // Both load at the same time. Then one works while the other waits.
    let sides = number.isMultiple(of: 2) ? [base, head] : [head, base]
    let started = try sides.map { try SpeedProcess($0, samples: plan.samples, plan: plan) }
    let processes = number.isMultiple(of: 2) ? started : started.reversed()
    let found = try processes.map { try $0.ready() }
    if number == 0 {
      readies = found
      var pairing = try SpeedPairing(
        found[0], found[1], allowsDifferentTraces: plan.allowsDifferentTraces)
      let passes = try pairing.pairs.map { try calibrated($0, processes) }
      try pairing.keep(passes.map { $0 != nil })
      (self.pairing, self.passes) = (pairing, passes.compactMap(\.self))
      blocks = pairing.pairs.map { _ in [] }
    }
    guard found == readies, let pairing else {
      throw Failure(
        .badData,
        "timing: expected the same traces during the whole measurement, found changed ones; measure "
          + "again")
    }
    let order = number.isMultiple(of: 2) ? [0, 1, 1, 0] : [1, 0, 0, 1]
    for (index, pair) in pairing.pairs.enumerated() {
      var times: [[SpeedBlock]] = [[], []]
      for side in order {
        times[side].append(try block(processes[side], pair.positions[side], passes: passes[index]))
      }
      blocks[index].append((times[0], times[1]))
    }
    if number == plan.pairs - 1, let fleet = plan.fleet { try measure(fleet, processes) }
    for process in processes { process.end() }
  }

  private func block(_ process: SpeedProcess, _ entry: Int, passes: Int) throws -> SpeedBlock {
    let block = try process.ask(.block(entry: entry, passes: passes), SpeedBlock.self)
    guard block.processor > 0, block.wall > 0 else {
      throw Failure(
        .childFailed,
        "\(process.side.name): expected a time above zero, found \(block.processor) ns")
    }
    return block
  }

  /// Returns the passes of a block: those that the slower side does in the planned time; nil for a
  /// program that is too slow. Programs may wait: their wall-clock time counts.
  private func calibrated(_ pair: SpeedPairing.Pair, _ processes: [SpeedProcess]) throws -> Int? {
    var slower = 1.0
    for (side, process) in processes.enumerated() {
      let times = try (0..<2).map { _ in
        let found = try block(process, pair.positions[side], passes: 1)
        return Double(pair.isProgram ? max(found.wall, found.processor) : found.processor)
      }
      slower = max(slower, times.min() ?? 1)
      if pair.isProgram, slower > Self.slowest { return nil }
    }
    return Int(max(1, min((plan.blockMilliseconds * 1e6 / slower).rounded(), 10_000)))
  }

  /// The longest pass of a program in nanoseconds: there are 64 and more.
  private static let slowest = 5e8

  private mutating func measure(_ fleet: SpeedPlan.Fleet, _ processes: [SpeedProcess]) throws {
    let request = SpeedRequest.fleet(devices: fleet.devices, milliseconds: fleet.milliseconds)
    let results = try processes.map { try $0.ask(request, SpeedFleet.self) }
    fleets = SpeedComparison.Fleets(base: results[0], head: results[1], margin: fleet.margin)
  }

  func comparison() throws -> SpeedComparison {
    guard let pairing else { throw Failure(.badData, "timing: expected a pair, found none") }
    let (programs, own) = (
      pairing.pairs.indices.filter { pairing.pairs[$0].isProgram },
      pairing.pairs.indices.filter { !pairing.pairs[$0].isProgram }
    )
    let processor = try ratios(own, pairing, \.processor)
    let programProcessor = try ratios(programs, pairing, \.processor)
    let programWall = try ratios(programs, pairing, \.wall)
    guard let whole = processor ?? programProcessor else {
      throw Failure(.badData, "timing: expected entries, found none")
    }
    let entries = try pairing.pairs.indices.map { index in
      try entry(
        pairing.pairs[index], index, pairing.pairs[index].isProgram ? programProcessor : processor,
        column: (programs.firstIndex(of: index) ?? own.firstIndex(of: index)) ?? 0, programWall)
    }
    let margin = processor == nil ? plan.programMargin : plan.timeMargin
    let ratio = SpeedComparison.Ratio(
      whole, processor == nil ? programs.count : own.count, margin: margin)
    let timeVerdict = verdict(
      entries.map(\.timeVerdict) + entries.compactMap(\.wallVerdict), ratio, margin)
    let all = [timeVerdict, fleets?.verdict].compactMap(\.self)
    return SpeedComparison(
      plan: plan, baseVersion: readies[0].toolVersion, headVersion: readies[1].toolVersion,
      entries: entries, ratio: ratio, timeVerdict: timeVerdict, fleets: fleets,
      notCompared: pairing.notCompared, load: [], verdict: SpeedVerdict(all) ?? timeVerdict)
  }

  /// The ratios of some entries; nil for none. Detectors and programs are families of their own, because
  /// their margins differ.
  private func ratios(
    _ indices: [Int], _ pairing: SpeedPairing, _ time: (SpeedBlock) -> Int64
  ) throws -> SpeedRatios? {
    guard !indices.isEmpty else { return nil }
    let logarithms = (0..<plan.pairs).map { pair in
      indices.map { logarithm(of: blocks[$0][pair], samples: pairing.pairs[$0], time) }
    }
    guard
      let ratios = SpeedRatios(
        logarithms, level: plan.level, resamples: plan.resamples, seed: plan.seed)
    else { throw Failure(.badData, "timing: expected finite times, found others") }
    return ratios
  }

  /// The overall ratio counts only if it is decisive.
  private func verdict(
    _ entries: [SpeedVerdict], _ ratio: SpeedComparison.Ratio, _ margin: Double
  ) -> SpeedVerdict {
    let overall = SpeedVerdict(ratio.interval, margin: margin)
    return SpeedVerdict(entries + (overall == .inconclusive ? [] : [overall])) ?? overall
  }

  /// The logarithm of head / base per sample: the mean of the two blocks on either side of a pair.
  private func logarithm(
    of times: (base: [SpeedBlock], head: [SpeedBlock]), samples pair: SpeedPairing.Pair,
    _ time: (SpeedBlock) -> Int64
  ) -> Double {
    func mean(_ blocks: [SpeedBlock], _ samples: Int) -> Double {
      let logarithms = blocks.map { Foundation.log(Double(time($0)) / Double(samples)) }
      return logarithms.reduce(0, +) / Double(blocks.count)
    }
    return mean(times.head, pair.head.samples) - mean(times.base, pair.base.samples)
  }

  private func entry(
    _ pair: SpeedPairing.Pair, _ index: Int, _ ratios: SpeedRatios?, column: Int,
    _ wall: SpeedRatios?
  ) throws -> SpeedComparison.Entry {
    guard let ratios else { throw Failure(.badData, "timing: expected ratios, found none") }
    func side(_ entry: SpeedReady.Entry, _ times: [SpeedBlock]) throws -> SpeedComparison.Side {
      let scale = Double(entry.samples * passes[index])
      guard let processor = RepeatedTime(times.map { Double($0.processor) / scale }),
        let wall = RepeatedTime(times.map { Double($0.wall) / scale })
      else { throw Failure(.badData, "timing: expected blocks, found none") }
      return SpeedComparison.Side(
        processor: processor, wall: wall, samples: entry.samples, traces: entry.traces)
    }
    let margin = pair.isProgram ? plan.programMargin : plan.timeMargin
    let ratio = SpeedComparison.Ratio(ratios, column, margin: margin)
    let verdict = SpeedVerdict(ratio.interval, margin: margin)
    let wallRatio =
      pair.isProgram
      ? wall.map { SpeedComparison.Ratio($0, column, margin: plan.wallMargin) } : nil
    let wallVerdict = wallRatio.map { SpeedVerdict($0.interval, margin: plan.wallMargin) }
    return SpeedComparison.Entry(
      entry: pair.base.entry, headEntry: pair.head.entry == pair.base.entry ? nil : pair.head.entry,
      base: try side(pair.base, blocks[index].flatMap(\.base)),
      head: try side(pair.head, blocks[index].flatMap(\.head)), passes: passes[index],
      ratio: ratio, wallRatio: wallRatio, timeVerdict: verdict, wallVerdict: wallVerdict,
      verdict: SpeedVerdict([verdict, wallVerdict].compactMap(\.self)) ?? verdict)
  }
}

extension SpeedComparison.Fleets {
  /// - Parameter margin: the tolerated increase of the share of missed deliveries.
  init(base: SpeedFleet, head: SpeedFleet, margin: Double?) {
    (self.base, self.head) = (base, head)
    guard let margin else { return }
    guard let before = base.missedShare, let after = head.missedShare else {
      verdict = .inconclusive
      return
    }
    verdict = after > before + margin ? .fail : .pass
  }
}

extension SpeedComparison {
  /// Adds the instructions per sample of both sides, and judges them.
  fileprivate mutating func add(
    _ base: Result<[String: Double], any Error>, _ head: Result<[String: Double], any Error>
  ) throws {
    let (before, after): ([String: Double], [String: Double])
    do {
      (before, after) = (try base.get(), try head.get())
    } catch let missing as InstructionCounter.Unavailable {
      instructionsMissing = missing.reason
      return
    }
    for index in entries.indices {
      let name = entries[index].entry
      guard let old = before[name], let new = after[entries[index].headEntry ?? name] else {
        continue
      }
      entries[index].count(old, new, margin: plan.instructionMargin)
    }
    let counted = entries.compactMap(\.instructionRatio)
    guard !counted.isEmpty else {
      instructionsMissing =
        entries.allSatisfy { $0.wallRatio != nil }
        ? "not counted for exec: programs" : "too few samples are counted"
      return
    }
    let mean = counted.reduce(0) { $0 + Foundation.log($1) } / Double(counted.count)
    instructionRatio = Foundation.exp(mean)
    instructionVerdict = SpeedVerdict(entries.compactMap(\.instructionVerdict))
    verdict =
      SpeedVerdict([timeVerdict, instructionVerdict, fleets?.verdict].compactMap(\.self)) ?? verdict
  }
}

extension SpeedComparison.Entry {
  fileprivate mutating func count(_ old: Double, _ new: Double, margin: Double) {
    guard old > 0, new > 0 else { return }
    (base.instructions, head.instructions) = (old, new)
    instructionRatio = new / old
    let judged = SpeedVerdict(exactly: new / old, margin: margin)
    instructionVerdict = judged
    verdict = SpeedVerdict([timeVerdict, judged]) ?? verdict
  }
}
