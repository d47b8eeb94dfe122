import Foundation
import PackedFiles
import TraceModel

@testable import TraceFormats

/// Files of a recording, made for one test.
struct RecordingFolder: ~Copyable {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  func path(_ name: String) -> String { "\(directory.path)/\(name)" }

  /// Writes one file, and the folders on the way to it; returns its path.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let url = URL(filePath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return path(name)
  }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes the files into a folder `name`; returns its path.
  func write(_ files: [(String, String)], in name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
    for (file, text) in files { try write(text, to: "\(name)/\(file)") }
    return path(name)
  }

  /// Returns the error's text without the folder, which differs between runs.
  func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)".replacing("\(directory.path)/", with: "")
    }
  }
}

/// All bytes of a source.
func rest(_ source: consuming ByteSource) throws(TraceError) -> [UInt8] {
  var bytes: [UInt8] = []
  repeat {
    bytes += source.buffer[source.position..<source.end]
    source.advance(to: source.end)
  } while try source.fill()
  return bytes + source.buffer[source.position..<source.end]
}
