import Reports
import Evaluation
import Diagnostics
import Digests
import Foundation
import Scoring
import TraceFormats
import Tuning

/// What detectors did on recordings, kept in a folder: a file for each recording and settings, so
/// that a tuning that was interrupted goes on, and one that is repeated runs nothing.
///
/// A file holds its key and a digest of what it holds: one that is damaged, or of another key, is
/// as if it were not there, and is told.
final class FolderCache: TrialCache {
  private static let magic = "shadowbox-cache/2"
  let folder: String
  var name: String { folder }
  let damaged = Counter()
  private let tell: @Sendable (String) -> Void

  /// - Parameter tell: is told of damaged files.
  init(_ folder: String, tell: @escaping @Sendable (String) -> Void) throws {
    self.folder = folder
    self.tell = tell
    try makeFolder(folder)
    guard access(folder, W_OK) == 0 else {
      throw Failure(
        .fileError,
        "\(folder): the folder of the cache cannot be written to "
          + "(\(String(cString: strerror(errno)))); choose another with --cache, or none with "
          + "--no-cache")
    }
  }

  func curve(_ key: TrialKey) throws -> ThresholdCurve? {
    try body(key, "curve").flatMap { bytes in
      guard let curve = CurveBytes.curve(of: bytes) else { return nil }
      return curve
    }
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
    let digest = SHA256Digest()
    digest.update(key)
    return folder + "/" + digest.finish() + "." + kind
  }

  private func digest(of body: Data) -> String {
    let digest = SHA256Digest()
    body.withUnsafeBytes { digest.update($0) }
    return digest.finish()
  }

  private func body(_ key: TrialKey, _ kind: String) throws -> Data? {
    let text = try text(key)
    let path = path(text, kind)
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    let parts = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == Data(Self.magic.utf8)[...],
      parts[1] == Data(text.utf8)[...],
      parts[2] == Data(digest(of: Data(parts[3])).utf8)[...]
    else {
      _ = damaged.next()
      tell("\(path): damaged, so it is made anew")
      return nil
    }
    return Data(parts[3])
  }

  private func write(_ body: Data, _ key: TrialKey, _ kind: String) throws {
    let text = try text(key)
    let file = try AtomicFile(path: path(text, kind))
    try file.write("\(Self.magic)\n\(text)\n\(digest(of: body))\n")
    try file.write(bytes: body)
    try file.commit()
  }
}

/// A curve as bytes: numbers of eight bytes, the lowest first.
enum CurveBytes {
  static func bytes(of curve: ThresholdCurve) -> Data {
    var words: [UInt64] = [
      UInt64(curve.count), UInt64(bitPattern: Int64(curve.references)),
      UInt64(bitPattern: curve.scoredNanoseconds), curve.upper.bitPattern, curve.isExact ? 1 : 0,
    ]
    words += curve.thresholds.map(\.bitPattern)
    words += curve.truePositives.map { UInt64(bitPattern: Int64($0)) }
    words += curve.falsePositives.map { UInt64(bitPattern: Int64($0)) }
    for index in words.indices { words[index] = words[index].littleEndian }
    return words.withUnsafeBytes { Data($0) }
  }

  /// nil where the bytes are not a curve's.
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
    let thresholds = words[5..<5 + count].map(Double.init(bitPattern:))
    let upper = Double(bitPattern: words[3])
    func counts(_ position: Int) -> [Int] {
      words[(5 + position * count)..<(5 + (position + 1) * count)].map {
        Int(Int64(bitPattern: $0))
      }
    }
    guard zip(thresholds, thresholds.dropFirst()).allSatisfy(<), let last = thresholds.last,
      last <= upper
    else { return nil }
    return ThresholdCurve(
      thresholds: thresholds, truePositives: counts(1), falsePositives: counts(2), upper: upper,
      references: Int(Int64(bitPattern: words[1])),
      scoredNanoseconds: Int64(bitPattern: words[2]), isExact: words[4] == 1)
  }
}
