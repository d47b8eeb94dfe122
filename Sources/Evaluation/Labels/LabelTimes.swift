package import Diagnostics
package import TraceModel

/// Whether the times of label files can be what they are taken for. Who gets the unit or the zero
/// wrong gets figures all the same, and they look like a bad detector.
package enum LabelTimes {
  /// - Throws: where most times of a recording lie beyond its end.
  package static func check(_ plans: [RecordingPlan], notes: inout [String]) throws {
    for plan in plans {
      let sides = [
        ("reference", plan.references.map(\.onset)), ("detections", plan.detections.map(\.onset)),
      ]
      for (name, times) in sides {
        try requireInside(times, name, plan, notes: &notes)
      }
    }
    tellFarApart(plans, notes: &notes)
  }

  private static func requireInside(
    _ times: [TraceInstant], _ side: String, _ plan: RecordingPlan, notes: inout [String]
  ) throws {
    guard let duration = plan.duration else { return }
    let end = TraceInstant(nanoseconds: duration.nanoseconds)
    let outside = times.filter { $0 < .zero || $0 > end }
    guard let first = outside.first else { return }
    guard outside.count * 2 > times.count else {
      notes.append(
        "\(plan.name): \(outside.count) of \(times.count) times of the \(side) lie outside of the "
          + "\(fixed(end.seconds, 3)) s of the recording")
      return
    }
    let isLarge = (times.max() ?? .zero).seconds > 100 * end.seconds
    throw Failure(
      .badData,
      "\(plan.name): expected times within the \(fixed(end.seconds, 3)) s of the recording, found "
        + "\(outside.count) of \(times.count) of the \(side) outside, the first at "
        + "\(fixed(first.seconds, 3)) s"
        + (isLarge
          ? "; are they in milliseconds? Labels count in seconds"
          : "; do they count from the beginning of the recording?"))
  }

  /// Without a duration, only the two sides can be held against each other.
  private static func tellFarApart(_ plans: [RecordingPlan], notes: inout [String]) {
    let reference = plans.flatMap(\.references).map(\.onset.seconds).max() ?? 0
    let detected = plans.flatMap(\.detections).map(\.onset.seconds).max() ?? 0
    let (less, more) = (min(reference, detected), max(reference, detected))
    guard less > 0, more > 100 * less else { return }
    notes.append(
      "the times of the \(reference > detected ? "reference" : "detections") reach to "
        + "\(fixed(more, 0)) s, those of the other side to \(fixed(less, 0)) s; are they in "
        + "milliseconds? Labels count in seconds")
  }
}
