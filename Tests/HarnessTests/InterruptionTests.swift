import Foundation
import TestSupport
import Testing

@Suite struct InterruptionTests {
  /// Interrupted while it writes, the program leaves finished files alone and no partial one.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGXCPU])
  func leavesNoPartialFile(signal: Int32) throws {
    let scratch = try Scratch()
    let process = Process()
    process.executableURL = URL(filePath: Program.executable)
    process.arguments = ["synth", "--corpus", "-o", "traces", "--quiet"]
    process.currentDirectoryURL = scratch.url
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    func files() -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: scratch.path("traces"))) ?? []
    }
    // Waits until the first trace is being written.
    while process.isRunning, files().isEmpty { usleep(1000) }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130)
    #expect(files().allSatisfy { !$0.contains("partial") }, "\(files())")
    for file in files() {
      let info = try Program.run(["info", "traces/\(file)"], in: scratch.url)
      #expect(info.status == 0, "\(file): \(info.errors)")
    }
  }

  /// Python makes temporary files if it cannot write to the home folder.
  @Test(arguments: ["TERM", "HUP"]) func leavesNoTemporaryFolder(signal: String) throws {
    let bench = try Workbench()
    try bench.scratch.write(
      """
      #!/bin/sh
      test "$4" = 'import matplotlib' && exit
      mkdir "$TMPDIR/matplotlib-x"; touch "$TMPDIR/matplotlib-x/fonts" drawing
      exec sleep 1000
      """, to: "python", permissions: 0o755)
    let outcome = try bench.shell(
      """
      mkdir tmp; export TMPDIR=$PWD/tmp SHADOWBOX_PYTHON=$PWD/python
      "$0" sweep short.h5 --detector punch --picture a.png >table 2>errors &
      until test "$(find tmp -name fonts)"; do sleep 0.01; done
      kill -\(signal) $!; wait $!; echo $?; ls -A tmp
      """)
    #expect(outcome.output == "130\n")
    #expect(!bench.scratch.names.contains("a.png"))
  }

  /// A build that a gate runs is killed, and cannot remove its files itself.
  @Test func leavesNoFileOfABuild() throws {
    let bench = try Workbench()
    try bench.scratch.write(
      "#!/bin/sh\nmktemp -d; mktemp; touch mark; exec sleep 1000\n", to: "build", permissions: 0o755
    )
    let outcome = try bench.shell(
      """
      mkdir tmp; export TMPDIR=$PWD/tmp
      "$0" gate short.h5 --detector punch --base-build ./build --no-timing >table 2>errors &
      while kill -0 $! && ! test -e mark; do sleep 0.01; done
      kill $!; wait $!; echo $?; ls -A tmp
      """)
    #expect(outcome.output == "130\n")
  }
}
