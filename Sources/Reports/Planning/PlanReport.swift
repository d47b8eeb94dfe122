import Diagnostics
package import Evaluation
import Foundation
import Results
package import Scoring

package struct PlanReport {
  let plan: StudyPlan
  let inputs: [InputFile]
  let statesExposure: Bool
  let statesBurst: Bool

  /// - Parameters:
  ///   - statesExposure: whether the user states how far exposures differ.
  ///   - statesBurst: whether the user states the bursts.
  package init(
    _ plan: StudyPlan, inputs: [InputFile], statesExposure: Bool = false, statesBurst: Bool = false
  ) {
    (self.plan, self.inputs) = (plan, inputs)
    (self.statesExposure, self.statesBurst) = (statesExposure, statesBurst)
  }

  private var study: Study { plan.study }
  private var designs: [StudyPlan.Design] { [plan.design] + plan.alternatives }

  // MARK: Text

  package func text(_ screen: Screen) -> String {
    let table = TextTable(
      "", designs.sorted { $0.each < $1.each },
      [
        .init("each") { each($0) },
        .init(study.recorded.isEmpty ? "people" : "more people") {
          $0.people.map { "\($0)" } ?? "> \(StudyPlan.mostPeople)"
        },
        .init(study.goal.isRate ? "hours in all" : "references in all") { design in
          design.people.map { short(Double($0) * design.each) } ?? ""
        },
        .init("power") { fixed($0.power, 2) },
      ])
    let lines = [goal, advice] + (plan.samePeople.map { [sameLine($0)] } ?? [])
    return screen.wrapped(lines.joined(separator: "\n"), indent: 2) + "\n"
      + (plan.alternatives.isEmpty ? "" : "\n" + table.render(screen) + "\n")
      + screen.wrapped(basis.joined(separator: "\n"), indent: 2) + "\n"
  }

  private var goal: String {
    let claim =
      switch study.goal {
      case .falseAlarms(let budget, let confidence):
        "fewer than \(short(budget)) false alarms per hour ("
          + (confidence.map { "one-sided bound, confidence \($0)" } ?? "95 % interval")
          + " for new people), expected \(short(study.expected))"
      case .recall(let floor):
        "a recall above \(short(floor)) (95 % interval for new people), expected "
          + short(study.expected)
      case .recallDifference(let difference):
        "a difference of recall (95 % interval for new people), expected \(short(study.expected)) "
          + "and \(short(study.expected - difference))"
      case .falseAlarmDifference(let difference):
        "a difference of false alarms per hour (95 % interval for new people), expected "
          + "\(short(study.expected)) and \(short(study.expected + difference))"
      }
    return "To show \(claim), with power \(short(plan.target)):"
  }

  private var advice: String {
    let recorded = study.recorded.count
    let so = recorded > 0 ? " in addition to the \(recorded) recorded" : ""
    guard let more = plan.design.people else {
      return "More than \(StudyPlan.mostPeople) people\(so) are needed with \(each(plan.design)) "
        + "each: record more of each person, or claim less."
    }
    if more == 0 {
      return "The \(people(recorded)) recorded so far suffice: power "
        + "\(fixed(plan.design.power, 2)), if a new study of their size had them."
    }
    return "Record \(more) \(recorded > 0 ? "more " : "")\(more == 1 ? "person" : "people")\(so), "
      + "\(each(plan.design)) each: power \(fixed(plan.design.power, 2))."
  }

  private func sameLine(_ same: StudyPlan.SamePeople) -> String {
    let (what, recorded) = (study.goal.isRate ? "hours" : "references", study.recorded.count)
    let whose = recorded == 1 ? "person" : "\(recorded) people"
    if let factor = same.factor {
      return "Or record \(short(factor)) times the \(what) of the same \(whose): power "
        + "\(fixed(same.power, 2))."
    }
    let most = StudyPlan.factors.last ?? 1
    return recorded < GroupScore.fewestClusters
      ? "More \(what) of the same \(whose) do not help: a claim about new people takes "
        + "\(GroupScore.fewestClusters) people or more."
      : "More \(what) of the same \(whose) do not help: with \(short(most)) times as many the power "
        + "is \(fixed(same.power, 2))."
  }

  private var basis: [String] {
    let dispersion = study.dispersion
    let isRate = dispersion.kind == .variation
    let name = isRate ? "A coefficient of variation between people" : "A correlation within people"
    let source =
      if let estimate = dispersion.estimate, let people = dispersion.people {
        "the upper 80 % bound of the \(short(estimate)) of \(people) recorded people"
      } else {
        "assumed"
      }
    let pairing: [String] =
      switch study.goal {
      case .recallDifference, .falseAlarmDifference:
        [
          "A correlation between the detectors over people of \(short(study.pairing)): "
            + (study.pairing > 0 ? "that of the recorded people." : "assumed, or none was found.")
        ]
      default: []
      }
    return ["\(name) of \(short(dispersion.value)): \(source)."] + exposure + pairing + [
      "Power by simulation of \(plan.design.studies) studies, seed \(plan.seed)."
    ]
  }

  /// How the exposures differ, and what comes together within a person.
  private var exposure: [String] {
    let (what, events) =
      study.goal.isRate ? ("Minutes", "False alarms") : ("References", "Hits and misses")
    let source =
      statesExposure
      ? "stated" : study.recordedVariation == nil ? "assumed" : "that of the recorded people"
    let holdsBursts = study.dispersion.estimate != nil && !statesBurst
    return [
      "\(what) differ between new people by a coefficient of variation of "
        + "\(short(study.exposureVariation)): \(source) (--exposure-variation).",
      holdsBursts
        ? "\(events) in bursts: part of the differences between the recorded people (--burst)."
        : "\(events) in bursts of \(short(study.burst)) on average: "
          + (statesBurst ? "stated (--burst)." : "assumed (--burst)."),
    ]
  }

  private func each(_ design: StudyPlan.Design) -> String {
    study.goal.isRate ? "\(short(design.each * 60)) min" : counted(Int(design.each), "reference")
  }

  // MARK: JSON and CSV

  package func json() throws -> String {
    let goal: JSONObject =
      switch study.goal {
      case .falseAlarms(let budget, let confidence): ["below": budget, "confidence": confidence]
      case .recall(let floor): ["above": floor]
      case .recallDifference(let difference), .falseAlarmDifference(let difference):
        ["difference": difference]
      }
    let document: JSONObject = [
      "figure": (study.goal.isRate ? FigureDefinition.falseAlarmsPerHour : .recall).name,
      "expected": study.expected, "target_power": plan.target,
      "dispersion": dispersionDocument(study.dispersion), "pairing": study.pairing,
      "recorded_people": study.recorded.count,
      "exposure_variation": study.exposureVariation, "burst": study.burst,
      "unit": study.goal.isRate ? "h" : FigureDefinition.references.name,
      "plan": document(plan.design), "alternatives": plan.alternatives.map(document),
      "same_people": plan.samePeople.map {
        ["factor": $0.factor, "power": $0.power] as JSONObject
      }, "seed": plan.seed,
    ]
    return try jsonDocument(goal + document, .plan, inputs: inputs)
  }

  private func document(_ design: StudyPlan.Design) -> JSONObject {
    [
      "each": design.each, "people": design.people, "power": design.power,
      "studies": design.studies,
    ]
  }

  package func csv() -> String {
    csvTable(
      designs,
      [
        ("each", { $0.each }), ("people", { $0.people }), ("power", { $0.power }),
        ("studies", { $0.studies }),
      ])
  }
}

package struct ClaimReport {
  let claim: ResultClaim
  let isRate: Bool
  let exposure: Double

  /// - Parameter exposure: the hours or references of the result.
  package init(_ claim: ResultClaim, isRate: Bool, exposure: Double) {
    (self.claim, self.isRate, self.exposure) = (claim, isRate, exposure)
  }

  package func text(_ screen: Screen) -> String {
    screen.wrapped(these + "\n" + new, indent: 2) + "\n"
  }

  private var unit: String { isRate ? " per hour" : "" }

  private func range(_ estimate: Estimate) -> String {
    "\(short(estimate.value ?? .nan))\(unit)"
      + (estimate.interval.map { " (\(short($0.lower))-\(short($0.upper)))" } ?? "")
  }

  private var these: String {
    let whose = people(claim.people)
    let only = claim.people == 1 ? "only for that person" : "only for these \(claim.people) people"
    let bound = claim.boundIfNone.map { "at most \(short($0)) per hour (one-sided 95 %)" }
    return
      (isRate
      ? "\(counted(claim.these.count ?? 0, "false alarm")) in \(duration) of \(whose): "
      : "Recall from \(counted(Int(exposure), "reference")) of \(whose): ")
      + "\(bound ?? range(claim.these)), and \(only)."
  }

  private var duration: String {
    exposure < 1 ? "\(short(exposure * 60)) min" : "\(short(exposure)) h"
  }

  private var new: String {
    guard let estimate = claim.new else {
      return "For new people: no claim. It takes \(GroupScore.fewestClusters) people or more; plan "
        + "with \(isRate ? "--false-alarms" : "--recall") how many."
    }
    let basis =
      if let assumed = claim.assumed {
        "assuming a " + (isRate ? "coefficient of variation between" : "correlation within")
          + " people of \(short(assumed.value)); give the result of each person to use their "
          + "differences"
      } else {
        "from the differences between them"
      }
    return "For new people: \(range(estimate)), \(basis)."
  }

  package func json() throws -> String {
    func document(_ estimate: Estimate) -> JSONObject {
      [
        "value": estimate.value, "lower": estimate.interval?.lower,
        "upper": finite(estimate.interval?.upper),
      ]
    }
    let document: JSONObject = [
      "figure": (isRate ? FigureDefinition.falseAlarmsPerHour : .recall).name,
      "people": claim.people, "unit": isRate ? "h" : "references", "exposure": exposure,
      "these_people": document(claim.these), "upper_if_none": claim.boundIfNone,
      "new_people": claim.new.map(document),
      "assumed": claim.assumed.map(dispersionDocument),
    ]
    return try jsonDocument(document, .plan, inputs: [])
  }

  package func csv() -> String {
    let rows = [("these_people", claim.these)] + (claim.new.map { [("new_people", $0)] } ?? [])
    return csvTable(
      rows,
      [
        ("population", { $0.0 }), ("value", { $0.1.value }),
        ("lower", { $0.1.interval?.lower }), ("upper", { $0.1.interval?.upper }),
      ])
  }
}

private func dispersionDocument(_ dispersion: Dispersion) -> JSONObject {
  [
    "kind": dispersion.kind.rawValue, "value": dispersion.value, "estimate": dispersion.estimate,
    "people": dispersion.people,
  ]
}

/// A number with three significant digits.
private func short(_ value: Double) -> String {
  guard value.isFinite, value != 0 else { return fixed(value, 0) }
  let digits = 2 - Int(Foundation.log10(value.magnitude).rounded(.down))
  guard digits > 0 else { return grouped(value) }
  let text = fixed(value, min(digits, 9))
  let kept = text.reversed().drop { $0 == "0" }
  return String((kept.first == "." ? kept.dropFirst() : kept).reversed())
}

private func people(_ count: Int) -> String { counted(count, "person", "people") }
