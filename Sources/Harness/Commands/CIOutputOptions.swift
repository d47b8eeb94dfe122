import ArgumentParser
import Diagnostics
import Evaluation
import Files
import Foundation
import Reports
import Scoring

/// The files of `gate` and `compare` for CI services.
struct CIOutputOptions: ParsableArguments {
  @Option(help: .init("Write JUnit XML.", "file.xml")) var junit: String?

  @Option(
    help: .init(
      "Write a Markdown summary, of at most 1,024 KiB; - appends to $GITHUB_STEP_SUMMARY.",
      "file.md"))
  var summary: String?

  @Option(help: .init("Write the figures of the head as OpenMetrics.", "file.txt"))
  var openMetrics: String?

  @Option(
    help: .init(
      "Write figures where less is better as JSON of github-action-benchmark "
        + "(customSmallerIsBetter).", "file.json"))
  var benchmarkJson: String?

  @Option(help: .init("The same, where more is better (customBiggerIsBetter).", "file.json"))
  var benchmarkJsonBigger: String?

  @Option(help: .init("Write a badge for shields.io.", "file.json")) var badge: String?

  /// The environment, which describes the service that runs the job.
  var variables = ProcessInfo.processInfo.environment

  /// The files that are written, without the summary that is appended to.
  var outputs: [(path: String?, format: ResultsExport)] {
    [
      (junit, .junit), (stepSummary == nil ? summary : nil, .markdown),
      (openMetrics, .openMetrics), (benchmarkJson, .benchmark),
      (benchmarkJsonBigger, .benchmarkBigger), (badge, .badge),
    ]
  }

  /// - Parameters:
  ///   - inputs: the files that the command reads.
  ///   - others: the other files that it writes.
  func check(inputs: [String], others: [String?] = [], of outputFiles: OutputFiles) throws {
    try requireUse(
      summary != "-" || stepSummary != nil,
      "--summary -: expected GITHUB_STEP_SUMMARY to name a file, found nothing; name a file")
    for (path, format) in outputs {
      _ = try outputFiles.checked(path, format.outputKind, inputs: inputs)
    }
    _ = try outputFiles.checked(stepSummary, .stepSummary, inputs: inputs)
    try OutputFiles.requireDistinct(outputs.map(\.path) + others)
  }

  /// Writes the files: all of them or none. Then appends the summary if an option asks for it, and
  /// prints annotations if GitHub runs the job.
  /// - Parameter isMeasured: whether there are figures; otherwise only files with a verdict are written.
  func write(
    _ report: some CIReport, of outputFiles: OutputFiles, isMeasured: Bool = true
  ) throws {
    let wanted = outputs.filter { isMeasured || $0.format.hasVerdict }
    let prepared = try wanted.compactMap { path, format in
      try outputFiles.checked(path, format.outputKind).map {
        try outputFiles.prepared(format.text(of: report), at: $0)
      }
    }
    let stepSummary = try outputFiles.checked(stepSummary, .stepSummary)
    for file in prepared { try file.commit() }
    if let stepSummary { try StepSummary(path: stepSummary).append(report) }
    if CIService(environment: variables) == .gitHub {
      for annotation in report.annotations { Console.command(annotation.line) }
    }
  }

  /// The file of GitHub, if the summary goes there: other steps may have written to it.
  private var stepSummary: String? {
    guard let summary,
      let path = variables["GITHUB_STEP_SUMMARY"], !path.isEmpty,
      summary == "-" || OutputFiles.isSame(summary, path)
    else { return nil }
    return path
  }
}

/// The file that GitHub shows as the summary of a job.
private struct StepSummary {
  var path: String

  /// Appends a summary. The content that is there already counts towards the limit.
  func append(_ report: some CIReport) throws {
    var facts = stat()
    let size = stat(path, &facts) == 0 ? Int(facts.st_size) : 0
    let lead = size > 0 ? "\n" : ""
    let text = report.markdown(limit: max(0, summaryLimit - size - lead.utf8.count))
    guard !text.isEmpty else {
      return Terminal().warn(
        "\(path): has \(size) of at most \(summaryLimit) bytes already; no summary is added")
    }
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard descriptor >= 0, (try? file.write(contentsOf: Data((lead + text).utf8))) != nil,
      (try? file.close()) != nil
    else {
      throw fileError(
        "\(path): cannot append (\(String(cString: strerror(errno)))); choose another file")
    }
  }
}

/// The formats in which `export`, `compare` and `gate` write results for CI services.
enum ResultsExport: String {
  case junit, markdown
  case openMetrics = "open-metrics"
  /// Figures where less is better.
  case benchmark
  case benchmarkBigger = "benchmark-bigger"
  case badge

  /// Whether a file of a gate says its verdict, and not only figures.
  var hasVerdict: Bool { [.junit, .markdown, .badge].contains(self) }

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
