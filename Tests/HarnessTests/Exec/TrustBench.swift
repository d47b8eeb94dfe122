import Foundation
import HDF5
import TestSupport
import TraceModel
@testable import TraceFormats

/// A folder with a trace, a suite of two programs that leave the file `started`, and their results.
struct TrustBench {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Self.files.copy(to: scratch)
    try Self.writeProgram(to: scratch)
  }

  private static let files = MadeFiles { scratch in
    try Workbench().scratch.bytes(of: "short.h5")
      .write(to: scratch.url.appending(path: "short.h5"))
    var other = try NativeTrace.read(scratch.path("short.h5"))
    other.header.id = "exec:./child"
    other.header.subject = "exec:./child"
    other.header.references[0].definition = "exec:./child"
    try NativeTrace.write(other, to: scratch.path("other.h5"))
    try writeProgram(to: scratch)
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {all: [short.h5], other: [other.h5]}
      entries:
        - {name: one, detector: "exec:./child", traces: all}
        - {name: two, detector: "exec:./child \u{202E}again", traces: other}
      """, to: "s.yml")
    let run = try Program.run(
      ["run", "s.yml", "-o", "r.h5", "--format", "json"], in: scratch.url)
    try scratch.write(run.output, to: "r.json")
    try FileManager.default.removeItem(atPath: scratch.path("started"))
  }

  private static func writeProgram(to scratch: Scratch) throws {
    try scratch.write(
      """
      #!/bin/sh
      : > started
      \(ExecBench.hello)
      while read -r word rest; do if [ "$word" = end ]; then echo done; fi; done
      """, to: "child", permissions: 0o755)
  }

  func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch.url)
  }

  var hasStarted: Bool { scratch.names.contains("started") }
}
