import Foundation

/// What built the program, and from what.
enum Toolchain {
  static var name: String {
    #if compiler(>=6.4)
      "Swift 6.4 or later"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #else
      "Swift 6.2"
    #endif
  }

  /// The commit that is checked out where the suite lies, with `-dirty` where tracked files differ
  /// from it; empty where there is none.
  static func commit(near path: String) -> String {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return output(of: [
      "git", "-C", folder, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*",
    ])
  }

  /// What a program prints; empty where it cannot be run or fails.
  private static func output(of command: [String]) -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return "" }
    let output = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return "" }
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
