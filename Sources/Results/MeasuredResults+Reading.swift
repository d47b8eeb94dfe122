import Diagnostics
package import Evaluation
import Files
import Foundation
import Scoring
import TraceFormats
import TraceModel

extension MeasuredResults {
  /// - Throws: if the file cannot be read, or is not of `run`.
  package init(reading path: String) throws {
    let contents = try SteadyFile.reading(path) { try ResultsContents.reading(path, .events) }
    try contents.requireRun(path)
    self.init(
      path: path, schema: contents.schema, toolVersion: contents["tool_version"],
      toolchain: contents["toolchain"], suite: contents["suite"],
      suiteSHA256: contents["suite_sha256"], commit: contents["data_commit"],
      runs: try contents.events.map { try MeasuredRun($0, path) })
    definition = contents["suite_definition"]
    inputs = contents["inputs"]
    seconds = contents.wallSeconds
    apps = contents.apps.map(\.measured).sorted { $0.entry < $1.entry }
    summaries = contents.rows.map {
      MeasuredSummary(entry: $0.name, origin: $0.origin, figures: $0.figures.measured)
    }
  }
}

extension ResultsContents {
  /// A fact of the root; empty where there is none.
  package subscript(fact: String) -> String { facts.last { $0[0] == fact }?[1] ?? "" }

  static func byName(_ facts: [[String]]) -> [String: String] {
    Dictionary(facts.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
  }

  /// - Throws: if the file is not of `run`.
  package func requireRun(_ path: String) throws {
    guard schema.hasPrefix("shadowbox-results/") else {
      throw Failure(
        .badData, "\(path): expected a results file of run, found \(schema); make one with run -o")
    }
  }
}

extension [Figure] {
  /// The defined figures by name.
  var measured: [String: Figure] {
    Dictionary(compactMap(\.ifDefined).map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }
}

extension Figure {
  /// The figures that are added up over runs.
  private static let sums = Set(FigureCatalogue.ratios.flatMap { $0.numerator + $0.denominator })
  private static let shares = Set(
    FigureCatalogue.ratios.filter { $0.kind == .proportion }.map(\.name))

  /// - Throws: if a figure that is added up over runs, or times a count, is none.
  fileprivate func requirePossible(_ place: String) throws {
    guard let value else { return }
    let isSum = Self.sums.contains(name)
    guard
      isSum && !(0...1e12).contains(value)
        || Self.shares.contains(name) && !(0...1).contains(value)
    else { return }
    throw Failure(
      .badData,
      "\(inLine(place)): expected \(name) from 0 to \(isSum ? "1e12" : "1"), found \(value); the file is damaged: run it again"
    )
  }
}

extension MeasuredRun {
  /// Facts that are not inputs besides the trace.
  private static let notInputs: Set<String> = [
    "trace", "trace_sha256", "origin", "subject", "activity", "duration_ns", "readings", "task",
    "parameters", "threshold_parameter", "device_rate_recorded", "device_rate_taken",
    "tolerance_early_ns", "tolerance_late_ns", "tolerance_origin",
  ]

  fileprivate init(_ run: ResultsContents.Run, _ path: String) throws {
    try self.init(
      entry: run.entry, trace: run.trace, facts: run.facts, tolerance: EventTolerance(run.facts),
      figures: run.figures, measurements: run.measurements, place: path)
    detections = run.detections.measured
    references = run.references.references
  }

  /// A run without events; the facts have their names in files.
  init(
    entry: String, trace: String, facts all: [String: String], tolerance: EventTolerance?,
    figures: [Figure], measurements: [Figure], place: String
  ) throws {
    for figure in figures { try figure.requirePossible("\(place): run \(entry)") }
    func text(_ name: String) -> String { all[name] ?? "" }
    let parameters = try Parameter.reading(text("parameters"), "\(place): run \(entry)")
    var facts = all.filter { !Self.notInputs.contains($0.key) }
    for parameter in parameters { facts[parameter.name] = parameter.text }
    let threshold = parameters.first { $0.name == text("threshold_parameter") }
    self.init(
      entry: entry, trace: trace, traceSHA256: text("trace_sha256"), origin: text("origin"),
      subject: text("subject"), activity: text("activity"), task: text("task"), facts: facts,
      tolerance: tolerance, threshold: threshold?.number, thresholdUnit: threshold?.unit ?? "",
      detections: [], references: [], figures: figures.measured,
      measurements: Dictionary(
        measurements.compactMap { value in value.value.map { (value.name, $0) } },
        uniquingKeysWith: { $1 }))
  }

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
  fileprivate init?(_ facts: [String: String]) {
    guard let early = facts["tolerance_early_ns"].flatMap({ Int64($0) }),
      let late = facts["tolerance_late_ns"].flatMap({ Int64($0) })
    else { return nil }
    self.init(
      early: .nanoseconds(early), late: .nanoseconds(late),
      origin: facts["tolerance_origin"].flatMap(Origin.init) ?? .stated)
  }
}

extension ResultsContents.Events {
  /// The detections. A column that a version lacks gives empty values.
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

  fileprivate var references: [MeasuredReference] {
    // From version 5 on, the runs of an entry share a column, also unscored runs.
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
