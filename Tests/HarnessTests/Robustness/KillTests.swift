@testable import Evaluation
import Foundation
import Diagnostics
import TestSupport
import Testing
import TraceModel

/// A command that is killed at any moment leaves the old file or the new one, never a broken one.
///
/// One after the other: each starts hundreds of processes.
@Suite(.serialized) struct KillTests {
  /// A command line as data: a further command is a further row.
  struct Command: Sendable, CustomTestStringConvertible {
    var name: String
    /// Makes what is there before.
    var old: [String]
    /// Makes what takes its place; this is what is killed.
    var new: [String]
    /// The files that both write, or folders of them.
    var outputs: [String]
    /// Makes what both read.
    var inputs: [[String]] = []
    /// How often it is killed at least in the long run; a third must come neither too early nor too
    /// late. In the quick run each signal twice.
    var moments = 36
    /// The exit codes of a run that is not killed.
    var statuses: Set<Int32> = [0]
    /// Whether a file that is neither the old one nor the new one is whole: for one that differs from
    /// one run to the next.
    var isWhole: @Sendable (Data) -> Bool = { _ in false }
    var testDescription: String { name }
  }

  static let commands = [
    Command(
      name: "run", old: run("short.yml"), new: run("long.yml"), outputs: ["out.h5", "out.log"]),
    Command(
      name: "convert to a trace", old: ["convert", "short.csv", "-o", "out.h5"] + Workbench.map,
      new: ["convert", "long.csv", "-o", "out.h5"] + Workbench.map, outputs: ["out.h5"]),
    Command(
      name: "convert to CSV", old: ["convert", "short.h5", "-o", "out.csv"],
      new: ["convert", "long.h5", "-o", "out.csv"], outputs: ["out.csv"], moments: 20),
    Command(
      name: "convert to a folder", old: split("short.csv"), new: split("long.csv"),
      outputs: ["parts"], moments: 20),
    Command(
      name: "synth", old: ["synth", "punches", "--seed", "1", "-o", "out.h5"],
      new: ["synth", "punches", "--seed", "2", "-o", "out.h5"], outputs: ["out.h5"], moments: 20),
    Command(
      name: "export", old: ["export", "short.h5", "-o", "out.trace"],
      new: ["export", "long.h5", "-o", "out.trace"], outputs: ["out.trace"], moments: 20),
    step("resample", ["--rate", "25Hz"]), step("trim", ["--from", "0s"]), step("anonymize", []),
    timed(
      "replay", old: ["replay", "short.h5", "--rate", "32x"],
      new: ["replay", "long.h5", "--rate", "32x", "--duration", "8s"]),
    timed(
      "bench", old: ["bench", "made.h5", "--devices", "1", "--duration", "100ms"],
      new: ["bench", "made.h5", "--devices", "2", "--duration", "200ms"],
      inputs: [["synth", "punches", "--duration", "10s", "-o", "made.h5", "--quiet"]]),
    Command(
      name: "tune", old: tune(seed: 1), new: tune(seed: 2), outputs: ["out.json", "out.h5"],
      inputs: [["synth", "punches", "--duration", "60s", "-o", "made.h5", "--quiet"]], moments: 20),
  ]

  private static func tune(seed: Int) -> [String] {
    [
      "tune", "made.h5", "--detector", "punch", "--gravity-filter", "lowpass", "--no-cache",
      "--confidence", "0.5", "--resamples", "100",
    ]
      + ["--allow-few-groups", "--seed", "\(seed)", "-o", "out.json", "--results", "out.h5"]
  }

  private static func step(_ name: String, _ options: [String]) -> Command {
    Command(
      name: name, old: [name, "short.h5", "-o", "out.h5"] + options,
      new: [name, "long.h5", "-o", "out.h5"] + options, outputs: ["out.h5"], moments: 9)
  }

  /// No two runs take the same time, and a machine that others use too makes it invalid.
  private static func timed(
    _ name: String, old: [String], new: [String], inputs: [[String]] = []
  ) -> Command {
    let timing = ["--timing", "out.txt", "--quiet"]
    return Command(
      name: "\(name) --timing", old: old + timing, new: new + timing, outputs: ["out.txt"],
      inputs: inputs, moments: 20, statuses: [0, 3]
    ) {
      let text = String(decoding: $0, as: UTF8.self)
      return text.hasPrefix("# lateness [us]\n") && text.contains("\n# response [us]\n")
        && text.split(separator: "\n").last?.hasPrefix("#[Buckets ") ?? false
    }
  }

  private static func run(_ suite: String) -> [String] {
    ["run", suite, "-o", "out.h5", "--log", "out.log", "--deterministic", "--quiet"]
  }

  private static func split(_ file: String) -> [String] {
    ["convert", file, "-o", "parts", "--split-by", "who", "--id", "p", "--quiet"] + Workbench.map
  }

  /// The quick run has one command for each way to write.
  private static let quick = ["run", "convert to CSV", "convert to a folder", "tune"]

  @Test(.longer, arguments: commands.filter { LongTests.areWanted || quick.contains($0.name) })
  func leavesTheOldOrTheNew(command: Command) throws {
    let bench = try Workbench()
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    let moments = LongTests.count(quick: 6, long: command.moments)
    print("killing \(command.name) at \(moments) moments or more, seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let killed = try KilledCommand(command, bench)
    // How often each ended it: on a laden machine a moment may be before the program or after it.
    var hits: [Int32: Int] = [SIGKILL: 0, SIGINT: 0, SIGTERM: 0]
    var moment = 0
    func isEnough() -> Bool {
      moment >= moments && hits.values.reduce(0, +) > moments / 3
        && !hits.values.contains(0)
    }
    while !isEnough() {
      guard moment < 10 * moments else {
        Issue.record("seed \(seed): killed no more often than \(hits) at \(moment) moments")
        break
      }
      let signal = [SIGKILL, SIGINT, SIGTERM][moment % 3]
      // Every second one while a file is being written, which a moment at random would seldom meet.
      let wait =
        moment % 2 == 0
        ? KilledCommand.Wait.seconds(killed.duration * generator.unit())
        : .partialFile(thenSeconds: 0.02 * generator.unit())
      if try killed.run(signal: signal, wait: wait) { hits[signal, default: 0] += 1 }
      let what = "seed \(seed), moment \(moment), signal \(signal)"
      for fault in try killed.faults() { Issue.record("\(what): \(fault)") }
      if signal != SIGKILL { #expect(bench.partialFiles.isEmpty, "\(what)") }
      moment += 1
    }
    // The next one to write the file clears away what was left.
    let last = try Program.run(command.new, in: bench.scratch.url)
    #expect(command.statuses.contains(last.status), "\(last.errors)")
    #if os(Linux)
      #expect(bench.partialFiles.isEmpty, "seed \(seed)")
    #endif
  }

  #if os(Linux)
    /// A leftover goes; the file of a program that is at work, and what only looks like one, stays.
    @Test func aLeftoverIsTakenForOneOnlyIfNobodyHoldsIt() throws {
      let bench = try Workbench()
      let names = [
        ".out.h5.1-1.partial", ".out.h5.1-2.partial", ".out.h5.1-x.partial", ".out.h5.partial",
        ".other.h5.1-1.partial",
      ]
      for name in names { try bench.scratch.write("left", to: name) }
      let descriptor = open(bench.scratch.path(names[1]), O_RDWR)
      defer { close(descriptor) }
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      // F_OFD_SETLK
      #expect(fcntl(descriptor, 37, &lock) == 0)
      let command = ["convert", "short.h5", "-o", "out.h5", "--quiet"]
      #expect(try Program.run(command, in: bench.scratch.url).status == 0)
      #expect(bench.partialFiles.sorted() == names.dropFirst().sorted())
    }
  #endif
}

/// A command with what it must leave.
private struct KilledCommand {
  enum Wait {
    case seconds(Double)
    /// Until a partial file is there, or the program has ended.
    case partialFile(thenSeconds: Double)
  }

  let command: KillTests.Command
  let bench: Workbench
  /// The results of an undisturbed run.
  let duration: Double
  private let old: [String: Data]
  private let new: [String: Data]

  init(_ command: KillTests.Command, _ bench: Workbench) throws {
    self.command = command
    self.bench = bench
    for input in command.inputs {
      try #require(try Program.run(input, in: bench.scratch.url).status == 0)
    }
    func files(after arguments: [String]) throws -> ([String: Data], Double) {
      let start = Date()
      let outcome = try Program.run(arguments, in: bench.scratch.url)
      #expect(command.statuses.contains(outcome.status), "\(outcome.errors)")
      return (try Self.files(command, bench), Date().timeIntervalSince(start))
    }
    (old, _) = try files(after: command.old)
    (new, duration) = try files(after: command.new)
    #expect(old != new)
  }

  /// Whether the signal ended it.
  func run(signal: Int32, wait: Wait) throws -> Bool {
    for (name, data) in old { try data.write(to: bench.scratch.url.appending(path: name)) }
    for name in Set(new.keys).subtracting(old.keys) {
      try? FileManager.default.removeItem(atPath: bench.scratch.path(name))
    }
    let before = Set(bench.partialFiles)
    let process = Process()
    process.executableURL = URL(filePath: Program.executable)
    process.arguments = command.new
    process.currentDirectoryURL = bench.scratch.url
    process.environment = Program.environment(in: bench.scratch.url)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    switch wait {
    case .seconds(let seconds): usleep(UInt32(seconds * 1e6))
    case .partialFile(let seconds):
      while process.isRunning, Set(bench.partialFiles).isSubset(of: before) { usleep(300) }
      usleep(UInt32(seconds * 1e6))
    }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    let isSignalled = process.terminationReason == .uncaughtSignal
    // 130: told by the program; a signal: it came before the program had begun, or cannot be caught.
    let isHit = process.terminationStatus == (isSignalled ? signal : 130)
    #expect(isHit || !isSignalled && command.statuses.contains(process.terminationStatus))
    // After a signal that cannot be caught, unfinished files may remain for the next run to remove.
    if isHit, signal != SIGKILL { removeLeftovers(before) }
    return isHit
  }

  /// Those of an earlier SIGKILL are no fault of this one.
  private func removeLeftovers(_ names: Set<String>) {
    for name in names { try? FileManager.default.removeItem(atPath: bench.scratch.path(name)) }
  }

  /// Files that are neither the old ones nor the new ones.
  func faults() throws -> [String] {
    let found = try Self.files(command, bench)
    let broken = found.filter {
      $0.value != old[$0.key] && $0.value != new[$0.key] && !command.isWhole($0.value)
    }.map { "\($0.key): \($0.value.count) bytes, neither old nor new" }
    return broken + old.keys.filter { found[$0] == nil }.map { "\($0) is gone" }
  }

  private static func files(
    _ command: KillTests.Command, _ bench: Workbench
  ) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in command.outputs {
      var isFolder: ObjCBool = false
      let path = bench.scratch.path(name)
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
      let names =
        isFolder.boolValue
        ? try FileManager.default.contentsOfDirectory(atPath: path).map { "\(name)/\($0)" } : [name]
      for name in names where !name.hasSuffix(".partial") {
        files[name] = try bench.scratch.bytes(of: name)
      }
    }
    return files
  }
}
