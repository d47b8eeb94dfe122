import Foundation
import TestSupport
import Testing

/// What a command does where it cannot write: exit code 74, a message that names the file, the old
/// file as it was, and nothing else.
@Suite struct FullDiskCommandTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// Writes `disk/out`, with the ending that it needs.
    var arguments: [String]
    var output: String
    /// Makes what it reads.
    var input: [String]?
    /// Whether it prints what it finds as it finds it, before it comes to write.
    var isPrinting = false
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "run", arguments: ["run", "long.yml", "-o", "disk/out.h5"], output: "disk/out.h5"),
    Case(
      name: "run --log",
      arguments: ["run", "long.yml", "-o", "results.h5", "--log", "disk/out.log"],
      output: "disk/out.log"),
    Case(
      name: "convert to a trace",
      arguments: ["convert", "long.csv", "-o", "disk/out.h5"] + Workbench.map,
      output: "disk/out.h5"),
    Case(
      name: "convert to CSV", arguments: ["convert", "long.h5", "-o", "disk/out.csv"],
      output: "disk/out.csv"),
    Case(
      name: "convert to a folder",
      arguments: ["convert", "long.csv", "-o", "disk", "--split-by", "who", "--id", "out"]
        + Workbench.map, output: "disk/out-p0.h5"),
    Case(
      name: "export", arguments: ["export", "long.h5", "-o", "disk/out.trace"],
      output: "disk/out.trace"),
    Case(
      name: "synth", arguments: ["synth", "punches", "-o", "disk/out.h5"], output: "disk/out.h5"),
    Case(
      name: "resample", arguments: ["resample", "long.h5", "--rate", "25Hz", "-o", "disk/out.h5"],
      output: "disk/out.h5"),
    Case(
      name: "trim", arguments: ["trim", "long.h5", "--from", "0s", "-o", "disk/out.h5"],
      output: "disk/out.h5"),
    Case(
      name: "anonymize", arguments: ["anonymize", "long.h5", "-o", "disk/out.h5"],
      output: "disk/out.h5"),
    Case(
      name: "replay --timing",
      arguments: ["replay", "long.h5", "--rate", "32x", "--duration", "8s"]
        + ["--timing", "disk/out.txt"], output: "disk/out.txt", isPrinting: true),
    Case(
      name: "bench --timing",
      arguments: ["bench", "made.h5", "--devices", "2", "--duration", "200ms"]
        + ["--timing", "disk/out.txt"], output: "disk/out.txt",
      input: ["synth", "punches", "--duration", "10s", "-o", "made.h5", "--quiet"], isPrinting: true
    ),
    tune(["-o", "disk/out.json"], output: "disk/out.json"),
    tune(["--results", "disk/out.h5"], output: "disk/out.h5"),
  ]

  /// In the quick run one for each way to write.
  static var quickCases: [Case] {
    LongTests.areWanted
      ? cases
      : cases.filter {
        ["run --log", "convert to a folder", "trim", "replay --timing", "tune -o"]
          .contains($0.name)
      }
  }

  private static func tune(_ options: [String], output: String) -> Case {
    Case(
      name: "tune \(options[0])",
      arguments: [
        "tune", "made.h5", "--detector", "punch", "--gravity-filter", "lowpass", "--confidence",
        "0.5",
      ]
        + ["--allow-few-groups", "--resamples", "100", "--no-cache"] + options, output: output,
      input: ["synth", "punches", "--duration", "60s", "-o", "made.h5", "--quiet"])
  }

  /// A disk of the process's own: a name space in which even an ordinary user may mount.
  private static let ownMounts = ["unshare", "--map-root-user", "--mount"]
  static let canMount: Bool = {
    guard let bench = try? Workbench() else { return false }
    let mount = "mkdir disk && mount -t tmpfs -o size=16k tmpfs disk"
    return (try? bench.shell(mount, wrapper: ownMounts))?.status == 0
  }()

  private func bench(for row: Case) throws -> Workbench {
    let bench = try Workbench()
    if let input = row.input {
      try #require(try Program.run(input, in: bench.scratch.url).status == 0)
    }
    return bench
  }

  /// The commands in a script: its status, what is on the disk before and after, and the old file.
  private func check(_ row: Case, prepare: String, wrapper: [String]) throws {
    let bench = try bench(for: row)
    let command = row.arguments.map { "'\($0)'" }.joined(separator: " ")
    let outcome = try bench.shell(
      """
      set -e; mkdir -p disk; \(prepare)
      set +e; ls -A disk >before; cp \(row.output) was 2>/dev/null
      "$0" \(command) --force --quiet\(row.isPrinting ? " >/dev/null" : ""); echo "status $?"
      ls -A disk >after; cmp -s \(row.output) was && echo intact; cmp -s before after && echo same
      test -e results.h5 && echo results; true
      """, wrapper: wrapper)
    #expect(outcome.output == "status 74\nintact\nsame\n", "\(outcome.output) \(outcome.errors)")
    #expect(outcome.errors.contains("error: \(row.output)"), "\(outcome.errors)")
  }

  @Test(.enabled(if: canMount, "this machine lets no test mount a disk"), arguments: cases)
  func fullDisk(row: Case) throws {
    // Room for the old file and for a few bytes more.
    try check(
      row,
      prepare: """
        mount -t tmpfs -o size=12k tmpfs disk; echo precious >\(row.output)
        head -c 4096 </dev/zero >disk/filler
        """, wrapper: Self.ownMounts)
  }

  @Test(
    .longer, .enabled(if: canMount, "this machine lets no test mount a disk"), arguments: quickCases
  )
  func readOnlyDisk(row: Case) throws {
    try check(
      row,
      prepare: """
        mount -t tmpfs -o size=1m tmpfs disk; echo precious >\(row.output)
        mount -o remount,ro disk
        """, wrapper: Self.ownMounts)
  }

  /// The limit stands for a disk that is full for one file.
  @Test(.longer, arguments: quickCases)
  func limitOfFileSize(row: Case) throws {
    try check(row, prepare: "echo precious >\(row.output); ulimit -f 4", wrapper: [])
  }

  /// Root may write anywhere, so root runs the command as another user.
  private static let asSomebody =
    geteuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
  static let canBeSomebody: Bool = {
    guard let bench = try? Workbench(), let id = try? bench.shell("id -u", wrapper: asSomebody)
    else { return false }
    let version = try? bench.shell("\"$0\" --version", wrapper: asSomebody)
    return id.status == 0 && id.output != "0\n" && version?.status == 0
  }()

  @Test(
    .longer,
    .enabled(if: canBeSomebody, "root on this machine cannot run the program as somebody else"),
    arguments: quickCases,
    ["chmod 0555 disk", "chmod 0444 disk/*; chmod 0555 disk", "chmod 0444 disk/*"])
  func noPermission(row: Case, change: String) throws {
    // As the other user from the beginning, in a folder of that user's.
    let bench = try bench(for: row)
    let command = row.arguments.map { "'\($0)'" }.joined(separator: " ")
    if geteuid() == 0 { #expect(chown(bench.scratch.url.path, 65534, 65534) == 0) }
    let outcome = try bench.shell(
      """
      mkdir disk; echo precious >\(row.output); \(change)
      "$0" \(command) --force --quiet\(row.isPrinting ? " >/dev/null" : ""); echo "status $?"
      ls -A disk; cat \(row.output); test -e results.h5 && echo results; chmod -R u+w disk
      """, wrapper: Self.asSomebody)
    let name = row.output.dropFirst("disk/".count)
    #expect(outcome.output == "status 74\n\(name)\nprecious\n", "\(outcome.errors)")
    #expect(outcome.errors.contains("error: \(row.output)"), "\(outcome.errors)")
  }

  @Test(arguments: [
    "run long.yml -o out.h5", "info long.h5", "info --detectors", "replay long.h5 --quiet",
    "info long.h5 --format json",
  ])
  func standardOutputIsFull(arguments: String) throws {
    let bench = try Workbench()
    let outcome = try bench.shell("\"$0\" \(arguments) >/dev/full")
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("standard output: No space left on device"))
    #expect(bench.partialFiles.isEmpty)
  }

  /// The folder goes between two of its files; again, where the shell was too late for that.
  @Test func folderThatVanishes() throws {
    let bench = try Workbench()
    let outcome = try bench.shell(
      """
      for attempt in $(seq 50); do
        rm -rf parts elsewhere
        "$0" convert long.csv -o parts --split-by who --id p --quiet \
          \(Workbench.map.map { "'\($0)'" }.joined(separator: " ")) &
        until test -e parts/p-p3.h5 || ! kill -0 $! 2>/dev/null; do :; done
        mv parts elsewhere; wait $!; status=$?
        test $status = 0 || break
      done
      echo "status $status"
      """)
    #expect(outcome.output == "status 74\n", "\(outcome.errors)")
    #expect(outcome.errors.contains("error: parts/p-p"))
    // The second one, where HDF5 is creating a file at that moment.
    #expect(
      ["No such file or directory", "check that the folder exists"]
        .contains { outcome.errors.contains($0) }, "\(outcome.errors)")
  }

  /// What does not fit into memory goes to a temporary file, and where none can be made it is not the
  /// recording that is damaged.
  @Test(.longer, .longRun) func noPlaceForTemporaryFiles() throws {
    let bench = try Workbench()
    let rows = "BEGIN { print \"t,x,y,z\"; for (i = 0; i < 1300000; i++) print i / 100 \",1,2,3\" }"
    let outcome = try bench.shell(
      """
      awk '\(rows)' >big.csv
      TMPDIR=/nonexistent "$0" convert big.csv -o out.h5 \
        --map time=t,x=x,y=y,z=z --gravity removed
      """)
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("/nonexistent") && outcome.errors.contains("TMPDIR"))
    #expect(!bench.scratch.names.contains("out.h5"))
  }
}
