import Diagnostics
import Foundation
import Scoring
import TestSupport
import Testing

@testable import Speed

/// Comparisons of programs that are shell scripts: what they answer is known.
@Suite(.timeLimit(.minutes(5))) final class CompareSpeedTests {
  private let folder: URL

  init() throws {
    // A program that ends early must not end the tests.
    signal(SIGPIPE, SIG_IGN)
    folder = FileManager.default.temporaryDirectory.appending(path: "speed-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func side(_ name: String, _ script: String) throws -> SpeedSide {
    let url = folder.appending(path: "\(name)-\(UUID())")
    // Another process writes the program: it would be busy while another test's child, between its
    // fork and its exec, holds a descriptor that this process wrote it with.
    let text = url.appendingPathExtension("sh")
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: text)
    let copy = try Process.run(URL(filePath: "/bin/cp"), arguments: [text.path, url.path])
    copy.waitUntilExit()
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url.path)
    return SpeedSide(name, executable: url.path, arguments: ["suite.yml"])
  }

  private func ready(
    _ entries: [(name: String, samples: Int)], digest: String = "d", isProgram: Bool? = nil
  ) throws -> String {
    let ready = SpeedReady(
      toolVersion: "9",
      entries: entries.map {
        .init(
          entry: $0.name, samples: $0.samples, traces: 1, inputsSha256: digest,
          isProgram: isProgram)
      }, leftOut: [])
    return "echo '" + String(try SpeedMessages.line(ready).dropLast()) + "'"
  }

  /// A program whose entries take fixed times for a pass; `spread` adds up to 7 times of it, block by
  /// block, from a seed: one in twenty 95 % intervals of other noise would not hold the truth.
  private func script(
    _ entries: [(name: String, samples: Int)], times: [Int], spread: Int = 0, seed: Int = 1,
    fleet: (missed: Int, deliveries: Int) = (0, 1000), isProgram: Bool? = nil
  ) throws -> String {
    let cases = times.enumerated().map { "\($0)) t=\($1);;" }.joined(separator: " ")
    return """
      \(try ready(entries, isProgram: isProgram))
      # Each start of the program goes on with other noise.
      n=$(cat "$0.noise" 2>/dev/null || echo \(seed))
      echo $(( n + 104729 )) >"$0.noise"
      while read -r word a b; do
        case $word in
        block) case $a in \(cases) esac
          n=$(( (n * 1103515245 + 12345) % 2147483648 ))
          p=$(( (t + (n / 65536 % 8) * \(spread)) * b ))
          echo "{\\"wall\\":$(( p * 2 )),\\"processor\\":$p}";;
        fleet) echo '{"deliveries":\(fleet.deliveries),"missed":\(fleet.missed),"lateness99":5}';;
        *) exit 64;;
        esac
      done
      """
  }

  private var plan: SpeedPlan {
    var plan = SpeedPlan()
    plan.pairs = 8
    plan.countsInstructions = false
    plan.secondsForAnswer = 2
    return plan
  }

  private func failure(_ base: SpeedSide, _ head: SpeedSide) async -> Failure? {
    await #expect(throws: Failure.self) {
      try await compareSpeed(base: base, head: head, plan: plan)
    }
  }

  @Test func exactTimesGiveExactRatios() async throws {
    let entries = [("a", 1000), ("b", 2000)]
    let found = try await compareSpeed(
      base: side("base", script(entries, times: [2_000_000, 4_000_000])),
      head: side("head", script(entries, times: [2_200_000, 4_000_000])), plan: plan)
    #expect(found.entries.map(\.entry) == ["a", "b"])
    // Blocks of 12 ms on the slower side.
    #expect(found.entries.map(\.passes) == [5, 3])
    #expect(found.entries[0].base.processor.median == 2000)
    #expect(found.entries[0].base.wall.median == 4000)
    #expect(found.entries[0].base.processor.repeats == 16)
    #expect(abs(found.entries[0].ratio.value - 1.1) < 1e-12)
    #expect(abs(found.entries[1].ratio.value - 1) < 1e-12)
    #expect(abs(found.ratio.value - 1.1.squareRoot()) < 1e-12)
    #expect(found.entries.map(\.verdict) == [.fail, .pass])
    #expect(found.verdict == .fail)
    #expect((found.baseVersion, found.headVersion) == ("9", "9"))
    #expect(found.instructionRatio == nil && found.instructionVerdict == nil)
  }

  /// Programs have margins of their own, also for wall-clock time, and are left out if they are slow.
  @Test func programsAreTimed() async throws {
    func script(_ times: [Int]) throws -> String {
      try self.script([("a", 1000), ("b", 1000)], times: times, isProgram: true)
    }
    let found = try await compareSpeed(
      base: side("base", script([2_000_000, 300_000_000])),
      head: side("head", script([2_140_000, 300_000_000])), plan: plan)
    #expect(found.entries.map(\.entry) == ["a"] && found.notCompared.map(\.entry) == ["b"])
    let entry = found.entries[0]
    #expect(abs(entry.ratio.value - 1.07) < 1e-12 && entry.timeVerdict == .pass)
    #expect(abs(try #require(entry.wallRatio).value - 1.07) < 1e-12)
    #expect(entry.wallVerdict == .pass && found.verdict == .pass && found.timeMargin == 0.1)
    var plan = plan
    plan.wallMargin = 0.05
    let judged = try await compareSpeed(
      base: side("base", script([2_000_000, 300_000_000])),
      head: side("head", script([2_140_000, 300_000_000])), plan: plan)
    #expect(judged.entries[0].wallVerdict == .fail && judged.verdict == .fail)
  }

  /// Entries of other sizes are compared per sample.
  @Test func timesArePerSample() async throws {
    var plan = plan
    plan.allowsDifferentTraces = true
    let found = try await compareSpeed(
      base: side("base", script([("a", 1000)], times: [2_000_000])),
      head: side("head", script([("b", 3000)], times: [6_000_000])), plan: plan)
    #expect(abs(found.ratio.value - 1) < 1e-12)
    #expect(found.entries[0].headEntry == "b")
    #expect(found.verdict == .pass)
  }

  @Test func noiseIsInconclusive() async throws {
    func noisy(_ seed: Int) throws -> String {
      try script([("a", 1000)], times: [2_000_000], spread: 400_000, seed: seed)
    }
    let found = try await compareSpeed(
      base: side("base", noisy(31_337)), head: side("head", noisy(27_182)), plan: plan)
    #expect(found.verdict == .inconclusive)
    #expect(found.ratio.lower < 1 && 1 < found.ratio.upper)
    #expect(try #require(found.ratio.smallestEffect) > 0.05)
  }

  @Test func missedPeriodsFailOnlyByTheirMargin() async throws {
    var plan = plan
    plan.fleet = SpeedPlan.Fleet()
    let good = try script([("a", 1000)], times: [2_000_000])
    let bad = try script([("a", 1000)], times: [2_000_000], fleet: (30, 1000))
    let reported = try await compareSpeed(
      base: side("base", good), head: side("head", bad), plan: plan)
    #expect(reported.fleets?.head.missed == 30)
    #expect(reported.verdict == .pass)
    plan.fleet?.margin = 0.02
    let judged = try await compareSpeed(
      base: side("base", good), head: side("head", bad), plan: plan)
    #expect(judged.fleets?.verdict == .fail)
    #expect(judged.verdict == .fail)
  }

  @Test func aProgramThatDiesIsNamedWithItsLastWords() async throws {
    let good = try side("base", script([("a", 1000)], times: [2_000_000]))
    let dying = try side(
      "head", ready([("a", 1000)]) + "\nread -r line; echo 'out of luck' >&2; kill -9 $$")
    let failure = await failure(good, dying)
    #expect(failure?.kind == .childFailed)
    #expect(failure?.description.hasPrefix("head: ") == true)
    #expect(failure?.description.contains("out of luck") == true)
  }

  @Test(arguments: ["echo nonsense", "echo '{}'", "exit 0", "exit 1", "echo '{\"schema\":\"x\"}'"])
  func aGarbledStartIsAFailureOfTheChild(script: String) async throws {
    let good = try side("base", self.script([("a", 1000)], times: [2_000_000]))
    #expect(await failure(good, try side("head", script))?.kind == .childFailed)
  }

  @Test(arguments: [
    "echo nonsense", "echo '{\"wall\":1}'", "echo '{\"wall\":0,\"processor\":0}'", "exit 0",
    "sleep 60",
  ])
  func aGarbledAnswerIsAFailureOfTheChild(answer: String) async throws {
    let good = try side("base", script([("a", 1000)], times: [2_000_000]))
    let bad = try side("head", ready([("a", 1000)]) + "\nread -r line; \(answer)")
    #expect(await failure(good, bad)?.kind == .childFailed)
  }

  /// What a program says about its own input decides the kind.
  @Test(arguments: [
    (64, Failure.Kind.wrongUse), (65, .badData), (74, .fileError), (70, .childFailed),
  ])
  func aProgramsOwnErrorIsPassedOn(status: Int, kind: Failure.Kind) async throws {
    let good = try side("base", script([("a", 1000)], times: [2_000_000]))
    let bad = try side("head", "echo 'error: suite.yml:3: no such thing' >&2; exit \(status)")
    let failure = await failure(good, bad)
    #expect(failure?.kind == kind)
    #expect(failure?.description.contains("suite.yml:3: no such thing") == true)
  }

  @Test func anEarlierBuildIsNamed() async throws {
    let old = try side("base", "echo \"error: unknown command \\\"$1\\\"\" >&2; exit 64")
    let failure = await failure(old, try side("head", script([("a", 1000)], times: [1])))
    #expect(failure?.kind == .badData)
    #expect(failure?.description.contains("found an older one") == true)
  }

  @Test func aMissingProgramIsAFailure() async throws {
    let missing = SpeedSide("base", executable: "/nowhere/shadowbox", arguments: [])
    #expect(await failure(missing, missing)?.kind == .childFailed)
  }

  @Test func otherTracesAreAnError() async throws {
    let loop = "; while read -r l; do echo '{\"wall\":1,\"processor\":1}'; done"
    let base = try side("base", ready([("a", 1000)]) + loop)
    let head = try side("head", ready([("a", 1000)], digest: "e") + loop)
    #expect(await failure(base, head)?.kind == .badData)
  }

  @Test func aWrongPlanIsWrongUse() async throws {
    var plan = SpeedPlan()
    plan.pairs = 7
    #expect(throws: Failure.self) { try plan.check() }
    plan = SpeedPlan()
    plan.timeMargin = .nan
    #expect(throws: Failure.self) { try plan.check() }
    plan = SpeedPlan()
    plan.fleet = .init(devices: 0)
    #expect(throws: Failure.self) { try plan.check() }
    #expect(throws: Never.self) { try SpeedPlan().check() }
  }

  /// The children are gone when a comparison ends, also with an error.
  @Test func noProgramIsLeftBehind() async throws {
    let mark = folder.appending(path: "pids").path
    let waiting = try side(
      "base", "echo $$ >> \(mark); " + ready([("a", 1000)]) + "; read -r x; read -r y")
    _ = await failure(waiting, try side("head", "exit 1"))
    let pid = try #require(
      Int32(
        String(contentsOfFile: mark, encoding: .utf8).trimmingCharacters(
          in: .whitespacesAndNewlines)))
    #expect(kill(pid, 0) == -1 && errno == ESRCH)
  }
}

/// Real programs, whose instructions are counted.
@Suite(.timeLimit(.minutes(10))) struct InstructionTests {
  private static var trial: String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
      path: "speedtrial"
    )
    .path
  }
  private static let hasValgrind = FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind")

  private func side(_ name: String, work: Int) -> SpeedSide {
    let trace = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "traces/synthetic/punch-s01-left.h5").path
    return SpeedSide(
      name, executable: Self.trial,
      arguments: [
        trace, "--detector", "adjustable", "--parameters", "work=\(work)", "--gravity-filter",
        "lowpass",
      ])
  }

  /// Equal programs have nearly equal counts, and a planted slowdown is seen; no time is judged.
  @Test(.longer, .longRun, .enabled(if: hasValgrind, "valgrind is not installed"))
  func countsAreRepeatable() async throws {
    signal(SIGPIPE, SIG_IGN)
    var plan = SpeedPlan()
    (plan.pairs, plan.blockMilliseconds, plan.samples, plan.countedSamples) = (8, 1, 1000, 1000)
    let equal = try await compareSpeed(
      base: side("base", work: 1000), head: side("head", work: 1000), plan: plan)
    let ratio = try #require(equal.instructionRatio, "\(equal.instructionsMissing ?? "")")
    #expect(abs(ratio - 1) < 0.001)
    #expect(equal.instructionVerdict == .pass)
    let slower = try await compareSpeed(
      base: side("base", work: 1000), head: side("head", work: 1050), plan: plan)
    #expect(try #require(slower.instructionRatio) > 1.03)
    #expect(slower.instructionVerdict == .fail)
    #expect(slower.verdict == .fail)
  }
}
