import Pacing
@testable import Evaluation
import Foundation
import HDF5
import TestSupport
import Testing

@testable import Harness
@testable import Replay

/// Tests paced replays as commands. On a shared machine, tests can assert on detections and counts,
/// not on times.
@Suite(.serialized) struct PacedReplayTests {
  private let folder: Scratch

  private static let made = MadeFiles(
    [1, 2].map { "synth punches --duration 12s --seed \($0) -o t\($0).h5 --quiet" })

  init() throws {
    folder = try Scratch()
    try Self.made.copy(to: folder)
  }

  private func replay(_ arguments: [String]) throws -> (log: String, outcome: Program.Outcome) {
    let outcome = try Program.run(["replay"] + arguments, in: folder.url)
    let log = outcome.errors.split(separator: "\n").last { $0.hasPrefix("log SHA-256") }
    return (String(try #require(log, "\(outcome.errors)")), outcome)
  }

  /// A second and a half with punches in it, so that half the rate takes three.
  private static let part = ["--start-offset", "5s", "--duration", "1500ms"]

  @Test(.longer) func theDetectionLogIsTheSameAtEveryPace() throws {
    let expected = try replay(["t1.h5", "t2.h5"] + Self.part)
    #expect(expected.outcome.status == 0)
    #expect(expected.outcome.output.contains("punch"))
    for arguments in [
      ["--rate", "0.5x"], ["--rate", "8x"], ["--rate", "32x"], ["--rate", "8x", "--batch", "1"],
      ["--rate", "8", "--mode", "sleep-then-spin"], ["--rate", "8x", "--mode", "busy"],
      ["--rate", "8x", "--passes", "3"], ["--rate", "8x", "--stall", "50ms@50ms"],
    ].filter({ LongTests.areWanted || $0.count > 2 && $0[3] != "1" }) {
      let played = try replay(["t1.h5", "t2.h5"] + Self.part + arguments)
      #expect(played.log == expected.log, "\(arguments)")
      #expect([0, 3].contains(played.outcome.status), "\(played.outcome.errors)")
    }
  }

  @Test func theDetectionLogIsTheSameUnderStress() throws {
    let expected = try replay(["t1.h5"] + Self.part)
    let busy = try (0..<4).map { _ in
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      // Ends with the tests, even if they are killed.
      process.arguments = [
        "-c", "while kill -0 \(ProcessInfo.processInfo.processIdentifier) 2>/dev/null; do :; done",
      ]
      try process.run()
      return process
    }
    // Children of a test's thread have all signals blocked except this one.
    defer { for process in busy { kill(process.processIdentifier, SIGKILL) } }
    for mode in ["sleep", "sleep-then-spin", "busy"] {
      let played = try replay(["t1.h5", "--rate", "32x", "--mode", mode] + Self.part)
      #expect(played.log == expected.log, "\(mode)")
    }
  }

  /// Absences occur at deadlines and simulated people act at their own times; the replay waits for
  /// both.
  @Test(arguments: [
    ["presence-s01.h5", "--start-offset", "60s", "--duration", "60s"],
    ["presence-s01.h5", "--duration", "90s", "--delivery", "network-poor"],
    ["route-s01.h5", "--detector", "checkin/goHike", "--policy", "--duration", "300s"],
    ["punch-s02-left.h5", "--detector", "punch/hitThat", "--duration", "40s"],
  ])
  func deadlinesAndAnswersAreTheSameAtEveryPace(arguments: [String]) throws {
    let traces = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../traces/synthetic").standardized
    let rest = [traces.appending(path: arguments[0]).path] + arguments.dropFirst()
    let expected = try replay(rest)
    #expect(expected.outcome.output.split(separator: "\n").count > 3, "\(expected.outcome.output)")
    let played = try replay(rest + ["--rate", "200x"])
    #expect(played.log == expected.log)
  }

  @Test func withADeliveryTheSameSeedGivesTheSameLogAtEveryPace() throws {
    var logs: Set<String> = []
    for seed in ["1", "2"] {
      let delivery = ["t1.h5", "--delivery", "harsh", "--delivery-seed", seed]
      let expected = try replay(delivery)
      logs.insert(expected.log)
      for rate in ["64x", "256x"] {
        let played = try replay(delivery + ["--rate", rate])
        #expect(played.log == expected.log, "seed \(seed) \(rate)")
      }
    }
    #expect(logs.count == 2)
  }

  private struct Document: Decodable {
    struct Percentiles: Decodable {
      var max: Int64
    }
    struct Timing: Decodable {
      var verdict: String
      var faults: [String]
      var deliveries: Int
      var latenessNs: Percentiles
      var responseNs: Percentiles
      var periodNs: Double
    }
    var timing: Timing
  }

  @Test func aStallMakesTheTimingInvalid() throws {
    let played = try replay(
      ["t1.h5", "--rate", "2x", "--duration", "2s", "--stall", "300ms@500ms", "--format", "json"]
        + ["--timing", "timing.txt"])
    #expect(played.outcome.status == 3)
    #expect(played.outcome.errors.contains("timing INVALID"))
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let document = try decoder.decode(Document.self, from: Data(played.outcome.output.utf8))
    #expect(document.timing.verdict == "INVALID" && document.timing.faults.contains("late"))
    #expect(document.timing.latenessNs.max >= 290_000_000)
    #expect(document.timing.responseNs.max >= 290_000_000)
    // 100 Hz at twice the rate, within the accuracy of the sensor's clock.
    #expect((4_900_000...5_100_000).contains(document.timing.periodNs))
    let histograms = String(decoding: try folder.bytes(of: "timing.txt"), as: UTF8.self)
    for name in ["# lateness [us]", "# service [us]", "# response [us]"] {
      #expect(histograms.contains(name))
    }
    #expect(
      histograms.contains("Total count    = \(String(format: "%12d", document.timing.deliveries))"),
      "\(histograms.suffix(300))")
  }

  @Test func optionsWithoutEffectAreWrongUse() throws {
    for (arguments, message) in [
      (["--rate", "1x", "--duration", "1s", "--stall", "1ms@2s"], "end of the replay"),
      (["--rate", "1x", "--start-offset", "3600s"], "--start-offset"),
      (["--rate", "1x", "--start-offset", "12s", "--loop"], "--start-offset"),
      (["--loop"], "--rate"), (["--rate", "1x", "--loop", "--passes", "2"], "--passes"),
      (["--rate", "0x"], "--rate"), (["--rate", "nanx"], "--rate"),
      (["--rate", "1x", "--mode", "sleepy"], "sleep"), (["--rate", "1x", "--stall", "5s"], "@"),
      (["--rate", "1x", "--max-lateness", "-1%"], "share"),
      (["--rate", "1x", "--start-paused"], "terminal"),
    ] {
      let outcome = try Program.run(["replay", "t1.h5"] + arguments, in: folder.url)
      #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(message), "\(arguments): \(outcome.errors)")
    }
  }

  @Test func aVerdictNeedsEnoughDeliveries() throws {
    let played = try replay(
      ["t1.h5", "--rate", "8x", "--duration", "1s", "--max-lateness", "1000000%"]
        + ["--max-missed", "100%", "--format", "json"])
    #expect(played.outcome.status == 0)
    #expect(played.outcome.errors.contains("timing INSUFFICIENT"), "\(played.outcome.errors)")
    #expect(played.outcome.output.contains(#""verdict" : "INSUFFICIENT""#))
    #expect(played.outcome.output.contains(#""verdict_lateness_ns" : null"#))
  }

  @Test func timingWithoutADeliveryHasNoVerdict() throws {
    let outcome = try Program.run(
      ["replay", "t1.h5", "--rate", "1x", "--start-offset", "1s", "--duration", "1ns"],
      in: folder.url)
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("timing NOT JUDGED"), "\(outcome.errors)")
  }

  @Test func eventsOfEveryPassArePrinted() throws {
    let once = try replay(["t1.h5", "--format", "csv"] + Self.part).outcome.output
    let rows = once.split(separator: "\n").dropFirst()
    try #require(!rows.isEmpty)
    let thrice = try replay(
      ["t1.h5", "--format", "csv", "--rate", "32x", "--passes", "3"] + Self.part
    ).outcome.output
    #expect(thrice.split(separator: "\n").dropFirst() == (rows + rows + rows)[...])
  }

  @Test func keysMeanWhatTheHelpSays() {
    #expect(Keyboard.controls(in: Array(" q".utf8)) == [.togglePause, .stop])
    #expect(
      Keyboard.controls(in: Array("\u{1B}[C\u{1B}[D".utf8))
        == [.seek(by: .seconds(10)), .seek(by: .seconds(-10))])
    #expect(
      Keyboard.controls(in: Array("\u{1B}[A\u{1B}[B+-".utf8)) == [
        .changeRate(by: 2), .changeRate(by: 0.5), .changeRate(by: 2), .changeRate(by: 0.5),
      ])
    #expect(Keyboard.controls(in: Array("x\u{1B}\u{1B}[Z\u{1B}[".utf8)).isEmpty)
  }
}

@Suite struct BenchTests {
  private struct Report: Decodable {
    struct Trial: Decodable {
      struct Timing: Decodable {
        var mode: String
        var deliveries: Int
        var wakes: Int
        var verdict: String
      }
      var devices: Int
      var detections: Int
      var timing: Timing
    }
    var capacity: Int?
    var capacityAtLeast: Int?
    var capacityAtLeastConfidence: Double?
    var capacityRangeConfidence: Double?
    var trials: [Trial]
  }

  /// A short recording, because the built-in ones are slow to generate in a debug build.
  private static let made = MadeFiles(["synth punches --duration 10s -o t.h5 --quiet"])

  private func bench(_ arguments: [String]) throws -> Report {
    let folder = try Scratch()
    try Self.made.copy(to: folder)
    let outcome = try Program.run(
      ["bench", "t.h5", "--format", "json"] + arguments, in: folder.url)
    #expect([0, 3].contains(outcome.status), "\(outcome.errors)")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Report.self, from: Data(outcome.output.utf8))
  }

  @Test func aFleetPlaysTheSameEveryTime() throws {
    let runs = try (0..<2).map { _ in
      try #require(
        bench(["--devices", "20", "--duration", "400ms", "--mode", "busy"]).trials.first)
    }
    #expect(runs.map(\.devices) == [20, 20])
    #expect(runs[0].timing.deliveries == runs[1].timing.deliveries)
    #expect(runs[0].detections == runs[1].detections)
    // 20 devices at 100 Hz for 0.4 s.
    #expect((780...820).contains(runs[0].timing.deliveries))
    let other = try bench(["--devices", "20", "--duration", "400ms", "--seed", "2"])
    #expect(other.trials.first?.timing.mode == "sleep")
  }

  @Test func capacityEndsWithItsEvidence() throws {
    let report = try bench(
      ["--find-capacity", "--devices", "1", "--max-devices", "4", "--duration", "100ms"]
        + ["--max-lateness", "1000000%", "--max-missed", "100%"])
    #expect(report.capacity == 4 && report.capacityAtLeast == 4)
    #expect(report.capacityAtLeastConfidence == 0.5 && report.capacityRangeConfidence == nil)
    #expect(report.trials.map(\.devices) == [1, 2, 4, 4, 4])
    // Ten deliveries of each device.
    #expect(report.trials.allSatisfy { $0.timing.verdict == "INSUFFICIENT" })
  }

  @Test(arguments: [1, 7, 100, 999, 1000, 1001, 200_000])
  func findsTheLargestThatIsValid(capacity: Int) throws {
    for first in [1, 100, 5000] {
      var search = CapacitySearch(limit: 100_000) { $0 <= capacity }
      let found = try search.run(from: first)
      #expect(found <= capacity && found <= 100_000)
      #expect(Double(found) >= 0.95 * Double(min(capacity, 100_000)) - 1, "from \(first): \(found)")
      #expect(search.tried.suffix(2) == [found, found])
    }
  }

  @Test func aNumberThatFailsAgainIsTooMany() throws {
    // 1,000 devices are valid only in the first trial.
    var tries = 0
    var search = CapacitySearch(limit: 1000) { devices in
      tries += devices == 1000 ? 1 : 0
      return devices < 1000 || tries == 1
    }
    let found = try search.run(from: 1000)
    #expect(found < 1000 && found >= 900)
    // A single invalid trial does not decide.
    var hiccup = true
    var shaken = CapacitySearch(limit: 1000) { devices in
      defer { if devices == 500 { hiccup = false } }
      return devices != 500 || !hiccup
    }
    #expect(try shaken.run(from: 500) == 1000)
    var none = CapacitySearch(limit: 1000) { _ in false }
    #expect(try none.run(from: 64) == 0)
  }
}
