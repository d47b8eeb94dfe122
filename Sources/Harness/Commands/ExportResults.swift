import ArgumentParser
import Diagnostics
import Evaluation
import Files
import Reports
import Results
import Scoring
import TraceFormats

/// The formats in which `export` writes the results of a run.
enum ResultsExport: String, CaseIterable, ExpressibleByArgument {
  case junit, markdown
  case openMetrics = "open-metrics"
  /// Figures where less is better.
  case benchmark
  case benchmarkBigger = "benchmark-bigger"
  case badge

  /// The format that an ending stands for; nil = none, or several.
  init?(ending: String) {
    switch ending {
    case "xml": self = .junit
    case "md": self = .markdown
    case "txt", "prom", "om": self = .openMetrics
    default: return nil
    }
  }

  fileprivate var outputKind: OutputKind {
    switch self {
    case .junit: .junit
    case .markdown: .summary
    case .openMetrics: .openMetrics
    case .benchmark, .benchmarkBigger: .benchmarks
    case .badge: .badge
    }
  }

  fileprivate func text(of results: some CIReport) throws -> String {
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

/// Writes a results file of `run` in another format.
///
/// - Throws: if the file cannot be read or is not a results file, or the output cannot be written.
func exportResults(
  _ path: String, as kind: ResultsExport, to output: String, of outputFiles: OutputFiles
) throws {
  let target = try outputFiles.checked(output, kind.outputKind, inputs: [path])
  let results = try MeasuredResults(reading: path)
  try outputFiles.prepared(kind.text(of: results), at: target).commit()
}
