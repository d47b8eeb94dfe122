package import Evaluation
package import Scoring

/// A result in the formats that CI services read.
package protocol CIReport {
  var junit: String { get }
  /// - Parameter limit: the largest size in bytes.
  func markdown(limit: Int) -> String
  var openMetrics: String { get }
  /// The figures of one direction.
  func benchmarks(_ better: FigureDefinition.Direction) throws -> String
  func badge() throws -> String
  var annotations: [Annotation] { get }
}

extension CIReport {
  package var annotations: [Annotation] { [] }
}

extension MeasuredResults: CIReport {}

extension ResultComparison: CIReport {
  /// Those of the head.
  package func benchmarks(_ better: FigureDefinition.Direction) throws -> String {
    try head.benchmarks(better)
  }
}

extension GateReport: CIReport {
  /// Those of the head.
  package func benchmarks(_ better: FigureDefinition.Direction) throws -> String {
    try comparison.head.benchmarks(better)
  }
}

/// The largest Markdown summary in bytes that GitHub takes of a step.
package let summaryLimit = MarkdownDocument.limit
