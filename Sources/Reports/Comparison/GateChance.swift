import Diagnostics
import Evaluation

/// What a gate says of how often it is red by chance.
extension GateReport {
  /// The line for exact bounds; nil if it is not known.
  var chanceOfFlips: String? {
    chanceOfRed(.theseRecordings).map { chance in
      let premise =
        chance.flips.map { "flip as many detections (\($0)) for better or worse by chance" }
        ?? "lose \(Self.percent(GateReport.assumedFlips)) of the hits and false alarms and find as many"
      return "Chance: of changes that \(premise), \(Self.red(chance))."
    }
  }

  /// The sentence for new people; nil if it is not known.
  var chanceOfNothing: String? {
    chanceOfRed(.newPeople).map { "Of changes without an effect, \(Self.red($0))." }
  }

  /// The note on bounds that pass within others than those beyond which they fail.
  var passBounds: String? {
    let isAsked = checks.contains {
      $0.passBound != nil && [.pass, .inconclusive].contains($0.verdict)
    }
    guard isAsked else { return nil }
    return
      "To pass, a change beyond the standard bound is ruled out; it is wider the fewer people there are."
  }

  private static func red(_ chance: ChanceOfRed) -> String {
    let years = ChanceOfRed.gatesPerWeek.map { gates in
      let number = chance.perYear(gates: gates)
      let text = number > 0 && number < 0.95 ? "under 1" : grouped(number)
      return "\(text) a year at \(gates) gates a week"
    }
    return "\(percent(chance.share)) FAIL: " + years.joined(separator: ", ")
  }

  private static func percent(_ share: Double) -> String {
    share > 0 && share < 0.001
      ? "under 0.1 %" : "\(number(rounded((share * 1000).rounded() / 10))) %"
  }
}
