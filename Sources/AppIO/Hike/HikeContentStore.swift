import Files
import Foundation
import HikeApp
public import TraceModel

/// The content on the phone: the newest one in a file, and the one bundled with the app.
public struct HikeContentStore: Sendable {
  public let path: String
  private let bundled: [UInt8]
  private let verifiesChecksum: Bool

  /// - Parameters:
  ///   - path: the path of the downloaded content, which may be missing.
  ///   - bundled: the content bundled with the app.
  ///   - verifiesChecksum: whether a content without its checksum counts as damaged.
  public init(path: String, bundled: [UInt8], verifiesChecksum: Bool = true) {
    (self.path, self.bundled, self.verifiesChecksum) = (path, bundled, verifiesChecksum)
  }

  public struct Opened: Sendable {
    public var file: HikeContentFile
    /// A notice for the user if the file was damaged, with its new path; nil = none.
    public var notice: String?
  }

  /// Returns the newest content. A damaged file is renamed if possible, and the bundled content is
  /// used.
  /// - Throws: if the file cannot be read, or the bundled content is damaged.
  public func open() throws(TraceError) -> Opened {
    guard FileManager.default.fileExists(atPath: path) else {
      return Opened(file: try bundledFile(), notice: nil)
    }
    // One byte beyond the limit is enough for the reader to refuse it.
    let bytes = try StateFilePaths(path).contents(of: path, limit: HikeContentReader.sizeLimit + 1)
    do throws(TraceError) {
      return Opened(file: try verified(bytes, name: path), notice: nil)
    } catch {
      return Opened(
        file: try bundledFile(),
        notice: "\(error.description); \(setAside()) and used the content of the app")
    }
  }

  /// Replaces the file atomically.
  /// - Throws: also if the bytes are not valid content; then the file is unchanged.
  public func replace(with bytes: [UInt8]) throws(TraceError) {
    _ = try verified(bytes, name: "the new content")
    try AtomicFile.write(bytes, to: StateFilePaths(path).newest)
  }

  /// Renames the damaged file and returns a description.
  private func setAside() -> String {
    do throws(TraceError) {
      return "kept it as \(try StateFilePaths.setAside(StateFilePaths(path).newest))"
    } catch { return "could not rename it (\(error.description))" }
  }

  private func bundledFile() throws(TraceError) -> HikeContentFile {
    try HikeContentReader.read(bundled, name: "the content of the app")
  }

  private func verified(_ bytes: [UInt8], name: String) throws(TraceError) -> HikeContentFile {
    let file = try HikeContentReader.read(bytes, name: name)
    guard file.isVerified || !verifiesChecksum else {
      throw TraceError(
        place: name, expected: "profiles whose MD5 is the version \(file.content.version)",
        found: file.checksum, remedy: "the content was changed or damaged; download it again")
    }
    return file
  }
}
