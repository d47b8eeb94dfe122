import ArgumentParser
import Digests
import Evaluation
import Files
import Foundation
import Reports
import Results

struct RerunCommand: WritingCommand, DetectingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "rerun",
    abstract:
      "Repeats a run from its results file and reports whether every detection is identical.",
    discussion: """
      The file names the suite with all parameters, and each trace by path and SHA-256. A trace that \
      has moved is found in --traces. Exit codes: 0 identical, 2 detections differ, 65 a trace is \
      missing or has changed, or an exec: program is not deterministic, or not allowed.
      """)

  @Argument(help: .init("The results of run -o.", "file")) var results: String
  @Option(help: tracesHelp) var traces: [String] = []
  @OptionGroup var threads: ThreadOptions
  @Option(help: detectorTimeoutHelp) var detectorTimeout = defaultDetectorTimeout
  @Flag(help: allowProgramsHelp) var allowPrograms = false
  @Option(help: "How the result is printed.") var format = OutputFormat.table
  @Option(name: .shortAndLong, help: "Write the comparison as HDF5 (.h5).") var output: String?
  @Option(help: .init("Write all detections that differ (.csv).", "file")) var flips: String?
  @OptionGroup var writing: WritingOptions

  func run(_ registry: DetectorRegistry) async throws {
    let count = try threads.count()
    let outputs = try ComparisonOutputs(
      output: output, flips: flips, inputs: [results] + traces.filter { !TracePath.isFolder($0) },
      of: outputFiles)
    let stored = try MeasuredResults(reading: results)
    let definition = try RunDefinition(stored)
    let files = try definition.located(in: TracePath.nativeTraces(traces))
    if files.allSatisfy({ $0.location == nil }) { try Self.requireTraces(files) }
    try registry.setTimeLimit(detectorTimeout)
    let suite = try definition.suite(files, registry, allowsPrograms: allowPrograms)
    let output = try await suite.run(registry, threads: count, terminal)
    let result = SuiteResult(
      provenance: .init(
        suite: suite.name, suiteSHA256: definition.suiteSHA256,
        dataCommit: Toolchain.commit(near: definition.suitePath), toolchain: Toolchain.name,
        detectionLogSHA256: SuiteLog.sha256(output)),
      runs: output.runs, apps: output.apps)
    let comparison = ResultComparison(
      from: stored, to: try MeasuredResults(result, path: "rerun"))
    try outputs.write(comparison)
    try format.print(
      table: { table(of: comparison, files, $0) },
      json: { try comparison.json(.files([results], role: "results")) }, csv: comparison.csv)
    try Self.requireTraces(files)
    if let first = comparison.obstacles.first {
      let place = first.place.isEmpty ? results : first.place
      throw badData("\(place): expected equal inputs, found: \(first.reason)")
    }
    guard comparison.differs else { return }
    if let first = try await suite.unrepeatable(registry).first {
      throw badData("entry \(first.entry): \(first.reason)")
    }
    try ExitStatus.regression.end()
  }

  private func table(
    of comparison: ResultComparison, _ files: [RunDefinition.File], _ screen: Screen
  ) -> String {
    let faults = files.compactMap { file in file.fault.map { "\(file.path): \($0)\n" } }.joined()
    let isIdentical = comparison.isIdentical && !comparison.entries.isEmpty && faults.isEmpty
    return screen.wrapped(faults, indent: 2) + ComparisonTables(comparison, screen: screen).render()
      + (isIdentical ? "Identical: every detection and measurement.\n" : "")
  }

  static func requireTraces(_ files: [RunDefinition.File]) throws {
    let faults = files.filter { $0.fault != nil }
    try requireData(
      faults.isEmpty,
      "\(faults.first?.path ?? ""): expected the trace of the run, found: \(faults.first?.fault ?? "")"
        + (faults.count > 1 ? ", and \(faults.count - 1) more" : "")
        + "; name the folder that has the original traces with --traces")
  }
}

/// The run that made a results file, as the file describes it.
struct RunDefinition {
  /// A trace of the run.
  struct File {
    /// The path that the run read.
    var path: String
    var sha256: String
    /// The path where the trace is now; nil = it is missing or has changed.
    var location: String?
    /// The problem with the trace; nil = none.
    var fault: String?
  }

  let suiteSHA256: String
  let suitePath: String
  /// The results file, and the suite in it as JSON.
  private let path: String
  private let suite: String
  private let files: [File]

  /// A file that the run read, as JSON.
  private struct Input: Decodable {
    var role: String
    var path: String
    var sha256: String
  }

  init(_ stored: MeasuredResults) throws {
    try self.init(
      path: stored.path, schema: stored.schema, suite: stored.definition, inputs: stored.inputs,
      suiteSHA256: stored.suiteSHA256)
  }

  /// Reads the description of the run, and no events.
  init(reading path: String) throws {
    let contents = try SteadyFile.reading(path) { try ResultsContents.reading(path, .facts) }
    try contents.requireRun(path)
    try self.init(
      path: path, schema: contents.schema, suite: contents["suite_definition"],
      inputs: contents["inputs"], suiteSHA256: contents["suite_sha256"])
  }

  /// - Parameters:
  ///   - suite: the suite as JSON.
  ///   - inputs: the files that the run read, as JSON.
  private init(
    path: String, schema: String, suite: String, inputs: String, suiteSHA256: String
  ) throws {
    (self.path, self.suite, self.suiteSHA256) = (path, suite, suiteSHA256)
    try requireData(
      !suite.isEmpty && !inputs.isEmpty,
      "\(path): expected results that name their suite (shadowbox-results/4 or newer), found "
        + "\(schema); run the suite again with this version")
    guard let inputs = try? JSONDecoder().decode([Input].self, from: Data(inputs.utf8)) else {
      throw badData("\(path):/@inputs: expected a list of files, found other JSON")
    }
    suitePath = inputs.first { $0.role == "suite" }?.path ?? path
    files = inputs.filter { $0.role == "trace" }.map { File(path: $0.path, sha256: $0.sha256) }
  }

  /// Finds each trace by its digest: where it was, or among `others`.
  func located(in others: [String]) throws -> [File] {
    var known: [String: String] = [:]
    for path in others { known[try FileDigest.sha256(of: path)] = known[path] ?? path }
    return files.map { file in
      var file = file
      let found = FileDigest.isRegularFile(file.path) ? try? FileDigest.sha256(of: file.path) : nil
      if found == file.sha256 {
        file.location = file.path
      } else if let other = known[file.sha256] {
        file.location = other
      } else if found != nil {
        // The digest of any file that a results file names would give away what is in it.
        file.fault = "the trace has changed: it had the SHA-256 \(file.sha256.prefix(12))"
      } else {
        file.fault = "no file has its SHA-256 \(file.sha256.prefix(12))"
      }
      return file
    }
  }

  /// The suite with the paths where the traces are now, without missing ones.
  /// - Throws: bad data if it names `exec:` programs that are not allowed.
  func suite(
    _ files: [File], _ registry: DetectorRegistry, allowsPrograms: Bool
  ) throws -> Suite {
    let parser = SuiteParser(
      path: suitePath, registry: registry, results: path,
      isTrusted: InputKind.results.mayNamePrograms || allowsPrograms)
    let locations = Dictionary(
      files.map { ($0.path, $0.location) }, uniquingKeysWith: { first, _ in first })
    guard
      var fields = (try? JSONSerialization.jsonObject(with: Data(suite.utf8))) as? [String: Any],
      let sets = fields["traces"] as? [String: [String]]
    else { throw badData("\(path):/@suite_definition: expected a suite, found other JSON") }
    let located = sets.mapValues { paths in
      paths.compactMap { path in (locations[path] ?? nil).map(Self.pattern) }
    }
    // An entry without any of its traces measures nothing.
    if located.values.contains(where: \.isEmpty) { try RerunCommand.requireTraces(files) }
    fields["traces"] = located
    return try parser.reading(JSONSerialization.data(withJSONObject: fields)) { try $0.parse($1) }
  }

  /// The pattern that matches one file only, the one whose digest was computed.
  private static func pattern(_ path: String) -> String {
    SuiteParser.escaped(TracePath.absolute(path))
  }
}
