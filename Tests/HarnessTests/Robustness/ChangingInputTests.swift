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
