import Detectors
@testable import Evaluation
import Foundation
import HDF5
@testable import Reports
import Results
import Scoring
import Testing
import TraceModel
import Tuning

/// An undefined figure is null in JSON, NaN in HDF5 and empty in CSV, and never 0.
@Suite struct UndefinedFiguresTests {
  /// The figures that are 0 without references, detections and time; all others are undefined.
  private static let zeros: Set<String> = [
    "references", "true_positives", "false_positives", "false_negatives", "duplicates", "merged",
    "fragmented", "ignored_references", "ignored_detections", "scored_hours", "unscored_traces",
    "recorded_hours", "fed_hours", "armed_hours", "departures", "mistakes", "present_hours",
    "arrivals", "false_arrivals", "missed_splits",
    "horizontal_error_fixes", "distance_error_traces", "standing_hours",
  ]

  private static func isZero(_ name: String) -> Bool {
    zeros.contains(name) || name.hasSuffix("_count")
  }

  /// A run of each task on a trace in which nothing happens, and that has no length.
  private var result: SuiteResult {
    let scores: [(ReferenceTask, TaskScore)] = [
      (
        .punch,
        .events(
          EventJudgement(references: [], detections: [], tolerance: .standard, duration: .zero))
      ),
      (
        .visit,
        .visits(
          VisitJudgement(references: [], detections: [], exposure: Exposure(duration: .zero)))
      ),
      (.distance, .track(TrackScore())), (.presence, .presence(PresenceQuality())),
    ]
    let header = TraceHeader(id: "t", origin: .synthetic)
    let runs = scores.map { task, score in
      RunRecord(
        entry: task.rawValue, detector: "d", preset: "p", header: header, task: task,
        detections: [], measurements: [.init("elapsed", .nan, unit: "s")], score: score)
    }
    return SuiteResult(provenance: .init(suite: "s"), runs: runs)
  }

  private func object(_ json: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  /// Every figure below an object: its name, and the JSON of its estimate.
  private func figures(in value: Any) -> [(name: String, figure: [String: Any])] {
    if let list = value as? [Any] { return list.flatMap { figures(in: $0) } }
    guard let object = value as? [String: Any] else { return [] }
    return object.sorted { $0.key < $1.key }.flatMap { key, child in
      if let figure = child as? [String: Any], figure.keys.contains("value") {
        return [(key, figure)]
      }
      return figures(in: child)
    }
  }

  private func expectUndefined(_ json: String, least: Int) throws {
    let found = figures(in: try object(json))
    #expect(found.count >= least)
    for (name, figure) in found {
      if Self.isZero(name) {
        #expect(figure["value"] as? Double == 0, "\(name)")
      } else {
        #expect(figure["value"] is NSNull, "\(name)")
        if figure.keys.contains("method") {
          #expect(figure["lower"] is NSNull && figure["upper"] is NSNull, "\(name)")
        }
      }
    }
  }

  @Test func everyDocumentHasTheEnvelope() throws {
    for schema in DocumentSchema.allCases {
      let inputs = [InputFile(role: "trace", path: "a.h5", sha256: "00")]
      let document = try object(jsonDocument(["answer": 42], schema, inputs: inputs))
      #expect(Set(document.keys) == ["schema", "tool", "inputs", "answer"])
      #expect(document["schema"] as? String == schema.rawValue)
      #expect((document["tool"] as? [String: String])?["name"] == "shadowbox")
      #expect(
        document["inputs"] as? [[String: String]]
          == [["role": "trace", "path": "a.h5", "sha256": "00"]])
    }
  }

  @Test func aRunInJSON() throws {
    try expectUndefined(try result.json(), least: 100)
  }

  @Test func aRunInCSV() throws {
    let rows = result.csv().split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let columns = rows[0]
    let (name, value) = (
      try #require(columns.firstIndex(of: "figure")), try #require(columns.firstIndex(of: "value"))
    )
    #expect(rows.count > 90)
    for row in rows.dropFirst() {
      #expect(row[value] == (Self.isZero(row[name]) ? "0.0" : ""), "\(row)")
      if !Self.isZero(row[name]) { #expect(row[value + 1] == "" && row[value + 2] == "") }
    }
  }

  @Test func aRunInHDF5() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "u-\(UUID()).h5").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try ResultsFile.write(result, to: path)
    let root = try HDF5File.open(path).root()
    let runs = try root.openGroup("runs")
    for name in try runs.links() {
      let column = try runs.openDataset(name)
      guard case .float = column.storedType else { continue }
      for (run, value) in zip(result.runs, try column.read(Double.self)) {
        // A figure of another task is NaN as well.
        #expect(value.isNaN || (value == 0 && Self.isZero(name)), "\(run.entry)/\(name)")
        if let own = run.score.figures.first(where: { $0.name == name }) {
          #expect(value.isNaN == (own.value == nil), "\(run.entry)/\(name)")
        }
      }
    }
    let summary = try root.openGroup("summary")
    let others = ["entry", "origin", "activity", "class", "task", "traces", "hours"]
    let ends = ["_events", "_clusters", "_method"]
    for name in try summary.links()
    where !others.contains(name) && !ends.contains(where: name.hasSuffix) {
      for value in try summary.openDataset(name).read(Double.self) where !value.isNaN {
        #expect(value == 0 && Self.isZero(name), "\(name)")
      }
    }
  }

  /// A curve without references, detections and time.
  @Test func aSweep() throws {
    let curve = ThresholdCurve(
      thresholds: [1, 2], truePositives: [0, 0], falsePositives: [0, 0], upper: 3, references: 0,
      scoredNanoseconds: 0, isExact: false)
    let point = OperatingPoint(
      name: "preset", threshold: 1, span: 1...1, Clustered(EventScore()))
    let record = SweepRecord(
      name: "all", parameters: [], tolerance: nil, tolerances: [], curve: curve, recordings: [],
      parts: Clustered(curve), points: [point],
      latencies: [ThresholdLatency(threshold: 1, Clustered(EventScore()))])
    let result = SweepResult(
      detector: "d", preset: "p", title: "d/p", threshold: "threshold", unit: "", data: "",
      recordings: [], inputs: [], dataCommit: "", records: [record])
    let json = try result.json()
    try expectUndefined(json, least: 30)
    let sweep = try #require((try object(json)["sweeps"] as? [[String: Any]])?.first)
    #expect(sweep["average_precision"] is NSNull && sweep["mean_recall"] is NSNull)
    let columns = try #require(sweep["curve"] as? [String: Any])
    for name in ["recall", "precision", "f1", "false_alarms_per_hour"] {
      for suffix in ["", "_lo", "_hi"] {
        let column = try #require(columns[name + suffix] as? [Any])
        #expect(column.count == 2 && column.allSatisfy { $0 is NSNull }, "\(name)\(suffix)")
      }
    }
    let row = result.csv().split(separator: "\n")[1]
    #expect(row == "all,1.0,0,0,0" + String(repeating: ",", count: 12))
  }
}
