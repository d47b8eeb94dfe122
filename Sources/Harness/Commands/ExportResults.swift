import Evaluation
import Reports
import Scoring

/// The formats in which `export`, `compare` and `gate` write results for CI services.
enum ResultsExport: String {
  case junit, markdown
  case openMetrics = "open-metrics"
  /// Figures where less is better.
  case benchmark
  case benchmarkBigger = "benchmark-bigger"
  case badge

  var outputKind: OutputKind {
    switch self {
    case .junit: .junit
    case .markdown: .summary
    case .openMetrics: .openMetrics
    case .benchmark, .benchmarkBigger: .benchmarks
    case .badge: .badge
    }
  }

  func text(of results: some CIReport) throws -> String {
    switch self {
    case .junit: results.junit
    case .markdown: results.markdown(limit: summaryLimit)
    case .openMetrics: results.openMetrics
    case .benchmark: try results.benchmarks(.lower)
    case .benchmarkBigger: try results.benchmarks(.higher)
    case .badge: try results.badge()
    }
  }
}
