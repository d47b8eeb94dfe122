import CZlib

/// Archives made byte by byte, for tests: each oddity of the formats can be asked for.
///
/// What is packed is stored, not compressed (RFC 1951, 3.2.4, and method 0 of APPNOTE.TXT), but for
/// bombs: tests of compression take what other programs wrote.
public enum Gzip {
  /// One member (RFC 1952).
  public static func member(_ content: [UInt8]) -> [UInt8] {
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + storedBlocks(content) + little(crc32(content), 4)
      + little(UInt32(truncatingIfNeeded: content.count), 4)
  }

  /// One member of so many zeros, which zlib packs a thousandfold.
  public static func zeros(_ count: Int) -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    return packed(count: count) { rest in
      if rest < chunk.count { chunk.removeLast(chunk.count - rest) }
      return chunk
    }
  }

  /// One member, packed by zlib.
  public static func packed(_ content: [UInt8]) -> [UInt8] {
    packed(count: content.count) { _ in content }
  }

  /// - Parameter next: returns the next bytes, of so many that are left.
  private static func packed(count: Int, _ next: (Int) -> [UInt8]) -> [UInt8] {
    var stream = z_stream()
    guard czlib_deflate_gzip(&stream) == Z_OK else { return [] }
    defer { deflateEnd(&stream) }
    var packed: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    var rest = count
    var status = Z_OK
    while status != Z_STREAM_END {
      var input = next(rest)
      rest -= input.count
      input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        repeat {
          let free = room.withUnsafeMutableBufferPointer { room in
            stream.next_out = room.baseAddress
            stream.avail_out = UInt32(room.count)
            status = deflate(&stream, rest > 0 ? Z_NO_FLUSH : Z_FINISH)
            return Int(stream.avail_out)
          }
          packed += room[..<(room.count - free)]
        } while stream.avail_out == 0
      }
    }
    return packed
  }

  private static func storedBlocks(_ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var position = 0
    repeat {
      let end = min(position + 0xFFFF, content.count)
      let count = UInt32(end - position)
      bytes.append(end == content.count ? 1 : 0)
      bytes += little(count, 2) + little(~count & 0xFFFF, 2) + content[position..<end]
      position = end
    } while position < content.count
    return bytes
  }
}

/// A zip archive (PKWARE APPNOTE.TXT 6.3) of members with ASCII names.
public struct Zip: Sendable {
  public enum Oddity: Hashable, Sendable {
    /// Sizes follow the data, as programs write that cannot seek.
    case dataDescriptor
    /// The flag of an encrypted member; its data are not.
    case encryptedFlag
    /// The directory's end in the records for archives beyond 4 GiB.
    case zip64
    /// A checksum that is not that of the data.
    case wrongChecksum
    /// A compression method that no program knows.
    case unknownMethod
  }

  public var members: [(name: String, content: [UInt8])]
  public var oddities: Set<Oddity>

  public init(_ members: [(name: String, content: [UInt8])], _ oddities: Set<Oddity> = []) {
    self.members = members
    self.oddities = oddities
  }

  public init(_ files: [(String, String)], _ oddities: Set<Oddity> = []) {
    self.init(files.map { (name: $0.0, content: Array($0.1.utf8)) }, oddities)
  }

  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var directory: [UInt8] = []
    for (name, content) in members {
      let offset = bytes.count
      bytes += local(name, content) + content
      if oddities.contains(.dataDescriptor) {
        bytes += little(0x0807_4B50, 4) + sizes(content)
      }
      directory += central(name, content, offset: offset)
    }
    let start = bytes.count
    bytes += directory
    if oddities.contains(.zip64) { bytes += zip64End(directory.count, start, at: bytes.count) }
    let isLarge = oddities.contains(.zip64)
    let count = isLarge ? 0xFFFF : UInt32(members.count)
    bytes += little(0x0605_4B50, 4) + little(0, 4) + little(count, 2) + little(count, 2)
    bytes += little(isLarge ? .max : UInt32(directory.count), 4)
    bytes += little(isLarge ? .max : UInt32(start), 4) + little(0, 2)
    return bytes
  }

  private func local(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let isStreamed = oddities.contains(.dataDescriptor)
    return little(0x0403_4B50, 4)
      + shared(content, sizes: isStreamed ? [UInt8](repeating: 0, count: 12) : nil)
      + little(UInt32(name.utf8.count), 2) + little(0, 2) + Array(name.utf8)
  }

  private func central(_ name: String, _ content: [UInt8], offset: Int) -> [UInt8] {
    little(0x0201_4B50, 4) + little(20, 2) + shared(content)
      + little(UInt32(name.utf8.count), 2) + little(0, 4) + little(0, 4) + little(0, 4)
      + little(UInt32(offset), 4) + Array(name.utf8)
  }

  /// Version, flags, method, time, date, checksum and sizes.
  private func shared(_ content: [UInt8], sizes other: [UInt8]? = nil) -> [UInt8] {
    var flags: UInt32 = 0
    if oddities.contains(.encryptedFlag) { flags |= 1 }
    if oddities.contains(.dataDescriptor) { flags |= 8 }
    let method: UInt32 = oddities.contains(.unknownMethod) ? 77 : 0
    return little(20, 2) + little(flags, 2) + little(method, 2) + little(0, 2) + little(33, 2)
      + (other ?? sizes(content))
  }

  private func sizes(_ content: [UInt8]) -> [UInt8] {
    let checksum = crc32(content) ^ (oddities.contains(.wrongChecksum) ? 1 : 0)
    return little(checksum, 4) + little(UInt32(content.count), 4) + little(UInt32(content.count), 4)
  }

  private func zip64End(_ size: Int, _ start: Int, at position: Int) -> [UInt8] {
    let count = UInt64(members.count)
    return little(0x0606_4B50, 4) + little64(44) + little(45, 2) + little(45, 2) + little(0, 8)
      + little64(count) + little64(count) + little64(UInt64(size)) + little64(UInt64(start))
      + little(0x0706_4B50, 4) + little(0, 4) + little64(UInt64(position)) + little(1, 4)
  }
}

/// The CRC-32 of RFC 1952, section 8.
public func crc32(_ bytes: [UInt8]) -> UInt32 {
  var checksum = UInt32.max
  for byte in bytes {
    checksum ^= UInt32(byte)
    for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 1 ? 0xEDB8_8320 : 0) }
  }
  return ~checksum
}

private func little(_ value: UInt32, _ count: Int) -> [UInt8] {
  (0..<count).map { $0 < 4 ? UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) : 0 }
}

private func little64(_ value: UInt64) -> [UInt8] {
  (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
}
