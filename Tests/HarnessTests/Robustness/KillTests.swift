import Foundation
import Testing
import TraceModel

/// A command that is killed at any moment leaves the old file or the new one, never a broken one.
@Suite struct KillTests {
  /// A command line as data: a further command is a further row.
  struct Command: Sendable, CustomTestStringConvertible {
    var name: String
    /// Makes what is there before.
    var old: [String]
    /// Makes what takes its place; this is what is killed.
    var new: [String]
    /// The files that both write, or folders of them.
    var outputs: [String]
    var moments = 50
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
  ]

  private static func run(_ suite: String) -> [String] {
    ["run", suite, "-o", "out.h5", "--log", "out.log", "--deterministic", "--quiet"]
  }

  private static func split(_ file: String) -> [String] {
    ["convert", file, "-o", "parts", "--split-by", "who", "--id", "p", "--quiet"] + Workbench.map
  }

  @Test(arguments: commands)
  func leavesTheOldOrTheNew(command: Command) throws {
    let bench = try Workbench()
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    print("killing \(command.name) at \(command.moments) moments, seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let killed = try KilledCommand(command, bench)
    var signals: [Int32: Int] = [:]
    for moment in 0..<command.moments {
      let signal = [SIGKILL, SIGINT, SIGTERM][moment % 3]
      // Every second one while a file is being written, which a moment at random would seldom meet.
      let wait =
        moment % 2 == 0
        ? KilledCommand.Wait.seconds(killed.duration * generator.unit())
        : .partialFile(thenSeconds: 0.02 * generator.unit())
      let hit = try killed.run(signal: signal, wait: wait)
      if hit { signals[signal, default: 0] += 1 }
      let what = "seed \(seed), moment \(moment), signal \(signal)"
      for fault in try killed.faults() { Issue.record("\(what): \(fault)") }
      if signal != SIGKILL { #expect(bench.partialFiles.isEmpty, "\(what)") }
    }
    // It was killed, and not only after its end.
    #expect(signals.values.reduce(0, +) > command.moments / 3, "\(signals)")
    // The next one to write the file clears away what was left.
    #expect(try Program.run(command.new, in: bench.scratch.url).status == 0)
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
  /// Of a run that nobody disturbs.
  let duration: Double
  private let old: [String: Data]
  private let new: [String: Data]

  init(_ command: KillTests.Command, _ bench: Workbench) throws {
    self.command = command
    self.bench = bench
    func files(after arguments: [String]) throws -> ([String: Data], Double) {
      let start = Date()
      let outcome = try Program.run(arguments, in: bench.scratch.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
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
    // 130: told by the program; a signal: it came before the program had begun, or cannot be caught.
    if process.terminationReason == .uncaughtSignal { return process.terminationStatus == signal }
    #expect([0, 130].contains(process.terminationStatus))
    if process.terminationStatus == 130 { removeLeftovers(before) }
    return process.terminationStatus == 130
  }

  /// Those of an earlier SIGKILL are no fault of this one.
  private func removeLeftovers(_ names: Set<String>) {
    for name in names { try? FileManager.default.removeItem(atPath: bench.scratch.path(name)) }
  }

  /// Files that are neither the old ones nor the new ones.
  func faults() throws -> [String] {
    let found = try Self.files(command, bench)
    let broken = found.filter { $0.value != old[$0.key] && $0.value != new[$0.key] }.map {
      "\($0.key): \($0.value.count) bytes, neither old nor new"
    }
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
