internal import TraceModel

/// Returns the best matching for ordered windows: neither the lower nor the upper ends decrease.
///
/// Two crossing pairs can be uncrossed: the swapped pairs are possible too, their sum is not larger
/// (|d - r| is convex), and the earlier reference gets the earlier detection. So the best matching
/// has no crossings, and dynamic programming over suffixes finds it, from the last reference to the
/// first. Let f(i, j) be the best outcome of references from i on with detections from j on.
/// Reference i takes either the best of its detections from j on, or none:
///
///     m(i, j) = max(pair(i, j) + f(i + 1, j + 1), m(i, j + 1))
///     f(i, j) = max(m(i, j), f(i + 1, j))
///
/// Ties go to the first operand, so reading the matching forwards gives the lexicographically
/// smallest one. The algorithm visits only the cells inside the windows, keeps one row of values,
/// and stores the choices in two bits per cell.
/// - Parameter windows: the windows of the references, without detections that no best matching
///   needs.
func orderedAssignment(
  _ problem: MatchProblem, references: [Int], windows: [Range<Int>]
) -> [Int?] {
  var choices = Choices(windows: windows)
  choices.fill(problem, references: references)
  return choices.assignment()
}

/// The choices of the dynamic programming above, one row per reference.
private struct Choices {
  private let windows: [Range<Int>]
  /// The start of each row.
  private let rows: [Int]
  /// The choices, four cells per byte.
  private var bits: [UInt8]

  private static let takesThis: UInt8 = 1
  private static let takesAny: UInt8 = 2

  init(windows: [Range<Int>]) {
    self.windows = windows
    var cells = 0
    rows = windows.map { window in
      defer { cells += window.count }
      return cells
    }
    bits = [UInt8](repeating: 0, count: cells / 4 + 1)
  }

  private func cell(_ row: Int, _ detection: Int) -> Int {
    rows[row] + detection - windows[row].lowerBound
  }

  private func has(_ flag: UInt8, _ row: Int, _ detection: Int) -> Bool {
    let cell = cell(row, detection)
    return bits[cell / 4] >> UInt8(cell % 4 * 2) & flag != 0
  }

  private mutating func set(_ flag: UInt8, _ row: Int, _ detection: Int) {
    let cell = cell(row, detection)
    bits[cell / 4] |= flag << UInt8(cell % 4 * 2)
  }

  mutating func fill(_ problem: MatchProblem, references: [Int]) {
    guard let first = windows.first, let last = windows.last else { return }
    // suffix[j - first] is f(i + 1, j) for every j from the lower end of the window of i + 1 on;
    // before that end it equals the value at that end.
    var suffix = [Outcome](
      repeating: Outcome(), count: last.upperBound - first.lowerBound + 1)
    var filledFrom = first.lowerBound
    for row in windows.indices.reversed() where !windows[row].isEmpty {
      var following = suffix[max(windows[row].upperBound, filledFrom) - first.lowerBound]
      var best = Outcome.impossible
      for detection in windows[row].reversed() {
        let taken = following.adding(problem.distance(references[row], detection))
        if !(taken < best) {
          best = taken
          set(Self.takesThis, row, detection)
        }
        if detection >= filledFrom { following = suffix[detection - first.lowerBound] }
        if !(best < following) { set(Self.takesAny, row, detection) }
        suffix[detection - first.lowerBound] = best < following ? following : best
      }
      // Windows need not touch: a position beyond this one is at most its upper end.
      if windows[row].upperBound < filledFrom {
        suffix[windows[row].upperBound - first.lowerBound] = suffix[filledFrom - first.lowerBound]
      }
      filledFrom = windows[row].lowerBound
    }
  }

  func assignment() -> [Int?] {
    var next = 0
    return windows.indices.map { row in
      next = max(next, windows[row].lowerBound)
      guard next < windows[row].upperBound, has(Self.takesAny, row, next) else { return nil }
      while !has(Self.takesThis, row, next) { next += 1 }
      defer { next += 1 }
      return next
    }
  }
}

/// The quality of a partial matching: more pairs first, then the smaller sum.
private struct Outcome: Comparable {
  var pairs = 0
  var distance: Int64 = 0

  static let impossible = Outcome(pairs: -1, distance: 0)

  func adding(_ distance: Int64) -> Outcome {
    Outcome(pairs: pairs + 1, distance: self.distance.addingClamped(distance))
  }

  static func < (left: Outcome, right: Outcome) -> Bool {
    left.pairs != right.pairs ? left.pairs < right.pairs : left.distance > right.distance
  }
}
