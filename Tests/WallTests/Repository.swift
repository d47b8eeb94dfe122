import Foundation

/// The sources of this package.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  struct Source {
    /// The path relative to `Sources`, e.g. `TraceModel/Channel.swift`.
    var path: String
    var text: String
  }

  /// Returns the Swift files of a target, or of all targets, by path; none if there is no such folder.
  static func sources(of target: String = "") throws -> [Source] {
    let folder = root.appending(path: "Sources")
    let files = FileManager.default.enumerator(atPath: folder.appending(path: target).path)
    let names = files?.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") } ?? []
    return try names.sorted().map { name in
      let path = target.isEmpty ? name : target + "/" + name
      return Source(
        path: path, text: try String(contentsOf: folder.appending(path: path), encoding: .utf8))
    }
  }
}

/// The result of a child process.
struct ProcessResult {
  var status: Int32
  /// Standard output and standard error combined.
  var output: String
}

/// Runs a program in PATH and waits for its end.
func run(
  _ arguments: [String], in folder: URL, environment: [String: String] = [:]
) throws -> ProcessResult {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = arguments
  process.currentDirectoryURL = folder
  process.environment = ProcessInfo.processInfo.environment
    .merging(environment) { _, new in new }
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return ProcessResult(
    status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
}
