import Detectors
public import Replay
public import TraceModel
public import Tuning

extension AnyDetector {
  /// Scores the detector on traces as `shadowbox run` does, with the same matching, figures and
  /// intervals. It reads no files and asks no clock, so that a test can call it:
  ///
  /// ```swift
  /// let summary = try await AnyDetector(MyDetector.self).evaluate(on: [trace])
  /// #expect(try #require(summary["recall"]?.value) >= 0.9)
  /// ```
  ///
  /// - Parameters:
  ///   - traces: with distinct ids. Recorded and synthetic traces do not mix.
  ///   - parameters: those that differ from the preset.
  ///   - tolerance: on either side of a reference; nil = the reference's own, else the metric's.
  ///   - path: what happens to a trace before the detector gets it.
  ///   - policy: who answers prompts; nil = the traces' own actions.
  /// - Throws: where a parameter is not known, the detector's channel is missing, two traces have one id,
  ///   or the traces are of both origins.
  public func evaluate(
    on traces: [Trace], preset: String = "default", parameters: ParameterSettings = [:],
    tolerance: Duration? = nil, path: SignalPath = SignalPath(), policy: ScriptedPolicy? = nil
  ) async throws -> EntrySummary {
    try Self.requireDistinct(traces)
    let choice = DetectorChoice(detector: name, preset: preset, overrides: parameters)
    let entry = Suite.Entry(
      name: choice.title, choice: choice, traces: ["all"], tolerance: tolerance,
      path: path, policy: policy, place: "evaluate")
    let suite = Suite(
      name: "evaluate", path: "", traceSets: [.init(name: "all", files: traces.map(\.header.id))],
      entries: [entry])
    var registry = DetectorRegistry()
    registry.register(self)
    let output = try await SuiteRunner(
      suite: suite, registry: registry, loader: MemoryTraces(traces), threads: 1
    ).run()
    let summaries = EntrySummary.summaries(of: output.runs)
    guard let summary = summaries.first, summaries.count == 1 else {
      throw TraceError(
        place: "evaluate", expected: "traces of one origin, recorded or synthetic",
        found: traces.isEmpty ? "no trace" : "both", remedy: "evaluate them one after the other")
    }
    return summary
  }

  /// - Throws: if two traces have one id: the second one would not be evaluated.
  private static func requireDistinct(_ traces: [Trace]) throws(TraceError) {
    var seen: Set<String> = []
    for trace in traces where !seen.insert(trace.header.id).inserted {
      throw TraceError(
        place: "evaluate", expected: "traces with unique ids",
        found: "two with id \(trace.header.id)", remedy: "change one with convert --id")
    }
  }

  /// The same for traces that come from sources, such as readers of your own.
  public func evaluate(
    on sources: [any TraceSource], preset: String = "default", parameters: ParameterSettings = [:],
    tolerance: Duration? = nil, path: SignalPath = SignalPath(), policy: ScriptedPolicy? = nil
  ) async throws -> EntrySummary {
    try await evaluate(
      on: sources.map { try Trace(reading: $0) }, preset: preset, parameters: parameters,
      tolerance: tolerance, path: path, policy: policy)
  }
}

/// Traces in memory, by their ids.
///
/// ```swift
/// let traces = MemoryTraces([Trace(header: TraceHeader(id: "bag", origin: .recorded))])
/// try traces.load("bag").sha256.isEmpty  // true
/// (try? traces.load("walk")) == nil  // true
/// ```
public struct MemoryTraces: TraceLoader {
  private let traces: [String: Trace]

  public init(_ traces: [Trace]) {
    self.traces = Dictionary(
      traces.map { ($0.header.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  public func load(_ name: String) throws -> LoadedTrace {
    guard let trace = traces[name] else {
      throw TraceError(
        .inputOutput, place: name, expected: "the id of a trace in memory", found: "none of them")
    }
    return LoadedTrace(name: name, trace: trace)
  }
}
