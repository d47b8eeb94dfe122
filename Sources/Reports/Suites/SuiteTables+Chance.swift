import Diagnostics
import Evaluation
import Scoring
import TraceModel

extension SuiteTables {
  /// The entries that hit no more references than the same detections at other times.
  var noBetterThanChance: String {
    let levels = rows(\.events).compactMap { summary, _ in
      summary.chance.map { (summary.entry, $0) }
    }
    let worse = levels.filter { $0.1.verdict == .notAbove }.map { entry, level in
      let recall = TableCell.value(level.recall, 3)
      return isRun ? "\(inLine(entry)) (\(recall))" : recall
    }
    guard !worse.isEmpty else { return "" }
    return isRun
      ? line("No better than chance (recall of the same detections at other times): ", worse)
      : line("No better than chance: at other times, the same detections have recall ", worse)
  }

  /// The entries for which this cannot be told.
  func chance(_ summaries: [EntrySummary]) -> String {
    let levels = summaries.compactMap { summary in summary.chance.map { (summary.entry, $0) } }
    return levels.filter { $0.1.verdict == .cannotBeTold }.inGroups(by: \.1.reason).map {
      let names = listed($0.map { inLine($0.0) }, most: Self.mostRows)
      return line(
        "Better than chance? Cannot be told: \($0[0].1.reason)", isRun ? [" (\(names))"] : [])
    }.joined()
  }

  /// The entries whose counts are no nearer to the stated ones than those of a detector that looks at
  /// nothing.
  func countChance(_ summaries: [EntrySummary]) -> String {
    let worse = summaries.compactMap { summary -> String? in
      let recordings = summary.counted.compactMap { run -> (score: CountScore, hours: Double)? in
        if case .count(let score) = run.score { (score, run.hours) } else { nil }
      }
      guard let blind = CountSummary.errorOfBlind(recordings), let counts = summary.counts,
        Double(counts.absoluteError) >= blind
      else { return nil }
      return inLine(summary.entry)
    }
    return worse.isEmpty
      ? "" : line("No better than as many detections at an even pace or at random: ", worse)
  }

  /// The same below the table of events, with what the other entries are better than.
  func chanceNote(_ summaries: [EntrySummary]) -> String {
    guard let first = summaries.first(where: { $0.chance?.isAboveChance == true }) else {
      return chance(summaries)
    }
    let knowsMovement = isRun && first.task == .punch
    return chance(summaries)
      + screen.wrapped("Above chance: \(ChanceLevel.ruledOut(knowsMovement: knowsMovement)).\n")
  }
}
