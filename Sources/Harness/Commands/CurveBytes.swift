import Foundation
import Tuning

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
    for index in words.indices { words[index] = words[index].littleEndian }
    return words.withUnsafeBytes { Data($0) }
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
