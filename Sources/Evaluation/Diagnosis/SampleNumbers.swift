import Diagnostics
import TraceModel

/// Onsets of one side that match those of the other once they are read as numbers of samples, or as
/// milliseconds, instead of seconds.
struct SampleNumbers {
  /// E.g. `1-based samples at 50 Hz`.
  var unit: String
  var isOfReference: Bool
  /// The pairs that then match.
  var pairs: Int
  /// By how much the numbers are to be divided.
  var rate: Double

  /// Usual rates in Hz, and those of milliseconds and microseconds.
  private static let rates: [Double] = [
    10, 12.5, 16, 20, 25, 30, 32, 40, 50, 52, 60, 64, 100, 104, 119, 120, 125, 128, 200, 208, 238,
    250, 256, 400, 416, 500, 512, 800, 1000, 1600, 2000, 4000, 1_000_000,
  ]

  /// - Returns: the reading with the most pairs; nil where no reading has pairs.
  static func best(_ recordings: [DiagnosedRecording]) -> SampleNumbers? {
    let sides = [true, false].filter { isOfReference in
      let times = recordings.flatMap { isOfReference ? $0.references : $0.detections }
      let others = recordings.flatMap { isOfReference ? $0.detections : $0.references }
      // Whatever is divided by enough lies near a detector that fires at the start.
      guard Set(others).count >= Diagnosis.fewest else { return false }
      return times.count >= Diagnosis.fewest && times.allSatisfy { $0 % second == 0 }
    }
    let all = sides.flatMap { side in
      rates.compactMap { rate in reading(recordings, rate, isOfReference: side) }
    }
    let most = all.map(\.pairs).max()
    return all.first { $0.pairs == most }
  }

  private static let second: Int64 = 1_000_000_000

  private static func reading(
    _ recordings: [DiagnosedRecording], _ rate: Double, isOfReference: Bool
  ) -> SampleNumbers? {
    func distance(from first: Double) -> (sum: Double, pairs: Int) {
      let read = recordings.map { recording in
        var recording = recording
        func scale(_ events: inout [DiagnosedRecording.Event]) {
          for index in events.indices {
            let number = Double(events[index].time / second) - first
            events[index].time = Int64(number / rate * Double(second))
          }
        }
        if isOfReference { scale(&recording.misses) } else { scale(&recording.alarms) }
        return recording
      }
      let found = TimeShift.pairs(read, around: 0, within: (read.map(\.width).max() ?? 0) / 2)
      let sizes = (found?.differences ?? []).map { Double($0.magnitude) }
      return (sizes.reduce(0, +), sizes.count)
    }
    let (plain, later) = (distance(from: 0), distance(from: 1))
    guard max(plain.pairs, later.pairs) > 0 else { return nil }
    let isOneBased = later.pairs >= plain.pairs && later.sum < 0.9 * plain.sum
    let unit =
      switch rate {
      case 1000: "milliseconds"
      case 1_000_000: "microseconds"
      default: "\(isOneBased ? "1-based " : "")samples at \(number(rate)) Hz"
      }
    return SampleNumbers(
      unit: unit, isOfReference: isOfReference, pairs: max(plain.pairs, later.pairs), rate: rate)
  }
}
