import Diagnostics
import Scoring
import TraceModel

/// Causes for which the two sides do not fit each other.
extension Causes {
  /// Only where labels or places have to be equal, events at the same time stay without a partner.
  var otherNames: Found? {
    var (count, first) = (0, "")
    for recording in recordings {
      let (early, late) = (
        recording.tolerance.early.nanoseconds, recording.tolerance.late.nanoseconds
      )
      var next = 0
      for miss in recording.misses {
        let begin = miss.time.subtractingClamped(early)
        while next < recording.alarms.count, recording.alarms[next].time < begin { next += 1 }
        guard next < recording.alarms.count else { break }
        let alarm = recording.alarms[next]
        guard alarm.time <= miss.time.addingClamped(late), alarm.name != miss.name else { continue }
        if count == 0 { first = "\(quoted(alarm.name)) for \(quoted(miss.name))" }
        (count, next) = (count + 1, next + 1)
      }
    }
    guard isMost(pairs: count) else { return nil }
    return (
      .otherNames, 2 * count,
      "\(share(count, of: alarms)) lie at a missed event of another name "
        + "(\(first)): use the same names on both sides"
    )
  }

  private func quoted(_ name: String) -> String { name.isEmpty ? "none" : inLine(name) }

  var sampleNumbers: Found? {
    guard let found = SampleNumbers.best(recordings), isMost(pairs: found.pairs) else { return nil }
    let side = found.isOfReference ? "references" : "detections"
    return (
      .sampleNumbers, 2 * found.pairs,
      "the \(side) look like \(found.unit), not seconds: read so, \(found.pairs) more match; divide "
        + "the onsets by \(number(found.rate))"
    )
  }

  var unconfirmed: Found? {
    let prompted = recordings.filter { $0.prompts > 0 && $0.detections.isEmpty }
    let count = prompted.reduce(0) { $0 + $1.misses.count }
    guard isMost(count) else { return nil }
    let prompts = prompted.reduce(0) { $0 + $1.prompts }
    return (
      .unconfirmed, count,
      isOfLabels
        ? "nobody confirms the \(prompts) prompts, and only a confirmed one is a visit: score the "
          + "detections of kind visit"
        : "a replay confirms no prompt, and the next comes only after that (\(prompts) prompts): "
          + "measure with --parameters requires-confirmation=false, or with policy in a suite"
    )
  }

  var silent: Found? {
    let silent = recordings.filter { $0.detections.isEmpty && !$0.misses.isEmpty }
    let count = silent.reduce(0) { $0 + $1.misses.count }
    guard isMost(count) else { return nil }
    let with = recordings.count { !$0.references.isEmpty }
    let names = silent.prefix(2).map { inLine($0.id) }.joined(separator: ", ")
    let more = silent.count > 2 ? ", ..." : ""
    let which =
      silent.count == with
      ? "nothing is detected in any recording with references"
      : "\(silent.count) of \(with) recordings \(silent.count == 1 ? "has" : "have") no detection at "
        + "all (\(names)\(more))"
    return (
      .silentRecordings, count,
      which + (isOfLabels ? ": was it run on them?" : ": another unit, axis or placement, gravity?")
    )
  }

  var offset: Found? {
    guard let found = TimeShift.best(recordings), isMost(pairs: found.differences.count) else {
      return nil
    }
    return (
      .offset, 2 * found.differences.count,
      "\(share(found.differences.count, of: alarms)) lie \(place(found)) a missed reference: "
        + "offset \(signedSeconds(found.middle)) s; "
        + (isFar(found) ? "do both sides use one clock?" : remedy(found.differences))
    )
  }

  /// Many other false alarms hide that most of the missed references have one at the same distance.
  var shiftedMisses: Found? {
    guard let found = TimeShift.best(recordings), found.isBeyondChance,
      2 * found.differences.count > misses
    else { return nil }
    return (
      .shiftedMisses, 2 * found.differences.count,
      "\(share(found.differences.count, of: misses, "missed references")) have a false alarm "
        + "\(place(found)) them, outside the tolerance: do both sides use one clock?"
        + (isFar(found) ? "" : " Then \(wider(found.differences)) counts them as found")
    )
  }

  private func place(_ found: TimeShift) -> String {
    "\(range(found.differences)) \(found.middle < 0 ? "before" : "after")"
  }

  private func isFar(_ found: TimeShift) -> Bool {
    found.middle.magnitude > (recordings.map(\.width).max() ?? 0).magnitude * 5
  }

  var tolerance: Found? {
    var best: [Int64] = []
    for times: Int64 in [2, 3, 4, 6, 8] {
      let found = TimeShift.wider(recordings, times: times)?.differences ?? []
      if found.count > best.count { best = found }
    }
    guard isMost(pairs: best.count) else { return nil }
    return (
      .tolerance, 2 * best.count,
      "\(share(best.count, of: alarms)) lie \(range(best)) from a missed reference; \(remedy(best))"
    )
  }

  var ownOffsets: Found? {
    let found = recordings.compactMap { TimeShift.best([$0], share: recordings.count) }
      .filter { $0.differences.count >= Diagnosis.fewest }
    let pairs = found.reduce(0) { $0 + $1.differences.count }
    guard found.count > 1, isMost(pairs: pairs) else { return nil }
    let middles = found.map { $0.differences[$0.differences.count / 2] }.sorted()
    return (
      .ownOffsets, 2 * pairs,
      "\(share(pairs, of: alarms)) lie at an offset of their own recording from a "
        + "missed reference (\(signedSeconds(middles[0])) to "
        + "\(signedSeconds(middles[middles.count - 1])) s): align the clocks first"
    )
  }

  /// The tolerance that takes them all.
  private func wider(_ differences: [Int64]) -> String {
    let most = differences.map(\.magnitude).max() ?? 0
    // Rounded up to whole 10 ms below 1 s, else to tenths of a second.
    let step: UInt64 = most < 1_000_000_000 ? 10_000_000 : 100_000_000
    let tolerance = Double((most + step - 1) / step * step) / 1e9
    let text = tolerance < 1 ? "\(number((tolerance * 1000).rounded()))ms" : "\(number(tolerance))s"
    return isOfLabels ? "--tolerance \(text)" : "a tolerance of \(text)"
  }

  private func remedy(_ differences: [Int64]) -> String {
    let option = wider(differences)
    guard isOneSided(differences) else { return "try \(option)" }
    let middle = differences[differences.count / 2]
    let verb = middle > 0 ? "subtract" : "add"
    return
      "\(verb) \(fixed(Double(middle.magnitude) / 1e9, 2)) s \(middle > 0 ? "from" : "to") the "
      + "detections' times, or try \(option)"
  }

  private func isOneSided(_ differences: [Int64]) -> Bool {
    differences.allSatisfy { $0 > 0 } || differences.allSatisfy { $0 < 0 }
  }

  private func range(_ differences: [Int64]) -> String {
    let sizes = differences.map { Double($0.magnitude) / 1e9 }
    let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
    let isShort = most < 10
    func text(_ seconds: Double) -> String {
      isShort ? fixed(seconds * 1000, 0) : fixed(seconds, 1)
    }
    let (from, to) = (text(least), text(most))
    return (from == to ? from : "\(from)-\(to)") + (isShort ? " ms" : " s")
  }

  private func signedSeconds(_ nanoseconds: Int64) -> String {
    (nanoseconds > 0 ? "+" : "") + fixed(Double(nanoseconds) / 1e9, 2)
  }
}
