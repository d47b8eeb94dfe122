import ArgumentParser
import ChildProcesses
import Diagnostics
import Evaluation
import Files
import Foundation
import Reports
import Results
import TraceModel

struct GateSideOptions: ParsableArguments {
  @Option(help: .init("A build of shadowbox, or of your program with it.", "program"))
  var baseBuild: String?

  @Option(help: .init("Default: this program.", "program")) var headBuild: String?
  @Option(help: .init("Stored results of run -o; accuracy only.", "file")) var baseResults: String?
  @Option(help: .init("Stored results of run -o; accuracy only.", "file")) var headResults: String?
  @Option(help: .init("The suite of the base.", "file")) var baseSuite: String?
  @Option(help: .init("The suite of the head.", "file")) var headSuite: String?

  @Option(help: .init("With traces: the detector of the base.", "name[/preset]"))
  var baseDetector: String?

  @Option(help: .init("With traces: the detector of the head.", "name[/preset]"))
  var headDetector: String?

  @Option(help: .init("With traces: parameters of the base.", "name=value,...|file"))
  var baseParameters: String?

  @Option(help: .init("With traces: parameters of the head.", "name=value,...|file"))
  var headParameters: String?

  @Option(help: .init("With traces: the detector of both sides.", "name[/preset]"))
  var detector: String?

  @Option(help: .init("With traces: remove gravity, as in run.", "method"))
  var gravityFilter: String?

  var files: [String] {
    [baseResults, headResults, baseSuite, headSuite].compactMap(\.self)
      + [baseParameters, headParameters].compactMap(\.self).filter(ParameterText.isFile)
  }

  /// Whether a side runs the inputs of the command.
  var runInputs: Bool {
    baseSuite == nil && baseResults == nil || headSuite == nil && headResults == nil
  }

  /// - Throws: wrong use, if a side has stored results and something to run as well.
  func check() throws {
    func check(
      _ side: String, _ results: String?, _ others: (name: String, value: String?)...
    ) throws {
      guard results != nil, let other = others.first(where: { $0.value != nil }) else { return }
      throw wrongUse(
        "--\(side)-\(other.name) has no effect with --\(side)-results, which are not run again")
    }
    try check(
      "base", baseResults, ("build", baseBuild), ("suite", baseSuite), ("detector", baseDetector),
      ("parameters", baseParameters))
    // Two stored results may have the bounds of a suite.
    try check(
      "head", headResults, ("build", headBuild), ("suite", baseResults == nil ? headSuite : nil),
      ("detector", headDetector), ("parameters", headParameters))
  }

  /// The two sides.
  /// - Throws: wrong use, if nothing distinguishes the base from the head.
  func both(
    _ inputs: [String], _ further: [String], comparesWithItself: Bool
  ) throws -> (base: GateSide, head: GateSide) {
    let own = [
      baseBuild, headBuild, baseResults, headResults, baseSuite, headSuite, baseDetector,
      headDetector, baseParameters, headParameters,
    ]
    try requireUse(
      comparesWithItself || own.contains { $0 != nil },
      "expected a base: --base-build, --base-results, --base-suite, --base-detector or "
        + "--base-parameters")
    return (
      GateSide(
        title: "base", build: baseBuild, results: baseResults,
        inputs: baseSuite.map { [$0] } ?? inputs, detector: baseDetector ?? detector,
        parameters: baseParameters, gravityFilter: gravityFilter, further: further),
      GateSide(
        title: "head", build: headBuild, results: headResults,
        inputs: headSuite.map { [$0] } ?? inputs, detector: headDetector ?? detector,
        parameters: headParameters, gravityFilter: gravityFilter, further: further)
    )
  }
}

/// One side of a gate: a program with what it runs, or stored results.
struct GateSide {
  var title: String
  var build: String?
  var results: String?
  var inputs: [String]
  var detector: String?
  var parameters: String?
  var gravityFilter: String?
  /// Further arguments of `run`.
  var further: [String]

  /// This program where no build is named.
  var program: String { build ?? Bundle.main.executablePath ?? CommandLine.arguments[0] }

  /// The arguments of `run`.
  var arguments: [String] {
    func option(_ name: String, _ value: String?) -> [String] { value.map { [name, $0] } ?? [] }
    return inputs + option("--detector", detector) + option("--parameters", parameters)
      + option("--gravity-filter", gravityFilter) + further
  }

  /// - Parameter results: nil = there are none.
  func described(_ results: MeasuredResults?) -> GateReport.Side {
    let parts =
      self.results.map { [$0] }
      ?? [
        build, inputs.count == 1 ? inputs[0] : counted(inputs.count, "trace"), detector, parameters,
      ].compactMap(\.self)
    return GateReport.Side(
      title: parts.joined(separator: ", "), commit: results?.commit ?? "",
      toolVersion: results?.toolVersion ?? "")
  }

  /// The stored results, or those of a run in a process of its own: two builds are two programs.
  func results(in folder: TemporaryFolder, _ name: String) throws -> MeasuredResults {
    if let results { return try MeasuredResults(reading: results) }
    let file = "\(folder.path)/\(name).h5"
    let words = ["run"] + arguments + ["--deterministic", "--quiet", "-o", file]
    let run: ProgramRun
    do {
      // A killed run leaves its temporary files in the folder that the gate removes.
      run = try ProgramRun(
        program, words, variables: ["TMPDIR": folder.path], limit: .seconds(24 * 3600))
    } catch let error as ChildProcess.LaunchError {
      throw childFailed(
        "\(title): \(program): expected a program that can be started, found: \(error.reason)")
    }
    let ending = run.finish()
    guard ending == .exited(0) else { throw failure(ending, run.message) }
    guard FileManager.default.fileExists(atPath: file) else {
      throw childFailed(
        "\(title): \(program) run: expected results, found none; is it a build of shadowbox?")
    }
    var results = try MeasuredResults(reading: file)
    results.path = "\(title) run"
    return results
  }

  /// Makes an error of each entry whose program is not deterministic, on either side.
  func refuseUnrepeatable(
    in gate: inout AccuracyGate, _ comparison: ResultComparison, _ registry: DetectorRegistry
  ) async throws {
    // Another build may know other detectors and options: what this one cannot read is left out.
    guard results == nil, let command = try? RunCommand.parse(arguments),
      var suite = try? command.readSuite(registry), (try? command.select(in: &suite)) != nil,
      (try? command.delivery.override(&suite)) != nil
    else { return }
    let names = comparison.entries.map(\.name).uniqued()
    let unrepeatable: [Unrepeatable]
    do {
      unrepeatable = try await suite.unrepeatable(registry)
    } catch let error as Failure {
      throw Failure(error.kind, place: title, error.description)
    } catch let error as TraceError {
      throw Failure(error, place: title)
    }
    for found in unrepeatable {
      // Two detectors have two names: a single entry is compared whatever its name.
      let name = names.contains(found.entry) ? found.entry : names.first ?? found.entry
      guard !gate.checks.contains(where: { $0.entry == name && $0.name == "deterministic" }) else {
        continue
      }
      gate.refuse(name, because: "\(title): \(found.reason)")
    }
  }

  private func failure(_ ending: ChildProcess.Ending, _ message: String) -> Failure {
    let last = message.split(separator: "\n").last.map(String.init) ?? "no message"
    let text = last.hasPrefix("error: ") ? String(last.dropFirst(7)) : last
    let place = "\(title): \(TracePath.lastName(program)) run"
    switch ending {
    case .exited(let code):
      let kind: Failure.Kind =
        switch ExitStatus(rawValue: code) {
        case .badData, .dataLost: .badData
        case .wrongUse: .wrongUse
        case .fileError: .fileError
        default: .childFailed
        }
      return Failure(kind, "\(place): \(text)")
    case .killed(let signal):
      return childFailed("\(place): killed by signal \(signal): \(text)")
    case .tookTooLong: return childFailed("\(place): it took more than a day")
    }
  }
}
