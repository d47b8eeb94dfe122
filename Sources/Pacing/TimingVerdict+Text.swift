import Diagnostics

extension TimingVerdict {
  /// Some lines for people.
  /// - Parameter names: of the devices; those without one have their number only.
  package func text(names: [String] = []) -> String {
    let verdict = "timing \(outcome.rawValue): "
    guard all.count > 0 else { return verdict + "nothing was delivered" }
    let lines = [verdict + latenessText, missedText, deadlinesText, deviceText(names)]
    return lines.compactMap(\.self).joined(separator: "\n")
  }

  private var latenessText: String {
    guard let period else {
      return hasOnePeriod
        ? "the period is unknown, because all times are equal" : "the rate was changed"
    }
    let limit =
      "\(fixed(period * limits.lateness / 1000, 1)) us allowed "
      + "(\(fixed(limits.lateness * 100, 1)) % of the period of \(fixed(period / 1e6, 2)) ms)"
    guard let lateness = shownLateness else {
      let need = outcome == .insufficient ? "; a verdict needs \(TimingCounts.fewest) instants" : ""
      return "\(all.late) of \(all.count) late at \(instants) instants, \(limit)\(need)"
    }
    return "p99 lateness \(microseconds(lateness)) us of \(all.count), \(limit)"
  }

  private var missedText: String? {
    let isChance = all.missedShare.map { $0 > limits.missed } == true && !faults.contains(.missed)
    let limit =
      "\(fixed(limits.missed * 100, 2)) % allowed"
      + (isChance ? "; no more than chance explains" : "")
    return outcome == .notJudged ? nil : "\(all.missed) of \(all.count) missed, \(limit)"
  }

  private var deadlinesText: String? {
    guard outcome != .notJudged, deadlines.count > 0 else { return nil }
    let areTooMany = faults.contains { [.lateDeadlines, .missedDeadlines].contains($0) }
    return "deadlines alone: \(deadlines.late) of \(deadlines.count) late, "
      + "\(deadlines.missed) missed" + (areTooMany ? ", more than allowed" : "")
  }

  private func deviceText(_ names: [String]) -> String? {
    guard let worst = worstDevice else { return nil }
    let counts = worst.counts
    let name = names.indices.contains(worst.device) ? " (\(inLine(names[worst.device])))" : ""
    return "worst of \(worst.devices) devices: \(worst.device)\(name), \(counts.late) of "
      + "\(counts.count) late, at most \(microseconds(UInt64(clamping: counts.longest))) us, "
      + "\(counts.missed) missed; "
      + (worst.isShown ? "more than chance explains" : "no more than chance explains")
  }
}

/// Nanoseconds in us, with one decimal.
package func microseconds(_ nanoseconds: UInt64) -> String { fixed(Double(nanoseconds) / 1000, 1) }
