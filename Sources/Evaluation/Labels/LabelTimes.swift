import Diagnostics
import TraceModel

extension LabelScore {
  /// Checks the unit and the zero of the times in label files. Wrong ones would look like a bad
  /// detector.
  /// - Throws: if most times of a recording are outside of it.
  mutating func checkTimes() throws {
    for plan in plans {
      let sides = [
        ("reference", plan.references.map(\.onset)), ("detections", plan.detections.map(\.onset)),
      ]
      for (name, times) in sides { try requireInside(times, name, plan) }
    }
    noteDifferentUnits()
  }

  private mutating func requireInside(
    _ times: [TraceInstant], _ side: String, _ plan: RecordingPlan
  ) throws {
    guard let duration = plan.duration else { return }
    let end = TraceInstant(nanoseconds: duration.nanoseconds)
    let outside = times.filter { $0 < .zero || $0 > end }
    guard let first = outside.first else { return }
    guard outside.count * 2 > times.count else {
      notes.append(
        "\(plan.name): \(outside.count) of the \(times.count) times of the \(side) "
          + "\(outside.count == 1 ? "is" : "are") outside of the recording of "
          + "\(fixed(end.seconds, 3)) s, and \(outside.count == 1 ? "counts" : "count") all the same"
      )
      return
    }
    let isLarge = (times.max() ?? .zero).seconds > 100 * end.seconds
    throw Failure(
      .badData,
      "\(plan.name): expected times within the \(fixed(end.seconds, 3)) s of the recording, found "
        + "\(outside.count) of \(times.count) of the \(side) outside, the first at "
        + "\(fixed(first.seconds, 3)) s"
        + (isLarge
          ? "; if they are in milliseconds, convert them to seconds"
          : "; labels count in seconds from the start of the recording"))
  }

  /// Compares the times of the two sides, which also works without a duration.
  private mutating func noteDifferentUnits() {
    let reference = plans.flatMap(\.references).map(\.onset.seconds).max() ?? 0
    let detected = plans.flatMap(\.detections).map(\.onset.seconds).max() ?? 0
    let (less, more) = (min(reference, detected), max(reference, detected))
    guard less > 0, more > 100 * less else { return }
    notes.append(
      "the times of the \(reference > detected ? "reference" : "detections") end at "
        + "\(fixed(more, 0)) s, those of the other side at \(fixed(less, 0)) s; if they are in "
        + "milliseconds, convert them to seconds")
  }
}
