private import Files
private import Foundation
private import HDF5
public import TraceModel

/// Shadowbox's own trace files: HDF5 as `traces/FORMAT.md` specifies it.
///
/// ```swift
/// try NativeTrace.write(trace, to: "walk.h5")
/// let header = try NativeTrace.readHeader("walk.h5")
/// ```
public enum NativeTrace {
  /// Writes a trace. The file appears when it is complete; a file of that name is replaced.
  ///
  /// Equal traces give equal bytes (with the same versions of HDF5 and zlib).
  /// - Throws: kind `.inputOutput` where the file cannot be written, `.badData` if the trace has
  ///   content that the format cannot store (see `traces/FORMAT.md`, "What a writer refuses").
  public static func write(_ trace: Trace, to path: String) throws(TraceError) {
    try write(MemorySource(trace), to: path)
  }

  /// Writes what a source yields, in memory that does not grow with the trace.
  /// - Throws: also what `source` throws, and kind `.badData` where it yields another number of
  ///   readings than its header states.
  public static func write(_ source: some TraceSource, to path: String) throws(TraceError) {
    try NativeWriter(path: path).write(source)
    guard ReadingSpool.bytes(of: source.header) > ReaderBudget.freeReadingBytes else { return }
    let written = try open(path)
    // Readers take readings that pack too well for a bomb.
    do throws(TraceError) { try written.requireBudget() } catch {
      try NativeWriter(path: path, isPacked: false).write(written)
    }
  }

  /// Reads a trace whole.
  /// - Throws: kind `.inputOutput` where the file cannot be read, `.badData` where it is not a
  ///   native trace or is damaged.
  public static func read(_ path: String) throws(TraceError) -> Trace {
    var unread: [String] = []
    return try read(path, unread: &unread)
  }

  /// Reads a whole trace, and reports what is lost.
  /// - Parameter unread: is set to the content of the file that the trace does not have: paths
  ///   within the file (`/touch`, `/acceleration/extra`), sorted.
  /// - Throws: as ``read(_:)``.
  public static func read(_ path: String, unread: inout [String]) throws(TraceError) -> Trace {
    let source = try open(path)
    unread = source.unread
    return try source.wholeTrace()
  }

  /// Opens a trace to read it a block at a time.
  public static func open(_ path: String) throws(TraceError) -> NativeTraceSource {
    try NativeTraceSource(path: path)
  }

  public static func readHeader(_ path: String) throws(TraceError) -> TraceHeader {
    try open(path).header
  }

  /// Whether the file begins like HDF5, so that only this reader can read it.
  ///
  /// HDF5 files of another kind, and damaged ones, count: ``open(_:)`` reports what is wrong with
  /// them.
  public static func isNative(_ path: String) -> Bool { begins(path, with: signature) }

  /// Whether a file is the text that Git LFS has in the place of one that is not fetched.
  static func isPointer(_ path: String) -> Bool {
    begins(path, with: Array("version https://git-lfs.github.com/spec/".utf8))
  }

  private static func begins(_ path: String, with bytes: [UInt8]) -> Bool {
    guard let file = fopen(path, "rb") else { return false }
    defer { fclose(file) }
    var start = [UInt8](repeating: 0, count: bytes.count)
    return fread(&start, 1, start.count, file) == start.count && start == bytes
  }

  /// HDF5 File Format Specification, "Superblock".
  static let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
}

/// A native trace that is read a block at a time.
///
/// Memory grows with the size of the blocks and with the references, not with the recording. Not
/// safe for use by two threads at once.
public final class NativeTraceSource: TraceSource {
  public let header: TraceHeader
  /// The content of the file that is not read, as sorted paths within it (`/touch`,
  /// `/acceleration/extra`).
  public let unread: [String]
  private var channels: [Channel: ChannelReader]
  private let path: String

  init(path: String) throws(TraceError) {
    self.path = path
    let contents = try NativeContents(path: path)
    header = contents.header
    unread = contents.unread.sorted()
    channels = contents.channels
  }

  public func nextBlock(of channel: Channel, limit: Int) throws(TraceError) -> ChannelBlock? {
    try channels[channel]?.nextBlock(limit: max(limit, 1))
  }

  /// - Throws: if the readings take more memory than a file of this size may.
  func requireBudget() throws(TraceError) {
    try ReaderBudget.requireUnpacked(
      ReadingSpool.bytes(of: header), from: TracePath.size(of: path),
      each: ReaderBudget.readingsForEach, free: ReaderBudget.freeReadingBytes, path,
      remedy: ReaderBudget.repack)
  }

  /// Returns the trace from its start, whatever blocks were read.
  func wholeTrace() throws(TraceError) -> Trace {
    try requireBudget()
    var trace = Trace(header: header)
    for info in header.channels {
      guard let reader = channels[info.channel] else { continue }
      trace.set(try reader.block(0..<reader.count), for: info.channel, attributes: info.attributes)
    }
    return trace
  }
}
