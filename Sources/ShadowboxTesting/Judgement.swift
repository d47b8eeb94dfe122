import Diagnostics
import Evaluation
import Scoring
import TraceModel

/// Checks expectations on a detector.
struct Judgement {
  let summary: EntrySummary

  /// Returns the reason why an expectation is not met; nil = it is met.
  func fault(of expectation: FigureExpectation) -> String? {
    let metric = expectation.metric
    guard let figure = metric.names.lazy.compactMap({ summary[$0] }).first else {
      return unknown(metric)
    }
    switch metric.part {
    case .value:
      guard let value = figure.value else {
        return "\(figure.name) is undefined: nothing was measured (\(counts))"
      }
      return fault(expectation, figure.name, value, figure.unit)
    case .lower, .upper: return faultForNewPeople(expectation, figure)
    case .person: return faultOfWorstPerson(expectation, figure)
    }
  }

  private func unknown(_ metric: Metric) -> String {
    Failure.unknown(
      "figure of task \(summary.task.rawValue)", metric.names[0],
      known: summary.figures.map(\.name)
    ).description
  }

  private func fault(
    _ expectation: FigureExpectation, _ name: String, _ value: Double, _ unit: String,
    about further: String? = nil
  ) -> String? {
    let (relation, bound) = (expectation.relation, expectation.bound)
    guard !relation.holds(value, bound) else { return nil }
    return "\(name) is \(text(value, bound))\(suffix(unit)), expected \(relation.words) "
      + "\(text(bound, value))\(suffix(unit)) (\(further.map { $0 + "; " } ?? "")\(counts))"
  }

  private func faultForNewPeople(_ expectation: FigureExpectation, _ figure: Figure) -> String? {
    let estimate = figure.estimate
    let isLower = expectation.metric.part == .lower
    let end = "the \(isLower ? "lower" : "upper") end of the interval of \(figure.name)"
    guard let value = estimate.value else {
      return "\(figure.name) is undefined: nothing was measured (\(counts))"
    }
    guard let method = estimate.method, let interval = estimate.interval,
      method.population == .newPeople, estimate.clusterKind != .recordings
    else {
      return "\(end): expected \(GroupScore.fewestClusters) people or more, found "
        + "\(people): nothing is shown about new people; add recordings of other people"
    }
    let clusters = estimate.clusterKind == .peers ? "peers" : "people"
    return fault(
      expectation, end + " for new \(clusters)", isLower ? interval.lower : interval.upper,
      figure.unit,
      about: "\(figure.name) \(text(value, expectation.bound)), 95 % interval by \(method.rawValue)"
    )
  }

  /// `2 people`, or the reason why they are not known.
  private var people: String {
    let subjects = summary.runs.map(\.subject)
    guard !subjects.contains("") else { return "a trace that does not state its person" }
    let count = Set(subjects).count
    return count == 1 ? "1 person" : "\(count) people"
  }

  private func faultOfWorstPerson(_ expectation: FigureExpectation, _ figure: Figure) -> String? {
    let relation = expectation.relation
    var worst: (person: String, value: Double)?
    for runs in summary.runs.inGroups(by: \.person) {
      let own = EntrySummary(runs, about: .thesePeople)
      guard let value = own[figure.name]?.value else { continue }
      guard let before = worst?.value else {
        worst = (runs[0].person, value)
        continue
      }
      guard value != before, relation.worse(value, before, than: expectation.bound) == value else {
        continue
      }
      worst = (runs[0].person, value)
    }
    guard let worst else {
      return "\(figure.name) of each person is undefined: nothing was measured (\(counts))"
    }
    return fault(expectation, "\(figure.name) of \(worst.person)", worst.value, figure.unit)
  }

  private var counts: String {
    var parts: [String] = []
    func count(_ figure: FigureDefinition) -> String { number(summary[figure]?.value ?? 0) }
    switch summary.score {
    case .events, .visits:
      parts += [
        "\(count(.truePositives)) of \(count(.references)) references found",
        "\(count(.falsePositives)) false alarms in \(hours(.scoredHours))",
      ]
    case .presence:
      parts += [
        "\(count(.departures)) departures",
        "\(count(.mistakes)) mistakes in \(hours(.presentHours)) of presence",
      ]
    case .counts:
      parts.append("\(count(.countDetected)) detected, \(count(.countStated)) stated")
    case .track, .unscored: break
    }
    parts.append("\(summary.runs.count) \(summary.runs.count == 1 ? "trace" : "traces")")
    parts.append(people == "a trace that does not state its person" ? "people not stated" : people)
    return parts.joined(separator: ", ")
  }

  private func hours(_ figure: FigureDefinition) -> String {
    let hours = summary[figure]?.value ?? 0
    return hours < 1 ? "\(number(rounded(hours * 60))) min" : "\(number(rounded(hours))) h"
  }

  private func suffix(_ unit: String) -> String {
    switch unit {
    case "1", "": ""
    case "h-1": " per hour"
    case "%": " %"
    default: " \(unit)"
    }
  }
}

extension RunRecord {
  /// The person, or the trace where the person is not known.
  var person: String { subject.isEmpty ? "trace \(traceID)" : "person \(subject)" }
}

/// Four digits of a number, or all of them where four would make a value look like its bound.
/// - Parameter other: the bound of a value, or the value of a bound.
func text(_ number: Double, _ other: Double) -> String {
  let isAmbiguous = number != other && rounded(number) == rounded(other)
  return Diagnostics.number(isAmbiguous ? number : rounded(number))
}
