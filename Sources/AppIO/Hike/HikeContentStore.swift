import Apps
import Foundation
import TraceFormats
public import TraceModel

/// The content on the phone: the newest one in a file, and the one that came with the app.
public struct HikeContentStore: Sendable {
  public let path: String
  private let bundled: [UInt8]
  private let verifiesChecksum: Bool

  /// - Parameters:
  ///   - path: of the downloaded content, which need not be there.
  ///   - bundled: the content that came with the app.
  ///   - verifiesChecksum: whether a content without its checksum counts as damaged.
  public init(path: String, bundled: [UInt8], verifiesChecksum: Bool = true) {
    self.path = path
    self.bundled = bundled
    self.verifiesChecksum = verifiesChecksum
  }

  public struct Opened: Sendable {
    public var file: HikeContentFile
    /// What a person should know: that the file was damaged, and where it lies now. nil = nothing.
    public var notice: String?
  }

  /// The newest content. A file that is damaged is set aside where that can be done, and the
  /// bundled content taken.
  /// - Throws: where the file cannot be read, or the bundled content is damaged.
  public func open() throws(TraceError) -> Opened {
    guard FileManager.default.fileExists(atPath: path) else {
      return Opened(file: try bundledFile(), notice: nil)
    }
    let bytes = try contents()
    do throws(TraceError) {
      return Opened(file: try verified(bytes, name: path), notice: nil)
    } catch {
      return Opened(
        file: try bundledFile(),
        notice: "\(error.description); \(setAside()) and took the content of the app")
    }
  }

  /// Puts a content in the file's place, at once and as a whole.
  /// - Throws: also where the bytes are no content; the file is then as it was.
  public func replace(with bytes: [UInt8]) throws(TraceError) {
    _ = try verified(bytes, name: "the new content")
    let file = try AtomicFile(path: path)
    try file.write(bytes: bytes)
    try file.commit()
  }

  /// What became of the damaged file, in words.
  private func setAside() -> String {
    do throws(TraceError) {
      return "kept it as \(try DamagedFile.setAside(path))"
    } catch { return "left it in its place (\(error.description))" }
  }

  private func bundledFile() throws(TraceError) -> HikeContentFile {
    try HikeContentReader.read(bundled, name: "the content of the app")
  }

  private func verified(_ bytes: [UInt8], name: String) throws(TraceError) -> HikeContentFile {
    let file = try HikeContentReader.read(bytes, name: name)
    guard file.isVerified || !verifiesChecksum else {
      throw TraceError(
        place: name, expected: "profiles whose MD5 is the version \(file.content.version)",
        found: file.checksum, remedy: "the content was changed or damaged; get it again")
    }
    return file
  }

  private func contents() throws(TraceError) -> [UInt8] {
    do {
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw TraceError(
        .inputOutput, place: path, expected: "to read the content",
        found: "\(error.localizedDescription)")
    }
  }
}
