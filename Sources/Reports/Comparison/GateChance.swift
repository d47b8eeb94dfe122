import Diagnostics
import Evaluation

/// What a gate says of how often it is red by chance.
extension GateReport {
  /// The line for exact bounds; nil if it is not known.
  var chanceOfFlips: String? {
    chanceOfRed(.theseRecordings).map { chance in
      let change =
        chance.flips.map { "of which \($0) detections flip at random" }
        ?? "which loses \(Self.percent(GateReport.assumedFlips)) of the hits and false alarms and finds as many"
      return "Wrong FAILs of such gates: a harmless change \(change) \(Self.red(chance))."
    }
  }

  /// The sentence for new people; nil if it is not known.
  var chanceOfNothing: String? {
    chanceOfRed(.newPeople).map {
      "Wrong FAILs of such gates: a change without an effect \(Self.red($0))."
    }
  }

  /// The note on bounds that pass within others than those beyond which they fail.
  var passBounds: String? {
    let bounds = checks.filter { $0.verdict == .pass }.inGroups { $0.passBound ?? "" }
      .compactMap { group in
        group[0].passBound.map { "\($0) (\(listed(group.map(\.words), most: 3)))" }
      }
    guard !bounds.isEmpty else { return nil }
    return
      "For new people, these PASSes show only that no change is beyond "
      + "\(bounds.joined(separator: ", ")). A smaller one may still be beyond what is allowed; more "
      + "people tell."
  }

  private static func red(_ chance: ChanceOfRed) -> String {
    let years = ChanceOfRed.gatesPerWeek.map { gates in
      let number = chance.perYear(gates: gates)
      let text = number > 0 && number < 0.95 ? "under 1" : grouped(number)
      return "\(text) a year with \(gates) such changes a week"
    }
    return "FAILs in \(percent(chance.share)) of cases: " + years.joined(separator: ", ")
  }

  private static func percent(_ share: Double) -> String {
    share > 0 && share < 0.001
      ? "under 0.1 %" : "\(number(rounded((share * 1000).rounded() / 10))) %"
  }
}
