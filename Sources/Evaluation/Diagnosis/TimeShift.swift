import Scoring
import TraceModel

/// Missed references and false alarms that a shift of the clock would match. Times are in ns.
struct TimeShift {
  /// Added to a reference's time, it is about that of its false alarm.
  var shift: Int64
  /// From each reference to its false alarm, ascending.
  var differences: [Int64]
  var middle: Int64 { differences[differences.count / 2] }
  /// The mean number of pairs at other shifts.
  var usual: Double

  private init(_ shift: Int64, _ differences: [Int64], usual: Double) {
    (self.shift, self.differences, self.usual) = (shift, differences.sorted(), usual)
  }

  /// Whether so many pairs are not to be had by chance, at none of thousands of shifts.
  var isBeyondChance: Bool {
    Double(differences.count) > usual + 5 * usual.squareRoot() + Double(Diagnosis.fewest)
  }

  /// The shift with the most pairs within a window as wide as the tolerance; of equal ones, the smallest.
  /// - Returns: nil where other shifts match nearly as many, as between dense events.
  /// - Parameter share: how many such searches share the limit of the work.
  static func best(_ recordings: [DiagnosedRecording], share: Int = 1) -> TimeShift? {
    let width = recordings.map(\.width).max() ?? 0
    guard let middle = fullestWindow(of: differences(recordings, share), width: width) else {
      return nil
    }
    return pairs(recordings, around: middle, within: width / 2 + 1)
  }

  /// The pairs within a wider tolerance, whichever comes first.
  static func wider(_ recordings: [DiagnosedRecording], times: Int64) -> TimeShift? {
    let width = recordings.map(\.width).max() ?? 0
    return pairs(recordings, around: 0, within: min(width / 2, .max / 1024) * times)
  }

  /// How often more pairs than at other shifts are more than chance.
  private static let excess = 1.5

  /// - Returns: nil where other shifts match nearly as many.
  static func pairs(
    _ recordings: [DiagnosedRecording], around shift: Int64, within reach: Int64
  ) -> TimeShift? {
    let found = matched(recordings, around: shift, within: reach)
    let others = [-5.3, -3.7, -2.3, 2.3, 3.7, 5.3].map { (times: Double) -> Int in
      let other = shift.addingClamped(Int64(times * Double(min(reach, 1 << 50))))
      return matched(recordings, around: other, within: reach).count
    }
    let usual = Double(others.reduce(0, +)) / Double(others.count)
    return Double(found.count) > excess * usual ? TimeShift(shift, found, usual: usual) : nil
  }

  /// One to one: each reference in turn takes the first false alarm in its window.
  private static func matched(
    _ recordings: [DiagnosedRecording], around shift: Int64, within reach: Int64
  ) -> [Int64] {
    recordings.flatMap { recording -> [Int64] in
      var found: [Int64] = []
      var next = 0
      for miss in recording.misses {
        let middle = miss.time.addingClamped(shift)
        while next < recording.alarms.count,
          recording.alarms[next].time < middle.subtractingClamped(reach)
        {
          next += 1
        }
        guard next < recording.alarms.count else { break }
        guard recording.alarms[next].time <= middle.addingClamped(reach) else { continue }
        found.append(recording.alarms[next].time.subtractingClamped(miss.time))
        next += 1
      }
      return found
    }
  }

  /// The most differences that are compared: a few recordings with many errors show the shift too.
  private static let mostDifferences = 1_000_000

  private static func differences(_ recordings: [DiagnosedRecording], _ share: Int) -> [Int64] {
    let own = recordings.filter { !$0.alarms.isEmpty && !$0.misses.isEmpty }
    guard !own.isEmpty else { return [] }
    let most = max(5, Int(Double(mostDifferences / share / own.count).squareRoot()))
    return own.prefix(mostDifferences / 25).flatMap { recording in
      recording.misses.prefix(most).flatMap { miss in
        recording.alarms.prefix(most).map { $0.time.subtractingClamped(miss.time) }
      }
    }.sorted()
  }

  /// - Returns: the middle of the differences in the window that holds the most.
  private static func fullestWindow(of differences: [Int64], width: Int64) -> Int64? {
    var (first, best, middle) = (0, 0, Int64(0))
    for (last, end) in differences.enumerated() {
      while end.subtractingClamped(differences[first]) > width { first += 1 }
      let center = differences[first].addingClamped(
        end.subtractingClamped(differences[first]) / 2)
      let count = last - first + 1
      if count > best || count == best && center.magnitude < middle.magnitude {
        (best, middle) = (count, center)
      }
    }
    return best == 0 ? nil : middle
  }
}

extension DiagnosedRecording {
  /// The width of the window in which a detection matches.
  var width: Int64 {
    max(tolerance.early.nanoseconds.addingClamped(tolerance.late.nanoseconds), 20_000_000)
  }
}
