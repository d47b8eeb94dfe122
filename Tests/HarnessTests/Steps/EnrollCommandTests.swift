import Detectors
import Digests
import Foundation
import TestSupport
import Testing
@testable import Evaluation
@testable import Harness
@testable import TraceFormats
import TraceModel

/// `enroll`, and the profile as a parameter of other commands.
@Suite struct EnrollCommandTests {
  /// Punches of some kinds, one every 2 s, in user acceleration and rotation rate at 100 Hz.
  private static func trace(
    _ id: String, subject: String, _ kinds: [String], seed: UInt64, labels: Bool = true,
    rotation: Bool = true
  ) -> Trace {
    var random = SeededGenerator(seed: seed)
    var (acceleration, rotationRate) = (VectorColumns(), VectorColumns())
    var events: [ReferenceEvent] = []
    for (index, kind) in kinds.enumerated() {
      let peak = Int64(index) * 2_000_000_000 + 1_000_000_000
      events.append(
        ReferenceEvent(
          onset: TraceInstant(nanoseconds: peak),
          label: labels ? PunchLabel.classify(kind).label : "", originalLabel: labels ? kind : ""))
      for sample in 0..<200 {
        let time = Int64(index) * 2_000_000_000 + Int64(sample) * 10_000_000
        let t = Double(time - peak) / 1e9
        let stop = 80 * exp(-t * t / 0.0008)
        let swing = 25 * exp(-(t + 0.15) * (t + 0.15) / 0.005)
        let turn = 10 * exp(-(t + 0.08) * (t + 0.08) / 0.0128)
        func noise() -> Double { random.unit() - 0.5 }
        let axis = ["jab": 0, "hook": 1, "uppercut": 2][kind] ?? 0
        var a = [noise(), noise(), noise()]
        var g = [noise(), noise(), noise()].map { $0 / 5 }
        a[axis] += swing - stop
        a[(axis + 1) % 3] += 0.2 * stop
        g[(axis + 1) % 3] += turn
        acceleration.append(
          Vector3(x: Float(a[0]), y: Float(a[1]), z: Float(a[2])), measured: time, arrived: time)
        rotationRate.append(
          Vector3(x: Float(g[0]), y: Float(g[1]), z: Float(g[2])), measured: time, arrived: time)
      }
    }
    var header = TraceHeader(id: id, origin: .recorded)
    header.subject = subject
    header.end = TraceInstant(nanoseconds: Int64(kinds.count) * 2_000_000_000)
    header.references = [ReferenceSet(task: .punch, events: events)]
    var trace = Trace(header: header)
    trace.set(.vector(acceleration), for: .userAcceleration)
    if rotation { trace.set(.vector(rotationRate), for: .rotationRate) }
    return trace
  }

  private static let kinds = ["jab", "hook", "uppercut"]
  private static let files = MadeFiles { scratch in
    func write(_ trace: Trace) throws {
      try NativeTrace.write(trace, to: scratch.path("\(trace.header.id).h5"))
    }
    let shown = (0..<15).map { kinds[$0 % 3] }
    try write(trace("teach", subject: "ann", shown, seed: 1))
    try write(trace("teach-bo", subject: "bo", shown, seed: 2))
    try write(trace("test", subject: "ann", (0..<12).map { kinds[($0 / 4) % 3] }, seed: 3))
    try write(trace("other", subject: "cy", (0..<12).map { kinds[($0 / 4) % 3] }, seed: 4))
    try write(trace("still", subject: "ann", shown, seed: 5, rotation: false))
    try write(trace("one", subject: "ann", ["jab", "jab", "jab"], seed: 6))
    try write(trace("unlabelled", subject: "ann", shown, seed: 7, labels: false))
  }

  private func bench() throws -> StepBench {
    let bench = try StepBench()
    try Self.files.copy(to: bench.scratch)
    return bench
  }

  /// The labels in a table of `replay`, with how often each occurs.
  private func labels(_ outcome: Program.Outcome) -> [String: Int] {
    let lines = outcome.output.split(separator: "\n")
    guard let head = lines.first?.split(separator: ",", omittingEmptySubsequences: false),
      let column = head.firstIndex(of: "original_label") ?? head.firstIndex(of: "label")
    else { return [:] }
    var counts: [String: Int] = [:]
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      if column < cells.count { counts[String(cells[column]), default: 0] += 1 }
    }
    return counts
  }

  @Test func aProfileNamesThePunchesOfItsPersonAlone() throws {
    let bench = try bench()
    let learnt = try bench.run("enroll teach.h5 teach-bo.h5 --per-kind 4 -o people.json")
    #expect(learnt.output.contains("ann:\n"))
    #expect(learnt.output.contains("4 used of 5 found, 5 labelled"), "\(learnt.output)")
    #expect(learnt.output.contains("12 of 12 named right, 0 wrong, 0 not named"))
    #expect(learnt.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let replay = "--format csv --parameters profile=people.json"
    #expect(
      try labels(bench.run("replay test.h5 \(replay)")) == ["jab": 4, "hook": 4, "uppercut": 4])
    // cy has no examples, and ann has no profile.
    #expect(try labels(bench.run("replay other.h5 \(replay)")) == ["unknown": 12])
    #expect(try labels(bench.run("replay test.h5 --format csv")) == ["unknown": 12])
  }

  @Test func withoutRotationTheAccelerationAloneIsUsed() throws {
    let bench = try bench()
    let learnt = try bench.run("enroll still.h5 -o still.json")
    #expect(learnt.output.contains("models: acceleration\n"), "\(learnt.output)")
    #expect(
      try labels(bench.run("replay test.h5 --format csv --parameters profile=still.json"))
        == ["jab": 4, "hook": 4, "uppercut": 4])
  }

  @Test func aSuiteNamesAProfileRelativeToItself() throws {
    let bench = try bench()
    try bench.run("enroll teach.h5 -o people.json")
    try FileManager.default.createDirectory(
      atPath: bench.scratch.path("suites"), withIntermediateDirectories: true)
    try bench.scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {all: [../test.h5]}
      entries:
        - {detector: punch, traces: all, parameters: {profile: ../people.json}}
      """, to: "suites/suite.yml")
    let outcome = try bench.run("run suites/suite.yml --format json")
    #expect(outcome.output.contains("../people.json#"), "\(outcome.output.prefix(2000))")
    #expect(!outcome.output.contains("\"unknown\""))
  }

  @Test func aStatedDigestIsChecked() throws {
    let bench = try bench()
    try bench.run("enroll teach.h5 -o people.json")
    let digest = SHA256Digest.hex(of: Array(try bench.scratch.bytes(of: "people.json")))
    try bench.run("replay test.h5 --parameters profile=people.json#\(digest.prefix(12))")
    let outcome = try bench.run("replay test.h5 --parameters profile=people.json#00ff", 65)
    #expect(outcome.errors.contains("the file has changed"), "\(outcome.errors)")
  }

  @Test func equalRecordingsGiveEqualFiles() throws {
    let bench = try bench()
    try bench.run("enroll teach.h5 teach-bo.h5 -o one.json")
    try bench.run("enroll teach-bo.h5 teach.h5 -o two.json --threads 1")
    func people(_ name: String) throws -> [String: PersonProfile] {
      try ProfileFile.parse(Data(bench.scratch.bytes(of: name)), name).people
    }
    #expect(try people("one.json") == people("two.json"))
  }

  @Test(
    arguments: [
      ("enroll one.h5 -o x.json", 65, "3 jab"),
      ("enroll unlabelled.h5 -o x.json", 65, "found none"),
      ("enroll teach.h5 -o x.json --per-kind 0", 64, "--per-kind"),
      ("enroll teach.h5 -o x.txt", 64, ".json"),
      ("enroll teach.h5 -o teach.h5", 64, "also read"),
      ("enroll walk.h5 -o x.json --detector track", 64, "track"),
      ("replay test.h5 --parameters profile=none.json", 74, "none.json"),
      ("replay test.h5 --parameters profile=", 64, "file written by enroll"),
      ("replay test.h5 --parameters profile=test.h5", 65, "file written by enroll"),
      ("tune teach.h5 --search profile=a,b", 64, "cannot be searched"),
    ] as [(String, Int32, String)])
  func badInputIsNamed(arguments: String, status: Int32, message: String) throws {
    let bench = try bench()
    let outcome = try bench.run(arguments, status)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(!bench.scratch.names.contains("x.json"))
  }

  @Test func aDamagedFileIsAnErrorAndNeverACrash() throws {
    let bench = try bench()
    try bench.run("enroll teach.h5 --per-kind 2 -o people.json")
    let bytes = Array(try bench.scratch.bytes(of: "people.json"))
    let punch = AnyDetector(PunchDetector.self)
    var random = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      var damaged = bytes
      for _ in 0..<(1 + random.next() % 4) {
        let place = Int(random.next() % UInt64(damaged.count))
        switch random.next() % 3 {
        case 0: damaged[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: damaged.remove(at: place)
        default: damaged.removeSubrange(place..<min(place + 200, damaged.count))
        }
      }
      try Data(damaged).write(to: URL(fileURLWithPath: bench.scratch.path("damaged.json")))
      do {
        let set = try ProfileFile.read(
          bench.scratch.path("damaged.json"), for: punch, place: "test")
        // Whatever is accepted is complete.
        for model in set.people.values.flatMap(\.models.values) {
          #expect(model.probabilities([Double](repeating: 0, count: model.features)).count > 0)
        }
      } catch {
        #expect("\(error)".contains("damaged.json"))
      }
    }
    try bench.scratch.write(
      #"{"schema":"shadowbox-profiles/1","detector":"track","people":{}}"#, to: "track.json")
    let other = try bench.run("replay test.h5 --parameters profile=track.json", 65)
    #expect(other.errors.contains("expected profiles for punch, found profiles for track"))
    try bench.scratch.write(
      """
      {"schema":"shadowbox-profiles/1","detector":"punch","people":{"ann":{"examples":{"jab":1},
      "models":{"acceleration":{"kinds":["jab"],"offsets":[0],"weights":[[1,2]]}}}}}
      """, to: "short.json")
    let short = try bench.run("replay test.h5 --parameters profile=short.json", 65)
    #expect(short.errors.contains("found acceleration with 2"), "\(short.errors)")
  }
}
