import Diagnostics
package import Evaluation
import Files
import Foundation
import Scoring
import TraceFormats
import TraceModel

extension MeasuredResults {
  /// Reads the results file of a run.
  /// - Throws: if the file cannot be read, or is not of `run`.
  package init(reading path: String) throws {
    let contents = try SteadyFile.reading(path) { try NativeFile.readEvents(path) }
    guard contents.schema.hasPrefix("shadowbox-results/") else {
      throw Failure(
        .badData,
        "\(path): expected a results file of run, found \(contents.schema); make one with run -o")
    }
    let facts = Dictionary(contents.facts.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    self.init(
      path: path, schema: contents.schema, toolVersion: facts["tool_version"] ?? "",
      toolchain: facts["toolchain"] ?? "", suite: facts["suite"] ?? "",
      suiteSHA256: facts["suite_sha256"] ?? "", commit: facts["data_commit"] ?? "",
      runs: try contents.events.map { try MeasuredRun($0, path) })
    definition = facts["suite_definition"] ?? ""
    inputs = facts["inputs"] ?? ""
  }
}

extension MeasuredRun {
  /// Attributes of a run that say nothing about what went in besides the trace.
  private static let notInputs: Set<String> = [
    "trace", "trace_sha256", "origin", "subject", "activity", "duration_ns", "readings", "task",
    "parameters", "threshold_parameter", "device_rate_recorded", "device_rate_taken",
  ]

  fileprivate init(_ run: ResultsContents.Run, _ path: String) throws {
    let attributes = Dictionary(run.facts.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    func text(_ name: String) -> String { attributes[name] ?? "" }
    let parameters = try Parameter.reading(text("parameters"), "\(path): run \(run.entry)")
    var facts = attributes.filter { !Self.notInputs.contains($0.key) }
    for parameter in parameters { facts[parameter.name] = parameter.text }
    let threshold = parameters.first { $0.name == text("threshold_parameter") }
    self.init(
      entry: run.entry, trace: run.trace, traceSHA256: text("trace_sha256"), origin: text("origin"),
      subject: text("subject"), activity: text("activity"), task: text("task"), facts: facts,
      tolerance: EventTolerance(run.scoreFacts),
      threshold: threshold?.number, thresholdUnit: threshold?.unit ?? "",
      detections: run.detections.measured, references: run.references.references,
      figures: Dictionary(
        run.figures.map { ($0.name, Figure($0.name, Estimate($0.value), unit: $0.unit)) },
        uniquingKeysWith: { $1 }),
      measurements: Dictionary(
        run.measurements.compactMap { value in value.value.map { (value.name, $0) } },
        uniquingKeysWith: { $1 }))
  }

  /// A parameter as the results file has it.
  private struct Parameter: Decodable {
    var name: String
    var text: String
    var number: Double?
    var unit: String

    private enum CodingKeys: CodingKey { case name, unit, value }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      unit = try container.decodeIfPresent(String.self, forKey: .unit) ?? ""
      number = try? container.decode(Double.self, forKey: .value)
      let flag = try? container.decode(Bool.self, forKey: .value)
      let word =
        try number.map { Diagnostics.number($0) } ?? flag.map { "\($0)" }
        ?? container.decode(String.self, forKey: .value)
      text = unit.isEmpty ? word : "\(word) \(unit)"
    }

    static func reading(_ json: String, _ place: String) throws -> [Parameter] {
      guard !json.isEmpty else { return [] }
      do {
        return try JSONDecoder().decode([Parameter].self, from: Data(json.utf8))
      } catch {
        throw Failure(
          .badData, "\(place)/@parameters: expected a list of parameters, found other JSON")
      }
    }
  }
}

extension EventTolerance {
  /// Nil where events are not scored.
  fileprivate init?(_ facts: [[String]]) {
    func text(_ name: String) -> String? { facts.first { $0[0] == name }?[1] }
    guard let early = text("tolerance_early_ns").flatMap({ Int64($0) }),
      let late = text("tolerance_late_ns").flatMap({ Int64($0) })
    else { return nil }
    self.init(
      early: .nanoseconds(early), late: .nanoseconds(late),
      origin: text("tolerance_origin").flatMap(Origin.init) ?? .stated)
  }
}

extension ResultsContents.Events {
  /// The detections; a column that a version lacks has its empty value.
  fileprivate var measured: [MeasuredDetection] {
    func time(_ name: String, _ row: Int) -> TraceInstant {
      TraceInstant(nanoseconds: integers[name]?[row] ?? 0)
    }
    func index(_ name: String, _ row: Int) -> Int? {
      integers[name].flatMap { $0[row] < 0 ? nil : Int($0[row]) }
    }
    func text(_ name: String, _ row: Int) -> String { texts[name]?[row] ?? "" }
    return (0..<count).map { row in
      let score = numbers["score"]?[row]
      return MeasuredDetection(
        DetectionRecord(
          onset: time("onset", row), emitted: time("emitted", row),
          newestMeasured: time("newest_measured", row), kind: text("kind", row),
          label: text("label", row), originalLabel: text("original_label", row),
          value: numbers["value"]?[row] ?? .nan,
          place: index("place", row).map { Int32(clamping: $0) }),
        outcome: texts["outcome"]?[row] ?? "not_scored", reference: index("match_index", row),
        score: score.flatMap { $0.isNaN ? nil : $0 }, newestReading: index("newest_reading", row))
    }
  }

  /// The references that are judged.
  fileprivate var references: [MeasuredReference] {
    // From version 5 on the runs of an entry share a column, also those that are not scored.
    guard let outcomes = texts["outcome"], let onsets = integers["onset"],
      !outcomes.contains("not_scored")
    else { return [] }
    return (0..<count).map { row in
      MeasuredReference(
        onset: TraceInstant(nanoseconds: onsets[row]), label: texts["label"]?[row] ?? "",
        isFound: outcomes[row] == "hit")
    }
  }
}
