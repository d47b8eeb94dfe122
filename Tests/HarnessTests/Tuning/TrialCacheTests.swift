@testable import Reports
@testable import Evaluation
import Foundation
import Scoring
import Synchronization
import Testing
import TraceModel
import Tuning

@testable import Harness

@Suite struct TrialCacheTests {
  private let key = TrialKey(
    trace: "abc", program: "p", detector: "punch", preset: "default",
    parameters: ["refractory": "0.4", "rule": "axes"], threshold: "threshold 1...2",
    tolerance: 150, chain: "")

  private func curve(seed: UInt64) -> ThresholdCurve {
    var generator = SeededGenerator(seed: seed)
    let thresholds = Set((0..<20).map { _ in generator.uniform(1...90) }).union([1]).sorted()
    return ThresholdCurve(
      thresholds: thresholds,
      truePositives: thresholds.map { _ in Int.random(in: 0...9, using: &generator) },
      falsePositives: thresholds.map { _ in Int.random(in: 0...9, using: &generator) },
      upper: 100, references: 9, scoredNanoseconds: 12_345, isExact: seed % 2 == 0)
  }

  @Test(arguments: 0..<10) func givesBackWhatWasKept(seed: UInt64) throws {
    let scratch = try Scratch()
    let cache = try FolderCache(scratch.path("cache")) { _ in }
    #expect(try cache.curve(key) == nil)
    try cache.keep(curve(seed: seed), key)
    #expect(try cache.curve(key) == curve(seed: seed))
    var score = EventScore()
    score.counts = EventCounts(truePositives: 3, falsePositives: 1, falseNegatives: 2)
    score.latencies = [1, -2, 3]
    #expect(try cache.score(key) == nil)
    try cache.keep(score, key)
    #expect(try cache.score(key) == score)
    var other = key
    other.parameters["refractory"] = "0.5"
    #expect(try cache.curve(other) == nil)
  }

  @Test(arguments: 0..<40) func whatIsDamagedIsToldAndNotTaken(seed: UInt64) throws {
    let scratch = try Scratch()
    let told = Mutex<[String]>([])
    let cache = try FolderCache(scratch.path("cache")) { message in
      told.withLock { $0.append(message) }
    }
    try cache.keep(curve(seed: seed), key)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path("cache"))
    let file = scratch.path("cache/" + (try #require(names.first)))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    var generator = SeededGenerator(seed: seed)
    let place = Int.random(in: bytes.indices, using: &generator)
    if seed % 2 == 0 { bytes[place] ^= 1 } else { bytes = bytes.prefix(place) }
    try bytes.write(to: URL(fileURLWithPath: file))
    #expect(try cache.curve(key) == nil, "seed \(seed)")
    #expect(told.withLock(\.count) == 1, "seed \(seed)")
  }

  /// The digest is right, and what it is of is no curve.
  @Test func bytesOfNoCurveAreNone() {
    let whole = CurveBytes.bytes(of: curve(seed: 1))
    #expect(CurveBytes.curve(of: whole) == curve(seed: 1))
    #expect(CurveBytes.curve(of: Data()) == nil)
    #expect(CurveBytes.curve(of: whole.dropLast(8)) == nil)
    #expect(CurveBytes.curve(of: Data(repeating: 0xFF, count: 400)) == nil)
    #expect(CurveBytes.curve(of: Data(repeating: 0, count: 400)) == nil)
  }
}
