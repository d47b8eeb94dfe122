import Foundation
import TestSupport

/// Files of `history import`, each with one run, and what a history holds.
enum HistoryFiles {
  /// Writes `NAME-0.jsonl` and so on.
  /// - Parameters:
  ///   - branches: those of the runs, in turn; none = no run has a branch.
  ///   - level: what figure 0 of a run is; nil = it rises every 20 runs.
  /// - Returns: the names of the files; the ids of the runs are those without the ending.
  static func make(
    _ name: String, _ count: Int, figures: Int = 3, branches: [String] = [], in scratch: Scratch,
    level: (Int) -> Int = { $0 / 20 }
  ) throws -> [String] {
    try (0..<count).map { number in
      let time = String(format: "2026-11-23T09:%02d:%02d.000Z", number / 60, number % 60)
      let figures = (0..<figures).map { figure(level(number) + $0, $0) }
        .joined(separator: ",")
      let branch =
        branches.isEmpty ? "" : "\"branch\":\"\(branches[number % branches.count])\","
      let run = """
        {"run":{"id":"\(name)-\(number)","time":"\(time)","commit":"c\(number)",\(branch)"machine":"ci",\
        "tool_version":"0.1.0","toolchain":"Swift","suite":"s","suite_sha256":"","source":"gate",\
        "verdict":"PASS","figures":[\(figures)]}}

        """
      let file = "\(name)-\(number).jsonl"
      try scratch.write("{\"schema\":\"shadowbox-history-lines/1\"}\n" + run, to: file)
      return file
    }
  }

  private static func figure(_ value: Int, _ number: Int) -> String {
    """
    {"entry":"punch/default","origin":"synthetic","metric":"figure_\(number)","kind":"accuracy",\
    "value":\(value),"unit":"s"}
    """
  }

  /// The ids that the program reported as stored, from what it printed.
  static func reported(_ errors: String) -> [String] {
    errors.split(separator: "\n").filter { $0.hasSuffix(": added 1 run and 0 trials") }
      .compactMap { $0.split(separator: ".").first.map(String.init) }
  }

  /// The ids in a history that are there with so many figures.
  static func stored(_ path: String, figures: Int, in scratch: Scratch) throws -> [String] {
    let outcome = try Program.run(["history", "export", "-", "--history", path], in: scratch.url)
    guard outcome.status == 0 else { return [outcome.errors] }
    return try outcome.output.split(separator: "\n").dropFirst().map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let run = object?["run"] as? [String: Any]
      let isWhole = (run?["figures"] as? [Any])?.count == figures
      return (run?["id"] as? String ?? "no id") + (isWhole ? "" : " is not whole")
    }
  }
}
