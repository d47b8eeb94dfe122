import Diagnostics
import Evaluation
import ExternalDetectors
import Results

/// An entry whose program answers differently to the same trace.
struct Unrepeatable {
  var entry: String
  /// What differs first, with the program, the trace and the next step.
  var reason: String
}

extension Suite {
  /// The entries with an `exec:` program that is not deterministic. Each such program runs three times on
  /// its first trace: twice in one process, which finds random numbers and what is left of the trace
  /// before, and once in a new process, which finds seeds, clocks and the order of hashing.
  ///
  /// - Throws: if a program fails or a trace cannot be read.
  func unrepeatable(_ registry: DetectorRegistry) async throws -> [Unrepeatable] {
    var found: [Unrepeatable] = []
    for entry in entries {
      let detector = try registry.detector(
        named: entry.choice.detector, place: entry.place, relativeTo: Suite.folder(of: path))
      guard detector.isExternal else { continue }
      // A trace without detections shows nothing.
      for file in files(of: entry.traces).prefix(Self.mostTried) {
        let (reason, isTelling) = try await difference(of: entry, on: file, registry)
        if let reason { found.append(Unrepeatable(entry: entry.name, reason: reason)) }
        if isTelling { break }
      }
    }
    return found
  }

  private static let mostTried = 3

  private func difference(
    of entry: Entry, on file: String, _ registry: DetectorRegistry
  ) async throws -> (reason: String?, isTelling: Bool) {
    var part = self
    part.traceSets = [TraceSet(name: "first", files: [file])]
    (part.entries, part.apps) = ([entry], [])
    part.entries[0].traces = ["first"]
    let another = ExecDetectors(like: registry.resolver as? ExecDetectors)
    defer { another.close() }
    var fresh = registry
    fresh.resolver = another
    let first = try await part.measured(registry)
    for (registry, processes) in [(registry, "one process"), (fresh, "two processes")] {
      let comparison = ResultComparison(
        from: first, to: try await part.measured(registry), seed: nil)
      guard let difference = comparison.firstDifference else { continue }
      return (
        "\(inLine(entry.choice.detector)) is not deterministic: two runs on \(inLine(file)) in \(processes) differ, "
          + "first \(difference); use only parameters and readings in it, and start anew at each trace",
        true
      )
    }
    return (nil, first.runs.contains { !$0.detections.isEmpty || !$0.measurements.isEmpty })
  }

  private func measured(_ registry: DetectorRegistry) async throws -> MeasuredResults {
    let runner = SuiteRunner(
      suite: self, registry: registry, loader: NativeTraceLoader(), threads: 1)
    return try MeasuredResults(SuiteResult(runs: try await runner.run().runs))
  }
}

extension DetectingCommand {
  /// Warns of the programs whose results say little, because the next run gives others.
  func warnOfUnrepeatable(in suite: Suite, _ registry: DetectorRegistry) async {
    // A program that fails has been reported by the run.
    let found = try? await suite.unrepeatable(registry)
    for one in found ?? [] { terminal.warn("warning: entry \(inLine(one.entry)): \(one.reason)") }
  }
}
