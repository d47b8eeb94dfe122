#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Times measured in alternating rounds: each round runs every variant once, so that a disturbance
/// of the machine affects all of them equally. They are the CPU time of the thread, without other
/// programs.
public struct Rounds {
  public private(set) var nanoseconds: [String: [Double]] = [:]

  public init() {}

  /// Measures each variant `count` times, after two warm-up rounds. Each round begins with another
  /// variant.
  /// - Returns: false if a variant reported a wrong result.
  public mutating func measure(
    _ variants: [(name: String, body: () -> Bool)], count: Int
  ) -> Bool {
    var isRight = true
    for round in 0..<count + 2 {
      for turn in variants.indices {
        let variant = variants[(round + turn) % variants.count]
        let start = threadNanoseconds()
        let answer = variant.body()
        let elapsed = threadNanoseconds() - start
        isRight = isRight && answer
        if round >= 2 { nanoseconds[variant.name, default: []].append(Double(elapsed)) }
      }
    }
    return isRight
  }

  /// Returns nanoseconds per unit.
  public func median(_ name: String, per units: Int) -> Estimate {
    Estimate((nanoseconds[name] ?? []).map { $0 / Double(units) })
  }

  /// Returns the ratio of two variants, round by round.
  public func ratio(_ name: String, to other: String) -> Estimate {
    Estimate(zip(nanoseconds[name] ?? [], nanoseconds[other] ?? []).map { $0 / $1 })
  }
}

private func threadNanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// The median of a sample with a distribution-free 95 % interval: from the ranks between which the
/// true median lies (Conover, Practical Nonparametric Statistics, 3.2).
public struct Estimate: CustomStringConvertible {
  public let median: Double
  public let low: Double
  public let high: Double

  public init(_ sample: [Double]) {
    let sorted = sample.sorted()
    guard !sorted.isEmpty else {
      (median, low, high) = (.nan, .nan, .nan)
      return
    }
    let count = sorted.count
    median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    let rank = Self.rank(count)
    (low, high) = (sorted[rank], sorted[count - 1 - rank])
  }

  /// Returns the number of values outside the interval on each side: the largest r for which fewer
  /// than r + 1 of `count` fair coins show heads with a probability of at most 2.5 %.
  private static func rank(_ count: Int) -> Int {
    var term = 1.0
    for _ in 0..<count { term /= 2 }
    var (cumulated, rank) = (0.0, 0)
    while rank < count / 2 {
      cumulated += term
      if cumulated > 0.025 { break }
      term *= Double(count - rank) / Double(rank + 1)
      rank += 1
    }
    return max(rank - 1, 0)
  }

  public var description: String { "\(fixed(median)) (\(fixed(low))-\(fixed(high)))" }
}

/// Formats with two decimals.
public func fixed(_ value: Double) -> String {
  guard value.isFinite else { return "-" }
  let hundredths = Int((abs(value) * 100).rounded())
  let fraction = hundredths % 100
  return "\(value < 0 ? "-" : "")\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
}

/// Prints a table: the first column is left-aligned, the others right-aligned.
public func printTable(_ rows: [[String]]) {
  let columns = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  for row in rows {
    let cells = row.indices.map { column in
      let padding = String(repeating: " ", count: columns[column] - row[column].count)
      return column == 0 ? row[column] + padding : padding + row[column]
    }
    print(cells.joined(separator: "  "))
  }
}
