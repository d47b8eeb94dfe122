import Diagnostics
import Foundation
import Synchronization
public import TraceModel

/// Reads native traces in a process of its own.
///
/// A damaged file can make the HDF5 library write or jump anywhere, or request all memory, before any
/// check of this program. So the library runs in a child process with limited memory and time, which
/// hands over the finished trace. If the child crashes, the file is reported as damaged and this
/// program continues.
///
/// The child is this program, if its `main` calls ``isolate()`` first:
///
/// ```swift
/// NativeFile.isolate()
/// let trace = try NativeFile.read("walk.h5")
/// ```
///
/// A program that cannot do this, such as a test, names the installed `shadowbox` in the environment
/// variable `SHADOWBOX_READER`. Without either, the file is read in this process.
public enum NativeFile {
  /// Whether this program answers ``NativeReaderService/argument``.
  private static let isIsolated = Atomic(false)
  private static let idle = Mutex<[NativeReaderProcess]>([])

  /// The default limit: bytes that reading may take in addition to 64 for each byte of the file.
  /// Columns are compressed, constant ones by a large factor.
  public static let memory = 1 << 30

  /// Makes this program read native traces in a child process. Call it first in `main`: in the child
  /// it does not return.
  public static func isolate() { isolate(adding: []) }

  /// Adds readers of other files.
  package static func isolate(adding readers: [NativeReaderService.Reader]) {
    if CommandLine.arguments.dropFirst().elementsEqual([NativeReaderService.argument]) {
      NativeReaderService.run(readers)
    }
    isIsolated.store(true, ordering: .relaxed)
  }

  /// Whether the memory of the child can be limited: the system states how much it uses.
  public static var isBounded: Bool { access("/proc/self/statm", R_OK) == 0 }

  /// - Throws: kind `.badData` if the file is not a native trace or the HDF5 library crashes on it,
  ///   `.inputOutput` if it cannot be read.
  public static func read(_ path: String, memory: Int = memory) throws(TraceError) -> Trace {
    var unread: [String] = []
    return try read(path, unread: &unread, memory: memory)
  }

  /// - Parameters:
  ///   - unread: is set to the paths of the file's content that the trace does not have.
  ///   - memory: bytes that reading may take in addition to 64 for each byte of the file.
  public static func read(
    _ path: String, unread: inout [String], memory: Int = memory
  ) throws(TraceError) -> Trace {
    guard let reader = try reader() else { return try NativeTrace.read(path, unread: &unread) }
    let (trace, names) = try asked(path, reader) { try reader.read(path, memory: memory) }
    unread = names
    return trace
  }

  /// Keeps the process for the next file, unless the answer is an error.
  static func asked<Answer>(
    _ path: String, _ reader: NativeReaderProcess, _ body: () throws -> Answer
  ) throws(TraceError) -> Answer {
    let answer = try converting(path, "an answer of the reading process", body)
    idle.withLock { $0.append(reader) }
    return answer
  }

  /// Runs `body`, and converts errors other than ``TraceError``.
  private static func converting<Result>(
    _ place: String, _ expected: String, _ body: () throws -> Result
  ) throws(TraceError) -> Result {
    do {
      return try body()
    } catch let error as TraceError {
      throw error
    } catch {
      throw TraceError(.inputOutput, place: place, expected: expected, found: "\(error)")
    }
  }

  /// An idle process, or a new one; nil if there is no program that reads.
  static func reader() throws(TraceError) -> NativeReaderProcess? {
    let named = ProcessInfo.processInfo.environment["SHADOWBOX_READER"]
    guard isIsolated.load(ordering: .relaxed) || named?.isEmpty == false else { return nil }
    if let process = idle.withLock({ $0.popLast() }) { return process }
    let program = isIsolated.load(ordering: .relaxed) ? nil : named
    return try converting(
      program ?? "shadowbox", "to start a process that reads HDF5 files"
    ) { try NativeReaderProcess(program: program) }
  }
}
