import Foundation

@testable import History

/// A folder of a test, removed at its end.
final class Folder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: url.path))?.sorted() ?? []
  }
}

enum Samples {
  static let now = HistoryTime(milliseconds: 1_795_424_849_123)

  static func run(
    _ number: Int, suite: String = "ab", source: HistoryRun.Source = .results
  ) -> HistoryRun {
    HistoryRun(
      id: "run-\(number)", time: HistoryTime(milliseconds: Int64(number) * 60_000),
      commit: "\(number)", branch: "main", machine: "ci",
      toolVersion: "0.1.0", toolchain: "Swift 6.2", suite: "default", suiteDigest: suite,
      source: source, verdict: source == .gate ? "PASS" : nil)
  }

  static func figures(_ number: Int, entry: String = "punch/default") -> [HistoryFigure] {
    [
      HistoryFigure(
        entry: entry, origin: "synthetic", metric: "recall", kind: .accuracy,
        value: number < 5 ? 0.9 : 0.8, lower: 0.7, upper: 0.95, unit: "1", count: 40,
        method: "wilson"),
      HistoryFigure(
        entry: entry, origin: "recorded", metric: "precision", kind: .accuracy, value: nil,
        unit: "1"),
      HistoryFigure(
        entry: entry, origin: "synthetic", metric: "ns_per_sample", kind: .timing,
        value: 100 + Double(number) / 8, unit: "ns"),
    ]
  }

  static func trial(_ number: Int, kind: HistoryFigure.Kind = .timing) -> HistoryTrial {
    HistoryTrial(
      id: "trial-\(number)", time: HistoryTime(milliseconds: Int64(number)), machine: "ci",
      suite: "default", kind: kind, runs: 100 + number, alarms: number % 2)
  }

  static func store(_ path: String) throws -> HistoryStore {
    try HistoryStore(path, now: now, setsAside: true) { _ in }
  }

  /// A history of so many runs and two trials.
  static func filled(_ path: String, runs: Int = 8) throws -> HistoryStore {
    let store = try store(path)
    for number in 0..<runs { try store.append(run(number), figures(number)) }
    try store.appendTrial(trial(1))
    try store.appendTrial(trial(2, kind: .accuracy))
    return store
  }
}
