/// The blocks of an HDF5 file that end with a checksum and whose length stands in them (HDF5 File
/// Format Specification 3.0: "Version 2 Data Object Header Prefix", "Superblock version 2 and 3").
enum HDF5Checksums {
  /// The blocks, each from its signature to the end of its checksum.
  static func blocks(of bytes: [UInt8]) -> [Range<Int>] {
    var blocks: [Range<Int>] = []
    if bytes.count > 48, bytes[8] == 2 || bytes[8] == 3 { blocks.append(0..<48) }
    let signature = Array("OHDR".utf8)
    var position = 0
    while position + 16 < bytes.count {
      if bytes[position] == signature[0], bytes[position..<(position + 4)].elementsEqual(signature),
        let end = headerEnd(bytes, position)
      {
        blocks.append(position..<end)
      }
      position += 1
    }
    return blocks
  }

  private static func headerEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
    let flags = bytes[start + 5]
    // Times of access and change, and limits of attributes, stand before the length.
    let position = start + 6 + (flags & 0x20 != 0 ? 16 : 0) + (flags & 0x10 != 0 ? 4 : 0)
    let width = 1 << Int(flags & 3)
    guard position + width <= bytes.count else { return nil }
    var length = 0
    for offset in 0..<min(width, 4) { length |= Int(bytes[position + offset]) << (8 * offset) }
    let end = position + width + length + 4
    return end <= bytes.count ? end : nil
  }

  static func mend(_ bytes: inout [UInt8], _ blocks: [Range<Int>]) {
    for block in blocks where block.upperBound <= bytes.count {
      let sum = lookup3(bytes[block.lowerBound..<(block.upperBound - 4)])
      for offset in 0..<4 {
        bytes[block.upperBound - 4 + offset] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * offset))
      }
    }
  }

  /// Bob Jenkins's lookup3 `hashlittle` with an initial value of 0 (public domain, 2006).
  static func lookup3(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    func rotated(_ x: UInt32, _ k: UInt32) -> UInt32 { x << k | x >> (32 - k) }
    var rest = bytes
    var a = 0xDEAD_BEEF &+ UInt32(truncatingIfNeeded: bytes.count)
    var (b, c) = (a, a)
    func word(_ rest: ArraySlice<UInt8>, _ index: Int) -> UInt32 {
      var word: UInt32 = 0
      for offset in 0..<4 {
        let position = rest.startIndex + 4 * index + offset
        if position < rest.endIndex { word |= UInt32(rest[position]) << UInt32(8 * offset) }
      }
      return word
    }
    while rest.count > 12 {
      a &+= word(rest, 0)
      b &+= word(rest, 1)
      c &+= word(rest, 2)
      a = (a &- c) ^ rotated(c, 4)
      c &+= b
      b = (b &- a) ^ rotated(a, 6)
      a &+= c
      c = (c &- b) ^ rotated(b, 8)
      b &+= a
      a = (a &- c) ^ rotated(c, 16)
      c &+= b
      b = (b &- a) ^ rotated(a, 19)
      a &+= c
      c = (c &- b) ^ rotated(b, 4)
      b &+= a
      rest = rest.dropFirst(12)
    }
    guard !rest.isEmpty else { return c }
    a &+= word(rest, 0)
    b &+= word(rest, 1)
    c &+= word(rest, 2)
    c = (c ^ b) &- rotated(b, 14)
    a = (a ^ c) &- rotated(c, 11)
    b = (b ^ a) &- rotated(a, 25)
    c = (c ^ b) &- rotated(b, 16)
    a = (a ^ c) &- rotated(c, 4)
    b = (b ^ a) &- rotated(a, 14)
    return (c ^ b) &- rotated(b, 24)
  }
}
