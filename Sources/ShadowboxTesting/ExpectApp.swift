public import AppEngines
import Diagnostics
public import Evaluation
public import TraceModel

/// The outcomes of an app, as the closure of `expect(app:)` gets them.
public struct Outcomes: Sendable {
  init() {}

  /// An outcome by its name in results files, such as `saved`. Yes is 1, and so is a name, e.g. of a
  /// winner; no, and nobody, is 0. Each person must meet an expectation.
  public subscript(name: String) -> Metric { Metric([name]) }

  /// Each count of what a rule of the app forbids.
  public var violations: Metric { Metric(["violations"]) }
}

/// Expects outcomes of an app that plays on the recordings of its people, as `shadowbox run` plays it.
///
/// ```swift
/// try await expect(app: FightClient.simulation, on: traces, options: poorNetwork) {
///   $0["winner"] == 1
///   $0["hit_delay_p99"] <= 2
///   $0.violations == 0
/// }
/// ```
///
/// An outcome that is undefined or not known is a failure. Failures are reported as by `expect` of a
/// detector.
///
/// - Parameters:
///   - traces: one per person, with distinct ids.
///   - preset: nil = the default.
///   - options: simulated people, the network and its faults.
///   - together: whether all traces start at the same time.
/// - Throws: where the app cannot be played: without such a preset, with too many people, or on traces
///   without its channel.
public func expect(
  app: any AppSimulation.Type, on traces: [Trace], preset: String? = nil,
  options: AppOptions = AppOptions(), together: Bool = false, path: SignalPath = SignalPath(),
  report: FailureReport? = nil, fileID: String = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  @ExpectationBuilder _ expectations: (Outcomes) -> [FigureExpectation]
) async throws {
  let choice = try AppChoice(
    name: app.name, preset: preset, of: AppCatalog([app]), place: "expect(app:)")
  let suite = Suite(
    name: "expect", path: "expect(app:)",
    traceSets: [.init(name: "all", files: traces.map(\.header.id))], entries: [],
    apps: [
      .init(
        name: choice.title, choice: choice, traces: ["all"], path: path, options: options,
        isTogether: together, place: "expect(app:)")
    ])
  let played = try await SuiteRunner(
    suite: suite, registry: DetectorRegistry(), loader: MemoryTraces(traces), threads: 1
  ).run()
  let all = expectations(Outcomes())
  let faults = played.apps.flatMap { record in all.flatMap { record.faults(of: $0) } }
  let none = "expected a comparison such as $0.violations == 0, found none"
  let texts = all.isEmpty ? [none] : faults
  guard !texts.isEmpty else { return }
  let place = CallPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  try place.report(
    escapingControls(texts.map { "\(choice.title): \($0)" }.joined(separator: "\n")), by: report)
}

extension AppRecord {
  /// The reasons why an expectation is not met, one per person.
  fileprivate func faults(of expectation: FigureExpectation) -> [String] {
    let (name, relation, bound) = (
      expectation.metric.names[0], expectation.relation, expectation.bound
    )
    let own = outcomes.filter { $0.name == name || (name == "violations" && $0.goal.isViolation) }
    guard expectation.metric.part == .value else {
      return ["\(name): expected a value of this run, not one of new people or of a person"]
    }
    guard !own.isEmpty else {
      let known = Set(outcomes.map(\.name)).sorted()
      return [Failure.unknown("outcome", name, known: known).description]
    }
    let measured = MeasuredApp(self)
    return own.compactMap { outcome in
      let person = measured.person(of: outcome)
      let title = outcome.name + (person.isEmpty ? "" : " of \(person)")
      guard let value = outcome.judged else {
        return "\(title) is undefined, expected \(relation.words) \(number(bound))"
      }
      let shown = outcome.text ?? text(value, bound)
      return relation.holds(value, bound)
        ? nil : "\(title) is \(shown), expected \(relation.words) \(text(bound, value))"
    }
  }
}
