internal import TraceModel

/// Latencies in bins of 10 ms.
///
/// ```swift
/// LatencyHistogram([12_000_000, 14_000_000, 31_000_000]).counts  // [2, 0, 1]
/// ```
public struct LatencyHistogram: Sendable {
  /// The width of a bin in nanoseconds.
  public static let width: Int64 = 10_000_000
  /// The largest number of bins: the last one takes what lies beyond.
  public static let mostBins = 10_000

  /// The lower edges of the bins in nanoseconds.
  public private(set) var lowerEdges: [Int64] = []
  public private(set) var counts: [Int32] = []

  /// - Parameter latencies: in nanoseconds, of any sign.
  public init(_ latencies: [Int64]) {
    let bins = latencies.map { Self.bin(of: $0) }
    guard let first = bins.min(), let last = bins.max() else { return }
    let span = min(last.subtractingClamped(first), Int64(Self.mostBins - 1))
    counts = [Int32](repeating: 0, count: Int(span) + 1)
    lowerEdges = (0...span).map { Self.lowerEdge(of: first + $0) }
    for bin in bins { counts[Int(min(bin.subtractingClamped(first), span))] += 1 }
  }

  private static func lowerEdge(of bin: Int64) -> Int64 {
    let (edge, overflow) = bin.multipliedReportingOverflow(by: width)
    return overflow ? (bin < 0 ? .min : .max) : edge
  }

  /// The bin that a latency lies in, rounded down also below zero.
  private static func bin(of latency: Int64) -> Int64 {
    let (quotient, remainder) = latency.quotientAndRemainder(dividingBy: width)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
