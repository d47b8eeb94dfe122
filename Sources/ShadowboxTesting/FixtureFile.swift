import Diagnostics
import TraceFixtures
public import TraceModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Trace {
  /// Reads a fixture from a file.
  /// - Throws: if the file cannot be read, or is not a whole fixture.
  public init(fixtureAt path: String) throws {
    try self.init(fixture: FixtureFile(path: path).bytes(), name: path)
  }

  /// Reads all fixtures (`*.trace`) of a folder, in the order of their names. For resources of a test
  /// target, the folder is in `Bundle.module.resourcePath`.
  /// - Throws: if the folder cannot be read or has no fixture, or one of them is not whole.
  public static func fixtures(in folder: String) throws -> [Trace] {
    try FixtureFile.names(in: folder).map { try Trace(fixtureAt: folder + "/" + $0) }
  }
}

/// A file that holds a fixture. It is read with the C library, so that no test needs Foundation.
private struct FixtureFile {
  let path: String

  /// In bytes; a day of three axes at 100 Hz has about a third of it.
  private static let largest = 1 << 30
  private static let part = 1 << 20

  private static func error(_ path: String, _ expected: String, _ found: String) -> TraceError {
    TraceError(
      .inputOutput, place: path, expected: expected, found: found,
      remedy: "check the path, and that the test target has the file as a resource")
  }

  private static var reason: String { String(cString: strerror(errno)) }

  func bytes() throws(TraceError) -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw Self.error(path, "a fixture", Self.reason) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: Self.part)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      bytes += buffer.prefix(count)
      guard bytes.count <= Self.largest else {
        throw Self.error(path, "a fixture of at most 1 GiB", "a larger file")
      }
      guard count == buffer.count else { break }
    }
    guard ferror(file) == 0 else { throw Self.error(path, "a fixture", Self.reason) }
    return bytes
  }

  static func names(in folder: String) throws(TraceError) -> [String] {
    guard let stream = opendir(folder) else { throw error(folder, "a folder of fixtures", reason) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".trace"), !name.hasPrefix(".") { names.append(name) }
    }
    guard !names.isEmpty else { throw error(folder, "files *.trace", "none") }
    return names.sorted()
  }
}
