import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// A folder with one of everything that commands read, and shells to run them in.
struct Workbench {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Self.files.copy(to: scratch)
  }

  private static let files = MadeFiles { scratch in
    for (name, count) in [("short", 200), ("long", 20_000)] {
      try NativeTrace.write(trace(name, count), to: scratch.path("\(name).h5"))
      try scratch.write(csv(count), to: "\(name).csv")
      try scratch.write(
        """
        schema: shadowbox-suite/1
        traces: {all: [\(name).h5]}
        entries:
          - {name: punch, detector: punch, traces: all}
          - {name: cards, detector: punch, preset: hitThatCards, traces: all}
        """, to: "\(name).yml")
    }
  }

  static let map = ["--map", "time=t,x=x,y=y,z=z", "--gravity", "removed"]

  /// A blow every half second, so that there is much to detect.
  private static func trace(_ name: String, _ count: Int) -> Trace {
    var trace = Trace(header: TraceHeader(id: name, origin: .synthetic))
    var columns = VectorColumns()
    for index in 0..<count {
      let time = Int64(index) * 10_000_000
      columns.append(
        Vector3(x: index % 50 < 3 ? 60 : 0.1, y: Float(index % 7) / 10, z: 0), measured: time,
        arrived: time)
    }
    trace.set(.vector(columns), for: .userAcceleration)
    trace.header.references = [ReferenceSet(task: .punch, events: [])]
    trace.header.end = TraceInstant(nanoseconds: Int64(count) * 10_000_000)
    return trace
  }

  private static func csv(_ count: Int) -> String {
    "t,x,y,z,who\n"
      + (0..<count).map { "\(Double($0) / 100),\($0 % 17),0.5,9.8,p\($0 / 100)\n" }
      .joined()
  }

  /// Runs a script with the program as `$0`.
  /// - Parameter wrapper: what runs the shell, e.g. as another user.
  func shell(_ script: String, wrapper: [String] = []) throws -> Program.Outcome {
    let command = wrapper + ["sh", "-c", script, Program.executable]
    return try Program.launch(command[0], Array(command.dropFirst()), in: scratch.url)
  }

  /// Partial files in the folder and those below it.
  var partialFiles: [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: scratch.url.path))?
      .filter { $0.hasSuffix(".partial") } ?? []
  }
}
