import Diagnostics
import Digests
import Evaluation
import Foundation
import Reports
import Scoring
import TraceFormats
import Tuning

/// The results of detectors on recordings, in a folder: a file for each recording and settings. A
/// tuning that was interrupted continues from there, and a repeated one runs nothing.
///
/// A file holds its key and a digest of its content. A file that is damaged, or has another key, is
/// reported and ignored.
final class FolderCache: TrialCache {
  private static let magic = "shadowbox-cache/2"
  /// The folder.
  let name: String
  private let limit: Int
  private let tell: @Sendable (String) -> Void

  /// Bytes that the files of a cache take at most, apart from those of the running command.
  static let defaultLimit = 512 << 20

  /// `$XDG_CACHE_HOME/shadowbox`, or `~/.cache/shadowbox` (XDG Base Directory Specification 0.8:
  /// a relative path in the variable is ignored).
  static func defaultFolder(_ environment: [String: String]) -> String {
    if let base = environment["XDG_CACHE_HOME"], base.hasPrefix("/") { return base + "/shadowbox" }
    let home =
      environment["HOME"].flatMap { $0.isEmpty ? nil : $0 }
      ?? FileManager.default.homeDirectoryForCurrentUser.path
    return home + "/.cache/shadowbox"
  }

  /// - Parameters:
  ///   - limit: the size in bytes above which ``trim()`` removes files.
  ///   - tell: receives messages about damaged files.
  init(
    _ folder: String, limit: Int = defaultLimit, tell: @escaping @Sendable (String) -> Void
  ) throws {
    name = folder
    self.limit = limit
    self.tell = tell
    try makeFolder(folder)
    guard access(folder, W_OK) == 0 else {
      throw Failure(
        .fileError,
        "\(folder): the folder of the cache cannot be written to "
          + "(\(String(cString: strerror(errno)))); choose another with --cache, or none with "
          + "--no-cache")
    }
    trim()
  }

  /// Removes the files that were used longest ago, until the rest is within the limit.
  func trim() {
    let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
    let url = URL(fileURLWithPath: name)
    let all =
      (try? FileManager.default.contentsOfDirectory(
        at: url, includingPropertiesForKeys: Array(keys))) ?? []
    var files = all.filter { ["curve", "score"].contains($0.pathExtension) }.compactMap { file in
      (try? file.resourceValues(forKeys: keys)).map { facts in
        (file: file, size: facts.fileSize ?? 0, used: facts.contentModificationDate ?? .distantPast)
      }
    }
    var size = files.reduce(0) { $0 + $1.size }
    guard size > limit else { return }
    files.sort { ($0.used, $0.file.path) < ($1.used, $1.file.path) }
    for entry in files where size > limit {
      try? FileManager.default.removeItem(at: entry.file)
      size -= entry.size
    }
  }

  func curve(_ key: TrialKey) throws -> ThresholdCurve? {
    try body(key, "curve").flatMap(CurveBytes.curve)
  }

  func keep(_ curve: ThresholdCurve, _ key: TrialKey) throws {
    try write(CurveBytes.bytes(of: curve), key, "curve")
  }

  func score(_ key: TrialKey) throws -> EventScore? {
    try body(key, "score").flatMap { try? JSONDecoder().decode(EventScore.self, from: $0) }
  }

  func keep(_ score: EventScore, _ key: TrialKey) throws {
    try write(try JSONEncoder().encode(score), key, "score")
  }

  // MARK: Files

  private func text(_ key: TrialKey) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(key), as: UTF8.self)
  }

  private func path(_ key: String, _ kind: String) -> String {
    name + "/" + SHA256Digest.hex(of: Array(key.utf8)) + "." + kind
  }

  /// The whole file.
  private func content(_ key: String, _ body: Data) -> Data {
    Data("\(Self.magic)\n\(key)\n\(SHA256Digest.hex(of: Array(body)))\n".utf8) + body
  }

  private func body(_ key: TrialKey, _ kind: String) throws -> Data? {
    let text = try text(key)
    let path = path(text, kind)
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    let start = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    guard start.count == 4, case let body = Data(start[3]), bytes == content(text, body) else {
      tell("\(path): damaged, so it is recomputed")
      return nil
    }
    // The time of the last use decides what is trimmed first.
    _ = utimes(path, nil)
    return body
  }

  private func write(_ body: Data, _ key: TrialKey, _ kind: String) throws {
    let text = try text(key)
    let file = try AtomicFile(path: path(text, kind))
    try file.write(bytes: content(text, body))
    try file.commit()
  }
}

/// A curve as bytes: little-endian numbers of eight bytes.
enum CurveBytes {
  static func bytes(of curve: ThresholdCurve) -> Data {
    var words: [UInt64] = [
      UInt64(curve.count), UInt64(bitPattern: Int64(curve.references)),
      UInt64(bitPattern: curve.scoredNanoseconds), curve.upper.bitPattern, curve.isExact ? 1 : 0,
    ]
    words += curve.thresholds.map(\.bitPattern)
    words += curve.truePositives.map { UInt64(bitPattern: Int64($0)) }
    words += curve.falsePositives.map { UInt64(bitPattern: Int64($0)) }
    return words.map(\.littleEndian).withUnsafeBytes { Data($0) }
  }

  /// nil = the bytes are no curve.
  static func curve(of bytes: Data) -> ThresholdCurve? {
    guard bytes.count % 8 == 0, bytes.count >= 40 else { return nil }
    let words = bytes.withUnsafeBytes { buffer in
      (0..<bytes.count / 8).map {
        UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self))
      }
    }
    guard let count = Int(exactly: words[0]), count > 0, count == (words.count - 5) / 3,
      words.count == 5 + 3 * count
    else { return nil }
    func numbers(_ column: Int) -> ArraySlice<UInt64> {
      words[5 + column * count..<5 + (column + 1) * count]
    }
    func counts(_ column: Int) -> [Int] { numbers(column).map { Int(Int64(bitPattern: $0)) } }
    let thresholds = numbers(0).map(Double.init(bitPattern:))
    let upper = Double(bitPattern: words[3])
    guard zip(thresholds, thresholds.dropFirst()).allSatisfy(<), thresholds[count - 1] <= upper
    else { return nil }
    return ThresholdCurve(
      thresholds: thresholds, truePositives: counts(1), falsePositives: counts(2), upper: upper,
      references: Int(Int64(bitPattern: words[1])),
      scoredNanoseconds: Int64(bitPattern: words[2]), isExact: words[4] == 1)
  }
}
