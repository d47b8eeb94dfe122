package import Foundation
import Testing

/// The built program, run as a person runs it.
package struct Program {
  package struct Outcome: Equatable {
    package var status: Int32
    package var output: String
    package var errors: String
  }

  /// The one that was built with the tests, or, much faster, an optimised one that
  /// `SHADOWBOX_CHECKED_PROGRAM` names, as `make test` sets it.
  package static var executable: String {
    ProcessInfo.processInfo.environment["SHADOWBOX_CHECKED_PROGRAM"] ?? sibling("shadowbox")
  }

  /// A program of this package: it lies beside the test bundle that runs.
  package static func sibling(_ name: String) -> String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
  }

  /// - Parameter fileLimit: the largest file that may be written, in blocks of 512 bytes.
  package static func run(
    _ arguments: [String], in folder: URL, fileLimit: Int? = nil
  ) throws -> Outcome {
    guard let fileLimit else { return try launch(executable, arguments, in: folder) }
    return try launch(
      "sh", ["-c", "ulimit -f \(fileLimit); exec \"$0\" \"$@\"", executable] + arguments, in: folder
    )
  }

  /// The environment of a program that runs in a folder: no test uses the cache of the person who runs
  /// it, or of another test.
  package static func environment(in folder: URL) -> [String: String] {
    ProcessInfo.processInfo.environment.merging(["XDG_CACHE_HOME": cache(of: folder)]) { $1 }
  }

  /// The folder of the caches of the programs that run in a folder: beside that of the test.
  package static func cache(of folder: URL) -> String {
    _ = removesCaches
    let name = "\(folder.standardizedFileURL.path.hashValue.magnitude)"
    return caches.appending(path: name).path
  }

  private static let caches = FileManager.default.temporaryDirectory
    .appending(path: "shadowbox-caches-\(getpid())")
  private static let removesCaches: Void = {
    atexit { try? FileManager.default.removeItem(at: Program.caches) }
  }()

  /// Runs any program, found as a shell finds it, to its end.
  package static func launch(
    _ program: String, _ arguments: [String], in folder: URL
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = folder
    process.environment = environment(in: folder)
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: a pipe that nobody empties would stop the program.
    let streams = try (0..<2).map { _ in
      let url = FileManager.default.temporaryDirectory.appending(path: "stream-\(UUID())")
      try Data().write(to: url)
      return url
    }
    defer { for url in streams { try? FileManager.default.removeItem(at: url) } }
    process.standardOutput = try FileHandle(forWritingTo: streams[0])
    process.standardError = try FileHandle(forWritingTo: streams[1])
    try process.run()
    process.waitUntilExit()
    let texts = try streams.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return Outcome(
      status: process.terminationReason == .exit
        ? process.terminationStatus : -process.terminationStatus,
      output: texts[0], errors: texts[1])
  }
}

extension Program.Outcome {
  /// Decodes the output, which is JSON with keys in snake case.
  package func decoded<Document: Decodable>(_ type: Document.Type) throws -> Document {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(type, from: Data(output.utf8))
  }

  /// The output, which is a JSON object.
  package var object: [String: Any] {
    get throws {
      try #require(
        try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    }
  }
}
