import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// A folder with a trace, a suite and the program of its detector.
struct ExecBench {
  let scratch: Scratch

  /// The shell commands that send the hello.
  static let hello =
    #"printf 'shadowbox-detector/1\nname x\nchannel user_acceleration\ntask punch\nready\n'"#

  /// - Parameter script: the shell script of the program `./child`.
  init(_ script: String) throws {
    scratch = try Scratch()
    try Self.files.copy(to: scratch)
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {all: [t.h5]}
      entries:
        - {name: child, detector: "exec:./child", traces: all}
      """, to: "s.yml")
    try scratch.write("#!/bin/sh\n\(script)\n", to: "child", permissions: 0o755)
  }

  private static let files = MadeFiles { try NativeTrace.write(trace, to: $0.path("t.h5")) }

  /// A trace that exceeds a pipe's buffer: 20,000 samples with a punch every half second.
  static var trace: Trace {
    var trace = Trace(header: TraceHeader(id: "t", origin: .synthetic))
    var columns = VectorColumns()
    for index in 0..<20_000 {
      let time = Int64(index) * 10_000_000
      columns.append(
        Vector3(x: index % 50 < 3 ? 60 : 0.1, y: 0.2, z: -0.3), measured: time, arrived: time)
    }
    trace.set(.vector(columns), for: .userAcceleration)
    trace.header.references = [ReferenceSet(task: .punch, events: [])]
    trace.header.end = TraceInstant(nanoseconds: 200_000_000_000)
    return trace
  }

  func run(_ arguments: [String] = []) throws -> Program.Outcome {
    try Program.run(
      ["run", "s.yml", "-o", "out/results.h5", "--no-progress"] + arguments, in: scratch.url)
  }

  /// The processes in the folder: the program and its children.
  var processes: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let folder = scratch.url.resolvingSymlinksInPath().path
    return names.filter { name in
      guard Int32(name) != nil else { return false }
      let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/cwd")
      return place == folder
    }
  }
}

/// Returns whether a program is in PATH. `make test` installs those that the tests need.
func requireProgram(_ name: String) throws {
  let outcome = try Program.launch(
    "sh", ["-c", "command -v \"$0\"", name], in: FileManager.default.temporaryDirectory)
  try #require(outcome.status == 0, "\(name) is not there; make test installs it")
}
