import Digests
import Evaluation
import Files
import Foundation
import Reports
import Scoring
import Synchronization
import TraceModel
import Tuning

/// The results of detectors on recordings, in a folder: a file for each recording and settings. A
/// tuning that was interrupted continues from there, and a repeated one runs nothing.
///
/// A file holds its key and a digest of its content. Files that are damaged, have another key, are
/// links or belong to another user are reported and ignored. The first failure to store a result is
/// reported, and nothing more is stored.
final class FolderCache: TrialCache {
  private static let magic = "shadowbox-cache/3"
  let name: String
  private let limit: Int
  private let report: @Sendable (String) -> Void
  private let hasFailedToStore = Atomic(false)

  /// The largest size in bytes of the files, apart from those of the running command.
  static let defaultLimit = 512 << 20

  /// - Parameters:
  ///   - limit: the size in bytes above which ``trim()`` removes files.
  ///   - report: receives messages.
  init(
    _ folder: String, limit: Int = defaultLimit, report: @escaping @Sendable (String) -> Void
  ) throws {
    name = folder
    self.limit = limit
    self.report = report
    try makeFolder(folder)
    guard access(folder, W_OK) == 0 else {
      throw fileError(
        "\(folder): cannot write to the folder of the cache (\(String(cString: strerror(errno)))); "
          + "choose another with --cache, or none with --no-cache")
    }
    trim()
  }

  /// Removes the files that were used longest ago, until the rest is within the limit. Only those with the
  /// names of results count, which no file of somebody else's has by chance.
  func trim() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: name)) ?? []
    // By lstat: a cache has tens of thousands of files, for which URLs take seconds.
    var files = names.filter { $0.wholeMatch(of: /[0-9a-f]{64}\.(curve|score|onsets)/) != nil }
      .compactMap { file -> (path: String, size: Int, used: timespec)? in
        var facts = stat()
        guard lstat(name + "/" + file, &facts) == 0 else { return nil }
        return (name + "/" + file, Int(facts.st_size), facts.lastChange)
      }
    var size = files.reduce(0) { $0 + $1.size }
    guard size > limit else { return }
    files.sort {
      ($0.used.tv_sec, $0.used.tv_nsec, $0.path) < ($1.used.tv_sec, $1.used.tv_nsec, $1.path)
    }
    for entry in files where size > limit {
      unlink(entry.path)
      size -= entry.size
    }
  }

  func curve(_ key: TrialKey) throws -> ThresholdCurve? { try value(key, "curve", \.isConsistent) }
  func keep(_ curve: ThresholdCurve, _ key: TrialKey) throws { try write(curve, key, "curve") }
  func score(_ key: TrialKey) throws -> EventScore? { try value(key, "score", \.isConsistent) }
  func keep(_ score: EventScore, _ key: TrialKey) throws { try write(score, key, "score") }

  func onsets(_ key: TrialKey) throws -> [TraceInstant]? { try value(key, "onsets") { _ in true } }
  func keep(_ onsets: [TraceInstant], _ key: TrialKey) throws { try write(onsets, key, "onsets") }

  private func text(_ key: TrialKey) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(key), as: UTF8.self)
  }

  private func path(_ key: String, _ kind: String) -> String {
    name + "/" + SHA256Digest.hex(of: Array(key.utf8)) + "." + kind
  }

  private func content(_ key: String, _ body: Data) -> Data {
    Data("\(Self.magic)\n\(key)\n\(SHA256Digest.hex(of: Array(body)))\n".utf8) + body
  }

  /// Returns the value; nil if it is not in the cache, or if its file is damaged.
  private func value<Value: Decodable>(
    _ key: TrialKey, _ kind: String, _ isSound: (Value) -> Bool
  ) throws -> Value? {
    let text = try text(key)
    let path = path(text, kind)
    guard access(path, F_OK) == 0 else { return nil }
    guard let bytes = Self.ownBytes(path) else {
      report("\(path): not a readable file that you own; the result is recomputed")
      // The file that replaces it belongs to this user.
      unlink(path)
      return nil
    }
    let start = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    guard start.count == 4, case let body = Data(start[3]), bytes == content(text, body),
      let value: Value = Self.decoded(body), isSound(value)
    else {
      report("\(path): damaged; the result is recomputed")
      return nil
    }
    // The time of the last use decides what is trimmed first.
    _ = utimes(path, nil)
    return value
  }

  /// The bytes of a regular file of this user, or of root; nil = it is not such a file.
  private static func ownBytes(_ path: String) -> Data? {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      [0, geteuid()].contains(facts.st_uid), facts.st_size <= defaultLimit
    else { return nil }
    return try? handle.readToEnd() ?? Data()
  }

  /// nil = the bytes are not such a value.
  static func decoded<Value: Decodable>(_ bytes: Data) -> Value? {
    try? PropertyListDecoder().decode(Value.self, from: bytes)
  }

  /// Returns a binary property list, which unlike JSON has infinite numbers.
  static func encoded(_ value: some Encodable) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try encoder.encode(value)
  }

  private func write(_ value: some Encodable, _ key: TrialKey, _ kind: String) throws {
    guard !hasFailedToStore.load(ordering: .relaxed) else { return }
    let text = try text(key)
    do {
      try AtomicFile.write(content(text, Self.encoded(value)), to: path(text, kind))
    } catch {
      guard !hasFailedToStore.exchange(true, ordering: .relaxed) else { return }
      report("\(error); nothing more is cached")
    }
  }
}

extension stat {
  fileprivate var lastChange: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}
