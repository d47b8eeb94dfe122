import Foundation

/// The progress of a worker, in a file that it shares with its supervisor, so that its last state
/// is known however it ends.
struct Progress: Equatable {
  /// The case that is being read; -1 = none yet.
  var number: Int64 = -1
  /// Bytes of all cases before it.
  var bytes: Int64 = 0
  /// Cases that were read without an error.
  var accepted: Int64 = 0
  var refused: Int64 = 0
  /// Refused files on which the process that reads native traces crashed.
  var libraryFailures: Int64 = 0
  /// The origin of a deadly signal, set by its handler: see ``Blame``.
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

/// The code in which a process crashed.
enum Blame: Int64 {
  case unknown = 0
  case library = 1
  case project = 2
}
