import Detectors
import Diagnostics
import TraceModel
package import Tuning

/// The threshold curves of an entry's traces, for a page that cannot run the detector itself.
package struct EntryCurves: Sendable {
  /// The parameter that is swept: the detector's own threshold, or the one called `threshold`.
  package let parameter: String
  /// Whether the counts between two thresholds are known, from a detector's scores.
  package let isExact: Bool
  private let entry: Suite.Entry
  private let detector: AnyDetector
  private let range: ClosedRange<Double>

  /// The number of thresholds that are run where the detector has no scores.
  package static let points = 21
  /// How far a curve reaches from the threshold of the run, as a factor.
  static let reach = 4.0

  /// - Returns: nil if the detector names no threshold or has no hits and false alarms.
  package init?(of entry: Suite.Entry, _ detector: AnyDetector) {
    // Detectors that state no threshold usually give it this name.
    let parameter = detector.exactThreshold ?? detector.statedThreshold ?? "threshold"
    guard [.punch, .drop, .visit].contains(detector.task),
      case .number(_, let range) = detector.parameters.first(where: { $0.name == parameter })?.kind
    else { return nil }
    self.parameter = parameter
    isExact = detector.exactThreshold != nil && entry.policy == nil
    (self.entry, self.detector, self.range) = (entry, detector, range)
  }

  /// Evaluates the thresholds around the one of the run.
  /// - Parameter value: the threshold of the run.
  package func curve(
    of file: String, around value: Double, loader: any TraceLoader
  ) async throws -> ThresholdCurve {
    let measured = try await EvaluationDataset.read(
      [file], name: entry.name, entry: entry, detector: detector, threads: 1, loader: loader,
      observer: NoObserver())
    var span = try ThresholdSpan("\(parameter)=\(text(of: value))", of: detector)
    if !isExact { span.points = thresholds(around: value) }
    let curves = try await DetectorEvaluator(measured: measured, span: span, threads: 1)
      .curves(at: [:])
    return curves[0]
  }

  private func ends(around value: Double) -> ClosedRange<Double> {
    guard value > 0 else { return range }
    return max(range.lowerBound, value / Self.reach)...min(range.upperBound, value * Self.reach)
  }

  private func text(of value: Double) -> String {
    let ends = ends(around: value)
    return "\(ends.lowerBound)..\(ends.upperBound)"
  }

  /// The run's own threshold is one of them. The others are as far apart as those of a page's curve.
  private func thresholds(around value: Double) -> [Double] {
    let ends = ends(around: value)
    guard value > 0 else { return Set(ThresholdSpan.points(ends, Self.points) + [value]).sorted() }
    let half = Self.points / 2
    let factors = (-half...half).map { Math.exp(Double($0) / 6 * 0.693_147_180_559_945_3) }
    return Set(factors.map { min(max(value * $0, ends.lowerBound), ends.upperBound) }).sorted()
  }
}
