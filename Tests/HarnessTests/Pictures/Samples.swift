@testable import Reports
import Foundation
import Scoring

@testable import Harness

/// Figures that a detector could have: the more false alarms, the more is found.
enum Samples {
  static let hours = 2.4
  static let references = 420

  static func point(_ threshold: Double, shift: Double = 0, latency: Bool = true) -> PicturePoint {
    let found = Int(Double(references) / (1 + exp((threshold - 26 - shift) / 5)))
    let alarms = Int(900 * exp(-(threshold - 5) / (4.2 + shift / 4)))
    let counts = EventCounts(
      truePositives: found, falsePositives: alarms, falseNegatives: references - found)
    let times = (0..<40).map { Int64(20_000_000 + 1_000_000 * $0 + Int(threshold * 400_000)) }
    return PicturePoint(
      threshold: threshold, counts: counts,
      falseAlarms: PoissonRate(count: alarms, hours: hours),
      latency: latency && found > 0 ? TimePercentiles(of: times) : nil)
  }

  static func curve(_ name: String, shift: Double = 0, latency: Bool = true) -> CurvePicture.Curve {
    let points = (0..<200).map { point(5 + 0.25 * Double($0), shift: shift, latency: latency) }
    return CurvePicture.Curve(
      name: name, points: points + [PicturePoint(threshold: .infinity)],
      area: name.isEmpty ? nil : 0.8)
  }

  static let caption = PictureCaption(
    detector: "punch/hitThat", data: "recorded", traces: 38, references: references, hours: hours,
    tolerance: "150 ms", parameter: "strike-threshold", unit: "m/s2")

  static let marks = [
    PictureMark(name: "hitThat", role: .preset, point: point(19.6)),
    PictureMark(name: "default", role: .standard, point: point(15)),
    PictureMark(name: "chosen", role: .chosen, point: point(22)),
    PictureMark(name: "field trial", role: .other, point: point(30)),
  ]

  static let curve = CurvePicture(caption: caption, curves: [curve("")], marks: marks, budget: 10)

  /// More curves than colours.
  static let severalCurves = CurvePicture(
    caption: caption,
    curves: (0..<9).map { curve("refractory 0.\($0) s", shift: Double($0) - 4) }, banded: 2,
    marks: Array(marks.prefix(1)))

  /// No hours, no latency, nothing marked.
  static let bareCurve: CurvePicture = {
    var caption = Self.caption
    (caption.hours, caption.unit, caption.tolerance) = (nil, "", "")
    return CurvePicture(
      caption: caption, curves: [curve("", latency: false)], banded: nil)
  }()

  static let emptyCurve = CurvePicture(
    caption: caption, curves: [CurvePicture.Curve(name: "nothing", points: [])])

  private static func estimate(_ threshold: Double) -> TunePicture.Estimate {
    let point = point(threshold)
    return TunePicture.Estimate(
      recall: point.recall, recallInterval: point.recallInterval, falseAlarms: point.falseAlarms,
      falseAlarmsInterval: point.falseAlarmsInterval)
  }

  static let tuning = TunePicture(
    caption: caption, objective: "most recall with at most 10 false alarms an hour",
    objectiveAxis: "recall", budget: 10, curve: curve("", latency: false),
    marks: Array(marks.prefix(3)), naive: estimate(20), nested: estimate(21.5),
    plateau: TunePicture.Plateau(
      objective: (0..<200).map {
        let point = point(5 + 0.25 * Double($0))
        return .init(
          threshold: point.threshold,
          objective: (point.falseAlarms ?? 0) <= 10 ? point.recall : nil)
      }, lower: 19.5, upper: 24.5, middle: 22, foldThresholds: [20.5, 21, 21.5, 22, 22.4, 24]),
    groups: (1...9).map { index in
      let found = 20 + index * 17 % 30
      return TunePicture.Group(
        name: "s0\(index)",
        counts: EventCounts(
          truePositives: found, falsePositives: index, falseNegatives: index * 7 % 23),
        falseAlarms: PoissonRate(count: index, hours: 0.27))
    }, groupKind: "subject", isOptimistic: true,
    activities: [
      TunePicture.Activity(name: "bag work", rate: PoissonRate(count: 14, hours: 0.9)),
      TunePicture.Activity(name: "walking", rate: PoissonRate(count: 3, hours: 0.6)),
      TunePicture.Activity(name: "handling", rate: PoissonRate(count: 0, hours: 0.5)),
      TunePicture.Activity(name: "", rate: PoissonRate(count: 6, hours: 0.4)),
    ], findings: ["Of new people, expect recall 0.71 at 11 false alarms an hour."])

  /// Nothing held out, no budget, nothing known of activities.
  static let bareTuning = TunePicture(
    caption: caption, objective: "F1", objectiveAxis: "F1", budget: nil, curve: curve(""),
    marks: [],
    naive: TunePicture.Estimate(
      recall: nil, recallInterval: nil, falseAlarms: nil, falseAlarmsInterval: nil), nested: nil,
    plateau: TunePicture.Plateau(
      objective: [], lower: .infinity, upper: .infinity, middle: .infinity, foldThresholds: []),
    groups: [],
    groupKind: "recording", isOptimistic: false, activities: [])
}
