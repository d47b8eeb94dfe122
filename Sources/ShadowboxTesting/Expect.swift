public import Detectors
public import Evaluation
public import Replay
public import TraceModel

/// Reports a failure at a place in a source, as `XCTFail` does.
public typealias FailureReport = (_ message: String, _ file: StaticString, _ line: UInt) -> Void

/// Expects figures of a detector on recordings, scored as `shadowbox run` scores them.
///
/// ```swift
/// try await expect(MyDetector.self, on: traces) {
///   $0.recall >= 0.97
///   $0.falseAlarmsPerHour <= 5
///   $0.recall.lowerForNewPeople >= 0.9
/// }
/// ```
///
/// A figure is that of these recordings; `lowerForNewPeople` and `upperForNewPeople` are the ends of
/// its interval for people like these. A figure that is undefined, a trace without a reference, and no
/// trace at all are failures.
///
/// In a test of Swift Testing, a failure is an issue at the call. In XCTest, pass `report: XCTFail`;
/// the failure is then at the call, too. Elsewhere it is thrown as an ``ExpectationError``.
///
/// - Parameters:
///   - traces: with distinct ids. Recorded and simulated traces do not mix.
///   - parameters: those that differ from the preset.
///   - tolerance: on either side of a reference; nil = the reference's own, else the metric's.
///   - path: what happens to a trace before the detector gets it, e.g. late delivery.
///   - policy: who answers prompts; nil = the traces' own actions.
///   - report: what gets the failure; nil = Swift Testing, or the error.
///   - expectations: comparisons of metrics with numbers, at least one.
/// - Throws: where a parameter is not known, the detector's channel is missing, or the traces are of
///   both origins.
public func expect<D: Detector>(
  _ detector: D.Type, on traces: [Trace], preset: String = "default",
  parameters: [String: ParameterValue] = [:], tolerance: Duration? = nil,
  path: SignalPath = SignalPath(), policy: ScriptedPolicy? = nil, report: FailureReport? = nil,
  fileID: String = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, @ExpectationBuilder _ expectations: (Metrics) -> [FigureExpectation]
) async throws {
  let fault: String?
  if traces.isEmpty {
    fault = "nothing was measured: no traces; check where they are read from"
  } else {
    fault = ExpectationReport(
      detector: D.name, task: D.task, traces: traces,
      summary: try await AnyDetector(detector).evaluate(
        on: traces, preset: preset, parameters: parameters, tolerance: tolerance, path: path,
        policy: policy)
    ).fault(of: expectations(Metrics()))
  }
  guard let fault else { return }
  let place = CallPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  try place.report(fault, by: report)
}

/// A failed expectation outside of a test of Swift Testing.
public struct ExpectationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place of the call, what was expected, what was found, and the worst traces.
  public let description: String
}
