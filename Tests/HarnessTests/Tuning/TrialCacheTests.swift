@testable import Evaluation
import Files
import Foundation
import Scoring
import Synchronization
import TestSupport
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
    let onsets = [-1, 5, Int64.max].map { TraceInstant(nanoseconds: $0) }
    #expect(try cache.onsets(key) == nil)
    try cache.keep(onsets, key)
    #expect(try cache.onsets(key) == onsets)
    var other = key
    other.parameters["refractory"] = "0.5"
    #expect(try cache.curve(other) == nil)
  }

  /// The files used longest ago go first, and files that are not the cache's stay.
  @Test func isTrimmed() throws {
    let scratch = try Scratch()
    let folder = scratch.path("cache")
    let cache = try FolderCache(folder) { _ in }
    let keys = (0..<5).map { index in
      var key = key
      key.trace = "\(index)"
      return key
    }
    for (index, key) in keys.enumerated() {
      let before = Set(try FileManager.default.contentsOfDirectory(atPath: folder))
      try cache.keep(curve(seed: 1), key)
      let new = Set(try FileManager.default.contentsOfDirectory(atPath: folder))
        .subtracting(before)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000 + Double(index))],
        ofItemAtPath: folder + "/" + (try #require(new.first)))
    }
    try scratch.write(String(repeating: "x", count: 5000), to: "cache/notes.txt")
    // To read a file is to use it.
    #expect(try cache.curve(keys[0]) != nil)
    let size =
      try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".curve") }
      .map { try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)).count }.max() ?? 0
    let small = try FolderCache(folder, limit: 2 * size + 1) { _ in }
    #expect(try keys.map { try small.curve($0) != nil } == [true, false, false, false, true])
    #expect(scratch.names == ["cache"])
    #expect(FileManager.default.fileExists(atPath: folder + "/notes.txt"))
  }

  @Test func liesInTheUsersCacheFolder() {
    #expect(
      UserCache.folder(["XDG_CACHE_HOME": "/x", "HOME": "/users/a"]) == "/x/shadowbox")
    #expect(UserCache.folder(["HOME": "/users/a"]) == "/users/a/.cache/shadowbox")
    // The specification ignores a relative path.
    #expect(
      UserCache.folder(["XDG_CACHE_HOME": "x", "HOME": "/users/a"])
        == "/users/a/.cache/shadowbox")
    #expect(FolderCache.defaultLimit == 512 << 20)
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

  /// What another user could have put there is not read; nor is a pipe waited for.
  @Test(arguments: ["link", "pipe", "folder"] + (getuid() == 0 ? ["owner"] : []))
  func filesOfOthersAreIgnored(change: String) throws {
    let scratch = try Scratch()
    let messages = Mutex<[String]>([])
    let cache = try FolderCache(scratch.path("cache")) { message in
      messages.withLock { $0.append(message) }
    }
    let (key, curve) = (key, curve(seed: 1))
    try cache.keep(curve, key)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path("cache"))
    let file = scratch.path("cache/" + (try #require(names.first)))
    switch change {
    case "owner": #expect(chown(file, 12_345, 12_345) == 0)
    default:
      try FileManager.default.moveItem(atPath: file, toPath: scratch.path("moved"))
      switch change {
      case "link":
        try FileManager.default.createSymbolicLink(
          atPath: file, withDestinationPath: scratch.path("moved"))
      case "pipe": #expect(mkfifo(file, 0o600) == 0)
      default: #expect(mkdir(file, 0o700) == 0)
      }
    }
    #expect(try cache.curve(key) == nil)
    #expect(messages.withLock { $0.count } == 1)
    // What cannot be stored costs no more than the cache.
    try cache.keep(curve, key)
    try cache.keep(curve, key)
    #expect(messages.withLock { $0.count } == (change == "folder" ? 2 : 1))
    if change != "folder" { #expect(try cache.curve(key) == curve) }
  }

  /// The digest is right, and what it is of is no curve.
  @Test func bytesOfNoCurveAreNone() throws {
    func curve(of bytes: Data) -> ThresholdCurve? { FolderCache.decoded(bytes) }
    let whole = try FolderCache.encoded(self.curve(seed: 1))
    #expect(curve(of: whole) == self.curve(seed: 1))
    #expect(curve(of: Data()) == nil)
    #expect(curve(of: whole.dropLast(8)) == nil)
    #expect(curve(of: Data(repeating: 0xFF, count: 400)) == nil)
    #expect(curve(of: Data(repeating: 0, count: 400)) == nil)
  }

  /// A property list of the right keys, whose steps are no curve.
  @Test(
    arguments: [
      ([1, 2, 3], [3, 2], [1, 1, 1], 3, false), ([], [], [], 3, false),
      ([2, 1, 3], [3, 2, 1], [1, 1, 1], 3, false), ([1, 2, 3], [3, 2, 1], [1, 1, 1], 2.5, false),
      ([1, 2, 3], [3, 2, 1], [1, 1], 3, false), ([1, .nan, 3], [3, 2, 1], [1, 1, 1], 3, false),
      ([1, 2, 3], [3, 2, 1], [1, 1, 1], 3, true), ([1, 2, 3], [3, 2, -1], [1, 1, 1], 3, false),
      ([1, 2, 3], [6, 2, 1], [1, 1, 1], 3, false), ([1, 2, 3], [3, 2, 1], [1, -1, 1], 3, false),
      ([1, 2, 3], [3, 2, 1], [1, .max, 1], 3, false),
    ] as [([Double], [Int], [Int], Double, Bool)])
  func stepsOfNoCurveAreNone(
    thresholds: [Double], hits: [Int], falseAlarms: [Int], upper: Double, isCurve: Bool
  ) throws {
    struct Steps: Encodable {
      var thresholds: [Double]
      var truePositives: [Int]
      var falsePositives: [Int]
      var upper: Double
      var references = 5
      var scoredNanoseconds: Int64 = 1_000_000_000
      var isExact = true
    }
    let bytes = try FolderCache.encoded(
      Steps(
        thresholds: thresholds, truePositives: hits, falsePositives: falseAlarms, upper: upper))
    let curve: ThresholdCurve? = FolderCache.decoded(bytes)
    #expect(curve?.isConsistent == isCurve)
  }

  /// A score whose sums would overflow, or that no comparison can return.
  @Test(arguments: 0..<6) func figuresThatAreImpossibleAreNone(change: Int) throws {
    let scratch = try Scratch()
    let told = Mutex(0)
    let cache = try FolderCache(scratch.path("cache")) { _ in told.withLock { $0 += 1 } }
    var score = EventScore()
    switch change {
    case 0: score.counts.truePositives = -1
    case 1: score.duplicates = .max
    case 2: score.latencies = [.min]
    case 3: score.magnitudeErrors = [.nan]
    case 4: score.unjudged = ["hook": .max]
    default: score.scoredNanoseconds = -1
    }
    try cache.keep(score, key)
    #expect(try cache.score(key) == nil)
    #expect(told.withLock(\.self) == 1)
  }

  /// The folder may have files of the user.
  @Test func onlyResultsAreTrimmed() throws {
    let scratch = try Scratch()
    let names = ["symphony.score", String(repeating: "a", count: 63) + "g.curve", "x.onsets"]
    for name in names { try scratch.write(String(repeating: "x", count: 1000), to: name) }
    let old = String(repeating: "0", count: 64) + ".score"
    try scratch.write(String(repeating: "x", count: 1000), to: old)
    try FolderCache(scratch.url.path, limit: 100) { _ in }.trim()
    #expect(scratch.names.sorted() == names.sorted())
  }
}
