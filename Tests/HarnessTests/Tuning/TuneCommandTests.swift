@testable import Evaluation
import Digests
import Foundation
import TestSupport
import Testing
import Tuning

@testable import Harness

/// The command as a person runs it, on synthetic people of half a minute each.
@Suite struct TuneCommandTests {
  /// A folder with traces `p1.h5` to `p4.h5`: each fold has three people.
  private func people(_ count: Int = 4) throws -> Scratch {
    let scratch = try Scratch()
    for person in Self.made[..<count] { try person.copy(to: scratch) }
    return scratch
  }

  private static let made = (1...4).map { person in
    MadeFiles { scratch in
      try FileManager.default.createDirectory(
        at: scratch.url.appending(path: "traces"), withIntermediateDirectories: true)
      let made = try Program.run(
        [
          "synth", "punches", "--subject", "\(person)", "--duration", "60s", "--quiet", "-o",
          "traces/p\(person).h5",
        ], in: scratch.url)
      #expect(made.status == 0)
    }
  }

  private let options = [
    "--detector", "punch", "--gravity-filter", "lowpass", "--threshold", "threshold=5..100",
    "--search", "refractory=0.2s..0.8s", "--trials", "4", "--resamples", "100", "--no-progress",
    // Three minutes without a false alarm show less than 240/h for new people.
    "--max-false-alarms", "240",
  ]

  private func tune(_ scratch: Scratch, _ further: [String]) throws -> Program.Outcome {
    try Program.run(["tune", "traces", "--full"] + options + further, in: scratch.url)
  }

  @Test func aTuningIsRepeatedWithoutMeasuring() throws {
    let scratch = try people()
    let first = try tune(scratch, ["-o", "a.json", "--results", "a.h5", "--threads", "1"])
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.contains("cross-validated"))
    #expect(first.output.contains("Result: better than detecting nothing"))
    #expect(!first.errors.contains("\n0 evaluations"))
    let (parameters, results) = (try scratch.bytes(of: "a.json"), try scratch.bytes(of: "a.h5"))
    let again = try tune(scratch, ["-o", "a.json", "--results", "a.h5", "--threads", "2"])
    #expect(again.errors.contains("0 evaluations"))
    #expect(again.output == first.output)
    #expect(try scratch.bytes(of: "a.json") == parameters)
    #expect(try scratch.bytes(of: "a.h5") == results)
    // Measured anew on two threads: the same.
    let anew = try tune(
      scratch, ["-o", "a.json", "--results", "a.h5", "--threads", "2", "--no-cache"])
    #expect(anew.output == first.output)
    #expect(try scratch.bytes(of: "a.json") == parameters)
    // A part of it is lost, as by an end in the middle: only that is measured.
    let folder = Program.cache(of: scratch.url) + "/shadowbox"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    try FileManager.default.removeItem(atPath: folder + "/" + names[0])
    try Data("nonsense".utf8).write(to: URL(fileURLWithPath: folder + "/" + names[1]))
    let rest = try tune(scratch, ["-o", "a.json"])
    #expect(rest.errors.contains("2 evaluations"))
    #expect(rest.errors.contains("damaged"))
    #expect(rest.output == first.output)
    // Whole files whose curves are of other thresholds.
    for name in names where name.hasSuffix("curve") {
      let path = URL(fileURLWithPath: folder + "/" + name)
      let parts = try Data(contentsOf: path).split(separator: 0x0A, maxSplits: 3)
      let curve = try #require(FolderCache.decoded(Data(parts[3])) as ThresholdCurve?)
      let bytes = try FolderCache.encoded(
        ThresholdCurve(
          thresholds: curve.thresholds.map { $0 + 1 }, truePositives: curve.truePositives,
          falsePositives: curve.falsePositives, upper: curve.upper + 1,
          references: curve.references, scoredNanoseconds: curve.scoredNanoseconds,
          isExact: curve.isExact))
      let digest = Data(SHA256Digest.hex(of: Array(bytes)).utf8)
      try Data((parts[..<2] + [digest, bytes]).joined(separator: [0x0A])).write(to: path)
    }
    let moved = try tune(scratch, ["-o", "a.json"])
    #expect(!moved.errors.contains("\n0 evaluations"))
    #expect(moved.output == first.output)
  }

  /// A file where the default cache would be costs the cache and not the tuning.
  @Test func aCacheThatCannotBeMadeIsLeftOut() throws {
    let scratch = try people()
    try scratch.write("a file", to: "out")
    let cache = URL(filePath: Program.cache(of: scratch.url))
    try FileManager.default.createDirectory(
      at: cache.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("a file".utf8).write(to: cache)
    let outcome = try tune(scratch, [])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("nothing is cached"))
    let stated = try tune(scratch, ["--cache", "out"])
    #expect(stated.status == 74, "\(stated.errors)")
    #expect(stated.errors.contains("error: out: expected a folder to write into, found a file"))
  }

  /// A program that dies at the third recording: what it said of the others is not asked again.
  @Test func whatWasMeasuredBeforeADeathIsKept() throws {
    let scratch = try people(3)
    try scratch.write(
      """
      #!/bin/sh
      # Finds nothing, and dies at one recording unless there is a file "well".
      printf '%s\\n' shadowbox-detector/1 'name ill' 'version 1' 'channel user_acceleration' \
        'task punch' 'parameter threshold 30 0 2000 m/s2 magnitude' 'threshold threshold' ready
      while read -r word rest; do
        case "$word" in
        start) case "$rest" in *s03*) if [ ! -e well ]; then exit 3; fi;; esac;;
        end) echo done;;
        esac
      done
      """, to: "ill.sh")
    let words = [
      "tune", "traces", "--detector", "exec:sh ill.sh", "--threshold", "threshold=10..20:2",
      "--gravity-filter", "lowpass", "--threads", "1", "--no-progress", "-o", "a.json", "--full",
      "--confidence", "0.5",
    ]
    let dead = try Program.run(words, in: scratch.url)
    #expect(dead.status == 70, "\(dead.errors)")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("a.json")))
    try scratch.write("", to: "well")
    let well = try Program.run(words, in: scratch.url)
    #expect(well.status == 65 && well.output.contains("nothing is better than detecting nothing"))
    // Of the dead one a curve, and of the three the preset's score.
    #expect(well.errors.contains("4 evaluations"), "\(well.errors)")
  }

  @Test func otherCommandsReadTheParameterFile() throws {
    let scratch = try people()
    let quiet = try Program.run(
      ["tune", "traces"] + options + ["-o", "punch.json", "-q", "--device-rate", "1000Hz"],
      in: scratch.url)
    #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)")
    let answer = quiet.output.split(separator: "\n").filter { !$0.hasPrefix("Price: ") }
    #expect(answer[0].hasPrefix("Chosen: threshold ") && answer.count <= 3, "\(quiet.output)")
    let file = try ParameterFile.read(scratch.path("punch.json"))
    #expect(file.deviceRate == 1000)
    let threshold = try #require(file.parameters.first { $0.name == "threshold" })
    #expect(threshold.origin == .tuned)
    let replayed = try Program.run(
      [
        "replay", "traces/p1.h5", "--gravity-filter", "lowpass", "--parameters", "punch.json",
      ], in: scratch.url)
    #expect(replayed.status == 0, "\(replayed.errors)")
    #expect(replayed.errors.contains("threshold \(threshold.value) m/s2"))
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {all: [traces/*.h5]}
      entries:
        - {name: tuned, detector: punch, parameters: punch.json, traces: all, gravity_filter: lowpass}
      """, to: "suite.yml")
    // What tune says of its choice on this data, run finds.
    let tuned = try tune(scratch, ["--format", "json", "--quiet"])
    struct Report: Decodable {
      struct Setting: Decodable { var figures: [String: Figure] }
      struct Figure: Decodable { var value: Double? }
      var resubstitution: Setting
    }
    let report = try tuned.decoded(Report.self)
    let table = try Program.run(
      ["run", "suite.yml", "--format", "csv", "--quiet"], in: scratch.url)
    #expect(table.output.contains("true_positives"))
    #expect(table.status == 0, "\(table.errors)")
    func figure(_ name: String) -> Double? {
      let rows = table.output.split(separator: "\n").map { $0.split(separator: ",") }
      // entry, origin, traces, hours, figure, value and so on.
      return rows.first { $0.count > 5 && $0[4] == name }.flatMap { Double($0[5]) }
    }
    #expect(figure("true_positives") == report.resubstitution.figures["true_positives"]?.value)
    #expect(figure("false_positives") == report.resubstitution.figures["false_positives"]?.value)
    let wrong = try Program.run(
      ["replay", "traces/p1.h5", "--detector", "checkin", "--parameters", "punch.json"],
      in: scratch.url)
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("the parameters are for detector punch"))
  }

  @Test func twoPeopleAreTooFew() throws {
    let scratch = try people(2)
    let refused = try tune(scratch, ["-o", "a.json"])
    #expect(refused.status == 65)
    #expect(refused.errors.contains("expected 3 groups or more, found 2"))
    #expect(refused.errors.contains("--allow-few-groups"))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("a.json")))
    // A fold has one minute of one person.
    let forced = try tune(
      scratch, ["--allow-few-groups", "--confidence", "0.5", "--accept-loss"])
    #expect(forced.status == 0)
    #expect(forced.output.contains("2 groups have references"), "\(forced.output)")
  }

  @Test func whatIsHeldOutIsLookedAtOnce() throws {
    let scratch = try people(4)
    let byRate = ["--confidence", "0.5", "--quiet"]
    let outcome = try tune(scratch, ["--test-set", "sim04"] + byRate)
    #expect(outcome.output.contains("on traces, tuned for"))
    let without = try Program.run(
      ["tune", "traces/p1.h5", "traces/p2.h5", "traces/p3.h5"] + options + byRate + ["--full"],
      in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("test set"))
    // It changes nothing of the rest.
    // Of the person held out the detector was asked for the one score at the end, and no curve.
    let person = try FileDigest.sha256(of: scratch.path("traces/p4.h5"))
    let folder = Program.cache(of: scratch.url) + "/shadowbox"
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
      guard name != "written" else { return false }
      let bytes = try Data(contentsOf: URL(filePath: folder).appending(path: name))
      return String(decoding: bytes, as: UTF8.self).contains(person)
    }
    #expect(kept.count == 1 && kept.allSatisfy { $0.hasSuffix(".score") }, "\(kept)")
    func threshold(_ output: String) -> Substring? {
      let row = output.split(separator: "\n").first { $0.hasPrefix("threshold") }
      return row?.split(separator: " ").dropFirst().first
    }
    let own = threshold(outcome.output)
    #expect(own != nil && own == threshold(without.output))
  }

  @Test(arguments: [
    (["--search", "threshold=1..2"], 64, "all values of threshold are evaluated"),
    (["--max-false-alarms", "3", "--objective", "f1"], 64, "expected only one of the two"),
    (["--trials", "0"], 64, "--trials"), (["-o", "x.yml"], 64, "ends in .json"),
    (["--results", "a.json"], 64, ".h5"),
    (["--parameters", "refractory=0.3s"], 64, "already set by"),
    (["--resamples", "99"], 64, "--resamples 99: expected 100"),
    (["--confidence", "1"], 64, "--confidence 1.0: expected 0.5 to 0.999"),
    (["--plateau-loss=-0.1"], 64, "--plateau-loss -0.1: expected 0.0 to 1.0"),
    (["-o", "traces/p1.h5.json", "--results", "traces/p1.h5"], 64, "also read"),
  ])
  func refusals(further: [String], status: Int32, message: String) throws {
    let scratch = try people(1)
    let outcome = try tune(scratch, further)
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func whatHasNoHitsIsRefused() throws {
    let scratch = try Scratch()
    for (scenario, detector) in [("track-run", "track"), ("presence", "presence")] {
      _ = try Program.run(["synth", scenario, "-o", "a.h5", "--quiet"], in: scratch.url)
      let outcome = try Program.run(["tune", "a.h5", "--detector", detector], in: scratch.url)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("expected a task with events"))
    }
  }

  /// A detector without scores is run again for each value, and says so by its points.
  @Test func checkInsAreTunedByRunningThem() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      at: scratch.url.appending(path: "traces"), withIntermediateDirectories: true)
    for person in 1...3 {
      let made = try Program.run(
        [
          "synth", "route", "--subject", "\(person)", "--seed", "\(person)", "-o",
          "traces/r\(person).h5", "--quiet",
        ], in: scratch.url)
      #expect(made.status == 0, "\(made.errors)")
    }
    let outcome = try Program.run(
      [
        "tune", "traces", "--detector", "checkin/fences", "--parameters",
        "uses-place-radius=false", "--objective", "f1", "--threshold", "radius=20m..80m:4",
        "--resamples", "100", "--format", "json", "--no-progress",
      ], in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    struct Report: Decodable {
      struct Threshold: Decodable { var value: Double }
      var threshold: Threshold
      var groups: Int
    }
    let report = try outcome.decoded(Report.self)
    #expect([20, 40, 60, 80].contains(report.threshold.value))
    #expect(report.groups == 3)
  }
}
