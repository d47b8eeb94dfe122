import ArgumentParser
import Diagnostics
import Evaluation
import Files
import Foundation
import Reports
import Scoring

/// The files of `gate` and `compare` for CI services.
struct CIOutputOptions: ParsableArguments {
  @Option(help: .init("Write JUnit XML.", valueName: "file.xml"))
  var junit: String?

  @Option(
    help: .init(
      "Write a Markdown summary, of at most 1,024 KiB; - appends to $GITHUB_STEP_SUMMARY.",
      valueName: "file.md"))
  var summary: String?

  @Option(help: .init("Write the figures of the head as OpenMetrics.", valueName: "file.txt"))
  var openMetrics: String?

  @Option(
    help: .init(
      "Write figures where less is better as JSON of github-action-benchmark "
        + "(customSmallerIsBetter).", valueName: "file.json"))
  var benchmarkJson: String?

  @Option(
    help: .init(
      "The same, where more is better (customBiggerIsBetter).", valueName: "file.json"))
  var benchmarkJsonBigger: String?

  @Option(help: .init("Write a badge for shields.io.", valueName: "file.json"))
  var badge: String?

  /// The environment, which describes the service that runs the job.
  var variables = ProcessInfo.processInfo.environment

  /// The files that are written, but not the summary that is appended to.
  var files: [String] {
    [
      junit, stepSummary == nil ? summary : nil, openMetrics, benchmarkJson, benchmarkJsonBigger,
      badge,
    ]
    .compactMap(\.self)
  }

  /// Checks the paths before the work.
  ///
  /// - Parameters:
  ///   - inputs: the files that the command reads.
  ///   - others: the other files that it writes.
  func check(inputs: [String], others: [String?] = [], of outputFiles: OutputFiles) throws {
    _ = try targets(inputs: inputs, outputFiles)
    try OutputFiles.requireDistinct(files + others)
  }

  /// Writes the files: all of them or none. Then appends the summary if an option asks for it, and
  /// prints annotations if GitHub runs the job.
  func write(_ report: some CIReport, of outputFiles: OutputFiles) throws {
    let targets = try targets(inputs: [], outputFiles)
    var prepared: [AtomicFile] = []
    func prepare(_ path: String?, _ text: () throws -> String) throws {
      if let path { prepared.append(try outputFiles.prepared(text(), at: path)) }
    }
    try prepare(targets.junit) { report.junit }
    try prepare(targets.summary) { report.markdown(limit: summaryLimit) }
    try prepare(targets.openMetrics) { report.openMetrics }
    try prepare(targets.smaller) { try report.benchmarks(.lower) }
    try prepare(targets.bigger) { try report.benchmarks(.higher) }
    try prepare(targets.badge) { try report.badge() }
    for file in prepared { try file.commit() }
    if let path = targets.stepSummary { try StepSummary(path: path).append(report) }
    if CIService(environment: variables) == .gitHub {
      for annotation in report.annotations { Terminal().warn(annotation.line) }
    }
  }

  private struct Targets {
    var junit: String?
    var summary: String?
    var stepSummary: String?
    var openMetrics: String?
    var smaller: String?
    var bigger: String?
    var badge: String?
  }

  private func targets(inputs: [String], _ outputFiles: OutputFiles) throws -> Targets {
    func checked(_ path: String?, _ kind: OutputKind) throws -> String? {
      try path.map { try outputFiles.checked($0, kind, inputs: inputs) }
    }
    let stepSummary = stepSummary
    try requireUse(
      summary != "-" || stepSummary != nil,
      "--summary -: expected GITHUB_STEP_SUMMARY to name a file, found nothing; name a file")
    return Targets(
      junit: try checked(junit, .junit),
      summary: stepSummary == nil ? try checked(summary, .summary) : nil,
      stepSummary: try checked(stepSummary, .stepSummary),
      openMetrics: try checked(openMetrics, .openMetrics),
      smaller: try checked(benchmarkJson, .benchmarks),
      bigger: try checked(benchmarkJsonBigger, .benchmarks), badge: try checked(badge, .badge))
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

  /// Appends a summary. What is there already counts towards the limit.
  func append(_ report: some CIReport) throws {
    var facts = stat()
    let size = stat(path, &facts) == 0 ? Int(facts.st_size) : 0
    let lead = size > 0 ? "\n" : ""
    let text = report.markdown(limit: max(0, summaryLimit - size - lead.utf8.count))
    guard !text.isEmpty else {
      return Terminal().warn(
        "\(path): holds \(size) bytes already, of at most \(summaryLimit): no summary is added")
    }
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure() }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try file.write(contentsOf: Data((lead + text).utf8))
      try file.close()
    } catch {
      throw failure()
    }
  }

  private func failure() -> Failure {
    Failure(
      .fileError,
      "\(path): cannot append the summary (\(String(cString: strerror(errno)))); choose another file"
    )
  }
}
