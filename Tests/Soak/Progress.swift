import Foundation

/// How far a worker has come, in a file that it shares with its supervisor: what it did last is there
/// however it ends.
struct Progress: Equatable {
  /// The case that is being read; -1 = none yet.
  var number: Int64 = -1
  /// Bytes of all cases before it.
  var bytes: Int64 = 0
  /// Cases that were read without an error.
  var accepted: Int64 = 0
  var refused: Int64 = 0
  /// Of the refused ones those on which the process died that reads native traces.
  var libraryFailures: Int64 = 0
  /// Set by the handler of a deadly signal: see ``Blame``.
  var blame: Int64 = 0

  init() {}

  init?(contentsOf path: String) {
    guard let data = FileManager.default.contents(atPath: path), data.count >= Self.size else {
      return nil
    }
    withUnsafeMutableBytes(of: &self) { $0.copyBytes(from: data.prefix(Self.size)) }
  }

  static let size = MemoryLayout<Progress>.size

  func write(to descriptor: Int32) {
    _ = withUnsafeBytes(of: self) { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }
}

/// In whose code a process died.
enum Blame: Int64 {
  case unknown = 0
  case library = 1
  case project = 2
}
