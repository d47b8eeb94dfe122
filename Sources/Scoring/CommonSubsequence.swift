/// Returns the length of the longest common subsequence. A row of the table of lengths is a bit per
/// element, and 64 of them are one step (Hyyrö, Bit-parallel LCS-length computation revisited, AWOCA
/// 2004). O(m n / 64) time, O(m + n) memory.
func longestCommonSubsequence(_ left: [Int32], _ right: [Int32]) -> Int {
  let words = (left.count + 63) / 64
  var places: [Int32: [Int]] = [:]
  for (position, element) in left.enumerated() { places[element, default: []].append(position) }
  // Elements with more places than words, of which there are at most 64.
  var masks: [Int32: [UInt64]] = [:]
  for (element, own) in places where own.count > words {
    masks[element] = mask(of: own, words)
  }
  // A bit is 0 where the length grows by one.
  var row = [UInt64](repeating: .max, count: words)
  var scratch = [UInt64](repeating: 0, count: words)
  for element in right {
    guard let own = places[element] else { continue }
    if let mask = masks[element] {
      advance(&row, mask)
      continue
    }
    for position in own { scratch[position / 64] |= 1 << UInt64(position % 64) }
    advance(&row, scratch)
    for position in own { scratch[position / 64] = 0 }
  }
  return row.reduce(0) { $0 + (~$1).nonzeroBitCount }
}

private func mask(of positions: [Int], _ words: Int) -> [UInt64] {
  var mask = [UInt64](repeating: 0, count: words)
  for position in positions { mask[position / 64] |= 1 << UInt64(position % 64) }
  return mask
}

/// Adds the row of an element whose places are the bits of `matches`.
private func advance(_ row: inout [UInt64], _ matches: [UInt64]) {
  var carry: UInt64 = 0
  for word in row.indices {
    let old = row[word]
    let (sum, isOver) = old.addingReportingOverflow(old & matches[word])
    let (all, isOverToo) = sum.addingReportingOverflow(carry)
    carry = isOver || isOverToo ? 1 : 0
    row[word] = all | old & ~matches[word]
  }
}
