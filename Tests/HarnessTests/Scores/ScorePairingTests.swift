import Foundation
import TestSupport
import Testing

/// The recordings of the sides of `score` pair by whole names, else without ending or folder, never by a
/// guess.
@Suite struct ScorePairingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let files: [String: String]
    let arguments: [String]
    /// References, TP, FP and FN of all recordings together, and the recordings.
    var counts: [Double] = []
    var recordings: [String] = []
    /// A part of the error or of a note.
    var message = ""
    var isSilent = false
  }

  private static func people(_ folders: String..., onset: String = "1") -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: folders.flatMap { folder in
        ["p1", "p2"].map { ("\(folder)/\($0).csv", "onset\n\(onset)\n") }
      })
  }

  private static let sites = "filename,onset\nsiteA/rec1,1\nsiteB/rec1,5\nrec2,9\n"

  @Test(arguments: [
    Case(
      testDescription: "equal file names in a column",
      files: ["r.csv": sites, "d.csv": "filename,onset\nsiteA/rec1,1\nrec2,9\n"],
      arguments: ["-r", "r.csv", "-d", "d.csv"], counts: [3, 2, 0, 1],
      recordings: ["rec2", "siteA/rec1", "siteB/rec1"]),
    Case(
      testDescription: "equal file names in folders",
      files: [
        "r/A/rec.csv": "onset\n1\n", "r/B/rec.csv": "onset\n5\n", "d/A/rec.txt": "onset\n1\n",
        "d/B/rec.txt": "onset\n7\n",
      ], arguments: ["-r", "r/A/rec.csv", "r/B/rec.csv", "-d", "d/B/rec.txt", "d/A/rec.txt"],
      counts: [2, 1, 1, 1], recordings: ["A/rec", "B/rec"]),
    Case(
      testDescription: "a table and files in folders",
      files: [
        "r.csv": sites, "d/siteA/rec1.csv": "onset\n1\n", "d/siteB/rec1.csv": "onset\n5\n",
        "d/rec2.csv": "onset\n9\n",
      ],
      arguments: ["-r", "r.csv", "-d", "d/siteA/rec1.csv", "d/siteB/rec1.csv", "d/rec2.csv"],
      counts: [3, 3, 0, 0], recordings: ["rec2", "siteA/rec1", "siteB/rec1"]),
    Case(
      testDescription: "a name without the folder that it needs",
      files: ["r.csv": sites, "d.csv": "filename,onset\nrec1,1\nrec2,9\n"],
      arguments: ["-r", "r.csv", "-d", "d.csv"],
      message:
        "d.csv: expected names that fit one recording each, found detections rec1, which may "
        + "be siteA/rec1, siteB/rec1 of the reference"),
    Case(
      testDescription: "another site is another recording",
      files: ["r.csv": sites, "d.csv": "filename,onset\nsiteA/rec1,1\nsiteC/rec1,5\nrec2,9\n"],
      arguments: ["-r", "r.csv", "-d", "d.csv"], counts: [3, 2, 1, 1],
      recordings: ["rec2", "siteA/rec1", "siteB/rec1", "siteC/rec1"]),
    Case(
      testDescription: "folders of another tool",
      files: [
        "r.csv": "filename,onset\naudio/a.wav,1\naudio/b.wav,2\n",
        "d.csv": "filename,onset\nout/a.wav,1\n",
      ], arguments: ["-r", "r.csv", "-d", "d.csv"], counts: [2, 1, 0, 1], recordings: ["a", "b"],
      message: "paired without their folders, which differ: audio/a.wav with out/a.wav"),
    Case(
      testDescription: "one file each, of other sites", files: people("truth/A", "found/B"),
      arguments: ["-r", "truth/A/p1.csv", "-d", "found/B/p1.csv"], counts: [1, 1, 0, 0],
      recordings: ["p1"], message: "taken as the same: truth/A/p1.csv and found/B/p1.csv"),
    Case(
      testDescription: "one file each, with other names", files: people("r"),
      arguments: ["-r", "r/p1.csv", "-d", "r/p2.csv"], counts: [1, 1, 0, 0],
      recordings: ["p1"], message: "taken as the same: r/p1.csv and r/p2.csv"),
    Case(
      testDescription: "folders of other sites", files: people("truth/A", "found/B"),
      arguments: [
        "-r", "truth/A/p1.csv", "truth/A/p2.csv", "-d", "found/B/p1.csv", "found/B/p2.csv",
      ], counts: [2, 2, 0, 0], recordings: ["p1", "p2"],
      message: "paired without their folders, which differ: truth/A/p1.csv with found/B/p1.csv"),
    Case(
      testDescription: "folders of the sides", files: people("truth/A", "found/A"),
      arguments: [
        "-r", "truth/A/p1.csv", "truth/A/p2.csv", "-d", "found/A/p1.csv", "found/A/p2.csv",
        "--duration", "60s",
      ], counts: [2, 2, 0, 0], recordings: ["p1", "p2"], isSilent: true),
    Case(
      testDescription: "files without events",
      files: people("r").merging(["d/p1.csv": "onset\n1\n", "d/p2.csv": "onset\n"]) { $1 },
      arguments: ["-r", "r/p1.csv", "r/p2.csv", "-d", "d/p1.csv", "d/p2.csv"],
      counts: [2, 1, 0, 1], recordings: ["p1", "p2"],
      message: "note: no events in the detections: d/p2.csv"),
    Case(
      testDescription: "dots in names",
      files: [
        "r.csv": "filename,onset\nwalk.2024,1\nwalk.2025,2\n", "walk.2024.csv": "onset\n1\n",
        "walk.2025.csv": "onset\n9\n",
      ], arguments: ["-r", "r.csv", "-d", "walk.2025.csv", "walk.2024.csv"], counts: [2, 1, 1, 1],
      recordings: ["walk.2024", "walk.2025"]),
    Case(
      testDescription: "zones and durations",
      files: [
        "r.csv": sites, "d.csv": "filename,onset\nsiteB/rec1,5\nrec2,9\n",
        "zones.csv": "filename,onset,offset\nsiteA/rec1.csv,0,2\n",
        "files.csv": "filename,duration\nsiteB/rec1.wav,60\nsiteA/rec1.wav,60\nrec2.wav,60\n",
      ],
      arguments: ["-r", "r.csv", "-d", "d.csv", "--ignore", "zones.csv", "--files", "files.csv"],
      counts: [2, 2, 0, 0], recordings: ["rec2", "siteA/rec1", "siteB/rec1"]),
    Case(
      testDescription: "zones of either site",
      files: ["r.csv": sites, "zones.csv": "filename,onset,offset\nrec1,0,2\n"],
      arguments: ["-r", "r.csv", "-d", "r.csv", "--ignore", "zones.csv"],
      message:
        "zones.csv: expected names that fit one recording each, found ignore rec1, which may "
        + "be siteA/rec1, siteB/rec1 of the recordings"),
    Case(
      testDescription: "a row twice",
      files: [
        "r.csv": "filename,onset\na,1\n", "files.csv": "filename,duration\na,60\na.wav,60\n",
      ],
      arguments: ["-r", "r.csv", "-d", "r.csv", "--files", "files.csv"],
      message: "files.csv:3: expected one row for a, found another one"),
    Case(
      testDescription: "a file and a table of one recording",
      files: ["a.csv": "onset\n1\n", "t.csv": "filename,onset\na,1\n"],
      arguments: ["-r", "a.csv", "t.csv", "-d", "t.csv"],
      message: "expected each recording in one reference file, found a also in a.csv"),
  ])
  func recordingsPair(example: Case) throws {
    let scratch = try Scratch()
    for (name, text) in example.files {
      let url = scratch.url.appending(path: name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try scratch.write(text, to: name)
    }
    let outcome = try Program.run(
      ["score", "--format", "json"] + example.arguments, in: scratch.url)
    if !example.message.isEmpty {
      #expect(outcome.errors.contains(example.message), "\(outcome.errors)")
    }
    #expect(!example.isSilent || outcome.errors.isEmpty, "\(outcome.errors)")
    guard !example.counts.isEmpty else {
      #expect(outcome.status == 65)
      return
    }
    try #require(outcome.status == 0, "\(outcome.errors)")
    let (counts, recordings) = try Self.counts(outcome)
    #expect(counts == example.counts && recordings == example.recordings, "\(recordings)")
  }

  /// What `replay` writes pairs with the trace that it replayed, whatever its id.
  @Test(arguments: ["walk.2024", "a/b", "a.csv", "./x", "sites/A/walk.h5"])
  func aReplayPairsWithItsTrace(id: String) throws {
    let scratch = try Scratch()
    let traces = Fixtures.traces.appending(path: "synthetic")
    for (name, id) in [("punch-s01-left", id), ("punch-s02-right", "other.2024")] {
      let convert = try Program.run(
        [
          "convert", traces.appending(path: name + ".h5").path, "-o", name + ".h5", "--id", id,
          "-q",
        ],
        in: scratch.url)
      try #require(convert.status == 0, "\(convert.errors)")
    }
    let files = ["punch-s01-left.h5", "punch-s02-right.h5"]
    let replay = try Program.run(
      ["replay"] + files + ["--format", "csv", "--quiet", "--detector", "punch"], in: scratch.url)
    try scratch.write(replay.output, to: "d.csv")
    let outcome = try Program.run(
      ["score", "-r"] + files + ["-d", "d.csv", "--format", "json"], in: scratch.url)
    try #require(outcome.status == 0, "\(outcome.errors)")
    let (counts, recordings) = try Self.counts(outcome)
    #expect(counts[1] > 100 && recordings == [id, "other.2024"].sorted())
    #expect(!outcome.errors.contains("no reference") && !outcome.errors.contains("no detections"))
  }

  private static func counts(_ outcome: Program.Outcome) throws -> ([Double], [String]) {
    let document = try outcome.object
    let summary = try #require((document["summaries"] as? [[String: Any]])?.first)
    let figures = try #require(summary["figures"] as? [String: [String: Any]])
    let names = ["references", "true_positives", "false_positives", "false_negatives"]
    let files = try #require(document["files"] as? [[String: Any]])
    return (
      names.compactMap { figures[$0]?["value"] as? Double },
      files.compactMap { $0["file"] as? String }
    )
  }
}
