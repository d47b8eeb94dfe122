import Foundation
import TestSupport
import Testing

@testable import Harness

/// With too few threads or open files the program says so at once; it hung, or trapped.
@Suite struct SmallMachineTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    let trace = Fixtures.traces.appending(path: "synthetic/punch-s01-left.h5")
    try FileManager.default.copyItem(at: trace, to: scratch.url.appending(path: "p.h5"))
  }

  private func run(limit: String, _ arguments: [String]) throws -> Program.Outcome {
    // The process that starts the tests may have more open files than the limit.
    let closing = (3..<30).map { "exec \($0)>&-" }.joined(separator: "; ")
    return try Program.launch(
      "bash", ["-c", "\(closing); \(limit); exec \"$0\" \"$@\"", Program.executable] + arguments,
      in: scratch.url)
  }

  @Test(arguments: [12, 16, 18, 20, 24, 30])
  func tooFewOpenFilesAreTold(limit: Int) throws {
    for arguments in [["info", "p.h5"], ["sweep", "p.h5"]] {
      let outcome = try run(limit: "ulimit -n \(limit)", arguments)
      #expect(outcome.status == 74)
      #expect(outcome.errors.contains("expected room for 32 more open files"), "\(outcome.errors)")
    }
  }

  /// In KiB. With 256 MiB all threads start, but their allocations used to end the program.
  @Test(arguments: [196_608, 262_144, 327_680]) func tooLittleMemoryIsTold(limit: Int) throws {
    let outcome = try run(limit: "ulimit -v \(limit)", ["run", "p.h5", "--detector", "punch"])
    #expect(outcome.status == 74, "\(outcome.errors)")
    #expect(outcome.errors.contains("of memory (ulimit"), "\(outcome.errors)")
  }

  @Test func manyOpenFilesAreNotNeeded() throws {
    let outcome = try run(limit: "ulimit -n 64", ["sweep", "p.h5"])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func noFolderForTemporaryFilesIsTold() throws {
    let outcome = try Program.launch(
      "env", ["TMPDIR=/nowhere", Program.executable, "sweep", "p.h5", "--picture", "p.svg"],
      in: scratch.url)
    #expect(outcome.status == 74)
    #expect(
      outcome.errors.contains("/nowhere: expected a folder for temporary files")
        && outcome.errors.contains("set TMPDIR"), "\(outcome.errors)")
  }

  /// Without the right of root the number of processes is limited.
  @Test(
    .enabled(if: getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")),
    arguments: [1, 2, 4, 8])
  func tooFewThreadsAreTold(limit: Int) throws {
    let outcome = try Program.launch(
      "setpriv",
      ["--reuid=54321", "--clear-groups", "prlimit", "--nproc=\(limit)", "timeout", "20"]
        + [Program.executable, "info", "p.h5"], in: scratch.url)
    // With two, timeout cannot start the program.
    #expect(outcome.status == 74 || outcome.errors.contains("fork"), "\(outcome.errors)")
    #expect(
      outcome.errors.contains("more threads, found") || outcome.errors.contains("fork"),
      "\(outcome.errors)")
  }
}
