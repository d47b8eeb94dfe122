import Diagnostics
import Files
import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

@testable import Harness

/// What is read may change, vanish or be no file; a command says so, or reads one state of it.
@Suite struct ChangingInputTests {
  /// Something writes as fast as it can while the file is read: the reading ends. Where it did not
  /// get to write in that time the file was good, and is read again.
  @Test func aFileThatGrowsForEver() throws {
    let bench = try Workbench()
    let outcome = try bench.shell(
      """
      touch go; (while test -e go; do echo 300,1,2,3,p; done >>long.csv) &
      size=$(stat -c %s long.csv); until test $(stat -c %s long.csv) -gt $size; do :; done
      for attempt in $(seq 50); do
        rm -f out.h5; "$0" convert long.csv -o out.h5 --quiet \(quotedMap); status=$?
        test $status = 0 || break
      done
      echo "status $status"; rm go; wait
      """)
    #expect(outcome.output == "status 74\n")
    #expect(
      outcome.errors.contains(
        "error: long.csv: expected a file that does not change while it is read"))
    #expect(bench.partialFiles.isEmpty)
    #expect(!bench.scratch.names.contains("out.h5"))
  }

  private var quotedMap: String { Workbench.map.map { "'\($0)'" }.joined(separator: " ") }

  struct Change: Sendable, CustomTestStringConvertible {
    var name: String
    /// nil = what was read is good.
    var message: String?
    var make: @Sendable (URL) throws -> Void
    var testDescription: String { name }
  }

  static let changes = [
    Change(name: "nothing", message: nil) { _ in },
    Change(name: "removed", message: "it was removed while it was read") {
      try FileManager.default.removeItem(at: $0)
    },
    Change(name: "replaced", message: "it was changed while it was read") {
      try Data("other".utf8).write(to: $0, options: .atomic)
    },
    Change(name: "grown", message: "it was changed while it was read") {
      let handle = try FileHandle(forWritingTo: $0)
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("more".utf8))
      try handle.close()
    },
    Change(name: "cut", message: "it was changed while it was read") {
      let handle = try FileHandle(forWritingTo: $0)
      try handle.truncate(atOffset: 1)
      try handle.close()
    },
  ]

  @Test(arguments: changes, [true, false])
  func aFileThatChanges(change: Change, isReadable: Bool) throws {
    let scratch = try Scratch()
    try scratch.write("text", to: "a.h5")
    let path = scratch.path("a.h5")
    do {
      try SteadyFile.reading(path) {
        try change.make(scratch.url.appending(path: "a.h5"))
        if !isReadable { throw Failure(.badData, "no trace") }
      }
      #expect(change.message == nil && isReadable)
    } catch let error as Failure {
      let expected = change.message ?? "no trace"
      #expect(error.description.contains(expected))
      #expect(error.kind == (change.message == nil ? .badData : .fileError))
    }
  }

  @Test func aFileThatIsNotThereIsToldByItsReader() {
    #expect(throws: CancellationError.self) {
      try SteadyFile.reading("nowhere") { throw CancellationError() }
    }
  }

  /// A trace that is replaced by another again and again: one of the two, or a message.
  @Test func aTraceThatIsReplacedWhileASuiteRuns() throws {
    let bench = try Workbench()
    let outcome = try bench.shell(
      """
      cp long.h5 one.h5; cp short.h5 other.h5
      (while :; do cp one.h5 x && mv x long.h5; cp other.h5 x && mv x long.h5; done) & writer=$!
      for i in 1 2 3 4 5 6 7 8; do "$0" run long.yml -o out.h5 --quiet >/dev/null; echo $?; done
      kill -9 $writer
      """)
    let statuses = outcome.output.split(separator: "\n")
    #expect(statuses.count == 8)
    #expect(statuses.allSatisfy { $0 == "0" || $0 == "74" }, "\(outcome.errors)")
    let messages = outcome.errors.split(separator: "\n").filter { $0.contains("error: ") }
    #expect(messages.allSatisfy { $0.contains("it was changed while it was read") })
    #expect(bench.partialFiles.isEmpty)
  }

  @Test func pipesAreReadWhereThatMakesSense() throws {
    let bench = try Workbench()
    let fromFile = try bench.shell("\"$0\" convert short.csv -o file.h5 --id a \(quotedMap)")
    #expect(fromFile.status == 0, "\(fromFile.errors)")
    for script in [
      "\"$0\" convert /dev/stdin --from csv -o pipe.h5 --id a \(quotedMap) <short.csv",
      "cat short.csv | \"$0\" convert /dev/stdin --from csv -o pipe.h5 --id a \(quotedMap)",
      "mkfifo f.csv; cat short.csv >f.csv & \"$0\" convert f.csv -o pipe.h5 --id a \(quotedMap)",
    ] {
      let outcome = try bench.shell(script)
      #expect(outcome.status == 0, "\(script): \(outcome.errors)")
      let readings = try ["pipe.h5", "file.h5"].map { try NativeTrace.read(bench.scratch.path($0)) }
      #expect(readings[0][.userAcceleration] == readings[1][.userAcceleration], "\(script)")
    }
    let suite = try bench.shell("cat short.yml | \"$0\" run /dev/stdin -o out.h5")
    // Traces are next to the suite, and there are none next to /dev/stdin.
    #expect(suite.status == 74)
    #expect(suite.errors.contains("no file matches short.h5"))
  }

  /// HDF5 goes back and forth in a file; to wait for a pipe would be a hang.
  @Test(arguments: [
    "info f.h5", "replay f.h5", "convert f.h5 -o out.h5", "sweep f.h5", "sweep folder",
    "tune folder --allow-few-groups --no-cache", "run folder -o r.h5", "validate folder",
    "score --reference f.h5 --detections f.h5",
  ])
  func pipesAreToldWhereItDoesNot(arguments: String) throws {
    let bench = try Workbench()
    let outcome = try bench.shell(
      "mkfifo f.h5; mkdir folder; mkfifo folder/f.h5; timeout 20 \"$0\" \(arguments)")
    #expect(outcome.status == 74, "\(outcome.errors)")
    #expect(
      (outcome.output + outcome.errors).lowercased().contains(
        "expected a regular file, found a pipe"))
  }

  /// Each file that a command line names: nothing is waited for.
  @Test func irregularFilesAreNotWaitedFor() throws {
    let bench = try Workbench()
    let commands = [
      "compare p.h5 r.h5", "compare r.h5 s.h5", "rerun p.h5", "report p.h5", "export p.h5 -o x.xml",
      "report r.h5 --module p.wasm -o x.html", "gate --base-results p.h5 --head-results r.h5",
      "gate short.yml --base-suite p.yml", "gate short.h5 --base-parameters p.json", "run p.yml",
      "run short.h5 --parameters p.json", "run short.h5 --profile p.json", "info d.h5",
      "history add p.h5 --history h.sqlite", "history import p.jsonl --history h.sqlite",
      "score --reference p.csv --detections l.csv", "score --reference l.csv --detections p.csv",
      "score --reference l.csv --detections l.csv --ignore p.csv", "rerun d.h5",
      "score --reference l.csv --detections l.csv --files p.csv", "run link.yml",
      "synth p.yml -o out",
      "plan --from p.json --false-alarms 1", "plan --from p.h5 --false-alarms 1",
      "convert short.h5 --reference p.csv -o x.h5", "convert p.fit --from gpsbabel -o x.h5",
    ]
    let made = try bench.shell(
      """
      "$0" run short.h5 -o r.h5 -q >r.txt; printf 'onset\n1\n' >l.csv
      mkfifo p.h5 p.yml p.csv p.json p.jsonl p.wasm p.fit; ln -s p.yml link.yml; ln -s /dev/zero d.h5
      "${SHADOWBOX_PYTHON:-python3}" -c 'import socket; socket.socket(socket.AF_UNIX).bind("s.h5")'
      i=0; while read -r words; do i=$((i+1))
        { timeout 60 "$0" $words </dev/null >/dev/null 2>$i.txt; echo $? >>$i.txt; } &
      done <<'END'
      \(commands.joined(separator: "\n"))
      END
      wait
      """)
    #expect(made.status == 0, "\(made.errors)")
    for (index, command) in commands.enumerated() {
      let text = try bench.scratch.text(of: "\(index + 1).txt")
      #expect(text.contains("expected a regular file, found a "), "\(command): \(text)")
      #expect(text.hasSuffix("\n74\n"), "\(command): \(text)")
    }
  }

  /// A pipe that another program has opened is read, to its end.
  @Test func processSubstitutionsAreRead() throws {
    let bench = try Workbench()
    try bench.scratch.write(
      """
      "$0" convert short.h5 --reference <(printf 'onset\n1\n') -o x.h5 || echo convert
      "$0" plan --recall 0.8 --origin synthetic \
        --from <("$0" run short.h5 --format json -q -o r.h5) 2>&1 |
        grep -q 'expected references, found none' || echo plan
      mkfifo p.yml; cat short.yml >p.yml & "$0" run /dev/stdin -o x.h5 <p.yml 2>&1 |
        grep -q 'no file matches short.h5' || echo run
      echo end
      """, to: "script")
    let outcome = try bench.shell("timeout 60 bash -c \"$(cat script)\" \"$0\" | grep -x '[a-z]*'")
    #expect(outcome.output == "end\n", "\(outcome.errors)")
  }

  /// Each command that takes a folder leaves out and names what is no file.
  @Test(arguments: [
    "info d", "validate d", "convert d -o out", "run d -o r.h5", "replay d", "sweep d",
    "export d -o out",
  ])
  func irregularFilesInFoldersAreSkipped(arguments: String) throws {
    let bench = try Workbench()
    let outcome = try bench.shell(
      "mkdir d; cp short.h5 d; mkfifo d/p.h5; ln -s /dev/zero d/z.h5; \"$0\" \(arguments)")
    #expect([0, 65].contains(outcome.status), "\(outcome.errors)")
    #expect(outcome.errors.contains("skipped"), "\(outcome.errors)")
    #expect(outcome.errors.contains("d/p.h5") && outcome.errors.contains("d/z.h5"))
  }

  /// Without an end there is no record either.
  @Test(arguments: [
    "convert /dev/zero --from csv", "convert /dev/zero --from gpx", "run /dev/zero",
  ])
  func endlessFiles(arguments: String) throws {
    let bench = try Workbench()
    let map = arguments.hasSuffix("csv") ? quotedMap : ""
    let outcome = try bench.shell("ulimit -v 4000000; \"$0\" \(arguments) -o out.h5 \(map)")
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("error: /dev/zero"))
  }
}
